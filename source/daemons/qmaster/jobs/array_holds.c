/* The holds of -hold_jid_ad. Invariant: a job's JB_ja_a_h_ids are exactly its unended tasks, those that run already among them, that wait for
 * an unfinished task of one of its array predecessors. They are worked out, never counted (doc/developing/4-why.md, 4.5), and not spooled.
 * Of a job with many predecessors they are worked out in steps, and are more than that until the last: a held task never starts, and
 * whatever ends meanwhile causes another pass over all predecessors. */
#include "daemons/qmaster/jobs/array_holds.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/uti/alloc.h"

/* the tasks of an array of shape B that wait for something of PREDECESSOR */
static void add_held(struct qmaster *q, const struct JRE_Type *predecessor,
                     const struct ja_shape *b, struct range_set *held)
{
    struct job *pred = links_job(q, predecessor);
    if (pred == NULL)
        return;
    struct ja_shape a = ja_shape_of(&pred->rec);
    ja_dep_held(&a, b, &pred->unfinished, held);
}

static void add_all_held(struct qmaster *q, const struct job *job, struct range_set *held)
{
    struct ja_shape b = ja_shape_of(&job->rec);
    for (uint32_t i = 0; i < job->rec.JB_ja_ad_predecessor_list.n; i++)
        add_held(q, &job->rec.JB_ja_ad_predecessor_list.v[i], &b, held);
}

void array_holds_compute(struct qmaster *q, struct job *job)
{
    struct range_set held = { 0 };
    add_all_held(q, job, &held);
    range_set_intersect(&held, &job->unfinished);
    range_set_move(cull_ranges(&job->rec, JB_ja_a_h_ids), &held);
}

static bool waits_for(struct job *pred, const struct ja_shape *b, uint32_t ordinal)
{
    struct ja_shape a = ja_shape_of(&pred->rec);
    struct ja_window w = ja_dep_forward(&a, b, ordinal);
    return range_set_any_in(&pred->unfinished, w.first, w.last);
}

static void keep_free_few(struct qmaster *q, struct job *job, const struct ja_shape *b,
                          struct range_set *candidates)
{
    struct range_set freed = { 0 };
    struct range run;
    for (uint64_t at = 0; range_set_next_run(candidates, at, &run); at = (uint64_t)run.last + 1)
        for (uint32_t i = run.first; i <= run.last; i++) {
            bool is_waiting = false;
            for (uint32_t p = 0; p < job->rec.JB_ja_ad_predecessor_list.n && !is_waiting; p++) {
                struct job *pred = links_job(q, &job->rec.JB_ja_ad_predecessor_list.v[p]);
                is_waiting = pred != NULL && waits_for(pred, b, i);
            }
            if (!is_waiting)
                range_set_add(&freed, i, i);
        }
    range_set_free(candidates);
    range_set_move(candidates, &freed);
}

static void keep_free_many(struct qmaster *q, struct job *job, struct range_set *candidates)
{
    struct range_set held = { 0 };
    add_all_held(q, job, &held);
    range_set_subtract(candidates, &held);
    range_set_free(&held);
}

/* FREED, some of the held tasks, wait for nothing any more */
static void lift(struct qmaster *q, struct job *job, const struct range_set *freed)
{
    if (range_set_is_empty(freed))
        return;
    range_set_subtract(&job->rec.JB_ja_a_h_ids, freed);
    job->changed = change_number(q);
    events_tasks_startable(q, job, freed);
}

/* ---- in steps ---- */
struct renewal {
    struct piece piece;
    struct qmaster *q;
    struct JRE_Type job;   /* whose holds */
    uint32_t after;        /* predecessors up to this number have been looked at in this pass */
    bool is_stale;         /* something has ended in this pass: another follows */
    struct range_set held; /* what this pass has found so far */
};

static void begin_pass(struct renewal *r)
{
    range_set_free(&r->held);
    r->after = 0;
    r->is_stale = false;
}

/* What was found is all that may still have to wait, or more: no task is unfinished that was not when it was looked at. */
static void end_pass(struct qmaster *q, struct job *job, struct renewal *r)
{
    struct range_set freed = { 0 };
    range_set_copy(&freed, &job->rec.JB_ja_a_h_ids);
    range_set_subtract(&freed, &r->held);
    lift(q, job, &freed);
    range_set_free(&freed);
}

static bool renew_some(struct qmaster *q, struct piece *piece)
{
    struct renewal *r = (struct renewal *)piece;
    struct job *job = links_job(q, &r->job);
    if (job == NULL)
        return true;
    const struct JRE_Type_list *l = &job->rec.JB_ja_ad_predecessor_list;
    struct ja_shape b = ja_shape_of(&job->rec);
    uint32_t at = l->n > LINKS_FEW ? links_after(l, r->after) : 0;
    for (uint32_t work = 0; at < l->n; at++) {
        if (work++ == STEP_WORK || (work > 1 && l->n > LINKS_FEW && slice_is_over(q)))
            return false;
        add_held(q, &l->v[at], &b, &r->held);
        r->after = l->v[at].JRE_job_number;
    }
    bool is_stale = r->is_stale;
    end_pass(q, job, r);
    begin_pass(r);
    return !is_stale;
}

static void renewal_free(struct piece *piece)
{
    struct renewal *r = (struct renewal *)piece;
    struct job *job = links_job(r->q, &r->job);
    if (job != NULL)
        job->renewal = NULL;
    range_set_free(&r->held);
    free(r);
}

static const struct piece_kind renewal_kind = { "working out the holds of an array", renew_some,
                                                renewal_free };

void array_holds_renew(struct qmaster *q, struct job *job)
{
    if (job->renewal != NULL) {
        job->renewal->is_stale = true;
        return;
    }
    struct renewal *r = uti_calloc(1, sizeof *r);
    r->piece.kind = &renewal_kind;
    r->q = q;
    r->job = links_entry(job);
    job->renewal = r;
    work_put_piece(q->work, job->rec.JB_uid, &r->piece);
}

void array_holds_begin(struct qmaster *q, struct job *job)
{
    if (job->renewal != NULL)
        begin_pass(job->renewal); /* it has looked at predecessors of another list */
    if (job->rec.JB_ja_ad_predecessor_list.n <= LINKS_FEW) {
        array_holds_compute(q, job);
        return;
    }
    range_set_copy(cull_ranges(&job->rec, JB_ja_a_h_ids), &job->unfinished);
    array_holds_renew(q, job);
}

/* ---- ends ---- */
void array_holds_lift(struct qmaster *q, struct job *job, const struct ja_shape *a,
                      const struct range_set *ended)
{
    struct ja_shape b = ja_shape_of(&job->rec);
    struct range_set candidates = { 0 };
    ja_dep_held(a, &b, ended, &candidates);
    range_set_intersect(&candidates, &job->rec.JB_ja_a_h_ids);
    bool is_any = !range_set_is_empty(&candidates);
    if (is_any && job->rec.JB_ja_ad_predecessor_list.n > LINKS_FEW) {
        array_holds_renew(q, job);
    } else if (is_any) {
        if (range_set_count(&candidates) <= LINKS_FEW)
            keep_free_few(q, job, &b, &candidates);
        else
            keep_free_many(q, job, &candidates);
        lift(q, job, &candidates);
    }
    range_set_free(&candidates);
}
