/* Queue instances and their free slots, and the sets of them that -q requests mean. Owns struct queue, queue_set and queue_place.
 *
 * Each distinct -q request has one set, shared by its categories; a set keeps the instances that have a free slot and may be used
 * in the order in which they are chosen: seq_no, most free slots, name. So choosing is O(1) and a change of a queue
 * O(sets it is in x log). Before anything that the order depends on changes, the queue leaves its trees (queue_unlist). */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/pack.h"
#include "libs/sgeobj/qinstance.h"
#include "libs/sgeobj/queue_match.h"

static uint32_t queue_free_slots(const struct queue *q)
{
    return q->slots > q->used ? q->slots - q->used : 0;
}

static int place_order(struct queue_place *a, struct queue_place *b)
{
    const struct queue *x = a->queue, *y = b->queue;

    a->set->sched->work.compared++;
    if (x->seq_no != y->seq_no)
        return x->seq_no < y->seq_no ? -1 : 1;
    if (queue_free_slots(x) != queue_free_slots(y))
        return queue_free_slots(x) > queue_free_slots(y) ? -1 : 1;
    return strcmp(x->name, y->name);
}
TREE_GENERATE(usable_tree, queue_place, at, place_order)

bool queue_is_usable(const struct queue *q)
{
    return q->is_known && (q->state & QI_BLOCKING) == 0 && (q->qtype & QTYPE_BATCH) != 0;
}

/* ---- places ---- */
static void place_unlist(struct queue_place *p)
{
    if (p->is_listed)
        RB_REMOVE(usable_tree, &p->set->usable, p);
    p->is_listed = false;
}

static void place_list(struct queue_place *p)
{
    RB_INSERT(usable_tree, &p->set->usable, p);
    p->is_listed = true;
}

static void place_add(struct queue_set *set, struct queue *q)
{
    struct queue_place *p = uti_calloc(1, sizeof *p);

    p->queue = q;
    p->set = set;
    LIST_INSERT_HEAD(&q->places, p, of_queue);
    LIST_INSERT_HEAD(&set->places, p, of_set);
    if (queue_is_usable(q) && queue_free_slots(q) > 0)
        place_list(p);
}

static void place_remove(struct queue_place *p)
{
    place_unlist(p);
    LIST_REMOVE(p, of_queue);
    LIST_REMOVE(p, of_set);
    free(p);
}

static void queue_unlist(struct queue *q)
{
    struct queue_place *p;

    LIST_FOREACH(p, &q->places, of_queue)
        place_unlist(p);
}

static void queue_list(struct queue *q)
{
    struct queue_place *p;

    if (!queue_is_usable(q) || queue_free_slots(q) == 0)
        return;
    LIST_FOREACH(p, &q->places, of_queue)
        place_list(p);
}

/* what was passed over for want of a queue is tried again */
static void queue_wake_categories(struct queue *q)
{
    struct queue_place *p;

    if (!queue_is_usable(q) || queue_free_slots(q) == 0)
        return;
    LIST_FOREACH(p, &q->places, of_queue)
        while (!LIST_EMPTY(&p->set->blocked))
            category_unblock(LIST_FIRST(&p->set->blocked));
}

/* ---- queues ---- */
struct queue *queue_find(const struct sched *s, const char *name)
{
    struct queue *q;

    HASH_FIND_STR(s->queues, name, q);
    return q;
}

static bool set_has(struct sched *s, const struct queue_set *set, const struct queue *q)
{
    s->work.matched++;
    return queue_match_any(&set->request.JB_hard_queue_list, q->name, &q->groups.QU_hostgroups);
}

static void leave_sets(struct queue *q)
{
    while (!LIST_EMPTY(&q->places))
        place_remove(LIST_FIRST(&q->places));
}

static void join_sets(struct sched *s, struct queue *q)
{
    for (struct queue_set *set = s->sets; set != NULL; set = set->hh.next)
        if (set_has(s, set, q))
            place_add(set, q);
}

struct queue *queue_get(struct sched *s, const char *name)
{
    struct queue *q = queue_find(s, name);

    if (q != NULL)
        return q;
    q = uti_calloc(1, sizeof *q);
    q->name = uti_strdup(name);
    LIST_INIT(&q->places);
    HASH_ADD_KEYPTR(hh, s->queues, q->name, strlen(q->name), q);
    join_sets(s, q);
    return q;
}

