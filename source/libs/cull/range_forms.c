/* The forms of fragmented range sets: a vector of runs while there are few, then words, a bit for
 * each number, or three numbers when it is every n-th.
 *
 * Invariants: a set has members in one form only. It becomes dense only when it has many runs, and
 * each stands for few words: then neither a set with a few holes nor one with far-apart members (as
 * hostile bytes may ask for) takes much more memory than its runs. It becomes runs again when few
 * are left. A set is a stride when it was made as one, or when somebody who has looked at all words
 * anyway sees that it has become one: what `-t 1-10000000:2` leaves and takes away is 12 bytes, not
 * 1.2 MiB. A change that leaves no stride makes words or runs of it, and no single member brings it
 * back, so that a set does not swing between the forms. All of them answer the same; the test goes
 * over all.
 *
 * Copies are one set with several holders until one of them changes (range_many_own): of ten
 * million tasks the event, the lists of the job and those of its successors mostly say the same.
 * Whoever changes a set is its only holder. */
#include <stdlib.h>

#include "libs/cull/range_many_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

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

/* ---- runs and words ---- */
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

static struct range_runs runs_of_words(const struct range_words *w)
{
    struct range_runs runs = { NULL, 0, 0 };
    struct range r;

    for (uint64_t at = 0; range_words_next(w, at, &r); at = (uint64_t)r.last + 1)
        range_runs_push(&runs, r.first, r.last);
    return runs;
}

void range_many_become_runs(struct range_many *m)
{
    m->runs = runs_of_words(&m->dense.words);
    range_dense_free(&m->dense);
}

void range_many_become_dense(struct range_many *m)
{
    const struct range_runs *r = &m->runs;
    struct range_words w = range_words_new(r->v[0].first, r->v[r->n - 1].last);

    for (uint32_t i = 0; i < r->n; i++)
        range_words_put(&w, r->v[i].first, r->v[i].last);
    range_dense_take(&m->dense, &w, range_runs_count(r));
    range_runs_free(&m->runs);
}

void range_many_settle_runs(struct range_many *m)
{
    if (dense_words_of(m->runs.v, m->runs.n) != 0)
        range_many_become_dense(m);
}

void range_many_settle_members(struct range_many *m)
{
    uint64_t few = m->dense.words.n / WORDS_OF_A_MEMBER;

    if (m->dense.count < RUNS_FROM_MEMBERS || m->dense.count < few)
        range_many_become_runs(m);
}

void range_many_settle_dense(struct range_many *m)
{
    uint64_t few = m->dense.words.n / WORDS_OF_A_MEMBER;

    if (range_stride_of_words(&m->dense.words, m->dense.count, &m->stride))
        range_dense_free(&m->dense);
    else if (!range_words_has_more_runs(&m->dense.words,
                                        few > RUNS_FROM_RUNS ? few : RUNS_FROM_RUNS))
        range_many_become_runs(m);
}

bool range_many_stays_dense(const struct range_many *m, uint32_t first, uint32_t last)
{
    uint32_t words = range_dense_room_for(&m->dense, first, last);

    return words == 0 || range_words_has_more_runs(&m->dense.words, words / WORDS_OF_A_RUN);
}

/* ---- strides ---- */
static struct range_runs runs_of_stride(const struct range_stride *s)
{
    struct range_runs runs = { NULL, 0, 0 };

    for (uint64_t at = s->first; at <= s->last; at += s->by)
        range_runs_push(&runs, (uint32_t)at, (uint32_t)at);
    return runs;
}

void range_many_become_plain(struct range_many *m)
{
    struct range_stride s = m->stride;
    uint64_t count = range_stride_count(&s);

    if (count == 0)
        return;
    m->stride = (struct range_stride){ 0 };
    if (!suits_words(count, words_within(s.first, s.last))) {
        m->runs = runs_of_stride(&s);
        return;
    }
    struct range_words w = range_words_new(s.first, s.last);
    range_stride_words(&s, &w);
    range_dense_take(&m->dense, &w, count);
}

/* ---- makers ---- */
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
    range_many_settle_runs(m);
    return m;
}

struct range_many *range_many_from_stride(uint32_t first, uint32_t last, uint32_t by)
{
    struct range_many *m = many_new();

    ASSERT(by > 1);
    m->stride = (struct range_stride){ first, last - (last - first) % by, by };
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
    if (!is_dense_of(&used)) {
        m->runs = runs_of_words(&used);
    } else if (!range_stride_of_words(&used, count, &m->stride)) {
        range_dense_take(&m->dense, w, count);
        return m;
    }
    free(w->v);
    *w = (struct range_words){ NULL, 0, 0 };
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
void range_many_clear(struct range_many *m)
{
    range_runs_free(&m->runs);
    range_dense_free(&m->dense);
    m->stride = (struct range_stride){ 0 };
}

void range_many_free(struct range_many *m)
{
    if (m == NULL || atomic_fetch_sub_explicit(&m->holders, 1, memory_order_acq_rel) > 1)
        return;
    range_many_clear(m);
    free(m);
}

struct range_many *range_many_hold(struct range_many *m)
{
    atomic_fetch_add_explicit(&m->holders, 1, memory_order_relaxed);
    return m;
}

struct range_many *range_many_copy(const struct range_many *m)
{
    struct range_many *copy = many_new();

    copy->stride = m->stride;
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
    struct range_many *own = range_many_copy(m);
    range_many_free(m);
    return own;
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
