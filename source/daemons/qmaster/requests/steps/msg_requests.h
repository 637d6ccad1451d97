#ifndef QMASTER_REQUESTS_STEPS_MSG_REQUESTS_H
#define QMASTER_REQUESTS_STEPS_MSG_REQUESTS_H

#include <inttypes.h>

/* Texts of requests: answers are interface (scripts match them), log lines are for
 * administrators. */

/* submitting */
#define MSG_AT_ONCE_TASKS_UU    "denied: -now y: the job has %u tasks; at most %u can start at once"
#define MSG_SESSION_GONE_U      "job %u was deleted before it started"
#define MSG_SESSION_IN_ERROR_US "job %u is in error: %s"
#define MSG_SESSION_KINDS       "an interactive job is one of qsh, qlogin and qrsh"
#define MSG_SESSION_TASKS       "an interactive job cannot be an array"
#define MSG_SESSION_DIGEST      "the digest of the client of an interactive job is no SHA-256"
#define MSG_SESSION_NONE        "only an interactive job has a terminal or a client"
#define MSG_COPY_INTERACTIVE_U  "job %u is interactive: it cannot be submitted again"
#define MSG_NOT_AT_ONCE_U       "job %u could not be scheduled at once (-now y)"
#define MSG_SUBMIT_ONE_JOB_U    "a submit request must contain one job, not %u"
#define MSG_OWNER_OF_SUBMITS    "denied: only a submit may be for another user"
#define MSG_NO_OWNER            "a submit for another user must name that user"
#define MSG_OWNER_UNKNOWN_U     "denied: no user has the id %u"
#define MSG_OWNER_UNSURE_U      "the name service cannot look up user id %u: try again later"
#define MSG_GROUPS_UNSURE_S     "the name service cannot look up the groups of user %s: try again later"
#define MSG_DEADLINE_PAST_SS    "job rejected: the deadline (-dl) %s is not after now, %s"
#define MSG_NO_JOB_NAME         "job rejected cause there is no job_name in the request"
#define MSG_JOB_TOO_LARGE_ZU                                                                       \
    "job rejected: with its script and environment it has %zu bytes; the limit is %u"
#define MSG_JOB_RECORD_TOO_LARGE_ZU                                                                \
    "job rejected: without its script it has %zu bytes; the limit is %u"
#define MSG_NO_SCRIPT "job rejected: no script in your request"
#define MSG_NO_SPACE_SU                                                                            \
    "job rejected: the file system of the spool \"%s\" is full: less than %u MiB are free"
#define MSG_NO_SPOOL_S                                                                             \
    "job rejected: the spool \"%s\" cannot be written, see the qmaster's messages file"
#define MSG_NO_ACCOUNTING_S                                                                        \
    "job rejected: the accounting file \"%s\" cannot be written, see the qmaster's messages file"
#define MSG_BINDING_REFUSED_S  "job rejected: %s"
#define MSG_TASK_ID_INVALID_U  "job rejected: %u is an invalid task id"
#define MSG_TASK_ID_MAX_UU     "job rejected: task id %u is greater than the limit of %u"
#define MSG_TASK_RANGE_UUU     "job rejected: %u-%u:%u is not a range of task ids"
#define MSG_TOO_MANY_TASKS_U   "job rejected: you tried to submit a job with more than %u tasks"
#define MSG_MAX_JOBS_U         "job rejected: only %u jobs are allowed per cluster"
#define MSG_MAX_U_JOBS_UU      "job rejected: only %u jobs are allowed per user (current job count: %u)"
#define MSG_QUEUE_UNKNOWN_S    "Job was rejected because job requests unknown queue \"%s\""
#define MSG_QUEUE_PATTERNS_U   "denied: a list of queues has more than %u patterns"
#define MSG_PE_UNKNOWN_S       "job rejected: the requested parallel environment \"%s\" does not exist"
#define MSG_PE_UNKNOWN_ALTER_S "denied: parallel environment \"%s\" does not exist"
#define MSG_PE_RANGES_UU       "denied: the job requests slots (-pe) in %u ranges; the limit is %u"
#define MSG_PE_RANGE_ZERO      "\"job\" rejected: pe range must be greater than zero"
#define MSG_CKPT_UNKNOWN_S                                                                         \
    "job rejected: the requested checkpointing environment \"%s\" does not exist"
