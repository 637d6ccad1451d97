/* What the scheduler's decision on an immediate job does to it. Owns no data. */
#include "daemons/qmaster/jobs/immediate.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/sched/events.h"

bool immediate_can_start(const struct qmaster *q, struct job *job)
{
    struct range_set startable = { 0 };
    job_startable(job, &job->unfinished, &startable);
    bool are_all = range_set_count(&startable) == range_set_count(&job->unfinished);
    range_set_free(&startable);
    return are_all && job->rec.JB_execution_time <= q->now_s;
}

static void make_ordinary(struct qmaster *q, struct job *job)
{
    struct range_set startable = { 0 };
    cull_set(&job->rec, JB_is_immediate, false);
    change_job(q, job);
    events_job_mod(q, job);
    job_startable(job, &job->unfinished, &startable);
    if (!range_set_is_empty(&startable))
        events_tasks_ready(q, job, &startable);
    range_set_free(&startable);
}

void immediate_started(struct qmaster *q, struct job *job)
{
    if (job->rec.JB_is_immediate && range_set_is_empty(&job->rec.JB_ja_pending_ids))
        make_ordinary(q, job);
}

bool immediate_remove(struct qmaster *q, struct job *job)
{
    struct range_set all = { 0 };
    if (job->rare->n_records > 0) {
        make_ordinary(q, job);
        return false;
    }
    range_set_copy(&all, &job->unfinished);
    bool is_there = tasks_delete_pending(q, job, &all);
    range_set_free(&all);
    return !is_there;
}
