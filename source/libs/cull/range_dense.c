/* Sets as words that can grow and shrink. Invariants after every function: what range_dense.h says
 * of `words` and `room`; `count` is the number of their bits. */
#include "libs/cull/range_shapes.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"

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

/* ---- room ---- */
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

/* ---- changes ---- */
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
