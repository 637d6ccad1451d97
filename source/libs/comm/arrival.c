/* Connections over TCP that have come and are not known yet: their streams greet (TLS proves who
 * is there), and then the owner gets them, whose own threads have no part in this. One thread of
 * this file accepts, waits for bytes, and ends what takes too long; some others, the greeters, do
 * what the bytes ask for, a step of one connection at a time. Invariants: an arrival is in the
 * list, oldest first, and has both events; while it is served, its stream belongs to a greeter,
 * else to the accepting thread, which alone makes, ends and silences arrivals; there are at most
 * as many as origins.h allows. */
#include "libs/comm/arrival.h"

#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/comm/loop_priv.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/origins.h"
#include "libs/comm/tcp.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum {
    ACCEPTS_PER_TURN = 64,
    GREETERS = 3,
    GREETERS_OF_ORIGIN = GREETERS - 1, /* one is left for the others */
    FULL_PAUSE_US = 100000,
    LOOKS = 4 /* within the time that a greeting may take */
};

struct arrival {
    struct origin_conn conn; /* the first member */
    struct arrivals *list;
    struct stream stream; /* closed before the first bytes have come */
    int fd;
    struct event *read_ev, *write_ev;
    int rc, err;     /* what the last step has come to */
    bool has_stream; /* guarded by the lock */
    bool is_late;    /* it was served when its time was over */
    struct tcp_address address;
    char from[TCP_ADDRESS_BYTES];
    TAILQ_ENTRY(arrival) next, done;
};
TAILQ_HEAD(arrival_list, arrival);

struct arrivals {
    const struct arrival_ops *ops; /* borrowed, as the next */
    void *ctx;
    struct loop *loop; /* of the accepting thread */
    int listen_fd;
    struct event *accept_ev, *again_ev, *look_ev;
    struct loop_watch *waker;
    pthread_t acceptor, greeters[GREETERS];
    bool has_acceptor;
    int n_greeters;
    struct arrival_list all;
    /* guards what follows, and the states of arrivals */
    pthread_mutex_t lock;
    pthread_cond_t has_turn;
    struct origins origins;
    struct arrival_list done; /* those that greeters have finished with */
    bool is_ending;
};

/* out of the counts; false: a greeter is at it, or has just finished, and it comes by itself. One
 * that is served loses its connection, so that whatever reads from it ends. */
static bool arrival_leave(struct arrival *a)
{
    struct arrivals *l = a->list;
    pthread_mutex_lock(&l->lock);
    bool is_ours = a->conn.state == ORIGIN_SILENT || a->conn.state == ORIGIN_READY;
    if (is_ours)
        origins_leave(&l->origins, &a->conn);
    else if (a->conn.state == ORIGIN_SERVED && a->has_stream)
        (void)shutdown(a->fd, SHUT_RDWR);
    pthread_mutex_unlock(&l->lock);
    return is_ours;
}

/* out of the list, after it has left; its stream is the caller's */
static struct stream arrival_end(struct arrival *a)
{
    struct stream stream = a->stream;
    TAILQ_REMOVE(&a->list->all, a, next);
    event_free(a->read_ev);
    event_free(a->write_ev);
    if (!stream_is_open(&stream) && a->fd >= 0)
        close(a->fd);
    free(a);
    return stream;
}

static struct comm_peer peer_of(const struct arrival *a)
{
    struct stream_peer proved = { .host = NULL };
    if (stream_is_open(&a->stream))
        proved = stream_peer(&a->stream);
    struct comm_peer peer = { .uid = COMM_NO_UID, .gid = COMM_NO_GID, .host = proved.host };
    if (proved.user != NULL) {
        peer.user = proved.user;
        peer.uid = proved.uid;
        peer.gid = proved.gid;
    }
    memcpy(peer.from, a->from, sizeof peer.from);
    return peer;
}

/* A has left */
static void arrival_refuse(struct arrival *a, const char *why)
{
    struct comm_peer peer = peer_of(a);
    a->list->ops->refused(a->list->ctx, &peer, why);
    struct stream stream = arrival_end(a);
    stream_close(&stream);
}

/* the other end is who it is: from here on it is a connection like others */
static void arrival_admit(struct arrival *a)
{
    struct arrivals *l = a->list;
    struct comm_peer peer = peer_of(a);
    if (peer.host != NULL) {
        pthread_mutex_lock(&l->lock);
        origins_know(&l->origins, &a->address);
        pthread_mutex_unlock(&l->lock);
    }
    struct stream stream = arrival_end(a);
    l->ops->arrived(l->ctx, &stream, &peer);
}

