/* Which requests (-l) take something that runs out, and how much. Owns the numbers of resources.
 *
 * A request takes of a resource only once somebody has said how much of it there is. As long as
 * nobody has, all tasks take their slots alone, and all requests in the same queues share a
 * need. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/amount.h"

static struct consumable *consumable_find(const struct sched *s, const char *name)
{
    struct consumable *c;
    HASH_FIND_STR(s->consumables, name, c);
    return c;
}

uint32_t consumable_number(struct sched *s, const char *name)
{
    struct consumable *c = consumable_find(s, name);
    if (c != NULL)
        return (uint32_t)c->resource;
    size_t bytes = strlen(name) + 1;
    c = uti_calloc(1, sizeof *c + bytes);
    memcpy(c->name, name, bytes);
    c->resource = RESOURCE_SLOTS + 1 + HASH_COUNT(s->consumables);
    HASH_ADD_KEYPTR(hh, s->consumables, c->name, bytes - 1, c);
    categories_renew(s);
    return (uint32_t)c->resource;
}

static int part_order(const void *a, const void *b)
{
    const struct demand_part *x = a, *y = b;
    return x->resource < y->resource ? -1 : x->resource > y->resource;
}

/* N parts with the amounts of equal resources added up; returns how many are left */
static uint32_t parts_merge(struct demand_part *parts, uint32_t n)
{
    uint32_t kept = 0;
    qsort(parts, n, sizeof *parts, part_order);
    for (uint32_t i = 1; i < n; i++)
        if (parts[i].resource == parts[kept].resource)
            parts[kept].amount = amount_sum(parts[kept].amount, parts[i].amount);
        else
            parts[++kept] = parts[i];
    return kept + 1;
}

struct demand *demand_of_request(struct sched *s, const struct JB_Type *request)
{
    const struct CE_Type_list *wanted = &request->JB_hard_resource_list;
    struct demand_part slot = { RESOURCE_SLOTS, 1 };
    if (s->consumables == NULL || wanted->n == 0)
        return demand_get(&s->demands, &slot, 1);
    struct demand_part *parts = uti_alloc((wanted->n + 1) * sizeof *parts);
    uint32_t n = 0;
    parts[n++] = slot;
    for (uint32_t i = 0; i < wanted->n; i++) {
        const struct CE_Type *ce = &wanted->v[i];
        const struct consumable *c = ce->CE_name != NULL ? consumable_find(s, ce->CE_name) : NULL;
        uint64_t amount = c != NULL && ce->CE_stringval != NULL
                              ? amount_asked(ce->CE_valtype, ce->CE_stringval)
                              : 0;
        if (amount > 0)
            parts[n++] = (struct demand_part){ c->resource, amount };
    }
    struct demand *d = demand_get(&s->demands, parts, parts_merge(parts, n));
    free(parts);
    return d;
}

void consumables_free(struct sched *s)
{
    struct consumable *c, *next;
    HASH_ITER(hh, s->consumables, c, next) {
        HASH_DEL(s->consumables, c);
        free(c);
    }
}
