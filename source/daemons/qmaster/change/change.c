/* Collects one batch at a time. Jobs, tasks and ended chunks that changed are remembered (marks.h)
 * and packed when the batch is handed over, or before if they are many; so a batch of 64 ends of
 * one array rewrites its bitmap chunk once. Invariants: at most one batch is with the committer
 * (number `given`); the one collected has number `given` + 1; it is handed over when nothing is
 * marked, so that what it writes is the state of one moment. */
#include "daemons/qmaster/change/change.h"

#include <stdlib.h>

#include "daemons/qmaster/change/marks.h"
#include "daemons/qmaster/change/msg_change.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/io/net.h"
#include "libs/comm/server.h"
#include "libs/cull/pack.h"
#include "libs/spool/records.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

struct change {
    struct batch *open;
    uint64_t given;          /* number of the last batch handed over */
    uint64_t durable;        /* last one on disk */
    size_t removed_bytes;    /* of records that go with the batch: the log has those, too */
    uint64_t outbox_deleted; /* outbox records up to here are deleted */
    struct marks *marks;     /* what the batch has to write beside what is in it */
    uint64_t answers_id;     /* of the tables that kept answers are packed with */
};

struct change *change_new(uint64_t first_number)
{
    struct change *c = uti_calloc(1, sizeof *c);
    c->open = batch_new(first_number);
    c->marks = marks_new();
    c->answers_id = gdi_schema_id();
    c->given = c->durable = c->outbox_deleted = first_number - 1;
    return c;
}

void change_free(struct change *c)
{
    if (c == NULL)
        return;
    marks_free(c->marks);
    batch_free(c->open);
    free(c);
}

uint64_t change_number(const struct qmaster *q)
{
    return q->change->open->number;
}

uint64_t change_durable(const struct qmaster *q)
{
    return q->change->durable;
}

static void put_record(struct qmaster *q, enum spool_table t, struct packer *key,
                       struct packer *value)
{
    batch_put(q->change->open->spool, t, key, value);
}

void change_job(struct qmaster *q, struct job *job)
{
    struct change *c = q->change;
    job->changed = c->open->number;
    marks_job(c->marks, job);
}

static void put_next_number(struct qmaster *q)
{
    struct packer key = { 0 }, value = { 0 };
    pack_bytes(&key, "next_job", 8);
    pack_varint(&value, q->jobs.next_number);
    pack_varint(&value, q->jobs.round);
    put_record(q, SPOOL_META, &key, &value);
}

void change_job_new(struct qmaster *q, struct job *job)
{
    change_job(q, job);
    put_next_number(q);
}

struct spool_batch *change_batch(struct qmaster *q)
{
    return q->change->open->spool;
}

void change_script_piece(struct qmaster *q, uint32_t job, uint32_t n, const char *text, size_t len)
{
    struct packer key = job_key(job), value = { 0 };
    pack_u32be(&key, n);
    if (text == NULL) {
        spool_del(q->change->open->spool, SPOOL_JOB_PIECE, key.data, key.len);
        packer_free(&key);
        return;
    }
    if (n == 0)
        put_next_number(q);
    pack_bytes(&value, text, len);
    put_record(q, SPOOL_JOB_PIECE, &key, &value);
}

void change_job_gone(struct qmaster *q, struct job *job)
{
    struct spool_batch *b = q->change->open->spool;
    struct packer key = job_key(job->rec.JB_job_number);
    marks_job_gone(q->change->marks, job->rec.JB_job_number);
    spool_del(b, SPOOL_JOB, key.data, key.len);
    spool_del(b, SPOOL_JOB_SCRIPT, key.data, key.len);
    spool_del(b, SPOOL_JOB_ENV, key.data, key.len);
    spool_del_prefix(b, SPOOL_TASK, key.data, key.len);
    spool_del_prefix(b, SPOOL_ENDED, key.data, key.len);
    packer_free(&key);
    spool_records_gone(q->records, SPOOL_JOB, job->rec.JB_job_number);
    spool_records_gone(q->records, SPOOL_JOB_ENV, job->rec.JB_job_number);
    spool_records_gone(q->records, SPOOL_TASK, job->rec.JB_job_number);
    q->change->removed_bytes += job_record_bytes(job);
    q->jobs.removed = q->change->open->number;
}

