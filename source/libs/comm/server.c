/* The listening side of a daemon: its listeners, the turns of its network thread, which alone runs
 * the loop, and its life. What other threads may call is in handover.c. */
#include "libs/comm/server.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/arrival.h"
#include "libs/comm/loop.h"
#include "libs/comm/loop_priv.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/passed_fds.h"
#include "libs/comm/server_priv.h"
#include "libs/comm/unix_socket.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum {
    ACCEPTS_PER_TURN = 64,
    ACCEPT_PAUSE_US = 100000,
    ADOPTIONS_PER_TURN = 16,
    PUSHES_US = 5000, /* of a turn go to what others have sent */
    LOOK_MS = 1000,
    LOOKS = 4, /* how often connections are looked at within the shortest of their limits */
    GREETING_MS = 10000,
    FIRST_FRAME_MS = 30000,
    FRAME_MS = 60000,
    IDLE_MS = 600000,
    OWN_FDS = 256, /* of the process: files, the database, threads */
    PRIVILEGED_FDS = 128,
    CONNS_OF_USER = 128,
    FRAMES_OF_CONN = 64,
    BYTES_OF_USER = 128 * 1024 * 1024,
    BYTES_OF_HOST = 192 * 1024 * 1024 /* the longest of its frames, three times */
};

/* ---- the turn of the loop ---- */

static void on_idle(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct comm_server *s = ctx;
    loop_doing(s->loop, "handing over messages");
    s->is_idle_due = false;
    s->ops->idle(s->ctx);
}

static struct adoption *next_adoption(struct comm_server *s)
{
    pthread_mutex_lock(&s->lock);
    struct adoption *a = STAILQ_FIRST(&s->adoptions);
    if (a != NULL) {
        STAILQ_REMOVE_HEAD(&s->adoptions, next);
        s->n_brought -= a->is_counted;
    }
    pthread_mutex_unlock(&s->lock);
    return a;
}

static void take_adoptions(struct comm_server *s)
{
    struct comm_limits limits = server_limits(s);
    struct adoption *a;
    int n = 0;
    for (; n < ADOPTIONS_PER_TURN && (a = next_adoption(s)) != NULL; n++) {
        if (a->is_counted)
            conn_admit(s, &a->stream, &a->peer, &limits);
        else
            conn_new(s, &a->stream, &a->peer);
        free(a);
    }
    if (n == ADOPTIONS_PER_TURN)
        loop_wake(s->waker);
}

static struct conn *next_touched(struct comm_server *s, bool is_long)
{
    pthread_mutex_lock(&s->lock);
    struct conn *c = TAILQ_FIRST(is_long ? &s->touched_long : &s->touched);
    pthread_mutex_unlock(&s->lock);
    return c;
}

/* each conn once per poke: what comes in while this runs pokes again. Long messages to a thousand
 * hosts are a tenth of a second: what is read meanwhile has its turn, and its answer is short. One
 * of them leaves in each turn, whatever else does. */
static void on_wake(void *ctx)
{
    struct comm_server *s = ctx;
    uint64_t until_us = uti_mono_us() + PUSHES_US;
    struct conn *c = NULL;
    take_adoptions(s);
    while (uti_mono_us() < until_us && (c = next_touched(s, false)) != NULL)
        conn_push(c);
    do {
        c = next_touched(s, true);
        if (c != NULL)
            conn_push(c);
    } while (c != NULL && uti_mono_us() < until_us);
    comm_server_flush(s);
}

/* ---- those that are slow or idle ---- */

static uint32_t shorter_of(uint32_t a_ms, uint32_t b_ms)
{
    return b_ms != 0 && b_ms < a_ms ? b_ms : a_ms;
}

static void look_again(struct comm_server *s, const struct comm_limits *l)
{
    uint32_t ms = shorter_of(shorter_of(l->first_frame_ms, l->frame_ms), l->idle_ms);
    ms = shorter_of(ms / LOOKS, l->look_ms);
    ms = ms > 0 ? ms : 1;
    struct timeval in = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000L };
    event_add(s->look_ev, &in);
}

/* connections that are there hear of a new limit, too */
static void set_silence(struct comm_server *s, uint32_t silent_s)
{
    for (struct conn *c = s->conns; c != NULL; c = c->hh.next)
        if (conn_is_tcp(c))
            tcp_set_silence(c->stream.fd, silent_s);
    s->silent_s = silent_s;
}

static void on_look(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct comm_server *s = ctx;
    struct comm_limits limits = server_limits(s);
    uint64_t now_us = uti_mono_us();
    struct conn *c, *next;
    loop_doing(s->loop, "looking for slow connections");
    if (limits.silent_s != s->silent_s)
        set_silence(s, limits.silent_s);
    HASH_ITER(hh, s->conns, c, next)
        conn_look(c, &limits, now_us);
    look_again(s, &limits);
}

static void begin_looking(struct comm_server *s)
{
    struct comm_limits limits = server_limits(s);
    look_again(s, &limits);
}

/* ---- the listener ---- */

/* a new connection; -1: none waits; -2: there is no descriptor for any */
static int accept_one(struct comm_server *s, const struct comm_limits *limits)
{
    if (!server_has_descriptor(s, limits))
        return -2;
    int fd = accept4(s->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0)
        return fd;
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS ? -2 : -1;
}

static void admit_local(struct comm_server *s, int fd, const struct comm_limits *limits)
{
    struct comm_peer peer = { .is_local = true };
    struct stream stream = stream_of_user(fd, s->closer);
    if (os_peer_ids(fd, &peer.uid, &peer.gid, &peer.pid) != 0)
        stream_close(&stream);
    else
        conn_admit(s, &stream, &peer, limits);
}

