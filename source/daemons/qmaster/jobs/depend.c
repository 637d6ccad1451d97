/* Keeps both directions of the job net. Invariant: A is in B's predecessor list exactly when B is
 * in A's successor list, but for jobs that come into long lists (depend_join.c) or leave them
 * (depend_leave.c) in steps. Lists that a request changed are spooled with the job; what regular
 * ends change is not (seed 000): depend_restore computes it. */
#include "daemons/qmaster/jobs/depend.h"

#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/jobs/array_holds.h"
#include "daemons/qmaster/jobs/depend_join.h"
#include "daemons/qmaster/jobs/successors.h"

void depend_apply(struct qmaster *q, struct job *job, struct depend_plan *plan)
{
    struct JB_Type *rec = &job->rec;
    if (plan->sets_jid) {
        cull_mark(rec, JB_jid_predecessor_list);
        job_rare(job)->gone.jid_predecessors = 0;
        depend_join(q, job, &plan->jid, false);
    }
    if (plan->sets_ad) {
        cull_mark(rec, JB_ja_ad_predecessor_list);
        job_rare(job)->gone.ad_predecessors = 0;
        depend_join(q, job, &plan->ad, true);
        array_holds_begin(q, job);
    }
    depend_plan_changed(q, job);
}

/* ---- after a restart ---- */
void depend_restore(struct qmaster *q)
{
    for (struct job *job = jobs_at_or_after(&q->jobs, 0); job != NULL;
         job = jobs_next(&q->jobs, job)) {
        struct JB_Type *rec = &job->rec;
        links_drop_gone(q, &rec->JB_jid_predecessor_list);
        links_drop_gone(q, &rec->JB_ja_ad_predecessor_list);
        struct JRE_Type who = links_entry(job);
        for (uint32_t i = 0; i < rec->JB_jid_predecessor_list.n; i++)
            successor_add(q, &rec->JB_jid_predecessor_list.v[i], &who, false);
        for (uint32_t i = 0; i < rec->JB_ja_ad_predecessor_list.n; i++)
            successor_add(q, &rec->JB_ja_ad_predecessor_list.v[i], &who, true);
        if (cull_has(rec, JB_ja_ad_predecessor_list))
            array_holds_compute(q, job);
    }
}
