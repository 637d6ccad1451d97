/* What is said to the execds. Invariant: the job, with environment and script, goes to a host once
 * before the first start of it there, and again before the next start after it was altered. */
#include "daemons/qmaster/hosts/notifications.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/io/net.h"
#include "libs/comm/server.h"
#include "libs/config/conf.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/task_key.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"

enum { STARTS_BYTES = 16 << 20 }; /* so much of jobs is one message to a host, or one job more */

static void send_now(struct qmaster *q, struct host *h, enum exec_message kind, struct XM_Type *m,
                     uint64_t after)
{
    struct packer p = { 0 };
    cull_set(m, XM_kind, (uint32_t)kind);
    cull_pack(&p, &cull_XM_Type, m, NULL);
    cull_clear(&cull_XM_Type, m);
    change_send(q, after, h->conn, GDI_FRAME_EXEC, 0, p.data, p.len);
}

static void has_mail(struct qmaster *q, struct host *h)
{
    if (h->has_mail)
        return;
    h->has_mail = true;
    TAILQ_INSERT_TAIL(&q->hosts.with_mail, h, in_mail);
}

static void no_mail(struct qmaster *q, struct host *h)
{
    if (h->has_mail)
        TAILQ_REMOVE(&q->hosts.with_mail, h, in_mail);
    h->has_mail = false;
}

static bool has_reports(const struct XM_Type *m)
{
    return m->XM_reports.n > 0;
}

void exec_flush_signals(struct qmaster *q, struct host *h)
{
    if (has_reports(&h->signals))
        send_now(q, h, EXEC_SIGNAL, &h->signals, change_number(q));
}

static void flush_starts(struct qmaster *q, struct host *h)
{
    if (h->starts.XM_tasks.n > 0)
        send_now(q, h, EXEC_START, &h->starts, change_number(q));
    h->starts_bytes = 0;
}

static void flush_host(struct qmaster *q, struct host *h)
{
    flush_starts(q, h);
    exec_flush_signals(q, h);
    if (has_reports(&h->acks))
        send_now(q, h, EXEC_END_ACK, &h->acks, change_number(q));
    if (h->forgets.XM_jobs.n > 0)
        send_now(q, h, EXEC_FORGET_JOB, &h->forgets, change_number(q));
}

void exec_flush(struct qmaster *q)
{
    struct host *h;
    while ((h = TAILQ_FIRST(&q->hosts.with_mail)) != NULL) {
        no_mail(q, h);
        flush_host(q, h);
    }
}

static void add_queue(struct XM_Type *m, const struct qinstance *qi)
{
    for (uint32_t i = 0; i < m->XM_queues.n; i++)
        if (strcmp(m->XM_queues.v[i].QU_full_name, qi->rec.QU_full_name) == 0)
            return;
    struct QU_Type *rec = cull_append(m, XM_queues);
    cull_copy(&cull_QU_Type, rec, &qi->rec);
}

/* JOB goes to H before its next start there, unless H has it: with its script where a task of it
 * itself runs. False: its environment and script are being read, and exec_job_files_arrived sends
 * what waits for them */
static bool add_job(struct qmaster *q, struct host *h, struct job *job, bool with_script)
{
    struct sent_job *sent = host_mark_sent(h, job, with_script);
    struct JB_Type rec = { 0 };
    if (sent == NULL)
        return true;
    for (unsigned f = 0; f < JB_Type_FIELDS; f++)
        if ((cull_JB_Type.fields[f].flags & JOB_NOT_TO_HOSTS) == 0 && cull_is_present(&job->rec, f))
            cull_copy_field(&cull_JB_Type, &rec, &job->rec, f);
    if (!job_files_get(q, job, &rec)) {
        sent->is_outdated = true; /* not yet, after all */
        cull_clear(&cull_JB_Type, &rec);
        return false;
    }
    if (!with_script)
        cull_clear_field(&cull_JB_Type, &rec, JB_script_ptr);
    *cull_append(&h->starts, XM_jobs) = rec;
    h->starts_bytes += job->bytes + job_files_bytes(job);
    return true;
}