static void mark_task(struct qmaster *q, struct job *job, uint32_t ordinal)
{
    struct change *c = q->change;
    job->changed = c->open->number;
    marks_task(c->marks, job->rec.JB_job_number, ordinal);
}

void change_task_later(struct qmaster *q, struct task *t)
{
    marks_task_later(q->change->marks, t->rec.JAT_job_number, t->ordinal);
}

void change_all_later(struct qmaster *q)
{
    marks_all_later(q->change->marks);
}

void change_task(struct qmaster *q, struct task *t)
{
    mark_task(q, t->job, t->ordinal);
}

void change_task_gone(struct qmaster *q, struct job *job, uint32_t ordinal)
{
    mark_task(q, job, ordinal);
}

void change_ended(struct qmaster *q, struct job *job, const struct range_set *ended)
{
    struct change *c = q->change;
    struct range run;
    job->changed = c->open->number;
    for (uint64_t at = 0; range_set_next_run(ended, at, &run);) {
        uint32_t chunk = run.first / SPOOL_ENDED_SPAN;
        marks_ended(c->marks, job->rec.JB_job_number, chunk);
        at = (uint64_t)(chunk + 1) *
             SPOOL_ENDED_SPAN; /* the rest of the run too: a run may be cut anywhere */
    }
}

void change_record(struct qmaster *q, enum spool_table table, const char *name,
                   const struct cull_type *t, const void *o)
{
    struct packer key = { 0 }, value = { 0 };
    pack_bytes(&key, name, strlen(name));
    spool_record_pack(q->records, &value, (struct spool_key){ table, key.data, key.len }, t, o);
    put_record(q, table, &key, &value);
}

void change_record_forget(struct qmaster *q, enum spool_table table, const char *name)
{
    spool_record_gone(q->records, (struct spool_key){ table, name, strlen(name) });
}

void change_records_gone(struct qmaster *q, enum spool_table table, const char *prefix)
{
    spool_del_prefix(q->change->open->spool, table, prefix, strlen(prefix));
}

void change_record_gone(struct qmaster *q, enum spool_table table, const char *name)
{
    change_record_forget(q, table, name);
    spool_del(q->change->open->spool, table, name, strlen(name));
}

void change_schema(struct qmaster *q)
{
    spool_records_stage(q->records, q->change->open->spool);
}

void change_accounting_left(struct qmaster *q, const char *lines)
{
    dstr_add(&q->change->open->accounting, lines);
}

void change_accounting(struct qmaster *q, const char *line)
{
    if (q->settings.has_accounting)
        change_accounting_left(q, line);
}

void change_reporting(struct qmaster *q, const char *line)
{
    struct dstr *lines = &q->change->open->reporting;
    if (lines->len < CHANGE_REPORTING_MOST)
        dstr_add(lines, line);
    else
        log_msg(LOG_LEVEL_WARNING, MSG_REPORTING_LOST);
}

void change_mail(struct qmaster *q, struct mail *m)
{
    STAILQ_INSERT_TAIL(&q->change->open->mails, m, next);
}

const struct mail_list *change_mails(const struct qmaster *q)
{
    return &q->change->open->mails;
}

void change_request(struct qmaster *q, const char *request_id, uint32_t job_number,
                    const void *answer, size_t len)
{
    struct packer key = { 0 }, value = { 0 };
    pack_bytes(&key, request_id, strlen(request_id));
    pack_varint(&value, job_number);
    pack_varint(&value, q->now_s);
    if (len > 0) {
        pack_varint(&value, q->change->answers_id);
        pack_bytes(&value, answer, len);
    }
    put_record(q, SPOOL_REQUEST, &key, &value);
}

void change_request_gone(struct qmaster *q, const char *request_id)
{
    spool_del(q->change->open->spool, SPOOL_REQUEST, request_id, strlen(request_id));
}

