/* From names to numbers, and demands: what one task takes of each resource. Owns struct
 * resource_name and struct demand.
 *
 * Equal demands are one, so that what has the same pointer has the same needs: categories share
 * what blocks them, and a running task keeps the demand that it started with, whatever becomes of
 * its job. */
#include "libs/resource/demand.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/counted.h"
#include "libs/resource/consumption.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

#define SLOTS "slots"

/* ---- names ---- */
struct resource_name *resource_name_find(const struct resource_names *names, const char *name)
{
    struct resource_name *found;
    HASH_FIND_STR(names->all, name, found);
    return found;
}

struct resource_name *resource_name_get(struct resource_names *names, const char *name)
{
    struct resource_name *r = resource_name_find(names, name);
    if (r != NULL)
        return r;
    uint32_t n = HASH_COUNT(names->all);
    r = uti_calloc(1, sizeof *r);
    r->name = cull_string_new(name, strlen(name));
    r->number = RESOURCE_SLOTS + 1 + n;
    names->by_number = uti_vec_grow(names->by_number, &names->cap, n + 1, sizeof(void *));
    names->by_number[n] = r;
    HASH_ADD_KEYPTR(hh, names->all, r->name, strlen(name), r);
    return r;
}

void resource_names_free(struct resource_names *names)
{
    struct resource_name *r, *next;
    HASH_ITER(hh, names->all, r, next) {
        HASH_DEL(names->all, r);
        cull_string_drop(r->name);
        free(r);
    }
    free(names->by_number);
    cull_string_drop(names->slots);
    *names = (struct resource_names){ 0 };
}

const char *resource_text(struct resource_names *names, uint32_t number)
{
    if (number == RESOURCE_SLOTS && names->slots == NULL)
        names->slots = cull_string_new(SLOTS, strlen(SLOTS));
    if (number == RESOURCE_SLOTS)
        return names->slots;
    ASSERT(number <= HASH_COUNT(names->all));
    return names->by_number[number - RESOURCE_SLOTS - 1]->name;
}

/* ---- demands ---- */
struct demand *demand_get(struct demands *in, const struct demand_part *parts, uint32_t n)
{
    struct demand *d;
    HASH_FIND(hh, in->all, parts, n * sizeof *parts, d);
    if (d == NULL) {
        d = uti_calloc(1, sizeof *d + n * sizeof *parts);
        d->n = n;
        memcpy(d->own, parts, n * sizeof *parts);
        d->parts = d->own;
        HASH_ADD_KEYPTR(hh, in->all, d->own, n * sizeof *parts, d);
    }
    d->users++;
    return d;
}

static struct demand *demand_use(struct demand *d)
{
    d->users++;
    return d;
}

struct demand *demand_times(struct demands *in, struct demand *d, uint32_t slots)
{
    ASSERT(slots > 0);
    if (slots == 1)
        return demand_use(d);
    struct demand_part *parts = uti_alloc(d->n * sizeof *parts);
    for (uint32_t i = 0; i < d->n; i++)
        parts[i] =
            (struct demand_part){ d->parts[i].resource, amount_times(d->parts[i].amount, slots) };
    struct demand *product = demand_get(in, parts, d->n);
    free(parts);
    return product;
}

struct demand *demand_sum(struct demands *in, struct demand *a, struct demand *b)
{
    if (a == NULL || b == NULL)
        return demand_use(a != NULL ? a : b);
    struct demand_part *parts = uti_alloc((a->n + b->n) * sizeof *parts);
    uint32_t n = 0;
    for (uint32_t i = 0, k = 0; i < a->n || k < b->n;) {
        bool is_of_a = k == b->n || (i < a->n && a->parts[i].resource <= b->parts[k].resource);
        struct demand_part part = is_of_a ? a->parts[i++] : b->parts[k++];
        if (n > 0 && parts[n - 1].resource == part.resource)
            parts[n - 1].amount = amount_sum(parts[n - 1].amount, part.amount);
        else
            parts[n++] = part;
    }
    struct demand *sum = demand_get(in, parts, n);
    free(parts);
    return sum;
}

void demand_drop(struct demands *in, struct demand *d)
{
    if (--d->users > 0)
        return;
    HASH_DEL(in->all, d);
    free(d);
}

uint32_t demand_slots(const struct demand *d)
{
    ASSERT(d->n > 0 && d->parts[0].resource == RESOURCE_SLOTS);
    return (uint32_t)d->parts[0].amount;
}

uint32_t allocation_parts(struct resource_names *names, uint32_t slots,
                          const struct TK_Type_list *taken, struct demand_part *parts)
{
    uint32_t n = 0;
    parts[n++] = (struct demand_part){ RESOURCE_SLOTS, slots };
    for (uint32_t i = 0; i < taken->n; i++)
        if (taken->v[i].TK_name != NULL && taken->v[i].TK_amount > 0)
            parts[n++] =
                (struct demand_part){ resource_name_get(names, taken->v[i].TK_name)->number,
                                      taken->v[i].TK_amount };
    return n;
}
