/* Questions to fragmented range sets: each form answers the same. */
#include "libs/cull/range_many_priv.h"

uint64_t range_many_count(const struct range_many *m)
{
    if (is_strided(m))
        return range_stride_count(&m->stride);
    return is_dense(m) ? m->dense.count : range_runs_count(&m->runs);
}

static uint64_t members_between(const struct range_dense *d)
{
    return (uint64_t)range_dense_max(d) - range_dense_min(d) + 1;
}

/* There are no more runs than members, and between two of them one is missing. */
uint64_t range_many_runs_most(const struct range_many *m)
{
    if (is_strided(m))
        return range_stride_count(&m->stride);
    if (!is_dense(m))
        return m->runs.n;
    uint64_t missing = members_between(&m->dense) - m->dense.count;
    return missing + 1 < m->dense.count ? missing + 1 : m->dense.count;
}

/* one of the two is dense, the other runs */
static bool equal_across(const struct range_many *dense, const struct range_many *runs)
{
    if (dense->dense.count != range_runs_count(&runs->runs))
        return false;
    for (uint32_t i = 0; i < runs->runs.n; i++) {
        struct range r = runs->runs.v[i];
        if (range_words_count_in(&dense->dense.words, r.first, r.last) !=
            (uint64_t)r.last - r.first + 1)
            return false;
    }
    return true;
}

/* the same number of members, the same first and last, and all of them in step */
static bool equals_stride(const struct range_many *m, const struct range_stride *s)
{
    struct range least;
    uint32_t max;

    return range_many_count(m) == range_stride_count(s) && range_many_next_run(m, 0, &least) &&
           least.first == s->first && range_many_max(m, &max) && max == s->last &&
           range_many_has_stride(m, s->first, s->by);
}

bool range_many_equal(const struct range_many *a, const struct range_many *b)
{
    const struct range_words *x = &a->dense.words, *y = &b->dense.words;

    if (a == b)
        return true;
    if (is_strided(a) || is_strided(b))
        return is_strided(a) ? equals_stride(b, &a->stride) : equals_stride(a, &b->stride);
    if (!is_dense(a) && !is_dense(b))
        return range_runs_equal(&a->runs, &b->runs);
    if (is_dense(a) && is_dense(b))
        return a->dense.count == b->dense.count && x->first == y->first && x->n == y->n &&
               memcmp(x->v, y->v, x->n * sizeof *x->v) == 0;
    return is_dense(a) ? equal_across(a, b) : equal_across(b, a);
}

unsigned range_many_runs_up_to_2(const struct range_many *m, struct range *only)
{
    if (is_strided(m)) {
        *only = (struct range){ m->stride.first, m->stride.first };
        return m->stride.first == m->stride.last ? 1 : 2;
    }
    if (!is_dense(m)) {
        if (m->runs.n == 1)
            *only = m->runs.v[0];
        return m->runs.n < 2 ? m->runs.n : 2;
    }
    if (members_between(&m->dense) != m->dense.count)
        return 2;
    *only = (struct range){ range_dense_min(&m->dense), range_dense_max(&m->dense) };
    return 1;
}

bool range_many_has(const struct range_many *m, uint32_t member)
{
    if (is_strided(m))
        return range_stride_has(&m->stride, member);
    return is_dense(m) ? range_words_any_in(&m->dense.words, member, member)
                       : range_runs_has(&m->runs, member);
}

bool range_many_max(const struct range_many *m, uint32_t *out)
{
    if (is_strided(m))
        *out = m->stride.last;
    else if (is_dense(m))
        *out = range_dense_max(&m->dense);
    else if (m->runs.n > 0)
        *out = m->runs.v[m->runs.n - 1].last;
    else
        return false;
    return true;
}

