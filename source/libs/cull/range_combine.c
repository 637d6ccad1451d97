/* Changes of fragmented range sets: one with another, and members that come and go. Of strides,
 * what stays a stride is computed; everything else is done with runs and words (range_forms.c). */
#include <stdlib.h>

#include "libs/cull/range_many_priv.h"
#include "libs/uti/alloc.h"

/* ---- members ---- */
static void dense_add(struct range_many *m, uint32_t first, uint32_t last)
{
    if (!range_many_stays_dense(m, first, last))
        range_many_become_runs(m);
    if (is_dense(m))
        range_dense_add(&m->dense, first, last);
    else
        range_runs_add(&m->runs, first, last);
}

void range_many_add(struct range_many *m, uint32_t first, uint32_t last)
{
    if (is_strided(m) && range_stride_add(&m->stride, first, last))
        return;
    range_many_become_plain(m);
    if (is_dense(m)) {
        dense_add(m, first, last);
        return;
    }
    range_runs_add(&m->runs, first, last);
    range_many_settle_runs(m);
}

void range_many_remove(struct range_many *m, uint32_t first, uint32_t last)
{
    if (is_strided(m) && range_stride_remove(&m->stride, first, last))
        return;
    range_many_become_plain(m);
    if (is_dense(m)) {
        range_dense_remove(&m->dense, first, last);
        range_many_settle_members(m);
        return;
    }
    range_runs_remove(&m->runs, first, last);
    range_many_settle_runs(m);
}

/* ---- one with a stride ---- */
/* ACT with M and with what OTHER has of FIRST..LAST, neither of them a stride. What is laid out of
 * OTHER is no more than that. */
static void act_laid_out(struct range_many *m, const struct range_many *other, uint32_t first,
                         uint32_t last,
                         void (*act)(struct range_many *m, const struct range_many *other))
{
    struct range_many part = { .stride = range_stride_within(&other->stride, first, last) };

    range_many_become_plain(m);
    range_many_become_plain(&part);
    act(m, is_strided(other) ? &part : other);
    range_many_clear(&part);
}

static uint32_t least_of(const struct range_many *m)
{
    struct range least = { 0, 0 };

    (void)range_many_next_run(m, 0, &least);
    return least.first;
}

static uint32_t greatest_of(const struct range_many *m)
{
    uint32_t max = 0;

    (void)range_many_max(m, &max);
    return max;
}

/* M, a stride, and OTHER are all members of one run between them: M becomes that */
static bool close_gaps(struct range_many *m, const struct range_stride *other)
{
    const struct range_stride s = m->stride;
    uint32_t first = s.first < other->first ? s.first : other->first;
    uint32_t last = s.last > other->last ? s.last : other->last;
    struct range_stride gaps;

    if (s.by == 0 || other->by == 0 || !range_stride_between(first, last, &s, &gaps) ||
        gaps.first != other->first || gaps.last != other->last || gaps.by != other->by)
        return false;
    range_many_clear(m);
    range_runs_push(&m->runs, first, last);
    return true;
}

static void unite_stride(struct range_many *m, const struct range_many *other)
{
    if (!range_stride_unite(&m->stride, &other->stride) && !close_gaps(m, &other->stride))
        act_laid_out(m, other, 0, UINT32_MAX, range_many_unite);
}

static void intersect_stride(struct range_many *m, const struct range_many *other)
{
    if (range_stride_intersect(&m->stride, &other->stride))
        return;
    if (is_strided(m))
        m->stride = range_stride_within(&m->stride, least_of(other), greatest_of(other));
    act_laid_out(m, other, least_of(m), greatest_of(m), range_many_intersect);
}

/* every other task of an array of which nothing has gone yet: what is left is a stride */
static bool leave_gaps(struct range_many *m, const struct range_stride *other)
{
    const struct range run = m->runs.n == 1 ? m->runs.v[0] : (struct range){ 0, 0 };
    struct range_stride gone = range_stride_within(other, run.first, run.last), left;

    if (m->runs.n != 1 || gone.by == 0 || !range_stride_between(run.first, run.last, &gone, &left))
        return false;
    range_many_clear(m);
    m->stride = left;
    return true;
}

