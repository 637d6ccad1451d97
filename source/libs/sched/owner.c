/* Owners of jobs, how many tasks each may have (maxujobs of sched_conf(5)), and what their requests
 * cost. Owns struct sched_owner, and which job groups are parked. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

static int owner_order(struct sched_owner *a, struct sched_owner *b)
{
    int order = standing_order(&a->head, &b->head);
    return order != 0 ? order : strcmp(a->name, b->name);
}
TREE_GENERATE(roomy_tree, sched_owner, at, owner_order)

uint64_t owner_room(const struct sched_owner *owner)
{
    return supply_left(&owner->supply, RESOURCE_TASKS, TIME_ALWAYS);
}

static void set_limit(const struct sched *s, struct sched_owner *owner)
{
    uint32_t most = s->conf.tasks_of_user;
    supply_offer(&owner->supply, RESOURCE_TASKS, most != 0 ? most : RESOURCE_UNLIMITED);
}

/* put OWNER where he belongs after his tasks, his parked job groups or the limit have changed */
static void owner_settle(struct sched *s, struct sched_owner *owner)
{
    const struct job_group *first = job_group_tree_first(&owner->parked);
    bool is_roomy = first != NULL && owner_room(owner) > 0 && !owner->is_exhausted;
    if (owner->is_roomy)
        RB_REMOVE(roomy_tree, &s->roomy, owner);
    owner->is_roomy = is_roomy;
    if (!is_roomy)
        return;
    owner->head = first->standing;
    RB_INSERT(roomy_tree, &s->roomy, owner);
}

void owner_note_tasks(struct sched *s, struct sched_owner *owner)
{
    if (job_group_tree_first(&owner->parked) != NULL)
        owner_settle(s, owner);
}

void owner_move_tasks(struct sched *s, struct sched_owner *from, struct sched_owner *to, uint64_t n)
{
    static const struct demand nothing_else = { 0 };
    struct supply *members[] = { &to->supply, from != NULL ? &from->supply : NULL };
    if (n == 0 || from == to)
        return;
    path_book((struct path){ &members[0], 1 }, &nothing_else, n, TIME_ALWAYS);
    owner_note_tasks(s, to);
    if (from == NULL)
        return;
    path_release((struct path){ &members[1], 1 }, &nothing_else, n, TIME_ALWAYS);
    owner_note_tasks(s, from);
}

void owner_park(struct sched *s, struct job_group *group)
{
    job_group_tree_add(&group->of->parked, group);
    owner_settle(s, group->of);
}

void owner_unpark(struct sched *s, struct job_group *group)
{
    job_group_tree_remove(&group->of->parked, group);
    owner_settle(s, group->of);
}

void owners_settle(struct sched *s)
{
    for (struct sched_owner *owner = s->owners; owner != NULL; owner = owner->hh.next) {
        set_limit(s, owner);
        owner_settle(s, owner);
    }
}

struct sched_owner *owners_first_roomy(struct sched *s)
{
    return RB_MIN(roomy_tree, &s->roomy);
}

/* ---- what requests cost ---- */
static void decay_cost(const struct sched *s, struct sched_owner *owner)
{
    uint64_t seconds = s->now_s > owner->cost_at_s ? s->now_s - owner->cost_at_s : 0;
    owner->cost = seconds < 64 ? owner->cost >> seconds : 0;
    owner->cost_at_s = s->now_s;
}

/* put OWNER where he belongs after his cost or his allowance has changed */
static void settle_cost(struct sched *s, struct sched_owner *owner)
{
    bool is_exhausted = owner->cost >= owner->allowance;
    if (is_exhausted == owner->is_exhausted)
        return;
    owner->is_exhausted = is_exhausted;
    if (is_exhausted)
        LIST_INSERT_HEAD(&s->exhausted, owner, of_exhausted);
    else
        LIST_REMOVE(owner, of_exhausted);
    owner_settle(s, owner);
}

bool owner_charge(struct sched *s, struct sched_owner *owner, uint64_t looks, uint64_t started)
{
    bool was_exhausted = owner->is_exhausted;
    uint64_t usual = started * LOOKS_OF_START;
    decay_cost(s, owner);
    owner->cost += looks > usual ? looks - usual : 0;
    settle_cost(s, owner);
    if (!owner->is_exhausted || was_exhausted || s->now_s < owner->shown_until_s)
        return false;
    owner->shown_until_s = s->now_s + SHOWN_S;
    return true;
}

void owners_recover(struct sched *s)
{
    struct sched_owner *owner, *next;
    LIST_FOREACH_SAFE(owner, &s->exhausted, of_exhausted, next) {
        decay_cost(s, owner);
        if (owner->cost < FAIR_LOOKS)
            owner->allowance = FAIR_LOOKS;
        settle_cost(s, owner);
    }
}

static struct sched_owner *cheapest_exhausted(const struct sched *s)
{
    struct sched_owner *owner, *best = NULL;
    LIST_FOREACH(owner, &s->exhausted, of_exhausted)
        if (job_group_tree_first(&owner->parked) != NULL && owner_room(owner) > 0 &&
            (best == NULL || owner->cost < best->cost ||
             (owner->cost == best->cost && strcmp(owner->name, best->name) < 0)))
            best = owner;
    return best;
}

bool owners_have_more(const struct sched *s)
{
    return cheapest_exhausted(s) != NULL;
}

bool owners_allow_more(struct sched *s)
{
    struct sched_owner *owner = cheapest_exhausted(s);
    if (owner == NULL)
        return false;
    owner->allowance = owner->cost + FAIR_LOOKS;
    settle_cost(s, owner);
    return true;
}

/* ---- life ---- */
struct sched_owner *owner_get(struct sched *s, const char *name)
{
    struct sched_owner *owner;
    HASH_FIND_STR(s->owners, name, owner);
    if (owner == NULL) {
        owner = uti_calloc(1, sizeof *owner);
        owner->name = uti_strdup(name);
        owner->supply.kind = SUPPLY_OWNER;
        set_limit(s, owner);
        owner->allowance = FAIR_LOOKS;
        owner->cost_at_s = s->now_s;
        RB_INIT(&owner->parked);
        HASH_ADD_KEYPTR(hh, s->owners, owner->name, strlen(owner->name), owner);
    }
    owner->users++;
    return owner;
}

void owner_drop(struct sched *s, struct sched_owner *owner)
{
    if (--owner->users > 0)
        return;
    HASH_DEL(s->owners, owner);
    if (owner->is_exhausted)
        LIST_REMOVE(owner, of_exhausted);
    free(owner->name);
    supply_free(&owner->supply);
    free(owner);
}
