/* Suspending by load, step by step. Owns no data: which tasks stand still is in their records, and
 * so survives a restart; in which order they go on follows from when they started. The youngest is
 * suspended first and goes on last, so that what is nearly done ends. */
#include "daemons/qmaster/reports/reports.h"

#include "daemons/qmaster/jobs/tasks.h"
#include "libs/config/qinstance.h"
#include "libs/config/quantity.h"
#include "libs/uti/parse.h"

static bool is_suspended(const struct task *t)
{
    return (t->rec.JAT_state & TASK_IS_LOAD_SUSPENDED) != 0;
}

/* may T, which has slots, be suspended, or go on, as a task of QI? */
static bool is_candidate(const struct task *t, const struct qinstance *qi, bool is_to_go_on)
{
    return strcmp(task_queue(t), qi->rec.QU_full_name) == 0 && t->rec.JAT_status == TASK_RUNNING &&
           (t->rec.JAT_state & TASK_IS_DELETED) == 0 && is_suspended(t) == is_to_go_on;
}

static bool is_younger(const struct task *a, const struct task *b)
{
    if (a->rec.JAT_start_time != b->rec.JAT_start_time)
        return a->rec.JAT_start_time > b->rec.JAT_start_time;
    if (a->rec.JAT_job_number != b->rec.JAT_job_number)
        return a->rec.JAT_job_number > b->rec.JAT_job_number;
    return a->ordinal > b->ordinal;
}

/* the youngest to be suspended, the oldest to go on; NULL: none is left */
static struct task *next_task(const struct qinstance *qi, bool is_to_go_on)
{
    struct task *t, *best = NULL;
    TAILQ_FOREACH(t, &qi->host->tasks, in_host)
        if (is_candidate(t, qi, is_to_go_on) &&
            (best == NULL || is_younger(t, best) == !is_to_go_on))
            best = t;
    return best;
}

static uint32_t tasks_a_step(const struct qinstance *qi)
{
    uint32_t n = 1;
    const char *text = qinstance_setting(&qi->rec, "nsuspend");
    return text != NULL && parse_u32(text, &n) ? n : 1;
}

static uint64_t interval_s(const struct qinstance *qi)
{
    uint64_t seconds = 0;
    const char *text = qinstance_setting(&qi->rec, "suspend_interval");
    bool is_time = text != NULL && quantity_time_parse(text, &seconds);
    return is_time && seconds > 0 ? seconds : 1;
}

/* false: there was no task to suspend, or to continue */
static bool take_step(struct qmaster *q, struct qinstance *qi, bool is_to_go_on)
{
    struct task *t;
    uint32_t n = tasks_a_step(qi), done = 0;
    if (is_to_go_on && n == 0)
        n = 1; /* it was another number when they were suspended */
    while (done < n && (t = next_task(qi, is_to_go_on)) != NULL) {
        task_suspend(q, t, TASK_IS_LOAD_SUSPENDED, !is_to_go_on);
        done++;
    }
    return done > 0;
}

/* a step may be due although nothing is to be done: the next one then is as soon as there is */
static void step_instance(struct qmaster *q, struct qinstance *qi)
{
    bool is_to_go_on = (qi->load_state & QI_SUSPEND_ALARM) == 0;
    if (qi->host->conn == 0 || q->now_s < qi->suspend_due_s)
        return;
    if (take_step(q, qi, is_to_go_on))
        qi->suspend_due_s = q->now_s + interval_s(qi);
    else if (is_to_go_on)
        queues_note_calm(qi);
}

void load_suspend_step(struct qmaster *q)
{
    struct qinstance *qi, *next;
    LIST_FOREACH_SAFE(qi, &q->queues.uneasy, in_uneasy, next)
        step_instance(q, qi);
}

void load_suspend_find(struct qmaster *q, struct host *h)
{
    struct task *t;
    TAILQ_FOREACH(t, &h->tasks, in_host) {
        struct qinstance *qi = queues_instance(&q->queues, task_queue(t));
        if (is_suspended(t) && qi != NULL)
            queues_note_uneasy(&q->queues, qi);
    }
}
