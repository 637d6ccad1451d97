#ifndef SCHED_SCHED_PRIV_H
#define SCHED_SCHED_PRIV_H

#include "libs/sched/conf.h"
#include "libs/sched/immediates.h"
#include "libs/sched/owners.h"
#include "libs/sched/pending.h"
#include "libs/sched/places.h"
#include "libs/sched/quotas.h"
#include "libs/sched/sched.h"
#include "libs/uti/number_map.h"
#include "libs/uti/slab.h"

/* The default data model, for the files of this room and for policies that decide on it.
 *
 *   job        of a job group; in its tree only if a task of it could start now, were there room
 *   job group       jobs of one category, owner and project; in its need's tree if it has such a
 *   job; the policy ranks it owner      who has job groups, and how many tasks category   jobs with
 *   equal requests and rights (project, the owner's user sets): it has a need, and job groups need
 *   what tasks ask for, and in which queues: what blocks one blocks all, so this is what is open or
 *   blocked queue set  the queue instances that -q and -pe requests mean; those that mean the same
 *   share one queue      a queue instance, on a host, in the cell: the three supplies that a task
 *   takes its demand from (resource.h) stay       tasks of a job with the same allocation, ordered
 *   or running pe         a parallel environment: how the slots of one task spread over hosts, and
 *   how many all of its tasks may have
 *
 * Invariants, between two calls:
 *  - a need is in `open` if and only if its tree has a job group and it is not blocked; else, if it
 *  is
 *    blocked, it is in the list of what blocks it: its queue set, the cell or a quota;
 *  - a queue instance is in the tree of each of its sets if and only if it has a free slot and may
 *    be used;
 *  - what is taken of the three supplies is the demand of the tasks that stay there. */
/* ---- model.c ---- */
/* model_apply - take an event into the model; promises what sched_apply does */
int model_apply(struct sched *s, const struct EV_Type *event, struct answer *ans);

/* ---- jobs.c ---- */
/* nothing to start | -a time not come | in its job group's tree */
enum job_place { JOB_NOWHERE, JOB_WAITING, JOB_READY };
struct sched_job {
    uint32_t number, priority, concurrency; /* -tc; 0: any number at once */
    enum job_place place : 8; /* in four bytes with what follows: there are many jobs */
    bool is_deleted : 1;      /* kept until its last task has ended */
    bool is_active : 1;       /* in by_age */
    /* -now y: what the next run does not start as a whole goes */
    bool is_immediate : 1, is_undecided : 1; /* the latter: in s->undecided */
    bool is_put_off : 1;                     /* to the next run */
    uint64_t start_at_s, submitted_s;
    struct job_group *group;
    struct range_set ready;            /* may start */
    struct range_set ordered, running; /* in all its stays */
    uint64_t n_taken;                  /* ordered or running: what -tc limits */
    LIST_HEAD(, stay) stays;
    LIST_ENTRY(sched_job) of_undecided;
    RB_ENTRY(sched_job) at, by_age;
};
RB_HEAD(waiting_tree, sched_job);
RB_HEAD(age_tree, sched_job);
/* job_find - the job of that number, NULL if it is unknown */
struct sched_job *job_find(const struct sched *s, uint32_t number);
/* job_new - begin to know a job; job_update must follow
 * job_update - JOB has what RECORD sets, and READY may start as well */
struct sched_job *job_new(struct sched *s, const struct JB_Type *record);
void job_update(struct sched *s, struct sched_job *job, const struct JB_Type *record,
                const struct range_set *ready);
/* job_forget - JOB was deleted: nothing of it starts any more. It goes when its last task has
 * ended, which may be now. */
void job_forget(struct sched *s, struct sched_job *job);
/* job_ready - IDS may start, but for those that run; orders for them are void
 * job_unready - IDS may not start; orders for them are void */
void job_ready(struct sched *s, struct sched_job *job, const struct range_set *ids);
void job_unready(struct sched *s, struct sched_job *job, const struct range_set *ids);
/* job_started - IDS run with the allocation GRANTED each; those that ran already do not count twice
 * job_ended - those of IDS that ran so have ended; a deleted job may be gone afterwards */
