#ifndef DRMAA_MSG_DRMAA_H
#define DRMAA_MSG_DRMAA_H

/* The diagnoses of the DRMAA binding. */
#define MSG_DRMAA_FORKED_I                                                                         \
    "the session belongs to process %d, which forked this one; call drmaa_init() to begin a new "  \
    "one"
#define MSG_DRMAA_NULL_S     "%s must not be NULL"
#define MSG_DRMAA_TEMPLATE   "this is not a job template, or it has been deleted"
#define MSG_DRMAA_UNKNOWN_S  "there is no attribute \"%s\""
#define MSG_DRMAA_UNKNOWN_VS "there is no vector attribute \"%s\""
#define MSG_DRMAA_NO_STAGING_S                                                                     \
    "there is no attribute \"%s\" in this cell: its delegated_file_staging is false"
#define MSG_DRMAA_UNSET_S    "attribute \"%s\" has no value"
#define MSG_DRMAA_VALUE_SS   "\"%s\" is not a valid value of attribute \"%s\""
#define MSG_DRMAA_FORMAT_SSS "\"%s\" is not a valid value of attribute \"%s\": the form is %s"
#define MSG_DRMAA_LONG_SI    "a value of attribute \"%s\" is longer than the limit of %d bytes"
#define MSG_DRMAA_MANY_SI    "attribute \"%s\" has more values than the limit of %d"
#define MSG_DRMAA_HANDLES_I  "the limit of %d objects is reached: release some"
#define MSG_DRMAA_STAT_I     "%d was not returned by drmaa_wait"
#define MSG_DRMAA_NO_EXIT    "the job did not exit: it has no exit status"
#define MSG_DRMAA_NO_SIGNAL  "no signal ended the job"
#define MSG_DRMAA_NO_COMMAND "attribute \"drmaa_remote_command\" is not set"
#define MSG_DRMAA_CONTACT_S  "\"%s\" is not a contact string: the form is session=KEY"
#define MSG_DRMAA_RANGE_III  "there are no tasks %d-%d:%d"
#define MSG_DRMAA_ACTION_I   "there is no control action %d"
#define MSG_DRMAA_TIMEOUT_L  "%ld is not a timeout"
#define MSG_DRMAA_EUID                                                                             \
    "drmaa_submit_as_euid: the session belongs to another user than the effective one, who is "    \
    "not root, so it cannot submit jobs of the effective user"
#define MSG_DRMAA_NO_ID_S "there is no job \"%s\""

#endif
