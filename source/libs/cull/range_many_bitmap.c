/* Fragmented range sets for daemons: a vector of runs while there are few, then a compressed bitmap
 * (CRoaring).
 *
 * Invariants: `bitmap` NULL = the members are in `runs`; else `runs` is empty and `count` is the
 * number of members. A set becomes a bitmap only when each container of the bitmap would stand for
 * many runs: then neither a set with a few holes nor one with far-apart members (as hostile bytes
 * may ask for) takes much more memory than its runs. It becomes runs again when few members are
 * left. The bitmap is kept without run containers where we make it: taking a member out of one of
 * those costs time in proportion to its runs. Both forms answer the same; the test goes over
 * both. */
#include <stdlib.h>

#include "libs/cull/bitmap_runs.h"
#include "libs/cull/bitmap_words.h"
#include "libs/cull/range_many.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

enum {
    BITMAP_FROM_RUNS = 1024, /* with fewer runs the vector is smaller and as fast */
    /* with fewer the vector is smaller: a container may take 8 KiB, which is 32 bytes for each of
     * these runs, and a packed run has two bytes at least (pack.h says what bytes of a peer may
     * cost) */
    RUNS_PER_CONTAINER = 256,
    CONTAINER_BYTES = 8192 + 32,
    RUNS_FROM_MEMBERS = 64,      /* far below, so that a set does not swing between the forms */
    RUNS_PER_WORD_LOOKED_AT = 64 /* looking a run up costs as much as looking at so many words */
};

struct range_many {
    struct range_runs runs;
    roaring_bitmap_t *bitmap; /* owned */
    uint64_t count;           /* members of bitmap */
};

/* ---- the two forms ---- */
static roaring_bitmap_t *bitmap_of_runs(const struct range_runs *r)
{
    roaring_bitmap_t *b = roaring_bitmap_create();

    ASSERT(b != NULL);
    for (uint32_t i = 0; i < r->n; i++)
        bitmap_add_range(b, r->v[i].first, r->v[i].last);
    return b;
}

static void become_bitmap(struct range_many *m);

static void become_runs(struct range_many *m)
{
    struct range_runs runs = { NULL, 0, 0 };
    struct range r;

    for (uint64_t at = 0; range_many_next_run(m, at, &r); at = (uint64_t)r.last + 1)
        range_runs_push(&runs, r.first, r.last);
    roaring_bitmap_free(m->bitmap);
    m->bitmap = NULL;
    m->runs = runs;
}

/* how many containers V would have as a bitmap, 0 if it stays a vector */
static uint32_t containers_of(const struct range *v, uint32_t n)
{
    if (n <= BITMAP_FROM_RUNS)
        return 0;
    uint32_t containers = (v[n - 1].last >> CONTAINER_BITS) - (v[0].first >> CONTAINER_BITS) + 1;
    return n / RUNS_PER_CONTAINER > containers ? containers : 0;
}

/* choose the form that fits what the set has become */
static void settle_form(struct range_many *m)
{
    if (m->bitmap != NULL) {
        if (m->count < RUNS_FROM_MEMBERS)
            become_runs(m);
        return;
    }
    if (containers_of(m->runs.v, m->runs.n) > 0)
        become_bitmap(m);
}

struct range_many *range_many_from_runs(struct range_runs *runs)
{
    struct range_many *m = uti_calloc(1, sizeof *m);

    m->runs = *runs;
    *runs = (struct range_runs){ NULL, 0, 0 };
    settle_form(m);
    return m;
}

void range_many_free(struct range_many *m)
{
    if (m == NULL)
        return;
    range_runs_free(&m->runs);
    if (m->bitmap != NULL)
        roaring_bitmap_free(m->bitmap);
    free(m);
}

struct range_many *range_many_copy(const struct range_many *m)
{
    struct range_many *copy = uti_calloc(1, sizeof *copy);

    if (m->bitmap != NULL) {
        copy->bitmap = roaring_bitmap_copy(m->bitmap);
        ASSERT(copy->bitmap != NULL);
        copy->count = m->count;
    } else {
        range_runs_copy(&copy->runs, &m->runs);
    }
    return copy;
}

