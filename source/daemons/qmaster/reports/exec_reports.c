/* What the execds say. One host record for each execution host; its execd speaks through one
 * connection. Invariant: a task that is transferring or running is in its host's list. */
#include "daemons/qmaster/reports/reports.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/reporting.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/jobs/petasks.h"
#include "daemons/qmaster/jobs/task_actions.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/reports/msg_reports.h"
#include "daemons/qmaster/tables/hosts.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/comm/server.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/host_name.h"
#include "libs/uti/log.h"

/* the task that a report is about, or whose petask it is; NULL: there is no such start */
static struct task *task_of(struct qmaster *q, const struct JR_Type *report)
{
    struct job *job = jobs_find(&q->jobs, report->JR_job_number);
    uint32_t ordinal;
    if (job == NULL || !job_task_ordinal(&job->rec, report->JR_task_number, &ordinal))
        return NULL;
    struct task *t = job_task(job, ordinal);
    return t != NULL && t->rec.JAT_attempt == report->JR_attempt ? t : NULL;
}

static bool runs_on(const struct task *t, const struct host *h)
{
    return strcmp(task_host(t), h->rec.EH_name) == 0;
}

/* what a host has of a task */
struct part {
    struct task *task;        /* it runs there itself */
    struct slave_host *slave; /* or that of it */
};

/* A task that has ended, and waits for its slaves, has no part on its own host. A petask is part of
 * a task whose hosts start petasks, and of no other. */
static struct part part_of(struct task *t, const struct host *h, const struct JR_Type *report)
{
    struct part part = { 0 };
    bool is_petask = report->JR_pe_task_id != NULL;
    if (t == NULL || !task_holds_slots(t) || (is_petask && t->tight == NULL))
        return part;
    if (runs_on(t, h) && (is_petask || !task_has_ended(t)))
        part.task = t;
    else if (t->tight != NULL)
        part.slave = tight_slave(t->tight, h);
    return part;
}

static void on_part(struct qmaster *q, const struct part *part, const struct JR_Type *report)
{
    if (part->slave != NULL)
        slave_report(q, part->slave, report);
    else
        task_report(q, part->task, report);
}

static bool on_petask(struct qmaster *q, struct task *t, struct host *h,
                      const struct JR_Type *report)
{
    enum petask_result result = petasks_report(q, t, h, report);
    if (result == PETASK_ENDS_TASK)
        task_kill(q, t);
    return result != PETASK_REFUSED;
}

static void log_foreign(const struct host *h, const struct task *t)
{
    if (t != NULL && task_holds_slots(t) && !runs_on(t, h))
        log_msg_of(0, LOG_LEVEL_ERROR, MSG_EXEC_FOREIGN_SUUS, h->rec.EH_name, t->rec.JAT_job_number,
                   t->rec.JAT_task_number, task_host(t));
}

/* An end is acknowledged once it is durable, whichever host the task belongs to; what runs there
 * without our knowing is ended. A start belongs to its hosts: a report of another one is false. */
static void on_report(struct qmaster *q, struct host *h, const struct JR_Type *report)
{
    struct task *t = task_of(q, report);
    struct part part = part_of(t, h, report);
    bool is_ours = part.task != NULL || part.slave != NULL;
    if (report->JR_state == REPORT_ENDED)
        exec_ack(q, h, report);
    if (!is_ours)
        log_foreign(h, t);
    if (is_ours && report->JR_pe_task_id != NULL)
        is_ours = on_petask(q, t, h, report);
    else if (is_ours)
        on_part(q, &part, report);
    if (!is_ours && report->JR_state != REPORT_ENDED && report->JR_state != REPORT_UNKNOWN)
        exec_end_unknown(q, h, report);
}

