/* One host's connection: it registers, obeys, and reports, as sge_execd(8) does. Invariant: a
 * report is in `reports` of a host that is in `due`, or on its way. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "clients/sge_simhost/farm.h"
#include "libs/comm/link.h"
#include "libs/comm/loop.h"
#include "libs/comm/tcp.h"
#include "libs/gdi/hello.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"
#include "libs/tls/tls.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { GREETING_MS = 30000, LOADS = 8, US_OF_S = 1000000 };

/* ---- messages ---- */

static void send_message(struct sim_host *h, struct XM_Type *m)
{
    struct packer p = { 0 };
    if (link_is_up(h->link)) {
        cull_pack(&p, &cull_XM_Type, m, NULL);
        link_send(h->link, GDI_FRAME_EXEC, 0, p.data, p.len);
    }
    cull_clear(&cull_XM_Type, m);
}

/* a report for H to be filled; it goes out at the end of this turn of the loop */
static struct JR_Type *host_report(struct sim_host *h)
{
    struct farm *f = h->farm;
    if (TAILQ_EMPTY(&f->due))
        loop_timer_set(f->flush_timer, 0);
    if (!h->is_due)
        TAILQ_INSERT_TAIL(&f->due, h, next_due);
    h->is_due = true;
    return cull_append(&h->reports, XM_reports);
}

/* ---- tasks ---- */
/* Tasks that are entries of a table. Invariant: a task is in `running` from its start until it
 * ends, and in its host's table until its end is acknowledged. */

enum { KEY_BYTES = 2 * sizeof(uint32_t), OF_SIGNAL = 128 };

static struct sim_task *find_task(struct sim_host *h, uint32_t job_number, uint32_t task_number)
{
    struct sim_task *t;
    uint32_t key[] = { job_number, task_number };
    HASH_FIND(hh, h->tasks, key, KEY_BYTES, t);
    return t;
}

static void fill_report(const struct sim_task *t, struct JR_Type *r)
{
    cull_set(r, JR_job_number, t->job_number);
    cull_set(r, JR_task_number, t->task_number);
    cull_set(r, JR_attempt, t->attempt);
    cull_share(r, JR_queue, t->queue);
    cull_set(r, JR_start_time, t->start_s);
    cull_set(r, JR_state, (uint32_t)(t->has_ended ? REPORT_ENDED : REPORT_STARTED));
    if (t->has_ended) {
        cull_set(r, JR_end_time, t->end_s);
        cull_set(r, JR_exit_status, t->exit_status);
        cull_set(r, JR_failed, t->failed);
    }
}

static void drop_task(struct sim_host *h, struct sim_task *t)
{
    if (!t->has_ended)
        TAILQ_REMOVE(&h->farm->running, t, next_end);
    HASH_DEL(h->tasks, t);
    cull_string_drop(t->queue);
    free(t);
}

static void end_task(struct sim_task *t, uint32_t exit_status, uint32_t failed)
{
    struct farm *f = t->host->farm;
    TAILQ_REMOVE(&f->running, t, next_end);
    t->has_ended = true;
    t->end_s = uti_now_s();
    t->exit_status = exit_status;
    t->failed = failed;
    f->n_ended++;
    fill_report(t, host_report(t->host));
}

/* when the first task of all ends */
static void set_end_timer(struct farm *f)
{
    const struct sim_task *first = TAILQ_FIRST(&f->running);
    uint64_t now_us = uti_mono_us();
    if (first != NULL)
        loop_timer_set(f->end_timer, first->ends_us > now_us ? first->ends_us - now_us : 0);
}

static struct sim_task *add_task(struct sim_host *h, const struct JAT_Type *record)
{
    struct sim_task *t = uti_calloc(1, sizeof *t);
    t->job_number = record->JAT_job_number;
    t->task_number = record->JAT_task_number;
    t->attempt = record->JAT_attempt;
    t->host = h;
    cull_put_string(&t->queue, allocation_queue(&record->JAT_granted_destin_identifier_list));
    t->start_s = uti_now_s();
    t->ends_us = uti_mono_us() + h->farm->run_us;
    HASH_ADD(hh, h->tasks, job_number, KEY_BYTES, t);
    return t;
}

/* the task of RECORD starts; one that is known says how it stands */
static void task_begin(struct sim_host *h, const struct JAT_Type *record)
{
    struct farm *f = h->farm;
    struct sim_task *t = find_task(h, record->JAT_job_number, record->JAT_task_number);
    if (t != NULL && t->attempt == record->JAT_attempt) {
        fill_report(t, host_report(h));
        return;
    }
    if (t != NULL)
        drop_task(h, t);
    t = add_task(h, record);
    bool is_first = TAILQ_EMPTY(&f->running);
    TAILQ_INSERT_TAIL(&f->running, t, next_end);
    f->n_started++;
    if (f->run_us == 0) {
        end_task(t, 0, TASK_FAILED_NOT);
        return;
    }
    fill_report(t, host_report(h));
    if (is_first)
        set_end_timer(f);
}

