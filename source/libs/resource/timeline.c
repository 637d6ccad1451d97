/* What is taken over time, as steps. Owns struct timeline.
 *
 * Invariants: steps ascend in time; neighbours differ in what is taken, the first from what is
 * taken before it. So a timeline that everything was given back to is one number again. */
#include "libs/resource/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

void timeline_free(struct timeline *t)
{
    free(t->steps);
    *t = (struct timeline){ 0 };
}

/* taken just before step I */
static uint64_t taken_before(const struct timeline *t, uint32_t i)
{
    return i > 0 ? t->steps[i - 1].taken : t->taken;
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
    t->steps[i] = (struct timeline_step){ at_s, taken_before(t, i) };
    t->n++;
    return i;
}

/* forget steps at which nothing changes */
static void drop_idle_steps(struct timeline *t)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->steps[i].taken != taken_before(t, kept))
            t->steps[kept++] = t->steps[i];
    t->n = kept;
}

/* modulo 2^64, so that giving back is adding the complement */
static void change_span(struct timeline *t, struct time_span span, uint64_t by)
{
    if (span.from_s == 0 && span.until_s == TIME_FOREVER && t->n == 0) {
        t->taken += by;
        return;
    }
    if (span.from_s >= span.until_s)
        return;
    uint32_t first = span.from_s > 0 ? step_at(t, span.from_s) : 0;
    uint32_t end = span.until_s < TIME_FOREVER ? step_at(t, span.until_s) : t->n;
    if (span.from_s == 0)
        t->taken += by;
    for (uint32_t i = first; i < end; i++)
        t->steps[i].taken += by;
    drop_idle_steps(t);
}

void timeline_take(struct timeline *t, struct time_span span, uint64_t amount)
{
    change_span(t, span, amount);
}

void timeline_give(struct timeline *t, struct time_span span, uint64_t amount)
{
    change_span(t, span, 0 - amount);
}

uint64_t timeline_peak(const struct timeline *t, struct time_span span)
{
    if (span.from_s >= span.until_s)
        return 0;
    uint32_t i = step_from(t, span.from_s);
    uint64_t peak = 0;
    if (i == t->n || t->steps[i].at_s > span.from_s)
        peak = taken_before(t, i);
    for (; i < t->n && t->steps[i].at_s < span.until_s; i++)
        if (t->steps[i].taken > peak)
            peak = t->steps[i].taken;
    return peak;
}
