/* Keeps both directions of the job net. Invariant: A is in B's predecessor list exactly when B is in A's successor list, but for jobs that
 * leave long lists in steps (depend_leave.c). Lists that a request changed are spooled with the job; what regular ends change is not
 * (seed 000): depend_restore computes it. */
#include "daemons/qmaster/depend.h"

#include "daemons/qmaster/array_holds.h"
#include "daemons/qmaster/change.h"
#include "daemons/qmaster/links.h"

static void replace_list(struct qmaster *q, struct job *job, struct JRE_Type_list *list,
                         struct JRE_Type_list *next, bool is_ad)
{
    for (uint32_t i = 0; i < list->n; i++)
        links_unlink(q, &list->v[i], &job->rec, is_ad);
    links_clear(list);
    *list = *next;
    *next = (struct JRE_Type_list){ 0 };
    for (uint32_t i = 0; i < list->n; i++)
        links_link(q, &list->v[i], job, is_ad);
}

void depend_apply(struct qmaster *q, struct job *job, struct depend_plan *plan)
{
    struct JB_Type *rec = &job->rec;
    if (plan->sets_jid) {
        cull_mark(rec, JB_jid_predecessor_list);
        replace_list(q, job, &rec->JB_jid_predecessor_list, &plan->jid, false);
        job->gone.jid_predecessors = 0;
    }
    if (plan->sets_ad) {
        cull_mark(rec, JB_ja_ad_predecessor_list);
        replace_list(q, job, &rec->JB_ja_ad_predecessor_list, &plan->ad, true);
        job->gone.ad_predecessors = 0;
        array_holds_compute(q, job);
    }
}

/* ---- after a restart ---- */
static void drop_gone(struct qmaster *q, struct JRE_Type_list *l)
{
    uint32_t n_gone = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (links_job(q, &l->v[i]) == NULL) {
            l->v[i].JRE_round = LINKS_ROUND_OF_NONE;
            n_gone++;
        }
    links_compact(l, &n_gone);
}

void depend_restore(struct qmaster *q)
{
    for (struct job *job = jobs_at_or_after(&q->jobs, 0); job != NULL; job = jobs_next(job)) {
        struct JB_Type *rec = &job->rec;
        drop_gone(q, &rec->JB_jid_predecessor_list);
        drop_gone(q, &rec->JB_ja_ad_predecessor_list);
        for (uint32_t i = 0; i < rec->JB_jid_predecessor_list.n; i++)
            links_link(q, &rec->JB_jid_predecessor_list.v[i], job, false);
        for (uint32_t i = 0; i < rec->JB_ja_ad_predecessor_list.n; i++)
            links_link(q, &rec->JB_ja_ad_predecessor_list.v[i], job, true);
        if (cull_has(rec, JB_ja_ad_predecessor_list))
            array_holds_compute(q, job);
    }
}
