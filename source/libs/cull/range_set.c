/* Range sets: one range in a word, or what range_many.h offers once it has fragmented.
 *
 * Forms of the word: 0 is the empty set. An odd number is one run, its end (last + 1) in the upper
 * half and its first member in the lower one, above the lowest bit. Any other number is the address
 * of a range_many, which is owned.
 *
 * Invariant after every function: a set has a range_many exactly when it has two runs or more, or
 * one that begins beyond INLINE_MOST, where no task is. So equal sets have equal forms, and whoever
 * asks about an untouched array reads one number. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "libs/cull/range_many.h"
#include "libs/cull/range_set.h"
#include "libs/cull/range_shapes.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

enum {
    INLINE_MOST = INT32_MAX, /* the greatest first member that a word has room for */
    FEW_MEMBERS = 64         /* of a stride: put together one by one */
};

/* its range_many; NULL: the set is empty or a range from first_of to end_of - 1, both 0 if empty */
static struct range_many *many_of(const struct range_set *s)
{
    return (s->form & 1) == 0 ? (struct range_many *)(uintptr_t)s->form : NULL;
}

static uint32_t first_of(const struct range_set *s)
{
    return (uint32_t)s->form >> 1;
}

static uint32_t end_of(const struct range_set *s)
{
    return (uint32_t)(s->form >> 32);
}

/* MANY is taken */
static struct range_set set_of(struct range_many *many)
{
    return (struct range_set){ (uintptr_t)many };
}

static struct range_set many_of_run(uint32_t first, uint32_t end)
{
    struct range_runs runs = { NULL, 0, 0 };
    if (first < end)
        range_runs_push(&runs, first, end - 1);
    return set_of(range_many_from_runs(&runs));
}

static struct range_set one_run(uint32_t first, uint32_t end)
{
    if (first >= end)
        return (struct range_set){ 0 };
    if (first > INLINE_MOST)
        return many_of_run(first, end);
    return (struct range_set){ (uint64_t)end << 32 | (uint64_t)first << 1 | 1 };
}

void range_set_free(struct range_set *s)
{
    if (s == NULL)
        return;
    range_many_free(many_of(s));
    *s = one_run(0, 0);
}

void range_set_copy(struct range_set *to, const struct range_set *from)
{
    if (to == from)
        return;
    if (many_of(from) != NULL)
        range_many_hold(many_of(from));
    range_set_free(to);
    *to = *from;
}

void range_set_move(struct range_set *to, struct range_set *from)
{
    if (to == from)
        return;
    range_set_free(to);
    *to = *from;
    *from = one_run(0, 0);
}

/* back to one word when a change has left less than two runs */
static void settle_form(struct range_set *s)
{
    struct range only = { 0, 0 };

    if (many_of(s) == NULL)
        return;
    unsigned runs = range_many_runs_up_to_2(many_of(s), &only);
    if (runs == 2 || only.first > INLINE_MOST)
        return;
    range_many_free(many_of(s));
    *s = runs == 0 ? one_run(0, 0) : one_run(only.first, only.last + 1);
}

/* the range_many of S, which it has from now on and which nobody else holds: ready to be changed */
static struct range_many *own_many(struct range_set *s)
{
    *s = many_of(s) != NULL ? set_of(range_many_own(many_of(s)))
                            : many_of_run(first_of(s), end_of(s));
    return many_of(s);
}

/* ---- questions ---- */
bool range_set_equal(const struct range_set *a, const struct range_set *b)
{
    if (many_of(a) != NULL && many_of(b) != NULL)
        return range_many_equal(many_of(a), many_of(b));
    return many_of(a) == NULL && many_of(b) == NULL && first_of(a) == first_of(b) &&
           end_of(a) == end_of(b);
}

bool range_set_is_empty(const struct range_set *s)
{
    return s->form == 0;
}

bool range_set_has(const struct range_set *s, uint32_t member)
{
    return many_of(s) != NULL ? range_many_has(many_of(s), member)
                              : first_of(s) <= member && member < end_of(s);
}

