#ifndef QMASTER_JOBS_ARRAY_HOLDS_H
#define QMASTER_JOBS_ARRAY_HOLDS_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/sgeobj/ja_dependency.h"

/* array_holds_compute - JB_ja_a_h_ids of JOB anew, from what its predecessors have not finished. O(their ranges): for starts of the qmaster */
void array_holds_compute(struct qmaster *q, struct job *job);
/* array_holds_begin - the same, for a job with another list of predecessors: at once if they are few; else all of its tasks are held
 * until array_holds_renew is through */
void array_holds_begin(struct qmaster *q, struct job *job);
/* array_holds_renew - predecessors of JOB may have ended tasks that nobody told it of: what no longer holds goes, in steps */
void array_holds_renew(struct qmaster *q, struct job *job);
/* array_holds_lift - the tasks ENDED of a predecessor of JOB, an array of shape A, have just ended: the holds that were for them alone go, and
 * the scheduler hears of what may start; at once, or, if JOB has many predecessors, by array_holds_renew. Few tasks are looked at one by
 * one, many as whole sets. */
void array_holds_lift(struct qmaster *q, struct job *job, const struct ja_shape *a,
                      const struct range_set *ended);

#endif
