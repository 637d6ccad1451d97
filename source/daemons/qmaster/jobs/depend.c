/* Keeps both directions of the job net. Invariant: A is in B's predecessor list exactly when B is
 * in A's successor list, but for jobs that come into long lists or leave them
 * (depend_leave.c) in steps. Lists that a request changed are spooled with the job; what regular
 * ends change is not (seed 000): depend_restore computes it. */
#include "daemons/qmaster/jobs/depend.h"

#include <stdlib.h>

#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/array_holds.h"
#include "daemons/qmaster/jobs/successors.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/uti/alloc.h"

/* ---- new predecessors ---- */
/* A job with a new list of predecessors is entered into their lists of successors and removed from
 * those of its former predecessors. Its own list is right from the first moment on, and is on disk
 * with the request that made it. When that is long, the others follow in steps, which are turns of
 * the job's owner. A step reads that list anew for each link, so that it does not matter what ends
 * or goes in between; a predecessor that has ended before it knew of the job leaves the job's list
 * then. */
struct joining {
    struct piece piece;
    struct qmaster *q;
    struct JRE_Type job;
    bool is_ad;
    bool is_known;             /* all of its predecessors know of it */
    uint32_t after;            /* those up to this number do */
    struct JRE_Type_list left; /* former predecessors */
    uint32_t
        at; /* those before this place do not list it any more, unless they are its predecessors again */
};

static struct JRE_Type_list *predecessors_of(struct job *job, bool is_ad)
{
    return is_ad ? &job->rec.JB_ja_ad_predecessor_list : &job->rec.JB_jid_predecessor_list;
}

static void meet_predecessor(struct qmaster *q, struct job *job, const struct JRE_Type *who,
                             struct JRE_Type predecessor, bool is_ad)
{
    if (predecessor.JRE_round == LINKS_ROUND_OF_NONE)
        return;
    if (links_job(q, &predecessor) != NULL)
        successor_add(q, &predecessor, who, is_ad);
    else
        predecessor_forget(q, job, &predecessor, is_ad);
}

/* true: there are no more */
static bool meet_next(struct qmaster *q, struct joining *j, struct job *job)
{
    const struct JRE_Type_list *l = predecessors_of(job, j->is_ad);
    uint32_t at = links_after(l, j->after);
    if (at >= l->n)
        return true;
    j->after = l->v[at].JRE_job_number;
    meet_predecessor(q, job, &j->job, l->v[at], j->is_ad);
    return false;
}

static bool part_next(struct qmaster *q, struct joining *j, struct job *job)
{
    if (j->at >= j->left.n)
        return true;
    const struct JRE_Type *former = &j->left.v[j->at++];
    if (job == NULL || !links_has(predecessors_of(job, j->is_ad), former))
        successor_remove(q, former, &j->job, j->is_ad);
    return false;
}

static void all_know(struct qmaster *q, struct joining *j, struct job *job)
{
    j->is_known = true;
    if (job != NULL && j->is_ad)
        array_holds_renew(q, job); /* nobody has heard of what ended before they knew it */
}

static bool join_some(struct qmaster *q, struct piece *piece)
{
    struct joining *j = (struct joining *)piece;
    for (uint32_t work = 0; work < STEP_WORK && (work == 0 || !slice_is_over(q)); work++) {
        struct job *job = links_job(q, &j->job);
        if (!j->is_known) {
            if (job == NULL || meet_next(q, j, job))
                all_know(q, j, job);
        } else if (part_next(q, j, job)) {
            return true;
        }
    }
    return false;
}

static void joining_free(struct piece *piece)
{
    struct joining *j = (struct joining *)piece;
    struct job *job = links_job(j->q, &j->job);
    if (job != NULL)
        job_rare(job)->n_joining--;
    links_clear(&j->left);
    free(j);
}

static const struct piece_kind joining_kind = { "telling jobs who waits for them", join_some,
                                                joining_free };

/* what is left of LEFT and of the list of JOB when few have been done with */
static void join_in_steps(struct qmaster *q, struct job *job, const struct JRE_Type_list *left,
                          bool is_known, bool is_ad)
{
    struct joining *j = uti_calloc(1, sizeof *j);
    j->piece.kind = &joining_kind;
    j->q = q;
    j->job = links_entry(job);
    j->is_ad = is_ad;
    j->is_known = is_known;
    j->left = *left;
    job_rare(job)->n_joining++;
    work_put_piece(q->work, job->rec.JB_uid, &j->piece);
}

/* JOB waits for the jobs in NEXT, which becomes its list, and no longer for those in its old list.
 * Old and new predecessors change their lists of successors: at once if they are few, else in
 * steps. Meanwhile JOB does not start before NEXT already. Array holds are the caller's.
 *   next   moved; empty afterwards
 *   is_ad  the lists of -hold_jid_ad; else those of -hold_jid */
static void depend_join(struct qmaster *q, struct job *job, struct JRE_Type_list *next, bool is_ad)
{
    struct JRE_Type_list *list = predecessors_of(job, is_ad), left = *list;
    struct JRE_Type who = links_entry(job);
    bool is_few = next->n <= LINKS_FEW;
    *list = *next;
    *next = (struct JRE_Type_list){ 0 };
    if (left.n <= LINKS_FEW) {
        for (uint32_t i = 0; i < left.n; i++)
            successor_remove(q, &left.v[i], &who, is_ad);
        links_clear(&left);
    }
    if (is_few)
        links_drop_gone(q, list); /* what ended while the plan was made */
    for (uint32_t i = 0; is_few && i < list->n; i++)
        successor_add(q, &list->v[i], &who, is_ad);
    if (!is_few || left.n > 0)
        join_in_steps(q, job, &left, is_few, is_ad);
}

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
