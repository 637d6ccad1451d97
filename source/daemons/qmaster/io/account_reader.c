/* A queue of walks in, notes with the same walks out. Invariant: a walk is in the queue, with the
 * thread or in a note, never in two of them. */
#include "daemons/qmaster/io/account_reader.h"

#include <pthread.h>
#include <stdlib.h>

#include "daemons/qmaster/io/account_walk.h"
#include "daemons/qmaster/io/inbox.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"

STAILQ_HEAD(walk_list, account_walk);

struct account_reader {
    char *path;
    struct inbox *core;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t work;
    struct walk_list walks;
    bool is_stopping;
};

struct account_reader *account_reader_new(const char *path, struct inbox *core)
{
    struct account_reader *r = uti_calloc(1, sizeof *r);
    r->path = uti_strdup(path);
    r->core = core;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->work, NULL);
    STAILQ_INIT(&r->walks);
    return r;
}

void account_reader_free(struct account_reader *r)
{
    struct account_walk *w;
    if (r == NULL)
        return;
    while ((w = STAILQ_FIRST(&r->walks)) != NULL) {
        STAILQ_REMOVE_HEAD(&r->walks, next);
        account_walk_free(w);
    }
    pthread_cond_destroy(&r->work);
    pthread_mutex_destroy(&r->lock);
    free(r->path);
    free(r);
}

void account_reader_next(struct account_reader *r, struct account_walk *w)
{
    pthread_mutex_lock(&r->lock);
    STAILQ_INSERT_TAIL(&r->walks, w, next);
    pthread_cond_signal(&r->work);
    pthread_mutex_unlock(&r->lock);
}

void account_reader_stop(struct account_reader *r)
{
    pthread_mutex_lock(&r->lock);
    r->is_stopping = true;
    pthread_cond_signal(&r->work);
    pthread_mutex_unlock(&r->lock);
}

static void work_on(const struct account_reader *r, struct account_walk *w)
{
    account_walk_slice(w, r->path);
    struct note *n = note_new(NOTE_ACCOUNT, 0);
    n->walk = w;
    inbox_put(r->core, n);
}

/* waits for work; NULL: there will be no more */
static struct account_walk *next_walk(struct account_reader *r)
{
    pthread_mutex_lock(&r->lock);
    while (STAILQ_EMPTY(&r->walks) && !r->is_stopping)
        pthread_cond_wait(&r->work, &r->lock);
    struct account_walk *w = STAILQ_FIRST(&r->walks);
    if (w != NULL)
        STAILQ_REMOVE_HEAD(&r->walks, next);
    pthread_mutex_unlock(&r->lock);
    return w;
}

void account_reader_run(struct account_reader *r)
{
    struct account_walk *w;
    log_thread("accounts");
    while ((w = next_walk(r)) != NULL)
        work_on(r, w);
}
