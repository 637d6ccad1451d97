/* A scheduler with a data model of its own: the job with the fewest waiting tasks goes first, so
 * that small jobs need not wait for large ones. It sees of the default's nothing but the services
 * of policy.h and services.h.
 *
 * The model is a tree of jobs by how many of their tasks wait; a job without such tasks is not in
 * it. A job changes outside the tree. */
#include <stdlib.h>

#include "libs/sched/policy/policy.h"
#include "libs/sched/policy/services.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

struct small_job {
    uint32_t number;
    uint64_t start_at_s;
    struct range_set waiting;
    uint64_t n_waiting;
    RB_ENTRY(small_job) at;
    UT_hash_handle hh;
};
RB_HEAD(size_tree, small_job);
struct smallest_first {
    struct small_job *jobs;
    struct size_tree by_size;
    bool is_stuck; /* nothing fits until something happens */
    uint64_t now_s;
};

static int size_order(struct small_job *a, struct small_job *b)
{
    if (a->n_waiting != b->n_waiting)
        return a->n_waiting < b->n_waiting ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}
TREE_GENERATE(size_tree, small_job, at, size_order)

/* ---- layer 1: jobs and what waits of them ---- */
static void job_take_out(struct smallest_first *own, struct small_job *job)
{
    if (job->n_waiting > 0)
        RB_REMOVE(size_tree, &own->by_size, job);
}

static void job_put_back(struct smallest_first *own, struct small_job *job)
{
    job->n_waiting = range_set_count(&job->waiting);
    if (job->n_waiting > 0)
        RB_INSERT(size_tree, &own->by_size, job);
}

static struct small_job *job_find(const struct smallest_first *own, uint32_t number)
{
    struct small_job *job;
    HASH_FIND_U32(own->jobs, &number, job);
    return job;
}

static struct small_job *job_get(struct smallest_first *own, uint32_t number)
{
    struct small_job *job = job_find(own, number);
    if (job != NULL)
        return job;
    job = uti_calloc(1, sizeof *job);
    job->number = number;
    HASH_ADD_U32(own->jobs, number, job);
    return job;
}

static void job_end(struct smallest_first *own, struct small_job *job)
{
    job_take_out(own, job);
    HASH_DEL(own->jobs, job);
    range_set_free(&job->waiting);
    free(job);
}

static void apply_record(struct smallest_first *own, const struct EV_Type *event)
{
    const struct JB_Type *record = &event->EV_jobs.v[0];
    struct small_job *job = job_find(own, record->JB_job_number);
    if (job == NULL && event->EV_kind == EV_JOB_MOD)
        return;
    job = job_get(own, record->JB_job_number);
    job_take_out(own, job);
    if (cull_has(record, JB_execution_time))
        job->start_at_s = record->JB_execution_time;
    range_set_unite(&job->waiting, &event->EV_ids);
    job_put_back(own, job);
}

static void apply_tasks(struct smallest_first *own, const struct EV_Type *event)
{
    struct small_job *job = job_find(own, event->EV_job_number);
    if (job == NULL)
        return;
    job_take_out(own, job);
    if (event->EV_kind == EV_TASKS_READY)
        range_set_unite(&job->waiting, &event->EV_ids);
    else
        range_set_subtract(&job->waiting, &event->EV_ids);
    job_put_back(own, job);
}

static void apply_job_del(struct smallest_first *own, const struct EV_Type *event)
{
    struct small_job *job = job_find(own, event->EV_job_number);
    if (job != NULL)
        job_end(own, job);
}

static void smallest_apply(struct sched *s, void *ctx, const struct EV_Type *event)
{
    static void (*const kinds[EV_KINDS])(struct smallest_first * own,
                                         const struct EV_Type *event) = {
        [EV_JOB_ADD] = apply_record,      [EV_JOB_MOD] = apply_record,
        [EV_JOB_DEL] = apply_job_del,     [EV_TASKS_READY] = apply_tasks,
        [EV_TASKS_UNREADY] = apply_tasks, [EV_TASKS_STARTED] = apply_tasks,
    };
    struct smallest_first *own = ctx;
    (void)s;
    own->is_stuck = false;
    if (kinds[event->EV_kind] != NULL)
        kinds[event->EV_kind](own, event);
}

/* ---- layer 2: decisions ---- */
/* start what fits of JOB, which is out of the tree meanwhile; returns how many */
static uint32_t place_job(struct sched *s, struct smallest_first *own, struct small_job *job,
                          uint32_t most, struct OR_Type_list *orders)
{
    uint32_t ordered = 0, n = 1;
    struct range placed;
    job_take_out(own, job);
    while (ordered < most && n > 0) {
        n = sched_place(s, job->number, most - ordered, orders, &placed);
        if (n > 0)
            range_set_remove(&job->waiting, placed.first, placed.last);
        ordered += n;
    }
    job_put_back(own, job);
    return ordered;
}

static uint32_t smallest_run(struct sched *s, void *ctx, uint64_t now_s, uint32_t most,
                             struct OR_Type_list *orders)
{
    struct smallest_first *own = ctx;
    struct small_job *job, *next;
    uint32_t ordered = 0;
    own->now_s = now_s;
    sched_begin_run(s, now_s);
    for (job = RB_MIN(size_tree, &own->by_size); job != NULL && ordered < most; job = next) {
        next = RB_NEXT(size_tree, &own->by_size, job);
        ordered += place_job(s, own, job, most - ordered, orders);
    }
    own->is_stuck = ordered < most;
    return ordered;
}

/* ---- its own answers ---- */
static void smallest_refused(struct sched *s, void *ctx, const struct OR_Type *order)
{
    struct smallest_first *own = ctx;
    (void)s, (void)order;
    own->is_stuck = false;
}

static bool smallest_has_work(const struct sched *s, const void *ctx)
{
    const struct smallest_first *own = ctx;
    (void)s;
    return !own->is_stuck && !RB_EMPTY(&own->by_size);
}

static uint64_t smallest_next_due(const struct sched *s, const void *ctx)
{
    const struct smallest_first *own = ctx;
    uint64_t due_s = 0;
    (void)s;
    for (const struct small_job *job = own->jobs; job != NULL; job = job->hh.next)
        if (job->n_waiting > 0 && job->start_at_s > own->now_s &&
            (due_s == 0 || job->start_at_s < due_s))
            due_s = job->start_at_s;
    return due_s;
}

/* ---- life ---- */
static void take_over_job(void *ctx, uint32_t number, uint64_t start_at_s,
                          const struct range_set *ready)
{
    struct smallest_first *own = ctx;
    struct small_job *job = job_get(own, number);
    job->start_at_s = start_at_s;
    range_set_copy(&job->waiting, ready);
    job_put_back(own, job);
}

static void *smallest_new(struct sched *s)
{
    struct smallest_first *own = uti_calloc(1, sizeof *own);
    RB_INIT(&own->by_size);
    sched_each_job(s, take_over_job, own);
    return own;
}

static void smallest_free(void *ctx)
{
    struct smallest_first *own = ctx;
    while (own->jobs != NULL)
        job_end(own, own->jobs);
    free(own);
}

const struct sched_policy ext_mysched2 = {
    .name = "ext_mysched2",
    .new = smallest_new,
    .free = smallest_free,
    .apply = smallest_apply,
    .run = smallest_run,
    .refused = smallest_refused,
    .has_work = smallest_has_work,
    .next_due = smallest_next_due,
};
