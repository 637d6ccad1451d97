/* What hosts report of slaves (jobs/slaves.h), and what follows when they do not: a task is sent,
 * is put back, ends, or has ended. Invariant: nothing here waits for a host for ever. */
#include <string.h>

#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/jobs/petasks.h"
#include "daemons/qmaster/jobs/slaves.h"
#include "daemons/qmaster/jobs/task_actions.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/reports/msg_reports.h"
#include "daemons/qmaster/reports/reports.h"
#include "libs/sgeobj/binding.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/task_state.h"
#include "libs/uti/log.h"

enum { US_OF_S = 1000000, CHECKED_MOST = 1000 };

/* is the task on its way to its end, so that its slaves end, too? */
static bool is_ending(const struct task *t)
{
    enum task_state state = task_state_of(&t->rec);
    return task_has_ended(t) || state == TASK_STATE_DELETING || state == TASK_STATE_RESCHEDULING;
}

/* the cores that it is bound to there go to the host of the task, which writes pe_hostfile. Not
 * spooled: a host that registers reports them again before the task is sent */
static void note_binding(struct slave_host *slave, const char *letters)
{
    struct JG_Type_list *granted = &slave->task->rec.JAT_granted_destin_identifier_list;
    if (!binding_letters_are_valid(letters))
        return;
    for (uint32_t i = 0; i < granted->n; i++)
        if (granted->v[i].JG_qhostname != NULL &&
            strcmp(granted->v[i].JG_qhostname, slave->host->rec.EH_name) == 0)
            cull_set(&granted->v[i], JG_binding, letters);
}

static void on_ready(struct qmaster *q, struct slave_host *slave, const struct JR_Type *report)
{
    struct task *t = slave->task;
    if (report->JR_binding != NULL && !slave->is_ready)
        note_binding(slave, report->JR_binding);
    if (!slave_is_ready(slave))
        return;
    exec_start(q, t);
    task_repeat_signal(q, t);
}

static void on_ended(struct qmaster *q, struct slave_host *slave)
{
    if (slave_ended(q, slave))
        task_finish(q, slave->task);
}

/* it has ended although its task goes on: that ends, or, before its start, is put back */
static void on_failed(struct qmaster *q, struct slave_host *slave, const struct JR_Type *report)
{
    struct task *t = slave->task;
    const char *why = report->JR_err_str != NULL ? report->JR_err_str : "";
    log_msg_of(0, LOG_LEVEL_ERROR, MSG_SLAVE_FAILED_UUSUS, t->rec.JAT_job_number,
               t->rec.JAT_task_number, slave->host->rec.EH_name, report->JR_failed, why);
    (void)slave_ended(q, slave);
    if (t->rec.JAT_status == TASK_TRANSFERRING)
        task_give_away(q, t);
    else
        task_kill(q, t);
}

/* its host does not have it, and so none of its petasks */
static void on_missed(struct qmaster *q, struct slave_host *slave)
{
    petasks_lost(q, slave->task, slave->host, false);
    if (slave->is_ended)
        return;
    if (is_ending(slave->task)) {
        on_ended(q, slave);
        return;
    }
    slave_announce(q, slave);
    exec_signal_slave(q, slave, task_signal_wanted(slave->task));
}

void slave_report(struct qmaster *q, struct slave_host *slave, const struct JR_Type *report)
{
    const struct task *t = slave->task;
    bool is_asked = is_ending(t) || task_state_of(&t->rec) == TASK_STATE_MIGRATING;
    if (report->JR_state == REPORT_ENDED && !slave->is_ended && !is_asked)
        on_failed(q, slave, report);
    else if (report->JR_state == REPORT_ENDED)
        on_ended(q, slave);
    else if (report->JR_state == REPORT_STARTED || report->JR_state == REPORT_RUNNING)
        on_ready(q, slave, report);
    else if (report->JR_state == REPORT_UNKNOWN)
        on_missed(q, slave);
}

static void reconcile_slave(struct qmaster *q, struct slave_host *slave)
{
    bool is_reported = slave->is_reported;
    slave->is_reported = false;
    if (!is_reported) {
        on_missed(q, slave);
        return;
    }
    petasks_lost(q, slave->task, slave->host, true);
    exec_signal_slave(q, slave, task_signal_wanted(slave->task));
}

void slaves_reconcile(struct qmaster *q, struct host *h)
{
    struct slave_host *slave, *next;
    for (slave = LIST_FIRST(&h->slaves); slave != NULL; slave = next) {
        next = LIST_NEXT(slave, in_host); /* of another task */
        if (slave->task->tight != NULL)
            reconcile_slave(q, slave);
    }
}

void slaves_host_lost(struct qmaster *q, struct host *h)
{
    struct slave_host *slave, *next;
    h->is_lost = true;
    for (slave = LIST_FIRST(&h->slaves); slave != NULL; slave = next) {
        next = LIST_NEXT(slave, in_host);
        if (task_has_ended(slave->task))
            on_ended(q, slave);
    }
}

/* ---- time ---- */

/* the first of LIST if it has waited for SECONDS; NULL: none has */
static struct task *first_overdue(const struct qmaster *q, const struct tight_list *list,
                                  uint64_t seconds)
{
    struct tight *x = TAILQ_FIRST(list);
    bool is_due = x != NULL && (q->now_us - x->since_us) / US_OF_S >= seconds;
    return is_due ? x->task : NULL;
}

/* of T, which waits for one of its slaves at least */
static void log_late(const struct task *t, unsigned seconds)
{
    const char *host = "";
    for (uint32_t i = 0; i < t->n_slaves; i++)
        if (!t->slaves[i].is_ended && (task_has_ended(t) || !t->slaves[i].is_ready))
            host = t->slaves[i].host->rec.EH_name;
    log_msg(LOG_LEVEL_WARNING, MSG_SLAVE_LATE_UUSSU, t->rec.JAT_job_number, t->rec.JAT_task_number,
            host, task_has_ended(t) ? "ended" : "ready", seconds);
}

void slaves_check(struct qmaster *q)
{
    struct tight_tasks *tight = &q->jobs.tight;
    struct task *t;
    for (int n = 0; n < CHECKED_MOST; n++) {
        if ((t = first_overdue(q, &tight->starting, SLAVES_START_S)) != NULL) {
            log_late(t, SLAVES_START_S);
            tight_wait(t->tight, NULL, 0);
            task_give_away(q, t);
        }
        if ((t = first_overdue(q, &tight->ending, SLAVES_END_S)) != NULL) {
            log_late(t, SLAVES_END_S);
            slaves_forget(q, t);
            task_finish(q, t);
        }
    }
}

static void wait_anew(const struct qmaster *q, struct tight_list *list)
{
    struct tight *x;
    TAILQ_FOREACH(x, list, in_waiting)
        x->since_us = q->now_us;
}

void slaves_wait_anew(struct qmaster *q)
{
    wait_anew(q, &q->jobs.tight.starting);
    wait_anew(q, &q->jobs.tight.ending);
}
