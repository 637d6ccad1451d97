/* Needs: a demand and the queue instances where it may be met. Owns struct need, and what is open
 * or blocked.
 *
 * Whether a task can be placed depends on its need alone, so a job that cannot be placed speaks for
 * all categories that share the need. A blocked need waits in the list of what blocks it, the cell
 * or its queue set, and is tried again when a task of it would fit where something was given back:
 * an end costs what it unblocks, however many categories wait. `open` holds the needs that could be
 * placed, by their first job group, so that the job group whose turn it is is found without looking
 * at any other. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>

int standing_order(const struct standing *a, const struct standing *b)
{
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int job_group_order(struct job_group *a, struct job_group *b)
{
    a->category->sched->work.compared++;
    return standing_order(&a->standing, &b->standing);
}
TREE_GENERATE(job_group_tree, job_group, at, job_group_order)

struct job_group *job_group_tree_first(struct job_group_tree *tree)
{
    return RB_MIN(job_group_tree, tree);
}

void job_group_tree_add(struct job_group_tree *tree, struct job_group *group)
{
    RB_INSERT(job_group_tree, tree, group);
}

void job_group_tree_remove(struct job_group_tree *tree, struct job_group *group)
{
    RB_REMOVE(job_group_tree, tree, group);
}

static int need_order(struct need *a, struct need *b)
{
    a->sched->work.compared++;
    return standing_order(&a->head, &b->head);
}
TREE_GENERATE(open_tree, need, at, need_order)

/* ---- open and blocked ---- */
/* put NEED where it belongs after its job groups, or what blocks it, have changed */
static void need_settle(struct need *need)
{
    const struct job_group *first = RB_MIN(job_group_tree, &need->groups);
    bool is_open = first != NULL && !need->is_blocked;
    if (is_open == need->is_open &&
        (!is_open || standing_order(&need->head, &first->standing) == 0))
        return;
    if (need->is_open)
        RB_REMOVE(open_tree, &need->sched->open, need);
    need->is_open = is_open;
    if (!is_open)
        return;
    need->head = first->standing;
    RB_INSERT(open_tree, &need->sched->open, need);
}

static void need_block(struct need *need, struct need_list *by)
{
    need->is_blocked = true;
    LIST_INSERT_HEAD(by, need, of_blocked);
    if (need->key.parallel != NULL)
        LIST_INSERT_HEAD(&need->sched->blocked_parallel, need, of_parallel);
    if (need->key.conditions != NULL)
        TAILQ_INSERT_HEAD(&need->sched->blocked_conditional, need, of_conditional);
    if (need->key.quota != NULL)
        quotas_block(need);
    need_settle(need);
}

static void leave_lists(struct need *need)
{
    LIST_REMOVE(need, of_blocked);
    if (need->key.parallel != NULL)
        LIST_REMOVE(need, of_parallel);
    if (need->key.conditions != NULL)
        TAILQ_REMOVE(&need->sched->blocked_conditional, need, of_conditional);
    if (need->key.quota != NULL)
        quotas_unblock(need);
}

void need_unblock(struct need *need)
{
    need->is_blocked = false;
    leave_lists(need);
    need_settle(need);
}

/* Could a task of NEED fit after something was given back in Q, or in the cell? What blocks it may
 * be another of the two meanwhile; so that is not asked in Q what the cell has: a run sees that,
 * and puts it where it then belongs. */
static bool may_fit(const struct need *need, struct sched_queue *q)
{
    const struct demand *d = need->key.demand;
    if (q != NULL && conditions_room(need->sched, need->key.conditions, q) == 0)
        return false;
    if (need->key.parallel != NULL)
        return parallel_may_fit(need, q);
    if (q == NULL)
        return supply_room(&need->sched->cell, d, TIME_ALWAYS) > 0 && quotas_allow(need);
    return queue_room(q, d) > 0 && quotas_room(need, q) > 0;
}

void needs_wake(struct sched *s, struct need_list *blocked, struct sched_queue *q)
{
    struct need *need, *next;
    LIST_FOREACH_SAFE(need, blocked, of_blocked, next) {
        s->work.woken++;
        if (may_fit(need, q))
            need_unblock(need);
    }
}

/* for how many hosts the cell has something is not known before a look */
void cell_wake(struct sched *s)
{
    struct need *need, *next;
    needs_wake(s, &s->blocked, NULL);
    LIST_FOREACH_SAFE(need, &s->blocked_parallel, of_parallel, next) {
        s->work.woken++;
        if (need->key.on_host != NULL && may_fit(need, NULL))
            need_unblock(need);
    }
}

/* ---- reports ---- */
enum { CONDITIONAL_LOOKS = 1000 };

static bool fits_at_host(const struct need *need, struct sched_host *h)
{
    struct sched_queue *q;
    LIST_FOREACH(q, &h->queues, of_host)
        if (queue_takes_tasks(q) && queue_is_in(q, need->key.set) && may_fit(need, q))
            return true;
    return false;
}

void host_wake_conditional(struct sched *s, struct sched_host *h)
{
    struct conditional_list *list = &s->blocked_conditional;
    struct need *last = TAILQ_LAST(list, conditional_list), *need = NULL;
    for (int n = 0; n < CONDITIONAL_LOOKS && need != last; n++) {
        need = TAILQ_FIRST(list);
        s->work.woken++;
        TAILQ_REMOVE(list, need, of_conditional);
        TAILQ_INSERT_TAIL(list, need, of_conditional);
        if (fits_at_host(need, h))
            need_unblock(need);
    }
}

