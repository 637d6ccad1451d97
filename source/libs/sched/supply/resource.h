#ifndef SCHED_SUPPLY_RESOURCE_H
#define SCHED_SUPPLY_RESOURCE_H

#include "libs/sched/supply/cell.h"

/* What resources are, and what requests and tasks take of them. */

/* resource_update - a resource is what OBJECT says; returns what that means for requests and offers
 * resource_forget - it is removed; running tasks keep what they took */
enum resource_effect {
    RESOURCE_SAME,
    RESOURCE_CHANGED, /* nothing depends on it but limits of quotas */
    RESOURCE_DECIDES  /* categories and places are to be renewed */
};
enum resource_effect resource_update(struct sched_cell *cell, const struct TX_Type *object);
enum resource_effect resource_forget(struct sched_cell *cell, const char *name);
/* request_demands - what a task with the -l requests of REQUEST takes; counted: demand_drop. For a
 * parallel one IN_SLOT is for each slot, ON_HOST for each host and OF_JOB for its master, each NULL
 * if it is nothing; else all of it is in IN_SLOT. */
void request_demands(struct sched_cell *cell, const struct JB_Type *request,
                     struct demand **in_slot, struct demand **on_host, struct demand **of_job);
/* request_run_s - how long a task with the -l requests of REQUEST may run: its h_rt; 0: it does not
 * ask
 * run_time_read - TEXT, a time, in seconds, at least one; TIME_FOREVER: INFINITY, or no time */
uint64_t request_run_s(const struct JB_Type *request);
uint64_t run_time_read(const char *text);
/* granted_demand - what each task takes in ENTRY, as the qmaster says; counted likewise */
struct demand *granted_demand(struct sched_cell *cell, const struct JG_Type *entry);
/* resources_free - forget all of them, when the categories have gone */
void resources_free(struct sched_cell *cell);

#endif
