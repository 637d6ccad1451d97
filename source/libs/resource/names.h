#ifndef RESOURCE_NAMES_H
#define RESOURCE_NAMES_H

#include "libs/resource/supply.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/hash.h"

/* Resources by name, and what records say of them as supplies and demands, which number them.
 * Pure. */
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

/* supply_read - S has OFFERS from now on, as far as CONSUMABLES, sorted by name, run out; what is
 * said of slots counts, but for those of queue instances, which are a setting of their own.
 * Bookings stay. O(offers x log) */
void supply_read(struct supply *s, const struct CE_Type_list *offers,
                 const struct CE_Type_list *consumables, struct resource_names *names);

/* supply_read_devices - the named devices of S are those of OFFERS from now on; those that tasks
 * have stay. O(offers x log + devices) */
void supply_read_devices(struct supply *s, const struct CE_Type_list *offers,
                         const struct CE_Type_list *consumables, struct resource_names *names);

/* allocation_parts - what a task books in an entry of its allocation: SLOTS, and what it has TAKEN
 * of other resources. PARTS has room for one more than TAKEN has. Returns how many there are, each
 * resource once, in the order of TAKEN. */
uint32_t allocation_parts(struct resource_names *names, uint32_t slots,
                          const struct TK_Type_list *taken, struct demand_part *parts);

#endif
