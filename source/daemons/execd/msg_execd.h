#ifndef EXECD_MSG_EXECD_H
#define EXECD_MSG_EXECD_H

#include "common/version.h"

/* Texts of the execd: lines of its messages file, and JR_err_str when a task could not be started. */
#define MSG_OPEN_S         "can't open \"%s\""
#define MSG_WRITE_S        "can't write \"%s\""
#define MSG_LOCK_S         "can't lock \"%s\""
#define MSG_MAKE_DIR_SS    "can't make directory \"%s/%s\""
#define MSG_MAKE_TMPDIR_S  "can't make the directory for temporary files \"%s\""
#define MSG_NOT_REMOVED_S  "can't remove all of \"%s\" now: the next start of sge_execd tries again"
#define MSG_LIMIT_VALUE_SS "limit %s: \"%s\" is not a valid value"
#define MSG_NO_USER_S      "user \"%s\" is not known on this host"
#define MSG_USER_LOOKUP_S  "can't get the entry of user \"%s\""
#define MSG_OTHER_USER_SS                                                                          \
    "job of user \"%s\": this cell runs as user id %s and cannot run jobs of others"
#define MSG_NO_ROOT_JOBS_S                                                                         \
    "user \"%s\" is root, whose jobs do not run here: \"root_jobs\" in bootstrap(5) is false"
#define MSG_MIN_UID_SU            "user \"%s\" has user or group id below the configured minimum (uid %u)"
#define MSG_JOB_UNKNOWN_UU        "task %u.%u was ordered, but its job has not been sent"
#define MSG_QUEUE_UNKNOWN_SUU     "queue instance \"%s\" of task %u.%u has not been sent"
#define MSG_NO_SCRIPT_U           "job %u has no script"
#define MSG_SPAWN_S               "can't start \"%s\""
#define MSG_SIGNALS               "can't watch signals"
#define MSG_THREAD                "can't start a thread"
#define MSG_NEVER_STARTED         "deleted before it was started"
#define MSG_STARTED               "starting up " SGE_VERSION_LINE
#define MSG_STOPPED               "controlled shutdown"
#define MSG_CONNECTED             "connected to the qmaster"
#define MSG_CONNECTION_LOST_S     "connection to the qmaster lost: %s"
#define MSG_BAD_MESSAGE_S         "the qmaster sent something malformed: %s"
#define MSG_TASK_START_FAILED_UUS "task %u.%u could not be started: %s"
#define MSG_START_WAITS_UUS                                                                        \
    "task %u.%u and those after it wait until this host has enough again: %s"
#define MSG_STARTS_AGAIN "this host has enough again: tasks are started"
#define MSG_NO_GROUP_UU  "all additional group ids of gid_range %u-%u are in use"
#define MSG_NO_GROUP_RANGE                                                                         \
    "gid_range is not set: tasks have no group id of their own, so their processes are found by "  \
    "parentage alone"
#define MSG_NO_CGROUPS_S                                                                           \
    "this host can give tasks no cgroups of their own, so their processes are found by "           \
    "parentage: "                                                                                  \
    "%s"
#define MSG_SHEPHERD_DIED_UU                                                                       \
    "shepherd of task %u.%u ended without a last word: ending what is left of the job"
#define MSG_SURVIVORS_UUU                                                                          \
    "%u processes of task %u.%u, whose shepherd has ended, cannot be ended: it stays until they "  \
    "are gone"
#define MSG_SURVIVES_UUU       "task %u.%u was told to end %d s ago and still has processes"
#define MSG_TASK_FOUND_UUI     "found task %u.%u again, shepherd %d"
#define MSG_TASK_LOST_S        "task %s was running when this host went down: lost"
#define MSG_TASK_NOT_STARTED_S "\"%s\" in active_jobs was never started: removed"
#define MSG_OLDER_RUNS_UUUU                                                                        \
    "task %u.%u: attempt %u begins when attempt %u, which is being ended, is over"
#define MSG_SIGNAL_FAILED_IUUS "can't send signal %d to task %u.%u: %s"
#define MSG_UNKNOWN_MESSAGE_U  "the qmaster sent a message of kind %u: not known"

#endif
