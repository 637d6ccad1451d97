/* The holds of -hold_jid_ad. Invariant: a job's JB_ja_a_h_ids are exactly its unended tasks, those that run already among them, that wait for
 * an unfinished task of one of its array predecessors. They are worked out, never counted (doc/developing/4-why.md, 4.5), and not spooled. */
#include "daemons/qmaster/array_holds.h"

#include "daemons/qmaster/change.h"
#include "daemons/qmaster/events.h"
#include "daemons/qmaster/links.h"

void array_holds_compute(struct qmaster *q, struct job *job)
{
    struct range_set held = { 0 };
    struct ja_shape b = ja_shape_of(&job->rec);
    for (uint32_t i = 0; i < job->rec.JB_ja_ad_predecessor_list.n; i++) {
        struct job *pred = links_job(q, &job->rec.JB_ja_ad_predecessor_list.v[i]);
        if (pred == NULL)
            continue;
        struct ja_shape a = ja_shape_of(&pred->rec);
        ja_dep_held(&a, &b, &pred->unfinished, &held);
    }
    range_set_intersect(&held, &job->unfinished);
    range_set_free(&job->rec.JB_ja_a_h_ids);
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

static void keep_free_many(struct qmaster *q, struct job *job, const struct ja_shape *b,
                           struct range_set *candidates)
{
    struct range_set held = { 0 };
    for (uint32_t p = 0; p < job->rec.JB_ja_ad_predecessor_list.n; p++) {
        struct job *pred = links_job(q, &job->rec.JB_ja_ad_predecessor_list.v[p]);
        if (pred == NULL)
            continue;
        struct ja_shape a = ja_shape_of(&pred->rec);
        ja_dep_held(&a, b, &pred->unfinished, &held);
    }
    range_set_subtract(candidates, &held);
    range_set_free(&held);
}

void array_holds_lift(struct qmaster *q, struct job *job, const struct ja_shape *a,
                      const struct range_set *ended)
{
    struct ja_shape b = ja_shape_of(&job->rec);
    struct range_set candidates = { 0 };
    ja_dep_held(a, &b, ended, &candidates);
    range_set_intersect(&candidates, &job->rec.JB_ja_a_h_ids);
    if (range_set_count(&candidates) <= LINKS_FEW)
        keep_free_few(q, job, &b, &candidates);
    else
        keep_free_many(q, job, &b, &candidates);
    if (!range_set_is_empty(&candidates)) {
        range_set_subtract(&job->rec.JB_ja_a_h_ids, &candidates);
        job->changed = change_number(q);
        events_tasks_startable(q, job, &candidates);
    }
    range_set_free(&candidates);
}
