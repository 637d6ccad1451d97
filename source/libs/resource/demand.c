/* Demands: what one task takes of each resource. Owns struct demand.
 *
 * Equal demands are one, so that who has the same pointer has the same needs: categories share what
 * blocks them, and a running task keeps the demand that it started with, whatever becomes of its
 * job. */
#include "libs/resource/demand.h"

#include <stdlib.h>
#include <string.h>

#include "libs/resource/consumption.h"
#include "libs/uti/assert.h"

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
