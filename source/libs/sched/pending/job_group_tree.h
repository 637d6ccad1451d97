#ifndef SCHED_PENDING_JOB_GROUP_TREE_H
#define SCHED_PENDING_JOB_GROUP_TREE_H

#include "libs/sched/pending/pending.h"

/* Job groups in the order in which they have their turn. */
struct job_group;
struct stay;
struct urgency_class;
/* nothing to start | -a time not come | in its job group's tree */
enum job_place { JOB_NOWHERE, JOB_WAITING, JOB_READY };
/* a job, as its group keeps it (run/jobs.h) */
struct sched_job {
    uint32_t number, priority, concurrency; /* -tc; 0: any number at once */
    enum job_place place : 8; /* in four bytes with what follows: there are many jobs */
    bool is_deleted : 1;      /* kept until its last task has ended */
    bool is_active : 1;       /* in by_age of its class of urgency (urgency.h) */
    /* -now y: what the next run does not start as a whole goes */
    bool is_immediate : 1, is_undecided : 1; /* the latter: in jobs->undecided */
    bool is_put_off : 1;                     /* to the next run */
    bool is_ranked : 1;                      /* has a rank of its own, in job_ranks */
    bool is_capped : 1;                      /* concurrency is the policy's: 0 allows no task */
    uint32_t ja_first, ja_step;              /* -t; ja_step 0: it is no array */
    uint64_t start_at_s, submitted_s;
    struct job_group *group;
    struct range_set ready;            /* may start */
    struct range_set ordered, running; /* in all its stays */
    uint64_t n_taken;                  /* ordered or running: what -tc limits */
    LIST_HEAD(, stay) stays;
    LIST_ENTRY(sched_job) of_undecided;
    RB_ENTRY(sched_job) at, by_age;
};
RB_HEAD(ready_tree, sched_job);
struct job_group {
    struct category *category;
    /* in the key; "" = none */
    const char *owner, *project, *department;
    uint64_t deadline_s;                            /* -dl; 0: none */
    uint32_t priority, job_share, override_tickets; /* -p + 1024, -js, -ot */
    struct sched_owner *of;                         /* counted */
    struct urgency_class *urgency;                  /* counted */
    struct ready_tree ready; /* jobs with a task to start, most important first */
    uint32_t ticket_class;   /* for tickets_renew */
    uint32_t users;          /* jobs */
    uint64_t *compared;      /* counts comparisons */
    uint64_t n_taken;        /* their tasks that are ordered or run */
    bool is_listed;          /* in its need's tree */
    bool is_parked;          /* in its owner's instead */
    bool is_aside;           /* in neither, for this round */
    struct standing standing;
    RB_ENTRY(job_group) at; /* in either */
    RB_ENTRY(job_group) of_reserving;
    LIST_ENTRY(job_group) of_aside;
    LIST_ENTRY(job_group) of_category;
    void *key;
    size_t key_bytes;
    UT_hash_handle hh;
};
/* standing_order - <0: A goes before B */
int standing_order(const struct standing *a, const struct standing *b);
/* job_group_tree_first, job_group_tree_add, job_group_tree_remove - of job groups by their
 * standings. O(log) */
static inline struct job_group *job_group_tree_first(const struct job_group_tree *tree)
{
    struct job_group *first = RB_ROOT(tree);
    while (first != NULL && RB_LEFT(first, at) != NULL)
        first = RB_LEFT(first, at);
    return first;
}
void job_group_tree_add(struct job_group_tree *tree, struct job_group *group);
void job_group_tree_remove(struct job_group_tree *tree, struct job_group *group);

#endif
