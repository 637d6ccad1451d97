/* Jobs and their tasks: what may start, what was ordered and not yet confirmed, what runs where. Owns struct sched_job and struct stay.
 *
 * A task is in at most one of: ready, ordered in one stay, running in one stay. What is ordered is the undo log of the decisions: STARTED
 * turns it into running; READY, UNREADY, ENDED, a refusal and the end of the job undo it. STARTED and ENDED count each task once,
 * however often told. After each change job_settle puts the job where it belongs: a job that could start nothing now is in nobody's way. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/sgeobj/job_state.h"

static int waiting_order(struct sched_job *a, struct sched_job *b)
{
    a->category->sched->work.compared++;
    if (a->start_at_s != b->start_at_s)
        return a->start_at_s < b->start_at_s ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}
TREE_GENERATE(waiting_tree, sched_job, at, waiting_order)

static int age_order(struct sched_job *a, struct sched_job *b)
{
    a->category->sched->work.compared++;
    if (a->submitted_s != b->submitted_s)
        return a->submitted_s < b->submitted_s ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}
TREE_GENERATE(age_tree, sched_job, by_age, age_order)

struct sched_job *job_find(const struct sched *s, uint32_t number)
{
    struct sched_job *job;

    HASH_FIND_U32(s->jobs, &number, job);
    return job;
}

uint64_t job_room(const struct sched_job *job)
{
    if (job->concurrency == 0)
        return UINT64_MAX;
    return job->concurrency > job->n_taken ? job->concurrency - job->n_taken : 0;
}

/* ---- places ---- */
static void job_unplace(struct sched *s, struct sched_job *job)
{
    if (job->place == JOB_WAITING)
        RB_REMOVE(waiting_tree, &s->waiting, job);
    if (job->place == JOB_READY)
        category_remove_job(job->category, job);
    job->place = JOB_NOWHERE;
}

static void job_deactivate(struct sched *s, struct sched_job *job)
{
    if (job->is_active)
        RB_REMOVE(age_tree, &s->by_age, job);
    job->is_active = false;
}

static enum job_place place_of(const struct sched *s, const struct sched_job *job)
{
    if (range_set_is_empty(&job->ready) || job_room(job) == 0)
        return JOB_NOWHERE;
    return job->start_at_s > s->now_s ? JOB_WAITING : JOB_READY;
}

/* put JOB where it belongs after a change; PLACE already taken there stays, as what orders the trees changes in job_update alone */
static void job_settle(struct sched *s, struct sched_job *job)
{
    enum job_place place = place_of(s, job);
    bool is_active = job->n_taken > 0 || (!range_set_is_empty(&job->ready) && place != JOB_WAITING);

    if (place != job->place) {
        job_unplace(s, job);
        if (place == JOB_WAITING)
            RB_INSERT(waiting_tree, &s->waiting, job);
        if (place == JOB_READY)
            category_add_job(job->category, job);
        job->place = place;
    }
    if (is_active != job->is_active) {
        job_deactivate(s, job);
        if (is_active)
            RB_INSERT(age_tree, &s->by_age, job);
        job->is_active = is_active;
    }
}

void jobs_wake(struct sched *s)
{
    struct sched_job *job;

    while ((job = RB_MIN(waiting_tree, &s->waiting)) != NULL && job->start_at_s <= s->now_s)
        job_settle(s, job);
}

uint64_t jobs_next_due(const struct sched *s)
{
    struct waiting_tree tree = s->waiting;
    const struct sched_job *first = RB_MIN(waiting_tree, &tree);

    return first != NULL ? first->start_at_s : 0;
}

struct prior_span jobs_span(const struct sched *s)
{
    struct age_tree tree = s->by_age;
    const struct sched_job *oldest = RB_MIN(age_tree, &tree), *newest = RB_MAX(age_tree, &tree);

    if (oldest == NULL)
        return (struct prior_span){ 0, 0 };
    return (struct prior_span){ oldest->submitted_s, newest->submitted_s };
}

/* ---- stays ---- */
static struct stay *stay_find(const struct sched *s, struct sched_job *job, struct queue *q,
                              uint32_t slots)
{
    struct stay_key key = { job, q, slots };
    struct stay *stay;

    HASH_FIND(hh, s->stays, &key, sizeof key, stay);
    return stay;
}

