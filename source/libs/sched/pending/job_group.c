/* Job groups: jobs of one category with equal claims, which is what policies order. Owns struct
 * job group and the order of jobs within it.
 *
 * Within a job group, jobs go by the ranks that the policy gives them, which few have, then by
 * number; job groups go by the rank that the policy gives them together with that of
 * their first jobs, then by these. A job group stands in its need's tree,
 * or parked in its owner's, by a copy of that, which changes only while it is in neither. */
#include "libs/sched/pending/job_group.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/pack.h"
#include "libs/sched/pending/category.h"
#include "libs/sched/pending/job_group_tree.h"
#include "libs/sched/pending/need.h"
#include "libs/sched/pending/parking.h"
#include "libs/sched/pending/urgency.h"
#include "libs/sched/supply/owner.h"
#include "libs/sgeobj/job_state.h"

/* ---- ranks of jobs ---- */
struct job_rank {
    uint32_t number;
    int64_t rank;
    UT_hash_handle hh;
};

static struct job_rank *rank_find(const struct sched_pending *pending, uint32_t number)
{
    struct job_rank *found;
    HASH_FIND_U32(pending->job_ranks, &number, found);
    return found;
}

int64_t job_rank(const struct sched_pending *pending, const struct sched_job *job)
{
    return job->is_ranked ? rank_find(pending, job->number)->rank : 0;
}

static void job_unrank(struct sched_pending *pending, struct sched_job *job)
{
    struct job_rank *rank = rank_find(pending, job->number);
    HASH_DEL(pending->job_ranks, rank);
    free(rank);
    job->is_ranked = false;
}

bool job_set_rank(struct sched_pending *pending, struct sched_job *job, int64_t rank)
{
    if (job->is_ranked && rank != 0) {
        rank_find(pending, job->number)->rank = rank;
        return true;
    }
    if (job->is_ranked)
        job_unrank(pending, job);
    if (rank == 0)
        return true;
    if (HASH_COUNT(pending->job_ranks) >= RANKS_MOST)
        return false;
    struct job_rank *own = uti_calloc(1, sizeof *own);
    own->number = job->number;
    own->rank = rank;
    HASH_ADD_U32(pending->job_ranks, number, own);
    job->is_ranked = true;
    return true;
}

bool job_rank_any(const struct sched_pending *pending, uint32_t *number)
{
    if (pending->job_ranks == NULL)
        return false;
    *number = pending->job_ranks->number;
    return true;
}

static int rank_order(const struct sched_job *a, const struct sched_job *b)
{
    const struct sched_pending *pending = a->group->category->pending;
    int64_t rank_a = job_rank(pending, a), rank_b = job_rank(pending, b);
    return rank_a == rank_b ? 0 : rank_a > rank_b ? -1 : 1;
}

static int job_order(struct sched_job *a, struct sched_job *b)
{
    a->group->category->pending->cell->work.compared++;
    int order = a->is_ranked || b->is_ranked ? rank_order(a, b) : 0;
    if (order != 0)
        return order;
    return a->number < b->number ? -1 : a->number > b->number;
}
TREE_GENERATE(ready_tree, sched_job, at, job_order)

struct sched_job *job_group_first_job(struct job_group *group)
{
    return RB_MIN(ready_tree, &group->ready);
}

/* ---- where it stands ---- */
static int64_t sum_of(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (a > 0 ? INT64_MAX : INT64_MIN) : sum;
}

static struct standing standing_of(struct job_group *group, const struct sched_job *head)
{
    const struct sched_pending *pending = group->category->pending;
    int64_t rank = pending->rank != NULL ? pending->rank(pending->rank_own, group, head) : 0;
    if (head->is_ranked)
        rank = sum_of(rank, job_rank(pending, head));
    return (struct standing){ rank, pending->rank_has_priority ? 0 : group->priority,
                              head->number };
}