uint64_t range_set_count(const struct range_set *s)
{
    return many_of(s) != NULL ? range_many_count(many_of(s)) : end_of(s) - first_of(s);
}

bool range_set_min(const struct range_set *s, uint32_t *out)
{
    struct range r;

    if (!range_set_next_run(s, 0, &r))
        return false;
    *out = r.first;
    return true;
}

bool range_set_max(const struct range_set *s, uint32_t *out)
{
    if (many_of(s) != NULL)
        return range_many_max(many_of(s), out);
    if (first_of(s) == end_of(s))
        return false;
    *out = end_of(s) - 1;
    return true;
}

bool range_set_next_run(const struct range_set *s, uint64_t from, struct range *out)
{
    if (many_of(s) != NULL)
        return range_many_next_run(many_of(s), from, out);
    if (from >= end_of(s))
        return false;
    *out = (struct range){ from > first_of(s) ? (uint32_t)from : first_of(s), end_of(s) - 1 };
    return true;
}

bool range_set_any_in(const struct range_set *s, uint32_t first, uint32_t last)
{
    ASSERT(first <= last);
    if (many_of(s) != NULL)
        return range_many_any_in(many_of(s), first, last);
    return first_of(s) < end_of(s) && first < end_of(s) && last >= first_of(s);
}

/* ---- changes ---- */
static bool is_all_within(const struct range_set *s, uint32_t first, uint32_t last)
{
    uint32_t min, max;

    return range_set_min(s, &min) && range_set_max(s, &max) && first <= min && max <= last;
}

void range_set_add(struct range_set *s, uint32_t first, uint32_t last)
{
    ASSERT(first <= last && last < UINT32_MAX);
    if (range_set_is_empty(s)) {
        *s = one_run(first, last + 1);
        return;
    }
    if (many_of(s) == NULL && first <= end_of(s) && last + 1 >= first_of(s)) {
        *s = one_run(first < first_of(s) ? first : first_of(s),
                     last + 1 > end_of(s) ? last + 1 : end_of(s));
        return;
    }
    if (is_all_within(s, first, last)) {
        range_set_free(s);
        *s = one_run(first, last + 1);
        return;
    }
    range_many_add(own_many(s), first, last);
    settle_form(s);
}

void range_set_add_stride(struct range_set *s, uint32_t first, uint32_t last, uint32_t stride)
{
    struct range_set strided = { 0 };

    ASSERT(stride > 0 && first <= last && last < UINT32_MAX);
    if (stride == 1) {
        range_set_add(s, first, last);
        return;
    }
    if ((last - first) / stride < FEW_MEMBERS) {
        struct range_runs runs = { NULL, 0, 0 };
        for (uint64_t at = first; at <= last; at += stride)
            range_runs_push(&runs, (uint32_t)at, (uint32_t)at);
        strided = set_of(range_many_from_runs(&runs));
    } else {
        strided = set_of(range_many_from_stride(first, last, stride));
    }
    settle_form(&strided);
    if (range_set_is_empty(s)) {
        *s = strided;
        return;
    }
    range_set_unite(s, &strided);
    range_set_free(&strided);
}

/* ... of which there are several runs, or will be; who shares them with S keeps them */
static void remove_from_many(struct range_set *s, uint32_t first, uint32_t last)
{
    if (many_of(s) != NULL && !range_many_any_in(many_of(s), first, last))
        return;
    if (is_all_within(s, first, last)) {
        range_set_free(s);
        return;
    }
    range_many_remove(own_many(s), first, last);
    settle_form(s);
}

