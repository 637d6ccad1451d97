#ifndef RESOURCE_NAMED_DEVICES_H
#define RESOURCE_NAMED_DEVICES_H

#include "libs/resource/names.h"

/* The devices of a supply (RSMAP of complex(5)): which ones there are of a resource, and which of
 * them tasks have. Pure. */

/* supply_read_devices - S has those that OFFERS name from now on, of resources of CONSUMABLES,
 * sorted by name; those that tasks have stay. O(offers x log + devices) */
void supply_read_devices(struct supply *s, const struct CE_Type_list *offers,
                         const struct CE_Type_list *consumables, struct resource_names *names);

/* supply_names_devices - does S say which devices of RESOURCE it has?
 * supply_choose_devices - append AMOUNT free devices of RESOURCE to OUT, the first in their order.
 * False if there are not as many. O(devices) */
bool supply_names_devices(const struct supply *s, uint32_t resource);
bool supply_choose_devices(const struct supply *s, uint32_t resource, uint64_t amount,
                           struct ST_Type_list *out);

/* supply_book_devices - a task has DEVICES of RESOURCE
 * supply_release_devices - undo exactly that: anything else trips an ASSERT. O(devices) */
void supply_book_devices(struct supply *s, uint32_t resource, const struct ST_Type_list *devices);
void supply_release_devices(struct supply *s, uint32_t resource,
                            const struct ST_Type_list *devices);

/* supply_add_devices - append to OUT the devices of RESOURCE that tasks have. O(devices) */
void supply_add_devices(const struct supply *s, uint32_t resource, struct ST_Type_list *out);

/* devices_free - for supply_free */
void devices_free(struct named_devices *devices);

#endif
