/* The listening side of a daemon. One network thread runs the loop; any thread may send, ask and close.
 * They meet at s->lock, held for a few pointer moves only, never over a system call: a sender puts frames
 * into the connection's `pending` list, the waker makes the network thread fetch and write them. */
#include "libs/comm/server.h"

#include <errno.h>
#include <event2/event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/comm/loop_priv.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/server_priv.h"
#include "libs/comm/unix_socket.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

enum {
    ACCEPTS_PER_TURN = 64,
    ACCEPT_PAUSE_US = 100000,
    FIRST_FRAME_MS = 30000,
    RESERVED_FDS = 256
};

/* ---- the turn of the loop ---- */

static void on_idle(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct comm_server *s = ctx;
    s->is_idle_due = false;
    s->ops->idle(s->ctx);
}

void server_told(struct comm_server *s)
{
    if (s->is_idle_due)
        return;
    s->is_idle_due = true;
    event_active(s->idle_ev, EV_TIMEOUT, 0); /* runs after the events that are ready now */
}

static struct adoption *next_adoption(struct comm_server *s)
{
    pthread_mutex_lock(&s->lock);
    struct adoption *a = STAILQ_FIRST(&s->adoptions);
    if (a != NULL)
        STAILQ_REMOVE_HEAD(&s->adoptions, next);
    pthread_mutex_unlock(&s->lock);
    return a;
}

static void take_adoptions(struct comm_server *s)
{
    struct adoption *a;
    while ((a = next_adoption(s)) != NULL) {
        server_count(s, a->peer.uid, 1);
        conn_new(s, a->fd, &a->peer);
        free(a);
    }
}

/* each conn once per poke: what comes in while this runs pokes again */
static void on_wake(void *ctx)
{
    struct comm_server *s = ctx;
    take_adoptions(s);
    for (;;) {
        pthread_mutex_lock(&s->lock);
        struct conn *c = TAILQ_FIRST(&s->touched);
        pthread_mutex_unlock(&s->lock);
        if (c == NULL)
            return;
        conn_push(c);
    }
}

/* ---- the listener ---- */

uint32_t server_count(struct comm_server *s, uid_t uid, int by)
{
    struct user_conns *u;
    HASH_FIND(hh, s->users, &uid, sizeof uid, u);
    if (u == NULL) {
        u = uti_calloc(1, sizeof *u);
        u->uid = uid;
        HASH_ADD(hh, s->users, uid, sizeof u->uid, u);
    }
    u->n += (uint32_t)by;
    s->n_conns += (uint32_t)by;
    uint32_t n = u->n;
    if (n == 0) {
        HASH_DEL(s->users, u);
        free(u);
    }
    return n;
}

void server_refuse(struct comm_server *s, const struct comm_peer *peer, const char *why, ...)
{
    struct dstr text = DSTR_INIT;
    va_list args;
    if (s->ops->refused == NULL)
        return;
    va_start(args, why);
    dstr_addv(&text, why, args);
    va_end(args);
    s->ops->refused(s->ctx, peer, dstr_get(&text));
    dstr_free(&text);
}

/* a new connection, -1 if there is none now, -2 if there is no room for it */
static int accept_one(struct comm_server *s)
{
    if (s->n_conns >= s->limits.most)
        return -2;
    int fd = accept4(s->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0)
        return fd;
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS ? -2 : -1;
}

static void admit(struct comm_server *s, int fd, const struct comm_peer *peer)
{
    if (server_count(s, peer->uid, 1) <= s->limits.most_of_user) {
        conn_new(s, fd, peer);
        return;
    }
    server_count(s, peer->uid, -1);
    server_refuse(s, peer, MSG_COMM_TOO_MANY_U, s->limits.most_of_user);
    close(fd);
}

static void on_acceptable(evutil_socket_t listen_fd, short what, void *ctx)
{
    (void)listen_fd;
    (void)what;
    struct comm_server *s = ctx;
    int fd = -1;
    for (int i = 0; i < ACCEPTS_PER_TURN && (fd = accept_one(s)) >= 0; i++) {
        struct comm_peer peer = { .is_local = true };
        if (os_peer_ids(fd, &peer.uid, &peer.gid, &peer.pid) != 0)
            close(fd);
        else
            admit(s, fd, &peer);
    }
    if (fd == -2) { /* no descriptors left: clients wait in the queue, we do not spin */
        struct timeval pause = { .tv_usec = ACCEPT_PAUSE_US };
        event_del(s->accept_ev);
        event_add(s->accept_again_ev, &pause);
    }
}

static void on_accept_again(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct comm_server *s = ctx;
    event_add(s->accept_ev, NULL);
}

int comm_server_listen(struct comm_server *s, const char *path, mode_t mode, struct answer *ans)
{
    ASSERT(s->listen_fd < 0);
    int fd = unix_listen(path, mode);
    if (fd < 0 && errno == EADDRINUSE)
        return ans_fail(ans, STATUS_EEXIST, MSG_COMM_IN_USE_S, path);
    if (fd < 0 && errno == ENOTSOCK)
        return ans_fail(ans, STATUS_EEXIST, MSG_COMM_NO_SOCKET_S, path);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_COMM_LISTEN_S, path);
    s->accept_ev = event_new(s->base, fd, EV_READ | EV_PERSIST, on_acceptable, s);
    if (s->accept_ev == NULL || event_add(s->accept_ev, NULL) != 0) {
        close(fd);
        return ans_sys(ans, ENOMEM, MSG_COMM_LISTEN_S, path);
    }
    s->listen_fd = fd;
    return 0;
}

