/* The search for cycles among jobs that wait for each other.
 *
 * A job would wait for itself when a path of predecessors leads back to it. The wanted predecessors
 * are searched one after the other with a stack of our own and one set of visited jobs for all:
 * what an earlier one has visited without finding the job need not be looked at again, so that a
 * lattice of diamonds costs its edges and not its paths. */
#include "libs/sgeobj/jobnet.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"

struct visited {
    UT_hash_handle hh;
    uint32_t number;
};

void jobnet_numbers_add(struct jobnet_numbers *l, uint32_t number)
{
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
    l->v[l->n++] = number;
}

void jobnet_numbers_free(struct jobnet_numbers *l)
{
    free(l->v);
    *l = (struct jobnet_numbers){ NULL, 0, 0 };
}

/* true the first time it is asked for NUMBER */
static bool visit(struct visited **all, uint32_t number)
{
    struct visited *seen;

    HASH_FIND_U32(*all, &number, seen);
    if (seen != NULL)
        return false;
    seen = uti_alloc(sizeof *seen);
    seen->number = number;
    HASH_ADD_U32(*all, number, seen);
    return true;
}

static void visited_free(struct visited *all)
{
    struct visited *one, *next;

    HASH_ITER(hh, all, one, next) {
        HASH_DEL(all, one);
        free(one);
    }
}

/* does NUMBER, whose predecessors go onto the stack, wait for JOB itself? */
static bool waits_for(uint32_t number, uint32_t job, struct jobnet_numbers *stack,
                      jobnet_predecessors_fn predecessors, void *ctx)
{
    uint32_t first = stack->n;
    predecessors(ctx, number, stack);
    for (uint32_t i = first; i < stack->n; i++)
        if (stack->v[i] == job)
            return true;
    return false;
}

/* Does a path of predecessors lead from FROM to JOB? Then WITH is the last job before it. STACK is memory only. */
static bool leads_to(uint32_t from, uint32_t job, struct jobnet_numbers *stack,
                     struct visited **seen, jobnet_predecessors_fn predecessors, void *ctx,
                     uint32_t *with)
{
    *with = from;
    if (from == job)
        return true;
    stack->n = 0;
    jobnet_numbers_add(stack, from);
    while (stack->n > 0) {
        *with = stack->v[--stack->n];
        if (visit(seen, *with) && waits_for(*with, job, stack, predecessors, ctx))
            return true;
    }
    return false;
}

bool jobnet_closes_cycle(uint32_t job, const struct jobnet_numbers *wanted,
                         jobnet_predecessors_fn predecessors, void *ctx, uint32_t *with)
{
    struct jobnet_numbers stack = { NULL, 0, 0 };
    struct visited *seen = NULL;
    bool is_cycle = false;

    for (uint32_t i = 0; i < wanted->n && !is_cycle; i++)
        is_cycle = leads_to(wanted->v[i], job, &stack, &seen, predecessors, ctx, with);
    visited_free(seen);
    jobnet_numbers_free(&stack);
    return is_cycle;
}
