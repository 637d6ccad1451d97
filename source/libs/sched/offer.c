/* What places have of resources that run out: the texts that the qmaster sent, as capacities of
 * supplies. Owns the offers of hosts and of the cell, and reads those of queue instances.
 *
 * Invariant: a supply limits a resource if and only if its place offers it and the complex says
 * that it runs out. Where a resource is offered at all decides, like -q, in which sets a queue
 * instance is; how much there is does not. */
#include "libs/sched/sched_priv.h"

#include <string.h>

#include "libs/config/amount.h"
#include "libs/config/complex.h"
#include "libs/config/consumption.h"
#include "libs/config/host.h"

_Static_assert(AMOUNT_UNLIMITED == RESOURCE_UNLIMITED, "what is unlimited in texts is so here");

/* ---- one place ---- */
static void lift_limits(struct supply *supply, bool also_slots)
{
    for (uint32_t i = 0; i < supply->n; i++)
        if (supply->v[i].resource != RESOURCE_SLOTS || also_slots)
            supply_offer(supply, supply->v[i].resource, RESOURCE_UNLIMITED);
}

/* SLOTS_TOO: what is said of slots counts as well; those of queue instances are another setting */
static void set_limits(struct sched *s, struct supply *supply, const struct CE_Type_list *offers,
                       bool slots_too)
{
    lift_limits(supply, slots_too);
    for (uint32_t i = 0; i < offers->n; i++) {
        const char *name = offers->v[i].CE_name, *value = offers->v[i].CE_stringval;
        const struct CE_Type *row = consumables_find(&s->consumables, name);
        if (row != NULL)
            supply_offer(supply, consumable_number(s, name),
                         amount_offered(row->CE_valtype, value));
        else if (slots_too && strcmp(name, "slots") == 0)
            supply_offer(supply, RESOURCE_SLOTS, amount_offered(COMPLEX_INT, value));
    }
}

/* do both name the same resources, in the same order? */
static bool names_equal(const struct CE_Type_list *a, const struct CE_Type_list *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->v[i].CE_name, b->v[i].CE_name) != 0)
            return false;
    return true;
}

static bool is_whole(const struct CE_Type_list *offers)
{
    for (uint32_t i = 0; i < offers->n; i++)
        if (offers->v[i].CE_name == NULL || offers->v[i].CE_stringval == NULL)
            return false;
    return true;
}

/* returns whether the names are others than before */
static bool put_offers(struct CE_Type_list *offers, const struct CE_Type_list *news)
{
    bool has_moved = !names_equal(offers, news);
    cull_list_clear(&cull_CE_Type, offers);
    for (uint32_t i = 0; i < news->n; i++)
        cull_copy(&cull_CE_Type, cull_push(offers), &news->v[i]);
    return has_moved;
}

/* ---- queue instances ---- */
void queue_limits_renew(struct sched *s, struct queue *q)
{
    set_limits(s, &q->supply, &q->known.QU_consumable_config_list, false);
}

bool queue_lacks(const struct sched *s, const struct queue *q, const struct CE_Type_list *requested)
{
    const struct CE_Type_list *const offers[] = { &q->known.QU_consumable_config_list,
                                                  &q->host->offers, &s->cell_offers };
    return consumables_missed(&s->consumables, requested, offers, ARRAY_LEN(offers)) != NULL;
}

static void queue_rejoin(struct sched *s, struct queue *q)
{
    queue_leave_sets(q);
    queue_join_sets(s, q);
}

/* ---- hosts and the cell ---- */
static void cell_update(struct sched *s, const struct CE_Type_list *offers)
{
    bool has_moved = put_offers(&s->cell_offers, offers);
    set_limits(s, &s->cell, &s->cell_offers, true);
    for (struct queue *q = s->queues; has_moved && q != NULL; q = q->hh.next) {
        queue_rejoin(s, q);
        queue_wake(s, q);
    }
    cell_wake(s);
}

static void host_put(struct sched *s, struct host *h, const struct CE_Type_list *offers)
{
    struct queue *q;
    bool has_moved = put_offers(&h->offers, offers);
    set_limits(s, &h->supply, &h->offers, true);
    LIST_FOREACH(q, &h->queues, of_host) {
        if (has_moved)
            queue_rejoin(s, q);
        queue_wake(s, q);
    }
}

void host_update(struct sched *s, const struct EH_Type *record)
{
    if (!is_whole(&record->EH_consumable_config_list))
        return;
    if (strcmp(record->EH_name, HOST_OF_CELL) == 0) {
        cell_update(s, &record->EH_consumable_config_list);
        return;
    }
    struct host *h = host_get(s, record->EH_name);
    h->is_known = true;
    host_put(s, h, &record->EH_consumable_config_list);
}

void host_forget(struct sched *s, const char *name)
{
    static const struct CE_Type_list nothing;
    if (strcmp(name, HOST_OF_CELL) == 0) {
        cell_update(s, &nothing);
        return;
    }
    struct host *h = host_get(s, name);
    host_put(s, h, &nothing);
    h->is_known = false;
    host_drop(s, h);
}

void places_renew(struct sched *s)
{
    set_limits(s, &s->cell, &s->cell_offers, true);
    for (struct host *h = s->hosts; h != NULL; h = h->hh.next)
        set_limits(s, &h->supply, &h->offers, true);
    for (struct queue *q = s->queues; q != NULL; q = q->hh.next) {
        queue_limits_renew(s, q);
        queue_rejoin(s, q);
        queue_wake(s, q);
    }
    cell_wake(s);
}
