/* Messages to the qmaster. While there is no connection nothing is kept for it: the table of
 * tasks is what a new connection begins with. */
#include "daemons/execd/report/report.h"

#include <string.h>

#include "daemons/execd/host/user.h"
#include "daemons/execd/tables/task_table.h"
#include "libs/comm/link.h"
#include "libs/comm/loop.h"
#include "libs/gdi/turn_report.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/rows.h"

/* ---- what a report says of a task ---- */
/* Reports of tasks: functions of the table's entries, without a side effect. A report of an
 * ended task was made when it ended. */

static const char *queue_of(const struct JAT_Type *record)
{
    return allocation_queue(&record->JAT_granted_destin_identifier_list);
}

void task_fill_key(const struct exec_task *t, struct JR_Type *report)
{
    task_key_report(&t->key, t->attempt, report);
    cull_set(report, JR_queue, task_queue(t));
}

static void set_usage(struct JR_Type *report, const char *name, double value)
{
    for (uint32_t i = 0; i < report->JR_usage.n; i++)
        if (strcmp(report->JR_usage.v[i].UA_name, name) == 0) {
            if (report->JR_usage.v[i].UA_value < value)
                cull_set(&report->JR_usage.v[i], UA_value, value);
            return;
        }
    struct UA_Type *ua = cull_append(report, JR_usage);
    cull_set(ua, UA_name, name);
    cull_set(ua, UA_value, value);
}

void task_fill_sample(const struct exec_task *t, struct JR_Type *report)
{
    const struct task_sample *s = &t->sample;
    if (s->at_us == 0)
        return;
    set_usage(report, "cpu", s->cpu_s);
    set_usage(report, "mem", s->mem_gb_s);
    set_usage(report, "io", (double)s->io_bytes / (1024.0 * 1024 * 1024));
    set_usage(report, "vmem", (double)s->vmem_bytes);
    set_usage(report, "maxvmem", (double)s->vmem_max_bytes);
}

static double usage_of(const struct JR_Type *report, const char *name)
{
    for (uint32_t i = 0; i < report->JR_usage.n; i++)
        if (strcmp(report->JR_usage.v[i].UA_name, name) == 0)
            return report->JR_usage.v[i].UA_value;
    return 0;
}

void task_fill_least(struct JR_Type *report)
{
    const double block = 512, kilobyte = 1024, gigabyte = kilobyte * kilobyte * kilobyte;
    double rss = usage_of(report, "ru_maxrss") * kilobyte;
    set_usage(report, "maxvmem", rss);
    set_usage(report, "io",
              (usage_of(report, "ru_inblock") + usage_of(report, "ru_oublock")) * block / gigabyte);
    if (usage_of(report, "mem") <= 0)
        set_usage(report, "mem", rss / gigabyte * usage_of(report, "ru_wallclock"));
}

void task_fill_waiting(const struct exec_task *t, struct JR_Type *report)
{
    task_fill_key(t, report);
    cull_set(report, JR_state, (uint32_t)REPORT_PREPARING);
    if (t->next != NULL) {
        cull_set(report, JR_attempt, t->next->JAT_attempt);
        cull_set(report, JR_queue, queue_of(t->next));
    }
}

static void set_binding(const struct exec_task *t, struct JR_Type *report)
{
    struct dstr letters = DSTR_INIT;
    cores_letters_text(&t->x->load.topology, &t->cores, &letters);
    cull_set(report, JR_binding, dstr_get(&letters));
    dstr_free(&letters);
}

void task_fill_report(const struct exec_task *t, struct JR_Type *report)
{
    if (t->next != NULL || t->state == EXEC_TASK_PREPARING) {
        task_fill_waiting(t, report);
        return;
    }
    if (t->state == EXEC_TASK_ENDED && petasks_count(t, false) == 0) {
        cull_copy(&cull_JR_Type, report, &t->report);
        return;
    }
    task_fill_key(t, report);
    cull_set(report, JR_state,
             t->sample.at_us != 0 ? (uint32_t)REPORT_RUNNING : (uint32_t)REPORT_STARTED);
    if (t->start_s != 0)
        cull_set(report, JR_start_time, t->start_s);
    if (t->checkpoint.is_made)
        cull_set(report, JR_is_checkpointed, true);
    if (t->cores.n > 0)
        set_binding(t, report);
    task_fill_sample(t, report);
}

