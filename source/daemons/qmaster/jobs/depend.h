#ifndef QMASTER_JOBS_DEPEND_H
#define QMASTER_JOBS_DEPEND_H

#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/jobs/depend_plan.h"

/* Dependencies in the job table: successors kept beside predecessors, and what ends release. The
 * map between tasks is libs/sgeobj/ja_dependency.h; array holds are array_holds.h. */

/* depend_apply - put the plan's lists into JOB (which is in the table), link successors, compute
 * JB_ja_a_h_ids. Cannot fail. */
void depend_apply(struct qmaster *q, struct job *job, struct depend_plan *plan);
/* depend_ended - the ordinals ENDED have just left job->unfinished: lift the array holds that
 * waited for them alone. O(their ranges x successors) */
void depend_ended(struct qmaster *q, struct job *job, const struct range_set *ended);
/* depend_job_gone - the whole job ended: it leaves its successors' and predecessors' lists; if
 * those are many, in steps (work.h) */
void depend_job_gone(struct qmaster *q, struct job *job);
/* depend_restore - after a restart: link successors and compute holds of every job from what is
 * unfinished */
void depend_restore(struct qmaster *q);

/* A job in the lists of the jobs that it waits for, and they in its own. */

/* successor_add, successor_remove - JOB comes into, leaves the successor list (IS_AD: of
 * -hold_jid_ad) of the job that PREDECESSOR means, if that is still there */
void successor_add(struct qmaster *q, const struct JRE_Type *predecessor,
                   const struct JRE_Type *job, bool is_ad);
void successor_remove(struct qmaster *q, const struct JRE_Type *predecessor,
                      const struct JRE_Type *job, bool is_ad);
/* predecessor_forget - JOB waits no longer for PREDECESSOR, which has gone; the scheduler is
 * notified of it when -hold_jid was all that held tasks of it */
void predecessor_forget(struct qmaster *q, struct job *job, const struct JRE_Type *predecessor,
                        bool is_ad);

#endif