static void subtract_stride(struct range_many *m, const struct range_many *other)
{
    if (!range_stride_subtract(&m->stride, &other->stride) && !leave_gaps(m, &other->stride))
        act_laid_out(m, other, least_of(m), greatest_of(m), range_many_subtract);
}

/* ---- one with another ---- */
static void unite_dense(struct range_many *m, const struct range_many *other)
{
    if (range_many_stays_dense(m, range_dense_min(&other->dense), range_dense_max(&other->dense))) {
        range_dense_unite(&m->dense, &other->dense.words);
        range_many_settle_dense(m);
        return;
    }
    struct range_many *theirs = range_many_copy(other);
    range_many_become_runs(theirs);
    range_many_become_runs(m);
    range_runs_unite(&m->runs, &theirs->runs);
    range_many_free(theirs);
    range_many_settle_runs(m);
}

/* M becomes RESULT, which is taken and has no other holder */
static void replace_by(struct range_many *m, struct range_many *result)
{
    range_many_clear(m);
    m->runs = result->runs;
    m->dense = result->dense;
    m->stride = result->stride;
    free(result);
}

void range_many_unite(struct range_many *m, const struct range_many *other)
{
    if (is_strided(m) || is_strided(other)) {
        unite_stride(m, other);
    } else if (!is_dense(m) && !is_dense(other)) {
        range_runs_unite(&m->runs, &other->runs);
        range_many_settle_runs(m);
    } else if (is_dense(m) && is_dense(other)) {
        unite_dense(m, other);
    } else if (is_dense(other)) {
        struct range_many *sum = range_many_copy(other);
        range_many_unite(sum, m);
        replace_by(m, sum);
    } else {
        for (uint32_t i = 0; i < other->runs.n; i++)
            range_many_add(m, other->runs.v[i].first, other->runs.v[i].last);
    }
}

/* what M, which is dense, has between the runs of KEPT goes */
static void remove_between(struct range_many *m, const struct range_runs *kept)
{
    uint64_t from = 0;

    for (uint32_t i = 0; i < kept->n; i++) {
        if (kept->v[i].first > from)
            range_dense_remove(&m->dense, (uint32_t)from, kept->v[i].first - 1);
        from = (uint64_t)kept->v[i].last + 1;
    }
    range_dense_remove(&m->dense, (uint32_t)from, UINT32_MAX);
    range_many_settle_dense(m);
}

/* Is it less work to look at the members of R one by one than at the words from its first to its
 * last? */
static bool is_sparse(const struct range_runs *r)
{
    return r->n == 0 || range_runs_count(r) < words_within(r->v[0].first, r->v[r->n - 1].last);
}

/* ... what DENSE has of them */
static struct range_runs pick_from(const struct range_words *dense, const struct range_runs *r)
{
    struct range_runs out = { NULL, 0, 0 };
    struct range run;

    for (uint32_t i = 0; i < r->n; i++) {
        uint64_t at = r->v[i].first, last = r->v[i].last;
        for (; at <= last && range_words_any_in(dense, (uint32_t)at, (uint32_t)last) &&
               range_words_next(dense, at, &run);
             at = (uint64_t)run.last + 1)
            range_runs_push(&out, run.first, run.last < last ? run.last : (uint32_t)last);
    }
    return out;
}

/* new: what DENSE has of FIRST..LAST */
static struct range_many *part_of(const struct range_words *dense, uint32_t first, uint32_t last)
{
    struct range_words part =
        range_words_part(dense, first / RANGE_WORD_BITS, words_within(first, last));
    struct range_words w = { uti_alloc((part.n + 1) * sizeof *w.v), part.first, part.n };

    memcpy(w.v, part.v, part.n * sizeof *w.v);
    if (first > 0)
        range_words_take_out(&w, 0, first - 1);
    if (last < UINT32_MAX)
        range_words_take_out(&w, last + 1, UINT32_MAX);
    return range_many_take_words(&w, range_words_count(&w));
}

