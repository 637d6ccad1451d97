/* Connections over TCP that have come and are not known yet: their streams greet (TLS proves who is
 * there), and then they become connections like all others (conn.c). Network thread only.
 * Invariants: an arrival is in the list, oldest first, has both events and an open stream; at most
 * ARRIVALS_MOST of them exist, so that whoever proves nothing costs no more than these. */
#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/comm/loop_priv.h"
#include "libs/comm/loop.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/server_priv.h"
#include "libs/comm/tcp.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

enum {
    ACCEPTS_PER_TURN = 16, /* each may cost a signature */
    ARRIVALS_MOST = 256,
    GRACE_US = 1000000, /* an honest greeting takes less; then the oldest makes room for others */
    FULL_PAUSE_US = 100000
};

struct arrival {
    struct arrivals *list;
    struct stream stream;
    struct event *read_ev, *write_ev;
    uint64_t since_us;
    char from[TCP_ADDRESS_BYTES];
    TAILQ_ENTRY(arrival) next;
};
TAILQ_HEAD(arrival_list, arrival);

struct arrivals {
    struct comm_server *s;
    int listen_fd;
    struct event *accept_ev, *again_ev;
    comm_wrap_fn wrap;
    void *wrap_ctx;
    struct arrival_list all;
    uint32_t n;
};

/* out of the list; its stream is the caller's */
static struct stream arrival_end(struct arrival *a)
{
    struct stream stream = a->stream;
    TAILQ_REMOVE(&a->list->all, a, next);
    a->list->n--;
    if (a->read_ev != NULL)
        event_free(a->read_ev);
    if (a->write_ev != NULL)
        event_free(a->write_ev);
    free(a);
    return stream;
}

static struct comm_peer peer_of(const struct arrival *a)
{
    struct stream_peer proved = stream_peer(&a->stream);
    struct comm_peer peer = { .uid = COMM_NO_UID, .gid = COMM_NO_GID, .host = proved.host };
    if (proved.user != NULL) {
        peer.user = proved.user;
        peer.uid = proved.uid;
        peer.gid = proved.gid;
    }
    memcpy(peer.from, a->from, sizeof peer.from);
    return peer;
}

static void arrival_refuse(struct arrival *a, const char *why)
{
    struct comm_peer peer = peer_of(a);
    server_refuse(a->list->s, &peer, "%s", why);
    struct stream stream = arrival_end(a);
    stream_close(&stream);
}

/* the other end is who it is: from here on it is a connection like others */
static void arrival_admit(struct arrival *a)
{
    struct comm_server *s = a->list->s;
    struct comm_limits limits = server_limits(s);
    struct comm_peer peer = peer_of(a);
    struct stream stream = arrival_end(a);
    server_admit(s, &stream, &peer, &limits);
}

static void arrival_greet(struct arrival *a)
{
    int rc = stream_greet(&a->stream), err = errno;
    if (rc > 0) {
        arrival_admit(a);
    } else if (rc < 0) {
        const char *why = stream_why(&a->stream, err);
        arrival_refuse(a, why != NULL ? why : strerror(err));
    } else {
        bool is_read = a->stream.read_wants == STREAM_READABLE;
        int added = event_add(is_read ? a->read_ev : a->write_ev, NULL);
        ASSERT(added == 0);
    }
}

static void on_ready(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct arrival *a = ctx;
    loop_doing(a->list->s->loop, "a handshake");
    arrival_greet(a);
}

static void arrival_new(struct arrivals *l, int fd, const char *from, uint32_t silent_s)
{
    tcp_set_silence(fd, silent_s);
    struct stream stream = l->wrap(l->wrap_ctx, fd);
    if (!stream_is_open(&stream))
        return;
    struct arrival *a = uti_calloc(1, sizeof *a);
    a->list = l;
    a->stream = stream;
    a->since_us = uti_mono_us();
    memcpy(a->from, from, sizeof a->from);
    a->read_ev = event_new(l->s->base, stream.fd, EV_READ, on_ready, a);
    a->write_ev = event_new(l->s->base, stream.fd, EV_WRITE, on_ready, a);
    ASSERT(a->read_ev != NULL && a->write_ev != NULL);
    TAILQ_INSERT_TAIL(&l->all, a, next);
    l->n++;
    arrival_greet(a);
}

/* is there room for one more? The oldest makes some when it has had its time. */
static bool make_room(struct arrivals *l)
{
    struct arrival *oldest = TAILQ_FIRST(&l->all);
    if (l->n < ARRIVALS_MOST)
        return true;
    if (oldest->since_us + GRACE_US > uti_mono_us())
        return false;
    arrival_refuse(oldest, MSG_COMM_CROWDED);
    return true;
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
    struct comm_limits limits = server_limits(l->s);
    char from[TCP_ADDRESS_BYTES];
    (void)what;
    loop_doing(l->s->loop, "accepting TCP connections");
    for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
        bool has_room = server_has_descriptor(l->s, &limits) && make_room(l);
        int fd = has_room ? tcp_accept(listen_fd, from) : -2;
        if (fd == -2 || (fd < 0 && errno != EAGAIN && errno != ECONNABORTED && errno != EINTR))
            accept_later(l);
        if (fd < 0)
            return;
        arrival_new(l, fd, from, limits.silent_s);
    }
}

static void on_again(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct arrivals *l = ctx;
    event_add(l->accept_ev, NULL);
}

void arrivals_look(struct arrivals *l, const struct comm_limits *limits, uint64_t now_us)
{
    struct arrival *a;
    struct dstr why = DSTR_INIT;
    uint64_t most_us = (uint64_t)limits->greeting_ms * 1000;
    if (l == NULL || most_us == 0)
        return;
    dstr_addf(&why, MSG_COMM_NO_GREETING_G, limits->greeting_ms / 1000.0);
    while ((a = TAILQ_FIRST(&l->all)) != NULL && a->since_us + most_us <= now_us)
        arrival_refuse(a, dstr_get(&why));
    dstr_free(&why);
}

void arrivals_free(struct arrivals *l)
{
    struct arrival *a;
    if (l == NULL)
        return;
    while ((a = TAILQ_FIRST(&l->all)) != NULL) {
        struct stream stream = arrival_end(a);
        stream_close(&stream);
    }
    if (l->accept_ev != NULL)
        event_free(l->accept_ev);
    if (l->again_ev != NULL)
        event_free(l->again_ev);
    close(l->listen_fd);
    free(l);
}

int comm_server_listen_tcp(struct comm_server *s, uint16_t port, comm_wrap_fn wrap, void *wrap_ctx,
                           struct answer *ans)
{
    ASSERT(s->arrivals == NULL);
    int fd = tcp_listen(port);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_COMM_LISTEN_PORT_U, port);
    struct arrivals *l = uti_calloc(1, sizeof *l);
    l->s = s;
    l->listen_fd = fd;
    l->wrap = wrap;
    l->wrap_ctx = wrap_ctx;
    TAILQ_INIT(&l->all);
    l->accept_ev = event_new(s->base, fd, EV_READ | EV_PERSIST, on_arrival, l);
    l->again_ev = event_new(s->base, -1, 0, on_again, l);
    if (l->accept_ev == NULL || l->again_ev == NULL || event_add(l->accept_ev, NULL) != 0) {
        arrivals_free(l);
        return ans_sys(ans, ENOMEM, MSG_COMM_LISTEN_PORT_U, port);
    }
    s->arrivals = l;
    server_look_on(s);
    return 0;
}

uint16_t comm_server_port(const struct comm_server *s)
{
    return s->arrivals != NULL ? tcp_port(s->arrivals->listen_fd) : 0;
}
