#ifndef SCHED_POLICY_IMMEDIATE_H
#define SCHED_POLICY_IMMEDIATE_H

#include "libs/sgeobj/rows.h"

/* Jobs that start at once or not at all (-now y). */
struct sched;

/* immediates_decide - after a run that made ORDERS, for ORDERED tasks: jobs that it did not start
 * as a whole lose what it ordered, and are to go. If it ended because MOST tasks are on order,
 * those that have not had their turn are for the next run; one with more tasks than that goes.
 * Returns how many tasks are ordered less. O(undecided jobs + orders) */
uint32_t immediates_decide(struct sched *s, struct OR_Type_list *orders, uint32_t ordered,
                           uint32_t most);

#endif
