/* What a fragmented range set is kept as: a sorted vector of runs, every n-th number, or words with
 * a bit for each number. range_forms.c decides between them. */
#include "libs/cull/range_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

/* ---- runs ---- */
/* Invariant after every function: v[i].first <= v[i].last, and v[i].last + 1 < v[i + 1].first, so
 * that equal sets have equal vectors. */

void range_runs_free(struct range_runs *r)
{
    free(r->v);
    *r = (struct range_runs){ NULL, 0, 0 };
}

void range_runs_copy(struct range_runs *to, const struct range_runs *from)
{
    *to = (struct range_runs){ NULL, 0, 0 };
    if (from->n == 0)
        return;
    to->v = uti_alloc(from->n * sizeof *to->v);
    memcpy(to->v, from->v, from->n * sizeof *to->v);
    to->n = to->cap = from->n;
}

bool range_runs_equal(const struct range_runs *a, const struct range_runs *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->v, b->v, a->n * sizeof *a->v) == 0);
}

uint32_t range_runs_find(const struct range_runs *r, uint64_t member)
{
    uint32_t low = 0, high = r->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->v[middle].last < member)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool range_runs_has(const struct range_runs *r, uint32_t member)
{
    uint32_t i = range_runs_find(r, member);

    return i < r->n && r->v[i].first <= member;
}

uint64_t range_runs_count(const struct range_runs *r)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < r->n; i++)
        count += (uint64_t)r->v[i].last - r->v[i].first + 1;
    return count;
}

bool range_runs_next(const struct range_runs *r, uint64_t from, struct range *out)
{
    uint32_t i = range_runs_find(r, from);

    if (i == r->n)
        return false;
    *out = r->v[i];
    if (out->first < from)
        out->first = (uint32_t)from;
    return true;
}

void range_runs_push(struct range_runs *r, uint32_t first, uint32_t last)
{
    if (r->n > 0 && (uint64_t)r->v[r->n - 1].last + 1 >= first) {
        ASSERT(r->v[r->n - 1].first <= first);
        if (r->v[r->n - 1].last < last)
            r->v[r->n - 1].last = last;
        return;
    }
    r->v = uti_vec_grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
    r->v[r->n++] = (struct range){ first, last };
}

/* runs low..high-1 give way to N runs of WITH */
static void splice_runs(struct range_runs *r, uint32_t low, uint32_t high, const struct range *with,
                        uint32_t n)
{
    uint32_t next = r->n - (high - low) + n;

    r->v = uti_vec_grow(r->v, &r->cap, next, sizeof *r->v);
    memmove(&r->v[low + n], &r->v[high], (r->n - high) * sizeof *r->v);
    for (uint32_t i = 0; i < n; i++)
        r->v[low + i] = with[i];
    r->n = next;
}

void range_runs_add(struct range_runs *r, uint32_t first, uint32_t last)
{
    uint32_t low = range_runs_find(r, first == 0 ? 0 : first - 1);
    uint32_t high = low;
    struct range merged = { first, last };

    while (high < r->n && r->v[high].first <= (uint64_t)last + 1)
        high++;
    if (low < high) {
        if (r->v[low].first < first)
            merged.first = r->v[low].first;
        if (r->v[high - 1].last > last)
            merged.last = r->v[high - 1].last;
    }
    splice_runs(r, low, high, &merged, 1);
}

void range_runs_remove(struct range_runs *r, uint32_t first, uint32_t last)
{
    uint32_t low = range_runs_find(r, first);
    uint32_t high = low, n = 0;
    struct range rest[2];

    while (high < r->n && r->v[high].first <= last)
        high++;
    if (low == high)
        return;
    if (r->v[low].first < first)
        rest[n++] = (struct range){ r->v[low].first, first - 1 };
    if (r->v[high - 1].last > last)
        rest[n++] = (struct range){ last + 1, r->v[high - 1].last };
    splice_runs(r, low, high, rest, n);
}

void range_runs_unite(struct range_runs *a, const struct range_runs *b)
{
    struct range_runs out = { NULL, 0, 0 };
    uint32_t i = 0, j = 0;

    while (i < a->n || j < b->n) {
        bool take_a = j == b->n || (i < a->n && a->v[i].first <= b->v[j].first);
        const struct range *next = take_a ? &a->v[i++] : &b->v[j++];
        range_runs_push(&out, next->first, next->last);
    }
    range_runs_free(a);
    *a = out;
}

