#ifndef RESOURCE_TIMELINE_H
#define RESOURCE_TIMELINE_H

#include "common/basis.h"

/* How much of one thing is taken, at each time from the first to the last; times are seconds of the
 * wall clock. Pure.
 *
 * While everything is taken for ever, this is one number, and taking, giving back and asking cost
 * O(1). A span that begins or ends within time adds a step at that end; then they cost O(steps). */
#define TIME_FOREVER UINT64_MAX
struct time_span {
    uint64_t from_s, until_s; /* from_s <= t < until_s; TIME_FOREVER: no end */
};
#define TIME_ALWAYS ((struct time_span){ 0, TIME_FOREVER })

struct timeline {
    uint64_t taken; /* before the first step */
    struct timeline_step {
        uint64_t at_s, taken; /* from at_s until the next step */
    } * steps;
    uint32_t n, cap;
}; /* all zero: nothing is taken */

/* timeline_free - T is empty afterwards */
void timeline_free(struct timeline *t);

/* timeline_take - AMOUNT more is taken in SPAN; an empty span changes nothing
 * timeline_give - undo exactly that: what is given back was taken before, with the same span */
void timeline_take(struct timeline *t, struct time_span span, uint64_t amount);
void timeline_give(struct timeline *t, struct time_span span, uint64_t amount);

/* timeline_peak - the most that is taken at any time of SPAN; 0 for an empty span */
uint64_t timeline_peak(const struct timeline *t, struct time_span span);

#endif
