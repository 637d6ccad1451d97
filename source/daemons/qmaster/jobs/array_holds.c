/* The holds of -hold_jid_ad. Invariant: a job's JB_ja_a_h_ids are exactly its unended tasks, those
 * that run already among them, that wait for an unfinished task of one of its array predecessors.
 * They are worked out, never counted (doc/developing/4-why.md, 4.5), and not spooled. Of a job with
 * many predecessors, or with some whose tasks are millions of ranges, they are worked out in steps,
 * and are more than that until the last: a held task never starts. What ends meanwhile lifts the
 * holds that were for it alone, or causes another pass over all predecessors. */
#include "daemons/qmaster/jobs/array_holds.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/uti/alloc.h"

enum { COST_AT_ONCE = 1 << 16 }; /* of a step, see ja_dep_held_cost: it takes a millisecond */

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

/* Is there so much to work out for JOB that it goes in steps? */
static bool is_much(struct qmaster *q, const struct job *job)
{
    const struct JRE_Type_list *l = &job->rec.JB_ja_ad_predecessor_list;
    struct ja_shape b = ja_shape_of(&job->rec);
    uint64_t cost = 0;
    for (uint32_t i = 0; i < l->n && l->n <= LINKS_FEW; i++) {
        const struct job *pred = links_job(q, &l->v[i]);
        struct ja_shape a = pred != NULL ? ja_shape_of(&pred->rec) : b;
        cost += pred != NULL ? ja_dep_held_cost(&a, &b, &pred->unfinished) : 0;
    }
    return l->n > LINKS_FEW || cost > COST_AT_ONCE;
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
static void lift_holds(struct qmaster *q, struct job *job, const struct range_set *freed)
{
    if (range_set_is_empty(freed))
        return;
    range_set_subtract(&job->rec.JB_ja_a_h_ids, freed);
    job->changed = change_number(q);
    events_tasks_startable(q, job, freed);
}

/* ---- in steps ---- */
struct hold_renewal {
    struct piece piece;
    struct qmaster *q;
    struct JRE_Type job; /* whose holds */
    /* Of its predecessors, in a long list those with numbers up to AFTER, in a short one, of N that
     * do not ascend, those before AT have been looked at in this pass; then the tasks of UNDER_WAY
     * before FROM. */
    uint32_t after, n, at;
    struct JRE_Type under_way;
    uint64_t from;
    bool is_stale;         /* something has ended in this pass: another follows */
    struct range_set held; /* what this pass has found so far */
};

static void begin_pass(struct hold_renewal *r)
{
    range_set_free(&r->held);
    r->after = r->n = r->at = 0;
    r->from = 0;
    r->is_stale = false;
}

/* where in L the pass goes on; a short list that has lost an entry begins a new one */
static uint32_t place_in(struct hold_renewal *r, const struct JRE_Type_list *l)
{
    if (l->n > LINKS_FEW)
        return links_after(l, r->after);
    if (r->n != l->n) {
        begin_pass(r);
        r->n = l->n;
    }
    return r->at;
}

static bool is_under_way(const struct hold_renewal *r, const struct JRE_Type *entry)
{
    return r->under_way.JRE_job_number == entry->JRE_job_number &&
           r->under_way.JRE_round == entry->JRE_round;
}

/* a piece of what the tasks of predecessor ENTRY hold; true when they have all been looked at */
static bool look_at_some(struct qmaster *q, struct hold_renewal *r, const struct JRE_Type *entry,
                         const struct ja_shape *b)
{
    struct job *pred = links_job(q, entry);
    if (!is_under_way(r, entry))
        r->from = 0;
    r->under_way = *entry;
    if (pred != NULL) {
        struct ja_shape a = ja_shape_of(&pred->rec);
        if (!ja_dep_held_next(&a, b, &pred->unfinished, &r->from, &r->held))
            return false;
    }
    r->after = entry->JRE_job_number;
    r->from = 0;
    r->at++;
    return true;
}

/* What was found is all that may still have to wait, or more: no task is unfinished that was not
 * when it was looked at. */
static void end_pass(struct qmaster *q, struct job *job, struct hold_renewal *r)
{
    struct range_set freed = { 0 };
    range_set_copy(&freed, &job->rec.JB_ja_a_h_ids);
    range_set_subtract(&freed, &r->held);
    lift_holds(q, job, &freed);
    range_set_free(&freed);
}

static bool renew_some(struct qmaster *q, struct piece *piece)
{
    struct hold_renewal *r = (struct hold_renewal *)piece;
    struct job *job = links_job(q, &r->job);
    if (job == NULL)
        return true;
    const struct JRE_Type_list *l = &job->rec.JB_ja_ad_predecessor_list;
    struct ja_shape b = ja_shape_of(&job->rec);
    uint32_t at = place_in(r, l);
    for (uint32_t work = 0; at < l->n; work++) {
        if (work == STEP_WORK || (work > 0 && slice_is_over(q)))
            return false;
        at += look_at_some(q, r, &l->v[at], &b);
    }
    bool is_stale = r->is_stale;
    end_pass(q, job, r);
    begin_pass(r);
    return !is_stale;
}

static void renewal_free(struct piece *piece)
{
    struct hold_renewal *r = (struct hold_renewal *)piece;
    struct job *job = links_job(r->q, &r->job);
    if (job != NULL)
        job_rare(job)->renewal = NULL;
    range_set_free(&r->held);
    free(r);
}

static const struct piece_kind renewal_kind = { "working out the holds of an array", renew_some,
                                                renewal_free };

void array_holds_renew(struct qmaster *q, struct job *job)
{
    if (job->rare->renewal != NULL) {
        job->rare->renewal->is_stale = true;
        return;
    }
    struct hold_renewal *r = uti_calloc(1, sizeof *r);
    r->piece.kind = &renewal_kind;
    r->q = q;
    r->job = links_entry(job);
    job_rare(job)->renewal = r;
    work_put_piece(q->work, job->rec.JB_uid, &r->piece);
}

void array_holds_begin(struct qmaster *q, struct job *job)
{
    if (job->rare->renewal != NULL)
        begin_pass(job->rare->renewal); /* it has looked at predecessors of another list */
    if (!is_much(q, job)) {
        array_holds_compute(q, job);
        return;
    }
    range_set_copy(cull_ranges(&job->rec, JB_ja_a_h_ids), &job->unfinished);
    array_holds_renew(q, job);
}

/* ---- ends ---- */
/* those of CANDIDATES, held tasks, that wait for nothing any more start */
static void lift_some(struct qmaster *q, struct job *job, const struct ja_shape *b,
                      struct range_set *candidates)
{
    bool is_few = job->rec.JB_ja_ad_predecessor_list.n <= LINKS_FEW &&
                  range_set_count(candidates) <= LINKS_FEW;
    if (!is_few && is_much(q, job)) {
        array_holds_renew(q, job);
        return;
    }
    if (is_few)
        keep_free_few(q, job, b, candidates);
    else
        keep_free_many(q, job, candidates);
    lift_holds(q, job, candidates);
}

void array_holds_lift(struct qmaster *q, struct job *job, const struct ja_shape *a,
                      const struct range_set *ended)
{
    struct ja_shape b = ja_shape_of(&job->rec);
    struct range_set candidates = { 0 };
    if (range_set_is_empty(&job->rec.JB_ja_a_h_ids))
        return;
    if (ja_dep_held_cost(a, &b, ended) > COST_AT_ONCE) {
        array_holds_renew(q, job);
        return;
    }
    ja_dep_held(a, &b, ended, &candidates);
    range_set_intersect(&candidates, &job->rec.JB_ja_a_h_ids);
    if (!range_set_is_empty(&candidates))
        lift_some(q, job, &b, &candidates);
    range_set_free(&candidates);
}
