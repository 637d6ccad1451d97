#ifndef QMASTER_JOBS_USAGE_COUNT_H
#define QMASTER_JOBS_USAGE_COUNT_H

#include "daemons/qmaster/tables/qmaster.h"

/* What tasks use counts for their users and projects (tables/usage.h), while there is a share tree.
 * The end of a task counts in the transaction that ends it; what runs counts as it was reported
 * last. usage_scaling of the host (host_conf(5)) applies. */

/* usage_count_running - T runs, and its usage was reported. O(kinds x figures)
 * usage_count_ended - its start is over, as REPORT says, and it still has its allocation
 * usage_count_gone - it does not run any more; usage_count_ended has said so already, or nothing is
 * accounted for */
void usage_count_running(struct qmaster *q, struct task *t);
void usage_count_ended(struct qmaster *q, struct task *t, const struct JR_Type *report);
void usage_count_gone(struct qmaster *q, struct task *t);
/* usage_configured - the scheduler's configuration is in force, another one or that of the start */
void usage_configured(struct qmaster *q);
/* usage_expire - housekeeping: USAGE_LOOKED_AT pairs are looked at; those of projects that have
 * gone are forgotten, and those of users without an object of whose usage less than 1 is left */
enum { USAGE_LOOKED_AT = 100 };
void usage_expire(struct qmaster *q);

#endif