/* ---- as words ---- */
void range_many_words(const struct range_many *m, struct range_words *out)
{
    if (m->bitmap != NULL) {
        bitmap_to_words(m->bitmap, out);
    } else {
        uint64_t end = (uint64_t)(out->first + out->n) * RANGE_WORD_BITS;
        for (uint32_t i = range_runs_find(&m->runs, (uint64_t)out->first * RANGE_WORD_BITS);
             i < m->runs.n && m->runs.v[i].first < end; i++)
            range_words_put(out, m->runs.v[i].first, m->runs.v[i].last);
    }
}

/* There are no more runs than members, and between two of them one is missing. */
uint64_t range_many_runs_most(const struct range_many *m)
{
    uint32_t last;
    struct range r;

    if (m->bitmap == NULL)
        return m->runs.n;
    if (!range_many_max(m, &last) || !range_many_next_run(m, 0, &r))
        return 0;
    uint64_t missing = (uint64_t)last - r.first + 1 - m->count;
    return missing + 1 < m->count ? missing + 1 : m->count;
}

bool range_many_is_dense(const struct range_many *m)
{
    uint32_t last;
    struct range r;

    if (m->bitmap == NULL || !range_many_max(m, &last) || !range_many_next_run(m, 0, &r))
        return false;
    return m->count >= (last - r.first) / (RANGE_WORD_BITS * RUNS_PER_WORD_LOOKED_AT);
}

/* would a set of these bits be a bitmap? */
static bool is_bitmap_of(const struct range_words *w)
{
    uint64_t containers = w->n / WORDS_PER_CONTAINER + 1,
             as_runs = (containers + 1) * RUNS_PER_CONTAINER - 1;

    return range_words_has_more_runs(w, as_runs > BITMAP_FROM_RUNS ? as_runs : BITMAP_FROM_RUNS);
}

struct range_many *range_many_from_words(const struct range_words *w)
{
    struct range_runs runs = { NULL, 0, 0 };
    struct range r;

    if (is_bitmap_of(w)) {
        struct range_many *m = uti_calloc(1, sizeof *m);
        m->bitmap = bitmap_of_words(w, &m->count);
        return m;
    }
    for (uint64_t at = 0; range_words_next(w, at, &r); at = (uint64_t)r.last + 1)
        range_runs_push(&runs, r.first, r.last);
    return range_many_from_runs(&runs);
}

/* many runs in few containers are put together as bits; a few are added one by one */
static void become_bitmap(struct range_many *m)
{
    if (m->bitmap != NULL)
        return;
    if (containers_of(m->runs.v, m->runs.n) == 0) {
        m->bitmap = bitmap_of_runs(&m->runs);
        m->count = range_runs_count(&m->runs);
    } else {
        struct range_words w = range_words_new(m->runs.v[0].first, m->runs.v[m->runs.n - 1].last);
        for (uint32_t i = 0; i < m->runs.n; i++)
            range_words_put(&w, m->runs.v[i].first, m->runs.v[i].last);
        m->bitmap = bitmap_of_words(&w, &m->count);
        free(w.v);
    }
    range_runs_free(&m->runs);
}

/* ---- questions ---- */
uint64_t range_many_count(const struct range_many *m)
{
    return m->bitmap != NULL ? m->count : range_runs_count(&m->runs);
}

/* one of the two is a bitmap, the other runs */
static bool equal_across(const struct range_many *bits, const struct range_many *runs)
{
    if (bits->count != range_runs_count(&runs->runs))
        return false;
    for (uint32_t i = 0; i < runs->runs.n; i++) {
        struct range r = runs->runs.v[i];
        if (roaring_bitmap_range_cardinality(bits->bitmap, r.first, (uint64_t)r.last + 1) !=
            (uint64_t)r.last - r.first + 1)
            return false;
    }
    return true;
}

bool range_many_equal(const struct range_many *a, const struct range_many *b)
{
    if (a->bitmap == NULL && b->bitmap == NULL)
        return range_runs_equal(&a->runs, &b->runs);
    if (a->bitmap != NULL && b->bitmap != NULL)
        return a->count == b->count && roaring_bitmap_equals(a->bitmap, b->bitmap);
    return a->bitmap != NULL ? equal_across(a, b) : equal_across(b, a);
}