void range_runs_intersect(struct range_runs *a, const struct range_runs *b)
{
    struct range_runs out = { NULL, 0, 0 };
    uint32_t i = 0, j = 0;

    while (i < a->n && j < b->n) {
        uint32_t first = a->v[i].first > b->v[j].first ? a->v[i].first : b->v[j].first;
        uint32_t last = a->v[i].last < b->v[j].last ? a->v[i].last : b->v[j].last;
        if (first <= last)
            range_runs_push(&out, first, last);
        if (a->v[i].last < b->v[j].last)
            i++;
        else
            j++;
    }
    range_runs_free(a);
    *a = out;
}

/* what is left of ONE after the runs of B from index *J on; *J moves past runs that end within
 * ONE */
static void subtract_one(struct range one, const struct range_runs *b, uint32_t *j,
                         struct range_runs *out)
{
    while (*j < b->n && b->v[*j].last < one.first)
        (*j)++;
    for (; *j < b->n && b->v[*j].first <= one.last; (*j)++) {
        if (b->v[*j].first > one.first)
            range_runs_push(out, one.first, b->v[*j].first - 1);
        if (b->v[*j].last >= one.last)
            return;
        one.first = b->v[*j].last + 1;
    }
    range_runs_push(out, one.first, one.last);
}

void range_runs_subtract(struct range_runs *a, const struct range_runs *b)
{
    struct range_runs out = { NULL, 0, 0 };
    uint32_t j = 0;

    for (uint32_t i = 0; i < a->n; i++)
        subtract_one(a->v[i], b, &j, &out);
    range_runs_free(a);
    *a = out;
}

/* ---- strides ---- */
/* Invariant after every function: what range_shapes.h says of `by`. Two strides with another step
 * each are never worth a look: the result is no stride. */
static const struct range_stride none;

/* ---- strides: questions ---- */
uint64_t range_stride_count(const struct range_stride *s)
{
    return s->by == 0 ? 0 : (s->last - s->first) / s->by + 1;
}

bool range_stride_has(const struct range_stride *s, uint32_t member)
{
    return s->by != 0 && member >= s->first && member <= s->last &&
           (member - s->first) % s->by == 0;
}

/* the first member at or after FROM, which is not after the last one */
static uint32_t member_from(const struct range_stride *s, uint32_t from)
{
    if (from <= s->first)
        return s->first;
    uint32_t over = (from - s->first) % s->by;
    return over == 0 ? from : from - over + s->by;
}

bool range_stride_next(const struct range_stride *s, uint64_t from, struct range *out)
{
    if (s->by == 0 || from > s->last)
        return false;
    uint32_t member = member_from(s, (uint32_t)from);
    *out = (struct range){ member, member };
    return true;
}

struct range_stride range_stride_within(const struct range_stride *s, uint32_t first, uint32_t last)
{
    if (s->by == 0 || first > s->last || last < s->first)
        return none;
    struct range_stride cut = { member_from(s, first), s->last, s->by };
    if (last < s->last)
        cut.last = last - (last - s->first) % s->by;
    return cut.first <= cut.last ? cut : none;
}

static bool is_of_one_step(const struct range_stride *a, const struct range_stride *b)
{
    return a->by != 0 && a->by == b->by;
}

/* ... which have members in common if they reach far enough */
static bool is_in_step(const struct range_stride *a, const struct range_stride *b)
{
    return (a->first > b->first ? a->first - b->first : b->first - a->first) % a->by == 0;
}

/* ---- strides: changes ---- */
bool range_stride_between(uint32_t first, uint32_t last, const struct range_stride *s,
                          struct range_stride *out)
{
    ASSERT(s->by != 0 && first <= s->first && s->last <= last);
    if (s->by != 2 || s->first - first > 1 || last - s->last > 1)
        return false;
    if (first == last) /* S is all there is */
        *out = none;
    else
        *out = (struct range_stride){ s->first == first ? first + 1 : first,
                                      s->last == last ? last - 1 : last, 2 };
    return true;
}

bool range_stride_add(struct range_stride *s, uint32_t first, uint32_t last)
{
    ASSERT(s->by != 0);
    if (first != last)
        return false;
    if (range_stride_has(s, first))
        return true;
    if (first > s->last && first - s->last == s->by)
        s->last = first;
    else if (first < s->first && s->first - first == s->by)
        s->first = first;
    else
        return false;
    return true;
}

