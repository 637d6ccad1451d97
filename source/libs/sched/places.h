#ifndef SCHED_PLACES_H
#define SCHED_PLACES_H

#include "libs/resource/supply.h"
#include "libs/sched/wake.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* Where tasks may run: queue instances on their hosts, and the sets of them that jobs ask for. For
 * the files of this room and for policies that decide on the default data model (sched_priv.h). */
struct category;
struct sched_host;
struct need;
struct quota_class;
struct quota_place;
struct sched_owner;
struct sched_queue;
struct queue_set;
struct sched;
struct value; /* values.h */
enum { PLACE_LEVELS = 3 };

/* ---- queue.c: queue instances and their hosts ---- */
struct queue_place { /* a queue instance in a set */
    struct sched_queue *queue;
    struct queue_set *set;
    bool is_listed; /* in set->usable */
    RB_ENTRY(queue_place) at;
    LIST_ENTRY(queue_place) of_queue, of_set;
};
TAILQ_HEAD(fresh_list, fresh_start);
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
    char *name;           /* "all.q@host" */
    struct QU_Type known; /* what decides who may use it: QU_hostgroups, QU_access, QU_pe_list,
                           * QU_consumable_config_list, QU_qname, QU_qhostname, and of QU_settings
                           * what may be asked for and is not the default */
    uint64_t round;       /* when that changed */
    struct value *values; /* of resources, by number, as far as they were looked at (offer.c) */
    uint32_t n_values;
    uint32_t seq_no, state;
    double load, load_step; /* of its host, as the qmaster says: QU_load, QU_load_step */
    double busy;            /* what it is sorted by: the load, and what started since */
    uint64_t free_slots;    /* of its own; kept while it is in trees */
    bool is_known;          /* false: known only as where tasks run; may not be used */
    uint32_t n_stays;
    uint32_t index;       /* in the scheduler's by_index, and in bits */
    uint64_t mark, stamp; /* its share of a set's `members`; of the last look for a set */
    struct supply supply;
    const struct quota_place *quota_place; /* as of quota_round (quota_use.c) */
    uint64_t quota_round;
    uint64_t missed_stamp;               /* of the last look for places of a parallel task, and */
    uint32_t missed;                     /* how many soft requests it missed then (parallel.c) */
    struct supply *levels[PLACE_LEVELS]; /* its own, its host's, the cell's: its path */
    struct sched_host *host;
    LIST_HEAD(, queue_place) places;
    LIST_ENTRY(sched_queue) of_host;
    uint32_t order_run, order_at; /* the last order to it: run and index in that run's list */
    UT_hash_handle hh;
};
/* what a task takes in one place */
struct placed_demand {
    struct sched_queue *queue;
    struct demand *demand; /* counted by its holder */
};
/* queue_find - the queue instance NAME ("all.q@host"), NULL if it is unknown. O(1)
 * queue_get - the same, made if it is not there: as one where tasks may be, but none may start */
struct sched_queue *queue_find(const struct sched *s, const char *name);
struct sched_queue *queue_get(struct sched *s, const char *name);
/* queue_update - a queue instance is there, with what RECORD says of it; it keeps what RECORD does
 * not say. Needs that fit now are open afterwards. O(its sets x log), new host groups or doors
 * O(sets) */
void queue_update(struct sched *s, const struct QU_Type *record);
/* queue_forget - no more tasks start in NAME; it goes when the last stay has left it */
void queue_forget(struct sched *s, const char *name);
/* queue_take - TASKS tasks take D of it, of its host and of the cell, whether there is room or not
 * queue_give - undo exactly that; needs that fit now are open afterwards */
void queue_take(struct sched_queue *q, const struct demand *d, uint64_t tasks);
void queue_give(struct sched *s, struct sched_queue *q, const struct demand *d, uint64_t tasks);
/* queue_enter, queue_leave - a stay in Q begins, ends; Q may be gone after the latter */
void queue_enter(struct sched_queue *q);
void queue_leave(struct sched *s, struct sched_queue *q);
/* queue_takes_tasks - may tasks start in Q, and has it a free slot? */
bool queue_takes_tasks(const struct sched_queue *q);
/* queues_free - free all queue instances and hosts, when the jobs have gone */
void queues_free(struct sched *s);
/* queue_path - the supplies from which a task in Q takes its demand
 * queue_room - how many tasks with demand D can be added in Q, as far as it and its host decide */