/* ---- greeters ---- */

/* the stream, and TLS's state, are made when there is something to read */
static void arrival_step(struct arrival *a)
{
    struct arrivals *l = a->list;
    if (!stream_is_open(&a->stream)) {
        a->stream = l->ops->wrap(l->ctx, a->fd);
        pthread_mutex_lock(&l->lock);
        a->has_stream = stream_is_open(&a->stream);
        pthread_mutex_unlock(&l->lock);
    }
    a->rc = stream_is_open(&a->stream) ? stream_greet(&a->stream) : -1;
    a->err = errno;
    if (!stream_is_open(&a->stream))
        a->fd = -1; /* was taken */
}

static struct arrival *next_turn(struct arrivals *l)
{
    struct origin_conn *c = NULL;
    pthread_mutex_lock(&l->lock);
    while (!l->is_ending && (c = origins_next(&l->origins)) == NULL)
        pthread_cond_wait(&l->has_turn, &l->lock);
    pthread_mutex_unlock(&l->lock);
    return (struct arrival *)(void *)c;
}

static void *run_greeter(void *ctx)
{
    struct arrivals *l = ctx;
    struct arrival *a;
    log_thread("greeter");
    while ((a = next_turn(l)) != NULL) {
        arrival_step(a);
        pthread_mutex_lock(&l->lock);
        origins_finish(&l->origins, &a->conn);
        TAILQ_INSERT_TAIL(&l->done, a, done);
        pthread_mutex_unlock(&l->lock);
        loop_wake(l->waker);
    }
    return NULL;
}

/* ---- the accepting thread ---- */

static void await_peer(struct arrival *a)
{
    struct arrivals *l = a->list;
    bool is_write = stream_is_open(&a->stream) && a->stream.read_wants == STREAM_WRITABLE;
    pthread_mutex_lock(&l->lock);
    if (a->conn.state == ORIGIN_DONE)
        origins_silence(&l->origins, &a->conn);
    pthread_mutex_unlock(&l->lock);
    int added = event_add(is_write ? a->write_ev : a->read_ev, NULL);
    ASSERT(added == 0);
}

static void add_late(struct dstr *why, const struct arrival_limits *limits)
{
    dstr_addf(why, MSG_COMM_NO_GREETING_G, limits->greeting_ms / 1000.0);
}

/* the step of A has failed */
static void refuse_step(struct arrival *a, const struct arrival_limits *limits)
{
    struct dstr text = DSTR_INIT;
    const char *why = stream_is_open(&a->stream) ? stream_why(&a->stream, a->err) : NULL;
    if (a->is_late) {
        add_late(&text, limits);
        why = dstr_get(&text);
    }
    arrival_refuse(a, why != NULL ? why : strerror(a->err));
    dstr_free(&text);
}

static void look_at_step(struct arrival *a)
{
    struct arrivals *l = a->list;
    struct arrival_limits limits = l->ops->limits(l->ctx);
    if (a->rc == 0 && !a->is_late) {
        await_peer(a);
        return;
    }
    pthread_mutex_lock(&l->lock);
    origins_leave(&l->origins, &a->conn);
    pthread_mutex_unlock(&l->lock);
    if (a->rc > 0 && !a->is_late)
        arrival_admit(a);
    else
        refuse_step(a, &limits);
}

static struct arrival *next_done(struct arrivals *l)
{
    pthread_mutex_lock(&l->lock);
    struct arrival *a = TAILQ_FIRST(&l->done);
    if (a != NULL)
        TAILQ_REMOVE(&l->done, a, done);
    pthread_mutex_unlock(&l->lock);
    return a;
}

static void on_done(void *ctx)
{
    struct arrivals *l = ctx;
    struct arrival *a;
    while ((a = next_done(l)) != NULL)
        look_at_step(a);
    event_add(l->accept_ev, NULL); /* there may be room again */
}

static void on_ready(evutil_socket_t fd, short what, void *ctx)
{
    struct arrival *a = ctx;
    struct arrivals *l = a->list;
    (void)fd;
    (void)what;
    loop_doing(l->loop, "a connection that greets");
    pthread_mutex_lock(&l->lock);
    origins_await(&l->origins, &a->conn);
    pthread_cond_signal(&l->has_turn);
    pthread_mutex_unlock(&l->lock);
}

