#ifndef COMM_MSG_COMM_H
#define COMM_MSG_COMM_H

/* The texts of this room. */
#define MSG_COMM_LISTEN_S      "cannot listen on %s"
#define MSG_COMM_IN_USE_S      "another process is listening on %s"
#define MSG_COMM_NO_SOCKET_S   "cannot listen on %s: the file there is not a socket"
#define MSG_COMM_LOOP          "cannot start an event loop"
#define MSG_COMM_LISTEN_PORT_U "cannot listen on TCP port %u"
#define MSG_COMM_NO_GREETING_G "it did not authenticate within %g seconds"
#define MSG_COMM_CROWDED_UU                                                                        \
    "too many unauthenticated connections, the limit is %u: it was the oldest of %u from its "     \
    "address"
#define MSG_COMM_CROWDED_U "too many unauthenticated connections, the limit is %u"
#define MSG_COMM_AGAIN_S   "the same host has connected again, from %s"
#define MSG_COMM_COPIED_SSS                                                                        \
    "%s is already connected from %s and now connects from %s: it has moved, or its certificate "  \
    "was copied"
#define MSG_COMM_LATE         "no greeting in time"
#define MSG_COMM_CLOSED       "connection closed by the peer"
#define MSG_COMM_BAD_FRAME    "malformed frame received"
#define MSG_COMM_SEND         "cannot send"
#define MSG_COMM_RECEIVE      "cannot receive"
#define MSG_COMM_DROPPED      "dropped"
#define MSG_COMM_NO_FRAME     "it sent bytes that are not a message"
#define MSG_COMM_TOO_LONG_UUU "it began a message of kind %u and %u bytes, the limit is %u bytes"
#define MSG_COMM_PASSED       "it passed a file descriptor"
#define MSG_COMM_TORN         "it ended in the middle of a message"
#define MSG_COMM_SILENT_G     "it sent no whole message within %g seconds"
#define MSG_COMM_SLOW_G       "it did not complete a message within %g seconds"
#define MSG_COMM_IDLE_G       "it was idle for %g seconds"
#define MSG_COMM_TOO_MANY_U   "its user has too many connections, the limit is %u"
#define MSG_NAMES_WAKE        "cannot create a descriptor for user lookups"
#define MSG_MANY_GROUPS_SIII                                                                       \
    "user %s is in %d groups, whose names take more than the limit of %d bytes: access lists use " \
    "only the first %d"
#define MSG_COMM_FULL_U                                                                            \
    "there are too many connections, the limit is %u; only root, hosts and managers can connect"

#endif
