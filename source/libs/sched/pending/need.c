/* Needs: a demand and the queue instances where it may be met. Owns struct need, and what is open
 * or blocked.
 *
 * Whether a task can be placed depends on its need alone, so a job that cannot be placed speaks for
 * all categories that share the need. A blocked need waits in the list of what blocks it, the cell
 * or its queue set, and is tried again when a task of it would fit where something was given back:
 * an end costs what it unblocks, however many categories wait. `open` holds the needs that could be
 * placed, by their first job group, so that the job group whose turn it is is found without looking
 * at any other. */
#include "libs/sched/pending/need.h"

#include <stdlib.h>

#include "libs/sched/pending/job_group_tree.h"
#include "libs/sched/place/condition.h"
#include "libs/sched/place/parallel.h"
#include "libs/sched/place/place.h"
#include "libs/sched/place/soft.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sched/supply/task_path.h"

static int need_order(struct need *a, struct need *b)
{
    a->pending->cell->work.compared++;
    return standing_order(&a->head, &b->head);
}
TREE_GENERATE(open_tree, need, at, need_order)

/* ---- open and blocked ---- */
/* put NEED where it belongs after its job groups, or what blocks it, have changed */
static void need_settle(struct need *need)
{
    const struct job_group *first = job_group_tree_first(&need->groups);
    bool is_open = first != NULL && !need->is_blocked;
    if (is_open == need->is_open &&
        (!is_open || standing_order(&need->head, &first->standing) == 0))
        return;
    if (need->is_open)
        RB_REMOVE(open_tree, &need->pending->open, need);
    need->is_open = is_open;
    if (!is_open)
        return;
    need->head = first->standing;
    RB_INSERT(open_tree, &need->pending->open, need);
}

static void class_block(struct need *need)
{
    struct sched_pending *pending = need->pending;
    struct quota_blocked *b;
    HASH_FIND_PTR(pending->blocked_by_class, &need->key.quota, b);
    if (b == NULL) {
        b = uti_calloc(1, sizeof *b);
        b->who = need->key.quota;
        TAILQ_INIT(&b->needs);
        HASH_ADD_PTR(pending->blocked_by_class, who, b);
    }
    need->quota_turn = ++pending->quota_turns;
    TAILQ_INSERT_TAIL(&b->needs, need, of_quota);
}

static void class_unblock(struct need *need)
{
    struct sched_pending *pending = need->pending;
    struct quota_blocked *b;
    HASH_FIND_PTR(pending->blocked_by_class, &need->key.quota, b);
    if (b->wake_last == need) {
        b->wake_last = TAILQ_PREV(need, quota_needs, of_quota);
        if (b->wake_last == NULL)
            TAILQ_REMOVE(&pending->waking, b, of_waking);
    }
    TAILQ_REMOVE(&b->needs, need, of_quota);
    if (!TAILQ_EMPTY(&b->needs))
        return;
    HASH_DEL(pending->blocked_by_class, b);
    free(b);
}

static void need_block(struct need *need, struct need_list *by)
{
    need->is_blocked = true;
    LIST_INSERT_HEAD(by, need, of_blocked);
    if (need->key.parallel != NULL)
        LIST_INSERT_HEAD(&need->pending->blocked_parallel, need, of_parallel);
    if (need->key.conditions != NULL)
        TAILQ_INSERT_HEAD(&need->pending->blocked_conditional, need, of_conditional);
    if (need->key.quota != NULL)
        class_block(need);
    need_settle(need);
}

static void leave_lists(struct need *need)
{
    LIST_REMOVE(need, of_blocked);
    if (need->key.parallel != NULL)
        LIST_REMOVE(need, of_parallel);
    if (need->key.conditions != NULL)
        TAILQ_REMOVE(&need->pending->blocked_conditional, need, of_conditional);
    if (need->key.quota != NULL)
        class_unblock(need);
}

void need_unblock(struct need *need)
{
    need->is_blocked = false;
    leave_lists(need);
    need_settle(need);
}

bool need_is_to_open(const struct need *need)
{
    const struct quota_blocked *b = NULL;
    if (need->is_blocked && need->key.quota != NULL)
        HASH_FIND_PTR(need->pending->blocked_by_class, &need->key.quota, b);
    return b != NULL && b->wake_last != NULL && need->quota_turn <= b->wake_last->quota_turn;
}

struct need *need_first_open(struct sched_pending *pending)
{
    return RB_MIN(open_tree, &pending->open);
}

void need_list_group(struct need *need, struct job_group *group)
{
    job_group_tree_add(&need->groups, group);
    need_settle(need);
}

