/* Keeps both directions of the job net. Invariant: A is in B's predecessor list exactly when B is
 * in A's successor list, but for jobs that come into long lists or leave them in
 * steps. Lists that a request changed are spooled with the job; what regular
 * ends change is not (seed 000): depend_restore computes it. */
#include "daemons/qmaster/jobs/depend.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/array_holds.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/qmaster.h"
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

/* ---- lists of predecessors and successors ---- */
/* Entries come into lists of jobs and leave them; what waits for a job is as current as the batch
 * that is being collected. */
void successor_add(struct qmaster *q, const struct JRE_Type *predecessor,
                   const struct JRE_Type *job, bool is_ad)
{
    struct job *pred = links_job(q, predecessor);
    if (pred == NULL)
        return;
    cull_mark(&pred->rec, is_ad ? JB_ja_ad_sucessor_list : JB_jid_sucessor_list);
    if (is_ad)
        links_add(&pred->rec.JB_ja_ad_sucessor_list, &job_rare(pred)->gone.ad_successors, job);
    else
        links_add(&pred->rec.JB_jid_sucessor_list, &job_rare(pred)->gone.jid_successors, job);
    pred->changed = change_number(q);
}

void successor_remove(struct qmaster *q, const struct JRE_Type *predecessor,
                      const struct JRE_Type *job, bool is_ad)
{
    struct job *pred = links_job(q, predecessor);
    if (pred == NULL)
        return;
    if (is_ad)
        links_remove(&pred->rec.JB_ja_ad_sucessor_list, &job_rare(pred)->gone.ad_successors, job);
    else
        links_remove(&pred->rec.JB_jid_sucessor_list, &job_rare(pred)->gone.jid_successors, job);
    pred->changed = change_number(q);
}

void predecessor_forget(struct qmaster *q, struct job *job, const struct JRE_Type *predecessor,
                        bool is_ad)
{
    struct JB_Type *rec = &job->rec;
    job->changed = change_number(q);
    if (is_ad)
        links_remove(&rec->JB_ja_ad_predecessor_list, &job_rare(job)->gone.ad_predecessors,
                     predecessor);
    else if (links_remove(&rec->JB_jid_predecessor_list, &job_rare(job)->gone.jid_predecessors,
                          predecessor) &&
             rec->JB_jid_predecessor_list.n == 0)
        events_tasks_startable(q, job, &job->unfinished);
}

/* Jobs and tasks that end: what waited for them is released, and a job that has gone leaves the
 * lists of others. Few links are done at once, many in steps, which are the turns of the job's
 * owner. Meanwhile those that were not reached yet still wait, and an entry for the job means
 * nobody. Nothing of it is on disk: a restart finds the same holds. */
/* ---- tasks that ended ---- */
/* One walk over the array successors of a job tells each what has ended. What ends during a walk is
 * told in the next one. */
struct end_walk {
    struct piece piece;
    struct qmaster *q;
    struct JRE_Type job;   /* whose tasks */
    uint32_t after;        /* successors up to this number have heard of NOW */
    struct range_set now;  /* what is being told */
    struct range_set next; /* what has ended since this walk began */
};

/* one slice of the walk; true: all have heard of it */
static bool tell_some(struct qmaster *q, struct job *job, const struct range_set *ended,
                      uint32_t *after)
{
    const struct JRE_Type_list *l = &job->rec.JB_ja_ad_sucessor_list;
    struct ja_shape a = ja_shape_of(&job->rec);
    uint32_t at = links_after(l, *after);
    for (uint32_t work = 0; at < l->n; at++) {
        if (work++ == STEP_WORK || (work > 1 && slice_is_over(q)))
            return false;
        struct job *succ = links_job(q, &l->v[at]);
        *after = l->v[at].JRE_job_number;
        if (succ != NULL)
            array_holds_lift(q, succ, &a, ended);
    }
    return true;
}

static bool tell_more(struct qmaster *q, struct piece *piece)
{
    struct end_walk *t = (struct end_walk *)piece;
    struct job *job = links_job(q, &t->job);
    if (job == NULL)
        return true; /* the rest is released as it leaves the lists of its successors */
    if (!tell_some(q, job, &t->now, &t->after))
        return false;
    range_set_move(&t->now, &t->next);
    t->after = 0;
    return range_set_is_empty(&t->now);
}

static void end_walk_free(struct piece *piece)
{
    struct end_walk *t = (struct end_walk *)piece;
    struct job *job = links_job(t->q, &t->job);
    if (job != NULL)
        job_rare(job)->end_walk = NULL;
    range_set_free(&t->now);
    range_set_free(&t->next);
    free(t);
}

static const struct piece_kind end_walk_kind = { "releasing tasks that waited for others",
                                                 tell_more, end_walk_free };

