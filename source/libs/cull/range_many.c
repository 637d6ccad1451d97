/* Fragmented range sets: a vector of runs while there are few, then words, a bit for each number.
 *
 * Invariants: `dense.room.v` NULL = the members are in `runs`; else `runs` is empty, and there are
 * enough members that the words take little more than the runs would. A set becomes dense only when
 * it has many runs, and each stands for few words: then neither a set with a few holes nor one with
 * far-apart members (as hostile bytes may ask for) takes much more memory than its runs. It becomes
 * runs again when few are left. Both forms answer the same; the test goes over both.
 *
 * Copies are one set with several holders until one of them changes (range_many_own): of ten
 * million tasks the event, the lists of the job and those of its successors mostly say the same.
 * Whoever changes a set is its only holder. */
#include "libs/cull/range_many.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "libs/cull/range_dense.h"
#include "libs/uti/alloc.h"

enum {
    DENSE_FROM_RUNS = 1024, /* with fewer runs the vector is smaller and as fast */
    /* with fewer the vector is smaller: 32 bytes for each of these runs, and a packed run has two
     * bytes at least (pack.h says what bytes of a peer may cost) */
    WORDS_OF_A_RUN = 4,
    /* fewer by far, so that a set does not swing between the forms */
    RUNS_FROM_RUNS = DENSE_FROM_RUNS / 2,
    RUNS_FROM_MEMBERS = 64,
    WORDS_OF_A_MEMBER = 2 * WORDS_OF_A_RUN
};

struct range_many {
    atomic_uint holders;
    struct range_runs runs;
    struct range_dense dense;
};

/* ---- the two forms ---- */
static bool is_dense(const struct range_many *m)
{
    return m->dense.room.v != NULL;
}

/* how many words FIRST..LAST are */
static uint32_t words_within(uint32_t first, uint32_t last)
{
    return last / RANGE_WORD_BITS - first / RANGE_WORD_BITS + 1;
}

static bool suits_words(uint64_t runs, uint64_t words)
{
    return runs > DENSE_FROM_RUNS && words / WORDS_OF_A_RUN < runs;
}

/* how many words V would be, 0 if it stays a vector */
static uint32_t dense_words_of(const struct range *v, uint32_t n)
{
    uint32_t words = n > 0 ? words_within(v[0].first, v[n - 1].last) : 0;

    return suits_words(n, words) ? words : 0;
}

/* the runs of V as bits of words for FIRST..LAST; new: free(w.v) */
static struct range_words words_of_runs(const struct range_runs *r, uint32_t first, uint32_t last)
{
    struct range_words w = range_words_new(first, last);

    for (uint32_t i = 0; i < r->n; i++)
        range_words_put(&w, r->v[i].first, r->v[i].last);
    return w;
}

static struct range_runs runs_of_words(const struct range_words *w)
{
    struct range_runs runs = { NULL, 0, 0 };
    struct range r;

    for (uint64_t at = 0; range_words_next(w, at, &r); at = (uint64_t)r.last + 1)
        range_runs_push(&runs, r.first, r.last);
    return runs;
}

static void become_runs(struct range_many *m)
{
    m->runs = runs_of_words(&m->dense.words);
    range_dense_free(&m->dense);
}

/* M, of runs, becomes dense if that fits what the set has become */
static void settle_runs(struct range_many *m)
{
    const struct range_runs *r = &m->runs;

    if (dense_words_of(r->v, r->n) == 0)
        return;
    struct range_words w = words_of_runs(r, r->v[0].first, r->v[r->n - 1].last);
    range_dense_take(&m->dense, &w, range_runs_count(r));
    range_runs_free(&m->runs);
}

/* M, dense, becomes runs if it has few members */
static void settle_members(struct range_many *m)
{
    uint64_t few = m->dense.words.n / WORDS_OF_A_MEMBER;

    if (m->dense.count < RUNS_FROM_MEMBERS || m->dense.count < few)
        become_runs(m);
}

/* ... or few runs: O(words), for what has looked at all of them */
static void settle_dense(struct range_many *m)
{
    uint64_t few = m->dense.words.n / WORDS_OF_A_MEMBER;

    if (!range_words_has_more_runs(&m->dense.words, few > RUNS_FROM_RUNS ? few : RUNS_FROM_RUNS))
        become_runs(m);
}

/* empty, and the caller's */
static struct range_many *many_new(void)
{
    struct range_many *m = uti_calloc(1, sizeof *m);

    atomic_init(&m->holders, 1);
    return m;
}

struct range_many *range_many_from_runs(struct range_runs *runs)
{
    struct range_many *m = many_new();

    m->runs = *runs;
    *runs = (struct range_runs){ NULL, 0, 0 };
    settle_runs(m);
    return m;
}

/* would a set of these bits, without words of 0 at its ends, be dense? */
static bool is_dense_of(const struct range_words *w)
{
    uint64_t few = w->n / WORDS_OF_A_RUN;

    return range_words_has_more_runs(w, few > DENSE_FROM_RUNS ? few : DENSE_FROM_RUNS);
}