static struct range_many *intersection_across(const struct range_many *dense,
                                              const struct range_runs *r)
{
    if (is_sparse(r)) {
        struct range_runs few = pick_from(&dense->dense.words, r);
        return range_many_from_runs(&few);
    }
    struct range_many *shared = part_of(&dense->dense.words, r->v[0].first, r->v[r->n - 1].last);
    range_many_become_plain(shared);
    if (is_dense(shared))
        remove_between(shared, r);
    else
        range_runs_intersect(&shared->runs, r);
    return shared;
}

void range_many_intersect(struct range_many *m, const struct range_many *other)
{
    if (is_strided(m) || is_strided(other)) {
        intersect_stride(m, other);
    } else if (!is_dense(m) && !is_dense(other)) {
        range_runs_intersect(&m->runs, &other->runs);
        range_many_settle_runs(m);
    } else if (is_dense(m) && is_dense(other)) {
        range_dense_intersect(&m->dense, &other->dense.words);
        range_many_settle_dense(m);
    } else if (is_dense(m)) {
        remove_between(m, &other->runs);
    } else {
        replace_by(m, intersection_across(other, &m->runs));
    }
}

struct range_many *range_many_intersection(struct range_many *a, struct range_many *b)
{
    if (range_many_is_within(a, b))
        return range_many_hold(a);
    if (is_strided(a) || is_strided(b)) {
        struct range_many *shared = range_many_copy(is_strided(a) ? a : b);
        range_many_intersect(shared, is_strided(a) ? b : a);
        return shared;
    }
    if (is_dense(a) != is_dense(b))
        return is_dense(a) ? intersection_across(a, &b->runs) : intersection_across(b, &a->runs);
    if (!is_dense(a)) {
        struct range_many *shared = range_many_copy(a);
        range_many_intersect(shared, b);
        return shared;
    }
    struct range_words x = range_words_part(&a->dense.words, b->dense.words.first,
                                            b->dense.words.n),
                       y = range_words_part(&b->dense.words, x.first, x.n);
    struct range_words both = { uti_alloc((y.n + 1) * sizeof *both.v), x.first, y.n };
    for (uint32_t i = 0; i < y.n; i++)
        both.v[i] = x.v[i] & y.v[i];
    return range_many_take_words(&both, range_words_count(&both));
}

struct range_many *range_many_within(struct range_many *m, uint32_t first, uint32_t last)
{
    struct range_runs window = { NULL, 0, 0 };

    if (!is_vector(m) && first <= least_of(m) && greatest_of(m) <= last)
        return range_many_hold(m);
    if (is_strided(m)) {
        struct range_many *part = range_many_copy(m);
        part->stride = range_stride_within(&m->stride, first, last);
        return part;
    }
    if (is_dense(m))
        return part_of(&m->dense.words, first, last);
    range_runs_push(&window, first, last);
    range_runs_intersect(&window, &m->runs);
    return range_many_from_runs(&window);
}

/* M, of runs, without what DENSE has */
static void subtract_dense(struct range_many *m, const struct range_words *dense)
{
    struct range_runs *r = &m->runs;

    if (is_sparse(r)) {
        struct range_runs gone = pick_from(dense, r);
        range_runs_subtract(r, &gone);
        range_runs_free(&gone);
        range_many_settle_runs(m);
        return;
    }
    range_many_become_dense(m);
    range_dense_subtract(&m->dense, dense);
    range_many_settle_dense(m);
}

void range_many_subtract(struct range_many *m, const struct range_many *other)
{
    if (is_strided(m) || is_strided(other)) {
        subtract_stride(m, other);
    } else if (!is_dense(m) && !is_dense(other)) {
        range_runs_subtract(&m->runs, &other->runs);
        range_many_settle_runs(m);
    } else if (!is_dense(m)) {
        subtract_dense(m, &other->dense.words);
    } else if (is_dense(other)) {
        range_dense_subtract(&m->dense, &other->dense.words);
        range_many_settle_dense(m);
    } else {
        for (uint32_t i = 0; i < other->runs.n; i++)
            range_dense_remove(&m->dense, other->runs.v[i].first, other->runs.v[i].last);
        range_many_settle_members(m);
    }
}
