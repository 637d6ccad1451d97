#ifndef RESOURCE_URGENCY_H
#define RESOURCE_URGENCY_H

#include "libs/sgeobj/rows.h"

/* What requests add to the urgency of a job, by the column "urgency" of complex(5) and the
 * urgency_slots of sge_pe(5): one rule for the scheduler, which orders jobs by it, and the qmaster,
 * which shows it. Pure.
 *
 *   slots        their urgency for each slot; of a range of slots as many as urgency_slots says:
 *                the least, the most, the average of all numbers of the range, or a number. A
 *                pattern (-pe 'm*') means the first environment by name that it matches.
 *   a number     urgency times the amount; for each slot if it is a consumable of slots
 *   other types  the urgency
 *
 * Hard requests count, defaults do not. The sum is within URGENCY_MOST of 0. */
#define URGENCY_MOST 1e15

struct urgency_rule;
struct urgency_pe;
struct urgencies {
    struct urgency_rule *rules; /* resources with an urgency, but slots */
    struct urgency_pe *pes;     /* by name */
    uint32_t n_rules, rules_cap, n_pes, pes_cap;
    double of_slot;
}; /* all zero: nothing has an urgency */

/* urgencies_put - a resource or an environment is what OBJECT says; other objects do not matter
 * urgencies_drop - it has gone. Both O(resources, environments); return whether an urgency changed
 * urgencies_free - U is empty afterwards */
bool urgencies_put(struct urgencies *u, const struct TX_Type *object);
bool urgencies_drop(struct urgencies *u, const struct TX_Type *object);
void urgencies_free(struct urgencies *u);
/* urgency_of - what the requests of JOB add. O(rules x requests), O(1) where slots alone have an
 * urgency and one number of them is asked for */
double urgency_of(const struct urgencies *u, const struct JB_Type *job);

#endif
