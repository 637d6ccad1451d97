/* Decision-making of the default scheduler (layer 2): the most important job that could run gets
 * the best queue instance, again and again, until nothing fits. Owns no data. Whose turn it is, the
 * policy's ranks say (job_group.c); where a task goes is decided here alone, for every policy. Each
 * step either places tasks or blocks a need, so a run is O(needs + orders). */
#include "libs/sched/sched_priv.h"

#include "libs/uti/assert.h"

/* TASKS tasks start, each with GRANT: their hosts have more to do */
static void note_load(struct sched *s, const struct grant *grant, uint64_t tasks)
{
    for (uint32_t i = 0; i < grant->n; i++)
        load_note_start(s, grant->v[i].queue, tasks * grant->v[i].slots);
}

/* the next task of a parallel job */
static uint32_t dispatch_parallel(struct sched *s, struct sched_job *job,
                                  struct OR_Type_list *orders)
{
    struct grant *grant = &s->grant;
    struct range task;
    if (!need_grant(job->group->category->need, grant))
        return 0;
    bool has_task = range_set_min(&job->ready, &task.first);
    ASSERT(has_task && task_room(job, grant->pe) > 0);
    task.last = task.first;
    order_add(s, orders, job, grant, task);
    job_book(s, job, grant, task);
    note_load(s, grant, 1);
    return 1;
}

/* tasks of a job that takes one slot for each */
static uint32_t dispatch_serial(struct sched *s, struct sched_job *job, uint32_t most,
                                struct OR_Type_list *orders)
{
    struct need *need = job->group->category->need;
    uint64_t n;
    struct range run;
    struct queue_place *p = need_place(need, &n);
    if (p == NULL)
        return 0;
    bool has_task = range_set_next_run(&job->ready, 0, &run);
    ASSERT(has_task);
    n = smaller_u64(n, smaller_u64(most, (uint64_t)run.last - run.first + 1));
    n = smaller_u64(n, queue_set_streak(need->key.set, p, demand_slots(need->key.demand)));
    n = smaller_u64(n, task_room(job, NULL));
    ASSERT(n > 0);
    run.last = (uint32_t)(run.first + n - 1);
    struct grant_place place = { p->queue, demand_slots(need->key.demand) };
    struct grant grant = { NULL, &place, 1, 1 };
    order_add(s, orders, job, &grant, run);
    job_book(s, job, &grant, run);
    note_load(s, &grant, n);
    return (uint32_t)n;
}

uint32_t dispatch_job(struct sched *s, struct sched_job *job, uint32_t most,
                      struct OR_Type_list *orders)
{
    struct sched_owner *owner = job->group->of;
    uint64_t looks = s->work.looks, places = s->work.places;
    sched_look_at(s, job->number);
    queue_request_resolve(s, job->group->category->request, owner);
    uint32_t n = job->group->category->need->key.parallel != NULL
                     ? dispatch_parallel(s, job, orders)
                     : dispatch_serial(s, job, most, orders);
    if (owner_charge(s, owner, s->work.looks - looks, n + s->work.places - places))
        order_last(orders, owner);
    sched_look_at(s, 0);
    return n;
}

void sched_begin_run(struct sched *s, uint64_t now_s)
{
    s->now_s = now_s;
    s->work.runs++;
    jobs_wake(s);
    load_decay(s);
    owners_recover(s);
    (void)quotas_wake(s, s->slice_looks);
}

uint32_t sched_default_run(struct sched *s, uint64_t now_s, uint32_t most,
                           struct OR_Type_list *orders)
{
    uint32_t ordered = 0;
    struct job_group *group;
    sched_begin_run(s, now_s);
    uint64_t places = s->work.places, looks = s->work.looks;
    bool is_swept = loose_sets_sweep(s, s->slice_looks);
    while (ordered < most && s->work.places - places < most && !s->is_cut &&
           (group = job_group_first_open(s)) != NULL) {
        ordered += dispatch_job(s, job_group_first_job(group), most - ordered, orders);
        s->is_cut = s->slice_looks > 0 && s->work.looks - looks >= s->slice_looks;
    }
    s->is_cut |= !is_swept;
    return ordered;
}

uint32_t sched_place(struct sched *s, uint32_t job_number, uint32_t most,
                     struct OR_Type_list *orders, struct range *placed)
{
    struct sched_job *job = job_find(s, job_number);
    if (job == NULL || job->place != JOB_READY || !range_set_min(&job->ready, &placed->first) ||
        owner_room(job->group->of) == 0)
        return 0;
    uint32_t n = dispatch_job(s, job, most, orders);
    placed->last = placed->first + (n > 0 ? n - 1 : 0);
    return n;
}
