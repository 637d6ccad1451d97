/* What is booked over time, as steps. Owns struct timeline.
 *
 * Invariants: steps ascend in time; neighbours differ in what is booked, the first from what is
 * booked before it. So a timeline of which everything was released has no step. */
#include "libs/resource/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

void timeline_free(struct timeline *t)
{
    free(t->steps);
    *t = (struct timeline){ 0 };
}

void timeline_time(struct timeline *t)
{
    if (t->cap == 0)
        t->steps = uti_vec_grow(t->steps, &t->cap, 1, sizeof *t->steps);
}

void timeline_untime(struct timeline *t)
{
    free(t->steps);
    *t = (struct timeline){ .booked = t->booked };
}

/* booked just before step I */
static uint64_t booked_before(const struct timeline *t, uint32_t i)
{
    return i > 0 ? t->steps[i - 1].booked : t->booked;
}

/* the first step that begins at AT_S or later */
static uint32_t step_from(const struct timeline *t, uint64_t at_s)
{
    uint32_t low = 0, high = t->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->steps[middle].at_s < at_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* the step that begins at AT_S, made if it is not there */
static uint32_t step_at(struct timeline *t, uint64_t at_s)
{
    uint32_t i = step_from(t, at_s);
    if (i < t->n && t->steps[i].at_s == at_s)
        return i;
    t->steps = uti_vec_grow(t->steps, &t->cap, t->n + 1, sizeof *t->steps);
    memmove(&t->steps[i + 1], &t->steps[i], (t->n - i) * sizeof *t->steps);
    t->steps[i] = (struct timeline_step){ at_s, booked_before(t, i) };
    t->n++;
    return i;
}

/* forget step I if nothing changes at it */
static void drop_if_idle(struct timeline *t, uint32_t i)
{
    if (i >= t->n || t->steps[i].booked != booked_before(t, i))
        return;
    t->n--;
    memmove(&t->steps[i], &t->steps[i + 1], (t->n - i) * sizeof *t->steps);
}

/* BY more, modulo 2^64, so that releasing is adding the complement. Returns the least that was
 * booked before; UINT64_MAX for an empty span */
static uint64_t change_span(struct timeline *t, struct time_span span, uint64_t by)
{
    uint64_t least = UINT64_MAX;
    if (span.from_s >= span.until_s)
        return least;
    uint32_t first = span.from_s > 0 ? step_at(t, span.from_s) : 0;
    uint32_t end = span.until_s < TIME_FOREVER ? step_at(t, span.until_s) : t->n;
    if (span.from_s == 0) {
        least = t->booked;
        t->booked += by;
    }
    for (uint32_t i = first; i < end; i++) {
        least = t->steps[i].booked < least ? t->steps[i].booked : least;
        t->steps[i].booked += by;
    }
    drop_if_idle(t, end);
    drop_if_idle(t, first);
    return least;
}

void timeline_book_steps(struct timeline *t, struct time_span span, uint64_t amount)
{
    (void)change_span(t, span, amount);
}

bool timeline_release_steps(struct timeline *t, struct time_span span, uint64_t amount)
{
    return change_span(t, span, 0 - amount) >= amount;
}

uint64_t timeline_peak_steps(const struct timeline *t, struct time_span span)
{
    if (span.from_s >= span.until_s)
        return 0;
    uint32_t i = step_from(t, span.from_s);
    uint64_t peak = 0;
    if (i == t->n || t->steps[i].at_s > span.from_s)
        peak = booked_before(t, i);
    for (; i < t->n && t->steps[i].at_s < span.until_s; i++)
        if (t->steps[i].booked > peak)
            peak = t->steps[i].booked;
    return peak;
}

uint64_t timeline_from(const struct timeline *t, uint64_t most, uint64_t from_s,
                       uint64_t duration_s)
{
    if (from_s == TIME_FOREVER || duration_s == 0)
        return from_s;
    uint32_t i = step_from(t, from_s + 1);
    uint64_t booked = booked_before(t, i);
    for (; i < t->n; booked = t->steps[i++].booked) {
        uint64_t end_s = t->steps[i].at_s;
        if (booked > most)
            from_s = end_s;
        else if (end_s - from_s >= duration_s)
            return from_s;
    }
    return booked <= most ? from_s : TIME_FOREVER;
}