void queue_update(struct sched *s, const struct QU_Type *record)
{
    struct queue *q = queue_get(s, record->QU_full_name);

    if (cull_is_present(record, QU_hostgroups) &&
        !cull_field_equal(&cull_QU_Type, &q->groups, record, QU_hostgroups)) {
        leave_sets(q);
        cull_copy_field(&cull_QU_Type, &q->groups, record, QU_hostgroups);
        join_sets(s, q);
    }
    queue_unlist(q);
    if (!q->is_known)
        q->qtype = QTYPE_BATCH;
    q->is_known = true;
    if (cull_has(record, QU_job_slots))
        q->slots = record->QU_job_slots;
    if (cull_has(record, QU_seq_no))
        q->seq_no = record->QU_seq_no;
    if (cull_has(record, QU_state))
        q->state = record->QU_state;
    if (cull_has(record, QU_qtype))
        q->qtype = record->QU_qtype;
    queue_list(q);
    queue_wake_categories(q);
}

static void queue_free(struct sched *s, struct queue *q)
{
    leave_sets(q);
    HASH_DEL(s->queues, q);
    cull_clear(&cull_QU_Type, &q->groups);
    free(q->name);
    free(q);
}

/* A queue that still has tasks stays as where they run: their ends are to find it, and it may come back. */
void queue_forget(struct sched *s, const char *name)
{
    struct queue *q = queue_find(s, name);

    if (q == NULL)
        return;
    queue_unlist(q);
    q->is_known = false;
    if (q->used == 0)
        queue_free(s, q);
}

void queue_occupy(struct queue *q, uint64_t slots)
{
    queue_unlist(q);
    q->used = slots < UINT32_MAX - q->used ? q->used + (uint32_t)slots : UINT32_MAX;
    queue_list(q);
}

/* Q may be gone afterwards, if it was unknown and nothing is left in it */
void queue_release(struct sched *s, struct queue *q, uint64_t slots)
{
    queue_unlist(q);
    q->used = slots < q->used ? q->used - (uint32_t)slots : 0;
    queue_list(q);
    queue_wake_categories(q);
    if (!q->is_known && q->used == 0)
        queue_free(s, q);
}

/* ---- sets ---- */
static struct queue_set *set_new(struct sched *s, struct packer *key, const struct JB_Type *request)
{
    struct queue_set *set = uti_calloc(1, sizeof *set);

    set->sched = s;
    cull_copy(&cull_JB_Type, &set->request, request);
    RB_INIT(&set->usable);
    LIST_INIT(&set->places);
    LIST_INIT(&set->blocked);
    set->key = key->data;
    set->key_bytes = key->len;
    *key = (struct packer){ 0 };
    HASH_ADD_KEYPTR(hh, s->sets, set->key, set->key_bytes, set);
    for (struct queue *q = s->queues; q != NULL; q = q->hh.next)
        if (set_has(s, set, q))
            place_add(set, q);
    return set;
}

struct queue_set *queue_set_get(struct sched *s, const struct JB_Type *request)
{
    struct JB_Type wanted = { 0 };
    struct packer key = { 0 };
    struct queue_set *set;

    if (request->JB_hard_queue_list.n > 0)
        cull_copy_field(&cull_JB_Type, &wanted, request, JB_hard_queue_list);
    cull_pack(&key, &cull_JB_Type, &wanted, NULL);
    HASH_FIND(hh, s->sets, key.data, key.len, set);
    if (set == NULL)
        set = set_new(s, &key, &wanted);
    set->users++;
    packer_free(&key);
    cull_clear(&cull_JB_Type, &wanted);
    return set;
}

void queue_set_drop(struct sched *s, struct queue_set *set)
{
    if (--set->users > 0)
        return;
    while (!LIST_EMPTY(&set->places))
        place_remove(LIST_FIRST(&set->places));
    HASH_DEL(s->sets, set);
    cull_clear(&cull_JB_Type, &set->request);
    free(set->key);
    free(set);
}

struct queue_place *queue_set_best(struct queue_set *set)
{
    return RB_MIN(usable_tree, &set->usable);
}

uint32_t queue_set_streak(struct queue_place *p)
{
    const struct queue_place *next = RB_NEXT(usable_tree, &p->set->usable, p);
    uint32_t free_slots = queue_free_slots(p->queue);

    if (next == NULL || next->queue->seq_no != p->queue->seq_no)
        return free_slots;
    bool wins_ties = strcmp(p->queue->name, next->queue->name) < 0;
    return free_slots - queue_free_slots(next->queue) + (wins_ties ? 1 : 0);
}

void queues_free(struct sched *s)
{
    struct queue *q, *next;

    HASH_ITER(hh, s->queues, q, next)
        queue_free(s, q);
}
