/* Jobs and their tasks: what may start, what was ordered and not yet confirmed, what runs. Owns
 * struct sched_job.
 *
 * A task is in at most one of: ready, ordered, running; where it is ordered or runs is kept by
 * stay.c. STARTED turns what is ordered into running; READY, UNREADY, ENDED, a refusal and the end
 * of the job undo it. STARTED and ENDED count each task once, however often they come. After each
 * change job_settle puts the job where it belongs: a job that could start nothing now is in no tree
 * that runs look at. */
#include "libs/sched/run/jobs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libs/sched/pending/category.h"
#include "libs/sched/pending/job_group.h"
#include "libs/sched/pending/parking.h"
#include "libs/sched/pending/urgency.h"
#include "libs/sched/run/stay.h"
#include "libs/sched/supply/owner.h"
#include "libs/sgeobj/job_state.h"

static int waiting_order(struct sched_job *a, struct sched_job *b)
{
    a->group->category->pending->cell->work.compared++;
    if (a->start_at_s != b->start_at_s)
        return a->start_at_s < b->start_at_s ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}
TREE_GENERATE(waiting_tree, sched_job, at, waiting_order)

struct sched_job *job_find(const struct sched_jobs *jobs, uint32_t number)
{
    return number_map_get(&jobs->by_number, number);
}

/* ---- shown to the watchdog ---- */
void jobs_look_at(struct sched_jobs *jobs, uint32_t job)
{
    if (jobs->shown_job != NULL)
        atomic_store_explicit(jobs->shown_job, job, memory_order_relaxed);
}

/* ---- places ---- */
static void job_unplace(struct sched_jobs *jobs, struct sched_job *job)
{
    if (job->place == JOB_WAITING)
        RB_REMOVE(waiting_tree, &jobs->waiting, job);
    if (job->place == JOB_READY)
        job_group_remove_job(job->group, job);
    job->place = JOB_NOWHERE;
}

static void job_deactivate(struct sched_job *job)
{
    if (job->is_active)
        urgency_remove_job(job->group->urgency, job);
    job->is_active = false;
}

static enum job_place place_of(const struct sched_jobs *jobs, const struct sched_job *job)
{
    if (range_set_is_empty(&job->ready) || task_concurrency_left(job) == 0)
        return JOB_NOWHERE;
    return job->start_at_s > jobs->cell->now_s ? JOB_WAITING : JOB_READY;
}

/* put JOB where it belongs after a change; PLACE already taken there stays, as what orders the
 * trees changes in job_update alone */
static void job_settle(struct sched_jobs *jobs, struct sched_job *job)
{
    enum job_place place = place_of(jobs, job);
    bool is_active = job->n_taken > 0 || (!range_set_is_empty(&job->ready) && place != JOB_WAITING);

    if (place != job->place) {
        job_unplace(jobs, job);
        if (place == JOB_WAITING)
            RB_INSERT(waiting_tree, &jobs->waiting, job);
        if (place == JOB_READY)
            job_group_add_job(job->group, job);
        job->place = place;
    }
    if (is_active != job->is_active) {
        job_deactivate(job);
        if (is_active)
            urgency_add_job(job->group->urgency, job);
        job->is_active = is_active;
    }
}

void jobs_wake(struct sched_jobs *jobs)
{
    struct sched_job *job;

    while ((job = RB_MIN(waiting_tree, &jobs->waiting)) != NULL &&
           job->start_at_s <= jobs->cell->now_s)
        job_settle(jobs, job);
}

uint64_t jobs_next_due(const struct sched_jobs *jobs)
{
    struct waiting_tree tree = jobs->waiting;
    const struct sched_job *first = RB_MIN(waiting_tree, &tree);

    return first != NULL ? first->start_at_s : 0;
}

/* their trees are those of the classes: each active job is in none meanwhile */
void jobs_set_urgencies(struct sched_jobs *jobs)
{
    struct sched_job *job = number_map_at_or_after(&jobs->by_number, 0);
    categories_set_urgencies(jobs->pending);
    for (; job != NULL; job = number_map_at_or_after(&jobs->by_number, (uint64_t)job->number + 1)) {
        if (job->is_active)
            urgency_remove_job(job->group->urgency, job);
    }
    job_groups_set_urgencies(jobs->pending);
    job = number_map_at_or_after(&jobs->by_number, 0);
    for (; job != NULL; job = number_map_at_or_after(&jobs->by_number, (uint64_t)job->number + 1)) {
        if (job->is_active)
            urgency_add_job(job->group->urgency, job);
    }
}

