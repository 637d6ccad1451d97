#ifndef SCHED_SUPPLY_QUEUE_SET_H
#define SCHED_SUPPLY_QUEUE_SET_H

#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/owner.h"

/* Sets of queue instances, each in the order in which they are chosen. */
struct need;
struct queue_request;
RB_HEAD(usable_tree, queue_place);
enum {
    PLACES_OF_OWNER = 4096, /* so many places in sets has an owner at least, and */
    SETS_OF_OWNER = 16,     /* as many as so many sets of all queue instances */
    EAGER_LOOKS = 10000,    /* what it may cost to look at once which instances a request means, */
    PLAIN_LOOKS = 2         /* unless it says hardly anything */
};
LIST_HEAD(need_list, need);
struct queue_set {
    struct sched_cell *cell;
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
void queues_sort(struct sched_cell *cell, bool is_by_seq_no);
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
struct queue_set *queue_set_find(struct sched_cell *cell, uint64_t stamp, uint64_t members,
                                 uint32_t n);
struct queue_set *queue_set_get(struct sched_cell *cell, uint64_t stamp, uint64_t members,
                                uint32_t n, struct sched_owner *by);
/* queue_set_copy - a set of its own with the same queue instances, which nothing counts yet
 * queue_set_add - Q, which is not in SET, is in it from now on */
struct queue_set *queue_set_copy(const struct queue_set *set);
void queue_set_add(struct queue_set *set, struct sched_queue *q);
/* queue_set_use - one user more; returns SET. queue_set_drop - one less; the last one frees it */
struct queue_set *queue_set_use(struct queue_set *set);
void queue_set_drop(struct sched_cell *cell, struct queue_set *set);
/* queue_set_first, queue_set_next - the places that take tasks, the best first; NULL at the end.
 * O(1); in a loose set O(queue instances)
 * queue_set_free_slots - of all of them together; of a loose one no less than that */
struct queue_place *queue_set_first(struct queue_set *set);
struct queue_place *queue_set_next(const struct queue_set *set, struct queue_place *p);
uint64_t queue_set_free_slots(const struct queue_set *set);
/* queue_set_streak - how many tasks of SLOTS slots go to P, one after the other, before another
 * queue instance of SET is better; at least 1 */
uint64_t queue_set_streak(const struct queue_set *set, struct queue_place *p, uint32_t slots);

/* queue_set_any_first, queue_set_any_next - all places, in any order; NULL at the end
 * queues_order - < 0: X is chosen before Y, if X has FREE_X free slots, and Y FREE_Y */
struct queue_place *queue_set_any_first(const struct queue_set *set);
struct queue_place *queue_set_any_next(const struct queue_set *set, const struct queue_place *p);
int queues_order(const struct sched_cell *cell, const struct sched_queue *x, uint64_t free_x,
                 const struct sched_queue *y, uint64_t free_y);

/* loose_set_new - a new one, with nothing computed; counted: queue_set_drop
 * loose_set_fill - the instances with STAMP are in SET. O(queue instances)
 * loose_set_has - is Q in it? True before the first look
 * loose_sets_forget - after an instance, or what decides about sets, has changed: all of them are
 * to be found out again. O(those that have been since) */
struct queue_set *loose_set_new(struct sched_cell *cell);
void loose_set_fill(struct sched_cell *cell, struct queue_set *set, uint64_t stamp);
bool loose_set_has(const struct queue_set *set, const struct sched_queue *q);
void loose_sets_forget(struct sched_cell *cell);

#endif
