#ifndef RESOURCE_TIMELINE_H
#define RESOURCE_TIMELINE_H

#include "common/basis.h"

/* How much of one thing is booked at each time; times are seconds of the wall clock. Pure.
 *
 * A timeline is untimed by default: one number, what is held, and spans are not looked at, so that
 * each call costs O(1). Once it is timed they count: a span that begins or ends within time adds a
 * step at that end, and calls cost O(log steps + steps in the span). What was held by then is held
 * for ever, until its end is noted by a release from then on. */
#define TIME_FOREVER UINT64_MAX
struct time_span {
    uint64_t from_s, until_s; /* from_s <= t < until_s; TIME_FOREVER: no end */
};
/* This moment: what is held has begun by then, whatever is known of its end. */
#define TIME_NOW ((struct time_span){ 0, 1 })

struct timeline {
    uint64_t booked; /* before the first step */
    struct timeline_step {
        uint64_t at_s, booked; /* from at_s until the next step */
    } * steps;
    uint32_t n, cap; /* cap 0: untimed */
};                   /* all zero: nothing is booked */

/* timeline_free - T is empty afterwards */
void timeline_free(struct timeline *t);

/* timeline_time - T is timed from now on
 * timeline_untime - it no longer is, and holds what it held before; steps are forgotten */
void timeline_time(struct timeline *t);
void timeline_untime(struct timeline *t);

/* timeline_book - AMOUNT more is booked in SPAN, modulo 2^64; an empty span changes nothing
 * timeline_release - undo exactly that, or what is booked in a part of it. Returns whether as much
 * was booked in all of SPAN, which is so unless the bookings came to 2^64. */
static inline void timeline_book(struct timeline *t, struct time_span span, uint64_t amount);
static inline bool timeline_release(struct timeline *t, struct time_span span, uint64_t amount);

/* timeline_peak - the most that is booked at any time of SPAN; 0 for an empty span */
static inline uint64_t timeline_peak(const struct timeline *t, struct time_span span);

/* timeline_from - the first second, FROM_S or later, from which no more than MOST is booked for
 * DURATION_S seconds, TIME_FOREVER: without an end. Returns TIME_FOREVER if there is none.
 * O(steps) */
uint64_t timeline_from(const struct timeline *t, uint64_t most, uint64_t from_s,
                       uint64_t duration_s);

/* ---- one number, as nearly always ---- */
void timeline_book_steps(struct timeline *t, struct time_span span, uint64_t amount);
bool timeline_release_steps(struct timeline *t, struct time_span span, uint64_t amount);
uint64_t timeline_peak_steps(const struct timeline *t, struct time_span span);

static inline void timeline_book(struct timeline *t, struct time_span span, uint64_t amount)
{
    if (t->cap == 0)
        t->booked += amount;
    else
        timeline_book_steps(t, span, amount);
}

static inline bool timeline_release(struct timeline *t, struct time_span span, uint64_t amount)
{
    if (t->cap > 0)
        return timeline_release_steps(t, span, amount);
    bool was_booked = t->booked >= amount;
    t->booked -= amount;
    return was_booked;
}

static inline uint64_t timeline_peak(const struct timeline *t, struct time_span span)
{
    if (t->cap > 0)
        return timeline_peak_steps(t, span);
    return span.from_s < span.until_s ? t->booked : 0;
}

#endif