static int reserving_order(struct job_group *a, struct job_group *b)
{
    return standing_order(&a->standing, &b->standing);
}
TREE_GENERATE(reserving_tree, job_group, of_reserving, reserving_order)

static bool is_somewhere(const struct job_group *group)
{
    return group->is_listed || group->is_parked || group->is_aside;
}

static void reserving_enter(struct job_group *group)
{
    struct sched_pending *pending = group->category->pending;
    if (!group->category->wants_reservation)
        return;
    pending->n_reserving++;
    if (!group->is_parked)
        RB_INSERT(reserving_tree, &pending->reserving, group);
}

static void reserving_leave(struct job_group *group)
{
    struct sched_pending *pending = group->category->pending;
    if (!group->category->wants_reservation || !is_somewhere(group))
        return;
    pending->n_reserving--;
    if (!group->is_parked)
        RB_REMOVE(reserving_tree, &pending->reserving, group);
}

/* take GROUP out of the tree that it is in, if it is in any */
static void job_group_leave(struct job_group *group)
{
    if (group->is_listed)
        need_unlist_group(group->category->need, group);
    if (group->is_parked)
        owner_unpark(group->category->pending, group);
    if (group->is_aside)
        LIST_REMOVE(group, of_aside);
    reserving_leave(group);
    group->is_listed = group->is_parked = group->is_aside = false;
}

static void job_group_enter(struct job_group *group, bool is_parked)
{
    group->is_parked = is_parked;
    group->is_listed = !is_parked;
    if (is_parked)
        owner_park(group->category->pending, group);
    else
        need_list_group(group->category->need, group);
    reserving_enter(group);
}

/* put GROUP where it belongs after its first job, or what the policy thinks of it, may have
 * changed */
static void job_group_settle(struct job_group *group)
{
    const struct sched_job *head = job_group_first_job(group);
    struct standing now = { 0 };
    bool is_parked = group->is_parked;
    if (head != NULL)
        now = standing_of(group, head);
    if (is_somewhere(group) && head != NULL && standing_order(&now, &group->standing) == 0)
        return;
    job_group_leave(group);
    group->standing = now;
    if (head != NULL)
        job_group_enter(group, is_parked);
}

static void job_group_park(struct job_group *group)
{
    job_group_leave(group);
    job_group_enter(group, true);
}

static void job_group_let_go(struct job_group *group)
{
    job_group_leave(group);
    group->standing = standing_of(group, job_group_first_job(group));
    job_group_enter(group, false);
}

static bool job_group_rank(struct job_group *group)
{
    int64_t before = group->standing.rank;
    if (group->category->pending->rank == NULL) /* ranks of jobs change in job_set_rank alone */
        return false;
    job_group_settle(group);
    return group->standing.rank < before;
}

/* what was reserved for jobs of GROUP, or without them, may not hold any more */
static void job_group_disturb(struct job_group *group)
{
    if (group->category->wants_reservation)
        cell_disturb(group->category->pending->cell);
}

void job_groups_set_urgencies(struct sched_pending *pending)
{
    for (struct job_group *group = pending->groups; group != NULL; group = group->hh.next) {
        struct urgency_class *old = group->urgency;
        group->urgency = urgency_class_get(pending, group->category->rrcontr, group->deadline_s);
        urgency_class_drop(pending, old);
    }
}

void job_groups_rank(struct sched_pending *pending)
{
    for (struct job_group *group = pending->groups; group != NULL; group = group->hh.next)
        job_group_settle(group);
}

bool job_groups_rank_more(struct sched_pending *pending, uint32_t most)
{
    for (; pending->rank_next != NULL && most > 0; most--) {
        struct job_group *group = pending->rank_next;
        pending->rank_next = group->hh.next;
        job_group_settle(group);
    }
    return pending->rank_next != NULL;
}

void job_groups_rank_anew(struct sched_pending *pending)
{
    pending->rank_next = pending->groups;
}

