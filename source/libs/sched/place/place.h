#ifndef SCHED_PLACE_PLACE_H
#define SCHED_PLACE_PLACE_H

#include "libs/sched/place/finder.h"

/* Where a task goes, and whether one could fit. */

/* place_find - the best queue instance for a task of one slot, and for how many it has room; NULL:
 * no instance has any. O(instances of the set)
 * place_may_fit - could a task fit after something was given back in Q? For NULL: as far as the
 * cell decides. True for every one that fits */
struct queue_place *place_find(struct place_finder *finder, const struct need_key *key,
                               uint64_t *room);
/* place_find_in - Q as the place of such a task, and for how many it has room; NULL: it has none,
 * or is not in the set. O(instances of the set) */
struct queue_place *place_find_in(struct place_finder *finder, const struct need_key *key,
                                  const struct sched_queue *q, uint64_t *room);
/* place_fits_later - does any instance have room for a task of one slot at the finder's time, with
 * or without a free slot now? O(instances of the set) */
bool place_fits_later(struct place_finder *finder, const struct need_key *key);
/* place_find_later - where a task of OWNER of one slot has room first from the finder's time on, in
 * supplies that are timed; AT_S: from when. NULL: nowhere. O(instances of the set x steps) */
struct queue_place *place_find_later(struct place_finder *finder, const struct need_key *key,
                                     struct sched_owner *owner, uint64_t *at_s);
bool place_may_fit(struct place_finder *finder, const struct need_key *key, struct sched_queue *q);

#endif