static void arrival_new(struct arrivals *l, int fd, const struct arrival *like, bool is_reserved)
{
    struct event_base *base = loop_base(l->loop);
    struct arrival *a = uti_calloc(1, sizeof *a);
    *a = *like;
    a->list = l;
    a->fd = fd;
    a->stream = (struct stream)STREAM_CLOSED;
    a->read_ev = event_new(base, fd, EV_READ, on_ready, a);
    a->write_ev = event_new(base, fd, EV_WRITE, on_ready, a);
    ASSERT(a->read_ev != NULL && a->write_ev != NULL);
    TAILQ_INSERT_TAIL(&l->all, a, next);
    pthread_mutex_lock(&l->lock);
    origins_join(&l->origins, &a->conn, &a->address, is_reserved, uti_mono_us());
    pthread_mutex_unlock(&l->lock);
    await_peer(a);
}

/* A is the oldest silent connection of the address that has most */
static void drop_victim(struct arrival *a)
{
    struct dstr why = DSTR_INIT;
    dstr_addf(&why, MSG_COMM_CROWDED_UU, (unsigned)ORIGIN_CONNS_MOST, origins_count(&a->conn));
    bool has_left = arrival_leave(a);
    ASSERT(has_left);
    arrival_refuse(a, dstr_get(&why));
    dstr_free(&why);
}

static void refuse_newcomer(struct arrivals *l, int fd, const char *from)
{
    struct dstr why = DSTR_INIT;
    struct comm_peer peer = { .uid = COMM_NO_UID, .gid = COMM_NO_GID };
    memcpy(peer.from, from, sizeof peer.from);
    dstr_addf(&why, MSG_COMM_CROWDED_U, (unsigned)ORIGIN_CONNS_MOST);
    l->ops->refused(l->ctx, &peer, dstr_get(&why));
    dstr_free(&why);
    close(fd);
}

struct room {
    enum origin_room is;
    struct origin_conn *victim;
};
static struct room find_room(struct arrivals *l)
{
    struct room room;
    pthread_mutex_lock(&l->lock);
    room.is = origins_room(&l->origins, uti_mono_us(), &room.victim);
    pthread_mutex_unlock(&l->lock);
    return room;
}

static void take_newcomer(struct arrivals *l, int fd, const struct arrival *like,
                          const struct room *room)
{
    pthread_mutex_lock(&l->lock);
    bool is_reserved = room->is != ORIGIN_ROOM && origins_has_reserve(&l->origins, &like->address);
    pthread_mutex_unlock(&l->lock);
    if (!is_reserved && room->is == ORIGIN_FULL) {
        refuse_newcomer(l, fd, like->from);
        return;
    }
    if (!is_reserved && room->is == ORIGIN_REPLACE)
        drop_victim((struct arrival *)(void *)room->victim);
    arrival_new(l, fd, like, is_reserved);
}

static void accept_later(struct arrivals *l)
{
    struct timeval pause = { .tv_usec = FULL_PAUSE_US };
    event_del(l->accept_ev);
    event_add(l->again_ev, &pause);
}

static void on_arrival(evutil_socket_t listen_fd, short what, void *ctx)
{
    struct arrivals *l = ctx;
    struct arrival_limits limits = l->ops->limits(l->ctx);
    (void)what;
    loop_doing(l->loop, "accepting TCP connections");
    for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
        struct arrival like = { .fd = -1 };
        struct room room = find_room(l);
        bool has_room = room.is != ORIGIN_LATER && l->ops->has_room(l->ctx);
        int fd = has_room ? tcp_accept(listen_fd, like.from, &like.address) : -2;
        if (fd == -2 || (fd < 0 && errno != EAGAIN && errno != ECONNABORTED && errno != EINTR))
            accept_later(l);
        if (fd < 0)
            return;
        tcp_set_silence(fd, limits.silent_s);
        take_newcomer(l, fd, &like, &room);
    }
}

static void on_again(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct arrivals *l = ctx;
    loop_doing(l->loop, "accepting TCP connections");
    event_add(l->accept_ev, NULL);
}

static void look_again(struct arrivals *l, const struct arrival_limits *limits)
{
    uint32_t ms = limits->greeting_ms / LOOKS;
    ms = ms == 0 || ms > limits->look_ms ? limits->look_ms : ms;
    struct timeval in = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000L };
    event_add(l->look_ev, &in);
}

