#ifndef SCHED_PLACE_PARALLEL_H
#define SCHED_PLACE_PARALLEL_H

#include "libs/sched/place/finder.h"

/* What parallel jobs ask for, and where the slots of a task go. */
struct parallel {
    char *wc_pe;
    const char *sets;             /* counted: user sets of the requester; NULL: none */
    struct range_set wanted;      /* numbers of slots that will do */
    struct QR_Type_list master_q; /* -masterq; empty: any */
    uint32_t least, greatest;     /* of them */
    uint32_t users;               /* needs */
    void *key;
    size_t key_bytes;
    UT_hash_handle hh;
};
/* parallel_get - what the job REQUEST asks for with -pe and -masterq, NULL without -pe; equal
 * requests of owners in the same user sets are the same pointer; counted: parallel_drop, for which
 * NULL is fine */
struct parallel *parallel_get(struct place_finder *finder, const struct JB_Type *request);
void parallel_drop(struct place_finder *finder, struct parallel *parallel);
/* parallel_means - would PE do, and may the job's owner use it? */
bool parallel_means(const struct parallel *parallel, const struct pe *pe);
/* parallel_may_fit - could a task of KEY fit after something was given back in Q? For NULL: as far
 * as the cell decides. True for every one that fits. O(queue instances of the host) */
bool parallel_may_fit(const struct place_finder *finder, const struct need_key *key,
                      const struct sched_queue *q);
/* parallel_place - where a task of KEY goes: in the environment that gives it the most slots
 *
 *   out  gets environment and places; its memory is used again
 *
 * Returns false if it does not fit. O(environments meant x usable queue instances) */
bool parallel_place(struct place_finder *finder, const struct need_key *key, struct grant *out);
/* grant_demand - what a task of the need KEY takes at place I of GRANT; counted: demand_drop */
struct demand *grant_demand(struct place_finder *finder, const struct need_key *key,
                            const struct grant *grant, uint32_t i);
/* layout_free - free the memory in which places are looked for; NULL is fine */
void layout_free(struct layout *layout);

#endif
