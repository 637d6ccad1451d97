/* Where a task goes, and whether one could fit: what is looked at when a place is needed. Owns no
 * data. */
#include "libs/sched/place/place.h"

#include "libs/sched/place/condition.h"
#include "libs/sched/place/parallel.h"
#include "libs/sched/place/soft.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sched/supply/task_path.h"

/* ---- tasks of one slot ---- */
static uint64_t room_at(struct place_finder *finder, const struct need_key *key,
                        struct sched_queue *q)
{
    const struct task_kind kind = finder_kind(finder, key);
    uint64_t room = task_room(finder->cell, &kind, q, key->demand);
    finder->cell->work.looks++;
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

struct queue_place *place_find_in(struct place_finder *finder, const struct need_key *key,
                                  const struct sched_queue *q, uint64_t *room)
{
    struct queue_place *p = queue_set_first(key->set);
    while (p != NULL && p->queue != q)
        p = queue_set_next(key->set, p);
    return p != NULL && (*room = room_at(finder, key, p->queue)) > 0 ? p : NULL;
}

bool place_fits_later(struct place_finder *finder, const struct need_key *key)
{
    const struct task_kind kind = finder_kind(finder, key);
    bool fits = false;
    if (task_room_anywhere(finder->cell, &kind, key->demand, 1) == 0)
        return false;
    for (struct queue_place *p = queue_set_any_first(key->set); p != NULL && !fits;
         p = queue_set_any_next(key->set, p))
        fits = queue_may_take_tasks(p->queue) && room_at(finder, key, p->queue) > 0;
    return fits;
}

struct queue_place *place_find_later(struct place_finder *finder, const struct need_key *key,
                                     struct sched_owner *owner, uint64_t *at_s)
{
    struct task_kind kind = finder_kind(finder, key);
    struct queue_place *best = NULL;
    kind.owner = owner;
    *at_s = TIME_FOREVER;
    for (struct queue_place *p = queue_set_any_first(key->set); p != NULL;
         p = queue_set_any_next(key->set, p)) {
        finder->cell->work.looks++;
        if (!queue_may_take_tasks(p->queue) ||
            conditions_room(finder, key->conditions, p->queue) == 0)
            continue;
        uint64_t from_s = path_from(task_path(finder->cell, &kind, p->queue, key->demand),
                                    key->demand, task_span(&kind, p->queue));
        if (from_s >= *at_s)
            continue;
        *at_s = from_s;
        best = p;
    }
    return best;
}

/* What blocks it may be another of the two meanwhile; so that is not asked in Q what the cell has:
 * a run sees that, and puts it where it then belongs. */
bool place_may_fit(struct place_finder *finder, const struct need_key *key, struct sched_queue *q)
{
    if (q != NULL && conditions_room(finder, key->conditions, q) == 0)
        return false;
    if (key->parallel != NULL)
        return parallel_may_fit(finder, key, q);
    const struct task_kind kind = finder_kind_now(key);
    return q == NULL ? task_room_anywhere(finder->cell, &kind, key->demand, 1) > 0
                     : task_may_fit(finder->cell, &kind, q, key->demand);
}
