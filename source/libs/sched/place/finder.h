#ifndef SCHED_PLACE_FINDER_H
#define SCHED_PLACE_FINDER_H

#include "libs/sched/supply/queue_set.h"
#include "libs/sched/supply/task_path.h"

/* What decides where a task can go, and the state of this room: what needs are made of, and what is
 * kept from one look for a place to the next. */
struct conditions;
struct layout;
struct parallel;
struct soft;
struct need_key {
    struct queue_set *set;
    struct demand *demand;           /* of each slot */
    struct demand *on_host, *of_job; /* of a parallel one, once; NULL: nothing */
    struct conditions *conditions;   /* NULL: none */
    struct soft *soft;               /* NULL: none */
    struct parallel *parallel;       /* NULL: one slot */
    const struct quota_class *quota; /* NULL: no quota can limit it (task_path.h) */
    uint64_t ar;                     /* the advance reservation that it is for; 0: none */
};
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
struct place_finder {
    struct sched_cell *cell;
    struct conditions *conditions;
    struct soft *softs;
    struct parallel *parallels;
    struct layout *layout; /* kept for the next look for places */
    uint64_t missed_stamp; /* of this look for places of a parallel task */
    struct task_time time; /* of the task that is to be placed */
    bool is_later; /* that is not now: queue instances without a free slot may have one then */
};

/* finder_kind - what a task of KEY is, at its time; finder_kind_now - at this moment */
static inline struct task_kind finder_kind(const struct place_finder *finder,
                                           const struct need_key *key)
{
    return (struct task_kind){ .who = key->quota, .in_ar = key->ar != 0, .time = finder->time };
}

static inline struct task_kind finder_kind_now(const struct need_key *key)
{
    return (struct task_kind){ .who = key->quota, .in_ar = key->ar != 0, .time = { 0, 1 } };
}

#endif