/* the note is gone again at the end of the same registration */
static void note_reported(struct qmaster *q, const struct host *h, const struct XM_Type *m)
{
    for (uint32_t i = 0; i < m->XM_reports.n; i++) {
        const struct JR_Type *report = &m->XM_reports.v[i];
        struct part part = part_of(task_of(q, report), h, report);
        if (report->JR_pe_task_id != NULL)
            continue;
        if (part.task != NULL)
            part.task->is_reported = true;
        else if (part.slave != NULL)
            part.slave->is_reported = true;
    }
}

/* it was deleted or rescheduled while its host was away; one that cleans up was deleted before */
static bool is_to_end_unstarted(const struct task *t)
{
    return (t->rec.JAT_state & (TASK_IS_DELETED | TASK_IS_RESCHEDULED)) != 0 &&
           (t->rec.JAT_state & TASK_IS_CLEANING) == 0;
}

static void reconcile_task(struct qmaster *q, struct task *t)
{
    bool is_reported = t->is_reported;
    t->is_reported = false;
    if (task_has_ended(t))
        return;
    if (t->tight != NULL)
        petasks_lost(q, t, t->host, true);
    if (is_reported)
        task_repeat_signal(q, t); /* it may have been lost with the connection */
    else if (t->rec.JAT_status == TASK_RUNNING || is_to_end_unstarted(t))
        task_lost(q, t);
    else
        exec_start(q, t);
}

/* both sides say what they know: what was given away meanwhile ends before anything else starts,
 * starts the host never got are sent again, running tasks it has lost are put back */
static void reconcile_tasks(struct qmaster *q, struct host *h, const struct XM_Type *m)
{
    struct task *t, *next;
    for (uint32_t i = 0; i < m->XM_reports.n; i++)
        if (m->XM_reports.v[i].JR_pe_task_id != NULL) /* before the end of their task */
            on_report(q, h, &m->XM_reports.v[i]);
    for (uint32_t i = 0; i < m->XM_reports.n; i++)
        if (m->XM_reports.v[i].JR_pe_task_id == NULL)
            on_report(q, h, &m->XM_reports.v[i]);
    exec_flush_signals(q, h);
    note_reported(q, h, m);
    TAILQ_FOREACH_SAFE(t, &h->tasks, in_host, next)
    reconcile_task(q, t);
    slaves_reconcile(q, h);
}

/* the host that S may register as by the name that it says; NULL, with a line in the log: none */
static struct host *claimed_host(struct qmaster *q, const struct connection *s, const char *said)
{
    char name[HOST_NAME_BYTES];
    struct host *h = hosts_find(&q->hosts, host_name_known(&q->hosts, &q->settings, said, name));
    if (!right_to_be_host(&s->who, said))
        log_msg_of(s->who.uid, LOG_LEVEL_ERROR, MSG_EXEC_NOT_ITSELF_SS, s->who.host, said);
    else if (h == NULL)
        log_msg_of(s->who.uid, LOG_LEVEL_ERROR, MSG_EXEC_NO_HOST_S, said);
    else if (s->execd_of != NULL && s->execd_of != h)
        log_msg_of(s->who.uid, LOG_LEVEL_ERROR, MSG_EXEC_TWO_HOSTS_S, said);
    else
        return h;
    return NULL;
}

/* of the host itself, and behind that of the cell */
static void handle_load(struct qmaster *q, const struct connection *s, struct host *h,
                        const struct XM_Type *m)
{
    host_load_update(q, h, &m->XM_hosts.v[0]);
    reporting_host(q, h);
    const struct EH_Type *other = m->XM_hosts.n > 1 ? &m->XM_hosts.v[1] : NULL;
    bool is_cell =
        other != NULL && other->EH_name != NULL && strcmp(other->EH_name, HOST_OF_CELL) == 0;
    cell_load_update(q, &s->who, h, is_cell ? other : NULL);
}

