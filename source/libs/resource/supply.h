#ifndef RESOURCE_SUPPLY_H
#define RESOURCE_SUPPLY_H

#include "libs/resource/demand.h"
#include "libs/resource/timeline.h"

/* Resources as vectors. A supply is what one queue instance, one host or the cell has of each, and
 * what is taken of it over time; a demand is what one task takes. A task in a queue instance takes
 * its demand from three supplies: the instance's, its host's and the cell's. What a supply says
 * nothing about is unlimited there. Slots are the first resource; consumables, quotas and
 * reservations are further entries of the same vectors. Pure. */
enum supply_level { SUPPLY_QUEUE, SUPPLY_HOST, SUPPLY_CELL, SUPPLY_LEVELS };
#define RESOURCE_UNLIMITED UINT64_MAX

struct supply {
    struct stock {
        uint32_t resource;
        uint64_t capacity; /* RESOURCE_UNLIMITED: only what is taken is known */
        struct timeline taken;
    } * v;
    uint32_t n, cap;
    uint32_t n_limited; /* resources with a capacity */
};                      /* all zero: unlimited */
typedef struct supply *supply_path[SUPPLY_LEVELS];

/* supply_free - S is empty afterwards */
void supply_free(struct supply *s);

/* supply_offer - S has so much of a resource from now on, more or less than is taken;
 * RESOURCE_UNLIMITED lifts the limit */
void supply_offer(struct supply *s, uint32_t resource, uint64_t capacity);

/* supply_left - how much of a resource is free during all of SPAN; RESOURCE_UNLIMITED if S
 * does not limit it */
uint64_t supply_left(const struct supply *s, uint32_t resource, struct time_span span);

/* supply_room - how many tasks with demand D can be added in SPAN, as far as S alone decides
 * path_room - the same for all three supplies. O(resources) */
uint64_t supply_room(const struct supply *s, const struct demand *d, struct time_span span);
uint64_t path_room(const supply_path path, const struct demand *d, struct time_span span);

/* path_take - TASKS tasks take their demand in SPAN, whether there is room or not
 * path_give - undo exactly that */
void path_take(const supply_path path, const struct demand *d, uint64_t tasks,
               struct time_span span);
void path_give(const supply_path path, const struct demand *d, uint64_t tasks,
               struct time_span span);

#endif