#define MSG_CKPT_DENIED       "checkpointing denied"
#define MSG_CKPT_NEVER        "job rejected: checkpointing with \"-c n\" requested"
#define MSG_PROJECT_UNKNOWN_S "job rejected: the requested project \"%s\" does not exist"
#define MSG_NO_FILE_STAGING                                                                        \
    "job rejected: it requests file staging, but delegated_file_staging is false"

/* dependencies */
#define MSG_TC_NEEDS_ARRAY "Can only specify \"-tc\" option with an array job (using \"-t\" option)"

/* altering */
#define MSG_JOB_UNKNOWN_U   "job \"%u\" does not exist"
#define MSG_JOB_UNKNOWN_S   "denied: job \"%s\" does not exist"
#define MSG_JOBS_ONLY       "The specified option works only on jobs"
#define MSG_OF_ARRAYS_S     "invalid option argument \"%s\""
#define MSG_TASK_UNKNOWN_UU "job \"%u\" task \"%u\" does not exist"
#define MSG_JOB_NOT_OWNER_SU                                                                       \
    "denied: \"%s\" must be at least owner of job %u to change job attributes"
#define MSG_AR_UNKNOWN_U "the advance reservation id %u is invalid"
#define MSG_MAIL_ADDRESS_SSSU                                                                      \
    "denied: -M: \"%s%s%s\" is not a mail address: it begins with a letter or digit, has only "    \
    "letters, digits and . _ + - %% = & # ~, then @ and a host name, and %u bytes at most"
#define MSG_MASTERQ_NO_PE                                                                          \
    "job rejected: specification of master queue is not allowed for non-parallel jobs"
#define MSG_VERIFIED             "verification: found suitable queue(s)"
#define MSG_VERIFY_JOB_US        "Job %u %s"
#define MSG_NO_SUITABLE_WARNING  "warning: no suitable queues"
#define MSG_NO_SUITABLE_ERROR    "error: no suitable queues"
#define MSG_NO_QUEUE_ALLOWED_S   "warning: %s's job is not allowed to run in any queue"
#define MSG_NO_SUITABLE_VERIFIED "verification: no suitable queues"
#define MSG_VERIFY_CUT_U                                                                           \
    "verification: none of the first %u queue instances is suitable, and no more are looked at"
#define MSG_ALTERED_SU          "modified %s of job %u"
#define MSG_ALTERED_JID_U       "modified job id hold list of job %u\n"
#define MSG_ALTERED_AD_U        "modified job id hold array list of job %u\n"
#define MSG_ALTERED_BLOCKING    "   blocking jobs: "
#define MSG_ALTERED_EXITED_S    "\n   exited jobs:   %s"
#define MSG_PRIORITY_SET_SSUD   "%s@%s sets scheduling priority of job %u to %d"
#define MSG_JOBSHARE_SET_SSUU   "%s@%s sets job share of job %u to %u"
#define MSG_AR_SET_SSUU         "%s@%s sets job advance reservation of job %u to %u"
#define MSG_AR_RUNNING_U        "job %u can't modify running jobs"
#define MSG_HOLD_MODIFIED_U     "modified hold of job %u"
#define MSG_HOLD_MODIFIED_UU    "modified hold of job-array task %u.%u"
#define MSG_HOLD_MODIFIED_TASKS "modified hold of job-array tasks "
#define MSG_WHY_CUT_U           "it waits for more than the %u tasks that are shown"
#define MSG_WHY_ONE_TASK_UU     "job %u is an array: -why needs one of its tasks, qstat -j %u.TASK -why"

/* deleting */
#define MSG_JOB_DELETED_SU      "%s has deleted job %u"
#define MSG_TASK_DELETED_SUU    "%s has deleted job-array task %u.%u"
#define MSG_TASKS_DELETED_S     "%s has deleted job-array tasks "
#define MSG_JOB_REGISTERED_SU   "%s has registered the job %u for deletion"
#define MSG_TASK_REGISTERED_SUU "%s has registered the job-array task %u.%u for deletion"
#define MSG_JOB_FORCED_SU       "%s has forced the deletion of job %u"
#define MSG_TASK_FORCED_SUU     "%s has forced the deletion of job-array task %u.%u"
#define MSG_JOB_IN_DELETION_U   "job %u is already in deletion"
#define MSG_DELETE_DENIED_SU                                                                       \
    "%s - you do not have the necessary privileges to delete the job \"%u\""