bool range_stride_remove(struct range_stride *s, uint32_t first, uint32_t last)
{
    struct range_stride gone = range_stride_within(s, first, last);

    if (gone.by == 0)
        return true;
    if (gone.first == s->first && gone.last == s->last)
        *s = none;
    else if (gone.first == s->first)
        s->first = gone.last + s->by;
    else if (gone.last == s->last)
        s->last = gone.first - s->by;
    else
        return false;
    return true;
}

bool range_stride_unite(struct range_stride *s, const struct range_stride *other)
{
    if (!is_of_one_step(s, other) || !is_in_step(s, other) ||
        (other->first > s->last && other->first - s->last > s->by) ||
        (s->first > other->last && s->first - other->last > s->by))
        return false;
    if (other->first < s->first)
        s->first = other->first;
    if (other->last > s->last)
        s->last = other->last;
    return true;
}

bool range_stride_intersect(struct range_stride *s, const struct range_stride *other)
{
    if (!is_of_one_step(s, other))
        return false;
    *s = is_in_step(s, other) ? range_stride_within(s, other->first, other->last) : none;
    return true;
}

bool range_stride_subtract(struct range_stride *s, const struct range_stride *other)
{
    return is_of_one_step(s, other) &&
           (!is_in_step(s, other) || range_stride_remove(s, other->first, other->last));
}

/* ---- strides: as bits ---- */
void range_stride_words(const struct range_stride *s, struct range_words *w)
{
    uint64_t end = ((uint64_t)w->first + w->n) * RANGE_WORD_BITS;
    uint32_t last = end > UINT32_MAX ? UINT32_MAX : (uint32_t)(end - 1);
    struct range_stride cut = { 0 };

    if (w->n > 0)
        cut = range_stride_within(s, w->first * RANGE_WORD_BITS, last);
    if (cut.by == 0)
        return;
    uint32_t from = cut.first / RANGE_WORD_BITS;
    struct range_words part = range_words_part(w, from, cut.last / RANGE_WORD_BITS - from + 1);
    range_words_stride(&part, cut.first, cut.last, cut.by);
}

/* The least two members say which stride it would be, and COUNT nearly always that it is not. */
bool range_stride_of_words(const struct range_words *w, uint64_t count, struct range_stride *out)
{
    struct range least, second;

    if (!range_words_next(w, 0, &least) ||
        !range_words_next(w, (uint64_t)least.first + 1, &second) || second.first == least.first + 1)
        return false;
    uint32_t by = second.first - least.first;
    uint64_t last = least.first + (count - 1) * by;
    uint64_t end = ((uint64_t)w->first + w->n) * RANGE_WORD_BITS;
    if (last >= end || !range_words_any_in(w, (uint32_t)last, (uint32_t)last) ||
        (last + 1 < end && range_words_any_in(w, (uint32_t)last + 1, (uint32_t)(end - 1))) ||
        !range_words_have_stride(w, least.first, by))
        return false;
    *out = (struct range_stride){ least.first, (uint32_t)last, by };
    return true;
}

/* ---- words ---- */
/* Invariants after every function: what range_shapes.h says of `words` and `room`; `count` is the
 * number of their bits. */
static const uint32_t WORDS_MOST = UINT32_MAX / RANGE_WORD_BITS + 1;

void range_dense_free(struct range_dense *d)
{
    free(d->room.v);
    *d = (struct range_dense){ 0 };
}

/* nothing but the words that lie in the room at FIRST..END - 1 counts */
static void look_at_words(struct range_dense *d, uint32_t first, uint32_t end)
{
    d->words = (struct range_words){ d->room.v + (first - d->room.first), first, end - first };
    range_words_trim(&d->words);
}

void range_dense_take(struct range_dense *d, struct range_words *w, uint64_t count)
{
    d->room = *w;
    *w = (struct range_words){ NULL, 0, 0 };
    look_at_words(d, d->room.first, d->room.first + d->room.n);
    d->count = count;
}

void range_dense_copy(struct range_dense *to, const struct range_dense *from)
{
    const struct range_words *w = &from->words;

    *to = (struct range_dense){ .count = from->count };
    to->room = (struct range_words){ uti_alloc(w->n * sizeof *w->v), w->first, w->n };
    memcpy(to->room.v, w->v, w->n * sizeof *w->v);
    to->words = to->room;
}

uint32_t range_dense_min(const struct range_dense *d)
{
    return d->words.first * RANGE_WORD_BITS + (uint32_t)__builtin_ctzll(d->words.v[0]);
}

