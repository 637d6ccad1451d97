#ifndef CLIENTS_COMMON_MSG_CLIENTS_H
#define CLIENTS_COMMON_MSG_CLIENTS_H

/* Texts of what the clients share. Texts are interface: scripts match them. */
#define MSG_STDOUT_S          "error: cannot write to standard output: %s"
#define MSG_STDOUT_EARLIER    "an earlier write failed"
#define MSG_NOT_SUPPORTED_S   "%s: not supported yet"
#define MSG_OPTION_ARGUMENT_S "%s option must have argument"
#define MSG_OPTION_INVALID_S  "invalid option argument \"%s\""
#define MSG_OPTION_WRONG_S    "ERROR! wrong argument to %s option"
#define MSG_QUEUE_STATE_SSSS                                                                       \
    "unknown queue state: %s found in string: %s\nunknown queue state: %s found in string: %s"
#define MSG_NO_PE         "no such parallel environment"
#define MSG_USERS_NONE    "-u needs the name of a user, or \"*\""
#define MSG_NO_ARGUMENT   "ERROR! no option argument"
#define MSG_SUBMITTED_SSS "Your job%s %s (\"%s\") has been submitted\n"
#define MSG_NO_JOB_S      "job \"%s\" does not exist"
#define MSG_WHOLE_JOBS_S                                                                           \
    "denied: only the whole of job \"%s\" can be submitted again, not some of its tasks"
#define MSG_RESOLVE_S     "can't resolve hostname \"%s\""
#define MSG_WHY_NEEDS_JOB "-why needs jobs or tasks: qstat -j JOB -why, or qstat -j JOB.TASK -why"
#define MSG_QUEUE_UNHEARD                                                                          \
    "the execution daemon of its host is not connected: is sge_execd running there?"
#define MSG_JOBS_HELD         "Jobs dropped because of hold state"
#define MSG_JOBS_UNKNOWN      "Following jobs do not exist: "
#define MSG_QSELECT_NO_ACCESS "no queue is accessible to all of these users (-U)"

/* what the words in usage texts mean */
#define MSG_TERMS                                                                                  \
    "pe_list                  pe[,pe,...]\n"                                                       \
    "job_identifier_list      [job_id|job_name|pattern]{, [job_id|job_name|pattern]}\n"            \
    "resource_list            resource[=value][,resource[=value],...]\n"                           \
    "user_list                user|*|@group[,user|*|@group],...]\n"                                \
    "resource_attributes      resource,resource,...\n"                                             \
    "wc_cqueue                wildcard expression matching a cluster queue\n"                      \
    "wc_host                  wildcard expression matching a host\n"                               \
    "wc_hostgroup             wildcard expression matching a hostgroup\n"                          \
    "wc_qinstance             wc_cqueue@wc_host\n"                                                 \
    "wc_qdomain               wc_cqueue@wc_hostgroup\n"                                            \
    "wc_queue_list            wc_cqueue|wc_qdomain|wc_qinstance\n"                                 \
    "wc_queue_list            wc_queue[,wc_queue,...]\n"

#endif
