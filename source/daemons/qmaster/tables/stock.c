/* What is taken of resources that run out. Owns struct stock.
 *
 * An entry of which something is taken stays, so that an offer that comes back finds it. Others go
 * when the offers are read anew, since most of them are soon needed again. */
#include "daemons/qmaster/tables/stock.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/amount.h"
#include "libs/config/complex.h"
#include "libs/config/consumption.h"
#include "libs/uti/assert.h"

void stock_free(struct stock *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        cull_string_drop(l->v[i].name);
    free(l->v);
    *l = (struct stock){ 0 };
}

/* where NAME is, or belongs */
static uint32_t place_of(const struct stock *l, const char *name)
{
    uint32_t low = 0, high = l->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(l->v[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct stock_entry *entry_find(const struct stock *l, const char *name)
{
    uint32_t at = place_of(l, name);
    return at < l->n && strcmp(l->v[at].name, name) == 0 ? &l->v[at] : NULL;
}

static struct stock_entry *entry_get(struct stock *l, const char *name)
{
    struct stock_entry *entry = entry_find(l, name);
    if (entry != NULL)
        return entry;
    uint32_t at = place_of(l, name);
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
    memmove(&l->v[at + 1], &l->v[at], (l->n - at) * sizeof *l->v);
    l->n++;
    l->v[at] = (struct stock_entry){ .name = cull_string_new(name, strlen(name)) };
    return &l->v[at];
}

/* nothing is offered any more */
static void drop_offers(struct stock *l)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        l->v[i].is_offered = false;
        if (l->v[i].taken > 0)
            l->v[kept++] = l->v[i];
        else
            cull_string_drop(l->v[i].name);
    }
    l->n = kept;
}

void stock_offer(struct stock *l, const struct CE_Type_list *offers,
                 const struct CE_Type_list *resources, bool slots_too)
{
    drop_offers(l);
    for (uint32_t i = 0; i < offers->n; i++) {
        const char *name = offers->v[i].CE_name, *value = offers->v[i].CE_stringval;
        const struct CE_Type *ce = consumables_find(resources, name);
        bool is_slots = slots_too && strcmp(name, "slots") == 0;
        if (ce == NULL && !is_slots)
            continue;
        struct stock_entry *entry = entry_get(l, name);
        entry->offered = amount_offered(is_slots ? COMPLEX_INT : ce->CE_valtype, value);
        entry->is_offered = true;
    }
}

bool stock_has_room(const struct stock *l, const char *name, uint64_t amount)
{
    const struct stock_entry *entry = entry_find(l, name);
    if (entry == NULL || !entry->is_offered || entry->offered == AMOUNT_UNLIMITED)
        return true;
    return entry->taken <= entry->offered && entry->offered - entry->taken >= amount;
}

void stock_take(struct stock *l, const char *name, uint64_t amount)
{
    entry_get(l, name)->taken += amount;
}

void stock_give(struct stock *l, const char *name, uint64_t amount)
{
    struct stock_entry *entry = entry_find(l, name);
    ASSERT(entry != NULL);
    entry->taken -= amount;
}

uint64_t stock_taken(const struct stock *l, const char *name)
{
    const struct stock_entry *entry = entry_find(l, name);
    return entry != NULL ? entry->taken : 0;
}
