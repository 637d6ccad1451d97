#ifndef SGEOBJ_JA_DEPENDENCY_H
#define SGEOBJ_JA_DEPENDENCY_H

#include "libs/cull/range_set.h"
#include "libs/sgeobj/rows.h"

/* Dependencies between the tasks of array jobs (-hold_jid_ad): the two directions of one map, on
 * ordinals. Pure. A and B have the same range t0..t1 as submitted; sa, sb are their steps. B.i
 * waits for all tasks of A from nearest(i) to nearest(min(i + sb - 1, t1)), nearest(k) = t0 +
 * floor((k - t0) / sa) * sa.
 * Source: seed 000 "Chunking in the general case", cut at the end of the range. */
struct ja_window {
    uint32_t first, last;
}; /* ordinals, inclusive */
struct ja_shape {
    uint32_t first, last, step;
}; /* an array as submitted */

/* ja_dep_forward - the tasks of A that task B_ORDINAL waits for; O(1) */
struct ja_window ja_dep_forward(const struct ja_shape *a, const struct ja_shape *b,
                                uint32_t b_ordinal);
/* ja_dep_backward - the tasks of B that wait for task A_ORDINAL; O(1) */
struct ja_window ja_dep_backward(const struct ja_shape *a, const struct ja_shape *b,
                                 uint32_t a_ordinal);
/* ja_dep_held - all tasks of B that wait for a task in A_UNFINISHED; OUT is united with them
 * ja_dep_held_next - a piece of the same that takes a millisecond at most
 *
 *   from  0 initially; the tasks of A before it have been looked at. The set may have lost members
 *         since then: of those that it has lost, some may be waited for in OUT.
 *
 * Returns true when all of A has been looked at. Together they cost O(ranges of A_UNFINISHED), with
 * equal steps O(its memory).
 * ja_dep_held_cost - about what they cost, in ranges; O(1) */
void ja_dep_held(const struct ja_shape *a, const struct ja_shape *b,
                 const struct range_set *a_unfinished, struct range_set *out);
bool ja_dep_held_next(const struct ja_shape *a, const struct ja_shape *b,
                      const struct range_set *a_unfinished, uint64_t *from, struct range_set *out);
uint64_t ja_dep_held_cost(const struct ja_shape *a, const struct ja_shape *b,
                          const struct range_set *a_unfinished);
/* ja_same_range - the same first and last task, as -hold_jid_ad wants it? */
bool ja_same_range(const struct ja_shape *a, const struct ja_shape *b);
/* ja_task_count - how many tasks there are, the step considered */
uint32_t ja_task_count(const struct ja_shape *s);
/* ja_shape_of - the array that JOB is; a non-array job is an array of the single task 1 */
struct ja_shape ja_shape_of(const struct JB_Type *job);

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
