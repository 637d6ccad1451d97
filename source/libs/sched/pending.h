#ifndef SCHED_PENDING_H
#define SCHED_PENDING_H

#include "libs/sched/places.h"

/* What waits, and in which order: needs, leaves and categories, which sched_priv.h explains. For
 * the files of this room and for policies that decide on the default data model. */
struct category;
struct leaf;
struct sched_job;

/* What orders jobs, leaves and needs. Trees of leaves and needs compare copies, so that what they
 * were made of may change first. */
struct standing {
    int64_t rank; /* what the policy says of the leaf; higher goes first */
    uint32_t priority, number;
};

/* ---- need.c: what is open, and what blocks the rest ---- */
RB_HEAD(leaf_tree, leaf);
struct need {
    struct sched *sched;
    struct need_key {
        struct queue_set *set;
        struct demand *demand;
    } key;
    struct leaf_tree leaves; /* those with a job to start, in the policy's order */
    uint32_t users;          /* categories */
    bool is_open, is_blocked;
    struct standing head; /* while open: of its first leaf */
    RB_ENTRY(need) at;
    LIST_ENTRY(need) of_blocked;
    UT_hash_handle hh;
};
RB_HEAD(open_tree, need);
/* counted: need_drop; takes SET and DEMAND, which were counted */
struct need *need_get(struct sched *s, struct queue_set *set, struct demand *demand);
void need_drop(struct sched *s, struct need *need);
/* the standing of a leaf must not change while it is listed */
void need_list_leaf(struct need *need, struct leaf *leaf);
void need_unlist_leaf(struct need *need, struct leaf *leaf);
/* the best place that has room, and for how many tasks; NULL, and it is blocked, if none has */
struct queue_place *need_place(struct need *need, uint64_t *room);
/* open those of BLOCKED of which a task fits in Q; NULL: as far as the cell decides. O(BLOCKED): as
 * many as there are demands in the same queue instances */
void needs_wake(struct sched *s, struct need_list *blocked, const struct queue *q);
/* the leaf whose turn it is; NULL if all are blocked */
struct leaf *leaf_first_open(struct sched *s);

/* ---- leaf.c: jobs of one category, owner and project ---- */
RB_HEAD(ready_tree, sched_job);
struct leaf {
    struct category *category;
    const char *owner, *project; /* in the key; "" = none */
    struct ready_tree ready;     /* jobs with a task to start, most important first */
    uint32_t users;              /* jobs */
    uint64_t n_taken;            /* their tasks that are ordered or run */
    bool is_listed;              /* in its need's tree */
    struct standing standing;
    RB_ENTRY(leaf) at;
    LIST_ENTRY(leaf) of_category;
    void *key;
    size_t key_bytes;
    UT_hash_handle hh;
};
/* counted: leaf_drop; takes CATEGORY, which was counted */
struct leaf *leaf_get(struct sched *s, struct category *category, const char *owner,
                      const char *project);
void leaf_drop(struct sched *s, struct leaf *leaf);
void leaf_add_job(struct leaf *leaf, struct sched_job *job);
void leaf_remove_job(struct leaf *leaf, struct sched_job *job);
struct sched_job *leaf_first_job(struct leaf *leaf);
uint32_t leaf_priority(const struct leaf *leaf); /* of its first job */
bool leaf_depends_on(const struct JB_Type *job); /* does JOB bring what decides its leaf? */
bool leaf_rank(struct leaf *leaf); /* asks the policy again; true if it stands lower now */
void leaves_rank(struct sched *s); /* all of them. O(leaves) */

/* ---- category.c: jobs with equal requests ---- */
struct category {
    struct sched *sched;
    struct need *need;
    struct queue_request *request; /* -q */
    LIST_HEAD(, leaf) leaves;
    LIST_ENTRY(category) of_request;
    uint32_t users; /* leaves */
    TAILQ_ENTRY(category) of_idle;
    void *key; /* its requests, packed */
    size_t key_bytes;
    UT_hash_handle hh;
};
TAILQ_HEAD(idle_list, category);
bool category_depends_on(const struct JB_Type *job); /* does JOB bring a field of the key? */
void category_renew(struct category *c);             /* its request for queues means another set */
void categories_renew(struct sched *s); /* what requests mean has changed. O(categories) */
/* the category of JOB, which has what it does not speak of from BASE, if that is not NULL; counted:
 * category_drop */
struct category *category_get(struct sched *s, const struct category *base,
                              const struct JB_Type *job);
void category_drop(struct sched *s, struct category *c);
void categories_free(struct sched *s);

/* ---- consumable.c: which requests take something ---- */
struct consumable {
    uint64_t resource;
    UT_hash_handle hh;
    char name[];
};
/* the number of a resource; from its first use on, requests of that name take of it */
uint32_t consumable_number(struct sched *s, const char *name);
struct demand *demand_of_request(struct sched *s, const struct JB_Type *request); /* counted */
void consumables_free(struct sched *s);

#endif
