/* A queue of keys in, notes with records out. Invariant: everything asked for is answered, in
 * order; "not there" is said only when the spool has said so, since a job without its script must
 * not start. */
#include "daemons/qmaster/io/fetcher.h"

#include <pthread.h>
#include <stdlib.h>

#include "daemons/qmaster/io/inbox.h"
#include "libs/cull/pack.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum { RETRY_MS = 500 };

struct fetch {
    STAILQ_ENTRY(fetch) next;
    enum spool_table table;
    uint64_t id;        /* a job's number, or whatever names the answer */
    struct packer keys; /* owned; empty: the record of the job is meant */
    uint32_t n;         /* keys */
};
STAILQ_HEAD(fetch_list, fetch);

struct fetcher {
    struct spool *spool;
    struct inbox *core;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t work;
    struct fetch_list fetches;
    bool is_stopping;
};

struct fetcher *fetcher_new(struct spool *spool, struct inbox *core)
{
    struct fetcher *f = uti_calloc(1, sizeof *f);
    f->spool = spool;
    f->core = core;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->work, NULL);
    STAILQ_INIT(&f->fetches);
    return f;
}

static void free_fetch(struct fetch *one)
{
    packer_free(&one->keys);
    free(one);
}

void fetcher_free(struct fetcher *f)
{
    struct fetch *one;
    if (f == NULL)
        return;
    while ((one = STAILQ_FIRST(&f->fetches)) != NULL) {
        STAILQ_REMOVE_HEAD(&f->fetches, next);
        free_fetch(one);
    }
    pthread_cond_destroy(&f->work);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

static void put_fetch(struct fetcher *f, struct fetch *one)
{
    pthread_mutex_lock(&f->lock);
    STAILQ_INSERT_TAIL(&f->fetches, one, next);
    pthread_cond_signal(&f->work);
    pthread_mutex_unlock(&f->lock);
}

void fetcher_get(struct fetcher *f, enum spool_table t, uint32_t job)
{
    struct fetch *one = uti_calloc(1, sizeof *one);
    one->table = t;
    one->id = job;
    put_fetch(f, one);
}

void fetcher_get_many(struct fetcher *f, enum spool_table t, uint64_t id, struct packer *keys,
                      uint32_t n)
{
    struct fetch *one = uti_calloc(1, sizeof *one);
    *one = (struct fetch){ .table = t, .id = id, .keys = *keys, .n = n };
    *keys = (struct packer){ 0 };
    put_fetch(f, one);
}

void fetcher_stop(struct fetcher *f)
{
    pthread_mutex_lock(&f->lock);
    f->is_stopping = true;
    pthread_cond_signal(&f->work);
    pthread_mutex_unlock(&f->lock);
}

static bool is_stopping(struct fetcher *f)
{
    pthread_mutex_lock(&f->lock);
    bool is = f->is_stopping;
    pthread_mutex_unlock(&f->lock);
    return is;
}

/* 1 there, 0 not there, -1 if the spool cannot say and the qmaster ends */
static int read_record(struct fetcher *f, enum spool_table t, const struct packer *key, void **data,
                       size_t *len)
{
    bool has_said = false;
    for (;;) {
        struct answer ans = ANSWER_INIT;
        int found = spool_get(f->spool, t, key->data, key->len, data, len, &ans);
        if (found < 0 && !has_said)
            log_answer(&ans);
        has_said = true;
        ans_free(&ans);
        if (found >= 0 || is_stopping(f))
            return found;
        uti_sleep_ms(RETRY_MS);
    }
}

/* a long script is in pieces; 1 if there are any, else as read_record */
static int read_pieces(struct fetcher *f, uint32_t job, struct packer *script)
{
    int found = 1;
    for (uint32_t n = 0; found == 1; n++) {
        struct packer key = { 0 };
        void *data = NULL;
        size_t len = 0;
        pack_u32be(&key, job);
        pack_u32be(&key, n);
        found = read_record(f, SPOOL_JOB_PIECE, &key, &data, &len);
        if (found == 1)
            pack_bytes(script, data, len);
        free(data);
        packer_free(&key);
    }
    return found < 0 ? -1 : script->len > 0;
}

/* false if the spool cannot say whether there is such a record */
static bool read_files(struct fetcher *f, const struct fetch *one, struct note *n)
{
    struct packer key = { 0 }, script = { 0 };
    uint32_t job = (uint32_t)one->id;
    pack_u32be(&key, job);
    int found = read_record(f, one->table, &key, &n->data, &n->len);
    packer_free(&key);
    if (found != 0 || one->table != SPOOL_JOB_SCRIPT)
        return found >= 0;
    found = read_pieces(f, job, &script);
    if (found == 1) {
        n->data = script.data;
        n->len = script.len;
    } else {
        packer_free(&script);
    }
    return found >= 0;
}

/* the same of all its keys */
static bool read_many(struct fetcher *f, const struct fetch *one, struct note *n)
{
    struct packer all = { 0 };
    size_t key_len = one->keys.len / one->n;
    int found = 0;
    for (uint32_t i = 0; i < one->n && found >= 0; i++) {
        struct packer key = { .data = one->keys.data + i * key_len, .len = key_len };
        void *data = NULL;
        size_t len = 0;
        found = read_record(f, one->table, &key, &data, &len);
        pack_u8(&all, found == 1);
        pack_blob(&all, data, len);
        free(data);
    }
    n->data = all.data;
    n->len = all.len;
    return found >= 0;
}

static void fetch_one(struct fetcher *f, const struct fetch *one)
{
    struct note *n = note_new(NOTE_FETCHED, one->table);
    n->number = one->id;
    if (one->n > 0 ? read_many(f, one, n) : read_files(f, one, n))
        inbox_put(f->core, n);
    else
        note_free(n);
}

/* waits for work; NULL: there will be no more */
static struct fetch *next_fetch(struct fetcher *f)
{
    pthread_mutex_lock(&f->lock);
    while (STAILQ_EMPTY(&f->fetches) && !f->is_stopping)
        pthread_cond_wait(&f->work, &f->lock);
    struct fetch *one = STAILQ_FIRST(&f->fetches);
    if (one != NULL)
        STAILQ_REMOVE_HEAD(&f->fetches, next);
    pthread_mutex_unlock(&f->lock);
    return one;
}

void fetcher_run(struct fetcher *f)
{
    struct fetch *one;
    log_thread("fetcher");
    while ((one = next_fetch(f)) != NULL) {
        fetch_one(f, one);
        free_fetch(one);
    }
}
