#ifndef QMASTER_JOBS_ARRAY_HOLDS_H
#define QMASTER_JOBS_ARRAY_HOLDS_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/sgeobj/ja_dependency.h"

/* array_holds_compute - JB_ja_a_h_ids of JOB anew, from what its predecessors have not finished.
 * O(their ranges): for starts of the qmaster */
void array_holds_compute(struct qmaster *q, struct job *job);
/* array_holds_begin - the same, for a job with another list of predecessors: at once if that
 * takes a millisecond at most; else all of its tasks are held until array_holds_renew is through */
void array_holds_begin(struct qmaster *q, struct job *job);
/* array_holds_renew - predecessors may have ended tasks that JOB does not reflect yet: lift what no
 * longer holds, in steps */
void array_holds_renew(struct qmaster *q, struct job *job);
/* array_holds_lift - tasks of a predecessor of JOB have just ended: lift the holds that were for
 * them alone; the scheduler is notified of what may start
 *   a      the shape of the predecessor
 *   ended  its tasks, by ordinal
 * At once, or, if JOB has many predecessors or the sets are many ranges, by array_holds_renew. */
void array_holds_lift(struct qmaster *q, struct job *job, const struct ja_shape *a,
                      const struct range_set *ended);

#endif
