#ifndef SCHED_SUPPLY_QUOTA_USE_H
#define SCHED_SUPPLY_QUOTA_USE_H

#include "libs/resource/quota_book.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/owner.h"

/* Resource quotas as the scheduler counts them: what ordered and running tasks have taken. The
 * class of an owner (quota.h) is part of the category, and so of the need: needs are blocked for
 * all of their job groups. Without enabled sets there is no book, no class, and no cost. */

/* quotas_put - the set is what OBJECT says; quotas_drop - it is removed; quotas_renew - resources
 * have changed. What runs is counted again, by the rules that there are now. The future has been
 * forgotten (cell_untime). O(job groups + stays) */
void quotas_put(struct sched_cell *cell, const struct TX_Type *object);
void quotas_drop(struct sched_cell *cell, const char *name);
void quotas_renew(struct sched_cell *cell);
void quotas_free(struct sched_cell *cell);
/* quotas_class - of the jobs of BY (NULL: unknown) with REQUEST; NULL: no rule can apply. O(1) */
const struct quota_class *quotas_class(struct sched_cell *cell, const struct JB_Type *request,
                                       const struct sched_owner *by);

/* quotas_append - append to OUT the quotas that limit a task of KIND, which has a class, with D in
 * Q; quotas_append_everywhere - those of rules that apply in every queue instance alike. O(sets)
 * quotas_sets - how many sets are enabled
 * quota_gained - something of QUOTA, which a look found short, was given back; NULL: any may have
 * more (quota_gain_fn) */
void quotas_append(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                   const struct demand *d, enum quota_use use, struct growing_path *out);
void quotas_append_everywhere(struct sched_cell *cell, const struct task_kind *kind,
                              const struct demand *d, struct growing_path *out);
uint32_t quotas_sets(const struct sched_cell *cell);
void quota_gained(void *cell_of, const struct quota_member *quota);

/* quotas_queue_changed - Q may be in other host groups; the future has been forgotten
 * quotas_host_changed - H has other values: limits may depend on them
 * quotas_cell_changed - so has the cell, whose values are those of hosts that have none of their
 * own. O(hosts), if any limit depends on values */
void quotas_queue_changed(struct sched_cell *cell, struct sched_queue *q);
void quotas_host_changed(struct sched_cell *cell, struct sched_host *h);
void quotas_cell_changed(struct sched_cell *cell);

#endif
