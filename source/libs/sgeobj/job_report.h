#ifndef SGEOBJ_JOB_REPORT_H
#define SGEOBJ_JOB_REPORT_H

#include "libs/sgeobj/rows.h"

/* What a report of an execd (JR_Type) says. Its JR_failed is an enum task_failure of
 * task/task_dir.h. */
/* JR_state */
enum report_state {
    /* its shepherd runs since JR_start_time */
    REPORT_STARTED = 1,
    /* JR_usage as of now */
    REPORT_RUNNING = 2,
    /* JR_failed, JR_exit_status, JR_usage are final; sent again until EXEC_END_ACK */
    REPORT_ENDED = 3,
    /* the execd does not know this start (answer to EXEC_SIGNAL) */
    REPORT_UNKNOWN = 4,
    /* ordered, and not begun: it waits for its turn, or for an older start of its task to end */
    REPORT_PREPARING = 5,
    /* never of an execd: sent by the qmaster to clients that wait for a task now in error */
    REPORT_PARKED = 6,
    /* it runs on: its migration has failed, JR_err_str says why */
    REPORT_NOT_MIGRATED = 7
};

/* How a task ended (EN_how). Written numbers: they are in spools and on the wire. */
enum end_how {
    /* by itself, or it could not be started: EN_failed and EN_exit_status say which */
    END_RAN = 1,
    END_KILLED = 2, /* it was deleted while it ran; EN_failed ... are those of its last start */
    END_UNRUN = 3   /* these tasks were deleted before they ran */
};

/* end_task_id - the id of the task with ORDINAL, one of EN_ordinals */
static inline uint32_t end_task_id(const struct EN_Type *end, uint32_t ordinal)
{
    return end->EN_ja_first + ordinal * end->EN_ja_step;
}

#endif
