#ifndef QMASTER_JOBS_MSG_JOBS_H
#define QMASTER_JOBS_MSG_JOBS_H

/* Texts of dependencies and tasks: answers are interface (scripts match them), log lines are for
 * administrators. */

/* dependencies */
#define MSG_AD_NEEDS_ARRAY                                                                         \
    "Can only specify \"-hold_jid_ad\" option with an array job (using \"-t\" option)"
#define MSG_AD_SAME_RANGE                                                                          \
    "This array job must have the same range of sub-tasks as the dependent array job specified "   \
    "with -hold_jid_ad"
#define MSG_JOB_OWN_PREDECESSOR_U "denied: job \"%u\" may not be its own jobnet predecessor"
#define MSG_DEPEND_PATTERNS_U     "denied: a list of jobs to wait for has more than %u patterns"
#define MSG_JOB_NOT_FOUND_S       "denied: job \"%s\" not found"
#define MSG_HOLD_IDLE_SS          "warning: %s: no job matches %s"
#define MSG_JOB_CYCLE_UU          "job %u dependency change would generate a dependency cycle with job %u"

/* failed starts: reasons and lines of the log; scripts match the first */
#define MSG_TASK_LIMIT_UUSS  "job %u.%u reached a limit at host %s: %s"
#define MSG_QUEUE_MARKED_SUS "queue %s marked QERROR as result of job %u's failure at host %s"
#define MSG_HOST_CLOSED_SSUUUS                                                                     \
    "host %s is closed until %s, because task starts fail there (%u in a row), last that of task " \
    "%u.%u: %s"
#define MSG_HOST_OPENED_S "host %s is open again: tasks start there"
#define MSG_OWNER_SHUTS_SSU                                                                        \
    "failed starts of jobs of user %s no longer close host %s: they have closed %u others"

/* log */
#define MSG_TASK_EVENT_REFUSED_UUSS "task %u.%u is %s: %s is refused"
#define MSG_TASK_WITHOUT_QUEUE_UUS                                                                 \
    "task %u.%u runs in queue instance \"%s\", which is not in the spool: its slots are not "      \
    "counted"

/* mail */
#define MSG_MAIL_RATE_SU                                                                           \
    "user %s has caused %u mails within an hour; the limit is reached and no more are sent "       \
    "(qmaster_params MAIL_RATE)"
#define MSG_MAIL_DROPPED_UU                                                                        \
    "\n%u mails before this one were not sent: the limit is %u an hour (MAIL_RATE).\n"
#define MSG_MAIL_NOT_COUNTED                                                                       \
    "Tasks that are not counted ended before the qmaster was started, or before -m was set.\n"
#define MSG_MAIL_MORE_FAILED_U "%u more tasks failed.\n"
#define MSG_MAIL_CLEAR_U       "Use \"qmod -cj %u\" to clear the error state once the problem is fixed.\n"
#define MSG_MAIL_CLEAR_TASK_UU                                                                     \
    "Use \"qmod -cj %u.%u\" to clear the error state once the problem is fixed.\n"

#define MSG_TASK_LOST_UUS "task %u.%u: %s"
#define MSG_TASK_LOST_SS  "host %s has lost the task, as after a reboot: it %s"
#define MSG_LOST_AGAIN    "starts again"
#define MSG_LOST_DELETED  "was deleted before"
#define MSG_LOST_ENDED    "has ended, because -r or rerun does not permit another start"
#define MSG_NOT_CLEANED_UUSS                                                                       \
    "clean_command has not run, or has failed, for the deleted task %u.%u on host %s: %s"
#define MSG_QUEUE_GONE        "its queue instance does not exist"
#define MSG_CLEANING_LOST     "its end is unknown"
#define MSG_PETASK_FAILED_UUS "tightly integrated parallel task %u.%u task %s failed - killing job"
#define MSG_PETASK_REFUSED_SSUUU                                                                   \
    "host %s reported petask %s of task %u.%u: refused, its name is not that of a petask there, "  \
    "its task has ended, or more than %u of them run or are missing"

#define MSG_USAGE_FULL_SSU                                                                         \
    "usage of user %s in project \"%s\" is not counted: there are %u pairs of users and projects " \
    "with usage, the limit"
#define MSG_USAGE_KINDS_U                                                                          \
    "usage_weight_list and halflife_decay_list have had more than %u names, the limit: what was "  \
    "named last is not counted"
#define MSG_NOT_MIGRATED_UUSS    "task %u.%u stays on host %s: its migration has failed: %s"

#define MSG_AR_QUEUE_SS          "reserved queue %s is %s"
#define MSG_AR_QUEUE_DISABLED_S  "disabled"
#define MSG_AR_QUEUE_SUSPENDED_S "suspended"
#define MSG_AR_QUEUE_ERROR_S     "in error state"
#define MSG_AR_QUEUE_UNKNOWN_S   "unknown"
#define MSG_AR_QUEUE_ORPHANED_S  "orphaned"
#define MSG_AR_WITHOUT_QUEUE_U                                                                     \
    "advance reservation %u has a queue instance that does not exist: it has nothing"

#endif