void change_send(struct qmaster *q, uint64_t after, uint64_t conn, uint8_t kind, uint32_t serial,
                 uint8_t *body, size_t len)
{
    struct change *c = q->change;
    if (len >
        COMM_BODY_MAX) { /* cannot be: whoever collects stops long before. The peer alone is to suffer for it */
        log_msg(LOG_LEVEL_ERROR, MSG_FRAME_TOO_LONG_UZ, kind, len);
        comm_server_close(net_server(q->net), conn);
        free(body);
        return;
    }
    if (after <= c->durable) {
        comm_server_send(net_server(q->net), conn, kind, serial, body, len);
        return;
    }
    struct outgoing *p = uti_calloc(1, sizeof *p);
    *p =
        (struct outgoing){ .conn = conn, .kind = kind, .serial = serial, .body = body, .len = len };
    if (after == c->open->number)
        STAILQ_INSERT_TAIL(&c->open->outgoing, p, next);
    else
        committer_send_after(q->committer, after, p);
}

void change_answer(struct qmaster *q, uint64_t after, uint64_t conn, uint32_t serial,
                   struct GA_Type *ga)
{
    struct packer p = { 0 };
    cull_pack(&p, &cull_GA_Type, ga, NULL);
    cull_clear(&cull_GA_Type, ga);
    change_send(q, after, conn, GDI_FRAME_ANSWER, serial, p.data, p.len);
}

static void put_key_u64(struct packer *key, uint64_t number)
{
    pack_u32be(key, (uint32_t)(number >> 32));
    pack_u32be(key, (uint32_t)number);
}

static void stage_outbox(struct qmaster *q)
{
    struct change *c = q->change;
    if (c->open->accounting.len == 0)
        return;
    struct packer key = { 0 }, value = { 0 };
    put_key_u64(&key, c->open->number);
    pack_bytes(&value, dstr_get(&c->open->accounting), c->open->accounting.len);
    put_record(q, SPOOL_OUTBOX, &key, &value);
}

/* outbox records whose lines are on disk in the accounting file go with the next batch that is
 * written anyway */
static void drop_outbox(struct qmaster *q)
{
    struct change *c = q->change;
    uint64_t synced = committer_synced_accounting(q->committer);
    while (c->outbox_deleted < synced) {
        struct packer key = { 0 };
        put_key_u64(&key, ++c->outbox_deleted);
        batch_del(c->open->spool, SPOOL_OUTBOX, &key);
    }
}

/* is there anything that must be written? */
static bool has_records(const struct qmaster *q)
{
    const struct change *c = q->change;
    return !spool_batch_is_empty(c->open->spool) || !marks_is_empty(c->marks) ||
           !TAILQ_EMPTY(&q->usage.marked) || q->usage.is_clock_marked;
}

/* ---- usage ---- */
static void pack_usage(struct qmaster *q, const char *key,
                       void (*fill)(const struct usage *u, const struct usage_pair *p,
                                    struct UP_Type *out),
                       const struct usage_pair *p)
{
    struct UP_Type rec = { 0 };
    fill(&q->usage, p, &rec);
    change_record(q, SPOOL_USAGE, key, &cull_UP_Type, &rec);
    cull_clear(&cull_UP_Type, &rec);
}

/* all that is marked, or what there is time for */
static void stage_usage(struct qmaster *q)
{
    struct usage *u = &q->usage;
    struct usage_pair *p;
    if (u->is_clock_marked)
        pack_usage(q, USAGE_CLOCK_KEY, usage_clock_record, NULL);
    u->is_clock_marked = false;
    while ((p = TAILQ_FIRST(&u->marked)) != NULL) {
        pack_usage(q, p->key, usage_record, p);
        TAILQ_REMOVE(&u->marked, p, in_marked);
        p->is_marked = false;
        p->is_stored = true;
        if (slice_is_over(q))
            return;
    }
}

void change_usage_gone(struct qmaster *q, const struct usage_pair *p)
{
    if (p->is_stored)
        change_record_gone(q, SPOOL_USAGE, p->key);
}

size_t change_unpacked(const struct qmaster *q)
{
    return marks_bytes(q->change->marks);
}

bool change_pack(struct qmaster *q)
{
    struct change *c = q->change;
    marks_pack(q, c->marks, c->open->spool, MARKS_KEPT_BYTES);
    return marks_bytes(c->marks) <= MARKS_KEPT_BYTES;
}

