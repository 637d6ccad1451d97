/* Strides: sets as three numbers. Invariant after every function: what range_stride.h says of
 * `by`. Two strides with another step each are never worth a look: the answer is that the result
 * is no stride. */
#include "libs/cull/range_shapes.h"

#include "libs/uti/assert.h"

static const struct range_stride none;

/* ---- questions ---- */
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

/* ---- changes ---- */
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

/* ---- as bits ---- */
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