struct range_many *range_many_take_words(struct range_words *w, uint64_t count)
{
    struct range_many *m = many_new();
    struct range_words used = *w;

    range_words_trim(&used);
    if (is_dense_of(&used)) {
        range_dense_take(&m->dense, w, count);
    } else {
        m->runs = runs_of_words(&used);
        free(w->v);
        *w = (struct range_words){ NULL, 0, 0 };
    }
    return m;
}

struct range_many *range_many_from_words(const struct range_words *w)
{
    struct range_words used = *w;

    range_words_trim(&used);
    struct range_words copy = { uti_alloc((used.n + 1) * sizeof *used.v), used.first, used.n };
    memcpy(copy.v, used.v, used.n * sizeof *used.v);
    return range_many_take_words(&copy, range_words_count(&copy));
}

/* ---- holders ---- */
static void clear_members(struct range_many *m)
{
    range_runs_free(&m->runs);
    range_dense_free(&m->dense);
}

void range_many_free(struct range_many *m)
{
    if (m == NULL || atomic_fetch_sub_explicit(&m->holders, 1, memory_order_acq_rel) > 1)
        return;
    clear_members(m);
    free(m);
}

struct range_many *range_many_hold(struct range_many *m)
{
    atomic_fetch_add_explicit(&m->holders, 1, memory_order_relaxed);
    return m;
}

/* new: with memory of its own */
static struct range_many *copy_of(const struct range_many *m)
{
    struct range_many *copy = many_new();

    if (is_dense(m))
        range_dense_copy(&copy->dense, &m->dense);
    else
        range_runs_copy(&copy->runs, &m->runs);
    return copy;
}

struct range_many *range_many_own(struct range_many *m)
{
    if (atomic_load_explicit(&m->holders, memory_order_acquire) == 1)
        return m;
    struct range_many *own = copy_of(m);
    range_many_free(m);
    return own;
}

/* ---- as words ---- */
const struct range_words *range_many_dense(const struct range_many *m)
{
    return is_dense(m) ? &m->dense.words : NULL;
}