unsigned range_many_runs_up_to_2(const struct range_many *m, struct range *only)
{
    if (m->bitmap == NULL) {
        if (m->runs.n == 1)
            *only = m->runs.v[0];
        return m->runs.n < 2 ? m->runs.n : 2;
    }
    if (m->count == 0)
        return 0;
    uint32_t first = roaring_bitmap_minimum(m->bitmap);
    /* If there is one run, these are members. So the common case, several runs, need not ask for
     * the maximum, which looks at a whole container. */
    for (uint64_t ahead = m->count - 1; ahead > 0; ahead /= 2)
        if (!roaring_bitmap_contains(m->bitmap, first + (uint32_t)ahead))
            return 2;
    uint32_t last = roaring_bitmap_maximum(m->bitmap);
    if ((uint64_t)last - first + 1 != m->count)
        return 2;
    *only = (struct range){ first, last };
    return 1;
}

bool range_many_has(const struct range_many *m, uint32_t member)
{
    return m->bitmap != NULL ? roaring_bitmap_contains(m->bitmap, member)
                             : range_runs_has(&m->runs, member);
}

bool range_many_max(const struct range_many *m, uint32_t *out)
{
    if (range_many_count(m) == 0)
        return false;
    *out = m->bitmap != NULL ? roaring_bitmap_maximum(m->bitmap) : m->runs.v[m->runs.n - 1].last;
    return true;
}

bool range_many_next_run(const struct range_many *m, uint64_t from, struct range *out)
{
    if (m->bitmap == NULL)
        return range_runs_next(&m->runs, from, out);
    return from < UINT32_MAX && bitmap_next_run(m->bitmap, (uint32_t)from, out);
}

bool range_many_any_in(const struct range_many *m, uint32_t first, uint32_t last)
{
    struct range r;
    roaring_uint32_iterator_t it;

    if (m->bitmap == NULL)
        return range_runs_next(&m->runs, first, &r) && r.first <= last;
    roaring_init_iterator(m->bitmap, &it);
    return it.has_value && roaring_move_uint32_iterator_equalorlarger(&it, first) &&
           it.current_value <= last;
}

/* ---- changes ---- */
static void bitmap_add(struct range_many *m, uint32_t first, uint32_t last)
{
    if (first == last) {
        m->count += roaring_bitmap_add_checked(m->bitmap, first);
        return;
    }
    uint64_t had = roaring_bitmap_range_cardinality(m->bitmap, first, (uint64_t)last + 1);
    bitmap_add_range(m->bitmap, first, last);
    m->count += (uint64_t)last - first + 1 - had;
}

static void bitmap_remove(struct range_many *m, uint32_t first, uint32_t last)
{
    if (first == last) {
        m->count -= roaring_bitmap_remove_checked(m->bitmap, first);
        return;
    }
    uint64_t had = roaring_bitmap_range_cardinality(m->bitmap, first, (uint64_t)last + 1);
    if (had > 0)
        roaring_bitmap_remove_range_closed(m->bitmap, first, last);
    m->count -= had;
}

void range_many_add(struct range_many *m, uint32_t first, uint32_t last)
{
    if (m->bitmap != NULL)
        bitmap_add(m, first, last);
    else
        range_runs_add(&m->runs, first, last);
    settle_form(m);
}

void range_many_remove(struct range_many *m, uint32_t first, uint32_t last)
{
    if (m->bitmap != NULL)
        bitmap_remove(m, first, last);
    else
        range_runs_remove(&m->runs, first, last);
    settle_form(m);
}

/* one of the library's in-place operations with OTHER as a bitmap; M is one already */
static void with_bitmap_of(struct range_many *m, const struct range_many *other,
                           void (*operation)(roaring_bitmap_t *, const roaring_bitmap_t *))
{
    roaring_bitmap_t *made = other->bitmap == NULL ? bitmap_of_runs(&other->runs) : NULL;

    operation(m->bitmap, made != NULL ? made : other->bitmap);
    if (made != NULL)
        roaring_bitmap_free(made);
    m->count = roaring_bitmap_get_cardinality(m->bitmap);
}