void job_group_add_job(struct job_group *group, struct sched_job *job)
{
    RB_INSERT(ready_tree, &group->ready, job);
    job_group_disturb(group);
    job_group_settle(group);
}

void job_group_remove_job(struct job_group *group, struct sched_job *job)
{
    RB_REMOVE(ready_tree, &group->ready, job);
    job_group_disturb(group);
    job_group_settle(group);
}

/* ---- whose turn it is ---- */
/* a parked job group whose turn is before those of the needs that are open is listed */
static void list_roomy(struct sched_pending *pending)
{
    struct need *need;
    struct sched_owner *owner;
    while ((owner = owners_first_roomy(pending)) != NULL) {
        need = need_first_open(pending);
        if (need != NULL && standing_order(&need->head, &owner->head) < 0)
            break;
        job_group_let_go(job_group_tree_first(&owner->parked));
    }
}

/* the first job group of the needs that are open; while there is none, of the exhausted owners the
 * next one may go on */
static struct job_group *first_listed(struct sched_pending *pending)
{
    struct need *need;
    do {
        list_roomy(pending);
        need = need_first_open(pending);
    } while (need == NULL && owners_allow_more(pending));
    return need != NULL ? job_group_tree_first(&need->groups) : NULL;
}

/* A policy's ranks may have fallen since they were asked for, as tasks were placed: then the next
 * one may be before it. */
struct job_group *job_group_first_open(struct sched_pending *pending)
{
    struct job_group *group;
    while ((group = first_listed(pending)) != NULL) {
        if (owner_room(group->of) == 0 || group->of->is_exhausted)
            job_group_park(group);
        else if (!job_group_rank(group))
            return group;
    }
    return NULL;
}

/* ---- reservations ---- */
struct standing job_standing(struct job_group *group, const struct sched_job *job)
{
    return standing_of(group, job);
}

struct sched_job *job_group_job_after(struct sched_job *job)
{
    return RB_NEXT(ready_tree, &job->group->ready, job);
}

void job_group_set_aside(struct job_group *group)
{
    need_unlist_group(group->category->need, group);
    group->is_listed = false;
    group->is_aside = true;
    LIST_INSERT_HEAD(&group->category->pending->aside, group, of_aside);
}

void job_groups_take_back(struct sched_pending *pending)
{
    struct job_group *group;
    while ((group = LIST_FIRST(&pending->aside)) != NULL) {
        LIST_REMOVE(group, of_aside);
        group->is_aside = false;
        group->is_listed = true;
        need_list_group(group->category->need, group);
    }
}

struct job_group *job_group_reserving_after(struct sched_pending *pending,
                                            const struct standing *after)
{
    if (after == NULL)
        return RB_MIN(reserving_tree, &pending->reserving);
    struct job_group at = { .standing = *after };
    struct job_group *next = RB_NFIND(reserving_tree, &pending->reserving, &at);
    if (next != NULL && standing_order(&next->standing, after) == 0)
        next = RB_NEXT(reserving_tree, &pending->reserving, next);
    return next;
}

/* ---- life ---- */
bool job_group_depends_on(const struct JB_Type *job)
{
    return cull_has(job, JB_owner) || cull_has(job, JB_project) || cull_has(job, JB_department) ||
           cull_has(job, JB_priority) || cull_has(job, JB_deadline) || cull_has(job, JB_jobshare) ||
           cull_has(job, JB_override_tickets) || category_depends_on(job);
}

/* the category, the names, each with its end, and the numbers */
static void key_of(struct packer *key, const struct category *category, const struct job_claim *c)
{
    pack_bytes(key, &category, sizeof category);
    pack_bytes(key, c->owner, strlen(c->owner) + 1);
    pack_bytes(key, c->project, strlen(c->project) + 1);
    pack_bytes(key, c->department, strlen(c->department) + 1);
    pack_bytes(key, &c->deadline_s, sizeof c->deadline_s);
    pack_bytes(key, &c->priority, sizeof c->priority);
    pack_bytes(key, &c->job_share, sizeof c->job_share);
    pack_bytes(key, &c->override_tickets, sizeof c->override_tickets);
}