/* ---- life ---- */

static struct comm_limits usual_limits(void)
{
    struct comm_limits l = { .first_frame_ms = FIRST_FRAME_MS, .most = UINT32_MAX };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < UINT32_MAX)
        l.most = files.rlim_cur > 2 * RESERVED_FDS ? (uint32_t)files.rlim_cur - RESERVED_FDS
                                                   : (uint32_t)files.rlim_cur / 2;
    l.most_of_user = l.most / 2;
    return l;
}

void comm_server_set_limits(struct comm_server *s, const struct comm_limits *limits)
{
    s->limits = *limits;
}

struct comm_server *comm_server_new(struct loop *l, const struct comm_server_ops *ops, void *ctx)
{
    struct comm_server *s = uti_calloc(1, sizeof *s);
    s->base = loop_base(l);
    s->ops = ops;
    s->ctx = ctx;
    s->listen_fd = -1;
    s->limits = usual_limits();
    s->scratch = uti_alloc(SCRATCH_BYTES);
    TAILQ_INIT(&s->touched);
    STAILQ_INIT(&s->adoptions);
    pthread_mutex_init(&s->lock, NULL);
    s->idle_ev = event_new(s->base, -1, 0, on_idle, s);
    s->accept_again_ev = event_new(s->base, -1, 0, on_accept_again, s);
    s->waker = loop_wake_new(l, on_wake, s);
    ASSERT(s->idle_ev != NULL && s->accept_again_ev != NULL && s->waker != NULL);
    return s;
}

void comm_server_free(struct comm_server *s)
{
    if (s == NULL)
        return;
    struct conn *c, *next;
    struct adoption *a;
    while ((a = next_adoption(s)) != NULL) {
        close(a->fd);
        free(a);
    }
    HASH_ITER(hh, s->conns, c, next) {
        HASH_DEL(s->conns, c);
        server_count(s, c->peer.uid, -1);
        conn_free(c);
    }
    if (s->accept_ev != NULL)
        event_free(s->accept_ev);
    if (s->listen_fd >= 0)
        close(s->listen_fd);
    event_free(s->idle_ev);
    event_free(s->accept_again_ev);
    loop_watch_free(s->waker);
    pthread_mutex_destroy(&s->lock);
    free(s->scratch);
    free(s);
}

/* ---- any thread ---- */

static struct conn *find_locked(struct comm_server *s, uint64_t id)
{
    struct conn *c;
    HASH_FIND_U64(s->conns, &id, c);
    return c;
}

static void touch_locked(struct conn *c)
{
    if (c->is_touched)
        return;
    c->is_touched = true;
    TAILQ_INSERT_TAIL(&c->s->touched, c, touched);
}

void comm_server_adopt(struct comm_server *s, int fd, const struct comm_peer *peer)
{
    struct adoption *a = uti_calloc(1, sizeof *a);
    *a = (struct adoption){ .fd = fd, .peer = *peer };
    a->peer.is_local = a->peer.is_child = true;
    pthread_mutex_lock(&s->lock);
    STAILQ_INSERT_TAIL(&s->adoptions, a, next);
    pthread_mutex_unlock(&s->lock);
    loop_wake(s->waker);
}

void comm_server_send(struct comm_server *s, uint64_t conn, uint8_t kind, uint32_t serial,
                      uint8_t *body, size_t len)
{
    ASSERT(len <= COMM_BODY_MAX);
    struct out_frame *f = out_frame_new(kind, serial, body, len);
    pthread_mutex_lock(&s->lock);
    struct conn *c = find_locked(s, conn);
    bool is_taken = c != NULL && !c->is_close_wanted;
    if (is_taken) {
        STAILQ_INSERT_TAIL(&c->pending, f, next);
        c->queued += out_frame_bytes(f);
        touch_locked(c);
    }
    pthread_mutex_unlock(&s->lock);
    if (!is_taken)
        out_frame_free(f);
}

void comm_server_flush(struct comm_server *s)
{
    pthread_mutex_lock(&s->lock);
    bool is_needed = !TAILQ_EMPTY(&s->touched);
    pthread_mutex_unlock(&s->lock);
    if (is_needed) /* a caller flushes after every turn; waking for nothing costs two switches of thread */
        loop_wake(s->waker);
}

void comm_server_close(struct comm_server *s, uint64_t conn)
{
    pthread_mutex_lock(&s->lock);
    struct conn *c = find_locked(s, conn);
    if (c != NULL) {
        c->is_close_wanted = true;
        touch_locked(c);
    }
    pthread_mutex_unlock(&s->lock);
    comm_server_flush(s);
}

size_t comm_server_queued(struct comm_server *s, uint64_t conn)
{
    pthread_mutex_lock(&s->lock);
    struct conn *c = find_locked(s, conn);
    size_t n = c != NULL ? c->queued : 0;
    pthread_mutex_unlock(&s->lock);
    return n;
}
