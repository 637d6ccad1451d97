/* Threads for what may block. Invariants: a piece is in `running` until its thread has run it, then
 * in `ended` until workers_take; both lists belong to `lock`. The last of the owner and the threads
 * frees it all. */
#include "libs/feed/workers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "libs/feed/msg_feed.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/tree.h"

struct piece {
    struct workers *of;
    struct work work;
    bool is_forgotten;
    TAILQ_ENTRY(piece) in_list;
};
TAILQ_HEAD(piece_list, piece);

struct workers {
    int wake;
    pthread_mutex_t lock;
    struct piece_list running, ended;
    uint32_t n_running;
    bool is_closed; /* its owner has gone */
};

struct workers *workers_new(struct answer *ans)
{
    int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake < 0)
        return ans_sys_null(ans, errno, MSG_FEED_WAKE);
    struct workers *w = uti_calloc(1, sizeof *w);
    w->wake = wake;
    pthread_mutex_init(&w->lock, NULL);
    TAILQ_INIT(&w->running);
    TAILQ_INIT(&w->ended);
    return w;
}

static void free_piece(struct piece *p)
{
    p->work.free(p->work.data);
    free(p);
}

static void free_workers(struct workers *w)
{
    close(w->wake);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

bool workers_free(struct workers *w)
{
    struct piece *p;
    if (w == NULL)
        return false;
    pthread_mutex_lock(&w->lock);
    w->is_closed = true;
    while ((p = TAILQ_FIRST(&w->ended)) != NULL) {
        TAILQ_REMOVE(&w->ended, p, in_list);
        free_piece(p);
    }
    bool is_last = w->n_running == 0;
    pthread_mutex_unlock(&w->lock);
    if (is_last)
        free_workers(w);
    return !is_last;
}

/* ---- in the thread ---- */

static void end_piece(struct piece *p)
{
    struct workers *w = p->of;
    uint64_t one = 1;
    pthread_mutex_lock(&w->lock);
    TAILQ_REMOVE(&w->running, p, in_list);
    bool is_closed = w->is_closed, is_last = --w->n_running == 0 && is_closed;
    if (!is_closed) {
        TAILQ_INSERT_TAIL(&w->ended, p, in_list);
        (void)!write(w->wake, &one, sizeof one);
    }
    pthread_mutex_unlock(&w->lock);
    if (is_closed)
        free_piece(p);
    if (is_last)
        free_workers(w);
}

static void *run_piece(void *piece)
{
    struct piece *p = piece;
    p->work.run(p->work.data);
    end_piece(p);
    return NULL;
}

/* ---- in the main thread ---- */

/* signals are for the main thread */
static int start_thread(struct piece *p)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(&thread, NULL, run_piece, p);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc == 0)
        pthread_detach(thread);
    return rc;
}

static bool take_place(struct workers *w, struct piece *p)
{
    pthread_mutex_lock(&w->lock);
    bool has_place = w->n_running < WORKERS_MOST;
    if (has_place) {
        TAILQ_INSERT_TAIL(&w->running, p, in_list);
        w->n_running++;
    }
    pthread_mutex_unlock(&w->lock);
    return has_place;
}

static void leave_place(struct workers *w, struct piece *p)
{
    pthread_mutex_lock(&w->lock);
    TAILQ_REMOVE(&w->running, p, in_list);
    w->n_running--;
    pthread_mutex_unlock(&w->lock);
}

int workers_run(struct workers *w, const struct work *work, struct answer *ans)
{
    struct piece *p = uti_alloc(sizeof *p);
    *p = (struct piece){ .of = w, .work = *work };
    if (!take_place(w, p)) {
        free_piece(p);
        return ans_fail(ans, STATUS_EEXIST, MSG_FEED_WORKERS_D, WORKERS_MOST);
    }
    int rc = start_thread(p);
    if (rc == 0)
        return 0;
    leave_place(w, p);
    free_piece(p);
    return ans_sys(ans, rc, MSG_FEED_WORKER);
}

void workers_forget(struct workers *w, const void *ctx)
{
    struct piece *p;
    pthread_mutex_lock(&w->lock);
    TAILQ_FOREACH(p, &w->running, in_list)
        p->is_forgotten = p->is_forgotten || p->work.ctx == ctx;
    TAILQ_FOREACH(p, &w->ended, in_list)
        p->is_forgotten = p->is_forgotten || p->work.ctx == ctx;
    pthread_mutex_unlock(&w->lock);
}

int workers_fd(const struct workers *w)
{
    return w->wake;
}

static struct piece *next_ended(struct workers *w)
{
    pthread_mutex_lock(&w->lock);
    struct piece *p = TAILQ_FIRST(&w->ended);
    if (p != NULL)
        TAILQ_REMOVE(&w->ended, p, in_list);
    pthread_mutex_unlock(&w->lock);
    return p;
}

void workers_take(struct workers *w)
{
    uint64_t n;
    (void)!read(w->wake, &n, sizeof n);
    for (struct piece *p; (p = next_ended(w)) != NULL; free_piece(p))
        if (!p->is_forgotten)
            p->work.done(p->work.ctx, p->work.data);
}
