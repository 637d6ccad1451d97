#ifndef SCHED_SUPPLY_CELL_H
#define SCHED_SUPPLY_CELL_H

#include "libs/resource/demand.h"
#include "libs/resource/supply.h"
#include "libs/resource/urgency.h"
#include "libs/sched/supply/work.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* What the cell has, as its events describe it, and what is taken of it: the state of this room.
 *
 * The room includes nothing of the rooms above it. What concerns them it reports (cell_report); the
 * lists of blocked needs in its objects are theirs. */
struct pe;
struct queue_request;
struct queue_set;
struct quota_book;
struct quota_member;
struct sched_host;
struct sched_owner;
struct sched_queue;

/* Something was given back, so that blocked needs may fit, or what requests mean has changed. */
enum cell_change_kind {
    QUEUE_GAINED,  /* QUEUE takes tasks, and may have more room than before */
    CELL_GAINED,   /* so may the cell */
    HOST_REPORTED, /* HOST has other load values */
    CELL_REPORTED, /* any host may have others */
    PE_GAINED,     /* PE, of which BEFORE slots were left, has more, or another rule */
    QUOTA_GAINED,  /* QUOTA, which a look found short, has something left; NULL: any may */
    SET_CLEARED,   /* SET, a loose one, loses its bits */
    REQUEST_MOVED, /* REQUEST means another set */
    /* resources have become conditions of requests, or are no more */
    CONDITIONS_CHANGED,
    QUOTA_CLASSES_CHANGED, /* owners may be of others; the book is empty */
    QUOTA_BOOK_EMPTIED     /* what is ordered or runs is to be counted again */
};
struct cell_change {
    enum cell_change_kind kind;
    union { /* as KIND says */
        struct sched_queue *queue;
        struct sched_host *host;
        const struct quota_member *quota;
        struct queue_set *set;
        struct queue_request *request;
        struct {
            const struct pe *pe;
            uint64_t before;
        };
    };
};
/* cell_change_fn - take CHANGE, which is borrowed; called in the middle of an event, when what it
 * names is complete again */
typedef void cell_change_fn(void *ctx, const struct cell_change *change);

TAILQ_HEAD(fresh_list, fresh_start);
TAILQ_HEAD(loose_list, queue_set);
LIST_HEAD(set_list, queue_set);
/* memory for paths of tasks, which is used again (task_path.c) */
struct task_paths {
    struct growing_path path;
    struct task_reserved { /* a booking that task_release undoes */
        struct supply *member;
        struct demand *demand; /* counted */
        uint64_t tasks;
    } * reserved;
    uint32_t n_reserved, reserved_cap;
    struct growing_path timed; /* supplies in which ends are noted */
    uint64_t rounds;           /* how often they were to be forgotten */
    bool in_round;             /* a round of reservations books: what is noted stays */
    struct task_held *held;    /* what is reserved */
    uint32_t n_held, held_cap;
};

struct sched_cell {
    cell_change_fn *take_change; /* of the room above; with TAKER */
    void *taker;
    struct supply supply;
    struct EH_Type known;   /* as of hosts */
    uint64_t round, rounds; /* offer.c */
    uint64_t now_s;         /* of the last run */
    struct sched_work work; /* of all rooms */
    struct sched_queue *queues;
    struct sched_host *hosts;
    struct sched_queue **by_index; /* NULL: free */
    uint32_t n_indices, indices_cap;
    struct fresh_list fresh; /* starts that still count as load, oldest first */
    struct queue_request *requests;
    struct queue_set *sets;   /* by their members */
    struct set_list all_sets; /* but for loose ones */
    struct loose_list loose;  /* those with bits */
    struct queue_set *all;    /* of all instances: there while loose ones are read; counted */
    uint64_t marks, stamps;   /* given so far */
    struct pe *pes;
    struct sched_ar *ars; /* advance reservations (ar.h) */
    uint32_t n_coming;    /* of them that have not begun */
    struct sched_owner *owners;
    struct demands demands;
    struct resource_names names;
    struct CE_Type_list complex;     /* all resources, and */
    struct CE_Type_list consumables; /* those that run out; sorted by name */
    struct urgencies urgencies;      /* of requests */
    uint32_t n_forced;               /* those that must be asked for where they are */
    uint32_t n_reported;             /* hosts that report any load value */
    bool has_other_conditions;       /* while a report is taken: requests have others than before */
    struct RQS_Type_list rqs;        /* rule sets, enabled or not */
    struct quota_book *quotas;       /* NULL: no set is enabled */
    uint64_t quota_round;            /* how often that was made */
    struct task_paths task_paths;
    /* of sched_conf(5) */
    bool is_by_seq_no;
    uint32_t load_decay_s, tasks_of_user;
    uint64_t default_run_s; /* default_duration; TIME_FOREVER: none */
};

/* cell_untime - forget what is known of the future, the ends that are noted and what is reserved:
 * before anything changes, is booked or released. O(1) if nothing is, else O(members timed)
 * cell_disturb - the same, unless a round books, which knows itself what changes (run/reserve.h) */
void cell_forget_future(struct sched_cell *cell);
static inline void cell_untime(struct sched_cell *cell)
{
    cell->task_paths.rounds++;
    if (cell->task_paths.timed.n > 0)
        cell_forget_future(cell);
}
static inline void cell_disturb(struct sched_cell *cell)
{
    if (!cell->task_paths.in_round)
        cell_untime(cell);
}

static inline void cell_report(struct sched_cell *cell, const struct cell_change *change)
{
    cell->take_change(cell->taker, change);
}

#endif
