/* When tasks started. Owns struct start_times.
 *
 * Invariant: runs ascend and do not overlap, and neighbours that touch started at other times.
 * Tasks of an array start in the order of their ordinals, so that most runs are added at the end.
 * One run needs no memory of its own. */
#include "libs/sched/run/start_times.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

static struct start_run *runs_of(struct start_times *t)
{
    return t->cap > 0 ? t->more : &t->own;
}

/* the first run that ends with ID or later */
static uint32_t run_from(struct start_times *t, uint32_t id)
{
    const struct start_run *v = runs_of(t);
    uint32_t low = 0, high = t->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (v[middle].last < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void run_insert(struct start_times *t, uint32_t i, struct start_run run)
{
    bool is_first = t->cap == 0;
    t->more = uti_vec_grow(t->more, &t->cap, t->n + 1, sizeof *t->more);
    if (is_first)
        t->more[0] = t->own;
    memmove(&t->more[i + 1], &t->more[i], (t->n - i) * sizeof *t->more);
    t->more[i] = run;
    t->n++;
}

static void runs_erase(struct start_times *t, uint32_t i, uint32_t n)
{
    struct start_run *v = runs_of(t);
    memmove(&v[i], &v[i + n], (t->n - i - n) * sizeof *v);
    t->n -= n;
}

/* the run I and the one behind it are one, if they can be */
static void join_runs(struct start_times *t, uint32_t i)
{
    struct start_run *v = runs_of(t);
    if (i + 1 >= t->n || v[i].last + 1 != v[i + 1].first || v[i].at_s != v[i + 1].at_s)
        return;
    v[i].last = v[i + 1].last;
    runs_erase(t, i + 1, 1);
}

void start_times_add(struct start_times *t, const struct range_set *ids, uint64_t at_s)
{
    struct range r;
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(ids, at, &r);
         at = (uint64_t)r.last + 1) {
        struct start_run run = { r.first, r.last, at_s };
        if (t->n == 0 && t->cap == 0) {
            t->own = run;
            t->n = 1;
            continue;
        }
        uint32_t i = run_from(t, r.first);
        run_insert(t, i, run);
        join_runs(t, i);
        if (i > 0)
            join_runs(t, i - 1);
    }
}

/* what started of FIRST..LAST is forgotten */
static void remove_run(struct start_times *t, uint32_t first, uint32_t last)
{
    uint32_t i = run_from(t, first), end = i;
    struct start_run *v = runs_of(t);
    if (i < t->n && v[i].first < first) {
        struct start_run rest = { last + 1, v[i].last, v[i].at_s };
        bool is_parted = v[i].last > last;
        v[i++].last = first - 1;
        if (is_parted) {
            run_insert(t, i, rest);
            return;
        }
    }
    for (end = i; end < t->n && v[end].last <= last; end++)
        ;
    if (end < t->n && v[end].first <= last)
        v[end].first = last + 1;
    runs_erase(t, i, end - i);
}

void start_times_remove(struct start_times *t, const struct range_set *ids)
{
    struct range r;
    for (uint64_t at = 0; t->n > 0 && at <= UINT32_MAX && range_set_next_run(ids, at, &r);
         at = (uint64_t)r.last + 1)
        remove_run(t, r.first, r.last);
}
