#ifndef SGEOBJ_JOBNET_H
#define SGEOBJ_JOBNET_H

#include "libs/cull/range_set.h"

/* Cycles in the net that -hold_jid and -hold_jid_ad make of jobs. Pure: the caller knows who waits
 * for whom. A search can stop between any two calls and go on later, in a net that has changed.
 *
 *   jobnet_search_begin(&s, job);
 *   do
 *       jobnet_search_put(&s, p) for each predecessor p of s.at (of JOB itself: as it is wanted)
 *   while (jobnet_search_next(&s));
 *   s.with != 0: JOB would wait for itself
 */
struct jobnet_search {
    uint32_t job;  /* would it wait for itself? */
    uint32_t at;   /* whose predecessors are to be put */
    uint32_t with; /* a job on the way that waits for JOB, or JOB; 0: none was found */
    struct range_set todo, seen; /* jobs that JOB would wait for: to be looked at; all of them */
};

void jobnet_search_begin(struct jobnet_search *s, uint32_t job);
/* jobnet_search_put - s->at waits for PREDECESSOR */
void jobnet_search_put(struct jobnet_search *s, uint32_t predecessor);
/* jobnet_search_next - on to another job, which becomes s->at. Every job comes once, so a search is
 * linear in the edges, however many paths they make. False: the search is at its end. */
bool jobnet_search_next(struct jobnet_search *s);
/* jobnet_search_again - JOB waits for others than before: if it has been seen, it comes once
 * more */
void jobnet_search_again(struct jobnet_search *s, uint32_t job);
/* jobnet_search_free - S is empty afterwards */
void jobnet_search_free(struct jobnet_search *s);

#endif
