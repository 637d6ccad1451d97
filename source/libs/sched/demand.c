/* Demands: what one task takes of each resource. Owns struct demand.
 *
 * Equal demands are one, so that who has the same pointer has the same needs: categories share what
 * blocks them, and a running task keeps the demand that it started with, whatever becomes of its
 * job. */
#include "libs/sched/resource.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/assert.h"

struct demand *demand_get(struct demands *in, const struct demand_part *parts, uint32_t n)
{
    struct demand *d;
    HASH_FIND(hh, in->all, parts, n * sizeof *parts, d);
    if (d == NULL) {
        d = uti_calloc(1, sizeof *d + n * sizeof *parts);
        d->n = n;
        memcpy(d->parts, parts, n * sizeof *parts);
        HASH_ADD_KEYPTR(hh, in->all, d->parts, n * sizeof *parts, d);
    }
    d->users++;
    return d;
}

struct demand *demand_with_slots(struct demands *in, struct demand *d, uint32_t slots)
{
    ASSERT(d->n > 0 && d->parts[0].resource == RESOURCE_SLOTS && slots > 0);
    if (d->parts[0].amount == slots) {
        d->users++;
        return d;
    }
    struct demand_part *parts = uti_alloc(d->n * sizeof *parts);
    memcpy(parts, d->parts, d->n * sizeof *parts);
    parts[0].amount = slots;
    struct demand *other = demand_get(in, parts, d->n);
    free(parts);
    return other;
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