void range_many_unite(struct range_many *m, const struct range_many *other)
{
    if (m->bitmap == NULL && other->bitmap == NULL) {
        range_runs_unite(&m->runs, &other->runs);
    } else if (other->bitmap == NULL) {
        for (uint32_t i = 0; i < other->runs.n; i++)
            bitmap_add(m, other->runs.v[i].first, other->runs.v[i].last);
    } else {
        become_bitmap(m);
        with_bitmap_of(m, other, roaring_bitmap_or_inplace);
    }
    settle_form(m);
}

void range_many_intersect(struct range_many *m, const struct range_many *other)
{
    if (m->bitmap == NULL && other->bitmap == NULL) {
        range_runs_intersect(&m->runs, &other->runs);
    } else {
        become_bitmap(m);
        with_bitmap_of(m, other, roaring_bitmap_and_inplace);
    }
    settle_form(m);
}

/* B, which is taken, as a set; its form is what the members ask for */
static struct range_many *many_of(roaring_bitmap_t *b)
{
    struct range_many *m = uti_calloc(1, sizeof *m);

    ASSERT(b != NULL);
    m->bitmap = b;
    m->count = roaring_bitmap_get_cardinality(b);
    settle_form(m);
    return m;
}

struct range_many *range_many_intersection(const struct range_many *a, const struct range_many *b)
{
    const struct range_many *few = a->bitmap == NULL ? a : b;

    if (few->bitmap != NULL)
        return many_of(roaring_bitmap_and(a->bitmap, b->bitmap));
    struct range_many *shared = range_many_copy(few);
    range_many_intersect(shared, few == a ? b : a);
    return shared;
}

struct range_many *range_many_within(const struct range_many *m, uint32_t first, uint32_t last)
{
    struct range_runs window = { NULL, 0, 0 };

    if (m->bitmap != NULL) {
        roaring_bitmap_t *all = roaring_bitmap_from_range(first, (uint64_t)last + 1, 1);
        ASSERT(all != NULL);
        roaring_bitmap_t *shared = roaring_bitmap_and(m->bitmap, all);
        roaring_bitmap_free(all);
        return many_of(shared);
    }
    range_runs_push(&window, first, last);
    range_runs_intersect(&window, &m->runs);
    return range_many_from_runs(&window);
}

bool range_many_meets(const struct range_many *a, const struct range_many *b)
{
    const struct range_many *few = a->bitmap == NULL ? a : b, *other = few == a ? b : a;

    if (few->bitmap != NULL)
        return roaring_bitmap_intersect(a->bitmap, b->bitmap);
    for (uint32_t i = 0; i < few->runs.n; i++) {
        if (range_many_any_in(other, few->runs.v[i].first, few->runs.v[i].last))
            return true;
    }
    return false;
}

void range_many_subtract(struct range_many *m, const struct range_many *other)
{
    if (m->bitmap == NULL && other->bitmap == NULL) {
        range_runs_subtract(&m->runs, &other->runs);
    } else if (other->bitmap == NULL) {
        for (uint32_t i = 0; i < other->runs.n; i++)
            bitmap_remove(m, other->runs.v[i].first, other->runs.v[i].last);
    } else {
        become_bitmap(m);
        with_bitmap_of(m, other, roaring_bitmap_andnot_inplace);
    }
    settle_form(m);
}

size_t range_many_fill_bytes(const struct range *v, uint32_t n)
{
    uint32_t containers = containers_of(v, n);

    return sizeof(struct range_many) +
           (containers > 0 ? containers * (size_t)CONTAINER_BYTES : n * sizeof *v);
}

size_t range_many_bytes(const struct range_many *m)
{
    size_t bytes = sizeof *m + m->runs.cap * sizeof *m->runs.v;

    return m->bitmap == NULL
               ? bytes
               : bytes + sizeof *m->bitmap + roaring_bitmap_portable_size_in_bytes(m->bitmap);
}

size_t range_many_words_bytes(const struct range_words *w)
{
    return sizeof(struct range_many) +
           (is_bitmap_of(w) ? (w->n / WORDS_PER_CONTAINER + 2) * (size_t)CONTAINER_BYTES
                            : 2 * range_words_runs(w) * sizeof(struct range));
}