static struct stay *stay_get(struct sched *s, struct sched_job *job, struct queue *q,
                             uint32_t slots)
{
    struct stay *stay = stay_find(s, job, q, slots);

    if (stay != NULL)
        return stay;
    stay = uti_calloc(1, sizeof *stay);
    stay->key = (struct stay_key){ job, q, slots };
    LIST_INSERT_HEAD(&job->stays, stay, of_job);
    HASH_ADD(hh, s->stays, key, sizeof stay->key, stay);
    return stay;
}

/* take IDS out of SET, one of STAY's, and of WHOLE, its job's of the kind, and give their slots back; stay_tidy must follow */
static void stay_leave(struct sched *s, struct stay *stay, struct range_set *set,
                       struct range_set *whole, const struct range_set *ids)
{
    struct range_set leaving = { 0 };

    range_set_copy(&leaving, ids);
    range_set_intersect(&leaving, set);
    uint64_t n = range_set_count(&leaving);
    range_set_subtract(set, &leaving);
    range_set_subtract(whole, &leaving);
    range_set_free(&leaving);
    stay->key.job->n_taken -= n;
    if (n > 0)
        queue_release(s, stay->key.queue, n * stay->key.slots);
}

static void stay_undo(struct sched *s, struct stay *stay, const struct range_set *ids)
{
    stay_leave(s, stay, &stay->ordered, &stay->key.job->ordered, ids);
}

static void stay_tidy(struct sched *s, struct stay *stay)
{
    if (!range_set_is_empty(&stay->ordered) || !range_set_is_empty(&stay->running))
        return;
    LIST_REMOVE(stay, of_job);
    HASH_DEL(s->stays, stay);
    range_set_free(&stay->ordered);
    range_set_free(&stay->running);
    free(stay);
}

static bool sets_meet(const struct range_set *a, const struct range_set *b)
{
    struct range_set both = { 0 };

    if (range_set_is_empty(a) || range_set_is_empty(b))
        return false;
    range_set_copy(&both, a);
    range_set_intersect(&both, b);
    bool do_meet = !range_set_is_empty(&both);
    range_set_free(&both);
    return do_meet;
}

/* O(stays of the job), but only if one of IDS is on order; that is rare, as what was ordered starts */
static void job_undo(struct sched *s, struct sched_job *job, const struct range_set *ids)
{
    struct stay *stay, *next;

    if (!sets_meet(ids, &job->ordered))
        return;
    LIST_FOREACH_SAFE(stay, &job->stays, of_job, next) {
        s->work.stays++;
        stay_undo(s, stay, ids);
        stay_tidy(s, stay);
    }
}

/* everything on order goes, and everything that runs if ALSO_RUNNING */
static void job_leave(struct sched *s, struct sched_job *job, bool also_running)
{
    struct stay *stay, *next;
    struct range_set ordered = { 0 }, running = { 0 };

    range_set_copy(&ordered, &job->ordered);
    if (also_running)
        range_set_copy(&running, &job->running);
    LIST_FOREACH_SAFE(stay, &job->stays, of_job, next) {
        stay_undo(s, stay, &ordered);
        stay_leave(s, stay, &stay->running, &job->running, &running);
        stay_tidy(s, stay);
    }
    range_set_free(&ordered);
    range_set_free(&running);
}

void job_book(struct sched *s, struct sched_job *job, struct queue *q, uint32_t first,
              uint32_t last)
{
    struct stay *stay = stay_get(s, job, q, 1);
    uint64_t n = (uint64_t)last - first + 1;

    range_set_add(&stay->ordered, first, last);
    range_set_add(&job->ordered, first, last);
    range_set_remove(&job->ready, first, last);
    job->n_taken += n;
    queue_occupy(q, n * stay->key.slots);
    job_settle(s, job);
}

void job_refused(struct sched *s, struct sched_job *job, const struct range_set *ids)
{
    job_undo(s, job, ids);
    job_settle(s, job);
}

/* ---- life of a job ---- */
static void job_free(struct sched *s, struct sched_job *job)
{
    job_unplace(s, job);
    job_deactivate(s, job);
    category_drop(s, job->category);
    HASH_DEL(s->jobs, job);
    range_set_free(&job->ready);
    range_set_free(&job->ordered);
    range_set_free(&job->running);
    free(job);
}

