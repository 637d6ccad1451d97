#ifndef SGEOBJ_JOB_REPORT_H
#define SGEOBJ_JOB_REPORT_H

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
    REPORT_PARKED = 6
};

#endif
