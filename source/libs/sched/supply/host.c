/* Hosts and the cell, as the qmaster describes them: what they offer, and what they report. Owns
 * what is known of them.
 *
 * Invariant: a supply limits a resource if and only if its place offers it and the complex says
 * that it runs out. Where such a resource is offered at all decides, like -q, in which sets a queue
 * instance is; how much there is does not. Of other resources texts and attributes of queues
 * decide, with their values; numbers are looked at when a task is placed (condition.c). */
#include "libs/sched/supply/host.h"

#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/resource/consumption.h"
#include "libs/sched/supply/offer.h"
#include "libs/sched/supply/queue.h"
#include "libs/sched/supply/queue_request.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sched/supply/quota_use.h"

/* ---- what decides ---- */
/* may OLD and NEWS, values of the same resource, decide differently where tasks run? Not if it runs
 * out, or if it is a number. */
static bool value_moves(const struct sched_cell *cell, const char *name, const char *old,
                        const char *news)
{
    const struct CE_Type *row = consumables_find(&cell->complex, name);
    return row != NULL && resource_decides_places(row) && strcmp(old, news) != 0;
}

/* do both name the same resources, in the same order, with values that decide the same? */
static bool offers_decide_alike(const struct sched_cell *cell, const struct CE_Type_list *a,
                                const struct CE_Type_list *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->v[i].CE_name, b->v[i].CE_name) != 0 ||
            value_moves(cell, a->v[i].CE_name, a->v[i].CE_stringval, b->v[i].CE_stringval))
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

static void queue_rejoin(struct sched_cell *cell, struct sched_queue *q)
{
    queue_leave_sets(q);
    queue_join_sets(cell, q);
}

/* ---- load values ---- */
static void count_reporters(struct sched_cell *cell, const struct VA_Type_list *loads, int more)
{
    for (uint32_t i = 0; i < loads->n; i++) {
        struct resource_name *of = resource_name_get(&cell->names, loads->v[i].VA_variable);
        bool was_reported = of->n_reporters > 0;
        of->n_reporters += (uint32_t)more;
        bool is_reported = of->n_reporters > 0;
        if (is_reported != was_reported && consumables_find(&cell->consumables, of->name) != NULL)
            cell->has_other_conditions = true;
    }
    cell->n_reported += loads->n > 0 ? (uint32_t)more : 0;
}

static bool loads_equal(const struct sched_cell *cell, const struct VA_Type_list *a,
                        const struct VA_Type_list *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->v[i].VA_variable, b->v[i].VA_variable) != 0 ||
            value_moves(cell, a->v[i].VA_variable, a->v[i].VA_value, b->v[i].VA_value))
            return false;
    return true;
}

/* those of RECORD instead of those of KNOWN; returns whether they decide differently */
static bool put_loads(struct sched_cell *cell, struct EH_Type *known, const struct EH_Type *record)
{
    if (!cull_has(record, EH_load_list))
        return false;
    bool has_moved = !loads_equal(cell, &known->EH_load_list, &record->EH_load_list);
    count_reporters(cell, &known->EH_load_list, -1);
    cull_copy_field(&cull_EH_Type, known, record, EH_load_list);
    count_reporters(cell, &known->EH_load_list, 1);
    return has_moved;
}

/* whose conditions a resource became, or is no more, as its first or last host reports it */
static void settle_conditions(struct sched_cell *cell)
{
    if (cell->has_other_conditions)
        cell_report(cell, &(struct cell_change){ .kind = CONDITIONS_CHANGED });
    cell->has_other_conditions = false;
}

/* ---- hosts and the cell ---- */
/* what RECORD says of KNOWN; returns whether it decides differently which sets queues are in */
static bool put_known(struct sched_cell *cell, struct EH_Type *known, const struct EH_Type *record)
{
    bool has_moved = put_loads(cell, known, record);
    if (cull_has(record, EH_consumable_config_list)) {
        has_moved |= !offers_decide_alike(cell, &known->EH_consumable_config_list,
                                          &record->EH_consumable_config_list);
        cull_copy_field(&cull_EH_Type, known, record, EH_consumable_config_list);
    }
    if (cull_has(record, EH_scaling_list))
        cull_copy_field(&cull_EH_Type, known, record, EH_scaling_list);
    return has_moved;
}

static void cell_update(struct sched_cell *cell, const struct EH_Type *record)
{
    bool has_moved = put_known(cell, &cell->known, record);
    values_change(cell, &cell->round);
    settle_conditions(cell);
    supply_read_offers(cell, &cell->supply, &cell->known.EH_consumable_config_list);
    for (struct sched_queue *q = cell->queues; has_moved && q != NULL; q = q->hh.next) {
        queue_rejoin(cell, q);
        queue_gained(cell, q);
    }
    cell_gained(cell);
    cell_report(cell, &(struct cell_change){ .kind = CELL_REPORTED });
    quotas_cell_changed(cell);
}

static void host_put(struct sched_cell *cell, struct sched_host *h, const struct EH_Type *record)
{
    struct sched_queue *q;
    bool has_moved = put_known(cell, &h->known, record);
    bool has_offers = cull_has(record, EH_consumable_config_list);
    values_change(cell, &h->round);
    settle_conditions(cell);
    if (has_offers)
        supply_read_offers(cell, &h->supply, &h->known.EH_consumable_config_list);
    LIST_FOREACH(q, &h->queues, of_host) {
        if (has_moved)
            queue_rejoin(cell, q);
        if (has_moved || has_offers)
            queue_gained(cell, q);
    }
    cell_report(cell, &(struct cell_change){ .kind = HOST_REPORTED, .host = h });
    quotas_host_changed(cell, h);
}

void host_update(struct sched_cell *cell, const struct EH_Type *record)
{
    if (!is_whole(record))
        return;
    if (strcmp(record->EH_name, HOST_OF_CELL) == 0) {
        cell_update(cell, record);
        return;
    }
    struct sched_host *h = host_get(cell, record->EH_name);
    h->is_known = true;
    host_put(cell, h, record);
}

void host_forget(struct sched_cell *cell, const char *name)
{
    struct EH_Type nothing = { 0 };
    cull_mark(&nothing, EH_consumable_config_list);
    cull_mark(&nothing, EH_load_list);
    cull_mark(&nothing, EH_scaling_list);
    if (strcmp(name, HOST_OF_CELL) == 0) {
        cell_update(cell, &nothing);
        return;
    }
    struct sched_host *h = host_get(cell, name);
    host_put(cell, h, &nothing);
    h->is_known = false;
    host_drop(cell, h);
}

void places_renew(struct sched_cell *cell)
{
    supply_read_offers(cell, &cell->supply, &cell->known.EH_consumable_config_list);
    for (struct sched_host *h = cell->hosts; h != NULL; h = h->hh.next)
        supply_read_offers(cell, &h->supply, &h->known.EH_consumable_config_list);
    for (struct sched_queue *q = cell->queues; q != NULL; q = q->hh.next) {
        queue_limits_renew(cell, q);
        queue_rejoin(cell, q);
        queue_gained(cell, q);
    }
    cell_gained(cell);
}