void job_started(struct sched *s, struct sched_job *job, const struct range_set *ids,
                 const struct JG_Type_list *granted);
void job_ended(struct sched *s, struct sched_job *job, const struct range_set *ids,
               const struct JG_Type_list *granted);
/* job_book - TASKS, which may start, are ordered, each with GRANT
 * job_refused - orders for IDS are void; they start again only when job_ready says so */
void job_book(struct sched *s, struct sched_job *job, const struct grant *grant,
              struct range tasks);
void job_refused(struct sched *s, struct sched_job *job, const struct range_set *ids);
/* jobs_wake - jobs whose -a time has come by s->now_s may start. O(those jobs x log)
 * jobs_next_due - the next -a time, 0 if no job waits for one */
void jobs_wake(struct sched *s);
uint64_t jobs_next_due(const struct sched *s);
/* jobs_span - from the oldest to the newest submit of jobs that run or could; 0, 0 without any */
struct prior_span jobs_span(const struct sched *s);
/* jobs_free - forget all jobs, with the tasks that run */
void jobs_free(struct sched *s);

/* ---- stay.c: where tasks are, as ordered or as the qmaster said ---- */
/* an entry of an allocation */
struct stay_place {
    struct sched_queue *queue;
    struct demand *demand; /* of each task there; counted */
};
/* tasks of one job with the same allocation; there while it has any */
struct stay {
    struct range_set ordered; /* the qmaster has not confirmed it: the undo log */
    struct range_set running; /* the qmaster said so */
    LIST_ENTRY(stay) of_job;
    UT_hash_handle hh;
    uint32_t n; /* places */
    /* the key is the memory from here to the end */
    struct sched_job *job;
    struct pe *pe; /* NULL: none */
    struct stay_place at[];
};
/* grant_demand - what a task of the need KEY takes at place I of GRANT; counted: demand_drop */
struct demand *grant_demand(struct sched *s, const struct need_key *key, const struct grant *grant,
                            uint32_t i);
/* task_room - how many more tasks of JOB may start with their slots in PE (NULL: none), of a slot
 * each, as far as -tc, its owner and PE allow
 * task_concurrency_left - the same of -tc alone */
uint64_t task_room(const struct sched_job *job, struct pe *pe);
uint64_t task_concurrency_left(const struct sched_job *job);
/* stays_order - TASKS are ordered, each with GRANT, with what their job asks for
 * stays_start - IDS, of which none runs, run with the allocation GRANTED each; orders for them are
 * void */
void stays_order(struct sched *s, struct sched_job *job, const struct grant *grant,
                 struct range tasks);
void stays_start(struct sched *s, struct sched_job *job, const struct JG_Type_list *granted,
                 const struct range_set *ids);
/* stays_end - those of IDS that have the allocation GRANTED end; a queue of it may be gone
 * afterwards, if it was unknown and nothing is left in it */
void stays_end(struct sched *s, struct sched_job *job, const struct JG_Type_list *granted,
               const struct range_set *ids);
/* stays_undo - orders for IDS are void
 * O(stays of the job), but only if one of IDS is on order; that is rare, as what was ordered
 * starts */
void stays_undo(struct sched *s, struct sched_job *job, const struct range_set *ids);
/* stays_leave - everything on order goes, and everything that runs if ALSO_RUNNING */
void stays_leave(struct sched *s, struct sched_job *job, bool also_running);

/* ---- order.c ---- */
/* order_add - append TASKS of JOB, each with GRANT, to ORDERS: to the order of this run for job and
 * queue instance, or to a new one. O(places) */
void order_add(struct sched *s, struct OR_Type_list *orders, const struct sched_job *job,
               const struct grant *grant, struct range tasks);

/* order_last - OWNER comes after all others for what his requests cost: that is to be shown */
void order_last(struct OR_Type_list *orders, const struct sched_owner *owner);