struct sched_job *job_new(struct sched *s, const struct JB_Type *record)
{
    struct sched_job *job = uti_calloc(1, sizeof *job);

    job->number = record->JB_job_number;
    job->priority = JOB_PRIORITY_BASE;
    LIST_INIT(&job->stays);
    HASH_ADD_U32(s->jobs, number, job);
    return job;
}

static void job_recategorise(struct sched *s, struct sched_job *job, const struct JB_Type *record)
{
    struct category *old = job->category;

    if (old != NULL && !category_depends_on(record))
        return;
    job->category = category_get(s, old, record);
    if (old != NULL)
        category_drop(s, old);
}

/* the job is in no tree while what orders the trees changes */
void job_update(struct sched *s, struct sched_job *job, const struct JB_Type *record,
                const struct range_set *ready)
{
    job_unplace(s, job);
    job_deactivate(s, job);
    job->is_deleted = false;
    job_recategorise(s, job, record);
    if (cull_has(record, JB_priority))
        job->priority = record->JB_priority;
    if (cull_has(record, JB_ja_task_concurrency))
        job->concurrency = record->JB_ja_task_concurrency;
    if (cull_has(record, JB_execution_time))
        job->start_at_s = record->JB_execution_time;
    if (cull_has(record, JB_submission_time))
        job->submitted_s = record->JB_submission_time;
    job_ready(s, job, ready);
}

/* Tasks that the qmaster still counts as running keep their slots until it says that they ended. */
void job_forget(struct sched *s, struct sched_job *job)
{
    job_leave(s, job, false);
    range_set_free(&job->ready);
    job->is_deleted = true;
    job_settle(s, job);
    if (range_set_is_empty(&job->running))
        job_free(s, job);
}

/* ---- tasks ---- */
void job_ready(struct sched *s, struct sched_job *job, const struct range_set *ids)
{
    struct range_set fresh = { 0 };

    job_undo(s, job, ids);
    range_set_copy(&fresh, ids);
    range_set_subtract(&fresh, &job->running);
    if (!job->is_deleted)
        range_set_unite(&job->ready, &fresh);
    range_set_free(&fresh);
    job_settle(s, job);
}

void job_unready(struct sched *s, struct sched_job *job, const struct range_set *ids)
{
    job_undo(s, job, ids);
    range_set_subtract(&job->ready, ids);
    job_settle(s, job);
}

/* Taking the slots anew and then undoing the order leaves the model right whatever the order had said, and nobody finds a
 * slot free in between. The order was most likely to the same queue; so that is looked at first. */
void job_started(struct sched *s, struct sched_job *job, const struct range_set *ids,
                 const char *queue, uint32_t slots)
{
    struct range_set fresh = { 0 };

    range_set_copy(&fresh, ids);
    range_set_subtract(&fresh, &job->running);
    uint64_t n = range_set_count(&fresh);
    if (n > 0) {
        struct stay *stay = stay_get(s, job, queue_get(s, queue), slots);
        queue_occupy(stay->key.queue, n * stay->key.slots);
        job->n_taken += n;
        range_set_unite(&stay->running, &fresh);
        range_set_unite(&job->running, &fresh);
        range_set_subtract(&job->ready, &fresh);
        stay_undo(s, stay, &fresh);
        job_undo(s, job, &fresh);
    }
    range_set_free(&fresh);
    job_settle(s, job);
}

/* An end reported from anywhere but where the task is known to run does not count: it belongs to an order that was refused. */
void job_ended(struct sched *s, struct sched_job *job, const struct range_set *ids, struct queue *q,
               uint32_t slots)
{
    struct stay *stay = stay_find(s, job, q, slots);

    if (stay == NULL)
        return;
    stay_leave(s, stay, &stay->running, &job->running, ids);
    stay_undo(s, stay, ids);
    stay_tidy(s, stay);
    job_settle(s, job);
    if (job->is_deleted && range_set_is_empty(&job->running))
        job_free(s, job);
}

void jobs_free(struct sched *s)
{
    struct sched_job *job, *next;

    HASH_ITER(hh, s->jobs, job, next) {
        job_leave(s, job, true);
        job_forget(s, job);
    }
}
