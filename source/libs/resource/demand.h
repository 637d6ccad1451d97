#ifndef RESOURCE_DEMAND_H
#define RESOURCE_DEMAND_H

#include "libs/sgeobj/rows.h"
#include "libs/uti/hash.h"

/* Resources by name and number, and what one task takes of each, as a vector. Slots are resource 0,
 * the others are numbered as their names come. Pure. */
enum { RESOURCE_SLOTS };

/* ---- names ---- */
struct resource_name {
    uint32_t number;      /* in supplies and demands; more than RESOURCE_SLOTS */
    uint32_t n_reporters; /* hosts that report a load value of it: the scheduler's count */
    UT_hash_handle hh;
    const char *name; /* counted */
};
struct resource_names {
    struct resource_name *all, **by_number;
    uint32_t cap;
    const char *slots; /* counted; NULL before it was needed */
};                     /* all zero: empty */

/* resource_name_get - the one of NAME, made if it is new; it stays. O(1)
 * resource_name_find - NULL if it is unknown
 * resource_names_free - forget all of them */
struct resource_name *resource_name_get(struct resource_names *names, const char *name);
struct resource_name *resource_name_find(const struct resource_names *names, const char *name);
void resource_names_free(struct resource_names *names);
/* resource_text - what the resource NUMBER is called; a counted string, borrowed */
const char *resource_text(struct resource_names *names, uint32_t number);

/* ---- demands ---- */
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

/* allocation_parts - what a task books in an entry of its allocation: SLOTS, and what it has TAKEN
 * of other resources. PARTS has room for one more than TAKEN has. Returns how many there are, each
 * resource once, in the order of TAKEN. */
uint32_t allocation_parts(struct resource_names *names, uint32_t slots,
                          const struct TK_Type_list *taken, struct demand_part *parts);

#endif
