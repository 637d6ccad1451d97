/* Collects one batch at a time. Jobs, tasks and ended chunks that changed are remembered and packed once, when the batch is handed over;
 * so a batch of 64 ends of one array rewrites its bitmap chunk once.
 * Invariant: at most one batch is with the committer (number `given`); the one collected has number `given` + 1. */
#include "daemons/qmaster/change.h"

#include <stdlib.h>

#include "daemons/qmaster/committer.h"
#include "daemons/qmaster/depend.h"
#include "daemons/qmaster/events.h"
#include "daemons/qmaster/exec.h"
#include "daemons/qmaster/job_files.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/net.h"
#include "daemons/qmaster/shares.h"
#include "libs/comm/server.h"
#include "libs/cull/pack.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

struct mark { /* something to be written when the batch is handed over */
    uint64_t
        key; /* job number in the upper half; below it nothing, a chunk of ended ordinals, or an ordinal */
    UT_hash_handle hh;
};

struct change {
    struct batch *open;
    uint64_t given;          /* number of the last batch handed over */
    uint64_t durable;        /* last one on disk */
    uint64_t outbox_deleted; /* outbox records up to here are deleted */
    struct mark *jobs, *chunks, *tasks;
    struct mark *later; /* tasks to be written with the next batch, whatever that is for */
};

struct change *change_new(uint64_t first_number)
{
    struct change *c = uti_calloc(1, sizeof *c);
    c->open = batch_new(first_number);
    c->given = c->durable = c->outbox_deleted = first_number - 1;
    return c;
}

static uint64_t pair(uint32_t job, uint32_t low)
{
    return (uint64_t)job << 32 | low;
}

static void mark(struct mark **set, uint64_t key)
{
    struct mark *m;
    HASH_FIND_U64(*set, &key, m);
    if (m != NULL)
        return;
    m = uti_calloc(1, sizeof *m);
    m->key = key;
    HASH_ADD_U64(*set, key, m);
}

static void unmark(struct mark **set, uint64_t key)
{
    struct mark *m;
    HASH_FIND_U64(*set, &key, m);
    if (m == NULL)
        return;
    HASH_DEL(*set, m);
    free(m);
}

static void unmark_all(struct mark **set)
{
    struct mark *m, *next;
    HASH_ITER(hh, *set, m, next) {
        HASH_DEL(*set, m);
        free(m);
    }
}

static void unmark_everything(struct change *c)
{
    unmark_all(&c->jobs);
    unmark_all(&c->chunks);
    unmark_all(&c->tasks);
    unmark_all(&c->later);
}

void change_free(struct change *c)
{
    if (c == NULL)
        return;
    unmark_everything(c);
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

static struct packer job_key(uint32_t job)
{
    struct packer key = { 0 };
    pack_u32be(&key, job);
    return key;
}

static void put(struct qmaster *q, enum spool_table t, struct packer *key, struct packer *value)
{
    spool_put(q->change->open->spool, t, key->data, key->len, value->data, value->len);
    packer_free(key);
    packer_free(value);
}

static void del(struct qmaster *q, enum spool_table t, struct packer *key)
{
    spool_del(q->change->open->spool, t, key->data, key->len);
    packer_free(key);
}

void change_job(struct qmaster *q, struct job *job)
{
    struct change *c = q->change;
    job->changed = c->open->number;
    mark(&c->jobs, pair(job->rec.JB_job_number, 0));
}

static void put_next_number(struct qmaster *q)
{
    struct packer key = { 0 }, value = { 0 };
    pack_bytes(&key, "next_job", 8);
    pack_varint(&value, q->jobs.next_number);
    pack_varint(&value, q->jobs.round);
    put(q, SPOOL_META, &key, &value);
}

void change_job_new(struct qmaster *q, struct job *job)
{
    change_job(q, job);
    put_next_number(q);
    change_job_files(q, job);
}

void change_job_files(struct qmaster *q, struct job *job)
{
    job->changed = change_number(q);
    job_files_stage(job, q->change->open->spool);
}

void change_job_env(struct qmaster *q, uint32_t number, const struct JB_Type *files)
{
    struct packer key = job_key(number), value = { 0 };
    cull_pack(&value, &cull_JB_Type, files, NULL);
    put(q, SPOOL_JOB_ENV, &key, &value);
}

void change_job_gone(struct qmaster *q, struct job *job)
{
    struct spool_batch *b = q->change->open->spool;
    struct packer key = job_key(job->rec.JB_job_number);
    unmark(&q->change->jobs, pair(job->rec.JB_job_number, 0));
    spool_del(b, SPOOL_JOB, key.data, key.len);
    spool_del(b, SPOOL_JOB_SCRIPT, key.data, key.len);
    spool_del(b, SPOOL_JOB_ENV, key.data, key.len);
    spool_del_prefix(b, SPOOL_TASK, key.data, key.len);
    spool_del_prefix(b, SPOOL_ENDED, key.data, key.len);
    packer_free(&key);
    q->jobs.removed = q->change->open->number;
}

static void mark_task(struct qmaster *q, struct job *job, uint32_t ordinal)
{
    struct change *c = q->change;
    job->changed = c->open->number;
    mark(&c->tasks, pair(job->rec.JB_job_number, ordinal));
}

void change_task_later(struct qmaster *q, struct task *t)
{
    mark(&q->change->later, pair(t->rec.JAT_job_number, t->ordinal));
}

void change_all_later(struct qmaster *q)
{
    struct change *c = q->change;
    for (const struct mark *m = c->later; m != NULL; m = m->hh.next)
        mark(&c->tasks, m->key);
    unmark_all(&c->later);
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
        mark(&c->chunks, pair(job->rec.JB_job_number, chunk));
        at = (uint64_t)(chunk + 1) *
             SPOOL_ENDED_SPAN; /* the rest of the run too: a run may be cut anywhere */
    }
}

