/* Where tasks go, and the orders for them: the best queue instance of the job whose turn it is. It
 * is decided here alone, for every policy. Owns no data. Each step either places tasks or blocks a
 * need. */
#include "libs/sched/run/dispatch.h"

#include "libs/sched/pending/need.h"
#include "libs/sched/pending/parking.h"
#include "libs/sched/run/forecast.h"
#include "libs/sched/run/jobs.h"
#include "libs/sched/run/stay.h"
#include "libs/sched/supply/load.h"
#include "libs/sched/supply/queue_request.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/assert.h"

/* ---- orders ----
 *
 * Tasks of one job to one queue instance are one order with a set of ordinals, wherever in the run
 * they were decided; a queue instance keeps the last order to it, so that finding it costs nothing.
 * Each task of a parallel job is an order of its own. */
static void add_places(struct OR_Type *order, const struct grant *grant)
{
    cull_mark(order, OR_granted);
    cull_room(&order->OR_granted, grant->n);
    for (uint32_t i = 0; i < grant->n; i++) {
        struct JG_Type *entry = cull_push(&order->OR_granted);
        cull_set(entry, JG_qname, grant->v[i].queue->name);
        cull_set(entry, JG_slots, grant->v[i].slots);
    }
    if (grant->pe != NULL)
        cull_set(&order->OR_granted.v[0], JG_pe, grant->pe->name);
}

static struct OR_Type *order_new(struct sched_jobs *jobs, struct OR_Type_list *orders,
                                 const struct sched_job *job, const struct grant *grant)
{
    struct OR_Type *order = cull_push(orders);

    cull_set(order, OR_kind, ORDER_START);
    cull_set(order, OR_job_number, job->number);
    add_places(order, grant);
    grant->v[0].queue->order_run = (uint32_t)jobs->cell->work.runs;
    grant->v[0].queue->order_at = orders->n - 1;
    jobs->cell->work.orders++;
    jobs->cell->work.places += grant->n;
    return order;
}

static void order_last(struct OR_Type_list *orders, const struct sched_owner *owner)
{
    struct OR_Type *order = cull_push(orders);
    cull_set(order, OR_kind, ORDER_LAST);
    cull_set(order, OR_owner, owner->name);
}

static void order_add(struct sched_jobs *jobs, struct OR_Type_list *orders,
                      const struct sched_job *job, const struct grant *grant, struct range tasks)
{
    const struct sched_queue *q = grant->v[0].queue;
    struct OR_Type *order = NULL;

    if (grant->pe == NULL && q->order_run == (uint32_t)jobs->cell->work.runs &&
        q->order_at < orders->n)
        order = &orders->v[q->order_at];
    if (order == NULL || order->OR_job_number != job->number)
        order = order_new(jobs, orders, job, grant);
    range_set_add(cull_ranges(order, OR_ids), tasks.first, tasks.last);
}

/* ---- placing ---- */
/* TASKS tasks start, each with GRANT: their hosts have more to do */
static void note_load(struct sched_jobs *jobs, const struct grant *grant, uint64_t tasks)
{
    for (uint32_t i = 0; i < grant->n; i++)
        load_note_start(jobs->cell, grant->v[i].queue, tasks * grant->v[i].slots);
}

/* ---- in a round of reservations ---- */
/* how many of MOST tasks of JOB its owner may have for as long as they would run in Q */
static uint64_t owner_room_for(const struct sched_jobs *jobs, const struct sched_job *job,
                               const struct sched_queue *q, uint64_t most)
{
    const struct task_kind kind = { .time = jobs->finder->time };
    if (!jobs->cell->task_paths.in_round)
        return most;
    return smaller_u64(most,
                       supply_left(&job->group->of->supply, RESOURCE_TASKS, task_span(&kind, q)));
}

