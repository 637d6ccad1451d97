/* Remembers which records have changed, and packs them. Invariants: a record is marked once, in the
 * order of the first change since it was packed last; `bytes` is the sum of what the marks are
 * expected to take. */
#include "daemons/qmaster/change/marks.h"

#include <stdlib.h>

#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/shares.h"
#include "libs/spool/records.h"
#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"

enum mark_kind { MARK_JOB, MARK_TASK, MARK_ENDED };
struct mark_key { /* hashed as bytes: no padding */
    uint32_t kind, job;
    uint32_t low; /* a task's ordinal, or a chunk of ended ordinals */
};
struct mark {
    struct mark_key key;
    size_t bytes;
    UT_hash_handle hh;
};
struct marks {
    struct mark *now;
    struct mark *later; /* tasks to be written with the next batch, whatever that is for */
    size_t bytes;       /* of `now` */
};

/* about what packing them takes: MARK_BYTES for whatever it is, and what it has in the spool */
enum { MARK_BYTES = 256, TASK_BYTES = 256, ENDED_BYTES = SPOOL_ENDED_SPAN / 8 };

struct marks *marks_new(void)
{
    return uti_calloc(1, sizeof(struct marks));
}

static struct mark *find_mark(struct mark *set, const struct mark_key *key)
{
    struct mark *m;
    HASH_FIND(hh, set, key, sizeof *key, m);
    return m;
}

static void add_mark(struct mark **set, struct mark_key key, size_t bytes)
{
    struct mark *m = uti_calloc(1, sizeof *m);
    m->key = key;
    m->bytes = bytes;
    HASH_ADD(hh, *set, key, sizeof m->key, m);
}

static void drop_mark(struct mark **set, struct mark *m)
{
    HASH_DEL(*set, m);
    free(m);
}

static void drop_all(struct mark **set)
{
    struct mark *m, *next;
    HASH_ITER(hh, *set, m, next)
        drop_mark(set, m);
}

void marks_free(struct marks *m)
{
    if (m == NULL)
        return;
    drop_all(&m->now);
    drop_all(&m->later);
    free(m);
}

/* ---- marking ---- */
static void mark_once(struct marks *m, struct mark_key key, size_t bytes)
{
    if (find_mark(m->now, &key) != NULL)
        return;
    add_mark(&m->now, key, MARK_BYTES + bytes);
    m->bytes += MARK_BYTES + bytes;
}

static void unmark_done(struct marks *m, struct mark *done)
{
    m->bytes -= done->bytes;
    drop_mark(&m->now, done);
}

void marks_job(struct marks *m, const struct job *job)
{
    mark_once(m, (struct mark_key){ MARK_JOB, job->rec.JB_job_number, 0 }, job->bytes);
}

void marks_job_gone(struct marks *m, uint32_t job)
{
    struct mark *marked = find_mark(m->now, &(struct mark_key){ MARK_JOB, job, 0 });
    if (marked != NULL)
        unmark_done(m, marked);
}

void marks_task(struct marks *m, uint32_t job, uint32_t ordinal)
{
    mark_once(m, (struct mark_key){ MARK_TASK, job, ordinal }, TASK_BYTES);
}

void marks_task_later(struct marks *m, uint32_t job, uint32_t ordinal)
{
    struct mark_key key = { MARK_TASK, job, ordinal };
    if (find_mark(m->later, &key) == NULL)
        add_mark(&m->later, key, 0);
}

void marks_all_later(struct marks *m)
{
    struct mark *late;
    while ((late = m->later) != NULL) {
        mark_once(m, late->key, TASK_BYTES);
        drop_mark(&m->later, late);
    }
}

void marks_ended(struct marks *m, uint32_t job, uint32_t chunk)
{
    mark_once(m, (struct mark_key){ MARK_ENDED, job, chunk }, ENDED_BYTES);
}

bool marks_is_empty(const struct marks *m)
{
    return m->now == NULL;
}

size_t marks_bytes(const struct marks *m)
{
    return m->bytes;
}

/* ---- packing ---- */
struct packer job_key(uint32_t job)
{
    struct packer key = { 0 };
    pack_u32be(&key, job);
    return key;
}

void batch_put(struct spool_batch *b, enum spool_table t, struct packer *key, struct packer *value)
{
    spool_put(b, t, key->data, key->len, value->data, value->len);
    packer_free(key);
    packer_free(value);
}

