/* Sets of queue instances. Owns struct queue_set and struct queue_place.
 *
 * Requests (-q, -pe) that mean the same queue instances share a set, however they say it: so a
 * change of an instance costs O(sets it is in x log), and there are no more sets than ways to
 * choose among the instances. A set keeps those that have a free slot and may be used in the order
 * in which they are chosen: load and seq_no, or the other way round, most free slots, name. So
 * choosing is O(1).
 *
 * When an instance comes that suits some requests of a set alone, those get a set of their own.
 * Sets that become equal when an instance goes stay apart: that costs a little, and is right.
 *
 * An owner has places in sets up to a limit; his requests beyond that have loose sets. A loose set
 * is one request's. A bit for each instance says which are in it, and that is found out when the
 * turn of a job that asks so has come. It is read through the set of all instances, so that
 * choosing costs a look at each; but an instance that changes need not be moved in it, and a set of
 * 1,000 instances takes 125 bytes instead of 100,000. */
#include "libs/sched/supply/queue_set.h"

#include <stdlib.h>
#include <string.h>

#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/owner.h"
#include "libs/uti/alloc.h"

enum { BITS_OF_WORD = 64 };

/* what the administrator says goes first; 0: neither of the two */
static int asked_order(const struct sched_cell *cell, const struct sched_queue *x,
                       const struct sched_queue *y)
{
    int by_seq_no = (x->seq_no > y->seq_no) - (x->seq_no < y->seq_no);
    int by_load = (x->busy > y->busy) - (x->busy < y->busy);
    int first = cell->is_by_seq_no ? by_seq_no : by_load;
    int then = cell->is_by_seq_no ? by_load : by_seq_no;
    return first != 0 ? first : then;
}

inline int queues_order(const struct sched_cell *cell, const struct sched_queue *x, uint64_t free_x,
                        const struct sched_queue *y, uint64_t free_y)
{
    int asked = asked_order(cell, x, y);
    if (asked != 0)
        return asked;
    if (free_x != free_y)
        return free_x > free_y ? -1 : 1;
    return strcmp(x->key, y->key);
}

static int place_order(struct queue_place *a, struct queue_place *b)
{
    a->set->cell->work.compared++;
    return queues_order(a->set->cell, a->queue, a->queue->free_slots, b->queue,
                        b->queue->free_slots);
}
TREE_GENERATE(usable_tree, queue_place, at, place_order)

/* ---- places ---- */
static void place_unlist(struct queue_place *p)
{
    if (!p->is_listed)
        return;
    RB_REMOVE(usable_tree, &p->set->usable, p);
    p->set->free_slots -= p->queue->free_slots;
    p->is_listed = false;
}

static void place_list(struct queue_place *p)
{
    RB_INSERT(usable_tree, &p->set->usable, p);
    p->set->free_slots += p->queue->free_slots;
    p->is_listed = true;
}

/* who is in SET changes by MORE, which is modulo 2^64 */
static void set_count(struct queue_set *set, uint64_t more, uint32_t places)
{
    HASH_DEL(set->cell->sets, set);
    set->members += more;
    set->n_places = places;
    HASH_ADD_U64(set->cell->sets, members, set);
}

void queue_set_add(struct queue_set *set, struct sched_queue *q)
{
    struct queue_place *p = uti_calloc(1, sizeof *p);
    p->queue = q;
    p->set = set;
    LIST_INSERT_HEAD(&q->places, p, of_queue);
    LIST_INSERT_HEAD(&set->places, p, of_set);
    set_count(set, q->mark, set->n_places + 1);
    if (queue_takes_tasks(q))
        place_list(p);
}

static void place_remove(struct queue_place *p)
{
    place_unlist(p);
    set_count(p->set, 0 - p->queue->mark, p->set->n_places - 1);
    LIST_REMOVE(p, of_queue);
    LIST_REMOVE(p, of_set);
    free(p);
}

/* ---- loose ones ---- */
struct queue_set *loose_set_new(struct sched_cell *cell)
{
    struct queue_set *set = uti_calloc(1, sizeof *set);
    set->cell = cell;
    set->is_loose = true;
    RB_INIT(&set->usable);
    LIST_INIT(&set->places);
    LIST_INIT(&set->requests);
    LIST_INIT(&set->blocked);
    return queue_set_use(set);
}

