/* A queue of keys in, notes with records out. Invariant: everything asked for is answered, in order; "not there" is said only when the
 * spool has said so, since a job without its script must not start. */
#include "daemons/qmaster/fetcher.h"

#include <pthread.h>
#include <stdlib.h>

#include "daemons/qmaster/inbox.h"
#include "libs/cull/pack.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum { RETRY_MS = 500 };

struct fetch {
    STAILQ_ENTRY(fetch) next;
    enum spool_table table;
    uint32_t job;
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

void fetcher_free(struct fetcher *f)
{
    struct fetch *one;
    if (f == NULL)
        return;
    while ((one = STAILQ_FIRST(&f->fetches)) != NULL) {
        STAILQ_REMOVE_HEAD(&f->fetches, next);
        free(one);
    }
    pthread_cond_destroy(&f->work);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

void fetcher_get(struct fetcher *f, enum spool_table t, uint32_t job)
{
    struct fetch *one = uti_calloc(1, sizeof *one);
    one->table = t;
    one->job = job;
    pthread_mutex_lock(&f->lock);
    STAILQ_INSERT_TAIL(&f->fetches, one, next);
    pthread_cond_signal(&f->work);
    pthread_mutex_unlock(&f->lock);
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

/* false if the spool cannot say whether there is such a record and the qmaster ends */
static bool read_record(struct fetcher *f, const struct fetch *one, struct note *n)
{
    struct packer key = { 0 };
    bool has_said = false, is_done = false;
    pack_u32be(&key, one->job);
    for (;;) {
        struct answer ans = ANSWER_INIT;
        is_done = spool_get(f->spool, one->table, key.data, key.len, &n->data, &n->len, &ans) >= 0;
        if (!is_done && !has_said)
            log_answer(&ans);
        has_said = true;
        ans_free(&ans);
        if (is_done || is_stopping(f))
            break;
        uti_sleep_ms(RETRY_MS);
    }
    packer_free(&key);
    return is_done;
}

static void fetch(struct fetcher *f, const struct fetch *one)
{
    struct note *n = note_new(NOTE_FETCHED, one->table);
    n->number = one->job;
    if (read_record(f, one, n))
        inbox_put(f->core, n);
    else
        note_free(n);
}

/* waits for work; NULL when there is none and never will be */
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
        fetch(f, one);
        free(one);
    }
}