/* those who have taken too long; they came in the order of the list */
static void on_look(evutil_socket_t fd, short what, void *ctx)
{
    struct arrivals *l = ctx;
    struct arrival_limits limits = l->ops->limits(l->ctx);
    uint64_t now_us = uti_mono_us(), most_us = (uint64_t)limits.greeting_ms * 1000;
    struct dstr why = DSTR_INIT;
    struct arrival *next;
    (void)fd;
    (void)what;
    loop_doing(l->loop, "looking for slow connections");
    add_late(&why, &limits);
    for (struct arrival *a = TAILQ_FIRST(&l->all); a != NULL && most_us > 0; a = next) {
        next = TAILQ_NEXT(a, next);
        if (a->conn.since_us + most_us > now_us)
            break;
        if (arrival_leave(a))
            arrival_refuse(a, dstr_get(&why));
        else
            a->is_late = true;
    }
    dstr_free(&why);
    look_again(l, &limits);
}

static void *run_acceptor(void *ctx)
{
    struct arrivals *l = ctx;
    log_thread("arrivals");
    loop_measure(l->loop, "the accepting thread");
    loop_run(l->loop);
    return NULL;
}

/* ---- life ---- */

static void end_threads(struct arrivals *l)
{
    if (l->has_acceptor) {
        loop_stop(l->loop);
        pthread_join(l->acceptor, NULL);
    }
    pthread_mutex_lock(&l->lock);
    l->is_ending = true;
    pthread_cond_broadcast(&l->has_turn);
    pthread_mutex_unlock(&l->lock);
    for (int i = 0; i < l->n_greeters; i++)
        pthread_join(l->greeters[i], NULL);
}

static void free_event(struct event *ev)
{
    if (ev != NULL)
        event_free(ev);
}

void arrivals_free(struct arrivals *l)
{
    struct arrival *a;
    if (l == NULL)
        return;
    end_threads(l);
    while ((a = TAILQ_FIRST(&l->all)) != NULL) {
        origins_leave(&l->origins, &a->conn);
        struct stream stream = arrival_end(a);
        stream_close(&stream);
    }
    origins_free(&l->origins);
    free_event(l->accept_ev);
    free_event(l->again_ev);
    free_event(l->look_ev);
    loop_watch_free(l->waker);
    loop_free(l->loop);
    close(l->listen_fd);
    pthread_cond_destroy(&l->has_turn);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

/* they leave signals to the threads that were there before; false when one cannot be made */
static bool start_threads(struct arrivals *l)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (l->n_greeters < GREETERS &&
           pthread_create(&l->greeters[l->n_greeters], NULL, run_greeter, l) == 0)
        l->n_greeters++;
    l->has_acceptor =
        l->n_greeters == GREETERS && pthread_create(&l->acceptor, NULL, run_acceptor, l) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return l->has_acceptor;
}

static bool make_events(struct arrivals *l)
{
    struct event_base *base = loop_base(l->loop);
    l->accept_ev = event_new(base, l->listen_fd, EV_READ | EV_PERSIST, on_arrival, l);
    l->again_ev = event_new(base, -1, 0, on_again, l);
    l->look_ev = event_new(base, -1, 0, on_look, l);
    l->waker = loop_wake_new(l->loop, on_done, l);
    return l->accept_ev != NULL && l->again_ev != NULL && l->look_ev != NULL && l->waker != NULL &&
           event_add(l->accept_ev, NULL) == 0;
}

/* its threads run and its listener has a port; false: something of that cannot be made */
static bool begin_arrivals(struct arrivals *l)
{
    struct arrival_limits limits = l->ops->limits(l->ctx);
    l->loop = loop_new(NULL);
    if (l->loop == NULL || !make_events(l))
        return false;
    look_again(l, &limits);
    return start_threads(l);
}

struct arrivals *arrivals_new(uint16_t port, const struct arrival_ops *ops, void *ctx,
                              struct answer *ans)
{
    int fd = tcp_listen(port);
    if (fd < 0)
        return ans_sys_null(ans, errno, MSG_COMM_LISTEN_PORT_U, port);
    struct arrivals *l = uti_calloc(1, sizeof *l);
    l->ops = ops;
    l->ctx = ctx;
    l->listen_fd = fd;
    TAILQ_INIT(&l->all);
    TAILQ_INIT(&l->done);
    origins_init(&l->origins, GREETERS_OF_ORIGIN);
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->has_turn, NULL);
    if (begin_arrivals(l))
        return l;
    arrivals_free(l);
    return ans_sys_null(ans, ENOMEM, MSG_COMM_LISTEN_PORT_U, port);
}

uint16_t arrivals_port(const struct arrivals *l)
{
    return tcp_port(l->listen_fd);
}
