#ifndef QMASTER_TABLES_TURNS_H
#define QMASTER_TABLES_TURNS_H

#include "common/basis.h"

/* What the core's turns cost. The core measures itself: how long each turn took, and which part of
 * a long one was the longest. qping -info shows it. */
enum {
    /* bucket i counts the turns of less than 2^i us that no bucket before it counts; the last
     * counts all others */
    TURN_BUCKETS = 24,
    /* what sge_conf(5) calls TURN_BUDGET_US: default, least (below it all would be overhead) and
     * most */
    TURN_BUDGET_US = 5000,
    TURN_BUDGET_LEAST_US = 500,
    TURN_BUDGET_MOST_US = 1000000,
    /* a turn that is longer is worth a line in the log; but one line in TURN_WARN_PAUSE_US is
     * enough */
    TURN_WARN_US = 50000,
    TURN_WARN_PAUSE_US = 1000000
};
struct turn_part { /* texts are borrowed until the turn has ended */
    const char *what;
    char who[32]; /* user; "" when it was for nobody */
    uint64_t us;
};
struct turns {
    uint64_t n, slices, longest_us;
    uint64_t bucket[TURN_BUCKETS];
    const char *doing, *for_whom;     /* the slice under way: what it is and whose; borrowed */
    uint64_t began_us, part_began_us; /* of the turn under way */
    struct turn_part longest_part;
    uint64_t warned_us;
};
/* turns_begin - a turn begins NOW (monotonic) */
void turns_begin(struct turns *t, uint64_t now_us);
/* turns_part - what was done since the turn began or the last part ended was WHAT, for WHO (NULL:
 * nobody in particular) */
void turns_part(struct turns *t, const char *what, const char *who, uint64_t now_us);
/* turns_end - the turn is over: it is counted, and logged if it was long */
void turns_end(struct turns *t, uint64_t now_us);
/* turns_bucket - where a turn of US microseconds is counted */
unsigned turns_bucket(uint64_t us);

#endif