void batch_del(struct spool_batch *b, enum spool_table t, struct packer *key)
{
    spool_del(b, t, key->data, key->len);
    packer_free(key);
}

static void put_job(struct qmaster *q, struct spool_batch *b, struct job *job)
{
    struct packer key = job_key(job->rec.JB_job_number), value = { 0 };
    links_tidy(job);
    spool_record_pack(q->records, &value, (struct spool_key){ SPOOL_JOB, key.data, key.len },
                      &cull_JB_Type, &job->rec);
    job->bytes = (uint32_t)value.len;
    jobs_set_share(&q->jobs, job, share_of(q, &job->rec, value.len));
    batch_put(b, SPOOL_JOB, &key, &value);
}

static void put_task(struct qmaster *q, struct spool_batch *b, struct job *job, uint32_t ordinal)
{
    struct packer key = job_key(job->rec.JB_job_number), value = { 0 };
    struct task *t = job_task(job, ordinal);
    pack_u32be(&key, ordinal);
    struct spool_key place = { SPOOL_TASK, key.data, key.len };
    if (t == NULL) {
        spool_record_gone(q->records, place);
        batch_del(b, SPOOL_TASK, &key);
        return;
    }
    spool_record_pack(q->records, &value, place, &cull_JAT_Type, &t->rec);
    batch_put(b, SPOOL_TASK, &key, &value);
}

enum { WORD_BITS = 64, CHUNK_WORDS = SPOOL_ENDED_SPAN / WORD_BITS };

/* what SET has of a chunk */
static void pack_chunk(struct packer *p, const struct range_set *set, uint32_t chunk)
{
    uint64_t words[CHUNK_WORDS];
    range_set_bits(set, chunk * SPOOL_ENDED_SPAN, words, CHUNK_WORDS);
    pack_bits(p, chunk * SPOOL_ENDED_SPAN, words, CHUNK_WORDS);
}

/* what of a chunk is not unfinished, and what of that has failed, or ended in a way that is not
 * known: releases that do not know these two leave them unread */
static void put_ended(struct spool_batch *b, struct job *job, const struct mark *m)
{
    uint64_t ended[CHUNK_WORDS];
    uint32_t count = job_task_count(&job->rec), chunk = m->key.low;
    struct packer key = job_key(job->rec.JB_job_number), value = { 0 };
    range_set_bits(&job->unfinished, chunk * SPOOL_ENDED_SPAN, ended, CHUNK_WORDS);
    uint32_t beyond = (chunk + 1) * SPOOL_ENDED_SPAN - count; /* bits that are no tasks */
    for (uint32_t i = 0; i < CHUNK_WORDS; i++)
        ended[i] = ~ended[i];
    if ((uint64_t)(chunk + 1) * SPOOL_ENDED_SPAN > count)
        for (uint32_t bit = SPOOL_ENDED_SPAN - beyond; bit < SPOOL_ENDED_SPAN; bit++)
            ended[bit / WORD_BITS] &= ~(UINT64_C(1) << bit % WORD_BITS);
    pack_u32be(&key, chunk);
    pack_bits(&value, chunk * SPOOL_ENDED_SPAN, ended, CHUNK_WORDS);
    pack_chunk(&value, &job->rare->failed, chunk);
    pack_chunk(&value, &job->rare->unknown, chunk);
    batch_put(b, SPOOL_ENDED, &key, &value);
}

/* of a job that has gone meanwhile all records have been deleted already */
static void put_marked(struct qmaster *q, struct spool_batch *b, const struct mark *m)
{
    struct job *job = jobs_find(&q->jobs, m->key.job);
    if (job == NULL)
        return;
    switch ((enum mark_kind)m->key.kind) {
    case MARK_JOB:
        put_job(q, b, job);
        break;
    case MARK_TASK:
        put_task(q, b, job, m->key.low);
        break;
    case MARK_ENDED:
        jobs_charge_ends(&q->jobs, job);
        put_ended(b, job, m);
        break;
    }
}

void marks_pack(struct qmaster *q, struct marks *m, struct spool_batch *b, size_t keep)
{
    while (m->now != NULL && m->bytes > keep) {
        struct mark *oldest = m->now;
        put_marked(q, b, oldest);
        unmark_done(m, oldest);
        if (slice_is_over(q))
            break;
    }
}
