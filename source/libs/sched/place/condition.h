#ifndef SCHED_PLACE_CONDITION_H
#define SCHED_PLACE_CONDITION_H

#include "libs/sched/place/finder.h"

/* What tasks ask for of numbers, and do not use up. */
struct resource_name;
struct conditions { /* shared: equal conditions are the same pointer */
    uint32_t users, n;
    UT_hash_handle hh;
    struct condition {
        const struct resource_name *of;
        uint32_t relop;    /* CE_relop: WANTED stands before it, the value behind it */
        uint32_t runs_out; /* a task takes WANTED: no more of them than its load value has */
        double wanted;
    } v[];
};
/* conditions_get - those of a task with the -l requests of REQUEST; counted: conditions_drop; NULL
 * if there are none
 * conditions_room - how many more tasks with C, which may be NULL, they allow in Q. O(C) */
struct conditions *conditions_get(struct place_finder *finder, const struct JB_Type *request);
void conditions_drop(struct place_finder *finder, struct conditions *c);
uint64_t conditions_room(struct place_finder *finder, const struct conditions *c,
                         struct sched_queue *q);

#endif
