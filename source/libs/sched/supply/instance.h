#ifndef SCHED_SUPPLY_INSTANCE_H
#define SCHED_SUPPLY_INSTANCE_H

#include "libs/config/qinstance.h"
#include "libs/sched/supply/cell.h"

/* Queue instances and hosts: what they are, and what others ask of them. */
struct need;
struct pe;
struct quota_class;
struct quota_place;
struct sched_owner;
struct value;
enum { LEVEL_CELL, LEVEL_QUEUE, LEVEL_HOST, PLACE_LEVELS };
struct queue_place { /* a queue instance in a set */
    struct sched_queue *queue;
    struct queue_set *set;
    bool is_listed; /* in set->usable */
    RB_ENTRY(queue_place) at;
    LIST_ENTRY(queue_place) of_queue, of_set;
};
struct sched_host {
    char *name;
    bool is_known;        /* the qmaster said what it has */
    struct EH_Type known; /* complex_values, load values and their scaling */
    uint64_t round;       /* when that changed (offer.c) */
    struct supply supply;
    LIST_HEAD(, sched_queue) queues;
    /* slots that were taken lately, and each of them times when: what hosts have not reported yet
     * (load.c) */
    uint64_t fresh, fresh_times;
    struct fresh_list starts; /* oldest first */
    uint64_t quota_values;    /* of dynamic limits, mixed (quota_use.c) */
    uint64_t site_stamp;      /* of the last look for places of a parallel task, and */
    uint32_t site;            /* which site of it the host was (parallel.c) */
    UT_hash_handle hh;
};
struct sched_queue {
    char *name;               /* "all.q@host" */
    char *key;                /* the same; of the part of an advance reservation with its number */
    uint32_t ar;              /* whose part it is; 0: a whole one */
    struct sched_queue *base; /* of a part: the queue instance */
    LIST_HEAD(, sched_queue) parts;
    LIST_ENTRY(sched_queue) of_base;
    struct supply unlimited; /* stands for the host and the cell of a part */
    struct QU_Type known;    /* what decides who may use it: QU_hostgroups, QU_access, QU_pe_list,
                           * QU_ckpt_list, QU_consumable_config_list, QU_qname, QU_qhostname, and of QU_settings
                           * what may be asked for and is not the default */
    uint64_t round;          /* when that changed */
    struct value *values;    /* of resources, by number, as far as they were looked at (offer.c) */
    uint32_t n_values;
    uint32_t seq_no, state;
    double load, load_step; /* of its host, as the qmaster says: QU_load, QU_load_step */
    double busy;            /* what it is sorted by: the load, and what started since */
    uint64_t free_slots;    /* of its own; kept while it is in trees */
    bool is_known;          /* false: known only as where tasks run; may not be used */
    bool is_blocked;        /* a part: no task starts there, whatever its base says */
    uint32_t n_stays;
    uint64_t run_s;       /* how long tasks run here that do not ask: its h_rt, or the default */
    uint32_t index;       /* in the cell's by_index, and in bits */
    uint64_t mark, stamp; /* its share of a set's `members`; of the last look for a set */
    struct supply supply;
    const struct quota_place *quota_place; /* as of quota_round (quota_use.c) */
    uint64_t quota_round;
    uint64_t missed_stamp;               /* of the last look for places of a parallel task, and */
    uint32_t missed;                     /* how many soft requests it missed then (parallel.c) */
    struct supply *levels[PLACE_LEVELS]; /* the supplies of the cell, of itself and of its host */
    struct sched_host *host;
    LIST_HEAD(, queue_place) places;
    LIST_ENTRY(sched_queue) of_host;
    uint32_t order_run, order_at; /* the last order to it: run and index in that run's list */
    UT_hash_handle hh;
};
/* what, beside a place, decides in what a task books there (task_path.h) */
struct task_kind {
    const struct quota_class *who; /* of its owner; NULL: no quota limits it */
    struct pe *pe;                 /* NULL: none */
    bool in_ar; /* in an advance reservation, which has taken of all but owner and quotas already */
    struct sched_owner *owner; /* at the first place of a task; NULL: he does not decide */
    struct task_time {
        uint64_t from_s; /* when it would start */
        uint64_t run_s;  /* how long it may run (h_rt); 0: its place says. TIME_FOREVER: no limit */
        /* from_s is this moment: what is held counts, though its end has passed */
        bool is_now;
    } time;
};
/* what a task takes in one place */
struct placed_demand {
    struct sched_queue *queue;
    struct demand *demand; /* counted by its holder */
};
/* queue_takes_tasks - may tasks start in Q, and has it a free slot? */
static inline bool queue_takes_tasks(const struct sched_queue *q)
{
    return q->is_known && (q->state & QI_BLOCKING) == 0 && q->free_slots > 0;
}

/* queue_may_take_tasks - may they, as soon as it has a free slot? */
static inline bool queue_may_take_tasks(const struct sched_queue *q)
{
    return q->is_known && (q->state & QI_BLOCKING) == 0;
}

/* queue_path - the supplies of a place, which are in the path of each task there (task_path.h)
 * path_below_cell - PATH, which begins with the cell, without it
 * queue_room - how many tasks with demand D can be added in Q at this moment, as far as it and its
 * host decide */
static inline struct path queue_path(const struct sched_queue *q)
{
    return (struct path){ q->levels, PLACE_LEVELS };
}

static inline struct path path_below_cell(struct path path)
{
    return (struct path){ path.v + LEVEL_QUEUE, path.n - LEVEL_QUEUE };
}

static inline uint64_t queue_room(const struct sched_queue *q, const struct demand *d)
{
    return path_room(path_below_cell(queue_path(q)), d, TIME_NOW);
}

/* queue_find - the queue instance NAME ("all.q@host"), NULL if it is unknown. O(1) */
static inline struct sched_queue *queue_find(const struct sched_cell *cell, const char *name)
{
    struct sched_queue *q;
    HASH_FIND_STR(cell->queues, name, q);
    return q;
}

#endif