enum { WORD_BITS = 64, CHUNK_WORDS = SPOOL_ENDED_SPAN / WORD_BITS, CHUNKS_OF_A_LOOK = 32 };

/* the unfinished tasks of the job whose chunks are being packed, as bits; of a batch with few chunks nothing is kept */
struct seen_job {
    const struct job *job; /* NULL: none yet */
    uint64_t *words;       /* owned */
    bool is_worth_it;
};

static void seen_job_chunk(struct seen_job *seen, const struct job *job, uint32_t chunk,
                           uint64_t *out)
{
    if (!seen->is_worth_it) {
        range_set_bits(&job->unfinished, chunk * SPOOL_ENDED_SPAN, out, CHUNK_WORDS);
        return;
    }
    if (seen->job != job) {
        uint32_t chunks = (job_task_count(&job->rec) - 1) / SPOOL_ENDED_SPAN + 1;
        free(seen->words);
        seen->words = uti_alloc((size_t)chunks * CHUNK_WORDS * sizeof *seen->words);
        range_set_bits(&job->unfinished, 0, seen->words, chunks * CHUNK_WORDS);
        seen->job = job;
    }
    memcpy(out, seen->words + (size_t)chunk * CHUNK_WORDS, CHUNK_WORDS * sizeof *out);
}

static void put_job(struct qmaster *q, struct job *job)
{
    struct packer key = job_key(job->rec.JB_job_number), value = { 0 };
    depend_tidy(job);
    cull_pack_spool(&value, &cull_JB_Type, &job->rec);
    job->bytes = value.len;
    jobs_set_share(&q->jobs, job, share_of(&job->rec, value.len));
    put(q, SPOOL_JOB, &key, &value);
}

static void put_task(struct qmaster *q, uint64_t id)
{
    struct job *job = jobs_find(&q->jobs, (uint32_t)(id >> 32));
    if (job == NULL)
        return; /* gone in the same batch, with its records */
    struct packer key = job_key((uint32_t)(id >> 32)), value = { 0 };
    pack_u32be(&key, (uint32_t)id);
    struct task *t = job_task(job, (uint32_t)id);
    if (t == NULL) {
        del(q, SPOOL_TASK, &key);
        return;
    }
    cull_pack_spool(&value, &cull_JAT_Type, &t->rec);
    put(q, SPOOL_TASK, &key, &value);
}

/* What of a chunk is not unfinished. A job that has many chunks in a batch is looked at once. */
static void put_chunk(struct qmaster *q, uint64_t id, struct seen_job *seen)
{
    uint64_t ended[CHUNK_WORDS];
    struct job *job = jobs_find(&q->jobs, (uint32_t)(id >> 32));
    if (job == NULL)
        return;
    uint32_t chunk = (uint32_t)id, count = job_task_count(&job->rec);
    struct packer key = job_key((uint32_t)(id >> 32)), value = { 0 };
    seen_job_chunk(seen, job, chunk, ended);
    uint32_t beyond = (chunk + 1) * SPOOL_ENDED_SPAN - count; /* bits that are no tasks */
    for (uint32_t i = 0; i < CHUNK_WORDS; i++)
        ended[i] = ~ended[i];
    if ((uint64_t)(chunk + 1) * SPOOL_ENDED_SPAN > count)
        for (uint32_t bit = SPOOL_ENDED_SPAN - beyond; bit < SPOOL_ENDED_SPAN; bit++)
            ended[bit / WORD_BITS] &= ~(UINT64_C(1) << bit % WORD_BITS);
    pack_u32be(&key, chunk);
    pack_bits(&value, chunk * SPOOL_ENDED_SPAN, ended, CHUNK_WORDS);
    put(q, SPOOL_ENDED, &key, &value);
}