bool range_many_next_run(const struct range_many *m, uint64_t from, struct range *out)
{
    if (is_strided(m))
        return range_stride_next(&m->stride, from, out);
    return is_dense(m) ? range_words_next(&m->dense.words, from, out)
                       : range_runs_next(&m->runs, from, out);
}

bool range_many_any_in(const struct range_many *m, uint32_t first, uint32_t last)
{
    struct range r;

    return is_dense(m) ? range_words_any_in(&m->dense.words, first, last)
                       : range_many_next_run(m, first, &r) && r.first <= last;
}

static bool meets_runs(const struct range_many *m, const struct range_runs *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (range_many_any_in(m, r->v[i].first, r->v[i].last))
            return true;
    }
    return false;
}

static bool meets_stride(const struct range_many *dense, const struct range_stride *s)
{
    return range_words_meet_stride(&dense->dense.words, s->first, s->last, s->by);
}

/* with steps of their own: what B has within the reach of A is laid out */
static bool strides_meet(const struct range_many *a, const struct range_stride *b)
{
    struct range_many plain = { .stride = range_stride_within(b, a->stride.first, a->stride.last) };

    range_many_become_plain(&plain);
    bool do_meet = range_many_meets(a, &plain);
    range_many_clear(&plain);
    return do_meet;
}

bool range_many_meets(const struct range_many *a, const struct range_many *b)
{
    struct range_stride both = a->stride;

    if (is_vector(a) || is_vector(b))
        return is_vector(a) ? meets_runs(b, &a->runs) : meets_runs(a, &b->runs);
    if (is_dense(a) && is_dense(b))
        return range_words_meet(&a->dense.words, &b->dense.words);
    if (is_dense(a) || is_dense(b))
        return is_dense(a) ? meets_stride(a, &b->stride) : meets_stride(b, &a->stride);
    return range_stride_intersect(&both, &b->stride) ? both.by != 0 : strides_meet(a, &b->stride);
}

bool range_many_is_within(const struct range_many *m, const struct range_many *other)
{
    struct range_stride both = m->stride;

    if (m == other)
        return true;
    if (is_strided(m))
        return range_stride_intersect(&both, &other->stride) &&
               range_stride_count(&both) == range_stride_count(&m->stride);
    return is_dense(m) && is_dense(other) &&
           range_words_are_within(&m->dense.words, &other->dense.words);
}

bool range_many_has_stride(const struct range_many *m, uint32_t first, uint32_t stride)
{
    if (is_strided(m))
        return m->stride.first % stride == first % stride &&
               (m->stride.by % stride == 0 || m->stride.first == m->stride.last);
    if (is_dense(m))
        return range_words_have_stride(&m->dense.words, first, stride);
    for (uint32_t i = 0; i < m->runs.n; i++)
        if (m->runs.v[i].first != m->runs.v[i].last || (m->runs.v[i].first - first) % stride != 0)
            return false;
    return true;
}

/* ---- as what it is kept ---- */
const struct range_stride *range_many_stride(const struct range_many *m)
{
    return is_strided(m) ? &m->stride : NULL;
}

const struct range_words *range_many_dense(const struct range_many *m)
{
    return is_dense(m) ? &m->dense.words : NULL;
}

void range_many_words(const struct range_many *m, struct range_words *out)
{
    if (is_strided(m)) {
        range_stride_words(&m->stride, out);
        return;
    }
    if (is_dense(m)) {
        struct range_words mine = range_words_part(&m->dense.words, out->first, out->n);
        if (mine.n > 0)
            memcpy(out->v + (mine.first - out->first), mine.v, mine.n * sizeof *mine.v);
        return;
    }
    uint64_t end = (uint64_t)(out->first + out->n) * RANGE_WORD_BITS;
    for (uint32_t i = range_runs_find(&m->runs, (uint64_t)out->first * RANGE_WORD_BITS);
         i < m->runs.n && m->runs.v[i].first < end; i++)
        range_words_put(out, m->runs.v[i].first, m->runs.v[i].last);
}
