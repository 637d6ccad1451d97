#ifndef SCHED_RUN_START_TIMES_H
#define SCHED_RUN_START_TIMES_H

#include <stdlib.h>

#include "libs/cull/range_set.h"

/* When each of some tasks started: runs of ordinals. Pure. */
struct start_run {
    uint32_t first, last;
    uint64_t at_s;
};
struct start_times {
    uint32_t n, cap;
    struct start_run own, *more; /* `more` if it has had several runs, else `own` */
};                               /* all zero: none */

/* start_times_add - IDS, of which it has none, started AT_S. O(log runs) for each run, and what is
 * moved
 * start_times_remove - forget those of IDS that it has. The same cost
 * start_times_runs - all N runs, ascending; borrowed until the next change
 * start_times_free - forget all */
void start_times_add(struct start_times *t, const struct range_set *ids, uint64_t at_s);
void start_times_remove(struct start_times *t, const struct range_set *ids);
static inline const struct start_run *start_times_runs(const struct start_times *t)
{
    return t->cap > 0 ? t->more : &t->own;
}
static inline void start_times_free(struct start_times *t)
{
    if (t->cap > 0)
        free(t->more);
    t->more = NULL;
    t->n = t->cap = 0;
}

#endif
