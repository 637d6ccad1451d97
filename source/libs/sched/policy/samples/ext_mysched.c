/* A scheduler with decisions of its own on the default's data model: the owner with the fewest
 * running tasks goes first, as with user_sort. The priority of jobs (-p) goes before that, their
 * age after it.
 *
 * Its state is how many tasks each owner has, running or ordered; counted anew in each run, so that
 * no end can be missed: O(job groups). */
#include <stdlib.h>
#include <string.h>

#include "libs/sched/policy/model.h"
#include "libs/sched/policy/services.h"

struct owner_use {
    uint64_t n_taken;
    UT_hash_handle hh;
    char name[];
};
struct fewest_first {
    struct owner_use *owners;
};

static struct owner_use *owner_find(struct fewest_first *own, const char *name)
{
    struct owner_use *owner;
    HASH_FIND_STR(own->owners, name, owner);
    if (owner != NULL)
        return owner;
    size_t bytes = strlen(name) + 1;
    owner = uti_calloc(1, sizeof *owner + bytes);
    memcpy(owner->name, name, bytes);
    HASH_ADD_KEYPTR(hh, own->owners, owner->name, bytes - 1, owner);
    return owner;
}

static void forget_owners(struct fewest_first *own)
{
    struct owner_use *owner, *next;
    HASH_ITER(hh, own->owners, owner, next) {
        HASH_DEL(own->owners, owner);
        free(owner);
    }
}

static void *fewest_new(struct sched *s)
{
    (void)s;
    return uti_calloc(1, sizeof(struct fewest_first));
}

static void fewest_free(void *own)
{
    forget_owners(own);
    free(own);
}

static int64_t fewest_rank(void *own, const struct job_group *group, const struct sched_job *job)
{
    uint64_t taken = owner_find(own, group->owner)->n_taken;
    int64_t priority = job->priority;
    return (priority << 32) - (taken < UINT32_MAX ? (int64_t)taken : UINT32_MAX);
}

static void count_owners(struct sched *s, struct fewest_first *own)
{
    forget_owners(own);
    for (const struct job_group *group = s->pending.groups; group != NULL; group = group->hh.next)
        owner_find(own, group->owner)->n_taken += group->n_taken;
}

/* one task at a time, as each changes whose turn it is */
static uint32_t fewest_run(struct sched *s, void *own, uint64_t now_s, uint32_t most,
                           struct OR_Type_list *orders)
{
    uint32_t ordered = 0;
    struct job_group *group;
    sched_begin_run(s, now_s);
    count_owners(s, own);
    job_groups_rank(&s->pending);
    while (ordered < most && (group = job_group_first_open(&s->pending)) != NULL) {
        struct owner_use *owner = owner_find(own, group->owner);
        uint32_t n = dispatch_job(&s->jobs, job_group_first_job(group), 1, orders);
        owner->n_taken += n;
        ordered += n;
    }
    return ordered;
}

const struct sched_policy ext_mysched = {
    .name = "ext_mysched",
    .new = fewest_new,
    .free = fewest_free,
    .run = fewest_run,
    .rank = fewest_rank,
};
