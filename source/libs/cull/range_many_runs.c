/* Fragmented range sets for programs that load no library for them: a vector of runs and nothing
 * else. */
#include <stdlib.h>

#include "libs/cull/range_many.h"
#include "libs/uti/alloc.h"

struct range_many {
    struct range_runs runs;
};

struct range_many *range_many_from_runs(struct range_runs *runs)
{
    struct range_many *m = uti_alloc(sizeof *m);

    m->runs = *runs;
    *runs = (struct range_runs){ NULL, 0, 0 };
    return m;
}

struct range_many *range_many_from_words(const struct range_words *w)
{
    struct range_runs runs = { NULL, 0, 0 };
    struct range r;

    runs.cap = (uint32_t)range_words_runs(w);
    runs.v = runs.cap > 0 ? uti_alloc(runs.cap * sizeof *runs.v) : NULL;
    for (uint64_t at = 0; range_words_next(w, at, &r); at = (uint64_t)r.last + 1)
        range_runs_push(&runs, r.first, r.last);
    return range_many_from_runs(&runs);
}

bool range_many_is_dense(const struct range_many *m)
{
    (void)m;
    return false;
}

uint64_t range_many_runs_most(const struct range_many *m)
{
    return m->runs.n;
}

void range_many_words(const struct range_many *m, struct range_words *out)
{
    for (uint32_t i = range_runs_find(&m->runs, (uint64_t)out->first * RANGE_WORD_BITS);
         i < m->runs.n; i++)
        range_words_put(out, m->runs.v[i].first, m->runs.v[i].last);
}

void range_many_free(struct range_many *m)
{
    if (m == NULL)
        return;
    range_runs_free(&m->runs);
    free(m);
}

struct range_many *range_many_copy(const struct range_many *m)
{
    struct range_many *copy = uti_alloc(sizeof *copy);

    range_runs_copy(&copy->runs, &m->runs);
    return copy;
}

bool range_many_equal(const struct range_many *a, const struct range_many *b)
{
    return range_runs_equal(&a->runs, &b->runs);
}

unsigned range_many_runs_up_to_2(const struct range_many *m, struct range *only)
{
    if (m->runs.n == 1)
        *only = m->runs.v[0];
    return m->runs.n < 2 ? m->runs.n : 2;
}

bool range_many_has(const struct range_many *m, uint32_t member)
{
    return range_runs_has(&m->runs, member);
}

uint64_t range_many_count(const struct range_many *m)
{
    return range_runs_count(&m->runs);
}

bool range_many_max(const struct range_many *m, uint32_t *out)
{
    if (m->runs.n == 0)
        return false;
    *out = m->runs.v[m->runs.n - 1].last;
    return true;
}

bool range_many_next_run(const struct range_many *m, uint64_t from, struct range *out)
{
    return range_runs_next(&m->runs, from, out);
}

bool range_many_any_in(const struct range_many *m, uint32_t first, uint32_t last)
{
    struct range r;

    return range_runs_next(&m->runs, first, &r) && r.first <= last;
}

void range_many_add(struct range_many *m, uint32_t first, uint32_t last)
{
    range_runs_add(&m->runs, first, last);
}

void range_many_remove(struct range_many *m, uint32_t first, uint32_t last)
{
    range_runs_remove(&m->runs, first, last);
}

void range_many_unite(struct range_many *m, const struct range_many *other)
{
    range_runs_unite(&m->runs, &other->runs);
}

void range_many_intersect(struct range_many *m, const struct range_many *other)
{
    range_runs_intersect(&m->runs, &other->runs);
}

struct range_many *range_many_intersection(const struct range_many *a, const struct range_many *b)
{
    struct range_many *shared = range_many_copy(a);

    range_many_intersect(shared, b);
    return shared;
}

struct range_many *range_many_within(const struct range_many *m, uint32_t first, uint32_t last)
{
    struct range_runs window = { NULL, 0, 0 };

    range_runs_push(&window, first, last);
    range_runs_intersect(&window, &m->runs);
    return range_many_from_runs(&window);
}

bool range_many_meets(const struct range_many *a, const struct range_many *b)
{
    for (uint32_t i = 0; i < a->runs.n; i++) {
        if (range_many_any_in(b, a->runs.v[i].first, a->runs.v[i].last))
            return true;
    }
    return false;
}

void range_many_subtract(struct range_many *m, const struct range_many *other)
{
    range_runs_subtract(&m->runs, &other->runs);
}

size_t range_many_bytes(const struct range_many *m)
{
    return sizeof *m + m->runs.cap * sizeof *m->runs.v;
}

size_t range_many_fill_bytes(const struct range *v, uint32_t n)
{
    (void)v;
    return sizeof(struct range_many) + n * sizeof *v;
}

/* A run of two bits takes 8 bytes here, so a set may take 32 times its bits. Programs with this
 * form are clients: the one peer that they read is their qmaster, whose sets count as what it has
 * of them. */
size_t range_many_words_bytes(const struct range_words *w)
{
    return sizeof(struct range_many) + w->n * sizeof *w->v;
}
