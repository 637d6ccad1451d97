#ifndef EXECD_TASKS_MSG_TASKS_H
#define EXECD_TASKS_MSG_TASKS_H

/* Texts about tasks: lines of the messages file, and JR_err_str when a task could not be
 * started. */
#define MSG_OTHER_USER_SS                                                                          \
    "job of user \"%s\": this cell runs as user id %s and cannot run jobs of other users"
#define MSG_NO_ROOT_JOBS_S                                                                         \
    "user \"%s\" is root, whose jobs do not run here: \"root_jobs\" in bootstrap(5) is false"
#define MSG_MIN_UID_SU           "user \"%s\" has user or group id below the configured minimum (uid %u)"
#define MSG_JOB_UNKNOWN_S        "task %s was ordered, but its job has not been sent"
#define MSG_QUEUE_UNKNOWN_SS     "queue instance \"%s\" of task %s has not been sent"
#define MSG_NO_SCRIPT_U          "job %u has no script"
#define MSG_NEVER_STARTED        "deleted before it was started"
#define MSG_TASK_START_FAILED_SS "task %s could not be started: %s"
#define MSG_START_WAITS_SS       "task %s and those after it wait until this host has resources again: %s"
#define MSG_STARTS_AGAIN         "this host has resources again: starting tasks"
#define MSG_NO_GROUP_UU          "all additional group ids of gid_range %u-%u are in use"
#define MSG_SHEPHERD_DIED_S                                                                        \
    "shepherd of task %s died without reporting; killing the remaining processes"
#define MSG_SHEPHERD_BROKEN "sge_shepherd ended before it read the configuration of the task"
#define MSG_SURVIVORS_US                                                                           \
    "%u processes of task %s, whose shepherd has ended, cannot be killed: the task stays until "   \
    "they are gone"
#define MSG_SURVIVES_SU   "task %s was signalled to end %d s ago and still has processes"
#define MSG_TASK_FOUND_SI "found task %s again, shepherd %d"
#define MSG_OLDER_RUNS_SUU                                                                         \
    "task %s: attempt %u begins when attempt %u, which is being ended, is over"
#define MSG_SIGNAL_FAILED_ISS "can't send signal %d to task %s: %s"
#define MSG_EVENT_REFUSED_SSS "task %s is %s: %s is refused"
#define MSG_SEARCH_LONG_S                                                                          \
    "task %s: the memory of a process cannot be read in time; what is left of the task is found "  \
    "by its group alone"

#define MSG_UNBOUND_SSS                                                                            \
    "task %s runs unbound: its cores (-binding %s) are not free or not there: %s"
#define MSG_NOT_MIGRATED_SS "task %s runs on: its migration has failed: %s"
#define MSG_LEAVING_U       "ending, when %u tasks have been saved to run elsewhere"
#define MSG_LEFT_MIGRATING_UU                                                                      \
    "%u tasks are still being saved after %u seconds: the next sge_execd reports their ends"

/* What a request for a petask is refused with. */
#define MSG_PETASK_MALFORMED   "this is no request for a task"
#define MSG_PETASK_NO_TASK_S   "%s has no slots here"
#define MSG_PETASK_NOT_YET     "the job is being started"
#define MSG_PETASK_NOT_YOURS   "the job is another user's"
#define MSG_PETASK_NOT_OF_TASK "qrsh -inherit is for processes of the job"
#define MSG_PETASK_NO_CONTROL                                                                      \
    "the job has no parallel environment, or one with control_slaves FALSE (sge_pe(5))"
#define MSG_PETASK_ENDING   "the job is ending"
#define MSG_PETASK_LEAVING  "this execution daemon is ending"
#define MSG_PETASK_SLOTS_UU "%u tasks of the job run here, which is the limit: it has slots for %u"
#define MSG_PETASK_UNREPORTED_U                                                                    \
    "%u tasks of the job wait here until the qmaster has recorded their ends, which is the limit"
#define MSG_PETASK_NO_GROUP "all additional group ids of gid_range (sge_conf(5)) are in use"
#define MSG_PETASK_LIMIT_SS                                                                        \
    "task %s with its tasks on this host has exceeded %s: ending all of them"
#define MSG_PETASK_LIMIT_S   "the job on this host, with its tasks, has exceeded %s"
#define MSG_PETASK_NUMBERS_U "the job has started %u tasks here, which is the limit"
#define MSG_PETASK_NO_NUMBER "no number for the task can be recorded"

#endif
