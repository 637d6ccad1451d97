/* Job groups that are parked, and what requests cost their owners. Owns which owners have room for
 * another task, and which are exhausted. */
#include "libs/sched/pending/parking.h"

#include <string.h>

#include "libs/sched/pending/job_group_tree.h"
#include "libs/sched/supply/owner.h"

static int owner_order(struct sched_owner *a, struct sched_owner *b)
{
    int order = standing_order(&a->head, &b->head);
    return order != 0 ? order : strcmp(a->name, b->name);
}
TREE_GENERATE(roomy_tree, sched_owner, at, owner_order)

/* put OWNER where he belongs after his tasks, his parked job groups or the limit have changed */
static void owner_settle(struct sched_pending *pending, struct sched_owner *owner)
{
    const struct job_group *first = job_group_tree_first(&owner->parked);
    bool is_roomy = first != NULL && owner_room(owner) > 0 && !owner->is_exhausted;
    if (owner->is_roomy)
        RB_REMOVE(roomy_tree, &pending->roomy, owner);
    owner->is_roomy = is_roomy;
    if (!is_roomy)
        return;
    owner->head = first->standing;
    RB_INSERT(roomy_tree, &pending->roomy, owner);
}

void owner_note_tasks(struct sched_pending *pending, struct sched_owner *owner)
{
    if (job_group_tree_first(&owner->parked) != NULL)
        owner_settle(pending, owner);
}

void owner_park(struct sched_pending *pending, struct job_group *group)
{
    job_group_tree_add(&group->of->parked, group);
    owner_settle(pending, group->of);
}

void owner_unpark(struct sched_pending *pending, struct job_group *group)
{
    job_group_tree_remove(&group->of->parked, group);
    owner_settle(pending, group->of);
}

void owners_settle(struct sched_pending *pending)
{
    for (struct sched_owner *owner = pending->cell->owners; owner != NULL; owner = owner->hh.next)
        owner_settle(pending, owner);
}

struct sched_owner *owners_first_roomy(struct sched_pending *pending)
{
    return RB_MIN(roomy_tree, &pending->roomy);
}

/* ---- what requests cost ---- */
static void decay_cost(const struct sched_pending *pending, struct sched_owner *owner)
{
    uint64_t seconds =
        pending->cell->now_s > owner->cost_at_s ? pending->cell->now_s - owner->cost_at_s : 0;
    owner->cost = seconds < 64 ? owner->cost >> seconds : 0;
    owner->cost_at_s = pending->cell->now_s;
}

/* put OWNER where he belongs after his cost or his allowance has changed */
static void settle_cost(struct sched_pending *pending, struct sched_owner *owner)
{
    bool is_exhausted = owner->cost >= owner->allowance;
    if (is_exhausted == owner->is_exhausted)
        return;
    owner->is_exhausted = is_exhausted;
    if (is_exhausted)
        LIST_INSERT_HEAD(&pending->exhausted, owner, of_exhausted);
    else
        LIST_REMOVE(owner, of_exhausted);
    owner_settle(pending, owner);
}

bool owner_charge(struct sched_pending *pending, struct sched_owner *owner, uint64_t looks,
                  uint64_t started)
{
    bool was_exhausted = owner->is_exhausted;
    uint64_t usual = started * LOOKS_OF_START;
    decay_cost(pending, owner);
    owner->cost += looks > usual ? looks - usual : 0;
    settle_cost(pending, owner);
    if (!owner->is_exhausted || was_exhausted || pending->cell->now_s < owner->shown_until_s)
        return false;
    owner->shown_until_s = pending->cell->now_s + SHOWN_S;
    return true;
}

void owners_recover(struct sched_pending *pending)
{
    struct sched_owner *owner, *next;
    LIST_FOREACH_SAFE(owner, &pending->exhausted, of_exhausted, next) {
        decay_cost(pending, owner);
        if (owner->cost < FAIR_LOOKS)
            owner->allowance = FAIR_LOOKS;
        settle_cost(pending, owner);
    }
}

static struct sched_owner *cheapest_exhausted(const struct sched_pending *pending)
{
    struct sched_owner *owner, *best = NULL;
    LIST_FOREACH(owner, &pending->exhausted, of_exhausted)
        if (job_group_tree_first(&owner->parked) != NULL && owner_room(owner) > 0 &&
            (best == NULL || owner->cost < best->cost ||
             (owner->cost == best->cost && strcmp(owner->name, best->name) < 0)))
            best = owner;
    return best;
}

bool owners_have_more(const struct sched_pending *pending)
{
    return cheapest_exhausted(pending) != NULL;
}

bool owners_allow_more(struct sched_pending *pending)
{
    struct sched_owner *owner = cheapest_exhausted(pending);
    if (owner == NULL)
        return false;
    owner->allowance = owner->cost + FAIR_LOOKS;
    settle_cost(pending, owner);
    return true;
}