void cell_wake_conditional(struct sched *s)
{
    struct need *need, *next;
    TAILQ_FOREACH_SAFE(need, &s->blocked_conditional, of_conditional, next)
    need_unblock(need);
}

void need_list_group(struct need *need, struct job_group *group)
{
    RB_INSERT(job_group_tree, &need->groups, group);
    need_settle(need);
}

void need_unlist_group(struct need *need, struct job_group *group)
{
    RB_REMOVE(job_group_tree, &need->groups, group);
    need_settle(need);
}

/* ---- choosing ---- */
static uint64_t room_at(const struct need *need, struct sched_queue *q)
{
    uint64_t room = path_room(queue_path(q), need->key.demand, TIME_ALWAYS);
    need->sched->work.looks++;
    if (room > 0 && need->key.quota != NULL) {
        uint64_t left = quotas_room(need, q);
        room = left < room ? left : room;
    }
    if (room == 0 || need->key.conditions == NULL)
        return room;
    uint64_t allowed = conditions_room(need->sched, need->key.conditions, q);
    return allowed < room ? allowed : room;
}

static struct queue_place *first_with_room(const struct need *need, uint64_t *room)
{
    for (struct queue_place *p = queue_set_first(need->key.set); p != NULL;
         p = queue_set_next(need->key.set, p))
        if ((*room = room_at(need, p->queue)) > 0)
            return p;
    return NULL;
}

/* the first of those that miss the fewest soft requests */
static struct queue_place *dearest_with_room(const struct need *need, uint64_t *room)
{
    struct queue_place *best = NULL;
    uint32_t least = UINT32_MAX;
    for (struct queue_place *p = queue_set_first(need->key.set); p != NULL && least > 0;
         p = queue_set_next(need->key.set, p)) {
        uint64_t here = room_at(need, p->queue);
        uint32_t missed = here > 0 ? soft_missed(need->sched, need->key.soft, p->queue) : least;
        if (missed >= least)
            continue;
        best = p;
        least = missed;
        *room = here;
    }
    return best;
}

struct queue_place *need_place(struct need *need, uint64_t *room)
{
    struct sched *s = need->sched;
    if (need->is_blocked)
        return NULL;
    s->work.tried++;
    bool is_in_cell = supply_room(&s->cell, need->key.demand, TIME_ALWAYS) > 0;
    if (!is_in_cell || !quotas_allow(need)) {
        need_block(need, is_in_cell ? &s->short_of_quota : &s->blocked);
        return NULL;
    }
    struct queue_place *p =
        need->key.soft == NULL ? first_with_room(need, room) : dearest_with_room(need, room);
    if (p == NULL)
        need_block(need, &need->key.set->blocked);
    return p;
}

bool need_grant(struct need *need, struct grant *out)
{
    struct sched *s = need->sched;
    if (need->is_blocked)
        return false;
    s->work.tried++;
    if (!parallel_may_fit(need, NULL)) {
        need_block(need, &s->blocked);
        return false;
    }
    if (parallel_place(need, out))
        return true;
    need_block(need, &need->key.set->blocked);
    return false;
}

/* a parked job group whose turn is before those of the needs that are open is listed */
static void list_roomy(struct sched *s)
{
    struct need *need;
    struct sched_owner *owner;
    while ((owner = owners_first_roomy(s)) != NULL) {
        need = RB_MIN(open_tree, &s->open);
        if (need != NULL && standing_order(&need->head, &owner->head) < 0)
            break;
        job_group_let_go(job_group_tree_first(&owner->parked));
    }
}

/* the first job group of the needs that are open; while there is none, of the exhausted owners the
 * next one may go on */
static struct job_group *first_listed(struct sched *s)
{
    struct need *need;
    do {
        list_roomy(s);
        need = RB_MIN(open_tree, &s->open);
    } while (need == NULL && owners_allow_more(s));
    return need != NULL ? RB_MIN(job_group_tree, &need->groups) : NULL;
}

/* A policy's ranks may have fallen since they were asked for, as tasks were placed: then the next
 * one may be before it. */
struct job_group *job_group_first_open(struct sched *s)
{
    struct job_group *group;
    while ((group = first_listed(s)) != NULL) {
        if (owner_room(group->of) == 0 || group->of->is_exhausted)
            job_group_park(group);
        else if (!job_group_rank(group))
            return group;
    }
    return NULL;
}

/* ---- life ---- */
static struct need *need_new(struct sched *s, const struct need_key *key)
{
    struct need *need = uti_calloc(1, sizeof *need);
    need->sched = s;
    need->key = *key;
    RB_INIT(&need->groups);
    HASH_ADD(hh, s->needs, key, sizeof need->key, need);
    return need;
}

static void drop_key(struct sched *s, const struct need_key *key)
{
    queue_set_drop(s, key->set);
    demand_drop(&s->demands, key->demand);
    if (key->on_host != NULL)
        demand_drop(&s->demands, key->on_host);
    if (key->of_job != NULL)
        demand_drop(&s->demands, key->of_job);
    conditions_drop(s, key->conditions);
    soft_drop(s, key->soft);
    parallel_drop(s, key->parallel);
}

struct need *need_get(struct sched *s, const struct need_key *key)
{
    struct need *need;
    HASH_FIND(hh, s->needs, key, sizeof *key, need);
    if (need == NULL)
        need = need_new(s, key);
    else
        drop_key(s, key);
    need->users++;
    return need;
}

void need_drop(struct sched *s, struct need *need)
{
    if (--need->users > 0)
        return;
    if (need->is_blocked)
        leave_lists(need);
    HASH_DEL(s->needs, need);
    drop_key(s, &need->key);
    free(need);
}
