#ifndef SGEOBJ_JOBNET_H
#define SGEOBJ_JOBNET_H

#include "common/basis.h"

/* Cycles in the net that -hold_jid and -hold_jid_ad make of jobs. Pure: the jobs are asked for
 * through a function. */

/* struct jobnet_numbers - job numbers; all zero is empty, end with jobnet_numbers_free. A number
 * may be there twice. */
struct jobnet_numbers {
    uint32_t *v;
    uint32_t n, cap;
};
/* jobnet_numbers_add - append NUMBER
 * jobnet_numbers_free - L is empty afterwards */
void jobnet_numbers_add(struct jobnet_numbers *l, uint32_t number);
void jobnet_numbers_free(struct jobnet_numbers *l);

/* appends the predecessors of job NUMBER, of both kinds, to OUT (which may hold other numbers:
 * leave them); a job that is not there has none. Returns out->n. */
typedef uint32_t (*jobnet_predecessors_fn)(void *ctx, uint32_t number, struct jobnet_numbers *out);

/* jobnet_closes_cycle - would job JOB wait for itself if its predecessors (of both kinds) were
 * WANTED?
 *
 *   wanted  borrowed; what JOB waits for now does not count
 *   with    set when true: the job on the way that waits for JOB itself, or JOB if it is in WANTED
 *
 * Every job is asked for at most once: linear in the edges behind WANTED, however many paths they
 * make. Not recursive. */
bool jobnet_closes_cycle(uint32_t job, const struct jobnet_numbers *wanted,
                         jobnet_predecessors_fn predecessors, void *ctx, uint32_t *with);

#endif
