#ifndef SCHED_SUPPLY_QUOTA_USE_H
#define SCHED_SUPPLY_QUOTA_USE_H

#include "libs/resource/quota_book.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/owner.h"
#include "libs/sched/supply/pe.h"

/* Resource quotas as the scheduler counts them: what ordered and running tasks have taken. The
 * class of an owner (quota.h) is part of the category, and so of the need: needs are blocked for
 * all of their job groups. Without enabled sets there is no book, no class, and no cost. */

/* quotas_put - the set is what OBJECT says; quotas_drop - it is removed; quotas_renew - resources
 * have changed. What runs is counted again, by the rules that there are now.
 * O(job groups + stays) */
void quotas_put(struct sched_cell *cell, const struct TX_Type *object);
void quotas_drop(struct sched_cell *cell, const char *name);
void quotas_renew(struct sched_cell *cell);
void quotas_free(struct sched_cell *cell);
/* quotas_class - of the jobs of BY (NULL: unknown) with REQUEST; NULL: no rule can apply. O(1) */
const struct quota_class *quotas_class(struct sched_cell *cell, const struct JB_Type *request,
                                       const struct sched_owner *by);

/* In what follows WHO is the class of a task's owner; NULL: no rule limits it.
 *
 * quotas_allow - may a task that takes D, which is not parallel, start somewhere, as far as rules
 * say that apply everywhere alike? Only that: true may be wrong. O(sets)
 * quotas_room - for how many such tasks there is room in Q */
bool quotas_allow(struct sched_cell *cell, const struct quota_class *who, const struct demand *d);
uint64_t quotas_room(struct sched_cell *cell, const struct quota_class *who, const struct demand *d,
                     struct sched_queue *q);

/* quotas_pe_room - how many slots of D, of WANTED at most, a parallel task can have in PE, as far
 * as rules say that apply everywhere alike
 * quotas_reserve - how many of MOST slots it can have in Q besides those reserved before, which are
 * reserved; quotas_release - they no longer are
 * quotas_fit - is there room for a whole task in PE, with its N places? */
uint64_t quotas_pe_room(struct sched_cell *cell, const struct quota_class *who,
                        const struct demand *d, const struct pe *pe, uint64_t wanted);
uint64_t quotas_reserve(struct sched_cell *cell, const struct quota_class *who, struct demand *d,
                        const struct pe *pe, struct sched_queue *q, uint64_t most);
void quotas_release(struct sched_cell *cell);
bool quotas_fit(struct sched_cell *cell, const struct quota_class *who, const struct pe *pe,
                const struct placed_demand *places, uint32_t n);

/* quotas_take, quotas_give - TASKS tasks in PE (NULL: none) take D in Q, or give it back: needs
 * that lacked it are to be opened (QUOTA_GAINED) */
void quotas_take(struct sched_cell *cell, const struct quota_class *who, const struct pe *pe,
                 struct sched_queue *q, const struct demand *d, uint64_t tasks);
void quotas_give(struct sched_cell *cell, const struct quota_class *who, const struct pe *pe,
                 struct sched_queue *q, const struct demand *d, uint64_t tasks);

/* quotas_queue_changed - Q may be in other host groups
 * quotas_host_changed - H has other values: limits may depend on them
 * quotas_cell_changed - so has the cell, whose values are those of hosts that have none of their
 * own. O(hosts), if any limit depends on values */
void quotas_queue_changed(struct sched_cell *cell, struct sched_queue *q);
void quotas_host_changed(struct sched_cell *cell, struct sched_host *h);
void quotas_cell_changed(struct sched_cell *cell);

#endif