#define MSG_NO_JOBS_OF_USERS_S     "There is no job registered for the following users: %s"
#define MSG_JOB_OF_USER_UNKNOWN_SS "The job %s of user(s) %s does not exist"
#define MSG_ALL_JOBS_DENIED_S      "denied: \"%s\" must be manager to modify all jobs"

/* qmod */
#define MSG_SUSPENDED_SS           "%s - suspended %s"
#define MSG_UNSUSPENDED_SS         "%s - unsuspended %s"
#define MSG_ALREADY_SUSPENDED_SS   "%s - %s is already suspended"
#define MSG_ALREADY_UNSUSPENDED_SS "%s - %s is already unsuspended"
#define MSG_NOT_RERUNNABLE_SS      "The %s is running in queue %s where jobs are not rerunable."
#define MSG_NOT_RERUNNABLE_CKPT_SSS                                                                \
    "%s requests ckpt object %s. Therefore this %s is not restartable."
#define MSG_RESCHEDULED_SS         "Pushed rescheduling of %s on host %s"
#define MSG_ERROR_CLEARED_SSS      "%s@%s cleared error state of %s"
#define MSG_NOT_IN_ERROR_U         "Job %u is not in error state"
#define MSG_NOT_RUNNING_U          "Job %u has no running task"
#define MSG_TASK_UU                "Job-array task %u.%u"
#define MSG_TASKS                  "Job-array tasks "
#define MSG_NONE_RUNS              ": not running"
#define MSG_NONE_IN_ERROR          ": not in error state"
#define MSG_MODIFY_DENIED_SU       "%s - you have no permission to modify job \"%u\""
#define MSG_QUEUE_ALREADY_SS       "Queue instance \"%s\" is already in the specified state: %s"
#define MSG_QUEUE_CHANGED_SSSS     "%s@%s changed state of \"%s\" (%s)"
#define MSG_QUEUE_FORCED_SSSS      "%s@%s forced state change of \"%s\" (%s)"
#define MSG_QUEUE_DENIED_SS        "%s - you have no permission to modify queue \"%s\""
#define MSG_QUEUE_INVALID_S        "invalid queue \"%s\""
#define MSG_QUEUE_OR_JOB_INVALID_S "invalid queue or job \"%s\""

/* qconf */
#define MSG_EXECD_STOP_DENIED           "shutting down execd requires manager privileges"
#define MSG_CONFIG_DID_SSSSSS           "%s@%s %s \"%s\" %s %s"
#define MSG_USAGE_MORE_SU               "usage of further entries of the %s is cleared, too: more than %u"
#define MSG_USAGE_USERS_UU              "%u users are named, at most %u can be cleared at a time"
#define MSG_CONFIG_EXISTS_SS            "%s \"%s\" already exists"
#define MSG_CONFIG_UNKNOWN_SS           "denied: %s \"%s\" does not exist"
#define MSG_CONFIG_MOVED_SS             "denied: %s \"%s\" has changed since it was read"
#define MSG_NAME_BRACKET_C              "Bracket ('%c') not allowed in objectname"
#define MSG_CONFIG_ONLY_PUT_S           "changed %s"
#define MSG_CONFIG_ONLY_GONE_SSS        "%s@%s removed %s list"
#define MSG_CONFIG_ONLY_UNKNOWN_S       "%s does not exist"
#define MSG_CONFIG_NAMELESS_S           "denied: %s without a name"
#define MSG_CONFIG_NONE_S               "the request names no %s"
#define MSG_QUEUE_IN_USE_S              "cluster queue \"%s\" has running tasks; it cannot be removed"
#define MSG_CONFIG_NO_OBJECT_SS         "%s \"%s\" does not exist"
#define MSG_CONFIG_NO_COMPLEX_SS        "\"%s\" references not existing complex attribute \"%s\""
#define MSG_CONFIG_SUBORDINATE_ITSELF_S "Cluster queue \"%s\" can't get subordinated by itself"
#define MSG_CONFIG_UNMEASURED_S                                                                    \
    "load_thresholds: no host reports \"%s\": queues with this threshold are closed until one "    \
    "does"
#define MSG_CONFIG_NO_SUBORDINATE_SS                                                               \
    "Subordinated cluster queue \"%s\" referenced in \"%s\" does not exist"
