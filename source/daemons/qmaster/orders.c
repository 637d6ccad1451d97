/* Orders of the scheduler. Every order is answered by events as well (event.h): started, ready again, or undone. */
#include "daemons/qmaster/orders.h"

#include "daemons/qmaster/change.h"
#include "daemons/qmaster/events.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/tasks.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"

/* why no task of the order can start; NULL if it can */
static const char *order_refusal(const struct qmaster *q, const struct OR_Type *order,
                                 const struct job *job, const struct qinstance *qi)
{
    if (order->OR_kind != ORDER_START)
        return MSG_ORDER_KIND;
    if (job == NULL)
        return MSG_ORDER_NO_JOB;
    if (qi == NULL)
        return MSG_ORDER_NO_QUEUE;
    if (!qinstance_may_start(qi))
        return MSG_ORDER_QUEUE_CLOSED;
    if (job->rec.JB_execution_time > q->now_s)
        return MSG_ORDER_TOO_EARLY;
    if (!queue_match_any(&job->rec.JB_hard_queue_list, qi->rec.QU_full_name,
                         &qi->rec.QU_hostgroups))
        return MSG_ORDER_QUEUE_NOT_ASKED;
    return order->OR_slots == 0 ? MSG_ORDER_NO_SLOTS : NULL;
}

static const char *task_refusal(const struct qmaster *q, const struct OR_Type *order,
                                struct job *job, uint32_t ordinal, const struct qinstance *qi)
{
    uint32_t most = settings_concurrency(&q->settings, &job->rec);
    if (!job_is_startable(job, ordinal))
        return MSG_ORDER_NOT_STARTABLE;
    if (most != 0 && job->n_running >= most)
        return MSG_ORDER_CONCURRENCY;
    if (qi->rec.QU_slots_used + order->OR_slots > qi->rec.QU_job_slots)
        return MSG_ORDER_SLOTS_TAKEN;
    return NULL;
}

/* the scheduler has booked a task that does not start: say how it really is */
static void undo(struct qmaster *q, const struct OR_Type *order, struct job *job, uint32_t ordinal)
{
    struct task *t = job != NULL ? job_task(job, ordinal) : NULL;
    if (t != NULL && (t->rec.JAT_status == TASK_RUNNING || t->rec.JAT_status == TASK_TRANSFERRING))
        events_task_started(q, t);
    else if (job != NULL && job_is_startable(job, ordinal))
        events_task_ready(q, job, ordinal);
    else
        events_order_undone(q, order->OR_job_number, ordinal, order->OR_queue, order->OR_slots);
}

static void refuse(struct EP_Type *ack, const struct OR_Type *order, uint32_t ordinal,
                   const char *why)
{
    struct OR_Type *no = cull_append(ack, EP_orders);
    cull_set(no, OR_kind, order->OR_kind);
    cull_set(no, OR_job_number, order->OR_job_number);
    cull_set(no, OR_reason, why);
    if (order->OR_queue != NULL)
        cull_share(no, OR_queue, order->OR_queue);
    cull_set(no, OR_slots, order->OR_slots);
    range_set_add(cull_ranges(no, OR_ids), ordinal, ordinal);
}

static void carry_out(struct qmaster *q, const struct OR_Type *order, struct EP_Type *ack)
{
    struct job *job = jobs_find(&q->jobs, order->OR_job_number);
    struct qinstance *qi =
        order->OR_queue != NULL ? queues_instance(&q->queues, order->OR_queue) : NULL;
    const char *no_order = order_refusal(q, order, job, qi);
    struct range run;
    for (uint64_t at = 0; range_set_next_run(&order->OR_ids, at, &run); at = (uint64_t)run.last + 1)
        for (uint32_t i = run.first; i <= run.last; i++) {
            const char *no = no_order != NULL ? no_order : task_refusal(q, order, job, i, qi);
            if (no == NULL) {
                task_start(q, job, i, qi, order);
                continue;
            }
            undo(q, order, job, i);
            refuse(ack, order, i, no);
        }
}

void orders_handle(struct qmaster *q, struct session *s, struct frame *f)
{
    struct EP_Type package = { 0 }, ack = { 0 };
    struct answer ans = ANSWER_INIT;
    if (!events_is_scheduler(q, s->conn))
        return;
    if (session_unpack(q, s, f, &cull_EP_Type, &package, &ans) == 0) {
        for (uint32_t i = 0; i < package.EP_orders.n; i++)
            carry_out(q, &package.EP_orders.v[i], &ack);
        cull_set(&ack, EP_number, package.EP_number);
        struct packer p = { 0 };
        cull_pack(&p, &cull_EP_Type, &ack, NULL);
        change_send(q, 0, s->conn, GDI_FRAME_ORDERS_ACK, f->serial, p.data, p.len);
    }
    log_answer(&ans);
    ans_free(&ans);
    cull_clear(&cull_EP_Type, &ack);
    cull_clear(&cull_EP_Type, &package);
}
