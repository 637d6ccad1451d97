#ifndef SGEOBJ_END_H
#define SGEOBJ_END_H

#include "common/basis.h"

/* How a task ended (EN_how). Written numbers: they are in spools and on the wire. */
enum end_how {
    /* by itself, or it could not be started: EN_failed and EN_exit_status say which */
    END_RAN = 1,
    END_KILLED = 2, /* it was deleted while it ran; EN_failed ... are those of its last start */
    END_UNRUN = 3   /* these tasks were deleted before they ran */
};

/* end_task_id - the id of the task with ORDINAL, one of EN_ordinals */
struct EN_Type;
uint32_t end_task_id(const struct EN_Type *end, uint32_t ordinal);

#endif
