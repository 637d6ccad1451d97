/* Where a task goes, and whether one could fit: what is looked at when a place is needed. Owns no
 * data. */
#include "libs/sched/place/place.h"

#include "libs/sched/place/condition.h"
#include "libs/sched/place/parallel.h"
#include "libs/sched/place/soft.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sched/supply/quota_use.h"

/* ---- tasks of one slot ---- */
static uint64_t room_at(struct place_finder *finder, const struct need_key *key,
                        struct sched_queue *q)
{
    uint64_t room = path_room(queue_path(q), key->demand, TIME_ALWAYS);
    finder->cell->work.looks++;
    if (room > 0 && key->quota != NULL) {
        uint64_t left = quotas_room(finder->cell, key->quota, key->demand, q);
        room = left < room ? left : room;
    }
    if (room == 0 || key->conditions == NULL)
        return room;
    uint64_t allowed = conditions_room(finder, key->conditions, q);
    return allowed < room ? allowed : room;
}

static struct queue_place *first_with_room(struct place_finder *finder, const struct need_key *key,
                                           uint64_t *room)
{
    for (struct queue_place *p = queue_set_first(key->set); p != NULL;
         p = queue_set_next(key->set, p))
        if ((*room = room_at(finder, key, p->queue)) > 0)
            return p;
    return NULL;
}

/* the first of those that miss the fewest soft requests */
static struct queue_place *dearest_with_room(struct place_finder *finder,
                                             const struct need_key *key, uint64_t *room)
{
    struct queue_place *best = NULL;
    uint32_t least = UINT32_MAX;
    for (struct queue_place *p = queue_set_first(key->set); p != NULL && least > 0;
         p = queue_set_next(key->set, p)) {
        uint64_t here = room_at(finder, key, p->queue);
        uint32_t missed = here > 0 ? soft_missed(finder, key->soft, p->queue) : least;
        if (missed >= least)
            continue;
        best = p;
        least = missed;
        *room = here;
    }
    return best;
}

struct queue_place *place_find(struct place_finder *finder, const struct need_key *key,
                               uint64_t *room)
{
    return key->soft == NULL ? first_with_room(finder, key, room)
                             : dearest_with_room(finder, key, room);
}

/* What blocks it may be another of the two meanwhile; so that is not asked in Q what the cell has:
 * a run sees that, and puts it where it then belongs. */
bool place_may_fit(struct place_finder *finder, const struct need_key *key, struct sched_queue *q)
{
    if (q != NULL && conditions_room(finder, key->conditions, q) == 0)
        return false;
    if (key->parallel != NULL)
        return parallel_may_fit(finder, key, q);
    if (q == NULL)
        return supply_room(&finder->cell->supply, key->demand, TIME_ALWAYS) > 0 &&
               quotas_allow(finder->cell, key->quota, key->demand);
    return queue_room(q, key->demand) > 0 &&
           quotas_room(finder->cell, key->quota, key->demand, q) > 0;
}
