/* Range sets: one inline range, or what range_many.h offers once it has fragmented.
 *
 * Invariant after every function: `many` is set exactly when there are two runs or more, and then
 * first == end == 0. So equal sets have equal inline forms, and whoever asks about an untouched
 * array reads two numbers. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "libs/cull/range_many.h"
#include "libs/cull/range_set.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

enum {
    FEW_MEMBERS = 64,      /* of a stride: put together one by one */
    STRIDE_OF_WORDS = 2048 /* beyond it a set as words is mostly zeros */
};

static struct range_set inline_set(uint32_t first, uint32_t end)
{
    return first < end ? (struct range_set){ first, end, NULL } : (struct range_set){ 0, 0, NULL };
}

void range_set_free(struct range_set *s)
{
    if (s == NULL)
        return;
    range_many_free(s->many);
    *s = inline_set(0, 0);
}

void range_set_copy(struct range_set *to, const struct range_set *from)
{
    if (to == from)
        return;
    if (from->many != NULL)
        range_many_hold(from->many);
    range_set_free(to);
    *to = *from;
}

void range_set_move(struct range_set *to, struct range_set *from)
{
    if (to == from)
        return;
    range_set_free(to);
    *to = *from;
    *from = inline_set(0, 0);
}

/* back to the inline form when a change has left less than two runs */
static void settle_form(struct range_set *s)
{
    struct range only = { 0, 0 };

    if (s->many == NULL)
        return;
    unsigned runs = range_many_runs_up_to_2(s->many, &only);
    if (runs == 2)
        return;
    range_many_free(s->many);
    *s = runs == 0 ? inline_set(0, 0) : inline_set(only.first, only.last + 1);
}

/* `many` of S, which it has from now on and which nobody else holds: ready to be changed */
static struct range_many *own_many(struct range_set *s)
{
    struct range_runs runs = { NULL, 0, 0 };

    if (s->many != NULL) {
        s->many = range_many_own(s->many);
        return s->many;
    }
    if (s->first < s->end)
        range_runs_push(&runs, s->first, s->end - 1);
    *s = (struct range_set){ 0, 0, range_many_from_runs(&runs) };
    return s->many;
}

/* ---- questions ---- */
bool range_set_equal(const struct range_set *a, const struct range_set *b)
{
    if (a->many != NULL && b->many != NULL)
        return range_many_equal(a->many, b->many);
    return a->many == NULL && b->many == NULL && a->first == b->first && a->end == b->end;
}

bool range_set_is_empty(const struct range_set *s)
{
    return s->many == NULL && s->first == s->end;
}

bool range_set_has(const struct range_set *s, uint32_t member)
{
    return s->many != NULL ? range_many_has(s->many, member)
                           : s->first <= member && member < s->end;
}

uint64_t range_set_count(const struct range_set *s)
{
    return s->many != NULL ? range_many_count(s->many) : s->end - s->first;
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
    if (s->many != NULL)
        return range_many_max(s->many, out);
    if (s->first == s->end)
        return false;
    *out = s->end - 1;
    return true;
}

bool range_set_next_run(const struct range_set *s, uint64_t from, struct range *out)
{
    if (s->many != NULL)
        return range_many_next_run(s->many, from, out);
    if (from >= s->end)
        return false;
    *out = (struct range){ from > s->first ? (uint32_t)from : s->first, s->end - 1 };
    return true;
}

bool range_set_any_in(const struct range_set *s, uint32_t first, uint32_t last)
{
    ASSERT(first <= last);
    if (s->many != NULL)
        return range_many_any_in(s->many, first, last);
    return s->first < s->end && first < s->end && last >= s->first;
}

/* ---- changes ---- */
void range_set_add(struct range_set *s, uint32_t first, uint32_t last)
{
    ASSERT(first <= last && last < UINT32_MAX);
    if (s->many == NULL && s->first == s->end) {
        *s = inline_set(first, last + 1);
        return;
    }
    if (s->many == NULL && first <= s->end && last + 1 >= s->first) {
        *s = inline_set(first < s->first ? first : s->first, last + 1 > s->end ? last + 1 : s->end);
        return;
    }
    range_many_add(own_many(s), first, last);
    settle_form(s);
}

