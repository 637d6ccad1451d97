#ifndef SCHED_RUN_RESERVE_H
#define SCHED_RUN_RESERVE_H

#include "libs/sched/run/stay.h"

/* Reservations and backfilling: rounds.
 *
 * In a round the ends of all that is ordered and runs are noted (forecast.h). Jobs have their
 * turn in the order of their ranks. What can start is placed if it fits for as long as it runs,
 * beside what was reserved before it. What cannot, and wants a reservation (-R y), gets one: its
 * tasks, one by one, are booked at the first time at which they fit beside those before it. What
 * fits at this moment, but not for as long as it runs, is set aside until the next round.
 *
 * A round lasts as long as it is true: it begins anew when something was released or changed
 * (cell_untime), when a job that wants a reservation comes or goes, and when what can start ranks
 * before what was reserved. */

/* reserve_is_on - are there jobs that want reservations, of which MOST may be made, or is anything
 * left of a round? Else a run does without. O(1)
 * reserve_has_work - could a run reserve or place something that it has not looked at? O(1)
 * reserve_run - go on with the round, or begin one: order up to MOST tasks, and reserve for
 * RESERVATIONS at most. Cuts itself off after a slice. Returns how many tasks were ordered. */
/* reserve_next_due - the second in which a round is to begin that was put off; 0: none was */
uint64_t reserve_next_due(const struct sched_jobs *jobs);
bool reserve_is_on(const struct sched_jobs *jobs, uint32_t most);
bool reserve_has_work(const struct sched_jobs *jobs, uint32_t most);
uint32_t reserve_run(struct sched_jobs *jobs, uint32_t most, uint32_t reservations,
                     struct OR_Type_list *orders);
/* reserve_order - append to ORDERS what is reserved, if it is not what was sent last, at most once
 * a second, and not in the middle of a round. Returns whether it did. O(what is reserved)
 * reserve_order_due - the second in which it may; 0: nothing has changed. O(1) */
bool reserve_order(struct sched_jobs *jobs, uint64_t now_s, struct OR_Type_list *orders);
uint64_t reserve_order_due(const struct sched_jobs *jobs);
void reserve_free(struct sched_jobs *jobs);

#endif
