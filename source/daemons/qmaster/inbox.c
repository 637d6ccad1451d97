/* The core's mailbox: one mutex, one condition on the monotonic clock, a list that is swapped out whole. No lock outlives a
 * function. */
#include "daemons/qmaster/inbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "libs/uti/alloc.h"

struct inbox {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct note_list notes;
};

struct inbox *inbox_new(void)
{
    struct inbox *box = uti_calloc(1, sizeof *box);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&box->filled, &attr);
    pthread_condattr_destroy(&attr);
    pthread_mutex_init(&box->lock, NULL);
    STAILQ_INIT(&box->notes);
    return box;
}

void inbox_free(struct inbox *box)
{
    if (box == NULL)
        return;
    struct note *n;
    while ((n = STAILQ_FIRST(&box->notes)) != NULL) {
        STAILQ_REMOVE_HEAD(&box->notes, next);
        note_free(n);
    }
    pthread_cond_destroy(&box->filled);
    pthread_mutex_destroy(&box->lock);
    free(box);
}

struct note *note_new(enum note_kind kind, uint64_t conn)
{
    struct note *n = uti_calloc(1, sizeof *n);
    n->kind = kind;
    n->conn = conn;
    return n;
}

void note_free(struct note *n)
{
    if (n == NULL)
        return;
    free(n->peer.user);
    free(n->peer.group);
    free(n->frame.body);
    free(n->data);
    free(n);
}

void inbox_put(struct inbox *box, struct note *n)
{
    pthread_mutex_lock(&box->lock);
    bool was_empty = STAILQ_EMPTY(&box->notes);
    STAILQ_INSERT_TAIL(&box->notes, n, next);
    pthread_mutex_unlock(&box->lock);
    if (was_empty)
        pthread_cond_signal(&box->filled);
}

void inbox_put_all(struct inbox *box, struct note_list *list)
{
    if (STAILQ_EMPTY(list))
        return;
    pthread_mutex_lock(&box->lock);
    bool was_empty = STAILQ_EMPTY(&box->notes);
    STAILQ_CONCAT(&box->notes, list);
    pthread_mutex_unlock(&box->lock);
    if (was_empty)
        pthread_cond_signal(&box->filled);
}

void inbox_take(struct inbox *box, uint64_t until_us, struct note_list *out)
{
    struct timespec until = {
        .tv_sec = (time_t)(until_us / 1000000),
        .tv_nsec = (long)(until_us % 1000000) * 1000,
    };
    pthread_mutex_lock(&box->lock);
    while (STAILQ_EMPTY(&box->notes)) {
        if (until_us == 0)
            pthread_cond_wait(&box->filled, &box->lock);
        else if (pthread_cond_timedwait(&box->filled, &box->lock, &until) != 0)
            break;
    }
    STAILQ_INIT(out);
    STAILQ_CONCAT(out, &box->notes);
    pthread_mutex_unlock(&box->lock);
}
