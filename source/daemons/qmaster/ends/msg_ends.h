#ifndef QMASTER_ENDS_MSG_ENDS_H
#define QMASTER_ENDS_MSG_ENDS_H

#include <inttypes.h>

/* What is said about sessions and the ends that they keep. */
#define MSG_SESSION_KEY_U                                                                          \
    "denied: the name of a session has 1 to %u letters, digits, \".\", \"_\" and \"-\""
#define MSG_SESSION_UNKNOWN_S "denied: session \"%s\" does not exist"
#define MSG_SESSION_GONE_S    "session \"%s\" has gone, with all that it kept"
#define MSG_SESSIONS_MOST_SUU                                                                      \
    "denied: user \"%s\" has %u sessions; the limit is %u (qmaster_params MAX_USER_SESSIONS)"
#define MSG_ENDS_MOST_SUU                                                                          \
    "denied: the sessions of user \"%s\" would have to keep how %" PRIu64                          \
    " tasks end; the limit is %u (qmaster_params MAX_USER_ENDS)"
#define MSG_WATCHERS_MOST_SU "denied: session \"%s\" is watched by %u already"

/* log */
#define MSG_SESSION_EXPIRED_SSU                                                                    \
    "session \"%s\" of user %s has expired with %" PRIu64 " ends that nobody has taken"
#define MSG_END_MALFORMED_U                                                                        \
    "an end of job %u that a session keeps cannot be read: it is passed over"
#define MSG_WATCHER_SLOW_S                                                                         \
    "connection of user %s ended: it watches a session and does not read the answers"

#endif
