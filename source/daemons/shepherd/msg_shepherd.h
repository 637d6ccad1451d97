#ifndef SHEPHERD_MSG_SHEPHERD_H
#define SHEPHERD_MSG_SHEPHERD_H

#include "common/version.h"

/* Texts of the shepherd: lines of the files "error" and "trace". Scripts match those of "error". */
#define MSG_CHDIR_SS            "error: can't chdir to %s: %s"
#define MSG_OPEN_OUTPUT_SS      "error: can't open output file \"%s\": %s"
#define MSG_OPEN_INPUT_SS       "error: can't open input file \"%s\": %s"
#define MSG_EXEC_SSS            "execvlp(%s, \"%s\") failed: %s"
#define MSG_SETUID_S            "error: can't set the user id of the job: %s"
#define MSG_SETGID_S            "error: can't set the group id of the job: %s"
#define MSG_SETGROUPS_S         "error: can't set the supplementary groups of the job: %s"
#define MSG_LIMIT_SS            "error: can't set limit %s: %s"
#define MSG_PROCESSORS_SS       "error: can't bind the job to processors %s: %s"
#define MSG_FORK                "error: can't fork"
#define MSG_SESSION             "error: can't make the session with the client"
#define MSG_NO_CLIENT           "error: the client of the job has gone"
#define MSG_NO_COMMAND          "the command of the client has not connected in time"
#define MSG_DAEMON_PORT_S       "no port for the daemon of the session: %s"
#define MSG_DAEMON_START_SS     "the command cannot be written to \"%s\": %s"
#define MSG_NEVER_STARTED       "deleted before it was started"
#define MSG_SHARED_PAGE         "error: can't share memory with the job's process"
#define MSG_JOB_STATUS_I        "exit_status of job start = %d"
#define MSG_HOOK_STATUS_SI      "exit_status of %s = %d"
#define MSG_HOOK_TERMINATED_S   "job was ended during its %s"
#define MSG_HOOK_TIMEOUT_S      "%s took longer than script_timeout"
#define MSG_HOOK_STOPPED_S      "%s was stopped and took longer than script_timeout"
#define MSG_HOOK_SIGNAL_SI      "%s was ended by signal %d"
#define MSG_WHERE_JOB_SS        " (the job itself, on %s; its output: %s)"
#define MSG_WHERE_HOOK_SSS      " (%s on %s; its output: %s)"
#define MSG_CONFIG_LINE_SU      "%s: line %u has no \"=\""
#define MSG_CONFIG_NO_VALUE_S   "config has no \"%s\""
#define MSG_CONFIG_BAD_VALUE_SS "config: \"%s\" has the value \"%s\""
#define MSG_SURVIVORS_U         "error: %u processes of the job cannot be ended: waiting for them"

#define MSG_SUM_LIMIT_SUU                                                                          \
    "limit %s: the processes of the job together may use %llu and have used %llu"

#define MSG_HARD_TIME_U         "limit h_rt: the job may run for %llu s"
#define MSG_SOFT_TIME_UU        "limit s_rt: the job may run for %llu s, and for %llu s after its signal"

#define MSG_TRACE_START         "starting up " SGE_VERSION
#define MSG_TRACE_FORKED_SI     "forked \"%s\" with pid %d"
#define MSG_TRACE_BOUND_S       "core binding: processors %s"
#define MSG_TRACE_EXITED_SI     "%s exited with exit status %d"
#define MSG_TRACE_SIGNALED_SI   "%s signaled: %d"
#define MSG_TRACE_NO_SCRIPT_S   "no %s script to start"
#define MSG_TRACE_GOT_SIGNAL_I  "got signal %d"
#define MSG_TRACE_SEND_SIGNAL_I "sending signal %d to the job"
#define MSG_TRACE_LIMIT_S       "job has reached its %s"
#define MSG_TRACE_LEFT_OVER     "job left processes behind: ending them"
#define MSG_TRACE_NO_CGROUP_SS  "the job has no cgroup: \"%s\": %s"
#define MSG_TRACE_METHOD_SS     "running %s %s"

#endif