static struct JAT_Type *add_task(struct host *h, const struct task *t)
{
    struct JAT_Type *rec = cull_append(&h->starts, XM_tasks);
    cull_copy(&cull_JAT_Type, rec, &t->rec);
    return rec;
}

static void after_start(struct qmaster *q, struct host *h)
{
    has_mail(q, h);
    if (h->starts_bytes > STARTS_BYTES)
        flush_starts(q, h);
}

void exec_start(struct qmaster *q, struct task *t)
{
    struct host *h = hosts_find(&q->hosts, task_host(t));
    struct qinstance *qi = queues_instance(&q->queues, task_queue(t));
    if (h == NULL || h->conn == 0 || qi == NULL)
        return; /* it will be sent when the host registers */
    if (t->tight != NULL && t->tight->n_unready > 0)
        return; /* when the last of them is ready */
    if (!add_job(q, h, t->job, true))
        return;
    add_task(h, t);
    add_queue(&h->starts, qi);
    after_start(q, h);
}

void exec_start_slave(struct qmaster *q, struct slave_host *slave)
{
    struct task *t = slave->task;
    struct host *h = slave->host;
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    if (h->conn == 0 || !add_job(q, h, t->job, false))
        return;
    cull_set(add_task(h, t), JAT_is_slave, true);
    for (uint32_t i = 0; i < granted->n; i++) {
        const struct JG_Type *entry = &granted->v[i];
        if (entry->JG_qhostname == NULL || strcmp(entry->JG_qhostname, h->rec.EH_name) != 0)
            continue;
        struct qinstance *qi = queues_instance(&q->queues, entry->JG_qname);
        if (qi != NULL)
            add_queue(&h->starts, qi);
    }
    after_start(q, h);
}

/* ---- all slaves of a task ---- */
/* Each is sent the whole allocation, which has an entry for each of them, so that of N slaves the
 * time is that of N x N entries. Names the task: it may end or go before all are announced. */
struct slave_starts {
    struct piece piece;
    uint32_t job, ordinal, attempt;
    uint32_t at; /* the next slave */
};

static struct task *starting_task(struct qmaster *q, const struct slave_starts *s)
{
    struct job *job = jobs_find(&q->jobs, s->job);
    struct task *t = job != NULL ? job_task(job, s->ordinal) : NULL;
    bool is_it = t != NULL && t->rec.JAT_attempt == s->attempt && t->tight != NULL;
    return is_it && !task_has_ended(t) ? t : NULL;
}

static bool announce_some(struct qmaster *q, struct piece *piece)
{
    struct slave_starts *s = (struct slave_starts *)piece;
    const struct task *t = starting_task(q, s);
    for (uint32_t n = 0; t != NULL && s->at < t->n_slaves; n++) {
        if (n > 0 && slice_is_over(q))
            return false;
        struct slave_host *slave = &t->slaves[s->at++];
        if (!slave->is_ready && !slave->is_ended)
            exec_start_slave(q, slave);
    }
    return true;
}

static void starts_free(struct piece *piece)
{
    free(piece);
}

static const struct piece_kind starts_kind = { "a start on many hosts", announce_some,
                                               starts_free };

void exec_start_slaves(struct qmaster *q, const struct task *t)
{
    if (t->tight == NULL || t->n_slaves == 0)
        return;
    struct slave_starts *s = uti_calloc(1, sizeof *s);
    *s = (struct slave_starts){ .piece.kind = &starts_kind,
                                .job = t->rec.JAT_job_number,
                                .ordinal = t->ordinal,
                                .attempt = t->rec.JAT_attempt };
    if (announce_some(q, &s->piece))
        starts_free(&s->piece);
    else
        work_put_piece(q->work, t->job->rec.JB_uid, &s->piece);
}

void exec_job_files_arrived(struct qmaster *q, struct job *job)
{
    for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t)) {
        exec_start_slaves(q, t);
        if (t->rec.JAT_status == TASK_TRANSFERRING)
            exec_start(q, t);
    }
}

