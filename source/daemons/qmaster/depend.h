#ifndef QMASTER_DEPEND_H
#define QMASTER_DEPEND_H

#include "daemons/qmaster/qmaster.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* Dependencies in the job table: request lists resolved to jobs, successors kept beside predecessors, array holds computed and
 * lifted. The map itself is libs/sgeobj/ja_dependency.h; the search for cycles libs/sgeobj/jobnet.h. */
struct depend_plan { /* checked and ready to apply */
    bool sets_jid, sets_ad;
    struct JRE_Type_list jid, ad; /* predecessors that exist, by number */
    struct dstr jid_exited,
        ad_exited; /* ids that were named but exist no more: for qalter's answer */
};
/* depend_find - the job that ENTRY of a list of predecessors or successors means; NULL: it has gone */
struct job *depend_find(struct qmaster *q, const struct JRE_Type *entry);

/* depend_make - resolve and check the request lists present in WANT for a job
 *   self   the job being altered, NULL for a new one
 *   want   a JB record with JB_jid_request_list and/or JB_ja_ad_request_list
 *   shape  JB_ja_first.. and JB_type of the job as it is or will be
 *   owner  whose jobs names and patterns mean
 * Returns 0, or -1 with ans and nothing changed. A plan is freed with depend_plan_free either way. */
int depend_make(struct qmaster *q, struct job *self, const struct JB_Type *want,
                const struct JB_Type *shape, const char *owner, struct depend_plan *plan,
                struct answer *ans);
void depend_plan_free(struct depend_plan *plan);
/* depend_plan_bytes - the memory that its links take, at both ends, beyond those that NOW, the job as it is, has in their place */
uint64_t depend_plan_bytes(const struct depend_plan *plan, const struct JB_Type *now);
/* depend_apply - put the plan's lists into JOB (which is in the table), link successors, compute JB_ja_a_h_ids. Cannot fail. */
void depend_apply(struct qmaster *q, struct job *job, struct depend_plan *plan);
/* depend_ended - the ordinals ENDED have just left job->unfinished: lift the array holds that waited for them alone. O(their ranges x
 * successors) */
void depend_ended(struct qmaster *q, struct job *job, const struct range_set *ended);
/* depend_job_gone - the whole job ended: it leaves its successors' and predecessors' lists; if those are many, in steps (work.h) */
void depend_job_gone(struct qmaster *q, struct job *job);
/* depend_tidy - the lists of JOB are for others to see: entries whose jobs have gone leave them now. O(lists that have such entries) */
void depend_tidy(struct job *job);
/* depend_restore - after a restart: link successors and compute holds of every job from what is unfinished */
void depend_restore(struct qmaster *q);

#endif
