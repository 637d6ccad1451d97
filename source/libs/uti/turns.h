#ifndef UTI_TURNS_H
#define UTI_TURNS_H

#include "common/basis.h"

/* What the turns of a thread cost. A thread that others wait for measures itself: how long each
 * turn took, and which part of a long one was the longest. qping -info shows the figures. */
enum {
    /* bucket i counts the turns of less than 2^i us that no bucket before it counts; the last
     * counts all others */
    TURN_BUCKETS = 24,
    /* a turn that is longer is worth a line in the log; but one line in TURN_WARN_PAUSE_US is
     * enough */
    TURN_WARN_US = 50000,
    TURN_WARN_PAUSE_US = 1000000
};
struct turn_part { /* texts are borrowed until the turn has ended */
    const char *what;
    char who[32]; /* user; "" when it was for none */
    uint64_t us;
};
struct turn_counts {    /* any thread may add and read */
    const char *thread; /* for the log, a literal: "the core"; NULL: no lines */
    _Atomic uint64_t n, longest_us, warned_us;
    _Atomic uint64_t bucket[TURN_BUCKETS];
};
struct turns {
    struct turn_counts counts;
    uint64_t slices;
    const char *doing, *for_whom;     /* the slice under way: what it is and whose; borrowed */
    uint64_t began_us, part_began_us; /* of the turn under way */
    struct turn_part longest_part;
};
/* turns_begin - a turn begins NOW (monotonic) */
void turns_begin(struct turns *t, uint64_t now_us);
/* turns_part - what was done since the turn began or the last part ended was WHAT, for WHO (NULL:
 * no user in particular) */
void turns_part(struct turns *t, const char *what, const char *who, uint64_t now_us);
/* turns_end - the turn is over: it is counted, and logged if it was long */
void turns_end(struct turns *t, uint64_t now_us);
/* turn_count - count a turn of US microseconds that ends NOW, and log it if it was long; any thread
 *   longest  its longest part; NULL: it has no parts worth a line */
void turn_count(struct turn_counts *c, uint64_t us, const struct turn_part *longest,
                uint64_t now_us);
/* turns_bucket - where a turn of US microseconds is counted */
unsigned turns_bucket(uint64_t us);

#endif
