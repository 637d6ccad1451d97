/* The sets of queue instances that -q requests mean. Owns struct queue_set and struct queue_place.
 *
 * Each distinct request has one set. It keeps the instances that have a free slot and may be used
 * in the order in which they are chosen: seq_no, most free slots, name. So choosing is O(1) and a
 * change of an instance O(sets it is in x log). */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/pack.h"
#include "libs/sgeobj/queue_match.h"

static int place_order(struct queue_place *a, struct queue_place *b)
{
    const struct queue *x = a->queue, *y = b->queue;
    a->set->sched->work.compared++;
    if (x->seq_no != y->seq_no)
        return x->seq_no < y->seq_no ? -1 : 1;
    if (x->free_slots != y->free_slots)
        return x->free_slots > y->free_slots ? -1 : 1;
    return strcmp(x->name, y->name);
}
TREE_GENERATE(usable_tree, queue_place, at, place_order)

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
    if (queue_takes_tasks(q))
        place_list(p);
}

static void place_remove(struct queue_place *p)
{
    place_unlist(p);
    LIST_REMOVE(p, of_queue);
    LIST_REMOVE(p, of_set);
    free(p);
}

/* ---- what queue instances do in sets ---- */
static bool set_has(struct sched *s, const struct queue_set *set, const struct queue *q)
{
    s->work.matched++;
    return queue_match_any(&set->request.JB_hard_queue_list, q->name, &q->groups.QU_hostgroups);
}

void queue_unlist(struct queue *q)
{
    struct queue_place *p;
    LIST_FOREACH(p, &q->places, of_queue)
        place_unlist(p);
}

void queue_list(struct queue *q)
{
    struct queue_place *p;
    if (!queue_takes_tasks(q))
        return;
    LIST_FOREACH(p, &q->places, of_queue)
        place_list(p);
}

void queue_leave_sets(struct queue *q)
{
    while (!LIST_EMPTY(&q->places))
        place_remove(LIST_FIRST(&q->places));
}

void queue_join_sets(struct sched *s, struct queue *q)
{
    for (struct queue_set *set = s->sets; set != NULL; set = set->hh.next)
        if (set_has(s, set, q))
            place_add(set, q);
}

/* ---- life ---- */
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

/* ---- choosing ---- */
struct queue_place *queue_set_first(struct queue_set *set)
{
    return RB_MIN(usable_tree, &set->usable);
}

struct queue_place *queue_set_next(struct queue_place *p)
{
    return RB_NEXT(usable_tree, &p->set->usable, p);
}

uint64_t queue_set_streak(struct queue_place *p, uint32_t slots)
{
    const struct queue_place *next = queue_set_next(p);
    if (next == NULL || next->queue->seq_no != p->queue->seq_no)
        return UINT64_MAX;
    bool wins_ties = strcmp(p->queue->name, next->queue->name) < 0;
    uint64_t lead = p->queue->free_slots - next->queue->free_slots;
    return wins_ties ? lead / slots + 1 : (lead + slots - 1) / slots;
}