void tasks_end(struct farm *f)
{
    struct sim_task *t;
    uint64_t now_us = uti_mono_us();
    while ((t = TAILQ_FIRST(&f->running)) != NULL && t->ends_us <= now_us)
        end_task(t, 0, TASK_FAILED_NOT);
    set_end_timer(f);
}

/* it ends at once, as a signal ends it; one that is unknown is reported as such */
static void task_kill(struct sim_host *h, const struct JR_Type *which, uint32_t signal)
{
    struct sim_task *t = find_task(h, which->JR_job_number, which->JR_task_number);
    if (t == NULL || t->attempt != which->JR_attempt) {
        struct JR_Type *r = host_report(h);
        cull_copy(&cull_JR_Type, r, which);
        cull_set(r, JR_state, (uint32_t)REPORT_UNKNOWN);
    } else if (!t->has_ended && signal == SIGKILL) {
        end_task(t, OF_SIGNAL + signal, TASK_FAILED_AFTER_JOB);
    }
}

/* its end is durable */
static void task_forget(struct sim_host *h, const struct JR_Type *which)
{
    struct sim_task *t = find_task(h, which->JR_job_number, which->JR_task_number);
    if (t != NULL && t->attempt == which->JR_attempt)
        drop_task(h, t);
}

/* how all tasks of H stand, into M */
static void tasks_report(struct sim_host *h, struct XM_Type *m)
{
    const struct sim_task *t;
    for (t = h->tasks; t != NULL; t = t->hh.next)
        fill_report(t, cull_append(m, XM_reports));
}

/* forget all tasks of H */
static void tasks_clear(struct sim_host *h)
{
    struct sim_task *t, *next;
    HASH_ITER(hh, h->tasks, t, next)
        drop_task(h, t);
}

/* ---- load ---- */

void farm_flush(struct farm *f)
{
    struct sim_host *h;
    while ((h = TAILQ_FIRST(&f->due)) != NULL) {
        TAILQ_REMOVE(&f->due, h, next_due);
        h->is_due = false;
        cull_set(&h->reports, XM_kind, (uint32_t)EXEC_REPORTS);
        send_message(h, &h->reports);
    }
}

static void add_value(struct EH_Type *host, const char *name, const char *value)
{
    struct VA_Type *v = cull_append(host, EH_load_list);
    cull_set(v, VA_variable, name);
    cull_set(v, VA_value, value);
}

/* a load that moves a little with each report, as that of real hosts does */
static struct EH_Type *add_load(struct sim_host *h, struct XM_Type *m)
{
    static const char *const loads[LOADS] = { "0.10", "0.25", "0.40", "0.55",
                                              "0.70", "0.85", "0.95", "0.30" };
    struct EH_Type *host = cull_append(m, XM_hosts);
    const char *load = loads[h->n_loads++ % LOADS];
    cull_set(host, EH_name, h->name);
    add_value(host, "load_avg", load);
    add_value(host, "np_load_avg", load);
    add_value(host, "mem_used", h->n_loads % 2 == 0 ? "1.500G" : "1.750G");
    return host;
}

static void register_host(struct sim_host *h)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REGISTER);
    struct EH_Type *host = add_load(h, &m);
    cull_set(host, EH_processors, 1u);
    add_value(host, "arch", os_arch());
    add_value(host, "num_proc", "1");
    add_value(host, "mem_total", "16.000G");
    add_value(host, "mem_free", "14.000G");
    add_value(host, "swap_total", "0.000");
    tasks_report(h, &m);
    send_message(h, &m);
}

/* one host at a time, so that they do not all speak in the same moment */
void farm_report_load(struct farm *f)
{
    struct sim_host *h = &f->hosts[f->next_load++ % f->n_hosts];
    struct XM_Type m = { 0 };
    if (h->is_registered) {
        cull_set(&m, XM_kind, (uint32_t)EXEC_LOAD);
        (void)add_load(h, &m);
        send_message(h, &m);
    }
    loop_timer_set(f->load_timer, f->load_period_us / f->n_hosts);
}

/* ---- messages from the qmaster ---- */

static void say_complete(const struct farm *f)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "%u hosts registered after ", f->n_hosts);
    dstr_add_decimal(&line, (double)(uti_mono_us() - f->begun_us) / US_OF_S, 3);
    dstr_add(&line, " s");
    puts(dstr_get(&line));
    (void)fflush(stdout);
    dstr_free(&line);
}

