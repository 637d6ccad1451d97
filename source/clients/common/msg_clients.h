#ifndef CLIENTS_COMMON_MSG_CLIENTS_H
#define CLIENTS_COMMON_MSG_CLIENTS_H

/* Texts of what the clients share. Texts are interface: scripts match them. */
#define MSG_LIBRARY_LOAD_SS   "cannot load %s: %s"
#define MSG_XML_WRITE         "cannot write the XML document"
#define MSG_JSON_WRITE        "cannot write the JSON document"
#define MSG_SCHEDD_INFO_OFF   "(Collecting of scheduler job information is turned off)"
#define MSG_SCHEDD_INFO_NONE  "There are no messages available"
#define MSG_STDOUT_S          "error: cannot write to standard output: %s"
#define MSG_STDOUT_EARLIER    "an earlier write failed"
#define MSG_NOT_SUPPORTED_S   "%s: not supported yet"
#define MSG_OPTION_ARGUMENT_S "%s option must have argument"
#define MSG_OPTION_INVALID_S  "invalid option argument \"%s\""
#define MSG_OPTION_WRONG_S    "ERROR! wrong argument to %s option"
#define MSG_NO_ARGUMENT       "ERROR! no option argument"
#define MSG_SUBMITTED_SSS     "Your job%s %s (\"%s\") has been submitted\n"
#define MSG_NO_JOB_S          "job \"%s\" does not exist"
#define MSG_WHOLE_JOBS_S                                                                           \
    "denied: only the whole of job \"%s\" can be submitted again, not some of its tasks"

#endif