struct path queue_path(const struct sched_queue *q);
uint64_t queue_room(const struct sched_queue *q, const struct demand *d);
/* queue_gained - Q may have more room; cell_gained - the cell may: blocked needs that fit are open
 * afterwards */
void queue_gained(struct sched *s, struct sched_queue *q);
void cell_gained(struct sched *s);
/* host_get - the host NAME, created if it is unknown
 * host_drop - it is removed, if nothing refers to it any more */
struct sched_host *host_get(struct sched *s, const char *name);
void host_drop(struct sched *s, struct sched_host *h);

/* ---- host.c: hosts and the cell ---- */
/* host_update - a host has what RECORD says of resources; "global" is the cell. Needs that may fit
 * now are open afterwards. O(its queue instances x sets)
 * host_forget - it has nothing any more */
void host_update(struct sched *s, const struct EH_Type *record);
void host_forget(struct sched *s, const char *name);
/* places_renew - after what resources are has changed: all offers are read anew. O(queue instances
 * x sets) */
void places_renew(struct sched *s);

/* ---- load.c: how busy hosts are ---- */
struct fresh_start { /* slots taken on a host within a second */
    struct sched_host *host;
    uint64_t at_s, slots;
    TAILQ_ENTRY(fresh_start) of_host, of_sched;
};
/* load_settle - the load of Q, which is in no tree, may be another one: `busy` follows
 * load_note_start - SLOTS of Q are taken from now on, which counts as load for a while, if
 * job_load_adjustments says so. O(queues of its host x their sets x log)
 * load_decay - what has started load_adjustment_decay_time ago counts no more. O(that)
 * load_forget_host - H goes */
void load_settle(const struct sched *s, struct sched_queue *q);
void load_note_start(struct sched *s, struct sched_queue *q, uint64_t slots);
void load_decay(struct sched *s);
void load_forget_host(struct sched *s, struct sched_host *h);

/* ---- queue_set.c: sets of queue instances ---- */
RB_HEAD(usable_tree, queue_place);
TAILQ_HEAD(loose_list, queue_set);
enum {
    PLACES_OF_OWNER = 4096, /* so many places in sets has an owner at least, and */
    SETS_OF_OWNER = 16,     /* as many as so many sets of all queue instances */
    EAGER_LOOKS = 10000,    /* what it may cost to look at once which instances a request means, */
    PLAIN_LOOKS = 2         /* unless it says hardly anything */
};
LIST_HEAD(need_list, need);
struct queue_set {
    struct sched *sched;
    /* loose: of one request, without places of its own; BITS, by queue->index, say who is in it.
     * NULL: not computed yet. */
    bool is_loose;
    uint64_t *bits;
    TAILQ_ENTRY(queue_set) of_loose; /* while it has bits */
    struct sched_owner *by;          /* counted: whose requests made it; NULL: none */
    uint32_t n_charged;              /* its places as they were then, which count as his */
    uint64_t members;                /* the sum of their marks: equal sets have equal ones */
    uint64_t free_slots;             /* of those in `usable` */
    struct usable_tree usable;
    LIST_HEAD(, queue_place) places;
    LIST_HEAD(, queue_request) requests;
    struct need_list blocked;
    uint32_t n_places, n_requests, users; /* users: requests and needs */
    LIST_ENTRY(queue_set) of_sched;
    UT_hash_handle hh;
};
/* queue_unlist, queue_list - take Q out of the trees of its sets before something changes that
 * orders them, and put it back, if it takes tasks, afterwards. O(its sets x log) */
void queue_list(struct sched_queue *q);
void queue_unlist(struct sched_queue *q);
/* queues_sort - by the sequence number before the load, or behind it, from now on. O(queues x sets
 * x log) */
