#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include "libs/sched/supply/work.h"
#include "libs/sgeobj/rows.h"

/* The scheduler as a pure machine: events and a time in, orders out. No network, no files, no
 * clock; a month replays in a second.
 *
 * Layers (seed 004): a data model kept current by events (supply/, pending/, run/), decisions
 * (policy/), services (place/, run/dispatch.h). Alternative schedulers plug in as struct
 * sched_policy (policy/policy.h). Guide: developing 6. */
struct answer;
struct sched;
struct sched_conf;

/* sched_new - a scheduler that knows no job and no queue; new: sched_free
 * sched_free - NULL is fine */
struct sched *sched_new(void);
void sched_free(struct sched *s);

/* sched_apply - take one event into the model
 *
 * Unknown jobs and queues in an event are ignored (the event stream runs ahead of, or behind, a
 * deletion). Returns 0, or -1 with ans if the event is malformed (model unchanged). Warnings (a
 * setting of sched_conf(5) that makes no sense and was passed over) come with 0. O(ranges in the
 * event and needs that it unblocks). */
int sched_apply(struct sched *s, const struct EV_Type *event, struct answer *ans);

/* sched_run - decide, with what is free at NOW_S
 *
 *   most     at most this many tasks in all orders
 *   orders   gets the orders, most important first, one for each job and queue instance
 *
 * What it orders counts as started in the model at once; the qmaster's events confirm
 * (EV_TASKS_STARTED) or undo (EV_TASKS_READY) it. Jobs that were to start at once or not at all are
 * decided: those that do not start as a whole are ordered to go. An owner whose requests have cost
 * so much that others go before him is ordered to be shown so (ORDER_LAST). Returns the number of
 * tasks ordered. O(needs + orders), not O(jobs). */
uint32_t sched_run(struct sched *s, uint64_t now_s, uint32_t most, struct OR_Type_list *orders);

/* sched_prior_order - append to ORDERS what the qmaster does not know yet of what priorities follow
 * from (policy/prior.h), at most once a second; more follows with the next call if it is much.
 * Returns whether there was any. O(1), and O(grants) of an order
 * sched_prior_due - the second in which there will be one; 0: nothing has changed. O(log) */
bool sched_prior_order(struct sched *s, uint64_t now_s, struct OR_Type_list *orders);
uint64_t sched_prior_due(struct sched *s);

/* sched_reserve_order - append to ORDERS what is reserved for pending tasks, if that has changed,
 * at most once a second. Returns whether it did. O(what is reserved)
 * sched_reserve_due - the second in which it may; 0: nothing has changed. O(1) */
bool sched_reserve_order(struct sched *s, uint64_t now_s, struct OR_Type_list *orders);
uint64_t sched_reserve_due(const struct sched *s);

/* sched_decide - sched_run, then what the qmaster is to know (sched_prior_order,
 * sched_reserve_order): all that a scheduler decides at NOW_S. Returns as sched_run */
uint32_t sched_decide(struct sched *s, uint64_t now_s, uint32_t most, struct OR_Type_list *orders);

/* sched_needs - what the policy in force needs to know besides what all do (SCHED_NEEDS_...,
 * policy/policy.h). When this changes, the caller subscribes anew, and a new scheduler receives all
 * of the state. */
unsigned sched_needs(const struct sched *s);

/* sched_set_slice - from now on a run ends after LOOKS looks, or a few more: the last task is
 * placed or not; 0: it ends when nothing more fits
 * sched_is_cut - did the last run end so, before it was clear that nothing more fits? The next one
 * continues, after the events that have come meanwhile. */
void sched_set_slice(struct sched *s, uint64_t looks);
bool sched_is_cut(const struct sched *s);

/* sched_show_job - from now on NUMBER, borrowed, is the number of the job that is being looked at,
 * in an event or for a place; 0 between jobs. If S never returns, that job is the cause. */
void sched_show_job(struct sched *s, _Atomic uint32_t *number);

/* sched_refused - the qmaster refused ORDER: its slots are free again. The tasks become ready by
 * EV_TASKS_READY only, if at all. */
void sched_refused(struct sched *s, const struct OR_Type *order);

/* sched_has_work - could a run now place a task, as far as is known without trying? O(1) */
bool sched_has_work(const struct sched *s);

/* sched_next_due - when a job's -a time comes and a run is needed though nothing happened; 0 =
 * never */
uint64_t sched_next_due(const struct sched *s);

/* sched_conf - the settings of sched_conf(5) in force (conf.h): how often to run is the caller's
 * business */
const struct sched_conf *sched_conf(const struct sched *s);

/* sched_work - what was looked at since sched_new */
const struct sched_work *sched_work(const struct sched *s);

#endif
