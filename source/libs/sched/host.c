/* Hosts and the cell, as the qmaster describes them: what they offer, and what they report. Owns
 * what is known of them.
 *
 * Invariant: a supply limits a resource if and only if its place offers it and the complex says
 * that it runs out. Where such a resource is offered at all decides, like -q, in which sets a queue
 * instance is; how much there is does not. Of other resources texts and attributes of queues
 * decide, with their values; numbers are looked at when a task is placed (condition.c). */
#include "libs/sched/sched_priv.h"

#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/resource/consumption.h"

/* ---- what decides ---- */
/* may OLD and NEWS, values of the same resource, decide differently where tasks run? Not if it runs
 * out, or if it is a number. */
static bool value_moves(const struct sched *s, const char *name, const char *old, const char *news)
{
    const struct CE_Type *row = consumables_find(&s->complex, name);
    return row != NULL && resource_decides_places(row) && strcmp(old, news) != 0;
}

/* do both name the same resources, in the same order, with values that decide the same? */
static bool offers_decide_alike(const struct sched *s, const struct CE_Type_list *a,
                                const struct CE_Type_list *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->v[i].CE_name, b->v[i].CE_name) != 0 ||
            value_moves(s, a->v[i].CE_name, a->v[i].CE_stringval, b->v[i].CE_stringval))
            return false;
    return true;
}

static bool is_whole(const struct EH_Type *record)
{
    const struct CE_Type_list *offers = &record->EH_consumable_config_list;
    for (uint32_t i = 0; i < offers->n; i++)
        if (offers->v[i].CE_name == NULL || offers->v[i].CE_stringval == NULL)
            return false;
    for (uint32_t i = 0; i < record->EH_load_list.n; i++)
        if (record->EH_load_list.v[i].VA_variable == NULL ||
            record->EH_load_list.v[i].VA_value == NULL)
            return false;
    return true;
}

static void queue_rejoin(struct sched *s, struct sched_queue *q)
{
    queue_leave_sets(q);
    queue_join_sets(s, q);
}

/* ---- load values ---- */
static void count_reporters(struct sched *s, const struct VA_Type_list *loads, int more)
{
    for (uint32_t i = 0; i < loads->n; i++) {
        struct resource_name *of = resource_name_get(&s->names, loads->v[i].VA_variable);
        bool was_reported = of->n_reporters > 0;
        of->n_reporters += (uint32_t)more;
        bool is_reported = of->n_reporters > 0;
        if (is_reported != was_reported && consumables_find(&s->consumables, of->name) != NULL)
            s->has_other_conditions = true;
    }
    s->n_reported += loads->n > 0 ? (uint32_t)more : 0;
}

static bool loads_equal(const struct sched *s, const struct VA_Type_list *a,
                        const struct VA_Type_list *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->v[i].VA_variable, b->v[i].VA_variable) != 0 ||
            value_moves(s, a->v[i].VA_variable, a->v[i].VA_value, b->v[i].VA_value))
            return false;
    return true;
}

/* those of RECORD instead of those of KNOWN; returns whether they decide differently */
static bool put_loads(struct sched *s, struct EH_Type *known, const struct EH_Type *record)
{
    if (!cull_has(record, EH_load_list))
        return false;
    bool has_moved = !loads_equal(s, &known->EH_load_list, &record->EH_load_list);
    count_reporters(s, &known->EH_load_list, -1);
    cull_copy_field(&cull_EH_Type, known, record, EH_load_list);
    count_reporters(s, &known->EH_load_list, 1);
    return has_moved;
}

/* whose conditions a resource became, or is no more, as its first or last host reports it */
static void settle_conditions(struct sched *s)
{
    if (s->has_other_conditions)
        s->changed(s, &(struct cell_change){ .kind = CONDITIONS_CHANGED });
    s->has_other_conditions = false;
}

/* ---- hosts and the cell ---- */
/* what RECORD says of KNOWN; returns whether it decides differently which sets queues are in */
static bool put_known(struct sched *s, struct EH_Type *known, const struct EH_Type *record)
{
    bool has_moved = put_loads(s, known, record);
    if (cull_has(record, EH_consumable_config_list)) {
        has_moved |= !offers_decide_alike(s, &known->EH_consumable_config_list,
                                          &record->EH_consumable_config_list);
        cull_copy_field(&cull_EH_Type, known, record, EH_consumable_config_list);
    }
    if (cull_has(record, EH_scaling_list))
        cull_copy_field(&cull_EH_Type, known, record, EH_scaling_list);
    return has_moved;
}

static void cell_update(struct sched *s, const struct EH_Type *record)
{
    bool has_moved = put_known(s, &s->cell_known, record);
    values_change(s, &s->cell_round);
    settle_conditions(s);
    supply_read_offers(s, &s->cell, &s->cell_known.EH_consumable_config_list);
    for (struct sched_queue *q = s->queues; has_moved && q != NULL; q = q->hh.next) {
        queue_rejoin(s, q);
        queue_gained(s, q);
    }
    cell_gained(s);
    s->changed(s, &(struct cell_change){ .kind = CELL_REPORTED });
}

static void host_put(struct sched *s, struct sched_host *h, const struct EH_Type *record)
{
    struct sched_queue *q;
    bool has_moved = put_known(s, &h->known, record);
    bool has_offers = cull_has(record, EH_consumable_config_list);
    values_change(s, &h->round);
    settle_conditions(s);
    if (has_offers)
        supply_read_offers(s, &h->supply, &h->known.EH_consumable_config_list);
    LIST_FOREACH(q, &h->queues, of_host) {
        if (has_moved)
            queue_rejoin(s, q);
        if (has_moved || has_offers)
            queue_gained(s, q);
    }
    s->changed(s, &(struct cell_change){ .kind = HOST_REPORTED, .host = h });
    quotas_host_changed(s, h);
}

void host_update(struct sched *s, const struct EH_Type *record)
{
    if (!is_whole(record))
        return;
    if (strcmp(record->EH_name, HOST_OF_CELL) == 0) {
        cell_update(s, record);
        return;
    }
    struct sched_host *h = host_get(s, record->EH_name);
    h->is_known = true;
    host_put(s, h, record);
}

void host_forget(struct sched *s, const char *name)
{
    struct EH_Type nothing = { 0 };
    cull_mark(&nothing, EH_consumable_config_list);
    cull_mark(&nothing, EH_load_list);
    cull_mark(&nothing, EH_scaling_list);
    if (strcmp(name, HOST_OF_CELL) == 0) {
        cell_update(s, &nothing);
        return;
    }
    struct sched_host *h = host_get(s, name);
    host_put(s, h, &nothing);
    h->is_known = false;
    host_drop(s, h);
}

void places_renew(struct sched *s)
{
    supply_read_offers(s, &s->cell, &s->cell_known.EH_consumable_config_list);
    for (struct sched_host *h = s->hosts; h != NULL; h = h->hh.next)
        supply_read_offers(s, &h->supply, &h->known.EH_consumable_config_list);
    for (struct sched_queue *q = s->queues; q != NULL; q = q->hh.next) {
        queue_limits_renew(s, q);
        queue_rejoin(s, q);
        queue_gained(s, q);
    }
    cell_gained(s);
}