/* N tasks of JOB, which have been placed with GRANT, end as foreseen */
static void note_ends(struct sched_jobs *jobs, const struct sched_job *job,
                      const struct grant *grant, uint64_t n)
{
    if (jobs->cell->task_paths.in_round)
        forecast_note_order(jobs, job, grant, n);
}

/* the next task of a parallel job */
static uint32_t dispatch_parallel(struct sched_jobs *jobs, struct sched_job *job,
                                  struct OR_Type_list *orders)
{
    struct grant *grant = &jobs->grant;
    struct range task;
    if (!need_grant(job->group->category->need, grant))
        return 0;
    bool has_task = range_set_min(&job->ready, &task.first);
    ASSERT(has_task && job_task_room(job, grant->pe) > 0);
    task.last = task.first;
    order_add(jobs, orders, job, grant, task);
    job_book(jobs, job, grant, task);
    note_load(jobs, grant, 1);
    note_ends(jobs, job, grant, 1);
    return 1;
}

/* tasks of a job that takes one slot for each; IN: there, or NULL */
static uint32_t dispatch_serial(struct sched_jobs *jobs, struct sched_job *job,
                                const struct sched_queue *in, uint32_t most,
                                struct OR_Type_list *orders)
{
    struct need *need = job->group->category->need;
    uint64_t n;
    struct range run;
    struct queue_place *p = in == NULL ? need_place(need, &n) : need_place_in(need, in, &n);
    if (p == NULL)
        return 0;
    bool has_task = range_set_next_run(&job->ready, 0, &run);
    ASSERT(has_task);
    n = smaller_u64(n, smaller_u64(most, (uint64_t)run.last - run.first + 1));
    n = smaller_u64(n, queue_set_streak(need->key.set, p, demand_slots(need->key.demand)));
    n = smaller_u64(n, job_task_room(job, NULL));
    n = owner_room_for(jobs, job, p->queue, n);
    ASSERT(n > 0);
    run.last = (uint32_t)(run.first + n - 1);
    struct grant_place place = { p->queue, demand_slots(need->key.demand) };
    struct grant grant = { NULL, &place, 1, 1 };
    order_add(jobs, orders, job, &grant, run);
    job_book(jobs, job, &grant, run);
    note_load(jobs, &grant, n);
    note_ends(jobs, job, &grant, n);
    return (uint32_t)n;
}

static uint32_t dispatch_to(struct sched_jobs *jobs, struct sched_job *job,
                            const struct sched_queue *in, uint32_t most,
                            struct OR_Type_list *orders)
{
    struct sched_owner *owner = job->group->of;
    uint64_t looks = jobs->cell->work.looks, places = jobs->cell->work.places;
    jobs_look_at(jobs, job->number);
    cell_disturb(jobs->cell);
    queue_request_resolve(jobs->cell, job->group->category->request, owner);
    jobs->finder->time = (struct task_time){ jobs->cell->now_s, job->group->category->run_s,
                                             jobs->cell->task_paths.in_round };
    if (jobs->cell->task_paths.in_round && job->group->category->need->key.parallel != NULL)
        jobs->finder->time.run_s = forecast_run_of(jobs, job);
    uint32_t n = job->group->category->need->key.parallel != NULL
                     ? dispatch_parallel(jobs, job, orders)
                     : dispatch_serial(jobs, job, in, jobs->is_by_task ? 1 : most, orders);
    if (owner_charge(jobs->pending, owner, jobs->cell->work.looks - looks,
                     n + jobs->cell->work.places - places))
        order_last(orders, owner);
    jobs_look_at(jobs, 0);
    return n;
}

uint32_t dispatch_job(struct sched_jobs *jobs, struct sched_job *job, uint32_t most,
                      struct OR_Type_list *orders)
{
    return dispatch_to(jobs, job, NULL, most, orders);
}

uint32_t dispatch_job_in(struct sched_jobs *jobs, struct sched_job *job,
                         const struct sched_queue *q, uint32_t most, struct OR_Type_list *orders)
{
    return dispatch_to(jobs, job, q, most, orders);
}
