#ifndef QMASTER_CHANGE_MSG_CHANGE_H
#define QMASTER_CHANGE_MSG_CHANGE_H

#include <inttypes.h>

/* Texts of changes, sessions and what is remembered: answers are interface (scripts match them),
 * log lines are for administrators. */

/* submitting */
#define MSG_SHARE_SSUSUS                                                                           \
    "denied: %s%s would take %u MiB of %s; the limit is %u MiB (qmaster_params %s)"

/* altering */
#define MSG_OF_JOB_U       " of job %u"
#define MSG_TASKS_IN_ALL_U " (%" PRIu64 " tasks)"

/* qconf */
#define MSG_REQUEST_CUT                                                                            \
    "the connection was lost while the request was carried out: only part of it was done. Check "  \
    "what is left and repeat the request"
#define MSG_ANSWER_LONG "the request was carried out; its answer was too long to keep"

/* log */
#define MSG_FRAME_TOO_LONG_UZ                                                                      \
    "a frame of kind %u with %zu bytes is too long for any peer: its connection ends"
#define MSG_PEER_IMPOSTOR_SIIU                                                                     \
    "connection of user %s (process %d) ended: it may not send frames of kind %d (%u such frames " \
    "so far)"
#define MSG_PEER_NO_SCHEMA_SU                                                                      \
    "connection of user %s ended: it did not send its table of types within %u seconds"

#define MSG_REPORTING_LOST                                                                         \
    "lines of the reporting file are lost: they arrive faster than they can be written"

#endif
