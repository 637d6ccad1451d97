/* What the kinds of objects are called. */
#include "libs/sgeobj/object_kind.h"

#include <stddef.h>

const char *object_kind_name(unsigned kind)
{
    static const char *const names[OBJECT_KINDS] = {
        [OBJECT_CQUEUE] = "queue",
        [OBJECT_EXECHOST] = "exechost",
        [OBJECT_CONFIG] = "configuration",
        [OBJECT_COMPLEX] = "complex",
        [OBJECT_PE] = "pe",
        [OBJECT_CKPT] = "ckpt",
        [OBJECT_CALENDAR] = "calendar",
        [OBJECT_USERSET] = "userset",
        [OBJECT_PROJECT] = "project",
        [OBJECT_USER] = "user",
        [OBJECT_HOSTGROUP] = "hostgroup",
        [OBJECT_RQS] = "resource_quota",
        [OBJECT_SHARETREE] = "share_tree",
    };
    return kind < OBJECT_KINDS ? names[kind] : NULL;
}