void depend_ended(struct qmaster *q, struct job *job, const struct range_set *ended)
{
    uint32_t after = 0;
    if (job->rare->end_walk != NULL) {
        range_set_unite(&job->rare->end_walk->next, ended);
        return;
    }
    if (job->rec.JB_ja_ad_sucessor_list.n == 0 || tell_some(q, job, ended, &after))
        return;
    struct end_walk *t = uti_calloc(1, sizeof *t);
    t->piece.kind = &end_walk_kind;
    t->q = q;
    t->job = links_entry(job);
    t->after = after;
    range_set_copy(&t->now, ended);
    job_rare(job)->end_walk = t;
    work_put_piece(q->work, job->rec.JB_uid, &t->piece);
}

/* ---- jobs that have gone ---- */
struct gone_job {
    struct piece piece;
    struct JRE_Type job; /* who it was */
    struct ja_shape shape;
    struct range_set ended; /* tasks that not all of its successors have heard of */
    struct JRE_Type_list ad_successors, jid_successors, ad_predecessors, jid_predecessors;
    uint32_t done; /* entries of all lists, in this order */
};

static uint32_t links_of(const struct gone_job *l)
{
    return l->ad_successors.n + l->jid_successors.n + l->ad_predecessors.n + l->jid_predecessors.n;
}

static void leave_successor(struct qmaster *q, const struct gone_job *l,
                            const struct JRE_Type *entry, bool is_ad)
{
    struct job *succ = links_job(q, entry);
    if (succ == NULL)
        return;
    predecessor_forget(q, succ, &l->job, is_ad);
    if (is_ad && !range_set_is_empty(&l->ended))
        array_holds_lift(q, succ, &l->shape, &l->ended);
}

/* link AT of a job that has gone, counted through all its lists */
static void leave_one(struct qmaster *q, const struct gone_job *l, uint32_t at)
{
    const struct JRE_Type_list *lists[] = { &l->ad_successors, &l->jid_successors,
                                            &l->ad_predecessors, &l->jid_predecessors };
    unsigned i = 0;
    while (at >= lists[i]->n)
        at -= lists[i++]->n;
    const struct JRE_Type *entry = &lists[i]->v[at];
    bool is_ad = i % 2 == 0;
    if (i < 2)
        leave_successor(q, l, entry, is_ad);
    else
        successor_remove(q, entry, &l->job, is_ad);
}

static bool leave_some(struct qmaster *q, struct piece *piece)
{
    struct gone_job *l = (struct gone_job *)piece;
    uint32_t n = links_of(l), until = n - l->done > STEP_WORK ? l->done + STEP_WORK : n;
    while (l->done < until) {
        leave_one(q, l, l->done++);
        if (slice_is_over(q))
            break;
    }
    return l->done == n;
}

static void gone_job_clear(struct gone_job *l)
{
    range_set_free(&l->ended);
    links_clear(&l->ad_successors);
    links_clear(&l->jid_successors);
    links_clear(&l->ad_predecessors);
    links_clear(&l->jid_predecessors);
}

static void gone_job_free(struct piece *piece)
{
    gone_job_clear((struct gone_job *)piece);
    free(piece);
}

static const struct piece_kind gone_job_kind = { "releasing jobs that waited for another",
                                                 leave_some, gone_job_free };

static void move_list(struct JRE_Type_list *to, struct JRE_Type_list *from)
{
    *to = *from;
    *from = (struct JRE_Type_list){ 0 };
}

/* what JOB takes along of its links: its lists are empty afterwards */
static struct gone_job take_links(struct job *job)
{
    struct JB_Type *rec = &job->rec;
    struct gone_job l = { .job = links_entry(job), .shape = ja_shape_of(rec) };
    move_list(&l.ad_successors, &rec->JB_ja_ad_sucessor_list);
    move_list(&l.jid_successors, &rec->JB_jid_sucessor_list);
    move_list(&l.ad_predecessors, &rec->JB_ja_ad_predecessor_list);
    move_list(&l.jid_predecessors, &rec->JB_jid_predecessor_list);
    if (job->rare->end_walk != NULL) {
        range_set_copy(&l.ended, &job->rare->end_walk->now);
        range_set_unite(&l.ended, &job->rare->end_walk->next);
    }
    return l;
}

void depend_job_gone(struct qmaster *q, struct job *job)
{
    links_tidy(job);
    struct gone_job l = take_links(job);
    uint32_t n = links_of(&l);
    if (n > LINKS_FEW) {
        struct gone_job *later = uti_alloc(sizeof *later);
        *later = l;
        later->piece.kind = &gone_job_kind;
        work_put_piece(q->work, job->rec.JB_uid, &later->piece);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        leave_one(q, &l, i);
    gone_job_clear(&l);
}
