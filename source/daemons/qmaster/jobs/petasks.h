#ifndef QMASTER_JOBS_PETASKS_H
#define QMASTER_JOBS_PETASKS_H

#include "daemons/qmaster/tables/qmaster.h"

/* Petasks: what a task has started on its hosts. Those that run are in memory, reported anew by a
 * host that registers. Of those that have ended there is, in the record of the task and so durable
 * with the acknowledgement, which numbers they had and what they used together; with
 * accounting_summary FALSE each has a line of its own in the accounting file. A petask that was
 * ended by a signal or a limit ends its task.
 *
 * Limits: numbers to TASK_PETASK_NUMBER_MOST, and on each host twice as many as slots, and
 * PETASKS_MORE, that run or are missing among the numbers that have ended. */
enum { PETASKS_MORE = 1024 };

/* petasks_report - what H, one of the hosts of T, says of a petask */
enum petask_result {
    PETASK_TAKEN,
    PETASK_REFUSED,   /* it may not run, or it is not known that it began, or has ended already */
    PETASK_ENDS_TASK, /* by how it has ended */
};
enum petask_result petasks_report(struct qmaster *q, struct task *t, struct host *h,
                                  const struct JR_Type *report);
/* petasks_lost - those that run on H and, if ONLY_MISSED, were not reported over its present
 * connection: they are gone, and with what is known of them they go into the accounting */
void petasks_lost(struct qmaster *q, struct task *t, struct host *h, bool only_missed);
/* petasks_list - OUT gets T itself, and the petasks that run, PETASKS_LISTED at most, by host and
 * number. O(n log n) */
enum { PETASKS_LISTED = 10000 };
void petasks_list(const struct task *t, struct PS_Type_list *out);
/* petasks_show - the usage that is shown of T is that of all of it */
void petasks_show(struct task *t);

#endif
