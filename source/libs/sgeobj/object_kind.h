#ifndef SGEOBJ_OBJECT_KIND_H
#define SGEOBJ_OBJECT_KIND_H

/* The kinds of objects that administrators keep. The numbers travel in requests (enum
 * gdi_target) and stand in the spool (TX_kind): they never change. */
enum object_kind {
    OBJECT_NONE = 0,
    OBJECT_CQUEUE = 2,
    OBJECT_EXECHOST = 4,
    OBJECT_CONFIG = 9,
    OBJECT_COMPLEX = 11,
    OBJECT_PE = 12,
    OBJECT_CKPT = 13,
    OBJECT_CALENDAR = 14,
    OBJECT_USERSET = 15,
    OBJECT_PROJECT = 16,
    OBJECT_USER = 17,
    OBJECT_HOSTGROUP = 18,
    OBJECT_RQS = 19,
    OBJECT_SHARETREE = 21,
    OBJECT_KINDS = 22 /* more than any of them */
};

/* object_kind_name - "pe", what commands call KIND; NULL if KIND is unknown */
const char *object_kind_name(unsigned kind);

#endif
