#ifndef QMASTER_DEPEND_PLAN_H
#define QMASTER_DEPEND_PLAN_H

#include "daemons/qmaster/qmaster.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* Request lists resolved to jobs. The map between tasks is libs/sgeobj/ja_dependency.h; the search for cycles libs/sgeobj/jobnet.h. */
struct depend_plan { /* checked and ready to apply */
    bool sets_jid, sets_ad;
    struct JRE_Type_list jid, ad; /* predecessors that exist, by number */
    struct dstr jid_exited,
        ad_exited; /* ids that were named but exist no more: for qalter's answer */
};

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

#endif
