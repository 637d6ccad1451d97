/* What keeps pending tasks from starting by decision: holds of users, operators and the system, and
 * deletes that have begun. The holds of -hold_jid_ad are in array_holds.c. Invariant: the scheduler
 * is notified of exactly those tasks that may start now and could not before, or the other way
 * round. Source: qhold(1), qrls(1), qdel(1) */
#include "daemons/qmaster/jobs/holds.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/sgeobj/job_state.h"

static const unsigned hold_kinds[] = { MINUS_H_TGT_USER, MINUS_H_TGT_OPERATOR, MINUS_H_TGT_SYSTEM };

static struct range_set *hold_set(struct job *job, unsigned kind)
{
    switch (kind) {
    case MINUS_H_TGT_USER:
        return cull_ranges(&job->rec, JB_ja_u_h_ids);
    case MINUS_H_TGT_OPERATOR:
        return cull_ranges(&job->rec, JB_ja_o_h_ids);
    case MINUS_H_TGT_SYSTEM:
        return cull_ranges(&job->rec, JB_ja_s_h_ids);
    default:
        return NULL; /* the array hold is the system's alone */
    }
}

/* those of ORDINALS that a hold of KIND comes to, or goes from */
static void add_touched(struct job *job, unsigned kind, bool is_on,
                        const struct range_set *ordinals, struct range_set *touched)
{
    struct range_set diff = { 0 };
    if (is_on) {
        range_set_copy(&diff, ordinals);
        range_set_subtract(&diff, hold_set(job, kind));
    } else {
        range_set_intersection(&diff, ordinals, hold_set(job, kind));
    }
    range_set_unite(touched, &diff);
    range_set_free(&diff);
}

/* What may start changes with the touched tasks alone: they may before a hold comes, or after it
 * has gone. */
static void set_holds(struct qmaster *q, struct job *job, unsigned kinds, bool is_on,
                      const struct range_set *touched)
{
    struct range_set startable = { 0 };
    if (is_on)
        job_startable(job, touched, &startable);
    for (size_t i = 0; i < ARRAY_LEN(hold_kinds); i++) {
        if ((kinds & hold_kinds[i]) == 0)
            continue;
        if (is_on)
            range_set_unite(hold_set(job, hold_kinds[i]), touched);
        else
            range_set_subtract(hold_set(job, hold_kinds[i]), touched);
    }
    if (!is_on)
        job_startable(job, touched, &startable);
    if (!range_set_is_empty(&startable) && is_on)
        events_tasks_unready(q, job, &startable);
    else if (!range_set_is_empty(&startable))
        events_tasks_ready(q, job, &startable);
    range_set_free(&startable);
    change_job(q, job);
}

uint64_t job_set_hold(struct qmaster *q, struct job *job, unsigned kinds, bool is_on,
                      const struct range_set *ordinals, struct range_set *changed)
{
    struct range_set mine = { 0 }, touched = { 0 };
    if (kinds == 0)
        return 0;
    range_set_intersection(&mine, ordinals, &job->unfinished);
    for (size_t i = 0; i < ARRAY_LEN(hold_kinds); i++)
        if (kinds & hold_kinds[i])
            add_touched(job, hold_kinds[i], is_on, &mine, &touched);
    uint64_t n = range_set_count(&touched);
    if (n > 0)
        set_holds(q, job, kinds, is_on, &touched);
    if (changed != NULL)
        range_set_unite(changed, &touched);
    range_set_free(&touched);
    range_set_free(&mine);
    return n;
}

/* ---- deletes that have begun ---- */

void tasks_withdraw(struct qmaster *q, struct job *job, const struct range_set *ordinals)
{
    events_tasks_unstartable(q, job, ordinals);
    range_set_unite(&job_rare(job)->withdrawn, ordinals);
}

void tasks_give_back(struct qmaster *q, struct job *job, const struct range_set *ordinals)
{
    struct range_set back = { 0 };
    range_set_intersection(&back, ordinals, &job->rare->withdrawn);
    if (!range_set_is_empty(&back)) {
        range_set_subtract(&job_rare(job)->withdrawn, &back);
        events_tasks_startable(q, job, &back);
    }
    range_set_free(&back);
}
