#ifndef QMASTER_JOBS_DEPEND_PLAN_H
#define QMASTER_JOBS_DEPEND_PLAN_H

#include "daemons/qmaster/change/request.h"
#include "libs/uti/dstr.h"

/* What a job is to wait for: request lists resolved to jobs and checked, before anything is
 * changed. The map between tasks is libs/sgeobj/ja_dependency.h, as is the search for
 * cycles. */
struct plan_progress;
struct depend_plan { /* when it is made: ready to apply */
    struct step_state state;
    bool sets_jid, sets_ad;
    /* predecessors; those that go before it is applied may be among them ids that were named but
     * exist no more: for qalter's answer */
    struct JRE_Type_list jid, ad;
    struct dstr jid_exited, ad_exited;
    struct dstr jid_idle, ad_idle;  /* names that mean no job (depend_words.h) */
    struct plan_progress *progress; /* what is kept between two steps */
};

/* depend_make - resolve and check the request lists present in WANT for a job, as far as one step
 * goes
 *   r      keeps the plan (depend_plan_of); the first step begins it, request_end_step ends it.
 *          Failures are in r->ans
 *   self   the job being altered, NULL for a new one
 *   want   a JB record with JB_jid_request_list and/or JB_ja_ad_request_list; the same in each step
 *   shape  JB_ja_first.. and JB_type of the job as it is or will be
 *   owner  whose jobs names and patterns mean: those that are there at the first step
 * Returns 0 when the plan is made, and is to be applied in this slice; 1 if there is more to do,
 * after others have had their turns; -1 if the job may not wait for these. */
int depend_make(struct qmaster *q, struct request *r, struct job *self, const struct JB_Type *want,
                const struct JB_Type *shape, const char *owner);
/* depend_plan_of - the plan that R keeps, begun or made; NULL: R keeps none */
struct depend_plan *depend_plan_of(const struct request *r);
/* depend_plan_warn - a warning in ANS for each list of PLAN with names that mean no job */
void depend_plan_warn(const struct depend_plan *plan, struct answer *ans);
/* depend_plan_bytes - the memory that the links of PLAN take, at both ends, beyond those that NOW,
 * the job as it is, has in their place; 0 if PLAN is NULL */
uint64_t depend_plan_bytes(const struct depend_plan *plan, const struct JB_Type *now);
/* depend_plan_changed - JOB has another list of predecessors: plans that look for cycles look at it
 * again */
void depend_plan_changed(struct qmaster *q, const struct job *job);

#endif
