#ifndef QMASTER_JOBS_PLACES_H
#define QMASTER_JOBS_PLACES_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/resource/demand.h"

/* an allocation (libs/sgeobj/allocation.h) whose queue instances have been found; the first is
 * the master's */
struct places {
    struct place {
        struct qinstance *qi;
        uint32_t slots;            /* of each task */
        struct TK_Type_list taken; /* by each, of resources that run out */
        bool has_devices;          /* are named devices among them? */
        struct demand_part *parts; /* slots, and what is TAKEN */
        uint32_t n_parts;
    } * v;
    uint32_t n;             /* > 0 */
    struct text_object *pe; /* the parallel environment; NULL: none */
    const struct job *job;  /* for which bookings are planned */
};

/* places_clear - free V and what is in it */
void places_clear(struct places *places);

#endif