bool loose_set_has(const struct queue_set *set, const struct sched_queue *q)
{
    return set->bits == NULL ||
           ((set->bits[q->index / BITS_OF_WORD] >> (q->index % BITS_OF_WORD)) & 1) != 0;
}

/* the set of all instances, which loose ones are read through; it goes when the last loose set
 * with bits does */
static void all_get(struct sched_cell *cell)
{
    uint64_t members = 0, stamp = ++cell->stamps;
    for (struct sched_queue *q = cell->queues; q != NULL; q = q->hh.next) {
        q->stamp = stamp;
        members += q->mark;
    }
    cell->all = queue_set_get(cell, stamp, members, HASH_COUNT(cell->queues), NULL);
}

void loose_set_fill(struct sched_cell *cell, struct queue_set *set, uint64_t stamp)
{
    size_t bytes = (cell->n_indices / BITS_OF_WORD + 1) * sizeof *set->bits;
    set->bits = uti_calloc(1, bytes);
    for (struct sched_queue *q = cell->queues; q != NULL; q = q->hh.next)
        if (q->stamp == stamp)
            set->bits[q->index / BITS_OF_WORD] |= UINT64_C(1) << (q->index % BITS_OF_WORD);
    TAILQ_INSERT_TAIL(&cell->loose, set, of_loose);
    if (cell->all == NULL)
        all_get(cell);
}

/* SET loses its bits: its needs are checked by a run */
static void clear_bits(struct sched_cell *cell, struct queue_set *set)
{
    if (set->bits == NULL)
        return;
    cell_report(cell, &(struct cell_change){ .kind = SET_CLEARED, .set = set });
    TAILQ_REMOVE(&cell->loose, set, of_loose);
    free(set->bits);
    set->bits = NULL;
    if (!TAILQ_EMPTY(&cell->loose))
        return;
    struct queue_set *all = cell->all;
    cell->all = NULL;
    queue_set_drop(cell, all);
}

static void loose_set_free(struct sched_cell *cell, struct queue_set *set)
{
    clear_bits(cell, set);
    free(set);
}

void loose_sets_forget(struct sched_cell *cell)
{
    struct queue_set *set;
    while ((set = TAILQ_FIRST(&cell->loose)) != NULL)
        clear_bits(cell, set);
}

/* ---- life ---- */
static struct queue_set *set_new(struct sched_cell *cell)
{
    struct queue_set *set = uti_calloc(1, sizeof *set);
    set->cell = cell;
    RB_INIT(&set->usable);
    LIST_INIT(&set->places);
    LIST_INIT(&set->requests);
    LIST_INIT(&set->blocked);
    LIST_INSERT_HEAD(&cell->all_sets, set, of_sched);
    HASH_ADD_U64(cell->sets, members, set);
    return set;
}

struct queue_set *queue_set_copy(const struct queue_set *set)
{
    struct queue_set *copy = set_new(set->cell);
    const struct queue_place *p;
    LIST_FOREACH(p, &set->places, of_set)
        queue_set_add(copy, p->queue);
    return copy;
}

static bool set_is(const struct queue_set *set, uint64_t stamp, uint32_t n)
{
    const struct queue_place *p;
    if (set->n_places != n)
        return false;
    LIST_FOREACH(p, &set->places, of_set)
        if (p->queue->stamp != stamp)
            return false;
    return true;
}

struct queue_set *queue_set_find(struct sched_cell *cell, uint64_t stamp, uint64_t members,
                                 uint32_t n)
{
    struct queue_set *set;
    HASH_FIND_U64(cell->sets, &members, set);
    return set != NULL && set_is(set, stamp, n) ? set : NULL;
}

static void set_charge(struct sched_cell *cell, struct queue_set *set, struct sched_owner *by)
{
    if (by == NULL)
        return;
    set->by = owner_get(cell, by->name);
    set->n_charged = set->n_places;
    by->n_places += set->n_charged;
}

struct queue_set *queue_set_get(struct sched_cell *cell, uint64_t stamp, uint64_t members,
                                uint32_t n, struct sched_owner *by)
{
    struct queue_set *set = queue_set_find(cell, stamp, members, n);
    if (set == NULL) {
        set = set_new(cell);
        for (struct sched_queue *q = cell->queues; q != NULL; q = q->hh.next)
            if (q->stamp == stamp)
                queue_set_add(set, q);
        set_charge(cell, set, by);
    }
    return queue_set_use(set);
}

