#ifndef SCHED_SUPPLY_PE_H
#define SCHED_SUPPLY_PE_H

#include "libs/sched/supply/cell.h"
#include "libs/sched/supply/spread.h"

/* Parallel environments. */
struct pe {
    char *name;
    bool is_known;        /* false: known only as where tasks run; nothing starts in it */
    struct supply supply; /* its slots; none while it is unknown */
    struct spread_rule rule;
    struct AC_Type_list doors; /* who may use it */
    uint32_t n_stays;
    UT_hash_handle hh;
};
/* pe_find - the environment NAME, NULL if it is unknown. O(1)
 * pe_get - the same, made if it is not there: as one where tasks may be, but none may start */
struct pe *pe_find(const struct sched_cell *cell, const char *name);
struct pe *pe_get(struct sched_cell *cell, const char *name);
/* pe_update - it is there and is what OBJECT says; needs that may fit now are open afterwards.
 * O(parallel needs that are blocked)
 * pe_forget - nothing starts in NAME any more; it goes when the last stay has left it */
void pe_update(struct sched_cell *cell, const struct TX_Type *object);
void pe_forget(struct sched_cell *cell, const char *name);
/* pe_enter, pe_leave - a stay in PE begins, ends; PE may be gone after the latter */
void pe_enter(struct pe *pe);
void pe_leave(struct sched_cell *cell, struct pe *pe);
/* pe_left - its free slots
 * pe_gained - slots were released since BEFORE were left: needs for which it was too small are open
 * afterwards */
uint64_t pe_left(const struct pe *pe);
void pe_gained(struct sched_cell *cell, const struct pe *pe, uint64_t before);
/* pes_free - free all of them, when the jobs have gone */
void pes_free(struct sched_cell *cell);

#endif