uint32_t range_dense_max(const struct range_dense *d)
{
    uint32_t last = d->words.n - 1;

    return (d->words.first + last) * RANGE_WORD_BITS + RANGE_WORD_BITS - 1 -
           (uint32_t)__builtin_clzll(d->words.v[last]);
}

/* ---- words: room ---- */
struct span { /* of words */
    uint32_t first, end;
};

/* the words of D and those at FIRST..END - 1 */
static struct span span_with(const struct range_dense *d, uint32_t first, uint32_t end)
{
    uint32_t own_end = d->words.first + d->words.n;

    return d->words.n == 0 ? (struct span){ first, end }
                           : (struct span){ first < d->words.first ? first : d->words.first,
                                            end > own_end ? end : own_end };
}

static bool has_room(const struct range_dense *d, struct span s)
{
    return d->room.v != NULL && s.first >= d->room.first && s.end <= d->room.first + d->room.n;
}

uint32_t range_dense_room_for(const struct range_dense *d, uint32_t first, uint32_t last)
{
    struct span s = span_with(d, first / RANGE_WORD_BITS, last / RANGE_WORD_BITS + 1);

    return has_room(d, s) ? 0 : s.end - s.first;
}

/* Room for S and, where it grows, for half as much again as there is: a set that grows member by
 * member is seldom copied. */
static void make_room(struct range_dense *d, struct span s)
{
    uint32_t more = d->words.n / 2;

    if (d->words.n > 0 && s.first < d->words.first)
        s.first -= s.first < more ? s.first : more;
    if (d->words.n > 0 && s.end > d->words.first + d->words.n)
        s.end += WORDS_MOST - s.end < more ? WORDS_MOST - s.end : more;
    struct range_words room = { uti_calloc(s.end - s.first, sizeof *room.v), s.first,
                                s.end - s.first };
    if (d->words.n > 0)
        memcpy(room.v + (d->words.first - s.first), d->words.v, d->words.n * sizeof *room.v);
    free(d->room.v);
    d->room = room;
}

/* `words` covers those at FIRST..END - 1, too; what it gains is 0, so trim it when they are set */
static void widen_words(struct range_dense *d, uint32_t first, uint32_t end)
{
    struct span s = span_with(d, first, end);

    if (!has_room(d, s))
        make_room(d, s);
    d->words =
        (struct range_words){ d->room.v + (s.first - d->room.first), s.first, s.end - s.first };
}

/* ---- words: changes ---- */
void range_dense_add(struct range_dense *d, uint32_t first, uint32_t last)
{
    widen_words(d, first / RANGE_WORD_BITS, last / RANGE_WORD_BITS + 1);
    d->count -= range_words_count_in(&d->words, first, last);
    range_words_put(&d->words, first, last);
    d->count += (uint64_t)last - first + 1;
}

void range_dense_remove(struct range_dense *d, uint32_t first, uint32_t last)
{
    d->count -= range_words_count_in(&d->words, first, last);
    range_words_take_out(&d->words, first, last);
    range_words_trim(&d->words);
}

void range_dense_unite(struct range_dense *d, const struct range_words *other)
{
    widen_words(d, other->first, other->first + other->n);
    uint64_t *at = d->words.v + (other->first - d->words.first);
    for (uint32_t i = 0; i < other->n; i++) {
        d->count += range_word_count(other->v[i] & ~at[i]);
        at[i] |= other->v[i];
    }
}

void range_dense_intersect(struct range_dense *d, const struct range_words *other)
{
    struct range_words had = d->words, theirs = range_words_part(other, had.first, had.n);

    d->words = range_words_part(&had, theirs.first, theirs.n);
    for (uint32_t i = 0; i < d->words.n; i++)
        d->words.v[i] &= theirs.v[i];
    uint32_t before = d->words.first - had.first;
    memset(had.v, 0, before * sizeof *had.v);
    memset(had.v + before + d->words.n, 0, (had.n - before - d->words.n) * sizeof *had.v);
    range_words_trim(&d->words);
    d->count = range_words_count(&d->words);
}

void range_dense_subtract(struct range_dense *d, const struct range_words *other)
{
    struct range_words theirs = range_words_part(other, d->words.first, d->words.n),
                       mine = range_words_part(&d->words, theirs.first, theirs.n);

    uint64_t had = mine.n == d->words.n ? d->count : range_words_count(&mine);
    for (uint32_t i = 0; i < mine.n; i++)
        mine.v[i] &= ~theirs.v[i];
    d->count -= had - range_words_count(&mine);
    range_words_trim(&d->words);
}