static void note_registered(struct sim_host *h)
{
    struct farm *f = h->farm;
    if (h->is_registered)
        return;
    h->is_registered = true;
    f->n_registered++;
    if (f->n_registered == f->n_hosts && !f->was_complete)
        say_complete(f);
    f->was_complete |= f->n_registered == f->n_hosts;
    farm_begin(f);
}

static void obey_message(struct sim_host *h, const struct XM_Type *m)
{
    switch (m->XM_kind) {
    case EXEC_CONFIG:
        note_registered(h);
        break;
    case EXEC_START:
        for (uint32_t i = 0; i < m->XM_tasks.n; i++)
            task_begin(h, &m->XM_tasks.v[i]);
        break;
    case EXEC_SIGNAL:
        for (uint32_t i = 0; i < m->XM_reports.n; i++)
            task_kill(h, &m->XM_reports.v[i], m->XM_signal);
        break;
    case EXEC_END_ACK:
        for (uint32_t i = 0; i < m->XM_reports.n; i++)
            task_forget(h, &m->XM_reports.v[i]);
        break;
    default: /* nothing is cached of jobs, and a host that is not there does not shut down */
        break;
    }
}

static int take_frame(struct sim_host *h, const struct frame *f, struct answer *ans)
{
    struct unpacker u = unpacker_over(f->body, f->len);
    struct XM_Type m = { 0 };
    if (f->kind != GDI_FRAME_EXEC)
        return 0;
    int rc = cull_unpack(&u, &cull_XM_Type, gdi_peer_map(h->peer), NULL, &m, ans);
    if (rc == 0 && (rc = exec_message_check(&m, ans)) == 0)
        obey_message(h, &m);
    cull_clear(&cull_XM_Type, &m);
    return rc;
}

static void send_frame(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    struct sim_host *h = ctx;
    link_send(h->link, kind, serial, body, len);
}

static void on_frame(void *ctx, struct frame *f)
{
    struct sim_host *h = ctx;
    struct answer ans = ANSWER_INIT;
    struct frame next;
    int rc = gdi_peer_take(h->peer, f, send_frame, h, &ans);
    while (rc == 0 && gdi_peer_next(h->peer, &next)) {
        rc = take_frame(h, &next, &ans);
        free(next.body);
    }
    if (rc != 0) {
        (void)fprintf(stderr, "sge_simhost: %s: %s\n", h->name, ans_first_error(&ans));
        link_drop(h->link);
    }
    ans_free(&ans);
}

/* ---- the connection ---- */

static void on_up(void *ctx)
{
    struct sim_host *h = ctx;
    struct packer hello = { 0 };
    h->peer = gdi_peer_new(false);
    gdi_hello_pack(&hello, "sge_simhost", h->name);
    link_send(h->link, GDI_FRAME_HELLO, 0, hello.data, hello.len);
    register_host(h);
}

static void say_lost(const struct sim_host *h, const char *why)
{
    (void)fprintf(stderr, "sge_simhost: %s: %s\n", h->name, why);
}

static void on_down(void *ctx, const char *why)
{
    struct sim_host *h = ctx;
    say_lost(h, why);
    h->farm->n_registered -= h->is_registered;
    h->is_registered = false;
    gdi_peer_free(h->peer);
    h->peer = NULL;
}

static void on_failed(void *ctx, const char *why)
{
    say_lost(ctx, why);
}

static const struct link_ops ops = {
    .up = on_up, .frame = on_frame, .down = on_down, .failed = on_failed
};

static struct stream open_stream(void *ctx, const char **why)
{
    struct sim_host *h = ctx;
    struct stream none = STREAM_CLOSED;
    int fd = tcp_place_connect(h->place, why);
    return fd >= 0 ? tls_stream(h->tls, fd) : none;
}

static void begin_host(struct sim_host *h)
{
    struct link_dial dial = { .open = open_stream, .ctx = h, .greeting_ms = GREETING_MS };
    h->place = tcp_place_new(h->farm->qmaster_host, h->farm->port);
    h->link = link_dialled(h->farm->loop, &dial, &ops, h);
}

void farm_begin(struct farm *f)
{
    while (f->n_begun < f->n_hosts && f->n_begun - f->n_registered < FARM_ARRIVING)
        begin_host(&f->hosts[f->n_begun++]);
}

void host_clear(struct sim_host *h)
{
    tasks_clear(h);
    link_free(h->link);
    gdi_peer_free(h->peer);
    tls_context_free(h->tls);
    tcp_place_free(h->place);
    cull_clear(&cull_XM_Type, &h->reports);
    free(h->name);
    free(h->papers_dir);
}
