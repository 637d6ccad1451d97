/* Supplies: what there is, and what is taken of it. Owns struct supply and its stocks.
 *
 * A stock is made when a capacity or a taking is first heard of, so that a limit that is set later
 * finds what was taken before. */
#include "libs/resource/supply.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"

void supply_free(struct supply *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        timeline_free(&s->v[i].taken);
    free(s->v);
    *s = (struct supply){ 0 };
}

static struct stock *stock_find(const struct supply *s, uint64_t resource)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i].resource == resource)
            return &s->v[i];
    return NULL;
}

static struct stock *stock_get(struct supply *s, uint64_t resource)
{
    struct stock *stock = stock_find(s, resource);
    if (stock != NULL)
        return stock;
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    stock = &s->v[s->n++];
    *stock = (struct stock){ .resource = (uint32_t)resource, .capacity = RESOURCE_UNLIMITED };
    return stock;
}

void supply_offer(struct supply *s, uint32_t resource, uint64_t capacity)
{
    struct stock *stock = stock_get(s, resource);
    s->n_limited -= stock->capacity != RESOURCE_UNLIMITED;
    stock->capacity = capacity;
    s->n_limited += stock->capacity != RESOURCE_UNLIMITED;
}

static uint64_t stock_left(const struct stock *stock, struct time_span span)
{
    if (stock->capacity == RESOURCE_UNLIMITED)
        return RESOURCE_UNLIMITED;
    uint64_t taken = timeline_peak(&stock->taken, span);
    return taken < stock->capacity ? stock->capacity - taken : 0;
}

uint64_t supply_left(const struct supply *s, uint32_t resource, struct time_span span)
{
    const struct stock *stock = stock_find(s, resource);
    return stock != NULL ? stock_left(stock, span) : RESOURCE_UNLIMITED;
}

uint64_t supply_room(const struct supply *s, const struct demand *d, struct time_span span)
{
    uint64_t room = UINT64_MAX;
    for (uint32_t i = 0; s->n_limited > 0 && i < d->n; i++) {
        const struct stock *stock = stock_find(s, d->parts[i].resource);
        if (stock == NULL || stock->capacity == RESOURCE_UNLIMITED)
            continue;
        uint64_t fit = stock_left(stock, span) / d->parts[i].amount;
        room = fit < room ? fit : room;
    }
    return room;
}

uint64_t path_room(const supply_path path, const struct demand *d, struct time_span span)
{
    uint64_t room = UINT64_MAX;
    for (unsigned level = 0; level < SUPPLY_LEVELS; level++) {
        uint64_t fit = supply_room(path[level], d, span);
        room = fit < room ? fit : room;
    }
    return room;
}

void path_take(const supply_path path, const struct demand *d, uint64_t tasks,
               struct time_span span)
{
    for (unsigned level = 0; level < SUPPLY_LEVELS; level++)
        for (uint32_t i = 0; i < d->n; i++)
            timeline_take(&stock_get(path[level], d->parts[i].resource)->taken, span,
                          tasks * d->parts[i].amount);
}

void path_give(const supply_path path, const struct demand *d, uint64_t tasks,
               struct time_span span)
{
    for (unsigned level = 0; level < SUPPLY_LEVELS; level++)
        for (uint32_t i = 0; i < d->n; i++)
            timeline_give(&stock_get(path[level], d->parts[i].resource)->taken, span,
                          tasks * d->parts[i].amount);
}
