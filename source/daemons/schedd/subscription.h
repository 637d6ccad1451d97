#ifndef SCHEDD_SUBSCRIPTION_H
#define SCHEDD_SUBSCRIPTION_H

#include "libs/evc/evc.h"

/* What the scheduler subscribes to besides what every policy needs. */
enum { SUBSCRIPTION_NAMES = 10 };
struct subscription {
    unsigned needs; /* SCHED_NEEDS_... (libs/sched/policy/policy.h); 0: nothing */
    struct evc_wish wish;
    const char *kinds[SUBSCRIPTION_NAMES], *objects[SUBSCRIPTION_NAMES]; /* ended by NULL */
};
/* subscription_make - what NEEDS mean to the qmaster, into S, where the wish stays */
void subscription_make(struct subscription *s, unsigned needs);

#endif