/* ---- dispatch.c ---- */
/* dispatch_job - order consecutive tasks of JOB, which has one to start, in its best queue
 * instance; of a parallel one a single task, in all the instances that it gets
 *   most  at most so many, > 0; fewer if another queue instance is better for the rest
 * Books them. Returns how many, 0 if there is no room: then the need is blocked. */
uint32_t dispatch_job(struct sched *s, struct sched_job *job, uint32_t most,
                      struct OR_Type_list *orders);

/* ---- sched.c ---- */
/* sched_look_at - JOB is what is looked at from now on; 0: none is */
void sched_look_at(struct sched *s, uint32_t job);

struct sched {
    struct number_map jobs;
    struct slab slab; /* what jobs are made of */
    struct stay *stays;
    /* a key that is being looked for, with room for so many places; kept for the next one */
    struct stay *sought;
    uint32_t sought_room;
    struct waiting_tree waiting;     /* by -a time */
    struct age_tree by_age;          /* active jobs by submission time */
    struct undecided_list undecided; /* immediate ones */
    struct job_group *groups;
    struct category *categories;
    struct idle_list idle; /* categories without a job, oldest first, kept for the next one */
    uint32_t n_idle;
    struct need *needs;
    struct open_tree open;
    struct sched_owner *owners;
    struct roomy_tree roomy;
    struct exhausted_list exhausted;             /* owners who have used their allowance */
    uint64_t slice_looks;                        /* a run ends after so many; 0: any number */
    bool is_cut;                                 /* the last one did */
    _Atomic uint32_t *shown_job;                 /* read by the watchdog; NULL without one */
    struct need_list blocked;                    /* by the cell */
    struct need_list blocked_parallel;           /* by whatever; of parallel jobs */
    struct conditional_list blocked_conditional; /* by whatever; with conditions */
    struct need_list short_of_quota;             /* blocked by a quota, wherever they would run */
    struct quota_blocked *blocked_quota;         /* by whatever; by quota class */
    struct RQS_Type_list rqs;                    /* rule sets, enabled or not */
    struct quota_book *quotas;                   /* NULL: no set is enabled */
    uint64_t quota_round;                        /* how often that was made */
    struct quota_paths quota_paths;
    struct parallel *parallels;
    struct pe *pes;
    struct layout *layout; /* kept for the next look for places */
    struct grant grant;    /* likewise */
    struct sched_queue *queues;
    struct sched_host *hosts;
    struct fresh_list fresh; /* starts that still count as load, oldest first */
    struct queue_request *requests;
    struct queue_set *sets;          /* by their members */
    LIST_HEAD(, queue_set) all_sets; /* but for loose ones */
    struct loose_list loose;         /* those with bits */
    struct queue_set *all;         /* of all instances: there while loose ones are read; counted */
    struct sched_queue **by_index; /* NULL: free */
    uint32_t n_indices, indices_cap;
    uint64_t *gained, *sweeping; /* instances with more room: since the sweep began, before it */
    bool has_gained;
    struct queue_set *sweep_at; /* the loose set that is swept next; NULL: the sweep is over */
    struct sched_owner *asking; /* whose job comes, or is altered; NULL: none */
    uint64_t marks, stamps;     /* given so far */
    uint64_t missed_stamp;      /* of this look for places of a parallel task */
    struct supply cell;
    struct demands demands;
    struct resource_names names;
    struct conditions *conditions;
    struct soft *softs;
    struct CE_Type_list complex;     /* all resources, and */
    struct CE_Type_list consumables; /* those that run out; sorted by name */
    uint32_t n_forced;               /* those that must be asked for where they are */
    uint32_t n_reported;             /* hosts that report any load value */
    bool has_other_conditions;       /* while a report is taken: requests have others than before */
    struct EH_Type cell_known;       /* as of hosts */
    uint64_t cell_round, rounds;     /* value.c */
    uint64_t now_s;                  /* of the last run */
    struct sched_conf conf;
    const struct sched_policy *policy; /* in force; conf.policy is what was asked for */
    void *own;                         /* the policy's state */
    struct sched_work work;
};

#endif
