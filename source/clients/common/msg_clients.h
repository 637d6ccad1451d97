#ifndef CLIENTS_COMMON_MSG_CLIENTS_H
#define CLIENTS_COMMON_MSG_CLIENTS_H

#include <inttypes.h>

/* Texts of the clients, but for those of qconf, qmon and qsub, which have many. Texts are
 * interface: scripts match them. */
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

/* ---- acct, qacct ---- */
#define MSG_JOB_ID_NOT_FOUND_S   "job id %s not found"
#define MSG_JOB_NAME_NOT_FOUND_S "job name %s not found"
#define MSG_TASKS_NOT_FOUND_SUUU "Job-array tasks %s.%u-%u:%u not found"
#define MSG_JOBS_NOT_FOUND       "no jobs found"
#define MSG_BAD_LINES_UUS        "%u lines could not be read, the first is line %u: %s"
#define MSG_NO_FILE_YET          "no jobs running since startup"
#define MSG_JOBS_OR_FILE_SS                                                                        \
    "\"%s\" is a job and \"%s\" an accounting file: separate jobs by commas if both are jobs"
#define MSG_TIME_SS        "%s: \"%s\" is not a date of the form [[CC]YY]MMDDhhmm[.SS]"
#define MSG_DAYS_S         "-d: \"%s\" is not a number of days"
#define MSG_SLOTS_S        "-slots: \"%s\" is not a number of slots"
#define MSG_AR_S           "-ar: \"%s\" is not the number of an advance reservation"
#define MSG_TASKS_NEED_JOB "-t option requires -j option with an argument"

/* ---- qping: health checks look for these, as captured ---- */
#define MSG_PING_CANNOT_SSSU "endpoint %s/%s/%s at port %u: can't find connection\n"
#define MSG_PING_PORT_SSS    "endpoint %s/%s/%s at port 0: no valid port number\n"
#define MSG_PING_UP_SSSSUU   "%s endpoint %s/%s/%s at port %u is up for %" PRIu64 " seconds\n"
#define MSG_PING_REFUSED_SSS                                                                       \
    "got select error: Connection refused\ngot select error: closing \"%s/%s/%s\"\n"
#define MSG_PING_OTHER_SSSSSS                                                                      \
    "access denied: local endpoint \"%s/%s/1\" doesn't match requested endpoint \"%s/%s/%s\"\n"
#define MSG_PING_HOST_S "could not resolve hostname %s\n"

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

#define MSG_NO_USER_S  "error: %s is not known as a user"
#define MSG_OPERAND_SS "%s: invalid option argument \"%s\""

#endif