void range_set_add_stride(struct range_set *s, uint32_t first, uint32_t last, uint32_t stride)
{
    struct range_set strided = { 0, 0, NULL };

    ASSERT(stride > 0 && first <= last && last < UINT32_MAX);
    if (stride == 1) {
        range_set_add(s, first, last);
        return;
    }
    last -= (last - first) % stride;
    if ((last - first) / stride < FEW_MEMBERS || stride > STRIDE_OF_WORDS) {
        struct range_runs runs = { NULL, 0, 0 };
        for (uint64_t at = first; at <= last; at += stride)
            range_runs_push(&runs, (uint32_t)at, (uint32_t)at);
        strided.many = range_many_from_runs(&runs);
    } else {
        struct range_words w = range_words_new(first, last);
        range_words_stride(&w, first, last, stride);
        strided.many = range_many_take_words(&w, (last - first) / stride + 1);
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
    uint32_t min, max;

    if (s->many != NULL && !range_many_any_in(s->many, first, last))
        return;
    if (range_set_min(s, &min) && range_set_max(s, &max) && first <= min && max <= last) {
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
    if (first > last || (s->many == NULL && (first >= s->end || last < s->first)))
        return;
    if (s->many == NULL && first <= s->first)
        *s = inline_set(last + 1, s->end);
    else if (s->many == NULL && last + 1 >= s->end)
        *s = inline_set(s->first, first);
    else
        remove_from_many(s, first, last);
}

void range_set_unite(struct range_set *s, const struct range_set *other)
{
    if (s == other)
        return;
    if (other->many == NULL) {
        if (other->first < other->end)
            range_set_add(s, other->first, other->end - 1);
        return;
    }
    if (s->many == NULL) {
        struct range_set had = *s;
        *s = inline_set(0, 0);
        range_set_copy(s, other);
        range_set_unite(s, &had);
        return;
    }
    if (range_many_is_within(other->many, s->many))
        return;
    range_many_unite(own_many(s), other->many);
    settle_form(s);
}

void range_set_intersect(struct range_set *s, const struct range_set *other)
{
    if (s == other || range_set_is_empty(s))
        return;
    if (other->many == NULL) {
        struct range_set within = *other;
        if (within.first == within.end) {
            range_set_free(s);
            return;
        }
        if (within.first > 0)
            range_set_remove(s, 0, within.first - 1);
        range_set_remove(s, within.end, UINT32_MAX);
        return;
    }
    if (s->many == NULL)
        *s = (struct range_set){ 0, 0, range_many_within(other->many, s->first, s->end - 1) };
    else if (range_many_is_within(s->many, other->many))
        return;
    else
        range_many_intersect(own_many(s), other->many);
    settle_form(s);
}

void range_set_intersection(struct range_set *out, const struct range_set *a,
                            const struct range_set *b)
{
    ASSERT(out != a && out != b);
    if (a->many == NULL || b->many == NULL) {
        const struct range_set *whole = a->many == NULL ? a : b;
        range_set_copy(out, whole);
        range_set_intersect(out, whole == a ? b : a);
        return;
    }
    range_set_free(out);
    out->many = range_many_intersection(a->many, b->many);
    settle_form(out);
}

bool range_set_meets(const struct range_set *a, const struct range_set *b)
{
    if (range_set_is_empty(a) || range_set_is_empty(b))
        return false;
    if (a->many == NULL)
        return range_set_any_in(b, a->first, a->end - 1);
    if (b->many == NULL)
        return range_set_any_in(a, b->first, b->end - 1);
    return range_many_meets(a->many, b->many);
}

void range_set_subtract(struct range_set *s, const struct range_set *other)
{
    bool are_many = s->many != NULL && other->many != NULL;
    if (s == other || (are_many && range_many_is_within(s->many, other->many))) {
        range_set_free(s);
        return;
    }
    if (range_set_is_empty(s))
        return;
    if (other->many == NULL) {
        if (other->first < other->end)
            range_set_remove(s, other->first, other->end - 1);
        return;
    }
    if (are_many && !range_many_meets(s->many, other->many))
        return;
    range_many_subtract(own_many(s), other->many);
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
    s->many = range_many_from_runs(&runs);
    settle_form(s);
}

/* ---- as bits, and all runs ---- */
void range_set_bits(const struct range_set *s, uint32_t first, uint64_t *words, uint32_t n)
{
    struct range_words w = { words, first / RANGE_WORD_BITS, n };

    ASSERT(first % RANGE_WORD_BITS == 0);
    memset(words, 0, n * sizeof *words);
    if (s->many != NULL)
        range_many_words(s->many, &w);
    else if (s->first < s->end)
        range_words_put(&w, s->first, s->end - 1);
}

void range_set_fill_bits(struct range_set *s, uint32_t first, const uint64_t *words, uint32_t n)
{
    struct range_words w = { (uint64_t *)(uintptr_t)words, first / RANGE_WORD_BITS, n };

    ASSERT(range_set_is_empty(s) && first % RANGE_WORD_BITS == 0);
    if (n == 0)
        return;
    s->many = range_many_from_words(&w);
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
    s->many = range_many_take_words(&w, range_words_count(&w));
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
        (s->many != NULL && !range_many_has_stride(s->many, min, apart)))
        return false;
    *first = min;
    *last = max;
    *stride = apart;
    return true;
}

uint64_t range_set_runs_most(const struct range_set *s)
{
    return s->many != NULL ? range_many_runs_most(s->many) : s->first < s->end;
}

void range_walk_begin_in(struct range_walk *w, const struct range_set *s, uint32_t first,
                         uint32_t last)
{
    ASSERT(first <= last);
    *w = (struct range_walk){ .set = s, .at = first, .last = last };
    w->words = s->many != NULL ? range_many_dense(s->many) : NULL;
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
    return s->many != NULL ? range_many_bytes(s->many) : 0;
}
