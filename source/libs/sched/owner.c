/* Owners of jobs, and how many tasks each may have: maxujobs of sched_conf(5). Owns struct owner,
 * and which leaves are parked. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

static int owner_order(struct owner *a, struct owner *b)
{
    int order = standing_order(&a->head, &b->head);
    return order != 0 ? order : strcmp(a->name, b->name);
}
TREE_GENERATE(roomy_tree, owner, at, owner_order)

uint64_t owner_room(const struct sched *s, const struct owner *owner)
{
    if (s->conf.tasks_of_user == 0)
        return UINT64_MAX;
    return s->conf.tasks_of_user > owner->n_taken ? s->conf.tasks_of_user - owner->n_taken : 0;
}

/* put OWNER where he belongs after his tasks, his parked leaves or the limit have changed */
static void owner_settle(struct sched *s, struct owner *owner)
{
    const struct leaf *first = leaf_tree_first(&owner->parked);
    bool is_roomy = first != NULL && owner_room(s, owner) > 0;
    if (owner->is_roomy)
        RB_REMOVE(roomy_tree, &s->roomy, owner);
    owner->is_roomy = is_roomy;
    if (!is_roomy)
        return;
    owner->head = first->standing;
    RB_INSERT(roomy_tree, &s->roomy, owner);
}

void owner_count(struct sched *s, struct owner *owner, uint64_t more)
{
    owner->n_taken += more;
    if (leaf_tree_first(&owner->parked) != NULL)
        owner_settle(s, owner);
}

void owner_park(struct sched *s, struct leaf *leaf)
{
    leaf_tree_add(&leaf->of->parked, leaf);
    owner_settle(s, leaf->of);
}

void owner_unpark(struct sched *s, struct leaf *leaf)
{
    leaf_tree_remove(&leaf->of->parked, leaf);
    owner_settle(s, leaf->of);
}

void owners_settle(struct sched *s)
{
    for (struct owner *owner = s->owners; owner != NULL; owner = owner->hh.next)
        owner_settle(s, owner);
}

struct owner *owners_first_roomy(struct sched *s)
{
    return RB_MIN(roomy_tree, &s->roomy);
}

/* ---- life ---- */
struct owner *owner_get(struct sched *s, const char *name)
{
    struct owner *owner;
    HASH_FIND_STR(s->owners, name, owner);
    if (owner == NULL) {
        owner = uti_calloc(1, sizeof *owner);
        owner->name = uti_strdup(name);
        RB_INIT(&owner->parked);
        HASH_ADD_KEYPTR(hh, s->owners, owner->name, strlen(owner->name), owner);
    }
    owner->users++;
    return owner;
}

void owner_drop(struct sched *s, struct owner *owner)
{
    if (--owner->users > 0)
        return;
    HASH_DEL(s->owners, owner);
    free(owner->name);
    free(owner);
}