static void on_register(struct qmaster *q, struct connection *s, const struct XM_Type *m)
{
    const char *said = m->XM_hosts.n > 0 ? m->XM_hosts.v[0].EH_name : NULL;
    struct host *h = claimed_host(q, s, said != NULL ? said : "");
    if (h == NULL) {
        comm_server_close(net_server(q->net), s->conn);
        return;
    }
    host_load_anew(h);
    cell_load_end(q, h);
    handle_load(q, s, h, m);
    log_msg(LOG_LEVEL_INFO, MSG_EXEC_REGISTERED_SU, h->rec.EH_name, m->XM_reports.n);
    presence_begin(q, h, s);
    if (m->XM_is_first)
        initial_state_host(q, h);
    reconcile_tasks(q, h, m);
}

/* ---- messages ---- */

/* the rest of a message with more reports than a slice takes; it waits in the lane of its host,
 * before whatever the host says next */
struct report_rest {
    struct piece piece; /* first */
    struct connection *from;
    struct XM_Type m;
    uint32_t at; /* the next report */
};

/* true: all of them are done, or the connection has gone */
static bool handle_some(struct qmaster *q, const struct connection *s, const struct XM_Type *m,
                        uint32_t *at)
{
    for (uint32_t work = 0; *at < m->XM_reports.n; work++) {
        struct host *h = s->execd_of;
        if (h == NULL || h->conn != s->conn)
            return true;
        if (work == STEP_WORK || (work > 0 && slice_is_over(q)))
            return false;
        on_report(q, h, &m->XM_reports.v[(*at)++]);
    }
    return true;
}

static bool handle_more(struct qmaster *q, struct piece *piece)
{
    struct report_rest *rest = (struct report_rest *)piece;
    return handle_some(q, rest->from, &rest->m, &rest->at);
}

static void report_rest_free(struct piece *piece)
{
    struct report_rest *rest = (struct report_rest *)piece;
    cull_clear(&cull_XM_Type, &rest->m);
    free(rest);
}

static const struct piece_kind report_rest_kind = { "what a host reports", handle_more,
                                                    report_rest_free };

/* M is taken if not all of it can be heard now */
static void handle_reports(struct qmaster *q, struct connection *s, struct XM_Type *m)
{
    uint32_t at = 0;
    if (handle_some(q, s, m, &at))
        return;
    struct report_rest *rest = uti_calloc(1, sizeof *rest);
    *rest = (struct report_rest){ .piece.kind = &report_rest_kind, .from = s, .m = *m, .at = at };
    *m = (struct XM_Type){ 0 };
    lane_put_piece(s->lane, &rest->piece);
}

static void on_message(struct qmaster *q, struct connection *s, struct XM_Type *m)
{
    struct host *h = s->execd_of;
    if (m->XM_kind == EXEC_REGISTER) {
        on_register(q, s, m);
        return;
    }
    if (h == NULL || h->conn != s->conn)
        return; /* replaced by a newer connection of the same host */
    host_note_seen(&q->hosts, h, true, q->now_us);
    if (m->XM_kind == EXEC_LOAD && m->XM_hosts.n > 0) {
        turn_reports_take(&h->turns, &m->XM_turns);
        handle_load(q, s, h, m);
        load_state_update(q, h);
    }
    if (m->XM_kind == EXEC_LEAVING)
        presence_leaving(q, h);
    if (m->XM_kind == EXEC_REPORTS)
        handle_reports(q, s, m);
}

void exec_handle(struct qmaster *q, struct connection *s, struct frame *f)
{
    struct XM_Type m = { 0 };
    struct answer ans = ANSWER_INIT;
    if (connection_unpack(q, s, f, &cull_XM_Type, &m, &ans) == 0 &&
        exec_message_check(&m, &ans) == 0)
        on_message(q, s, &m);
    log_answer(&ans);
    ans_free(&ans);
    cull_clear(&cull_XM_Type, &m);
}

void exec_on_closed(struct qmaster *q, struct connection *s)
{
    struct host *h = s->execd_of;
    if (h == NULL || h->conn != s->conn)
        return;
    if (!q->is_stopping)
        log_msg(LOG_LEVEL_WARNING, MSG_EXEC_LOST_S, h->rec.EH_name);
    presence_end(q, h);
}
