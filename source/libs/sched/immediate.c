/* Jobs that start at once or not at all. The run after they have come decides: all their tasks are
 * on order then, or the job goes. Owns the list of those that are undecided. */
#include "libs/sched/sched_priv.h"

#include "libs/sgeobj/event.h"

void immediate_note(struct sched *s, struct sched_job *job)
{
    if (!job->is_immediate || job->is_undecided || job->is_deleted)
        return;
    LIST_INSERT_HEAD(&s->undecided, job, of_undecided);
    job->is_undecided = true;
}

void immediate_forget(struct sched_job *job)
{
    if (job->is_undecided)
        LIST_REMOVE(job, of_undecided);
    job->is_undecided = false;
}

/* Those that start as a whole are decided. The others are to go; those that have not had their turn
 * yet are put aside, in LATER. */
static void sort_out(struct sched *s, bool is_whole, struct undecided_list *later)
{
    struct sched_job *job, *next;
    LIST_FOREACH_SAFE(job, &s->undecided, of_undecided, next) {
        bool has_started = range_set_is_empty(&job->ready) && job->n_taken > 0;
        if (!has_started && (is_whole || job->n_taken > 0))
            continue;
        immediate_forget(job);
        if (!has_started)
            LIST_INSERT_HEAD(later, job, of_undecided);
    }
}

/* what was ordered for jobs that go is void; how many tasks that is */
static uint32_t take_back(struct sched *s, struct OR_Type_list *orders)
{
    uint64_t tasks = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < orders->n; i++) {
        struct OR_Type *order = &orders->v[i];
        struct sched_job *job = job_find(s, order->OR_job_number);
        if (job == NULL || !job->is_undecided) {
            orders->v[kept++] = *order;
            continue;
        }
        tasks += range_set_count(&order->OR_ids);
        job_refused(s, job, &order->OR_ids);
        cull_clear(&cull_OR_Type, order);
    }
    orders->n = kept;
    return (uint32_t)tasks;
}

/* nothing more of JOB is ordered until the qmaster has obeyed */
static void order_removal(struct sched *s, struct sched_job *job, struct OR_Type_list *orders)
{
    struct range_set left = { 0 };
    immediate_forget(job);
    range_set_copy(&left, &job->ready);
    job_unready(s, job, &left);
    range_set_free(&left);
    struct OR_Type *order = cull_push(orders);
    cull_set(order, OR_kind, ORDER_REMOVE);
    cull_set(order, OR_job_number, job->number);
}

uint32_t immediates_decide(struct sched *s, struct OR_Type_list *orders, bool is_whole)
{
    struct undecided_list later = LIST_HEAD_INITIALIZER(later);
    struct sched_job *job;
    sort_out(s, is_whole, &later);
    uint32_t taken_back = LIST_EMPTY(&s->undecided) ? 0 : take_back(s, orders);
    while ((job = LIST_FIRST(&s->undecided)) != NULL)
        order_removal(s, job, orders);
    while ((job = LIST_FIRST(&later)) != NULL) {
        LIST_REMOVE(job, of_undecided);
        immediate_note(s, job);
    }
    return taken_back;
}
