#ifndef SCHED_PLACE_SOFT_H
#define SCHED_PLACE_SOFT_H

#include "libs/sched/place/finder.h"

/* Soft requests: where jobs would rather run. */

/* soft_get - the soft requests of REQUEST; counted: soft_drop; NULL without any
 * soft_missed - how many of them Q does not meet. O(requests x values)
 * soft_most - how many that can be; 0 of NULL */
struct soft *soft_get(struct place_finder *finder, const struct JB_Type *request);
void soft_drop(struct place_finder *finder, struct soft *soft);
uint32_t soft_missed(struct place_finder *finder, const struct soft *soft,
                     const struct sched_queue *q);
uint32_t soft_most(const struct soft *soft);

#endif
