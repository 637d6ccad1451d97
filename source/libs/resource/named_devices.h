#ifndef RESOURCE_NAMED_DEVICES_H
#define RESOURCE_NAMED_DEVICES_H

#include "libs/sgeobj/rows.h"

/* The devices that a place names (RSMAP of complex(5)): which ones there are of a resource, and
 * which of them tasks have. Resources are numbers (demand.h). NULL is the list without any. Pure.
 */
struct named_devices;

/* devices_offer_none - none are offered any more; those that tasks have stay
 * devices_offer - those are that VALUE ("2(left right)") names. O(devices) */
void devices_offer_none(struct named_devices *all);
void devices_offer(struct named_devices **all, uint32_t resource, const char *value);
/* devices_are_offered - is one of RESOURCE? */
bool devices_are_offered(const struct named_devices *all, uint32_t resource);

/* devices_choose - append AMOUNT free devices of RESOURCE that are offered to OUT, the first in
 * their order. False if there are not as many. O(devices) */
bool devices_choose(const struct named_devices *all, uint32_t resource, uint64_t amount,
                    struct ST_Type_list *out);
/* devices_book - a task has DEVICES of RESOURCE
 * devices_release - undo exactly that: anything else trips an ASSERT. O(devices) */
void devices_book(struct named_devices **all, uint32_t resource,
                  const struct ST_Type_list *devices);
void devices_release(struct named_devices *all, uint32_t resource,
                     const struct ST_Type_list *devices);
/* devices_add_booked - append to OUT the devices of RESOURCE that tasks have. O(devices) */
void devices_add_booked(const struct named_devices *all, uint32_t resource,
                        struct ST_Type_list *out);

/* devices_free - all of them */
void devices_free(struct named_devices *all);

#endif