static void add_report(struct XM_Type *m, const struct task_key *key, uint32_t attempt)
{
    task_key_report(key, attempt, cull_append(m, XM_reports));
}

static void signal_start(struct qmaster *q, struct host *h, const struct task_key *key,
                         uint32_t attempt, int sig)
{
    if (has_reports(&h->signals) && h->signals.XM_signal != (uint32_t)sig)
        exec_flush_signals(q, h);
    cull_set(&h->signals, XM_signal, (uint32_t)sig);
    add_report(&h->signals, key, attempt);
    has_mail(q, h);
}

/* what SIG, to a task, means to one of its slaves; 0: nothing */
static int slave_signal(const struct task *t, int sig)
{
    if (sig == SIGKILL || sig == TASK_REQUEST_END_AGAIN)
        return SIGKILL;
    return (sig == SIGSTOP || sig == SIGCONT) && !task_has_ended(t) ? sig : 0;
}

void exec_signal_slave(struct qmaster *q, const struct slave_host *slave, int sig)
{
    const struct task *t = slave->task;
    struct task_key key = task_key_of_record(&t->rec);
    int what = slave_signal(t, sig);
    if (what != 0 && !slave->is_ended && slave->host->conn != 0)
        signal_start(q, slave->host, &key, t->rec.JAT_attempt, what);
}

/* a task that waits for its slaves was not sent, and is sent what it needs behind its start */
static bool is_for_master(const struct task *t, int sig)
{
    bool is_unsent =
        t->tight != NULL && t->rec.JAT_status == TASK_TRANSFERRING && t->tight->n_unready > 0;
    return !task_has_ended(t) && !(is_unsent && (sig == SIGSTOP || sig == SIGCONT));
}

void exec_signal(struct qmaster *q, const struct task *t, int sig)
{
    struct host *h = hosts_find(&q->hosts, task_host(t));
    struct task_key key = task_key_of_record(&t->rec);
    if (h != NULL && h->conn != 0 && is_for_master(t, sig))
        signal_start(q, h, &key, t->rec.JAT_attempt, sig);
    for (uint32_t i = 0; t->tight != NULL && i < t->n_slaves; i++)
        exec_signal_slave(q, &t->slaves[i], sig);
}

void exec_job_changed(struct job *job)
{
    struct sent_job *s;
    LIST_FOREACH(s, &job->rare->sent_to, in_job)
        s->is_outdated = true;
}

void exec_forget_job(struct qmaster *q, struct job *job)
{
    struct sent_job *s;
    while ((s = LIST_FIRST(&job->rare->sent_to)) != NULL) {
        struct host *h = s->host;
        host_unmark_sent(s);
        if (h->conn == 0)
            continue;
        struct JB_Type *rec = cull_append(&h->forgets, XM_jobs);
        cull_set(rec, JB_job_number, job->rec.JB_job_number);
        has_mail(q, h);
    }
}

static const char *spool_dir_in(const struct conf *c)
{
    const struct VA_Type *va =
        c != NULL ? cull_find(&cull_VA_Type, &c->rec.CONF_entries, "execd_spool_dir") : NULL;
    return va != NULL ? va->VA_value : NULL;
}

/* execd_spool_dir of H; NULL: as it is without. The value that the cell got when it was made is a
 * path of this host: others may have the cell's directory elsewhere. */
static const char *spool_dir_of(struct qmaster *q, const struct host *h)
{
    const char *own = spool_dir_in(settings_conf(&q->settings, h->rec.EH_name));
    const char *dir = own != NULL ? own : spool_dir_in(settings_conf(&q->settings, CONF_GLOBAL));
    bool is_cells = dir != NULL && q->cell != NULL && strcmp(dir, q->cell->spool_dir) == 0;
    return dir != NULL && *dir == '/' && !is_cells ? dir : NULL;
}

