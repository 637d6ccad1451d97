/* One scheduler at a time is registered; a second registration replaces the first (its connection is closed), so that a schedd that
 * hangs can be replaced. Collected events of a kind for the same job and queue merge into one. */
#include "daemons/qmaster/sched/events.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/sched/msg_sched.h"
#include "daemons/qmaster/sched/schedd.h"
#include "libs/comm/server.h"
#include "libs/config/conf.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"

enum {
    STEP_JOBS = 500,
    STEP_BYTES = 8 << 20,
    BACKLOG_BYTES = 64 << 20,
    MAX_UNACKNOWLEDGED = 64,
    PATIENCE_US = 60 * 1000000
};

struct events {
    uint64_t conn;         /* 0 = nobody registered */
    uint64_t number;       /* of the next event */
    uint64_t package;      /* of the last package sent */
    uint64_t acknowledged; /* of the last package acknowledged */
    uint64_t silent_us;    /* since when it owes the next acknowledge */
    uint64_t cursor;       /* jobs below this number have been streamed; UINT64_MAX = all */
    struct EP_Type open;   /* what is collected */
    size_t open_bytes;     /* of the jobs in it */
};

struct events *events_new(void)
{
    return uti_calloc(1, sizeof(struct events));
}

static void forget_client(struct events *e)
{
    cull_clear(&cull_EP_Type, &e->open);
    *e = (struct events){ 0 };
}

void events_free(struct events *e)
{
    if (e == NULL)
        return;
    forget_client(e);
    free(e);
}

bool events_is_scheduler(const struct qmaster *q, uint64_t conn)
{
    return q->events->conn == conn && conn != 0;
}

bool events_has_scheduler(const struct qmaster *q)
{
    return q->events->conn != 0;
}

static struct EV_Type *add(struct qmaster *q, enum event_kind kind)
{
    struct events *e = q->events;
    struct EV_Type *ev = cull_append(&e->open, EP_events);
    cull_set(ev, EV_number, ++e->number);
    cull_set(ev, EV_kind, (uint32_t)kind);
    return ev;
}

/* does the client know this job (or will it read it as it is when the cursor gets there)? */
static bool is_known(const struct qmaster *q, uint32_t job)
{
    return q->events->conn != 0 && job < q->events->cursor;
}

static struct EV_Type *last_like(struct qmaster *q, enum event_kind kind, uint32_t job,
                                 const char *queue, uint32_t slots)
{
    struct EP_Type *open = &q->events->open;
    if (open->EP_events.n == 0)
        return NULL;
    struct EV_Type *ev = &open->EP_events.v[open->EP_events.n - 1];
    if (ev->EV_kind != (uint32_t)kind || ev->EV_job_number != job || ev->EV_slots != slots)
        return NULL;
    if ((queue == NULL) != (ev->EV_queue == NULL) ||
        (queue != NULL && strcmp(queue, ev->EV_queue) != 0))
        return NULL;
    return ev;
}

static struct range_set *ids_of(struct qmaster *q, enum event_kind kind, uint32_t job,
                                const char *queue, uint32_t slots)
{
    struct EV_Type *ev = last_like(q, kind, job, queue, slots);
    if (ev == NULL) {
        ev = add(q, kind);
        cull_set(ev, EV_job_number, job);
        if (queue != NULL) {
            cull_set(ev, EV_queue, queue);
            cull_set(ev, EV_slots, slots);
        }
    }
    return cull_ranges(ev, EV_ids);
}

static void copy_job(struct qmaster *q, struct EV_Type *ev, const struct job *job)
{
    struct JB_Type *rec = cull_append(ev, EV_jobs);
    for (unsigned f = 0; f < JB_Type_FIELDS; f++)
        if ((cull_JB_Type.fields[f].flags & (JOB_TO_SCHEDD | JOB_IN_CATEGORY)) != 0 &&
            cull_is_present(&job->rec, f))
            cull_copy_field(&cull_JB_Type, rec, &job->rec, f);
    cull_set(rec, JB_ja_task_concurrency, settings_concurrency(&q->settings, &job->rec));
    q->events->open_bytes += job->bytes;
}

