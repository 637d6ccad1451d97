#ifndef VIEW_FIGURES_H
#define VIEW_FIGURES_H

#include "libs/mir/board.h"

/* The figures of a cell, counted as events come: each costs O(1) to O(log), however many hosts and
 * jobs there are. Pure; one thread. */
struct dstr;
struct figures;

struct cell_figures {
    uint64_t slots, slots_used; /* of all queue instances; by jobs that are known */
    uint64_t tasks[LOOKS];      /* of all jobs that are known */
    uint32_t jobs, own_jobs;    /* that have not ended; those of the user */
    uint32_t hosts, ill_hosts;  /* with queue instances; with one in error, in alarm, or unknown */
};

/* figures_new - of BOARD, borrowed for life, for USER, borrowed for life; new: figures_free */
struct figures *figures_new(struct board *board, const char *user);
void figures_free(struct figures *f);
/* figures_event - EVENT, which the board takes as well, has come */
void figures_event(struct figures *f, const struct EV_Type *event);
/* figures_get - as they are, or while the state comes anew as they were; O(changed jobs) */
struct cell_figures figures_get(struct figures *f);
/* figures_ill - append queue instances of ill hosts with their states, MOST at most:
 * "all.q@node3 (E), all.q@node7 (u)". O(queue instances) */
void figures_ill(const struct figures *f, uint32_t most, struct dstr *out);

#endif
