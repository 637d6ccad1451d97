#ifndef SCHED_SUPPLY_OWNER_H
#define SCHED_SUPPLY_OWNER_H

#include "libs/sched/supply/cell.h"

/* Owners of jobs, and how many tasks each may have (maxujobs of sched_conf(5)).
 *
 * The parked job groups of an owner, and what his requests cost, are those of pending/parking.h. */
struct job_group;

/* What orders jobs, job groups and needs. Trees of job groups and needs compare copies, so that
 * what they were made of may change first. */
struct standing {
    int64_t rank; /* what the policy says of the job group; higher goes first */
    uint32_t priority, number;
};
RB_HEAD(job_group_tree, job_group);
enum { FAIR_LOOKS = 200000 }; /* the first allowance of an owner */
struct sched_owner {
    char *name;               /* the key */
    struct supply supply;     /* of tasks: how many he may have, and those ordered or running */
    uint32_t users;           /* job groups, and sets of queue instances made for him */
    uint64_t n_places;        /* in those sets */
    uint64_t cost, cost_at_s; /* looks charged to him, as of then */
    uint64_t allowance;       /* and those he may have */
    uint64_t shown_until_s;   /* no report before that he comes last */
    bool is_exhausted;        /* in the list of those that are */
    LIST_ENTRY(sched_owner) of_exhausted;
    struct job_group_tree parked;
    bool is_roomy; /* has parked job groups and may have another task, and looks: in a tree */
    struct standing head; /* while roomy: of its first parked job group */
    RB_ENTRY(sched_owner) at;
    UT_hash_handle hh;
};
/* owner_get - the owner called NAME, made if he is new; one job group more: owner_drop
 * owner_drop - one job group less; the last one frees him */
struct sched_owner *owner_get(struct sched_cell *cell, const char *name);
void owner_drop(struct sched_cell *cell, struct sched_owner *owner);
/* owner_room - how many more tasks he may have; UINT64_MAX without a limit
 * owners_limit - maxujobs is another; owners_settle must follow. O(owners) */
uint64_t owner_room(const struct sched_owner *owner);
void owners_limit(struct sched_cell *cell);

#endif
