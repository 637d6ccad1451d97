/* The default scheduler (layer 2): the most important job that could run gets the best queue
 * instance, again and again, until nothing fits; and the services that other schedulers are made
 * of. Owns no data. Whose turn it is, the policy's ranks say (pending/job_group.c); where a task
 * goes, the dispatcher does (run/dispatch.c). Each step either places tasks or blocks a need, so a
 * run is O(needs + orders). */
#include "libs/sched/policy/services.h"

#include "libs/sched/policy/model.h"
#include "libs/sched/policy/order.h"
#include "libs/sgeobj/event.h"

void sched_begin_run(struct sched *s, uint64_t now_s)
{
    s->cell.now_s = now_s;
    s->cell.work.runs++;
    jobs_wake(&s->jobs);
    load_decay(&s->cell);
    owners_recover(&s->pending);
    (void)needs_wake(&s->pending, s->jobs.slice_looks);
}

uint32_t sched_default_run(struct sched *s, uint64_t now_s, uint32_t most,
                           struct OR_Type_list *orders)
{
    uint32_t ordered = 0;
    struct job_group *group;
    sched_begin_run(s, now_s);
    if (s->policy->rank == NULL)
        order_settle(s);
    if (s->order.is_due) {
        s->jobs.is_cut = true;
        return 0;
    }
    uint64_t places = s->cell.work.places, looks = s->cell.work.looks;
    bool is_swept = needs_sweep(&s->pending, s->jobs.slice_looks);
    if (reserve_is_on(&s->jobs, s->conf.reservations_most)) {
        ordered = reserve_run(&s->jobs, most, s->conf.reservations_most, orders);
        s->jobs.is_cut |= !is_swept;
        return ordered;
    }
    s->jobs.reserve.due_s = 0;
    while (ordered < most && s->cell.work.places - places < most && !s->jobs.is_cut &&
           (group = job_group_first_open(&s->pending)) != NULL) {
        ordered += dispatch_job(&s->jobs, job_group_first_job(group), most - ordered, orders);
        s->jobs.is_cut =
            s->jobs.slice_looks > 0 && s->cell.work.looks - looks >= s->jobs.slice_looks;
    }
    s->jobs.is_cut |= !is_swept;
    return ordered;
}

uint32_t sched_place(struct sched *s, uint32_t job_number, uint32_t most,
                     struct OR_Type_list *orders, struct range *placed)
{
    struct sched_job *job = job_find(&s->jobs, job_number);
    if (job == NULL || job->place != JOB_READY || !range_set_min(&job->ready, &placed->first) ||
        owner_room(job->group->of) == 0)
        return 0;
    uint32_t n = dispatch_job(&s->jobs, job, most, orders);
    placed->last = placed->first + (n > 0 ? n - 1 : 0);
    return n;
}

bool sched_earliest_start(struct sched *s, uint32_t job_number, uint64_t most, uint64_t *at_s)
{
    struct sched_job *job = job_find(&s->jobs, job_number);
    *at_s = TIME_FOREVER;
    if (job == NULL || job->is_deleted)
        return true;
    jobs_look_at(&s->jobs, job_number);
    bool is_known = forecast_job(&s->jobs, job, most, at_s);
    jobs_look_at(&s->jobs, 0);
    return is_known;
}

void sched_each_job(const struct sched *s, sched_job_fn fn, void *ctx)
{
    const struct sched_job *job = number_map_at_or_after(&s->jobs.by_number, 0);
    for (; job != NULL; job = number_map_at_or_after(&s->jobs.by_number, (uint64_t)job->number + 1))
        if (!job->is_deleted)
            fn(ctx, job->number, job->start_at_s, &job->ready);
}

bool sched_rank_job(struct sched *s, uint32_t job_number, int64_t rank)
{
    struct sched_job *job = job_find(&s->jobs, job_number);
    return job != NULL && job_rank_to(&s->jobs, job, rank);
}

/* ---- facts ---- */
const struct TX_Type *sched_object(const struct sched *s, uint32_t kind, const char *name)
{
    return facts_object(&s->facts, kind, name);
}

uint32_t sched_suspension(const struct sched *s, uint32_t job_number, uint32_t ordinal)
{
    return facts_suspension(&s->facts, job_number, ordinal);
}

double sched_usage(const struct sched *s, const char *user, const char *project, const char *name)
{
    return facts_usage(&s->facts, user, project, name, s->cell.now_s);
}

void sched_each_usage(const struct sched *s, sched_usage_fn fn, void *ctx)
{
    facts_each_usage(&s->facts, fn, ctx);
}

/* ---- priorities ---- */
int sched_grant(struct sched *s, const struct PG_Type *grant, struct answer *ans)
{
    return prior_grant(&s->prior, grant, ans);
}

void orders_set_prior(struct sched *s, struct OR_Type_list *orders)
{
    for (uint32_t i = 0; i < orders->n; i++) {
        struct OR_Type *order = &orders->v[i];
        const struct sched_job *job = job_find(&s->jobs, order->OR_job_number);
        if (order->OR_kind != ORDER_START || job == NULL)
            continue;
        const struct prior_job of = prior_job_of(job->group, job);
        cull_set(order, OR_prio, prior_of(&s->prior, &s->prior.terms, &of));
    }
}

void order_refused(struct sched *s, const struct OR_Type *order)
{
    struct sched_job *job = job_find(&s->jobs, order->OR_job_number);
    if (job != NULL)
        job_refused(&s->jobs, job, &order->OR_ids);
    if (s->policy->refused != NULL)
        s->policy->refused(s, s->own, order);
}
