/* Slaves of tasks with petasks: before the start and after the end of the task itself. Invariant:
 * a task is in `starting` as long as this qmaster, which ordered it, has not sent it because of
 * its slaves, and in `ending` as long as it has JAT_end. One that an earlier qmaster has ordered
 * may run already, and is not put back because its slaves are late. */
#include "daemons/qmaster/jobs/slaves.h"

#include <signal.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/jobs/petasks.h"

/* ---- the start ---- */

void slaves_start(struct qmaster *q, struct task *t)
{
    if (t->tight != NULL && t->n_slaves > 0) {
        tight_wait(t->tight, &q->jobs.tight.starting, q->now_us);
        t->tight->is_unsent = true;
    }
    exec_start_slaves(q, t);
    exec_start(q, t);
}

void slaves_restore(struct qmaster *q, struct task *t)
{
    if (t->tight != NULL && task_has_ended(t))
        tight_wait(t->tight, &q->jobs.tight.ending, q->now_us);
}

bool slave_is_ready(struct slave_host *slave)
{
    struct task *t = slave->task;
    if (slave->is_ready || slave->is_ended)
        return false;
    slave->is_ready = true;
    t->tight->n_unready--;
    if (t->tight->n_unready > 0 || task_has_ended(t) || t->rec.JAT_status != TASK_TRANSFERRING)
        return false;
    tight_wait(t->tight, NULL, 0);
    t->tight->is_unsent = false;
    return true;
}

void slave_announce(struct qmaster *q, struct slave_host *slave)
{
    if (slave->is_ready)
        slave->task->tight->n_unready++;
    slave->is_ready = false;
    exec_start_slave(q, slave);
}

/* ---- the end ---- */

static void close_slave(struct qmaster *q, struct slave_host *slave)
{
    if (slave->is_ended)
        return;
    petasks_lost(q, slave->task, slave->host, false);
    slave->is_ended = true;
    slave->task->tight->n_open--;
}

bool slave_ended(struct qmaster *q, struct slave_host *slave)
{
    close_slave(q, slave);
    return task_has_ended(slave->task) && slave->task->tight->n_open == 0;
}

/* one that was not ready before its task was sent has no petasks: it need not be waited for */
static bool is_gone(const struct task *t, const struct slave_host *slave)
{
    return slave->host->is_lost || (t->tight->is_unsent && !slave->is_ready);
}

static void end_slaves(struct qmaster *q, struct task *t)
{
    for (uint32_t i = 0; i < t->n_slaves; i++) {
        exec_signal_slave(q, &t->slaves[i], SIGKILL);
        if (is_gone(t, &t->slaves[i]))
            close_slave(q, &t->slaves[i]);
    }
}

bool slaves_keep_end(struct qmaster *q, struct task *t, const struct JR_Type *report)
{
    if (t->tight == NULL)
        return false;
    if (task_has_ended(t))
        return true;
    petasks_lost(q, t, t->host, false);
    if (t->tight->n_open > 0)
        end_slaves(q, t);
    if (t->tight->n_open == 0)
        return false;
    cull_copy(&cull_JR_Type, cull_append(&t->rec, JAT_end), report);
    tight_wait(t->tight, &q->jobs.tight.ending, q->now_us);
    change_task(q, t);
    return true;
}

void slaves_forget(struct qmaster *q, struct task *t)
{
    for (uint32_t i = 0; t->tight != NULL && i < t->n_slaves; i++)
        close_slave(q, &t->slaves[i]);
}
