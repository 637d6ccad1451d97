#ifndef SCHED_PENDING_NEED_H
#define SCHED_PENDING_NEED_H

#include "libs/sched/pending/job_group_tree.h"

/* What is open, and what blocks the rest. */
struct need {
    struct sched_pending *pending;
    struct need_key key;
    struct job_group_tree groups; /* those with a job to start, in the policy's order */
    uint32_t users;               /* categories */
    bool is_open, is_blocked;
    bool
        is_short_in_cell; /* a parallel one, when it was blocked: the cell had not all that it may have */
    uint64_t quota_turn; /* while blocked, with a quota class: later ones have greater turns */
    uint64_t held_round, held_s; /* what was held back in that round (run/reserve.c) */
    bool has_held_unlimited;
    struct standing head; /* while open: of its first job group */
    RB_ENTRY(need) at;
    LIST_ENTRY(need) of_blocked, of_parallel;
    TAILQ_ENTRY(need) of_conditional, of_quota;
    UT_hash_handle hh;
};
/* need_get - the need that KEY is, made if it is new; one user more: need_drop
 *   key  taken: the caller has counted what it consists of
 * O(1) */
struct need *need_get(struct sched_pending *pending, const struct need_key *key);
/* need_drop - one user less; the last one frees it, with its hold on what its key consists of */
void need_drop(struct sched_pending *pending, struct need *need);
/* need_list_group, need_unlist_group - GROUP begins, or ceases, to have a job to start
 * Its standing must not change in between. O(log job groups) */
void need_list_group(struct need *need, struct job_group *group);
void need_unlist_group(struct need *need, struct job_group *group);
/* need_place - the best place for a task of NEED, and for how many of them it has room
 * Returns NULL if no place has any, or NEED is blocked; it is blocked afterwards, unless there is
 * room at this moment and a reservation holds the task back.
 * need_place_in - the same in Q alone; NEED is not blocked by it
 * need_grant - the same for a parallel one: OUT gets the places of one task */
struct queue_place *need_place(struct need *need, uint64_t *room);
struct queue_place *need_place_in(struct need *need, const struct sched_queue *q, uint64_t *room);
bool need_grant(struct need *need, struct grant *out);
/* need_unblock - NEED, which is blocked, may fit now
 * need_is_to_open - is NEED blocked until its turn in needs_wake comes, which it does? O(1) */
void need_unblock(struct need *need);
bool need_is_to_open(const struct need *need);
/* need_first_open - the open need whose turn it is, NULL without any. O(log) */
struct need *need_first_open(struct sched_pending *pending);

/* the blocked needs of a quota class; there while it has any */
TAILQ_HEAD(quota_needs, need);
struct quota_blocked {
    const struct quota_class *who;        /* the key */
    struct quota_needs needs;             /* in the order in which they were blocked */
    struct need *wake_last;               /* those until this one are to be opened; NULL: none */
    TAILQ_ENTRY(quota_blocked) of_waking; /* while wake_last is one */
    UT_hash_handle hh;
};

#endif
