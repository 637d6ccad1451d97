#ifndef SCHED_SCHED_PRIV_H
#define SCHED_SCHED_PRIV_H

#include "libs/sched/conf.h"
#include "libs/sched/sched.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* The default data model, for the files of this room and for policies that decide on it.
 *
 * Invariants, between two calls:
 *  - a job stands in exactly one place (enum job_place) and in its category's tree only if a task of it could start now, were there a slot;
 *  - a category is in `open` if and only if its tree has a job and it is not blocked;
 *  - a queue instance is in the tree of each of its sets if and only if it has a free slot and may be used;
 *  - the used slots of a queue are those of the tasks that stay in it, running or ordered. */
struct category;
struct queue;
struct queue_set;

/* ---- queue.c: queue instances and the sets of them that -q requests mean ---- */
struct queue_place { /* a queue instance in a set */
    struct queue *queue;
    struct queue_set *set;
    bool is_listed; /* in set->usable */
    RB_ENTRY(queue_place) at;
    LIST_ENTRY(queue_place) of_queue, of_set;
};
struct queue {
    char *name;            /* "all.q@host" */
    struct QU_Type groups; /* QU_hostgroups alone */
    uint32_t slots, used, seq_no, state, qtype;
    bool is_known; /* false: heard of only as where tasks run; may not be used */
    LIST_HEAD(, queue_place) places;
    uint32_t order_run, order_at; /* the last order to it: run and index in that run's list */
    UT_hash_handle hh;
};
RB_HEAD(usable_tree, queue_place);
struct queue_set {
    struct sched *sched;
    struct JB_Type request; /* JB_hard_queue_list alone */
    struct usable_tree usable;
    LIST_HEAD(, queue_place) places;
    LIST_HEAD(, category) blocked;
    uint32_t users; /* categories */
    void *key;
    size_t key_bytes;
    UT_hash_handle hh;
};
struct queue *queue_find(const struct sched *s, const char *name);
struct queue *queue_get(struct sched *s, const char *name); /* made, unknown, if it is not there */
void queue_update(struct sched *s, const struct QU_Type *record);
void queue_forget(struct sched *s, const char *name);
void queue_occupy(struct queue *q, uint64_t slots);
void queue_release(struct sched *s, struct queue *q, uint64_t slots);
bool queue_is_usable(const struct queue *q); /* but for its slots */
struct queue_set *queue_set_get(struct sched *s,
                                const struct JB_Type *request); /* counted: queue_set_drop */
void queue_set_drop(struct sched *s, struct queue_set *set);
struct queue_place *queue_set_best(struct queue_set *set); /* NULL if there is no free slot in it */
/* how many one-slot tasks go to P, one after the other, before another queue of the set is better */
uint32_t queue_set_streak(struct queue_place *p);
void queues_free(struct sched *s);

/* ---- category.c: jobs that may run in the same places ---- */
RB_HEAD(ready_tree, sched_job);
struct category {
    struct sched *sched;
    struct JB_Type request; /* the fields of the key */
    struct queue_set *set;
    struct ready_tree ready; /* jobs with a task to start, most important first */
    uint32_t users;          /* jobs */
    bool is_open, is_blocked;
    uint32_t head_priority, head_number; /* while open: of its first job */
    RB_ENTRY(category) at;
    LIST_ENTRY(category) of_blocked;
    TAILQ_ENTRY(category) of_idle;
    void *key;
    size_t key_bytes;
    UT_hash_handle hh;
};
RB_HEAD(open_tree, category);
TAILQ_HEAD(idle_list, category);
bool category_depends_on(const struct JB_Type *job); /* does JOB bring a field of the key? */
struct category *category_get(struct sched *s, const struct category *base,
                              const struct JB_Type *job); /* counted */
void category_drop(struct sched *s, struct category *c);
void category_add_job(struct category *c, struct sched_job *job);
void category_remove_job(struct category *c, struct sched_job *job);
struct category *category_first_open(struct sched *s);
struct sched_job *category_first_job(struct category *c);
void category_block(struct category *c); /* until its set gains slots */
void category_unblock(struct category *c);
void categories_free(struct sched *s);

/* ---- jobs.c ---- */
enum job_place {
    JOB_NOWHERE,
    JOB_WAITING,
    JOB_READY
}; /* nothing to start | -a time not come | in its category's tree */
/* tasks of one job in one queue instance with the same number of slots each; there while it has any */
struct stay {
    struct stay_key {
        struct sched_job *job;
        struct queue *queue;
        uint64_t slots; /* per task; as wide as the others, so that the key has no gap */
    } key;
    struct range_set
        ordered; /* booked by an order that the qmaster has not confirmed: the undo log */
    struct range_set running; /* the qmaster said so */
    LIST_ENTRY(stay) of_job;
    UT_hash_handle hh;
};
struct sched_job {
    uint32_t number, priority, concurrency;
    uint64_t start_at_s, submitted_s;
    struct category *category;
    struct range_set ready;            /* may start */
    struct range_set ordered, running; /* in all its stays */
    uint64_t n_taken;                  /* ordered or running: what -tc limits */
    LIST_HEAD(, stay) stays;
    enum job_place place;
    bool is_deleted; /* kept until its last task has ended */
    bool is_active;  /* in by_age */
    RB_ENTRY(sched_job) at, by_age;
    UT_hash_handle hh;
};
RB_HEAD(waiting_tree, sched_job);
RB_HEAD(age_tree, sched_job);
struct sched_job *job_find(const struct sched *s, uint32_t number);
struct sched_job *job_new(struct sched *s,
                          const struct JB_Type *record); /* job_update must follow */
void job_update(struct sched *s, struct sched_job *job, const struct JB_Type *record,
                const struct range_set *ready);
void job_forget(struct sched *s, struct sched_job *job);
void job_ready(struct sched *s, struct sched_job *job, const struct range_set *ids);
void job_unready(struct sched *s, struct sched_job *job, const struct range_set *ids);
void job_started(struct sched *s, struct sched_job *job, const struct range_set *ids,
                 const char *queue, uint32_t slots);
void job_ended(struct sched *s, struct sched_job *job, const struct range_set *ids, struct queue *q,
               uint32_t slots);
void job_refused(struct sched *s, struct sched_job *job, const struct range_set *ids);
void job_book(struct sched *s, struct sched_job *job, struct queue *q, uint32_t first,
              uint32_t last);
uint64_t job_room(const struct sched_job *job); /* tasks that -tc still allows */
void jobs_wake(struct sched *s);                /* -a times that have come by s->now_s */
uint64_t jobs_next_due(const struct sched *s);  /* 0 = never */
struct prior_span jobs_span(const struct sched *s);
void jobs_free(struct sched *s);

/* ---- order.c ---- */
void order_add(struct sched *s, struct OR_Type_list *orders, const struct sched_job *job,
               struct queue *q, uint32_t first, uint32_t last);

struct sched {
    struct sched_job *jobs;
    struct stay *stays;
    struct waiting_tree waiting; /* by -a time */
    struct age_tree by_age;      /* active jobs by submission time */
    struct category *categories;
    struct open_tree open;
    struct idle_list idle; /* categories without a job, oldest first, kept for the next one */
    uint32_t n_idle;
    struct queue *queues;
    struct queue_set *sets;
    uint64_t now_s; /* of the last run */
    struct sched_conf conf;
    struct sched_work work;
};

#endif
