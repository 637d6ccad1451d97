#ifndef SCHED_PENDING_PENDING_H
#define SCHED_PENDING_PENDING_H

#include "libs/sched/place/finder.h"

/* What waits, and in which order: the state of this room.
 *
 *   job        of a job group; in its tree only if a task of it could start now, were there room
 *   job group  jobs of one category, owner, project, priority (-p) and further claims; in its
 *              need's tree if it has such a job; the policy ranks it
 *   owner      who has job groups, and how many tasks
 *   category   jobs with equal requests and rights (project, the owner's user sets): it has a need,
 *              and job groups
 *   aside      what a reservation holds back: a job group that would fit at this moment, but not
 *              for as long as it runs; its need is open for others (run/reserve.h)
 *   need       what tasks ask for, and in which queue instances: what blocks one blocks all, so
 *              this is what is open or blocked
 *
 * Invariant, between two calls: a need is in `open` if and only if its tree has a job group and it
 * is not blocked; else, if it is blocked, it is in the list of what blocks it: its queue set, the
 * cell or a quota. */
struct category;
struct job_group;
struct job_rank;
struct sched_job;
struct need;
struct quota_blocked;
struct urgency_class;
RB_HEAD(open_tree, need);
RB_HEAD(reserving_tree, job_group);
LIST_HEAD(aside_list, job_group);
RB_HEAD(roomy_tree, sched_owner);
LIST_HEAD(exhausted_list, sched_owner);
TAILQ_HEAD(conditional_list, need);
TAILQ_HEAD(idle_list, category);
TAILQ_HEAD(waking_list, quota_blocked);
struct sched_pending {
    struct sched_cell *cell;
    struct place_finder *finder;
    /* the policy's; NULL: all equal */
    int64_t (*rank)(void *own, const struct job_group *group, const struct sched_job *job);
    void *rank_own;
    bool rank_has_priority;      /* -p is in the rank: it decides nothing beside it */
    uint32_t n_overriding;       /* job groups with override tickets */
    uint32_t n_unusual;          /* job groups with claims that not all have (job_group.c) */
    struct job_group *rank_next; /* to be asked for next in job_groups_rank_more */
    struct job_rank *job_ranks;  /* of the jobs that the policy ranks one by one; NULL: of none */
    struct job_group *groups;
    struct urgency_class *urgency_classes;
    struct category *categories;
    struct idle_list idle; /* categories without a job, oldest first, kept for the next one */
    uint32_t n_idle;
    struct need *needs;
    struct open_tree open;
    struct reserving_tree reserving; /* job groups that want reservations, listed or aside */
    uint32_t n_reserving;            /* those and the parked ones */
    struct aside_list aside;         /* those that a reservation holds back in this round */
    struct roomy_tree roomy;
    struct exhausted_list exhausted; /* owners who have used their allowance */
    struct need_list blocked_by_cell;
    struct need_list blocked_parallel;           /* by whatever; of parallel jobs */
    struct conditional_list blocked_conditional; /* by whatever; with conditions */
    struct need_list short_of_quota;             /* blocked by a quota, wherever they would run */
    struct quota_blocked *blocked_by_class;      /* by whatever; by quota class */
    struct waking_list waking;                   /* classes whose needs are to be opened, in turn */
    uint64_t quota_turns;                        /* given so far */
    uint64_t *gained, *sweeping; /* instances with more room: since the sweep began, before it */
    bool has_gained;
    struct queue_set *sweep_at; /* the loose set that is swept next; NULL: the sweep is over */
};

#endif