void range_many_words(const struct range_many *m, struct range_words *out)
{
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

/* ---- questions ---- */
uint64_t range_many_count(const struct range_many *m)
{
    return is_dense(m) ? m->dense.count : range_runs_count(&m->runs);
}

static uint64_t members_between(const struct range_dense *d)
{
    return (uint64_t)range_dense_max(d) - range_dense_min(d) + 1;
}

/* There are no more runs than members, and between two of them one is missing. */
uint64_t range_many_runs_most(const struct range_many *m)
{
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

bool range_many_equal(const struct range_many *a, const struct range_many *b)
{
    const struct range_words *x = &a->dense.words, *y = &b->dense.words;

    if (a == b)
        return true;
    if (!is_dense(a) && !is_dense(b))
        return range_runs_equal(&a->runs, &b->runs);
    if (is_dense(a) && is_dense(b))
        return a->dense.count == b->dense.count && x->first == y->first && x->n == y->n &&
               memcmp(x->v, y->v, x->n * sizeof *x->v) == 0;
    return is_dense(a) ? equal_across(a, b) : equal_across(b, a);
}

unsigned range_many_runs_up_to_2(const struct range_many *m, struct range *only)
{
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
    return is_dense(m) ? range_words_any_in(&m->dense.words, member, member)
                       : range_runs_has(&m->runs, member);
}

bool range_many_max(const struct range_many *m, uint32_t *out)
{
    if (!is_dense(m) && m->runs.n == 0)
        return false;
    *out = is_dense(m) ? range_dense_max(&m->dense) : m->runs.v[m->runs.n - 1].last;
    return true;
}

bool range_many_next_run(const struct range_many *m, uint64_t from, struct range *out)
{
    return is_dense(m) ? range_words_next(&m->dense.words, from, out)
                       : range_runs_next(&m->runs, from, out);
}

bool range_many_any_in(const struct range_many *m, uint32_t first, uint32_t last)
{
    struct range r;

    return is_dense(m) ? range_words_any_in(&m->dense.words, first, last)
                       : range_runs_next(&m->runs, first, &r) && r.first <= last;
}

bool range_many_meets(const struct range_many *a, const struct range_many *b)
{
    const struct range_many *few = is_dense(a) ? b : a, *other = few == a ? b : a;

    if (is_dense(few))
        return range_words_meet(&a->dense.words, &b->dense.words);
    for (uint32_t i = 0; i < few->runs.n; i++) {
        if (range_many_any_in(other, few->runs.v[i].first, few->runs.v[i].last))
            return true;
    }
    return false;
}

bool range_many_is_within(const struct range_many *m, const struct range_many *other)
{
    return m == other || (is_dense(m) && is_dense(other) &&
                          range_words_are_within(&m->dense.words, &other->dense.words));
}

bool range_many_has_stride(const struct range_many *m, uint32_t first, uint32_t stride)
{
    if (is_dense(m))
        return range_words_have_stride(&m->dense.words, first, stride);
    for (uint32_t i = 0; i < m->runs.n; i++)
        if (m->runs.v[i].first != m->runs.v[i].last || (m->runs.v[i].first - first) % stride != 0)
            return false;
    return true;
}

/* ---- changes ---- */
/* Is the memory of the set bounded when it stays dense and has FIRST..LAST, too? Looks at all words
 * only when it needs more of them. */
static bool stays_dense(const struct range_many *m, uint32_t first, uint32_t last)
{
    uint32_t words = range_dense_room_for(&m->dense, first, last);

    return words == 0 || range_words_has_more_runs(&m->dense.words, words / WORDS_OF_A_RUN);
}

static void dense_add(struct range_many *m, uint32_t first, uint32_t last)
{
    if (!stays_dense(m, first, last))
        become_runs(m);
    if (is_dense(m))
        range_dense_add(&m->dense, first, last);
    else
        range_runs_add(&m->runs, first, last);
}

void range_many_add(struct range_many *m, uint32_t first, uint32_t last)
{
    if (is_dense(m)) {
        dense_add(m, first, last);
        return;
    }
    range_runs_add(&m->runs, first, last);
    settle_runs(m);
}

void range_many_remove(struct range_many *m, uint32_t first, uint32_t last)
{
    if (is_dense(m)) {
        range_dense_remove(&m->dense, first, last);
        settle_members(m);
        return;
    }
    range_runs_remove(&m->runs, first, last);
    settle_runs(m);
}

static void unite_dense(struct range_many *m, const struct range_many *other)
{
    if (stays_dense(m, range_dense_min(&other->dense), range_dense_max(&other->dense))) {
        range_dense_unite(&m->dense, &other->dense.words);
        settle_dense(m);
        return;
    }
    struct range_runs theirs = runs_of_words(&other->dense.words);
    become_runs(m);
    range_runs_unite(&m->runs, &theirs);
    range_runs_free(&theirs);
    settle_runs(m);
}

/* M becomes RESULT, which is taken and has no other holder */
static void replace_by(struct range_many *m, struct range_many *result)
{
    clear_members(m);
    m->runs = result->runs;
    m->dense = result->dense;
    free(result);
}

void range_many_unite(struct range_many *m, const struct range_many *other)
{
    if (!is_dense(m) && !is_dense(other)) {
        range_runs_unite(&m->runs, &other->runs);
        settle_runs(m);
    } else if (is_dense(m) && is_dense(other)) {
        unite_dense(m, other);
    } else if (is_dense(other)) {
        struct range_many *sum = copy_of(other);
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
    settle_dense(m);
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
    if (is_dense(shared))
        remove_between(shared, r);
    else
        range_runs_intersect(&shared->runs, r);
    return shared;
}

void range_many_intersect(struct range_many *m, const struct range_many *other)
{
    if (!is_dense(m) && !is_dense(other)) {
        range_runs_intersect(&m->runs, &other->runs);
        settle_runs(m);
    } else if (is_dense(m) && is_dense(other)) {
        range_dense_intersect(&m->dense, &other->dense.words);
        settle_dense(m);
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
    if (is_dense(a) != is_dense(b))
        return is_dense(a) ? intersection_across(a, &b->runs) : intersection_across(b, &a->runs);
    if (!is_dense(a)) {
        struct range_many *shared = copy_of(a);
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

    if (is_dense(m) && first <= range_dense_min(&m->dense) && range_dense_max(&m->dense) <= last)
        return range_many_hold(m);
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
        settle_runs(m);
        return;
    }
    struct range_words w = words_of_runs(r, r->v[0].first, r->v[r->n - 1].last);
    range_dense_take(&m->dense, &w, range_runs_count(r));
    range_runs_free(r);
    range_dense_subtract(&m->dense, dense);
    settle_dense(m);
}

void range_many_subtract(struct range_many *m, const struct range_many *other)
{
    if (!is_dense(m) && !is_dense(other)) {
        range_runs_subtract(&m->runs, &other->runs);
        settle_runs(m);
    } else if (!is_dense(m)) {
        subtract_dense(m, &other->dense.words);
    } else if (is_dense(other)) {
        range_dense_subtract(&m->dense, &other->dense.words);
        settle_dense(m);
    } else {
        for (uint32_t i = 0; i < other->runs.n; i++)
            range_dense_remove(&m->dense, other->runs.v[i].first, other->runs.v[i].last);
        settle_members(m);
    }
}

/* ---- memory ---- */
size_t range_many_fill_bytes(const struct range *v, uint32_t n)
{
    uint32_t words = dense_words_of(v, n);

    return sizeof(struct range_many) + (words > 0 ? words * sizeof(uint64_t) : n * sizeof *v);
}

size_t range_many_bytes(const struct range_many *m)
{
    return sizeof *m + m->runs.cap * sizeof *m->runs.v + m->dense.room.n * sizeof(uint64_t);
}

size_t range_many_words_bytes(const struct range_words *w)
{
    struct range_words used = *w;

    range_words_trim(&used);
    return sizeof(struct range_many) + (is_dense_of(&used)
                                            ? used.n * sizeof *used.v
                                            : 2 * range_words_runs(&used) * sizeof(struct range));
}
