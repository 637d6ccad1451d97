/* Orders: what a run hands out. Tasks of one job to one queue instance are one order with a set of
 * ordinals, wherever in the run they were decided; a queue remembers the last order to it, so that
 * finding it costs nothing. */
#include "libs/sched/sched_priv.h"

#include "libs/sgeobj/event.h"

static struct OR_Type *order_new(struct sched *s, struct OR_Type_list *orders,
                                 const struct sched_job *job, struct queue *q)
{
    struct prior_span span = jobs_span(s);
    struct OR_Type *order = cull_push(orders);

    cull_set(order, OR_kind, ORDER_START);
    cull_set(order, OR_job_number, job->number);
    struct JG_Type *entry = cull_append(order, OR_granted);
    cull_set(entry, JG_qname, q->name);
    cull_set(entry, JG_slots, demand_slots(job->leaf->category->need->key.demand));
    cull_set(order, OR_prio,
             prior_of_job(&s->conf.weights, &span, job->submitted_s, job->priority));
    q->order_run = (uint32_t)s->work.runs;
    q->order_at = orders->n - 1;
    s->work.orders++;
    return order;
}

void order_add(struct sched *s, struct OR_Type_list *orders, const struct sched_job *job,
               struct queue *q, struct range tasks)
{
    struct OR_Type *order = NULL;

    if (q->order_run == (uint32_t)s->work.runs && q->order_at < orders->n)
        order = &orders->v[q->order_at];
    if (order == NULL || order->OR_job_number != job->number)
        order = order_new(s, orders, job, q);
    range_set_add(cull_ranges(order, OR_ids), tasks.first, tasks.last);
}
