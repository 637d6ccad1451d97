#ifndef SCHED_PENDING_H
#define SCHED_PENDING_H

#include "libs/sched/parallel_jobs.h"
#include "libs/sched/places.h"
#include "libs/sched/values.h"

/* What waits, and in which order: needs, job groups and categories, which sched_priv.h explains.
 * For the files of this room and for policies that decide on the default data model. */
struct category;
struct job_group;
struct sched_owner;
struct sched_job;
struct soft;

/* What orders jobs, job groups and needs. Trees of job groups and needs compare copies, so that
 * what they were made of may change first. */
struct standing {
    int64_t rank; /* what the policy says of the job group; higher goes first */
    uint32_t priority, number;
};

/* ---- need.c: what is open, and what blocks the rest ---- */
RB_HEAD(job_group_tree, job_group);
struct need {
    struct sched *sched;
    struct need_key {
        struct queue_set *set;
        struct demand *demand;           /* of each slot */
        struct demand *on_host, *of_job; /* of a parallel one, once; NULL: nothing */
        struct conditions *conditions;   /* NULL: none */
        struct soft *soft;               /* NULL: none */
        struct parallel *parallel;       /* NULL: one slot */
        const struct quota_class *quota; /* NULL: no quota can limit it (quotas.h) */
    } key;
    struct job_group_tree groups; /* those with a job to start, in the policy's order */
    uint32_t users;               /* categories */
    bool is_open, is_blocked;
    struct standing head; /* while open: of its first job group */
    RB_ENTRY(need) at;
    LIST_ENTRY(need) of_blocked, of_parallel;
    TAILQ_ENTRY(need) of_conditional, of_quota;
    UT_hash_handle hh;
};
RB_HEAD(open_tree, need);
TAILQ_HEAD(conditional_list, need);
/* need_get - the need that KEY is, made if it is new; one user more: need_drop
 *   key  taken: the caller has counted what it consists of
 * O(1) */
struct need *need_get(struct sched *s, const struct need_key *key);
/* need_drop - one user less; the last one frees it, with its hold on what its key consists of */
void need_drop(struct sched *s, struct need *need);
/* standing_order - <0: A goes before B */
int standing_order(const struct standing *a, const struct standing *b);
/* job_group_tree_first, job_group_tree_add, job_group_tree_remove - of job groups by their
 * standings. O(log) */
struct job_group *job_group_tree_first(struct job_group_tree *tree);
void job_group_tree_add(struct job_group_tree *tree, struct job_group *group);
void job_group_tree_remove(struct job_group_tree *tree, struct job_group *group);
/* need_list_group, need_unlist_group - GROUP begins, or ceases, to have a job to start
 * Its standing must not change in between. O(log job groups) */
void need_list_group(struct need *need, struct job_group *group);
void need_unlist_group(struct need *need, struct job_group *group);
/* need_place - the best place for a task of NEED, and for how many of them it has room
 * Returns NULL if no place has any, or NEED is blocked; it is blocked afterwards.
 * need_grant - the same for a parallel one: OUT gets the places of one task */
struct queue_place *need_place(struct need *need, uint64_t *room);
bool need_grant(struct need *need, struct grant *out);
/* need_unblock - NEED, which is blocked, may fit now */
void need_unblock(struct need *need);
/* needs_wake - open those of BLOCKED of which a task fits in Q; Q NULL: as far as the cell decides
 * O(BLOCKED): as many as there are demands in the same queue instances
 * cell_wake - open those that may fit as the cell has more. O(those blocked by it, and those that
 * take something of each of several hosts) */
void cell_wake(struct sched *s);
void needs_wake(struct sched *s, struct need_list *blocked, struct sched_queue *q);
/* host_wake_conditional - H has reported other load values: those needs with conditions of which a
 * task fits there now are open afterwards. Looks at CONDITIONAL_LOOKS of them at most; the others
 * have their turn at the next report.
 * cell_wake_conditional - the same after all hosts may have changed: all are tried */
void host_wake_conditional(struct sched *s, struct sched_host *h);
void cell_wake_conditional(struct sched *s);
/* job_group_first_open - the job group whose turn it is, after asking the policy once more for the
 * ranks of those that could be first; job groups of owners with as many tasks as they may have are
 * parked. NULL if all needs are blocked or have no job. O(log) for each rank, and each job group
 * parked */
struct job_group *job_group_first_open(struct sched *s);

/* ---- job_group.c: jobs of one category, owner and project ---- */
RB_HEAD(ready_tree, sched_job);
struct job_group {
    struct category *category;
    const char *owner, *project; /* in the key; "" = none */
    struct sched_owner *of;      /* counted */
    struct ready_tree ready;     /* jobs with a task to start, most important first */
    uint32_t users;              /* jobs */
    uint64_t n_taken;            /* their tasks that are ordered or run */
    bool is_listed;              /* in its need's tree */
    bool is_parked;              /* in its owner's instead */
    struct standing standing;
    RB_ENTRY(job_group) at; /* in either */
    LIST_ENTRY(job_group) of_category;
    void *key;
    size_t key_bytes;
    UT_hash_handle hh;
};
/* job_group_get - the job group of these jobs, made if it is new; one job more: job_group_drop
 *   category  taken: the caller has counted it
 * O(1)
 * job_group_drop - one job less; the last one frees it */
