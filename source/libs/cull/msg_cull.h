#ifndef CULL_MSG_CULL_H
#define CULL_MSG_CULL_H

/* Texts of the room; the letters behind MSG_..._ name the arguments: S string, U unsigned. */
#define MSG_CULL_MALFORMED_SS     "malformed %s record: cannot read field %s"
#define MSG_CULL_MALFORMED_HEAD_S "malformed %s record: cannot read which fields it has"
#define MSG_CULL_TOO_COSTLY_SSUU                                                                   \
    "message too costly: %s field %s: its %zu bytes may take no more than %zu bytes of memory"
#define MSG_CULL_TOO_MANY_SSU                                                                      \
    "message too costly: %s field %s: its lists have more than %u elements"
#define MSG_CULL_LONG_TEXT_SSU                                                                     \
    "message too costly: %s field %s: it is a text of more than %zu bytes"
#define MSG_CULL_LONG_TEXTS_SSU                                                                    \
    "message too costly: %s field %s: its texts have more than %zu bytes"
#define MSG_CULL_NO_KEY_SS         "malformed %s record: an element of a list has no %s"
#define MSG_CULL_TYPE_UNKNOWN_S    "the sender's tables have no record type %s"
#define MSG_CULL_TABLE_MALFORMED_U "malformed table of record types (type number %u)"

#endif