#define MSG_CONFIG_NO_SHARE_SS       "denied: share tree contains reference to unknown %s \"%s\""
#define MSG_CONFIG_REFERENCED_CSSSSS "denied: %c%s \"%s\" is still referenced in %s \"%s\"%s"
#define MSG_CONFIG_IN_SHARES_SS      "denied: may not remove %s \"%s\" still referenced in share tree"
#define MSG_CONFIG_SUBORDINATE_SS                                                                  \
    "Cluster queue \"%s\" is referenced in cluster queue \"%s\" as a subordinate. Deletion denied"
#define MSG_CONFIG_REQUESTED_CSSUS "denied: %c%s \"%s\" is still requested by %" PRIu64 " job%s"
#define MSG_CONFIG_NO_DEVICES_SSS                                                                  \
    "%s \"%s\": attribute \"complex_values\" names devices of \"%s\", which is not of the type "   \
    "RSMAP"
#define MSG_COMPLEX_IN_USE_US                                                                      \
    "denied: running tasks use %" PRIu64 " of complex attribute \"%s\": its type cannot change "   \
    "now"
#define MSG_COMPLEX_BUILTIN_S "denied: complex attribute \"%s\" is built in and cannot be removed"
#define MSG_COMPLEX_TAKEN_SSS                                                                      \
    "complex attribute \"%s\": \"%s\" is already the name or shortcut of \"%s\""
#define MSG_CONFIG_KIND_IDLE_SS "%s \"%s\" is stored, but has no effect yet"
#define MSG_CONFIG_NO_EXEC_HOST_SS                                                                 \
    "host \"%s\" is not an execution host yet: cluster queue \"%s\" has no queue instance there"
#define MSG_HOST_PATTERNS_UU  "denied: the request names %u host patterns; the limit is %u"
#define MSG_CONFIG_IDLE_S     "attribute \"%s\" is stored, but has no effect yet"
#define MSG_HOST_UNRESOLVED_S "can't resolve hostname \"%s\""
#define MSG_PE_IN_USE_SU                                                                           \
    "denied: parallel environment \"%s\" has %" PRIu64 " slots in use by running tasks"
#define MSG_HOST_IN_QUEUE_SS        "Host object \"%s\" is still referenced in cluster queue \"%s\"."
#define MSG_HOST_IN_GROUP_SS        "Host object \"%s\" is still referenced in host group \"%s\"."
#define MSG_HOST_ADDED_SS           "%s added to %s"
#define MSG_MANAGER_STAYS_SS        "may not remove user \"%s\" from %s"
#define MSG_MASTER_HOST_STAYS_SS    "denied: can't delete master host \"%s\" from %s"
#define MSG_SCHEDCONF_CHANGED       "changed scheduler configuration"
#define MSG_EXECD_STOPPED_SSS       "%s@%s sent shutdown notification to host %s"
#define MSG_EXECD_UNKNOWN_S         "denied: execution host \"%s\" is unknown or has no running execd"
#define MSG_QMASTER_STOPPED_SS      "%s@%s has shut down the qmaster"
#define MSG_SCHEDULER_STOPPED_SS    "%s@%s has stopped the scheduler"
#define MSG_SCHEDULER_STARTED_SS    "%s@%s has started the scheduler"
#define MSG_SCHEDULER_NOT_RUNNING   "the scheduler is already stopped"
#define MSG_SCHEDULER_RUNNING       "the scheduler is not stopped"
#define MSG_THREAD_UNKNOWN_S        "\"%s\" is not a thread that can be stopped or started; use: scheduler"
#define MSG_CLIENT_UNKNOWN_S        "no event client known with id %s to shutdown"
#define MSG_CLIENT_ENDED_SSUSS      "%s@%s has ended event client %u (%s on %s)"
#define MSG_CLIENT_IS_ENDED_SS      "%s@%s has ended this event client"
#define MSG_QUEUE_CLEANED_SSS       "%s@%s cleaned queue \"%s\""
#define MSG_SCHEDULING_TRIGGERED_SS "%s@%s triggers scheduler monitoring"
#define MSG_REQUEST_ID_ZU           "the request's id has %zu bytes; the limit is %u"
#define MSG_NO_SUCH_SESSION         "denied: the user has no such session"
#define MSG_NO_SELECTION            "the request names no job, queue or host"
#define MSG_REQUEST_UNKNOWN_UU      "request %u for objects of kind %u is not supported yet"