/* ---- ranks of their own ---- */
bool job_rank_to(struct sched_jobs *jobs, struct sched_job *job, int64_t rank)
{
    if (job_rank(jobs->pending, job) == rank)
        return true;
    bool is_waiting = job->place == JOB_WAITING;
    if (!is_waiting)
        job_unplace(jobs, job);
    bool is_set = job_set_rank(jobs->pending, job, rank);
    if (!is_waiting)
        job_settle(jobs, job);
    return is_set;
}

void jobs_unrank(struct sched_jobs *jobs)
{
    uint32_t number;
    while (job_rank_any(jobs->pending, &number))
        (void)job_rank_to(jobs, job_find(jobs, number), 0);
}

/* ---- how many at once ---- */
void job_cap(struct sched_jobs *jobs, struct sched_job *job, uint32_t most)
{
    job->is_capped = true;
    job->concurrency = most;
    job_settle(jobs, job);
}

void job_uncap(struct sched_jobs *jobs, struct sched_job *job, uint32_t tc)
{
    job->is_capped = false;
    job->concurrency = tc;
    job_settle(jobs, job);
}

/* ---- immediate ones ---- */
static void note_undecided(struct sched_jobs *jobs, struct sched_job *job)
{
    if (!job->is_immediate || job->is_undecided || job->is_deleted)
        return;
    LIST_INSERT_HEAD(&jobs->undecided, job, of_undecided);
    job->is_undecided = true;
}

void job_decided(struct sched_job *job)
{
    if (job->is_undecided)
        LIST_REMOVE(job, of_undecided);
    job->is_undecided = false;
}

/* ---- orders ---- */
void job_book(struct sched_jobs *jobs, struct sched_job *job, const struct grant *grant,
              struct range tasks)
{
    stays_order(jobs, job, grant, tasks);
    range_set_remove(&job->ready, tasks.first, tasks.last);
    job_settle(jobs, job);
}

void job_refused(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids)
{
    stays_undo(jobs, job, ids);
    job_settle(jobs, job);
    note_undecided(jobs, job);
}

/* ---- life of a job ---- */
static void job_free(struct sched_jobs *jobs, struct sched_job *job)
{
    job_unplace(jobs, job);
    job_deactivate(job);
    job_decided(job);
    (void)job_set_rank(jobs->pending, job, 0);
    job_group_drop(jobs->pending, job->group);
    number_map_remove(&jobs->by_number, job->number);
    range_set_free(&job->ready);
    range_set_free(&job->ordered);
    range_set_free(&job->running);
    slab_give(&jobs->slab, job);
}

struct sched_job *job_new(struct sched_jobs *jobs, const struct JB_Type *record)
{
    struct sched_job *job = slab_take(&jobs->slab);

    job->number = record->JB_job_number;
    job->priority = JOB_PRIORITY_BASE;
    LIST_INIT(&job->stays);
    number_map_add(&jobs->by_number, job->number, job);
    return job;
}

static const char *text_of(const char *text)
{
    return text != NULL ? text : "";
}

static struct job_claim claim_of(const struct sched_job *job, const struct JB_Type *record)
{
    const struct job_group *old = job->group;
    struct job_claim c = {
        .owner = "", .project = "", .department = "", .priority = job->priority
    };
    if (old != NULL)
        c = (struct job_claim){ old->owner,           old->project,  old->department,
                                old->deadline_s,      old->priority, old->job_share,
                                old->override_tickets };
    if (cull_has(record, JB_owner))
        c.owner = text_of(record->JB_owner);
    if (cull_has(record, JB_project))
        c.project = text_of(record->JB_project);
    if (cull_has(record, JB_department))
        c.department = text_of(record->JB_department);
    if (cull_has(record, JB_deadline))
        c.deadline_s = record->JB_deadline;
    if (cull_has(record, JB_priority))
        c.priority = record->JB_priority;
    if (cull_has(record, JB_jobshare))
        c.job_share = record->JB_jobshare;
    if (cull_has(record, JB_override_tickets))
        c.override_tickets = record->JB_override_tickets;
    return c;
}