void queues_sort(struct sched *s, bool is_by_seq_no);
/* queue_leave_sets - take Q out of all of its sets */
void queue_leave_sets(struct sched_queue *q);
/* queue_is_in - is it in SET? O(its sets); of a loose one O(1), and true before the first look */
bool queue_is_in(const struct sched_queue *q, const struct queue_set *set);
/* queue_set_find - the set of exactly the queue instances that carry a stamp, or NULL
 *   members  the sum of their marks
 *   n        how many there are
 * O(n)
 * queue_set_get - the same, made for BY (may be NULL) if there is none; counted: queue_set_drop.
 * A new one costs O(queue instances). */
struct queue_set *queue_set_find(struct sched *s, uint64_t stamp, uint64_t members, uint32_t n);
struct queue_set *queue_set_get(struct sched *s, uint64_t stamp, uint64_t members, uint32_t n,
                                struct sched_owner *by);
/* queue_set_copy - a set of its own with the same queue instances, which nothing counts yet
 * queue_set_add - Q, which is not in SET, is in it from now on */
struct queue_set *queue_set_copy(const struct queue_set *set);
void queue_set_add(struct queue_set *set, struct sched_queue *q);
/* queue_set_use - one user more; returns SET. queue_set_drop - one less; the last one frees it */
struct queue_set *queue_set_use(struct queue_set *set);
void queue_set_drop(struct sched *s, struct queue_set *set);
/* queue_set_first, queue_set_next - the places that take tasks, the best first; NULL at the end.
 * O(1); in a loose set O(queue instances)
 * queue_set_free_slots - of all of them together; of a loose one no less than that */
struct queue_place *queue_set_first(struct queue_set *set);
struct queue_place *queue_set_next(const struct queue_set *set, struct queue_place *p);
uint64_t queue_set_free_slots(const struct queue_set *set);
/* queue_set_streak - how many tasks of SLOTS slots go to P, one after the other, before another
 * queue instance of SET is better; at least 1 */
uint64_t queue_set_streak(const struct queue_set *set, struct queue_place *p, uint32_t slots);

/* loose_set_new - a new one, with nothing computed; counted: queue_set_drop
 * loose_set_fill - the instances with STAMP are in SET. O(queue instances)
 * loose_set_has - is Q in it? True before the first look
 * loose_sets_forget - after an instance, or what decides about sets, has changed: all of them are
 * to be found out again. O(those that have been since) */
struct queue_set *loose_set_new(struct sched *s);
void loose_set_fill(struct sched *s, struct queue_set *set, uint64_t stamp);
bool loose_set_has(const struct queue_set *set, const struct sched_queue *q);
void loose_sets_forget(struct sched *s);

/* ---- queue_request.c: which set a request means ---- */
struct queue_request {
    struct JB_Type asked; /* -q, -pe, and what opens doors: the owner's user sets, the project */
    struct queue_set *set;
    LIST_HEAD(, category) categories;
    uint32_t users; /* categories */
    uint64_t looks; /* what asking whether an instance suits it costs */
    bool is_suited; /* while a queue instance joins: by that */
    LIST_ENTRY(queue_request) of_set;
    void *key;
    size_t key_bytes;
    UT_hash_handle hh;
};
/* queue_request_get - where JOB wants to run (-q, -pe) and may (access.h), made if it is new; one
 * category more: queue_request_drop. A new one costs O(queue instances), charged to BY (NULL: none).
 * queue_request_drop - one category less; the last one frees it */
struct queue_request *queue_request_get(struct sched *s, const struct JB_Type *job,
                                        struct sched_owner *by);
void queue_request_drop(struct sched *s, struct queue_request *request);
/* queue_request_resolve - find out which set REQUEST means, if that was not done yet: its turn has
 * come, and OWNER's job is the first. Categories may have another need afterwards. O(queue
 * instances) */
void queue_request_resolve(struct sched *s, struct queue_request *request,
                           struct sched_owner *owner);
/* queue_join_sets - put Q into the sets of all requests that it suits; a set some of whose requests
 * it does not suit is split. O(requests) */
void queue_join_sets(struct sched *s, struct sched_queue *q);

#endif
