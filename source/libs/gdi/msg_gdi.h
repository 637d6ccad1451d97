#ifndef GDI_MSG_GDI_H
#define GDI_MSG_GDI_H

/* The texts of this room. Captured ones keep their words (reference: errors, qmaster not
 * reachable). */
#define MSG_CELL_SET_ROOT   "Please set the environment variable SGE_ROOT."
#define MSG_CELL_NO_ROOT_S  "SGE_ROOT directory \"%s\" doesn't exist"
#define MSG_CELL_NO_CELL_SS "cell directory \"%s/%s\" doesn't exist"
#define MSG_CELL_NAME_S     "SGE_CELL \"%s\" is not a valid cell name"
#define MSG_CELL_NO_PORT_SS                                                                        \
    "SGE_QMASTER_PORT is \"%s\", but the qmaster of the cell \"%s\" does not listen on a port: "   \
    "unset it, or set SGE_ROOT and SGE_CELL for the intended cell"
#define MSG_CELL_OTHER_PORT_SSU                                                                    \
    "SGE_QMASTER_PORT is \"%s\", but the qmaster of the cell \"%s\" listens on port %u: unset "    \
    "it, or set SGE_ROOT and SGE_CELL for the intended cell"
#define MSG_CELL_TWO_ROOTS_SS                                                                      \
    "SGE_ROOT is not set, the program belongs to \"%s\" and its library to \"%s\": set SGE_ROOT"
#define MSG_CELL_NO_QMASTER_S "%s: no host"
#define MSG_BOOTSTRAP_PORT_SS "%s: qmaster_port: \"%s\" is not a number from 1 to 65535"
#define MSG_BOOTSTRAP_EXECD_PORT_SS                                                                \
    "%s: execd_port: \"%s\" is not a number from 1 to 65535, or is that of the qmaster"
#define MSG_BOOTSTRAP_LINE_SU       "%s, line %u: a key and a value expected"
#define MSG_BOOTSTRAP_ONLY_SUSSS    "%s, line %u: %s: \"%s\" is not supported yet, only \"%s\""
#define MSG_BOOTSTRAP_CHOICE_SUSSSS "%s, line %u: %s: \"%s\" is neither \"%s\" nor \"%s\""
#define MSG_BOOTSTRAP_MISSING_SS    "%s: no value for %s"
#define MSG_GDI_COMMLIB_S           "commlib error: got select error (%s)"
#define MSG_GDI_UNREACHABLE_SS                                                                     \
    "unable to send message to qmaster using socket \"%s\" on host \"%s\": got send error"
#define MSG_GDI_NO_TUNNEL_SS                                                                       \
    "unable to send message to qmaster using certificate \"%s\" on host \"%s\": got send error"
#define MSG_TUNNEL_ENDED     "sge_tunnel ended without reporting why"
#define MSG_TUNNEL_NO_PORT_S "the bootstrap file in %s does not set qmaster_port"
#define MSG_GDI_LOST_U                                                                             \
    "connection to qmaster was lost and not restored within %u seconds; it is not known whether "  \
    "the request was carried out"
#define MSG_GDI_REFUSED_US  "qmaster refused the connection for %u seconds: %s"
#define MSG_GDI_LOST_MIDWAY "connection to qmaster was lost in the middle of its answer"
#define MSG_GDI_NO_CHANNEL  "cannot start the thread of the session"
#define MSG_GDI_NO_HOSTNAME "cannot get the name of this host"
#define MSG_EXEC_PETASK_UUU                                                                        \
    "task %u.%u: malformed name of a petask: at most %u of the characters A-Z a-z 0-9 . _ - are "  \
    "expected, a digit first"
#define MSG_HELLO_FIRST_U     "a connection must begin with a greeting, not with a frame of kind %u"
#define MSG_HELLO_MALFORMED   "malformed greeting"
#define MSG_HELLO_TWICE       "second greeting on a connection"
#define MSG_HELLO_PROTOCOL_UU "the peer uses version %u of the protocol, this side version %u"
#define MSG_HELLO_NO_SCHEMA_UU                                                                     \
    "table of types expected: at most %u messages and %u bytes can precede it"
#define MSG_HELLO_UNEXPECTED_U "unexpected frame of kind %u"

#endif
