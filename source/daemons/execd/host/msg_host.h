#ifndef EXECD_HOST_MSG_HOST_H
#define EXECD_HOST_MSG_HOST_H

/* Texts about the host: lines of the messages file, and JR_err_str when a task could not be
 * started. */
#define MSG_OPEN_S  "can't open \"%s\""
#define MSG_WRITE_S "can't write \"%s\""
#define MSG_SPOOL_DIR_UNSAFE_S                                                                     \
    "\"%s\" must be a directory of root or of the user of sge_execd, which no other user can "     \
    "change"
#define MSG_SPOOL_DIR_STAYS_SSS                                                                    \
    "execd_spool_dir \"%s\" has no effect yet, the spool is still in \"%s\": %s"
#define MSG_SPOOL_DIR_TASKS   "there are tasks in it; it changes at the first start without"
#define MSG_MAKE_TMPDIR_S     "can't make the directory for temporary files \"%s\""
#define MSG_MADE_TMP_S        "made the directory \"%s\", which is the tmpdir of a queue and was missing"
#define MSG_NOT_REMOVED_S     "can't remove all of \"%s\" now: the next start of sge_execd tries again"
#define MSG_NO_USER_S         "user \"%s\" is not known on this host"
#define MSG_USER_LOOKUP_S     "can't get the entry of user \"%s\""
#define MSG_SPAWN_S           "can't start \"%s\""
#define MSG_THREAD            "can't start a thread"
#define MSG_SESSIONS_LISTEN_S "can't listen for the clients of interactive jobs at \"%s\""
#define MSG_SESSION_MALFORMED "this is no request for the session of an interactive job"
#define MSG_SESSION_SLOW_U                                                                         \
    "the request has not come whole within %u s, which is the limit on this host"
#define MSG_SESSION_DENIED                                                                         \
    "denied: the job is not yours, or this is not the client that submitted it"
#define MSG_SESSION_TASK_GONE "the job has ended, or could not be started"
#define MSG_SESSION_NO_TASK   "no such job has come to this host"
#define MSG_SESSIONS_MOST_U   "%u sessions of interactive jobs wait on this host, which is the limit"
#define MSG_SESSIONS_OF_USER_U                                                                     \
    "%u of your sessions of interactive jobs wait on this host, which is the limit"
#define MSG_SESSION_OTHER_HOST_SS                                                                  \
    "the job runs on %s, and no session can be carried from %s to there"
#define MSG_SESSION_RELAYS_U                                                                       \
    "%u sessions of interactive jobs are carried between this host and others, which is the limit"
#define MSG_SESSION_NO_WAY_SS     "cannot reach the execution daemon of %s: %s"
#define MSG_SESSION_WRONG_HOST_S  "the certificate there is that of %s"
#define MSG_SESSION_LATE          "no answer in time"
#define MSG_SESSION_UNKNOWN_SS    "connection from %s for a session ended: %s"
#define MSG_SESSION_PEER_SSS      "connection of %s from %s for a session ended: %s"
#define MSG_PETASK_NOT_ACCEPTED_S "execution daemon on host \"%s\" didn't accept task"
#define MSG_PETASK_REQUEST_LONG                                                                    \
    "command and variables together have more than 524288 bytes, which is the limit"
#define MSG_PETASK_REQUESTS_MOST                                                                   \
    "64 requests for tasks, or your 16, come at this moment, which is the limit"
#define MSG_NO_CGROUPS_S                                                                           \
    "this host cannot give tasks cgroups of their own, so their processes are found by "           \
    "parentage: %s"

#define MSG_SENSOR_START_S "can't start the load sensor \"%s\""
#define MSG_SENSOR_USER_SS "can't start the load sensor \"%s\": %s"
#define MSG_SENSOR_ENDED_S                                                                         \
    "the load sensor \"%s\" has ended: it is started again for the next load report"
#define MSG_SENSOR_SILENT_SU                                                                       \
    "the load sensor \"%s\" printed no report after %u requests: it is killed and restarted"
#define MSG_SENSOR_LINE_SS                                                                         \
    "the load sensor \"%s\" prints a line that is skipped, which is neither HOST:NAME:VALUE nor "  \
    "\"begin\" nor \"end\": \"%s\""
#define MSG_SENSOR_HOST_SS                                                                         \
    "the load sensor \"%s\" reports values of \"%s\", which is not this host: they are skipped"
#define MSG_SENSOR_INPUT_SS "can't ask the load sensor \"%s\" for a report: %s"
#define MSG_SENSORS_MOST_UU                                                                        \
    "load_sensor names %u load sensors: only the first %u are started, which is the limit"
#endif