void exec_send_conf(struct qmaster *q, struct host *h)
{
    struct XM_Type m = { 0 };
    const char *names[] = { CONF_GLOBAL, h->rec.EH_name };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct conf *c = settings_conf(&q->settings, names[i]);
        if (c == NULL)
            continue;
        struct CONF_Type *rec = cull_append(&m, XM_confs);
        cull_copy(&cull_CONF_Type, rec, &c->rec);
    }
    const char *spool_dir = spool_dir_of(q, h);
    if (spool_dir != NULL)
        cull_set(&m, XM_spool_dir, spool_dir);
    send_now(q, h, EXEC_CONFIG, &m, 0);
}

void exec_shutdown(struct qmaster *q, struct host *h, int sig)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_signal, (uint32_t)sig);
    send_now(q, h, EXEC_SHUTDOWN, &m, change_number(q));
}

void exec_ack(struct qmaster *q, struct host *h, const struct JR_Type *end)
{
    struct task_key key = task_key_of_report(end);
    add_report(&h->acks, &key, end->JR_attempt);
    has_mail(q, h);
}

void exec_end_unknown(struct qmaster *q, struct host *h, const struct JR_Type *report)
{
    struct task_key key = task_key_of_report(report);
    const struct job *job = jobs_find(&q->jobs, report->JR_job_number);
    bool has_checkpoints = job != NULL && job->rec.JB_checkpoint_name != NULL;
    signal_start(q, h, &key, report->JR_attempt,
                 has_checkpoints ? (int)TASK_REQUEST_END_AGAIN : SIGKILL);
}

void exec_discard(struct qmaster *q, struct host *h)
{
    no_mail(q, h);
    cull_clear(&cull_XM_Type, &h->starts);
    h->starts_bytes = 0;
    cull_clear(&cull_XM_Type, &h->signals);
    cull_clear(&cull_XM_Type, &h->acks);
    cull_clear(&cull_XM_Type, &h->forgets);
}

void exec_disconnect(struct qmaster *q, struct host *h)
{
    struct connection *s = h->conn != 0 ? connections_find(q, h->conn) : NULL;
    if (s == NULL)
        return;
    s->execd_of = NULL;
    comm_server_close(net_server(q->net), s->conn);
}

/* ---- configurations ---- */
/* A round over all hosts. Invariant: there is one at most; a change meanwhile begins it anew, so
 * that every host gets the latest last. A host that connects meanwhile got the latest when it
 * registered. */
struct conf_round {
    struct piece piece;
    struct qmaster *q;
    struct walk walk; /* over all hosts */
};

static void send_conf_to(struct qmaster *q, struct host *h)
{
    if (h->conn != 0)
        exec_send_conf(q, h);
}

static bool round_step(struct qmaster *q, struct piece *piece)
{
    struct conf_round *round = (struct conf_round *)piece;
    for (uint32_t n = 0; round->walk.next != NULL; n++) {
        if (n > 0 && slice_is_over(q))
            return false;
        send_conf_to(q, walk_take(&round->walk, offsetof(struct host, hh)));
    }
    return true;
}

static void round_free(struct piece *piece)
{
    struct conf_round *round = (struct conf_round *)piece;
    round->q->conf_round = NULL;
    walk_end(&round->walk);
    free(round);
}

static const struct piece_kind round_kind = { "a configuration for all hosts", round_step,
                                              round_free };

static void round_begin(struct qmaster *q, uint64_t user)
{
    struct conf_round *round = uti_calloc(1, sizeof *round);
    round->piece.kind = &round_kind;
    round->q = q;
    q->conf_round = round;
    walk_begin(&q->hosts.walks, &round->walk, q->hosts.all);
    if (round_step(q, &round->piece))
        round_free(&round->piece);
    else
        work_put_piece(q->work, user, &round->piece);
}

void conf_changed(struct qmaster *q, uint64_t user, const char *name)
{
    struct host *h = hosts_find(&q->hosts, name);
    if (strcmp(name, CONF_GLOBAL) != 0) {
        if (h != NULL)
            send_conf_to(q, h);
    } else if (q->conf_round != NULL) {
        walk_begin(&q->hosts.walks, &q->conf_round->walk, q->hosts.all);
    } else {
        round_begin(q, user);
    }
}
