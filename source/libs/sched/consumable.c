/* Which resources run out, and how much requests (-l) take of them. Owns the numbers of resources,
 * and the rows of the complex that count.
 *
 * As long as nothing runs out, all tasks take their slots alone, and all requests in the same
 * queues share a need. A number outlives its row: what runs gives back what it took. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/consumption.h"
#include "libs/config/object.h"

uint32_t consumable_number(struct sched *s, const char *name)
{
    struct consumable *c;
    HASH_FIND_STR(s->numbers, name, c);
    if (c != NULL)
        return (uint32_t)c->resource;
    size_t bytes = strlen(name) + 1;
    c = uti_calloc(1, sizeof *c + bytes);
    memcpy(c->name, name, bytes);
    c->resource = RESOURCE_SLOTS + 1 + HASH_COUNT(s->numbers);
    HASH_ADD_KEYPTR(hh, s->numbers, c->name, bytes - 1, c);
    return (uint32_t)c->resource;
}

/* ---- rows ---- */
/* returns whether there was one */
static bool row_drop(struct sched *s, const char *name)
{
    const struct CE_Type *row = consumables_find(&s->consumables, name);
    if (row == NULL)
        return false;
    cull_remove_at(&cull_CE_Type, (struct cull_list *)&s->consumables,
                   (uint32_t)(row - s->consumables.v));
    return true;
}

void consumable_update(struct sched *s, const struct TX_Type *object)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    struct CE_Type *row = object_record(rules, object);
    bool counts = consumable_counts(row), has_changed = row_drop(s, object->TX_name) || counts;
    if (counts) {
        cull_copy(&cull_CE_Type, cull_push(&s->consumables), row);
        complex_sort(&s->consumables);
    }
    cull_delete(rules->type, row);
    if (!has_changed)
        return;
    categories_renew(s);
    places_renew(s);
}

void consumable_forget(struct sched *s, const char *name)
{
    if (!row_drop(s, name))
        return;
    categories_renew(s);
    places_renew(s);
}

/* ---- demands ---- */
static int part_order(const void *a, const void *b)
{
    const struct demand_part *x = a, *y = b;
    return x->resource < y->resource ? -1 : x->resource > y->resource;
}

/* of N parts in any order, each resource once */
static struct demand *demand_of_parts(struct sched *s, struct demand_part *parts, uint32_t n)
{
    qsort(parts, n, sizeof *parts, part_order);
    return demand_get(&s->demands, parts, n);
}

/* those of the N TAKINGS that are taken as KIND says; a slot before them if it has one. NULL if
 * that is nothing */
static struct demand *demand_of_kind(struct sched *s, const struct taking *takings, uint32_t n,
                                     uint32_t kind, bool has_slot)
{
    struct demand_part *parts = uti_alloc((n + 1) * sizeof *parts);
    uint32_t n_parts = 0;
    if (has_slot)
        parts[n_parts++] = (struct demand_part){ RESOURCE_SLOTS, 1 };
    for (uint32_t i = 0; i < n; i++)
        if (kind == COMPLEX_CONSUMABLE_NO || takings[i].resource->CE_consumable == kind)
            parts[n_parts++] =
                (struct demand_part){ consumable_number(s, takings[i].resource->CE_name),
                                      takings[i].amount };
    struct demand *d = n_parts > 0 ? demand_of_parts(s, parts, n_parts) : NULL;
    free(parts);
    return d;
}

static struct demand *one_slot(struct sched *s)
{
    struct demand_part slot = { RESOURCE_SLOTS, 1 };
    return demand_get(&s->demands, &slot, 1);
}

void request_demands(struct sched *s, const struct JB_Type *request, struct demand **in_slot,
                     struct demand **on_host, struct demand **of_job)
{
    *on_host = *of_job = NULL;
    if (s->consumables.n == 0) {
        *in_slot = one_slot(s);
        return;
    }
    struct taking *takings = uti_alloc(s->consumables.n * sizeof *takings);
    uint32_t n = takings_of(&s->consumables, request, takings);
    bool is_parallel = request->JB_pe != NULL;
    *in_slot = demand_of_kind(s, takings, n,
                              is_parallel ? COMPLEX_CONSUMABLE_YES : COMPLEX_CONSUMABLE_NO, true);
    if (is_parallel) {
        *on_host = demand_of_kind(s, takings, n, COMPLEX_CONSUMABLE_HOST, false);
        *of_job = demand_of_kind(s, takings, n, COMPLEX_CONSUMABLE_JOB, false);
    }
    free(takings);
}

struct demand *granted_demand(struct sched *s, const struct JG_Type *entry)
{
    const struct TK_Type_list *taken = &entry->JG_taken;
    struct demand_part slots = { RESOURCE_SLOTS, entry->JG_slots > 0 ? entry->JG_slots : 1 };
    if (taken->n == 0)
        return demand_get(&s->demands, &slots, 1);
    struct demand_part *parts = uti_alloc((taken->n + 1) * sizeof *parts);
    uint32_t n = 0;
    parts[n++] = slots;
    for (uint32_t i = 0; i < taken->n; i++)
        if (taken->v[i].TK_name != NULL && taken->v[i].TK_amount > 0)
            parts[n++] = (struct demand_part){ consumable_number(s, taken->v[i].TK_name),
                                               taken->v[i].TK_amount };
    struct demand *d = demand_of_parts(s, parts, n);
    free(parts);
    return d;
}

void consumables_free(struct sched *s)
{
    struct consumable *c, *next;
    HASH_ITER(hh, s->numbers, c, next) {
        HASH_DEL(s->numbers, c);
        free(c);
    }
    cull_list_clear(&cull_CE_Type, &s->consumables);
    cull_list_clear(&cull_CE_Type, &s->cell_offers);
}
