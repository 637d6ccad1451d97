#ifndef RESOURCE_DEMAND_H
#define RESOURCE_DEMAND_H

#include "common/basis.h"
#include "libs/uti/hash.h"

/* What one task takes of each resource, as a vector. Resources are numbered as they come; slots are
 * the first. Pure. */
enum { RESOURCE_SLOTS };

/* Shared: equal demands are the same pointer. For a call alone, one may be made of N and PARTS, in
 * any order. */
struct demand {
    uint32_t users, n;
    const struct demand_part {
        uint64_t resource, amount; /* amount > 0; both as wide, so that the key has no gap */
    } * parts;                     /* by resource, each once; slots first */
    UT_hash_handle hh;
    struct demand_part own[]; /* what PARTS points to, of a shared one */
};
struct demands {
    struct demand *all;
}; /* all zero: empty */

/* demand_get - the demand of N parts, which ascend by resource; counted: demand_drop
 * demand_times - what so many slots take, of which each takes D; counted likewise
 * demand_sum - what A and B take together; either may be NULL; counted likewise
 * demand_drop - one user less; the last one frees it */
struct demand *demand_get(struct demands *in, const struct demand_part *parts, uint32_t n);
struct demand *demand_times(struct demands *in, struct demand *d, uint32_t slots);
struct demand *demand_sum(struct demands *in, struct demand *a, struct demand *b);
void demand_drop(struct demands *in, struct demand *d);
/* demand_slots - how many slots a task takes */
uint32_t demand_slots(const struct demand *d);

#endif