/* all of it, or what there is time for; true when nothing is left */
static bool pack_all(struct qmaster *q)
{
    struct change *c = q->change;
    if (!has_records(q))
        return true;
    change_all_later(q);
    marks_pack(q, c->marks, c->open->spool, 0);
    if (!marks_is_empty(c->marks))
        return false;
    stage_usage(q);
    return TAILQ_EMPTY(&q->usage.marked);
}

void change_outbox_gone(struct qmaster *q)
{
    spool_del_prefix(q->change->open->spool, SPOOL_OUTBOX, "", 0);
}

void change_set_durable(struct qmaster *q, uint64_t number)
{
    q->change->durable = number;
}

bool change_is_settled(const struct qmaster *q)
{
    const struct change *c = q->change;
    return c->durable == c->given && STAILQ_EMPTY(&c->open->outgoing) &&
           c->open->reporting.len == 0 && STAILQ_EMPTY(&c->open->mails) && !has_records(q);
}

size_t change_weight(const struct qmaster *q)
{
    const struct change *c = q->change;
    return spool_batch_bytes(c->open->spool) + marks_bytes(c->marks) + c->removed_bytes;
}

bool change_is_full(const struct qmaster *q)
{
    return change_weight(q) >= CHANGE_FULL_BYTES &&
           committer_trouble(q->committer) == COMMITTER_WORKS;
}

bool change_is_free(const struct qmaster *q)
{
    return q->change->durable == q->change->given;
}

bool change_is_behind(const struct qmaster *q)
{
    bool is_free = change_is_free(q);
    return marks_bytes(q->change->marks) > (is_free ? 0 : MARKS_KEPT_BYTES) ||
           (is_free && !TAILQ_EMPTY(&q->usage.marked));
}

static void give_batch(struct qmaster *q)
{
    struct change *c = q->change;
    stage_outbox(q);
    drop_outbox(q);
    struct batch *b = c->open;
    b->reporting_flush_s = q->settings.flush_s;
    b->accounting_flush_s = q->settings.accounting_flush_s;
    c->given = b->number;
    c->open = batch_new(b->number + 1);
    c->removed_bytes = 0;
    committer_give(q->committer, b);
}

void change_commit(struct qmaster *q)
{
    struct change *c = q->change;
    comm_server_flush(net_server(q->net));
    if (!change_is_free(q)) {
        change_pack(q); /* while it is busy we collect on */
        return;
    }
    if (!pack_all(q))
        return;
    if (!spool_batch_is_empty(c->open->spool) || !STAILQ_EMPTY(&c->open->outgoing) ||
        c->open->reporting.len > 0 || !STAILQ_EMPTY(&c->open->mails))
        give_batch(q);
}

/* ---- configurations ---- */
/* Records of the administrator's objects on their way to the spool: which table and key each
 * has. */
void config_stage_names(struct qmaster *q, enum admin_list list)
{
    struct TX_Type all = { 0 };
    struct name *n, *next;
    HASH_ITER(hh, q->settings.names[list], n, next) {
        struct VA_Type *va = cull_append(&all, TX_entries);
        cull_set(va, VA_variable, n->rec.NM_name);
    }
    q->settings.changed = change_number(q);
    change_record(q, SPOOL_NAMES, settings_list_keys[list], &cull_TX_Type, &all);
    cull_clear(&cull_TX_Type, &all);
}

/* plain objects of all kinds share a table */
static void text_key(const struct TX_Type *rec, struct dstr *out)
{
    dstr_addf(out, "%u %s", rec->TX_kind, rec->TX_name);
}

void config_stage_text(struct qmaster *q, const struct TX_Type *rec)
{
    struct dstr key = DSTR_INIT;
    text_key(rec, &key);
    q->settings.changed = change_number(q);
    change_record(q, SPOOL_TEXT, dstr_get(&key), &cull_TX_Type, rec);
    dstr_free(&key);
}

void config_stage_text_gone(struct qmaster *q, const struct TX_Type *rec)
{
    struct dstr key = DSTR_INIT;
    text_key(rec, &key);
    q->settings.changed = change_number(q);
    change_record_gone(q, SPOOL_TEXT, dstr_get(&key));
    dstr_free(&key);
}