void events_job_add(struct qmaster *q, struct job *job)
{
    if (!is_known(q, job->rec.JB_job_number))
        return;
    struct EV_Type *ev = add(q, EV_JOB_ADD);
    copy_job(q, ev, job);
    job_startable(job, &job->unfinished, cull_ranges(ev, EV_ids));
}

void events_job_mod(struct qmaster *q, struct job *job)
{
    if (is_known(q, job->rec.JB_job_number))
        copy_job(q, add(q, EV_JOB_MOD), job);
}

void events_job_del(struct qmaster *q, struct job *job)
{
    if (!is_known(q, job->rec.JB_job_number))
        return;
    struct EV_Type *ev = add(q, EV_JOB_DEL);
    cull_set(ev, EV_job_number, job->rec.JB_job_number);
}

void events_tasks_ready(struct qmaster *q, struct job *job, const struct range_set *ids)
{
    if (is_known(q, job->rec.JB_job_number))
        range_set_unite(ids_of(q, EV_TASKS_READY, job->rec.JB_job_number, NULL, 0), ids);
}

void events_tasks_startable(struct qmaster *q, struct job *job, const struct range_set *ids)
{
    struct range_set startable = { 0 };
    job_startable(job, ids, &startable);
    if (!range_set_is_empty(&startable))
        events_tasks_ready(q, job, &startable);
    range_set_free(&startable);
}

void events_tasks_unready(struct qmaster *q, struct job *job, const struct range_set *ids)
{
    if (is_known(q, job->rec.JB_job_number))
        range_set_unite(ids_of(q, EV_TASKS_UNREADY, job->rec.JB_job_number, NULL, 0), ids);
}

void events_task_ready(struct qmaster *q, struct job *job, uint32_t ordinal)
{
    if (is_known(q, job->rec.JB_job_number))
        range_set_add(ids_of(q, EV_TASKS_READY, job->rec.JB_job_number, NULL, 0), ordinal, ordinal);
}

static void slots_event(struct qmaster *q, enum event_kind kind, const struct task *t)
{
    uint32_t job = t->job->rec.JB_job_number;
    if (is_known(q, job))
        range_set_add(ids_of(q, kind, job, t->rec.JAT_queue, t->rec.JAT_slots), t->ordinal,
                      t->ordinal);
}

void events_task_started(struct qmaster *q, struct task *t)
{
    slots_event(q, EV_TASKS_STARTED, t);
}

void events_task_ended(struct qmaster *q, struct task *t)
{
    slots_event(q, EV_TASKS_ENDED, t);
}

void events_order_undone(struct qmaster *q, uint32_t job, const struct range_set *ids,
                         const char *queue, uint32_t slots)
{
    if (q->events->conn != 0 && queue != NULL)
        range_set_unite(ids_of(q, EV_TASKS_ENDED, job, queue, slots), ids);
}

static void queue_event(struct qmaster *q, enum event_kind kind, struct qinstance *qi)
{
    static const unsigned fields[] = { QU_full_name, QU_qname, QU_qhostname, QU_job_slots,
                                       QU_seq_no,    QU_qtype, QU_hostgroups };
    if (q->events->conn == 0)
        return;
    struct EV_Type *ev = add(q, kind);
    struct QU_Type *rec = cull_append(ev, EV_queues);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        cull_copy_field(&cull_QU_Type, rec, &qi->rec, fields[i]);
    /* whether tasks may start is all the scheduler needs; a host that is not connected counts as unknown */
    cull_set(rec, QU_state, qi->rec.QU_state | (qi->host->conn == 0 ? (uint32_t)QI_UNKNOWN : 0));
}

void events_queue_add(struct qmaster *q, struct qinstance *qi)
{
    queue_event(q, EV_QUEUE_ADD, qi);
}

void events_queue_mod(struct qmaster *q, struct qinstance *qi)
{
    queue_event(q, EV_QUEUE_MOD, qi);
}

void events_queue_del(struct qmaster *q, const char *full_name)
{
    if (q->events->conn == 0)
        return;
    struct EV_Type *ev = add(q, EV_QUEUE_DEL);
    cull_set(ev, EV_queue, full_name);
}

void events_conf(struct qmaster *q, const struct CONF_Type *conf)
{
    if (q->events->conn == 0)
        return;
    struct EV_Type *ev = add(q, EV_CONF);
    struct CONF_Type *rec = cull_append(ev, EV_confs);
    cull_copy(&cull_CONF_Type, rec, conf);
}

