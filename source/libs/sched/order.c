/* Orders: what a run hands out. Tasks of one job to one queue instance are one order with a set of
 * ordinals, wherever in the run they were decided; a queue remembers the last order to it, so that
 * finding it costs nothing. Each task of a parallel job is an order of its own. */
#include "libs/sched/sched_priv.h"

#include "libs/sgeobj/event.h"

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

static struct OR_Type *order_new(struct sched *s, struct OR_Type_list *orders,
                                 const struct sched_job *job, const struct grant *grant)
{
    struct prior_span span = jobs_span(s);
    struct OR_Type *order = cull_push(orders);

    cull_set(order, OR_kind, ORDER_START);
    cull_set(order, OR_job_number, job->number);
    add_places(order, grant);
    cull_set(order, OR_prio,
             prior_of_job(&s->conf.weights, &span, job->submitted_s, job->priority));
    grant->v[0].queue->order_run = (uint32_t)s->work.runs;
    grant->v[0].queue->order_at = orders->n - 1;
    s->work.orders++;
    s->work.places += grant->n;
    return order;
}

void order_last(struct OR_Type_list *orders, const struct sched_owner *owner)
{
    struct OR_Type *order = cull_push(orders);
    cull_set(order, OR_kind, ORDER_LAST);
    cull_set(order, OR_owner, owner->name);
}

void order_add(struct sched *s, struct OR_Type_list *orders, const struct sched_job *job,
               const struct grant *grant, struct range tasks)
{
    const struct sched_queue *q = grant->v[0].queue;
    struct OR_Type *order = NULL;

    if (grant->pe == NULL && q->order_run == (uint32_t)s->work.runs && q->order_at < orders->n)
        order = &orders->v[q->order_at];
    if (order == NULL || order->OR_job_number != job->number)
        order = order_new(s, orders, job, grant);
    range_set_add(cull_ranges(order, OR_ids), tasks.first, tasks.last);
}

void order_refused(struct sched *s, const struct OR_Type *order)
{
    struct sched_job *job = job_find(s, order->OR_job_number);
    if (job != NULL)
        job_refused(s, job, &order->OR_ids);
    if (s->policy->refused != NULL)
        s->policy->refused(s, s->own, order);
}
