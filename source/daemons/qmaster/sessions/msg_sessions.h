#ifndef QMASTER_SESSIONS_MSG_SESSIONS_H
#define QMASTER_SESSIONS_MSG_SESSIONS_H

#include <inttypes.h>

/* Texts about sessions and the ends that they keep. */
#define MSG_SESSION_KEY_U                                                                          \
    "denied: the name of a session has 1 to %u letters, digits, \".\", \"_\" and \"-\""
#define MSG_SESSION_UNKNOWN_S "denied: session \"%s\" does not exist"
#define MSG_SESSION_GONE_S    "session \"%s\" was deleted with all its records"
#define MSG_SESSIONS_MOST_SUU                                                                      \
    "denied: user \"%s\" has %u sessions; the limit is %u (qmaster_params MAX_USER_SESSIONS)"
#define MSG_ENDS_MOST_SUU                                                                          \
    "denied: the sessions of user \"%s\" would have to record the ends of %" PRIu64                \
    " tasks; the limit is %u (qmaster_params MAX_USER_ENDS)"
#define MSG_WATCHERS_MOST_SU "denied: session \"%s\" already has %u watchers"

/* log */
#define MSG_SESSION_EXPIRED_SSU                                                                    \
    "session \"%s\" of user %s has expired with %" PRIu64 " ends that were not retrieved"
#define MSG_END_MALFORMED_U "a recorded end of job %u cannot be read: skipped"
#define MSG_WATCHER_SLOW_S                                                                         \
    "connection of user %s ended: it watches a session and does not read the answers"

#endif
