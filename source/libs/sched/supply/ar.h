#ifndef SCHED_SUPPLY_AR_H
#define SCHED_SUPPLY_AR_H

#include "libs/sched/supply/task_path.h"

/* Advance reservations, as the qmaster has granted them. One that has begun has taken what it has,
 * as a task would, and its jobs start in parts of its queue instances (queue.h). One that is to
 * come is in the way of all that would still be there then: rounds (run/reserve.h) see it. */
struct sched_ar {
    uint32_t id;
    uint64_t start_s, end_s;
    bool has_begun;
    struct pe *pe; /* NULL: none */
    uint32_t n;
    struct placed_demand *at; /* N of them; owned, and each demand is counted */
    UT_hash_handle hh;        /* by id */
};

/* ar_update - a reservation came, or has begun
 * ar_forget - it has gone; O(its queue instances) */
void ar_update(struct sched_cell *cell, const struct AR_Type *record);
void ar_forget(struct sched_cell *cell, uint32_t id);
/* ars_free - forget all of them, before queue instances and environments */
void ars_free(struct sched_cell *cell);
/* ar_end_s - when it is over, as far as is known: what has begun and is late ends in the next
 * second
 * ar_foresee - note that in the supplies of its paths, which are timed from now on; what is to come
 * is reserved there
 * ars_window_end - until when, from AT_S on, none that is to come gets into the way of a task that
 * runs RUN_S seconds. O(reservations) */
uint64_t ar_end_s(const struct sched_cell *cell, const struct sched_ar *ar);
void ar_foresee(struct sched_cell *cell, const struct sched_ar *ar);
uint64_t ars_window_end(const struct sched_cell *cell, uint64_t at_s, uint64_t run_s);

#endif
