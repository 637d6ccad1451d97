/* Jobs that start at once or not at all. The run after they have come decides: all their tasks are
 * on order then, or the job goes. Owns the list of those that are undecided. */
#include "libs/sched/policy/immediate.h"

#include "libs/sched/policy/model.h"
#include "libs/sched/policy/services.h"
#include "libs/sgeobj/event.h"

struct run {
    uint32_t most; /* the tasks that it could order */
    bool is_whole; /* it ended because nothing more fits */
};

/* JOB has not started as a whole: has it not had its turn? */
static bool may_wait(const struct sched_job *job, const struct run *run)
{
    const struct need *need = job->group->category->need;
    return !run->is_whole && job->place == JOB_READY &&
           (!need->is_blocked || need_is_to_open(need)) && owner_room(job->group->of) > 0 &&
           range_set_count(&job->ready) + job->n_taken <= run->most;
}

static void sort_out(struct sched *s, const struct run *run)
{
    struct sched_job *job, *next;
    LIST_FOREACH_SAFE(job, &s->jobs.undecided, of_undecided, next) {
        if (range_set_is_empty(&job->ready) && job->n_taken > 0)
            job_decided(job);
        else
            job->is_put_off = may_wait(job, run);
    }
}

/* what was ordered of jobs that are undecided is void; how many tasks that is */
static uint32_t take_back(struct sched *s, struct OR_Type_list *orders)
{
    uint64_t tasks = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < orders->n; i++) {
        struct OR_Type *order = &orders->v[i];
        struct sched_job *job = job_find(&s->jobs, order->OR_job_number);
        if (job == NULL || !job->is_undecided) {
            orders->v[kept++] = *order;
            continue;
        }
        tasks += range_set_count(&order->OR_ids);
        order_refused(s, order);
        if (job->is_put_off)
            job_ready(&s->jobs, job, &order->OR_ids);
        cull_clear(&cull_OR_Type, order);
    }
    orders->n = kept;
    return (uint32_t)tasks;
}

/* nothing more of JOB is ordered until the qmaster has obeyed */
static void order_removal(struct sched *s, struct sched_job *job, struct OR_Type_list *orders)
{
    struct range_set left = { 0 };
    job_decided(job);
    range_set_copy(&left, &job->ready);
    job_unready(&s->jobs, job, &left);
    range_set_free(&left);
    struct OR_Type *order = cull_push(orders);
    cull_set(order, OR_kind, ORDER_REMOVE);
    cull_set(order, OR_job_number, job->number);
}

uint32_t immediates_decide(struct sched *s, struct OR_Type_list *orders, uint32_t ordered,
                           uint32_t most)
{
    const struct run run = { most, ordered < most && !s->jobs.is_cut };
    struct sched_job *job, *next;
    sort_out(s, &run);
    uint32_t taken_back = LIST_EMPTY(&s->jobs.undecided) ? 0 : take_back(s, orders);
    LIST_FOREACH_SAFE(job, &s->jobs.undecided, of_undecided, next)
        if (!job->is_put_off)
            order_removal(s, job, orders);
    return taken_back;
}