struct job_group *job_group_get(struct sched *s, struct category *category, const char *owner,
                                const char *project);
void job_group_drop(struct sched *s, struct job_group *group);
/* job_groups_move - owners may be of other quota classes: each job group goes to the category that
 * it now belongs to. O(job groups) */
void job_groups_move(struct sched *s);
/* job_group_add_job, job_group_remove_job - JOB, of this job group, begins, or ceases, to have a
 * task to start Its priority must not change in between. O(log) */
void job_group_add_job(struct job_group *group, struct sched_job *job);
void job_group_remove_job(struct job_group *group, struct sched_job *job);
/* job_group_first_job - the most important job with a task to start, NULL without one
 * job_group_priority - its priority, 0 without one */
struct sched_job *job_group_first_job(struct job_group *group);
uint32_t job_group_priority(const struct job_group *group);
/* job_group_depends_on - does the record JOB set a field that decides which job group is its? */
bool job_group_depends_on(const struct JB_Type *job);
/* job_group_park - GROUP, which is listed, waits until its owner may have another task
 * job_group_let_go - it is listed again. O(log) */
void job_group_park(struct job_group *group);
void job_group_let_go(struct job_group *group);
/* job_group_rank - ask the policy for the rank of GROUP and put it where it now belongs. Returns
 * whether the rank has fallen.
 * job_groups_rank - the same for all of them. O(job groups) */
bool job_group_rank(struct job_group *group);
void job_groups_rank(struct sched *s);

/* ---- category.c: jobs with equal requests ---- */
struct category {
    struct sched *sched;
    struct need *need;
    struct queue_request *request;   /* -q, -pe */
    const struct quota_class *quota; /* of the owners of its job groups; NULL: none */
    LIST_HEAD(, job_group) groups;
    LIST_ENTRY(category) of_request;
    uint32_t users; /* job groups */
    TAILQ_ENTRY(category) of_idle;
    void *key; /* its requests, packed, and the quota class with its round, if it has one */
    size_t key_bytes, request_bytes;
    UT_hash_handle hh;
};
TAILQ_HEAD(idle_list, category);
/* category_depends_on - does the record JOB set a field of the key? */
bool category_depends_on(const struct JB_Type *job);
/* category_renew - find the need of C again, after what its requests mean has changed; its job
 * groups move to it
 * categories_renew - the same for all of them, whose queues are asked for again, too.
 * O(categories) */
void category_renew(struct category *c);
void categories_renew(struct sched *s);
/* category_get - the category of a job, made if it is new; one job group more: category_drop
 *   base  NULL, or where the fields come from that JOB does not set
 * O(fields), a new one O(queue instances) */
struct category *category_get(struct sched *s, const struct category *base,
                              const struct JB_Type *job);
/* category_drop - one job group less; one without job groups is kept for a while, as the next job
 * may ask for the same */
void category_drop(struct sched *s, struct category *c);
/* categories_forget_idle - free those that are kept without a job
 * categories_free - free those that are kept, when the jobs have gone */
void categories_forget_idle(struct sched *s);
void categories_free(struct sched *s);

/* ---- soft.c: where jobs would rather run ---- */
/* soft_get - the soft requests of REQUEST; counted: soft_drop; NULL without any
 * soft_missed - how many of them Q does not meet. O(requests x values)
 * soft_most - how many that can be; 0 of NULL */
struct soft *soft_get(struct sched *s, const struct JB_Type *request);
void soft_drop(struct sched *s, struct soft *soft);
uint32_t soft_missed(struct sched *s, const struct soft *soft, const struct sched_queue *q);
uint32_t soft_most(const struct soft *soft);

/* ---- consumable.c: what resources are, and what requests take of them ---- */
/* resource_update - a resource is what OBJECT says; requests and offers of it are read anew.
 * O(categories + queue instances), if anybody asks for it or it runs out
 * resource_forget - it is removed; running tasks keep what they took */
void resource_update(struct sched *s, const struct TX_Type *object);
void resource_forget(struct sched *s, const char *name);
/* request_demands - what a task with the -l requests of REQUEST takes; counted: demand_drop. For a
 * parallel one IN_SLOT is for each slot, ON_HOST for each host and OF_JOB for its master, each NULL
 * if it is nothing; else all of it is in IN_SLOT. */
void request_demands(struct sched *s, const struct JB_Type *request, struct demand **in_slot,
                     struct demand **on_host, struct demand **of_job);
/* granted_demand - what each task takes in ENTRY, as the qmaster says; counted likewise */
struct demand *granted_demand(struct sched *s, const struct JG_Type *entry);
/* resources_free - forget all of them, when the categories have gone */
void resources_free(struct sched *s);

#endif