void need_unlist_group(struct need *need, struct job_group *group)
{
    job_group_tree_remove(&need->groups, group);
    need_settle(need);
}

/* ---- placing ---- */
/* what has no room in all of its time has room at this moment: something is reserved there */
static bool fits_at_once(struct need *need, struct grant *out)
{
    struct place_finder *finder = need->pending->finder;
    const struct task_time time = finder->time;
    uint64_t room;
    if (!time.is_now)
        return false;
    finder->time = (struct task_time){ .from_s = 0, .run_s = 1 };
    bool fits = need->key.parallel != NULL ? parallel_place(finder, &need->key, out)
                                           : place_find(finder, &need->key, &room) != NULL;
    finder->time = time;
    return fits;
}

/* which list NEED is in that has no room anywhere: of the cell, or of quotas; of the queue
 * instances if only what is reserved is in the way of that */
static struct need_list *what_is_short(struct need *need)
{
    struct sched_pending *pending = need->pending;
    const struct task_kind now = finder_kind_now(&need->key);
    if (pending->finder->time.is_now &&
        task_room_anywhere(pending->cell, &now, need->key.demand, 1) > 0)
        return &need->key.set->blocked;
    bool is_in_cell =
        need->key.ar != 0 || supply_room(&pending->cell->supply, need->key.demand, TIME_NOW) > 0;
    return is_in_cell ? &pending->short_of_quota : &pending->blocked_by_cell;
}

struct queue_place *need_place(struct need *need, uint64_t *room)
{
    struct sched_pending *pending = need->pending;
    if (need->is_blocked)
        return NULL;
    pending->cell->work.tried++;
    const struct task_kind kind = finder_kind(pending->finder, &need->key);
    if (task_room_anywhere(pending->cell, &kind, need->key.demand, 1) == 0) {
        if (!fits_at_once(need, NULL))
            need_block(need, what_is_short(need));
        return NULL;
    }
    struct queue_place *p = place_find(pending->finder, &need->key, room);
    if (p == NULL && !fits_at_once(need, NULL))
        need_block(need, &need->key.set->blocked);
    return p;
}

struct queue_place *need_place_in(struct need *need, const struct sched_queue *q, uint64_t *room)
{
    struct sched_pending *pending = need->pending;
    const struct task_kind kind = finder_kind(pending->finder, &need->key);
    if (need->is_blocked || task_room_anywhere(pending->cell, &kind, need->key.demand, 1) == 0)
        return NULL;
    pending->cell->work.tried++;
    return place_find_in(pending->finder, &need->key, q, room);
}

bool need_grant(struct need *need, struct grant *out)
{
    struct sched_pending *pending = need->pending;
    if (need->is_blocked)
        return false;
    pending->cell->work.tried++;
    if (!parallel_may_fit(pending->finder, &need->key, NULL)) {
        need_block(need, &pending->blocked_by_cell);
        return false;
    }
    if (parallel_place(pending->finder, &need->key, out))
        return true;
    if (fits_at_once(need, out))
        return false;
    need->is_short_in_cell = supply_room(&pending->cell->supply, need->key.demand, TIME_NOW) <
                             need->key.parallel->greatest;
    need_block(need, &need->key.set->blocked);
    return false;
}

/* ---- life ---- */
static struct need *need_new(struct sched_pending *pending, const struct need_key *key)
{
    struct need *need = uti_calloc(1, sizeof *need);
    need->pending = pending;
    need->key = *key;
    RB_INIT(&need->groups);
    HASH_ADD(hh, pending->needs, key, sizeof need->key, need);
    return need;
}

static void drop_key(struct sched_pending *pending, const struct need_key *key)
{
    queue_set_drop(pending->cell, key->set);
    demand_drop(&pending->cell->demands, key->demand);
    if (key->on_host != NULL)
        demand_drop(&pending->cell->demands, key->on_host);
    if (key->of_job != NULL)
        demand_drop(&pending->cell->demands, key->of_job);
    conditions_drop(pending->finder, key->conditions);
    soft_drop(pending->finder, key->soft);
    parallel_drop(pending->finder, key->parallel);
}

struct need *need_get(struct sched_pending *pending, const struct need_key *key)
{
    struct need *need;
    HASH_FIND(hh, pending->needs, key, sizeof *key, need);
    if (need == NULL)
        need = need_new(pending, key);
    else
        drop_key(pending, key);
    need->users++;
    return need;
}

void need_drop(struct sched_pending *pending, struct need *need)
{
    if (--need->users > 0)
        return;
    if (need->is_blocked)
        leave_lists(need);
    HASH_DEL(pending->needs, need);
    drop_key(pending, &need->key);
    free(need);
}
