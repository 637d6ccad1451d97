/* What resources are, and how much requests (-l) take of those that run out. Owns the rows of the
 * complex.
 *
 * As long as nothing runs out, all tasks take their slots alone, and all requests in the same
 * queues share a need. A running task releases what it took, whatever its row says meanwhile. */
#include "libs/sched/supply/resource.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/object.h"
#include "libs/config/quantity.h"
#include "libs/resource/consumption.h"
#include "libs/sched/supply/offer.h"

/* ---- rows ---- */
static struct CE_Type *row_find(struct CE_Type_list *rows, const char *name)
{
    return (struct CE_Type *)consumables_find(rows, name);
}

/* returns whether there was one */
static bool row_drop(struct CE_Type_list *rows, const char *name)
{
    struct CE_Type *row = row_find(rows, name);
    if (row != NULL)
        cull_remove_at(&cull_CE_Type, (struct cull_list *)rows, (uint32_t)(row - rows->v));
    return row != NULL;
}

static void row_put(struct CE_Type_list *rows, const struct CE_Type *row)
{
    struct CE_Type *old = row_find(rows, row->CE_name);
    cull_copy(&cull_CE_Type, old != NULL ? old : cull_push(rows), row);
    if (old == NULL)
        complex_sort(rows);
}

static bool is_forced(const struct CE_Type *row)
{
    return row != NULL && row->CE_requestable == COMPLEX_REQUEST_FORCED;
}

/* after the row of NAME has become another; DECIDES: whether anybody asks for it or not */
static enum resource_effect rows_changed(struct sched_cell *cell, const char *name, bool decides)
{
    values_change(cell, &cell->round);
    return decides || resource_name_find(&cell->names, name) != NULL ? RESOURCE_DECIDES
                                                                     : RESOURCE_CHANGED;
}

enum resource_effect resource_update(struct sched_cell *cell, const struct TX_Type *object)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    struct CE_Type *row = object_record(rules, object);
    bool was_forced = is_forced(row_find(&cell->complex, object->TX_name));
    bool counted = row_drop(&cell->consumables, object->TX_name), counts = consumable_counts(row);
    bool decides = counted || counts || was_forced || is_forced(row);
    cell->n_forced += (uint32_t)is_forced(row) - (uint32_t)was_forced;
    row_put(&cell->complex, row);
    if (counts)
        row_put(&cell->consumables, row);
    cull_delete(rules->type, row);
    return rows_changed(cell, object->TX_name, decides);
}

enum resource_effect resource_forget(struct sched_cell *cell, const char *name)
{
    bool was_forced = is_forced(row_find(&cell->complex, name));
    bool counted = row_drop(&cell->consumables, name);
    cell->n_forced -= was_forced;
    return row_drop(&cell->complex, name) ? rows_changed(cell, name, counted || was_forced)
                                          : RESOURCE_SAME;
}

/* ---- run times ---- */
uint64_t run_time_read(const char *text)
{
    uint64_t seconds;
    if (text == NULL || !quantity_time_parse(text, &seconds))
        return TIME_FOREVER;
    return seconds > 0 ? seconds : 1;
}

uint64_t request_run_s(const struct JB_Type *request)
{
    const struct CE_Type_list *wanted = &request->JB_hard_resource_list;
    const struct CE_Type *h_rt = wanted->n > 0 ? cull_find(&cull_CE_Type, wanted, "h_rt") : NULL;
    return h_rt != NULL ? run_time_read(h_rt->CE_stringval) : 0;
}

/* ---- demands ---- */
static int part_order(const void *a, const void *b)
{
    const struct demand_part *x = a, *y = b;
    return x->resource < y->resource ? -1 : x->resource > y->resource;
}

/* of N parts in any order, each resource once */
static struct demand *demand_of_parts(struct sched_cell *cell, struct demand_part *parts,
                                      uint32_t n)
{
    qsort(parts, n, sizeof *parts, part_order);
    return demand_get(&cell->demands, parts, n);
}

/* those of the N CONSUMPTIONS that are taken as KIND says; a slot before them if it has one. NULL
 * if that is nothing */
static struct demand *demand_of_kind(struct sched_cell *cell,
                                     const struct consumption *consumptions, uint32_t n,
                                     uint32_t kind, bool has_slot)
{
    struct demand_part *parts = uti_alloc((n + 1) * sizeof *parts);
    uint32_t n_parts = 0;
    if (has_slot)
        parts[n_parts++] = (struct demand_part){ RESOURCE_SLOTS, 1 };
    for (uint32_t i = 0; i < n; i++)
        if (kind == COMPLEX_CONSUMABLE_NO || consumptions[i].consumable == kind)
            parts[n_parts++] = (struct demand_part){
                resource_name_get(&cell->names, consumptions[i].resource->CE_name)->number,
                consumptions[i].amount
            };
    struct demand *d = n_parts > 0 ? demand_of_parts(cell, parts, n_parts) : NULL;
    free(parts);
    return d;
}

static struct demand *one_slot(struct sched_cell *cell)
{
    struct demand_part slot = { RESOURCE_SLOTS, 1 };
    return demand_get(&cell->demands, &slot, 1);
}

void request_demands(struct sched_cell *cell, const struct JB_Type *request,
                     struct demand **in_slot, struct demand **on_host, struct demand **of_job)
{
    *on_host = *of_job = NULL;
    if (cell->consumables.n == 0) {
        *in_slot = one_slot(cell);
        return;
    }
    struct consumption *consumptions = uti_alloc(cell->consumables.n * sizeof *consumptions);
    uint32_t n = consumptions_of(&cell->consumables, request, consumptions);
    bool is_parallel = request->JB_pe != NULL;
    *in_slot = demand_of_kind(cell, consumptions, n,
                              is_parallel ? COMPLEX_CONSUMABLE_YES : COMPLEX_CONSUMABLE_NO, true);
    if (is_parallel) {
        *on_host = demand_of_kind(cell, consumptions, n, COMPLEX_CONSUMABLE_HOST, false);
        *of_job = demand_of_kind(cell, consumptions, n, COMPLEX_CONSUMABLE_JOB, false);
    }
    free(consumptions);
}

struct demand *granted_demand(struct sched_cell *cell, const struct JG_Type *entry)
{
    const struct TK_Type_list *taken = &entry->JG_taken;
    struct demand_part *parts = uti_alloc((taken->n + 1) * sizeof *parts);
    uint32_t n =
        allocation_parts(&cell->names, entry->JG_slots > 0 ? entry->JG_slots : 1, taken, parts);
    struct demand *d = demand_of_parts(cell, parts, n);
    free(parts);
    return d;
}

void resources_free(struct sched_cell *cell)
{
    cull_list_clear(&cull_CE_Type, &cell->complex);
    cull_list_clear(&cull_CE_Type, &cell->consumables);
}
