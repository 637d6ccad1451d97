#ifndef SCHED_PARALLEL_JOBS_H
#define SCHED_PARALLEL_JOBS_H

#include "libs/resource/supply.h"
#include "libs/sched/spread.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* Parallel jobs: their environments, what they ask for, and where the slots of one task go. For the
 * files of this room (sched_priv.h). */
struct need_key;
struct sched_queue;
struct sched;

/* where a task is to go: an allocation in the making */
struct grant_place {
    struct sched_queue *queue;
    uint32_t slots;
};
struct grant {
    struct pe *pe;         /* NULL: no parallel environment */
    struct grant_place *v; /* the master's first */
    uint32_t n, cap;
};

/* ---- pe.c: parallel environments ---- */
struct pe {
    char *name;
    bool is_known;        /* false: known only as where tasks run; nothing starts in it */
    struct supply supply; /* its slots; none while it is unknown */
    struct spread_rule rule;
    struct AC_Type_list doors; /* who may use it */
    uint32_t n_stays;
    UT_hash_handle hh;
};
/* pe_find - the environment NAME, NULL if it is unknown. O(1)
 * pe_get - the same, made if it is not there: as one where tasks may be, but none may start */
struct pe *pe_find(const struct sched *s, const char *name);
struct pe *pe_get(struct sched *s, const char *name);
/* pe_update - it is there and is what OBJECT says; needs that may fit now are open afterwards.
 * O(parallel needs that are blocked)
 * pe_forget - nothing starts in NAME any more; it goes when the last stay has left it */
void pe_update(struct sched *s, const struct TX_Type *object);
void pe_forget(struct sched *s, const char *name);
/* pe_enter, pe_leave - a stay in PE begins, ends; PE may be gone after the latter */
void pe_enter(struct pe *pe);
void pe_leave(struct sched *s, struct pe *pe);
/* pe_left - its free slots
 * pe_gained - slots were released since BEFORE were left: needs for which it was too small are open
 * afterwards */
uint64_t pe_left(const struct pe *pe);
void pe_gained(struct sched *s, const struct pe *pe, uint64_t before);
/* pes_free - free all of them, when the jobs have gone */
void pes_free(struct sched *s);

/* ---- parallel.c: what parallel jobs ask for, and where it is ---- */
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
struct parallel *parallel_get(struct sched *s, const struct JB_Type *request);
void parallel_drop(struct sched *s, struct parallel *parallel);
/* parallel_means - would PE do, and may the job's owner use it? */
bool parallel_means(const struct parallel *parallel, const struct pe *pe);
/* parallel_may_fit - could a task of KEY fit after something was given back in Q? For NULL: as far
 * as the cell decides. True for every one that fits. O(queue instances of the host) */
bool parallel_may_fit(const struct sched *s, const struct need_key *key,
                      const struct sched_queue *q);
/* parallel_place - where a task of KEY goes: in the environment that gives it the most slots
 *
 *   out  gets environment and places; its memory is used again
 *
 * Returns false if it does not fit. O(environments meant x usable queue instances) */
bool parallel_place(struct sched *s, const struct need_key *key, struct grant *out);
/* grant_demand - what a task of the need KEY takes at place I of GRANT; counted: demand_drop */
struct demand *grant_demand(struct sched *s, const struct need_key *key, const struct grant *grant,
                            uint32_t i);
/* layout_free - free the memory in which places are looked for; NULL is fine */
struct layout;
void layout_free(struct layout *layout);

#endif