static void on_acceptable(evutil_socket_t listen_fd, short what, void *ctx)
{
    (void)listen_fd;
    (void)what;
    struct comm_server *s = ctx;
    loop_doing(s->loop, "accepting local connections");
    struct comm_limits limits = server_limits(s);
    int fd = -1;
    for (int i = 0; i < ACCEPTS_PER_TURN && (fd = accept_one(s, &limits)) >= 0; i++)
        admit_local(s, fd, &limits);
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
    loop_doing(s->loop, "accepting local connections");
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
    begin_looking(s);
    return 0;
}

/* ---- what arrives over TCP ---- */

static struct arrival_limits limits_of_arrivals(void *ctx)
{
    struct comm_limits l = server_limits(ctx);
    return (struct arrival_limits){ l.greeting_ms, l.look_ms, l.silent_s };
}

static bool has_room_for_arrivals(void *ctx)
{
    struct comm_limits l = server_limits(ctx);
    return server_may_bring(ctx) && server_has_descriptor(ctx, &l);
}

static struct stream wrap_arrival(void *ctx, int fd)
{
    const struct comm_server *s = ctx;
    return s->wrap(s->wrap_ctx, fd);
}

static void on_arrival_refused(void *ctx, const struct comm_peer *peer, const char *why)
{
    server_refuse(ctx, peer, "%s", why);
}

static void on_arrived(void *ctx, struct stream *stream, const struct comm_peer *peer)
{
    server_bring(ctx, stream, peer);
}

static const struct arrival_ops arrival_ops = { .limits = limits_of_arrivals,
                                                .has_room = has_room_for_arrivals,
                                                .wrap = wrap_arrival,
                                                .refused = on_arrival_refused,
                                                .arrived = on_arrived };

int comm_server_listen_tcp(struct comm_server *s, uint16_t port, comm_wrap_fn wrap, void *wrap_ctx,
                           struct answer *ans)
{
    ASSERT(s->arrivals == NULL);
    s->wrap = wrap;
    s->wrap_ctx = wrap_ctx;
    s->arrivals = arrivals_new(port, &arrival_ops, s, ans);
    if (s->arrivals == NULL)
        return -1;
    begin_looking(s);
    return 0;
}

uint16_t comm_server_port(const struct comm_server *s)
{
    return s->arrivals != NULL ? arrivals_port(s->arrivals) : 0;
}

/* ---- life ---- */

struct comm_limits comm_limits_usual(void)
{
    struct comm_limits l = {
        .greeting_ms = GREETING_MS,
        .first_frame_ms = FIRST_FRAME_MS,
        .frame_ms = FRAME_MS,
        .idle_ms = IDLE_MS,
        .look_ms = LOOK_MS,
        .silent_s = TCP_SILENT_S,
        .most = UINT32_MAX - PRIVILEGED_FDS,
        .reserve = PRIVILEGED_FDS,
        .most_of_user = CONNS_OF_USER,
        .frames_of_conn = FRAMES_OF_CONN,
        .bytes_of_user = BYTES_OF_USER,
        .bytes_of_host = BYTES_OF_HOST,
    };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= UINT32_MAX)
        return l;
    uint32_t all = (uint32_t)files.rlim_cur, free_fds = all > 2 * OWN_FDS ? all - OWN_FDS : all / 2;
    if (l.reserve > free_fds / 4)
        l.reserve = free_fds / 4;
    l.most = free_fds - l.reserve;
    if (l.most_of_user > l.most / 2)
        l.most_of_user = l.most / 2;
    return l;
}

struct comm_server *comm_server_new(struct loop *l, const struct comm_server_ops *ops, void *ctx)
{
    struct comm_server *s = uti_calloc(1, sizeof *s);
    s->loop = l;
    s->base = loop_base(l);
    s->ops = ops;
    s->ctx = ctx;
    s->listen_fd = -1;
    s->limits = comm_limits_usual();
    s->closer = fd_closer_new();
    s->scratch = uti_alloc(SCRATCH_BYTES);
    TAILQ_INIT(&s->touched);
    TAILQ_INIT(&s->touched_long);
    STAILQ_INIT(&s->adoptions);
    pthread_mutex_init(&s->lock, NULL);
    s->idle_ev = event_new(s->base, -1, 0, on_idle, s);
    s->accept_again_ev = event_new(s->base, -1, 0, on_accept_again, s);
    s->look_ev = event_new(s->base, -1, 0, on_look, s);
    s->waker = loop_wake_new(l, on_wake, s);
    ASSERT(s->look_ev != NULL && s->idle_ev != NULL && s->accept_again_ev != NULL &&
           s->waker != NULL);
    return s;
}

void comm_server_free(struct comm_server *s)
{
    if (s == NULL)
        return;
    struct conn *c, *next;
    struct adoption *a;
    arrivals_free(s->arrivals); /* its threads bring more */
    while ((a = next_adoption(s)) != NULL) {
        stream_close(&a->stream);
        free(a);
    }
    HASH_CLEAR(by_host, s->hosts);
    HASH_ITER(hh, s->conns, c, next) {
        HASH_DEL(s->conns, c);
        conn_free(c);
    }
    shares_free(s);
    if (s->accept_ev != NULL)
        event_free(s->accept_ev);
    if (s->listen_fd >= 0)
        fd_closer_close_listener(s->closer, s->listen_fd);
    fd_closer_free(s->closer);
    event_free(s->look_ev);
    event_free(s->idle_ev);
    event_free(s->accept_again_ev);
    loop_watch_free(s->waker);
    pthread_mutex_destroy(&s->lock);
    free(s->scratch);
    free(s);
}