/* ---- messages ---- */

static void send_message(struct execd *x, struct XM_Type *m)
{
    struct packer p = { 0 };
    if (link_is_up(x->link)) {
        cull_pack(&p, &cull_XM_Type, m, NULL);
        link_send(x->link, GDI_FRAME_EXEC, 0, p.data, p.len);
    }
    cull_clear(&cull_XM_Type, m);
}

/* what sensors say of the cell; returns how many values changed */
static uint32_t add_cell(struct execd *x, struct XM_Type *m, bool is_all)
{
    struct EH_Type *cell = cull_append(m, XM_hosts);
    cull_set(cell, EH_name, HOST_OF_CELL);
    uint32_t n = load_report_cell(&x->load, &x->sensors, cell, is_all);
    if (n == 0)
        cull_remove_at(&cull_EH_Type, (struct cull_list *)&m->XM_hosts, m->XM_hosts.n - 1);
    return n;
}

/* returns how many values changed */
static uint32_t add_host(struct execd *x, struct XM_Type *m, bool is_all)
{
    struct EH_Type *host = cull_append(m, XM_hosts);
    cull_set(host, EH_name, x->place.host);
    uint32_t n = load_report(&x->load, &x->sensors, host, is_all);
    return n + add_cell(x, m, is_all);
}

static void add_turns(const struct execd *x, struct XM_Type *m)
{
    turn_report_fill(loop_turns(x->loop), "execd", cull_append(m, XM_turns));
    turn_report_fill(users_turns(x->users), "users", cull_append(m, XM_turns));
    if (x->relay_turns == NULL)
        return;
    turn_report_fill(x->relay_turns, "relay", cull_append(m, XM_turns));
    turn_report_fill(x->names_turns, "names", cull_append(m, XM_turns));
}

void report_register(struct execd *x)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REGISTER);
    cull_set(&m, XM_is_first, !x->is_heard);
    (void)add_host(x, &m, true);
    for (struct exec_task *t = task_first(x); t != NULL; t = task_next(t))
        task_fill_report(t, cull_append(&m, XM_reports));
    send_message(x, &m);
}

void report_leaving(struct execd *x)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_LEAVING);
    send_message(x, &m);
}

void report_soon(struct exec_task *t)
{
    struct execd *x = t->x;
    if (!t->is_due) {
        TAILQ_INSERT_TAIL(&x->due, t, next_due);
        t->is_due = true;
    }
    if (!x->is_flush_set)
        loop_timer_set(x->flush_timer, 0);
    x->is_flush_set = true;
}

void report_flush(struct execd *x)
{
    struct XM_Type m = { 0 };
    struct exec_task *t;
    x->is_flush_set = false;
    cull_set(&m, XM_kind, (uint32_t)EXEC_REPORTS);
    while ((t = TAILQ_FIRST(&x->due)) != NULL) {
        TAILQ_REMOVE(&x->due, t, next_due);
        t->is_due = false;
        task_fill_report(t, cull_append(&m, XM_reports));
    }
    send_message(x, &m);
}

void report_one(struct execd *x, struct JR_Type *report)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REPORTS);
    struct JR_Type *only = cull_append(&m, XM_reports);
    *only = *report;
    *report = (struct JR_Type){ 0 };
    send_message(x, &m);
}

void report_unknown(struct execd *x, const struct task_key *key, uint32_t attempt)
{
    struct JR_Type report = { 0 };
    task_key_report(key, attempt, &report);
    cull_set(&report, JR_state, (uint32_t)REPORT_UNKNOWN);
    report_one(x, &report);
}

static void send_load(struct execd *x, uint32_t n_least)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_LOAD);
    if (!link_is_up(x->link))
        return; /* the next registration brings them all */
    if (add_host(x, &m, false) >= n_least) {
        add_turns(x, &m);
        send_message(x, &m);
    }
    cull_clear(&cull_XM_Type, &m);
}

void report_load_news(struct execd *x)
{
    send_load(x, 1);
}

void report_load(struct execd *x)
{
    send_load(x, 0);
}