void range_set_remove(struct range_set *s, uint32_t first, uint32_t last)
{
    ASSERT(first <= last);
    if (last == UINT32_MAX)
        last = UINT32_MAX - 1; /* no set has that member */
    if (first > last || (many_of(s) == NULL && (first >= end_of(s) || last < first_of(s))))
        return;
    if (many_of(s) == NULL && first <= first_of(s))
        *s = one_run(last + 1, end_of(s));
    else if (many_of(s) == NULL && last + 1 >= end_of(s))
        *s = one_run(first_of(s), first);
    else
        remove_from_many(s, first, last);
}

void range_set_unite(struct range_set *s, const struct range_set *other)
{
    if (s == other)
        return;
    if (many_of(other) == NULL) {
        if (first_of(other) < end_of(other))
            range_set_add(s, first_of(other), end_of(other) - 1);
        return;
    }
    if (many_of(s) == NULL) {
        struct range_set had = *s;
        *s = one_run(0, 0);
        range_set_copy(s, other);
        range_set_unite(s, &had);
        return;
    }
    if (range_many_is_within(many_of(other), many_of(s)))
        return;
    range_many_unite(own_many(s), many_of(other));
    settle_form(s);
}

void range_set_intersect(struct range_set *s, const struct range_set *other)
{
    if (s == other || range_set_is_empty(s))
        return;
    if (many_of(other) == NULL) {
        uint32_t first = first_of(other), end = end_of(other);
        if (first == end) {
            range_set_free(s);
            return;
        }
        if (first > 0)
            range_set_remove(s, 0, first - 1);
        range_set_remove(s, end, UINT32_MAX);
        return;
    }
    if (many_of(s) == NULL)
        *s = set_of(range_many_within(many_of(other), first_of(s), end_of(s) - 1));
    else if (range_many_is_within(many_of(s), many_of(other)))
        return;
    else
        range_many_intersect(own_many(s), many_of(other));
    settle_form(s);
}

void range_set_intersection(struct range_set *out, const struct range_set *a,
                            const struct range_set *b)
{
    ASSERT(out != a && out != b);
    if (many_of(a) == NULL || many_of(b) == NULL) {
        const struct range_set *whole = many_of(a) == NULL ? a : b;
        range_set_copy(out, whole);
        range_set_intersect(out, whole == a ? b : a);
        return;
    }
    range_set_free(out);
    *out = set_of(range_many_intersection(many_of(a), many_of(b)));
    settle_form(out);
}

bool range_set_meets(const struct range_set *a, const struct range_set *b)
{
    if (range_set_is_empty(a) || range_set_is_empty(b))
        return false;
    if (many_of(a) == NULL)
        return range_set_any_in(b, first_of(a), end_of(a) - 1);
    if (many_of(b) == NULL)
        return range_set_any_in(a, first_of(b), end_of(b) - 1);
    return range_many_meets(many_of(a), many_of(b));
}

void range_set_subtract(struct range_set *s, const struct range_set *other)
{
    bool are_many = many_of(s) != NULL && many_of(other) != NULL;
    if (s == other || (are_many && range_many_is_within(many_of(s), many_of(other)))) {
        range_set_free(s);
        return;
    }
    if (range_set_is_empty(s))
        return;
    if (many_of(other) == NULL) {
        if (first_of(other) < end_of(other))
            range_set_remove(s, first_of(other), end_of(other) - 1);
        return;
    }
    if (are_many && !range_many_meets(many_of(s), many_of(other)))
        return;
    range_many_subtract(own_many(s), many_of(other));
    settle_form(s);
}

void range_set_fill(struct range_set *s, const struct range *v, uint32_t n)
{
    struct range_runs runs = { NULL, 0, 0 };

    ASSERT(range_set_is_empty(s));
    runs.v = uti_vec_grow(NULL, &runs.cap, n, sizeof *runs.v);
    for (uint32_t i = 0; i < n; i++) {
        ASSERT(v[i].first <= v[i].last && v[i].last < UINT32_MAX &&
               (i == 0 || v[i].first > v[i - 1].last));
        range_runs_push(&runs, v[i].first, v[i].last);
    }
    *s = set_of(range_many_from_runs(&runs));
    settle_form(s);
}

