#ifndef SCHED_SUPPLY_HOST_H
#define SCHED_SUPPLY_HOST_H

#include "libs/sched/supply/cell.h"

/* Hosts and the cell, as the qmaster describes them. */

/* host_update - a host has what RECORD says of resources; "global" is the cell. Needs that may fit
 * now are open afterwards. O(its queue instances x sets)
 * host_forget - it has nothing any more */
void host_update(struct sched_cell *cell, const struct EH_Type *record);
void host_forget(struct sched_cell *cell, const char *name);
/* places_renew - after what resources are has changed: all offers are read anew. O(queue instances
 * x sets) */
void places_renew(struct sched_cell *cell);

#endif