/* while no job group is unusual, all jobs go by age under any weights */
static bool is_unusual(const struct job_group *group)
{
    return group->priority != JOB_PRIORITY_BASE;
}

static struct job_group *job_group_new(struct sched_pending *pending, struct category *category,
                                       const struct job_claim *claim, struct packer *key)
{
    struct job_group *group = uti_calloc(1, sizeof *group);
    group->category = category;
    group->key = key->data;
    group->key_bytes = key->len;
    *key = (struct packer){ 0 };
    group->owner = (const char *)group->key + sizeof category;
    group->project = group->owner + strlen(group->owner) + 1;
    group->department = group->project + strlen(group->project) + 1;
    group->deadline_s = claim->deadline_s;
    group->priority = claim->priority;
    group->job_share = claim->job_share;
    group->override_tickets = claim->override_tickets;
    group->of = owner_get(pending->cell, claim->owner);
    group->urgency = urgency_class_get(pending, category->rrcontr, claim->deadline_s);
    pending->n_unusual += is_unusual(group);
    pending->n_overriding += group->override_tickets > 0;
    group->compared = &pending->cell->work.compared;
    RB_INIT(&group->ready);
    LIST_INSERT_HEAD(&category->groups, group, of_category);
    HASH_ADD_KEYPTR(hh, pending->groups, group->key, group->key_bytes, group);
    return group;
}

struct job_group *job_group_get(struct sched_pending *pending, struct category *category,
                                const struct job_claim *claim)
{
    struct packer key = { 0 };
    struct job_group *group;
    key_of(&key, category, claim);
    HASH_FIND(hh, pending->groups, key.data, key.len, group);
    if (group == NULL)
        group = job_group_new(pending, category, claim, &key);
    else
        category_drop(pending, category);
    group->users++;
    packer_free(&key);
    return group;
}

static void job_group_free(struct sched_pending *pending, struct job_group *group)
{
    if (pending->rank_next == group)
        pending->rank_next = group->hh.next;
    pending->n_unusual -= is_unusual(group);
    pending->n_overriding -= group->override_tickets > 0;
    HASH_DEL(pending->groups, group);
    LIST_REMOVE(group, of_category);
    category_drop(pending, group->category);
    owner_drop(pending->cell, group->of);
    urgency_class_drop(pending, group->urgency);
    free(group->key);
    free(group);
}

static void job_group_move(struct sched_pending *pending, struct job_group *group)
{
    static const struct JB_Type as_before;
    struct category *old = group->category;
    bool is_in = is_somewhere(group), is_parked = group->is_parked;
    struct category *category = category_get(pending, old, &as_before, group->of);
    job_group_leave(group);
    if (pending->rank_next == group)
        pending->rank_next = group->hh.next;
    HASH_DEL(pending->groups, group);
    LIST_REMOVE(group, of_category);
    memcpy(group->key, &category, sizeof category);
    group->category = category;
    LIST_INSERT_HEAD(&category->groups, group, of_category);
    HASH_ADD_KEYPTR(hh, pending->groups, group->key, group->key_bytes, group);
    if (is_in)
        job_group_enter(group, is_parked);
    category_drop(pending, old);
}

void job_groups_move(struct sched_pending *pending)
{
    uint32_t n = 0;
    struct job_group **all =
        uti_alloc((HASH_COUNT(pending->groups) + 1) * sizeof(struct job_group *));
    for (struct job_group *group = pending->groups; group != NULL; group = group->hh.next)
        all[n++] = group;
    for (uint32_t i = 0; i < n; i++)
        job_group_move(pending, all[i]);
    free(all);
    categories_forget_idle(pending);
}

void job_group_drop(struct sched_pending *pending, struct job_group *group)
{
    if (--group->users == 0)
        job_group_free(pending, group);
}