struct queue_set *queue_set_use(struct queue_set *set)
{
    set->users++;
    return set;
}

void queue_set_drop(struct sched_cell *cell, struct queue_set *set)
{
    if (--set->users > 0)
        return;
    if (set->is_loose) {
        loose_set_free(cell, set);
        return;
    }
    if (set->by != NULL) {
        set->by->n_places -= set->n_charged;
        owner_drop(cell, set->by);
    }
    while (!LIST_EMPTY(&set->places))
        place_remove(LIST_FIRST(&set->places));
    LIST_REMOVE(set, of_sched);
    HASH_DEL(cell->sets, set);
    free(set);
}

/* ---- what queue instances do in sets ---- */
void queue_unlist(struct sched_queue *q)
{
    struct queue_place *p;
    LIST_FOREACH(p, &q->places, of_queue)
        place_unlist(p);
}

void queue_list(struct sched_queue *q)
{
    struct queue_place *p;
    if (!queue_takes_tasks(q))
        return;
    LIST_FOREACH(p, &q->places, of_queue)
        place_list(p);
}

void queues_sort(struct sched_cell *cell, bool is_by_seq_no)
{
    struct sched_queue *q, *next;
    HASH_ITER(hh, cell->queues, q, next) {
        queue_unlist(q);
    }
    cell->is_by_seq_no = is_by_seq_no;
    HASH_ITER(hh, cell->queues, q, next) {
        queue_list(q);
    }
}

bool queue_is_in(const struct sched_queue *q, const struct queue_set *set)
{
    const struct queue_place *p;
    if (set->is_loose)
        return loose_set_has(set, q);
    LIST_FOREACH(p, &q->places, of_queue)
        if (p->set == set)
            return true;
    return false;
}

void queue_leave_sets(struct sched_queue *q)
{
    while (!LIST_EMPTY(&q->places))
        place_remove(LIST_FIRST(&q->places));
}

/* ---- choosing ---- */
/* P, or the first one behind it that is in SET, a loose one */
static struct queue_place *place_in(const struct queue_set *set, struct queue_place *p)
{
    for (; p != NULL && !loose_set_has(set, p->queue);
         p = RB_NEXT(usable_tree, &set->cell->all->usable, p))
        set->cell->work.looks++;
    return p;
}

struct queue_place *queue_set_first(struct queue_set *set)
{
    return set->is_loose ? place_in(set, RB_MIN(usable_tree, &set->cell->all->usable))
                         : RB_MIN(usable_tree, &set->usable);
}

struct queue_place *queue_set_next(const struct queue_set *set, struct queue_place *p)
{
    struct queue_place *next = RB_NEXT(usable_tree, &p->set->usable, p);
    return set->is_loose ? place_in(set, next) : next;
}

uint64_t queue_set_free_slots(const struct queue_set *set)
{
    return set->is_loose && set->bits != NULL ? set->cell->all->free_slots : set->free_slots;
}

uint64_t queue_set_streak(const struct queue_set *set, struct queue_place *p, uint32_t slots)
{
    const struct queue_place *next = queue_set_next(set, p);
    if (next == NULL)
        return UINT64_MAX;
    if (p->queue->load_step != 0)
        return 1;
    if (asked_order(p->set->cell, p->queue, next->queue) != 0)
        return UINT64_MAX;
    bool wins_ties = strcmp(p->queue->name, next->queue->name) < 0;
    uint64_t lead = p->queue->free_slots - next->queue->free_slots;
    return wins_ties ? lead / slots + 1 : (lead + slots - 1) / slots;
}

/* ---- all of them ---- */
/* P, or the first one behind it that is in SET */
static struct queue_place *any_in(const struct queue_set *set, struct queue_place *p)
{
    for (; p != NULL && set->is_loose && !loose_set_has(set, p->queue); p = LIST_NEXT(p, of_set))
        set->cell->work.looks++;
    return p;
}

struct queue_place *queue_set_any_first(const struct queue_set *set)
{
    const struct queue_set *read = set->is_loose ? set->cell->all : set;
    return any_in(set, LIST_FIRST(&read->places));
}

struct queue_place *queue_set_any_next(const struct queue_set *set, const struct queue_place *p)
{
    return any_in(set, LIST_NEXT(p, of_set));
}