/* ---- as bits, and all runs ---- */
void range_set_bits(const struct range_set *s, uint32_t first, uint64_t *words, uint32_t n)
{
    struct range_words w = { words, first / RANGE_WORD_BITS, n };

    ASSERT(first % RANGE_WORD_BITS == 0);
    memset(words, 0, n * sizeof *words);
    if (many_of(s) != NULL)
        range_many_words(many_of(s), &w);
    else if (first_of(s) < end_of(s))
        range_words_put(&w, first_of(s), end_of(s) - 1);
}

void range_set_fill_bits(struct range_set *s, uint32_t first, const uint64_t *words, uint32_t n)
{
    struct range_words w = { (uint64_t *)(uintptr_t)words, first / RANGE_WORD_BITS, n };

    ASSERT(range_set_is_empty(s) && first % RANGE_WORD_BITS == 0);
    if (n == 0)
        return;
    *s = set_of(range_many_from_words(&w));
    settle_form(s);
}

/* words of 0 at the ends would stay in memory for nothing */
void range_set_take_bits(struct range_set *s, uint32_t first, uint64_t *words, uint32_t n)
{
    struct range_words w = { words, first / RANGE_WORD_BITS, n };

    if (n == 0 || words[0] == 0 || words[n - 1] == 0) {
        range_set_fill_bits(s, first, words, n);
        free(words);
        return;
    }
    ASSERT(range_set_is_empty(s) && first % RANGE_WORD_BITS == 0);
    *s = set_of(range_many_take_words(&w, range_words_count(&w)));
    settle_form(s);
}

bool range_set_is_progression(const struct range_set *s, uint32_t *first, uint32_t *last,
                              uint32_t *stride)
{
    struct range second;
    uint32_t min, max;

    if (!range_set_min(s, &min) || !range_set_max(s, &max) ||
        !range_set_next_run(s, (uint64_t)min + 1, &second))
        return false;
    uint32_t apart = second.first - min;
    if ((max - min) % apart != 0 || (max - min) / apart + 1 != range_set_count(s) ||
        (many_of(s) != NULL && !range_many_has_stride(many_of(s), min, apart)))
        return false;
    *first = min;
    *last = max;
    *stride = apart;
    return true;
}

bool range_set_is_stride(const struct range_set *s, uint32_t *first, uint32_t *last,
                         uint32_t *stride)
{
    const struct range_stride *kept = many_of(s) != NULL ? range_many_stride(many_of(s)) : NULL;

    if (kept == NULL)
        return false;
    *first = kept->first;
    *last = kept->last;
    *stride = kept->by;
    return true;
}

uint64_t range_set_runs_most(const struct range_set *s)
{
    return many_of(s) != NULL ? range_many_runs_most(many_of(s)) : first_of(s) < end_of(s);
}

void range_walk_begin_in(struct range_walk *w, const struct range_set *s, uint32_t first,
                         uint32_t last)
{
    ASSERT(first <= last);
    *w = (struct range_walk){ .set = s, .at = first, .last = last };
    w->words = many_of(s) != NULL ? range_many_dense(many_of(s)) : NULL;
}

void range_walk_begin(struct range_walk *w, const struct range_set *s)
{
    range_walk_begin_in(w, s, 0, UINT32_MAX);
}

bool range_walk_next(struct range_walk *w, struct range *out)
{
    bool is_there = w->words != NULL ? range_words_next(w->words, w->at, out)
                                     : range_set_next_run(w->set, w->at, out);
    if (!is_there || out->first > w->last)
        return false;
    if (out->last > w->last)
        out->last = w->last;
    w->at = (uint64_t)out->last + 1;
    return true;
}

size_t range_set_fill_bytes(const struct range *v, uint32_t n)
{
    return range_many_fill_bytes(v, n);
}

size_t range_set_bytes(const struct range_set *s)
{
    return many_of(s) != NULL ? range_many_bytes(many_of(s)) : 0;
}
