/* The core's mailbox: one mutex, a condition for each side, a list that is swapped out whole. No
 * lock outlives a function. The core takes everything there is, so `bytes` is what came since it
 * last did. */
#include "daemons/qmaster/io/inbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "daemons/qmaster/io/account_walk.h"
#include "libs/uti/alloc.h"

struct inbox {
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    struct note_list notes;
    size_t bytes; /* of the notes from the network */
    bool is_closed;
};

struct inbox *inbox_new(void)
{
    struct inbox *box = uti_calloc(1, sizeof *box);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&box->filled, &attr);
    pthread_condattr_destroy(&attr);
    pthread_cond_init(&box->emptied, NULL);
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
    pthread_cond_destroy(&box->emptied);
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
    identity_clear(&n->who);
    free(n->frame.body);
    free(n->data);
    account_walk_free(n->walk);
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

static size_t bytes_of(const struct note_list *list)
{
    const struct note *n;
    size_t bytes = 0;
    STAILQ_FOREACH(n, list, next)
        bytes += sizeof *n + n->frame.len;
    return bytes;
}

void inbox_put_all(struct inbox *box, struct note_list *list)
{
    if (STAILQ_EMPTY(list))
        return;
    size_t bytes = bytes_of(list);
    pthread_mutex_lock(&box->lock);
    while (box->bytes > INBOX_MOST_BYTES && !box->is_closed)
        pthread_cond_wait(&box->emptied, &box->lock);
    box->bytes += bytes;
    bool was_empty = STAILQ_EMPTY(&box->notes);
    STAILQ_CONCAT(&box->notes, list);
    pthread_mutex_unlock(&box->lock);
    if (was_empty)
        pthread_cond_signal(&box->filled);
}

void inbox_close(struct inbox *box)
{
    pthread_mutex_lock(&box->lock);
    box->is_closed = true;
    pthread_cond_broadcast(&box->emptied);
    pthread_mutex_unlock(&box->lock);
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
    if (box->bytes > INBOX_MOST_BYTES)
        pthread_cond_broadcast(&box->emptied);
    box->bytes = 0;
    pthread_mutex_unlock(&box->lock);
}