/* log */
#define MSG_JOB_TAKEN_BACK_US "job %u is no longer set aside: user %s has changed it"
#define MSG_SPACE_ENDED_SU                                                                         \
    "the file system of the spool \"%s\" is full: less than %u MiB are free, jobs are refused"
#define MSG_SPACE_AGAIN_S "the file system of the spool \"%s\" has space again: jobs are accepted"
#define MSG_SELECT_WORDS_UU                                                                        \
    "denied: the request names %u jobs or patterns; the limit of one request is %u"
#define MSG_SELECT_USERS_UU "denied: the request names %u users; the limit of one request is %u"
#define MSG_SELECT_RANGES_SUU                                                                      \
    "denied: \"%s\" has %u ranges of task ids; the limit with a job name is %u"
#define MSG_SELECT_OTHERS_U                                                                        \
    "denied: more than %u of the jobs belong to other users; only these are listed"
#define MSG_GET_FIELDS_UU           "denied: the request names %u fields; the limit of one request is %u"
#define MSG_ACCOUNTING_UNREADABLE_S "the qmaster cannot read the accounting file for you: %s"
#define MSG_NOT_A_JOB_NUMBER_S      "denied: \"%s\" is not the number of a job"

#define MSG_PE_RESERVED_SU                                                                         \
    "denied: parallel environment \"%s\" is reserved by advance reservation %u"
#define MSG_AR_TOO_SHORT_U                                                                         \
    "the job duration is longer than duration of the advance reservation id %u"
#define MSG_AR_SLOTS                                                                               \
    "\"advance_reservation\" denied: use parallel environments instead of requesting slots "       \
    "explicitly"
#define MSG_AR_USERS_UU   "denied: -u names %u users, the limit is %u"
#define MSG_AR_NONE       "an advance reservation needs a request"
#define MSG_AR_NO_END     "missing value for \"end time or duration\" in advance reservation request"
#define MSG_AR_PAST       "start time is in the past"
#define MSG_AR_ORDER      "start time is later than end time"
#define MSG_AR_DIFFERENCE "difference between end and start time does not correspond to duration"
#define MSG_AR_AHEAD_U    "denied: the end of an advance reservation may be %u days ahead at most"
#define MSG_AR_MAX_U      "denied: the cell has %u advance reservations, which is the limit"
#define MSG_AR_MAX_USER_SU                                                                         \
    "denied: \"%s\" has %u advance reservations, which is the limit of a user"
#define MSG_AR_SLOTS_US                                                                            \
    "denied: %" PRIu64 " slots are already reserved in %s by an advance reservation"
#define MSG_AR_SLOTS_PE_US                                                                         \
    "denied: %" PRIu64 " slots are already reserved in parallel environment \"%s\" by an advance " \
    "reservation"
#define MSG_AR_AMOUNT_SS                                                                           \
    "denied: more of \"%s\" is already reserved in %s by an advance reservation"
#define MSG_AR_COMPLEX_S    "denied: \"%s\" is reserved by an advance reservation: it stays consumable"
#define MSG_AR_REMOVING_SSU "denied: removing \"%s\" from %s would break advance reservation %u"
#define MSG_AR_REMOVING_QUEUE_SU                                                                   \
    "denied: removing cluster queue \"%s\" would break advance reservation %u"
#define MSG_AR_CHANGING_SSU  "denied: changing \"%s\" to %s would break advance reservation %u"
#define MSG_AR_CALENDAR_SU   "denied: changing calendar \"%s\" would break advance reservation %u"
#define MSG_AR_NO_QUEUES     "advance_reservation: no suitable queues"
#define MSG_AR_NO_SET_S      "Userset \"%s\" does not exist"
#define MSG_AR_GRANTED_U     "Your advance reservation %u has been granted"
#define MSG_AR_FOUND_U       "verification: found possible assignment with %u slots"
#define MSG_AR_DELETED_SU    "%s has deleted advance_reservation %u"
#define MSG_AR_REGISTERED_SU "%s has registered the advance_reservation %u for deletion"
#define MSG_AR_NOT_THERE_S   "denied: advance_reservation \"%s\" does not exist"
#define MSG_AR_NOT_OWNER_SS                                                                        \
    "%s - you do not have the necessary privileges to delete the advance_reservation \"%s\""
#define MSG_AR_NO_USERS_S   "There is no advance_reservation registered for the following users: %s"
#define MSG_AR_NO_SELECTION "denied: no advance reservation is named"

#endif
