#ifndef SCHED_RUN_STAY_H
#define SCHED_RUN_STAY_H

#include "libs/sched/pending/job_group.h"
#include "libs/sched/run/start_times.h"
#include "libs/sched/supply/task_path.h"
#include "libs/uti/number_map.h"
#include "libs/uti/slab.h"

/* Where tasks are, as ordered or as the qmaster said; and the state of this room.
 *
 * Invariant, between two calls: what is taken of the supplies of a path is the demand of the tasks
 * that are there. */
RB_HEAD(waiting_tree, sched_job);
LIST_HEAD(undecided_list, sched_job);
/* what forecast.c knows of the future */
struct forecast {
    uint64_t made_s, round; /* as of when it is made, and the cell's round then; 0: not yet */
    enum forecast_stage { FORECAST_GATHERS, FORECAST_NOTES, FORECAST_SEARCHES } stage;
    struct stay *next; /* whose ends are gathered next */
    struct task_end {
        uint64_t at_s;
        struct stay *stay;
        uint64_t tasks;
    } * ends; /* in their order */
    uint32_t n, cap, n_noted;
    uint32_t job; /* whose search goes on, between the times LOW and HIGH */
    uint32_t low, high;
    /* it is that of a round of reservations (reserve.c), and what that needs: */
    bool is_of_round;
    uint64_t *times; /* at which something ends, ascending, each once */
    uint32_t n_times, times_cap;
    uint64_t longest_s; /* that a task without a limit of its own can be anywhere */
};
/* what reserve.c knows of a round */
struct reservation {
    uint32_t job, task;
    uint64_t start_s, run_s; /* run_s: TIME_FOREVER: no end */
    struct grant places;     /* owns its memory; valid in the round */
};
struct reserve {
    struct reservation *v; /* N of the round; the memory of others is kept */
    uint32_t n, cap;
    bool is_over; /* nothing else is to be reserved */
    bool has_last;
    struct standing last; /* of what was reserved last */
    uint32_t n_hopeless;  /* jobs for which there is no time */
    uint64_t slots_most;  /* that are booked at most in all queue instances together */
    struct OR_Type sent;  /* the last order that said what is reserved */
    uint64_t sent_s;
    bool is_unsent;            /* it may be something else */
    uint64_t due_s;            /* a round was put off until then; 0: none was */
    struct reserve_next *more; /* jobs that follow in job groups of which one was looked at */
    uint32_t n_more, more_cap;
};
struct sched_jobs {
    struct sched_cell *cell;
    struct place_finder *finder;
    struct sched_pending *pending;
    struct number_map by_number;
    struct slab slab; /* what jobs are made of */
    struct stay *stays;
    /* a key that is being looked for, with room for so many places; kept for the next one */
    struct stay *sought;
    uint32_t sought_room;
    struct waiting_tree waiting;     /* by -a time */
    struct undecided_list undecided; /* immediate ones */
    struct grant grant;              /* kept for the next task of a parallel job */
    struct forecast forecast;
    struct reserve reserve;
    uint64_t slice_looks;        /* a run ends after so many; 0: any number */
    bool is_cut;                 /* the last one did */
    bool is_by_task;             /* each task of a job may have a rank of its own */
    _Atomic uint32_t *shown_job; /* read by the watchdog; NULL without one */
};
/* tasks of one job with the same allocation; there while it has any */
struct stay {
    struct range_set ordered;  /* the qmaster has not confirmed it: the undo log */
    struct range_set running;  /* the qmaster said so */
    struct start_times starts; /* of those that run */
    LIST_ENTRY(stay) of_job;
    UT_hash_handle hh;
    uint32_t n; /* places */
    /* the key is the memory from here to the end */
    struct sched_job *job;
    struct pe *pe; /* NULL: none */
    struct placed_demand at[];
};
/* stay_kind - of the tasks of STAY at its place I: their owner counts each of them once
 * stay_tasks - how many there are
 * job_task_room - how many more tasks of JOB, of a slot each, may start with their slots in PE
 * (NULL: none), as far as -tc, its owner and PE allow
 * task_concurrency_left - the same of -tc alone */
struct task_kind stay_kind(const struct stay *stay, uint32_t i);
uint64_t stay_tasks(const struct stay *stay);
uint64_t job_task_room(const struct sched_job *job, struct pe *pe);
uint64_t task_concurrency_left(const struct sched_job *job);
/* stays_order - TASKS are ordered, each with GRANT, with what their job asks for
 * stays_start - IDS, of which none runs, run since AT_S with the allocation GRANTED each; orders
 * for them are void */
void stays_order(struct sched_jobs *jobs, struct sched_job *job, const struct grant *grant,
                 struct range tasks);
void stays_start(struct sched_jobs *jobs, struct sched_job *job, const struct JG_Type_list *granted,
                 const struct range_set *ids, uint64_t at_s);
/* stays_end - those of IDS that have the allocation GRANTED end; a queue of it may be gone
 * afterwards, if it was unknown and nothing is left in it */
void stays_end(struct sched_jobs *jobs, struct sched_job *job, const struct JG_Type_list *granted,
               const struct range_set *ids);
/* stays_undo - orders for IDS are void
 * O(stays of the job), but only if one of IDS is on order; that is rare, as what was ordered
 * starts */
void stays_undo(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids);
/* stays_leave - everything on order goes, and everything that runs if ALSO_RUNNING */
void stays_leave(struct sched_jobs *jobs, struct sched_job *job, bool also_running);
/* stays_move - JOB is in GROUP from now on, and its tasks count for who owns that. O(stays of the
 * job), if that is another owner or class
 * stays_take_change - CHANGE has come of the cell: for pending, and for what counts again */
void stays_move(struct sched_jobs *jobs, struct sched_job *job, struct job_group *group);
void stays_take_change(struct sched_jobs *jobs, const struct cell_change *change);

#endif
