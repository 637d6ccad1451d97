/* Connections of users, who may pass descriptors.
 *
 * Without SO_PASSRIGHTS, a look at the queue (MSG_PEEK without room for control data) shows whether
 * descriptors lie in it, and takes no reference that could be the last. Bytes are read after such a
 * look only, and no more than it saw. So a descriptor stays in the queue until the connection is
 * closed, and a connection whose queue is not empty is closed by the closer. No passed descriptor
 * ever enters the table of this process: to close(2) it there could take for ever, too (the flush
 * of a file of FUSE).
 *
 * The closer does not wait either: the kernel lingers for a thread that closes, not for one that
 * ends. A thread with a copy of the table ends after the closer has closed its own descriptors, and
 * thereby drops the last references. Source: unix(7), socket(7) SO_LINGER, unshare(2). */
#include "libs/comm/passed_fds.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/msg_comm.h"
#include "libs/uti/alloc.h"
#include "libs/uti/os.h"

enum { STACK_BYTES = 64 * 1024, BATCH = 64, VECTORS = 4 };

struct fd_closer {
    pthread_mutex_t lock; /* of all that follows */
    int *fds;             /* to be closed; owned */
    size_t n_fds, room;
    bool has_thread; /* it closes what is there and ends */
    bool is_ending;  /* the thread frees it */
};

/* ---- closing without waiting ---- */

struct copies { /* of all descriptors, held by a thread; owned by it */
    sem_t are_made, may_go;
    bool are_there;
};

static void wait_for(sem_t *s)
{
    while (sem_wait(s) != 0 && errno == EINTR)
        continue;
}

static void *hold_copies(void *arg)
{
    struct copies *copies = arg;
    os_thread_name("closer");
    copies->are_there = os_copy_descriptors() == 0;
    sem_post(&copies->are_made);
    wait_for(&copies->may_go);
    free(copies);
    return NULL;
}

static bool start_thread(void *(*run)(void *), void *arg)
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    bool is_started = pthread_create(&thread, &attr, run, arg) == 0;
    pthread_attr_destroy(&attr);
    return is_started;
}

/* A thread that could not be started, or may not have a table of its own, leaves the last reference
 * to close(2), which may take long then. */
static void close_all(const int *fds, size_t n)
{
    struct copies *copies = uti_calloc(1, sizeof *copies);
    sem_init(&copies->are_made, 0, 0);
    sem_init(&copies->may_go, 0, 0);
    bool has_holder = start_thread(hold_copies, copies);
    if (has_holder)
        wait_for(&copies->are_made);
    for (size_t i = 0; i < n; i++)
        close(fds[i]);
    if (has_holder)
        sem_post(&copies->may_go);
    else
        free(copies);
}

/* ---- the closer ---- */

static void closer_drop(struct fd_closer *c)
{
    pthread_mutex_destroy(&c->lock);
    free(c->fds);
    free(c);
}

static size_t take_batch(struct fd_closer *c, int *fds)
{
    size_t n = c->n_fds < BATCH ? c->n_fds : BATCH;
    c->n_fds -= n;
    if (n > 0)
        memcpy(fds, c->fds + c->n_fds, n * sizeof *fds);
    return n;
}

static void *run_closer(void *arg)
{
    struct fd_closer *c = arg;
    int fds[BATCH];
    size_t n;
    os_thread_name("closer");
    pthread_mutex_lock(&c->lock);
    while ((n = take_batch(c, fds)) > 0) {
        pthread_mutex_unlock(&c->lock);
        close_all(fds, n);
        pthread_mutex_lock(&c->lock);
    }
    c->has_thread = false;
    bool is_ending = c->is_ending;
    pthread_mutex_unlock(&c->lock);
    if (is_ending)
        closer_drop(c);
    return NULL;
}

struct fd_closer *fd_closer_new(void)
{
    struct fd_closer *c = uti_calloc(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

void fd_closer_free(struct fd_closer *c)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    c->is_ending = true;
    bool is_alone = !c->has_thread;
    pthread_mutex_unlock(&c->lock);
    if (is_alone)
        closer_drop(c);
}

void fd_closer_close(struct fd_closer *c, int fd)
{
    pthread_mutex_lock(&c->lock);
    if (c->n_fds == c->room) {
        c->room = c->room > 0 ? c->room * 2 : BATCH;
        c->fds = uti_realloc(c->fds, c->room * sizeof *c->fds);
    }
    c->fds[c->n_fds++] = fd;
    if (!c->has_thread)
        c->has_thread = start_thread(run_closer, c);
    pthread_mutex_unlock(&c->lock);
}

void fd_closer_close_listener(struct fd_closer *c, int fd)
{
    if (os_refuse_descriptors(fd) == 0)
        close(fd);
    else
        fd_closer_close(c, fd);
}

/* ---- streams ---- */

static ssize_t read_exactly(int fd, const struct iovec *v, int n, size_t len)
{
    struct iovec part[VECTORS];
    int used = 0;
    for (; used < n && len > 0; used++) {
        part[used] = v[used];
        if (part[used].iov_len > len)
            part[used].iov_len = len;
        len -= part[used].iov_len;
    }
    return readv(fd, part, used);
}

static ssize_t peeking_read(struct stream *s, const struct iovec *v, int n)
{
    n = n < VECTORS ? n : VECTORS;
    struct msghdr peek = { .msg_iov = (struct iovec *)v, .msg_iovlen = (size_t)n };
    ssize_t seen = recvmsg(s->fd, &peek, MSG_PEEK);
    if (seen <= 0)
        return seen;
    if (peek.msg_flags & MSG_CTRUNC) {
        errno = EPROTO;
        return -1;
    }
    return read_exactly(s->fd, v, n, (size_t)seen);
}

static const char *peeking_why(const struct stream *s)
{
    (void)s;
    return MSG_COMM_PASSED;
}

/* nothing can come after the shutdown, so an empty queue stays empty */
static void peeking_close(struct stream *s)
{
    char byte;
    (void)shutdown(s->fd, SHUT_RDWR);
    if (recv(s->fd, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) > 0)
        fd_closer_close(s->inside, s->fd);
    else
        close(s->fd);
}

static const struct stream_form peeking_form = {
    .read = peeking_read, .write = stream_unix_write, .close = peeking_close, .why = peeking_why
};

struct stream stream_peeking(int fd, struct fd_closer *c)
{
    static const int on = 1;
    /* else a read would drop a byte that came out of band, with what was passed beside it, unseen */
    (void)setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &on, sizeof on);
    struct stream s = stream_unix(fd);
    s.form = &peeking_form;
    s.inside = c;
    return s;
}

struct stream stream_of_user(int fd, struct fd_closer *c)
{
    return os_refuse_descriptors(fd) == 0 ? stream_unix(fd) : stream_peeking(fd, c);
}
