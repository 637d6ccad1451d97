#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include "libs/sgeobj/rows.h"

/* The scheduler as a pure machine: events and a time in, orders out. No network, no files, no clock; a month replays in a second.
 *
 * Layers (seed 004), each a file: data model kept current by events (model.c: categories of equal jobs, queue instances, running
 * counts), decision (dispatch.c), services (match.c: queue patterns; order.c). Alternative decisions plug in as struct sched_policy. */
struct answer;
struct sched;

struct sched *sched_new(void); /* new: sched_free; empty: no jobs, no queues */
void sched_free(struct sched *s);

/* sched_apply - take one event into the model
 * Unknown jobs and queues in an event are ignored (the event stream runs ahead of, or behind, a deletion). O(ranges in the event).
 * Returns 0, or -1 with ans if the event is malformed (model unchanged). */
int sched_apply(struct sched *s, const struct EV_Type *event, struct answer *ans);

/* sched_run - decide, with what is free at NOW_S
 *
 *   most     at most this many tasks in all orders
 *   orders   gets the orders, most important first
 *
 * What it orders counts as started in the model at once; the qmaster's events confirm (EV_TASKS_STARTED) or undo (EV_TASKS_READY) it.
 * Returns the number of tasks ordered. O(categories + orders), not O(jobs). */
uint32_t sched_run(struct sched *s, uint64_t now_s, uint32_t most, struct OR_Type_list *orders);

/* sched_next_due - when a job's -a time comes and a run is needed though nothing happened; 0 = never */
uint64_t sched_next_due(const struct sched *s);

/* sched_why_not - texts for `scheduling info:` of a job: one per reason, "" entries never. May be called any time. */
void sched_why_not(const struct sched *s, uint32_t job_number, uint64_t now_s, struct ST_Type_list *reasons);

#endif