void events_trigger(struct qmaster *q)
{
    if (q->events->conn != 0)
        add(q, EV_TRIGGER);
}

/* ---- registration ---- */
static void stream_queues(struct qmaster *q)
{
    struct qinstance *qi, *next;
    HASH_ITER(hh, q->queues.instances, qi, next) {
        events_queue_add(q, qi);
    }
    struct conf *conf = settings_conf(&q->settings, CONF_SCHEDULER);
    if (conf != NULL)
        events_conf(q, &conf->rec);
}

void events_on_register(struct qmaster *q, struct session *s, struct frame *f)
{
    struct events *e = q->events;
    (void)f;
    if (e->conn != 0 && e->conn != s->conn)
        comm_server_close(net_server(q->net), e->conn);
    forget_client(e);
    e->conn = s->conn;
    stream_queues(q);
}

static void stream_job(struct qmaster *q, struct job *job)
{
    q->events->cursor = (uint64_t)job->rec.JB_job_number + 1;
    events_job_add(q, job);
    for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t))
        if (task_holds_slots(t))
            events_task_started(q, t);
}

bool events_step(struct qmaster *q)
{
    struct events *e = q->events;
    if (e->conn == 0 || e->cursor == UINT64_MAX ||
        e->package - e->acknowledged >= MAX_UNACKNOWLEDGED)
        return false;
    struct job *job =
        e->cursor > UINT32_MAX ? NULL : jobs_at_or_after(&q->jobs, (uint32_t)e->cursor);
    for (int n = 0; job != NULL && n < STEP_JOBS && e->open_bytes < STEP_BYTES;
         n++, job = jobs_next(job))
        stream_job(q, job);
    if (job != NULL)
        return true;
    e->cursor = UINT64_MAX;
    add(q, EV_SYNCED);
    return false;
}

void events_on_ack(struct qmaster *q, struct session *s, struct frame *f)
{
    struct EP_Type ack = { 0 };
    struct answer ans = ANSWER_INIT;
    if (events_is_scheduler(q, s->conn) &&
        session_unpack(q, s, f, &cull_EP_Type, &ack, &ans) == 0 &&
        ack.EP_number > q->events->acknowledged && ack.EP_number <= q->events->package) {
        q->events->acknowledged = ack.EP_number;
        q->events->silent_us = q->now_us;
    }
    log_answer(&ans);
    ans_free(&ans);
    cull_clear(&cull_EP_Type, &ack);
}

void events_on_closed(struct qmaster *q, uint64_t conn)
{
    if (events_is_scheduler(q, conn))
        forget_client(q->events);
}

void events_start_anew(struct qmaster *q)
{
    struct events *e = q->events;
    if (e->conn == 0)
        return;
    comm_server_close(net_server(q->net), e->conn);
    forget_client(e);
}

void events_flush(struct qmaster *q)
{
    struct events *e = q->events;
    if (e->open_bytes > BACKLOG_BYTES && e->package - e->acknowledged >= MAX_UNACKNOWLEDGED) {
        log_msg(LOG_LEVEL_WARNING, MSG_SCHEDD_BEHIND_Z, e->open_bytes);
        events_start_anew(q);
    }
    if (e->conn == 0 || e->open.EP_events.n == 0 ||
        e->package - e->acknowledged >= MAX_UNACKNOWLEDGED)
        return;
    struct packer p = { 0 };
    if (e->package == e->acknowledged)
        e->silent_us = q->now_us;
    cull_set(&e->open, EP_number, ++e->package);
    cull_pack(&p, &cull_EP_Type, &e->open, NULL);
    cull_clear(&cull_EP_Type, &e->open);
    e->open_bytes = 0;
    change_send(q, 0, e->conn, GDI_FRAME_EVENTS, 0, p.data, p.len);
}

void events_check(struct qmaster *q)
{
    struct events *e = q->events;
    if (e->conn == 0 || e->package == e->acknowledged || q->now_us - e->silent_us < PATIENCE_US)
        return;
    log_msg(LOG_LEVEL_ERROR, MSG_SCHEDD_SILENT_U, (unsigned)(PATIENCE_US / 1000000));
    schedd_kill(q->schedd);
    events_start_anew(q);
}