void change_record(struct qmaster *q, enum spool_table table, const char *name,
                   const struct cull_type *t, const void *o)
{
    struct packer key = { 0 }, value = { 0 };
    pack_bytes(&key, name, strlen(name));
    cull_pack_spool(&value, t, o);
    put(q, table, &key, &value);
}

void change_record_gone(struct qmaster *q, enum spool_table table, const char *name)
{
    spool_del(q->change->open->spool, table, name, strlen(name));
}

void change_schema(struct qmaster *q)
{
    struct packer key = { 0 }, value = { 0 };
    pack_bytes(&key, "schema", 6);
    cull_schema_pack(&value, gdi_schema());
    put(q, SPOOL_META, &key, &value);
}

void change_accounting(struct qmaster *q, const char *line)
{
    dstr_add(&q->change->open->accounting, line);
}

void change_request(struct qmaster *q, const char *request_id, uint32_t job_number,
                    const void *answer, size_t len)
{
    struct packer key = { 0 }, value = { 0 };
    pack_bytes(&key, request_id, strlen(request_id));
    pack_varint(&value, job_number);
    pack_varint(&value, q->now_s);
    if (len > 0)
        pack_bytes(&value, answer, len);
    put(q, SPOOL_REQUEST, &key, &value);
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
    struct parcel *p = uti_calloc(1, sizeof *p);
    *p = (struct parcel){ .conn = conn, .kind = kind, .serial = serial, .body = body, .len = len };
    if (after == c->open->number)
        STAILQ_INSERT_TAIL(&c->open->parcels, p, next);
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
    put(q, SPOOL_OUTBOX, &key, &value);
}

/* outbox records whose lines are on disk in the accounting file go with the next batch that is written anyway */
static void drop_outbox(struct qmaster *q)
{
    struct change *c = q->change;
    uint64_t synced = committer_synced_accounting(q->committer);
    while (c->outbox_deleted < synced) {
        struct packer key = { 0 };
        put_key_u64(&key, ++c->outbox_deleted);
        del(q, SPOOL_OUTBOX, &key);
    }
}

/* is there anything that must be written? */
static bool has_records(const struct change *c)
{
    return !spool_batch_is_empty(c->open->spool) || c->jobs != NULL || c->tasks != NULL ||
           c->chunks != NULL;
}

static void pack_marked(struct qmaster *q)
{
    struct change *c = q->change;
    if (!has_records(c))
        return;
    change_all_later(q);
    for (const struct mark *m = c->jobs; m != NULL; m = m->hh.next) {
        struct job *job = jobs_find(&q->jobs, (uint32_t)(m->key >> 32));
        if (job != NULL)
            put_job(q, job);
    }
    for (const struct mark *m = c->tasks; m != NULL; m = m->hh.next)
        put_task(q, m->key);
    struct seen_job seen = { .is_worth_it = HASH_COUNT(c->chunks) > CHUNKS_OF_A_LOOK };
    for (const struct mark *m = c->chunks; m != NULL; m = m->hh.next)
        put_chunk(q, m->key, &seen);
    free(seen.words);
    unmark_everything(c);
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
    return c->durable == c->given && STAILQ_EMPTY(&c->open->parcels) && !has_records(c);
}

void change_commit(struct qmaster *q)
{
    struct change *c = q->change;
    events_flush(q);
    exec_flush(q);
    comm_server_flush(net_server(q->net));
    if (c->durable != c->given)
        return; /* the committer is busy: collect on */
    pack_marked(q);
    if (spool_batch_is_empty(c->open->spool) && STAILQ_EMPTY(&c->open->parcels))
        return;
    stage_outbox(q);
    drop_outbox(q);
    struct batch *b = c->open;
    c->given = b->number;
    c->open = batch_new(b->number + 1);
    committer_give(q->committer, b);
}
