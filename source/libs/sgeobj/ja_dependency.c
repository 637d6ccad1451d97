/* Dependencies between the tasks of two arrays over the same range of frames.
 *
 * A task covers the frames from its id up to the next task's, cut at the end of the range: a chunk.
 * B.i waits for A.j exactly when their chunks share a frame; that relation is symmetric, so both
 * directions are one function with the arrays swapped. Everything is counted in offsets from the
 * first frame, and in 64 bits, so that no sum can overflow. A run of ordinals covers a run of
 * frames, which touches a run of ordinals of the other array: sets are mapped run by run. */
#include "libs/sgeobj/ja_dependency.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

#include <stdlib.h>

uint32_t ja_task_count(const struct ja_shape *s)
{
    ASSERT(s->step > 0 && s->first <= s->last);
    return (s->last - s->first) / s->step + 1;
}

bool ja_same_range(const struct ja_shape *a, const struct ja_shape *b)
{
    return a->first == b->first && a->last == b->last;
}

/* A non-array job, or one whose record lacks its range, is one task. */
struct ja_shape ja_shape_of(const struct JB_Type *job)
{
    uint32_t first = job->JB_ja_first > 0 ? job->JB_ja_first : 1;
    uint32_t last = job->JB_ja_last > first ? job->JB_ja_last : first;

    return (struct ja_shape){ first, last, job->JB_ja_step > 0 ? job->JB_ja_step : 1 };
}

/* the tasks of OTHER that share a frame with the tasks FIRST..LAST of OWN */
static struct ja_window sharing_window(const struct ja_shape *own, const struct ja_shape *other,
                                       uint32_t first, uint32_t last)
{
    uint64_t length = (uint64_t)own->last - own->first; /* offset of the last frame */
    uint64_t from = (uint64_t)first * own->step;
    uint64_t to = ((uint64_t)last + 1) * own->step - 1;

    ASSERT(from <= length);
    if (to > length)
        to = length;
    return (struct ja_window){ (uint32_t)(from / other->step), (uint32_t)(to / other->step) };
}

struct ja_window ja_dep_forward(const struct ja_shape *a, const struct ja_shape *b,
                                uint32_t b_ordinal)
{
    ASSERT(ja_same_range(a, b));
    return sharing_window(b, a, b_ordinal, b_ordinal);
}

struct ja_window ja_dep_backward(const struct ja_shape *a, const struct ja_shape *b,
                                 uint32_t a_ordinal)
{
    ASSERT(ja_same_range(a, b));
    return sharing_window(a, b, a_ordinal, a_ordinal);
}

/* the windows found so far, which ascend; those that touch are one */
struct windows {
    struct range *v;
    uint32_t n, cap;
};

static void add_window(struct windows *all, const struct ja_window *w)
{
    struct range *last = all->n > 0 ? &all->v[all->n - 1] : NULL;

    if (last != NULL && w->first <= (uint64_t)last->last + 1) {
        last->last = w->last;
        return;
    }
    all->v = uti_vec_grow(all->v, &all->cap, all->n + 1, sizeof *all->v);
    all->v[all->n++] = (struct range){ w->first, w->last };
}

/* Neighbouring windows that touch are put together before they go into the set: with large chunks
 * in B many runs of A give one range. */
static void add_held(const struct ja_shape *a, const struct ja_shape *b, struct range_walk *walk,
                     struct range_set *out)
{
    struct windows windows = { NULL, 0, 0 };
    struct range_set held = { 0 };
    struct range run;

    while (range_walk_next(walk, &run)) {
        struct ja_window w = sharing_window(a, b, run.first, run.last);
        add_window(&windows, &w);
    }
    range_set_fill(&held, windows.v, windows.n);
    free(windows.v);
    range_set_unite(out, &held);
    range_set_free(&held);
}

enum {
    RUNS_AT_ONCE = 1 << 14, /* a set of so few is one piece */
    SPAN_AT_ONCE = 1 << 17, /* tasks of A in a piece of a set of more: half as many runs */
    BYTES_OF_A_RUN = 32     /* of a set's memory: to unite so many takes as long as to map a run */
};

bool ja_dep_held_next(const struct ja_shape *a, const struct ja_shape *b,
                      const struct range_set *a_unfinished, uint64_t *from, struct range_set *out)
{
    uint64_t n = ja_task_count(a), until = *from + SPAN_AT_ONCE;
    struct range_walk walk;

    ASSERT(ja_same_range(a, b) && *from < n);
    if (a->step == b->step) {
        range_set_unite(out, a_unfinished);
        return true;
    }
    if (until > n || range_set_runs_most(a_unfinished) <= RUNS_AT_ONCE)
        until = n;
    range_walk_begin_in(&walk, a_unfinished, (uint32_t)*from, (uint32_t)(until - 1));
    add_held(a, b, &walk, out);
    *from = until;
    return until == n;
}

void ja_dep_held(const struct ja_shape *a, const struct ja_shape *b,
                 const struct range_set *a_unfinished, struct range_set *out)
{
    uint64_t from = 0;

    while (!ja_dep_held_next(a, b, a_unfinished, &from, out))
        ;
}

uint64_t ja_dep_held_cost(const struct ja_shape *a, const struct ja_shape *b,
                          const struct range_set *a_unfinished)
{
    return a->step == b->step ? range_set_bytes(a_unfinished) / BYTES_OF_A_RUN
                              : range_set_runs_most(a_unfinished);
}

/* ---- cycles ----
 *
 * The search for cycles among jobs that wait for each other.
 *
 * A job would wait for itself when a path of predecessors leads back to it. All jobs on such paths
 * are visited, each once, the one with the highest number first. The jobs seen and those to do are
 * sets of numbers, so that a search takes little memory while it waits for its next turn. */

void jobnet_search_begin(struct jobnet_search *s, uint32_t job)
{
    *s = (struct jobnet_search){ .job = job, .at = job };
}

void jobnet_search_put(struct jobnet_search *s, uint32_t predecessor)
{
    if (predecessor == s->job)
        s->with = s->at;
    if (range_set_has(&s->seen, predecessor))
        return;
    range_set_add(&s->seen, predecessor, predecessor);
    range_set_add(&s->todo, predecessor, predecessor);
}

bool jobnet_search_next(struct jobnet_search *s)
{
    if (s->with != 0 || !range_set_max(&s->todo, &s->at))
        return false;
    range_set_remove(&s->todo, s->at, s->at);
    return true;
}

void jobnet_search_again(struct jobnet_search *s, uint32_t job)
{
    if (range_set_has(&s->seen, job))
        range_set_add(&s->todo, job, job);
}

void jobnet_search_free(struct jobnet_search *s)
{
    range_set_free(&s->todo);
    range_set_free(&s->seen);
    *s = (struct jobnet_search){ 0 };
}