/* What RECORD does not speak of stays. What runs is counted where the job is. */
static void job_find_group(struct sched_jobs *jobs, struct sched_job *job,
                           const struct JB_Type *record)
{
    struct job_group *old = job->group;
    const struct job_claim claim = claim_of(job, record);
    struct sched_owner *by = owner_get(jobs->cell, claim.owner);
    struct category *category =
        category_get(jobs->pending, old != NULL ? old->category : NULL, record, by);
    stays_move(jobs, job, job_group_get(jobs->pending, category, &claim));
    owner_drop(jobs->cell, by);
    if (old != NULL)
        job_group_drop(jobs->pending, old);
}

/* the job is in no tree while what orders the trees changes */
void job_update(struct sched_jobs *jobs, struct sched_job *job, const struct JB_Type *record,
                const struct range_set *ready)
{
    jobs_look_at(jobs, job->number);
    job_unplace(jobs, job);
    job_deactivate(job);
    job->is_deleted = false;
    if (job->group == NULL || job_group_depends_on(record))
        job_find_group(jobs, job, record);
    if (cull_has(record, JB_priority))
        job->priority = record->JB_priority;
    if (cull_has(record, JB_ja_first))
        job->ja_first = record->JB_ja_first;
    if (cull_has(record, JB_ja_step))
        job->ja_step = record->JB_ja_step;
    if (cull_has(record, JB_ja_task_concurrency))
        job->concurrency = record->JB_ja_task_concurrency;
    if (cull_has(record, JB_execution_time))
        job->start_at_s = record->JB_execution_time;
    if (cull_has(record, JB_submission_time))
        job->submitted_s = record->JB_submission_time;
    if (cull_has(record, JB_is_immediate))
        job->is_immediate = record->JB_is_immediate;
    job_ready(jobs, job, ready);
    note_undecided(jobs, job);
    jobs_look_at(jobs, 0);
}

/* Tasks that the qmaster still counts as running keep their slots until it says that they ended. */
void job_forget(struct sched_jobs *jobs, struct sched_job *job)
{
    stays_leave(jobs, job, false);
    range_set_free(&job->ready);
    job->is_deleted = true;
    job_decided(job);
    job_settle(jobs, job);
    if (range_set_is_empty(&job->running))
        job_free(jobs, job);
}

/* ---- tasks ---- */
/* JOB has other tasks to start: what was reserved for it may be wrong */
static void job_disturb(struct sched_jobs *jobs, const struct sched_job *job)
{
    if (job->place == JOB_READY && job->group->category->wants_reservation)
        cell_disturb(jobs->cell);
}

void job_ready(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids)
{
    struct range_set fresh = { 0 };

    job_disturb(jobs, job);
    stays_undo(jobs, job, ids);
    range_set_copy(&fresh, ids);
    range_set_subtract(&fresh, &job->running);
    if (!job->is_deleted)
        range_set_unite(&job->ready, &fresh);
    range_set_free(&fresh);
    job_settle(jobs, job);
}

void job_unready(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids)
{
    job_disturb(jobs, job);
    stays_undo(jobs, job, ids);
    range_set_subtract(&job->ready, ids);
    job_settle(jobs, job);
}

void job_started(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids,
                 const struct JG_Type_list *granted, uint64_t at_s)
{
    struct range_set fresh = { 0 };
    range_set_copy(&fresh, ids);
    range_set_subtract(&fresh, &job->running);
    if (!range_set_is_empty(&fresh)) {
        if (!range_set_is_empty(&job->ready))
            job_disturb(jobs, job);
        range_set_subtract(&job->ready, &fresh);
        stays_start(jobs, job, granted, &fresh, at_s);
    }
    range_set_free(&fresh);
    job_settle(jobs, job);
}

/* An end reported from anywhere but where the task is known to run is ignored: it belongs to an
 * order that was refused. */
void job_ended(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids,
               const struct JG_Type_list *granted)
{
    stays_end(jobs, job, granted, ids);
    job_settle(jobs, job);
    if (job->is_deleted && range_set_is_empty(&job->running))
        job_free(jobs, job);
}

void jobs_free(struct sched_jobs *jobs)
{
    struct sched_job *job;
    for (uint64_t at = 0; (job = number_map_at_or_after(&jobs->by_number, at)) != NULL;) {
        at = (uint64_t)job->number + 1;
        stays_leave(jobs, job, true);
        job_forget(jobs, job);
    }
}
