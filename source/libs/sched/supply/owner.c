/* Owners of jobs, and how many tasks each may have (maxujobs of sched_conf(5)). Owns struct
 * sched_owner. */
#include "libs/sched/supply/owner.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

uint64_t owner_room(const struct sched_owner *owner)
{
    return supply_left(&owner->supply, RESOURCE_TASKS, TIME_NOW);
}

static void set_limit(const struct sched_cell *cell, struct sched_owner *owner)
{
    uint32_t most = cell->tasks_of_user;
    supply_offer(&owner->supply, RESOURCE_TASKS, most != 0 ? most : RESOURCE_UNLIMITED);
}

struct sched_owner *owner_get(struct sched_cell *cell, const char *name)
{
    struct sched_owner *owner;
    HASH_FIND_STR(cell->owners, name, owner);
    if (owner == NULL) {
        owner = uti_calloc(1, sizeof *owner);
        owner->name = uti_strdup(name);
        owner->supply.kind = SUPPLY_OWNER;
        set_limit(cell, owner);
        owner->allowance = FAIR_LOOKS;
        owner->cost_at_s = cell->now_s;
        RB_INIT(&owner->parked);
        HASH_ADD_KEYPTR(hh, cell->owners, owner->name, strlen(owner->name), owner);
    }
    owner->users++;
    return owner;
}

void owner_drop(struct sched_cell *cell, struct sched_owner *owner)
{
    if (--owner->users > 0)
        return;
    HASH_DEL(cell->owners, owner);
    if (owner->is_exhausted)
        LIST_REMOVE(owner, of_exhausted);
    free(owner->name);
    supply_free(&owner->supply);
    free(owner);
}

void owners_limit(struct sched_cell *cell)
{
    for (struct sched_owner *owner = cell->owners; owner != NULL; owner = owner->hh.next)
        set_limit(cell, owner);
}
