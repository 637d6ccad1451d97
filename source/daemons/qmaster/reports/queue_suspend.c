/* Tasks that follow their queue instances. A task is suspended while any instance in which it has
 * slots is, by its calendar or by a queue that it is subordinate to, and while tasks of such queues
 * have its slots (slotwise.c). What should be follows from the instances alone, so that any order
 * of steps, and a restart, end with the same; a task on a host without execd continues when that is
 * back, so that its state says what its processes do. */
#include "daemons/qmaster/reports/reports.h"

#include "daemons/qmaster/config/subordinates.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/qinstance.h"

enum { FOLLOWED = TASK_IS_CALENDAR_SUSPENDED | TASK_IS_SUBORDINATE_SUSPENDED };

/* what qmod does to an instance is no reason here: requests/jobs/act.c sets that one */
static uint32_t reasons_of_instance(const struct qinstance *qi)
{
    bool is_by_calendar = qi->calendar != NULL && (qi->calendar->state & QI_CAL_SUSPENDED) != 0;
    return (is_by_calendar ? (uint32_t)TASK_IS_CALENDAR_SUSPENDED : 0) |
           (qi->is_subordinated ? (uint32_t)TASK_IS_SUBORDINATE_SUSPENDED : 0);
}

static bool is_preempted(const struct task *t)
{
    bool is_there = t->is_preempted;
    for (uint32_t i = 0; i < t->n_slaves; i++)
        is_there |= t->slaves[i].is_preempted;
    return is_there;
}

static uint32_t reasons_of(struct qmaster *q, const struct task *t)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    uint32_t reasons = is_preempted(t) ? TASK_IS_SUBORDINATE_SUSPENDED : 0;
    for (uint32_t i = 0; i < granted->n; i++) {
        const struct qinstance *qi = queues_instance(&q->queues, granted->v[i].JG_qname);
        reasons |= qi != NULL ? reasons_of_instance(qi) : 0;
    }
    return reasons;
}

/* REASON comes to T, or goes from it, as far as that may be now */
static void settle_reason(struct qmaster *q, struct task *t, uint32_t reason, bool is_on)
{
    bool is_now = (t->rec.JAT_state & reason) != 0;
    bool may_change = is_on ? (t->rec.JAT_state & TASK_IS_DELETED) == 0 : t->host->conn != 0;
    if (is_now != is_on && may_change)
        task_suspend(q, t, reason, is_on);
}

static void settle_task(struct qmaster *q, struct task *t)
{
    static const uint32_t followed[] = { TASK_IS_CALENDAR_SUSPENDED,
                                         TASK_IS_SUBORDINATE_SUSPENDED };
    uint32_t reasons = reasons_of(q, t);
    for (size_t i = 0; i < ARRAY_LEN(followed); i++)
        settle_reason(q, t, followed[i], (reasons & followed[i]) != 0);
}

static void settle_instance(struct qmaster *q, struct qinstance *qi)
{
    struct task *t;
    struct slave_host *slave;
    queues_forget_turned(qi);
    TAILQ_FOREACH(t, &qi->host->tasks, in_host)
        if (task_has_slots_in(t, qi->rec.QU_full_name))
            settle_task(q, t);
    LIST_FOREACH(slave, &qi->host->slaves, in_host)
        if (task_has_slots_in(slave->task, qi->rec.QU_full_name))
            settle_task(q, slave->task);
}

/* event clients, and then tasks, follow the calendar; false: the slice is over */
static bool follow_calendar(struct qmaster *q, struct calendar_use *use)
{
    while (use->at != NULL) {
        struct qinstance *qi = use->at;
        if (slice_is_over(q))
            return false;
        use->at = LIST_NEXT(qi, in_calendar);
        if (qinstance_is_there(qi))
            events_queue_mod(q, qi);
        settle_instance(q, qi);
    }
    return true;
}

bool queue_suspend_is_due(const struct qmaster *q)
{
    return q->queues.has_calendar_turned || !LIST_EMPTY(&q->queues.turned) ||
           !TAILQ_EMPTY(&q->hosts.unbalanced) || !TAILQ_EMPTY(&q->hosts.crowded);
}

static bool follow_calendars(struct qmaster *q)
{
    if (!q->queues.has_calendar_turned)
        return true;
    for (struct calendar_use *use = q->queues.calendars; use != NULL; use = use->hh.next)
        if (!follow_calendar(q, use))
            return false;
    q->queues.has_calendar_turned = false;
    return true;
}

bool queue_suspend_step(struct qmaster *q)
{
    struct qinstance *qi;
    struct host *h;
    if (!follow_calendars(q))
        return true;
    subordinates_step(q);
    while ((qi = LIST_FIRST(&q->queues.turned)) != NULL) {
        if (slice_is_over(q))
            return true;
        settle_instance(q, qi);
    }
    while ((h = TAILQ_FIRST(&q->hosts.crowded)) != NULL) {
        if (slice_is_over(q))
            return true;
        host_forget_crowded(&q->hosts, h);
        slotwise_look(q, h, settle_task);
    }
    return false;
}

void queue_suspend_find(struct qmaster *q, struct host *h)
{
    struct task *t;
    bool has_any = q->queues.calendars != NULL;
    TAILQ_FOREACH(t, &h->tasks, in_host)
        if (has_any || (t->rec.JAT_state & FOLLOWED) != 0)
            settle_task(q, t);
}
