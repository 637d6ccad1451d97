/* Sessions between hosts. The thread of this file owns all that is carried, from the moment in
 * which it takes it from the queue; the main loop and the thread that accepts only put things
 * there. Invariants: each is in `all` while it counts; a connection that has come is read exactly
 * up to the end of its first frame before the main loop gets to know of it. Source: qrsh(1). */
#include "daemons/execd/host/session_relay.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "libs/comm/arrival.h"
#include "libs/comm/bridge.h"
#include "libs/comm/loop.h"
#include "libs/comm/stream.h"
#include "libs/comm/tcp.h"
#include "libs/task/session_frame.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/log.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"
#include "libs/uti/tree.h"

enum {
    GREETING_MS = 10000,
    FIRST_FRAME_MS = 10000,
    CONNECTS_MOST = 4, /* to the addresses of one host, of both families */
    LOOK_US = 1000000, /* while something is carried */
    NAME_US = 20000,   /* while addresses are asked for */
    HELLO_MOST = SESSION_HEADER_BYTES + SESSION_HELLO_MOST
};

struct carried {
    struct session_relay *r;
    bool is_outgoing;
    uid_t uid;
    char *peer; /* the host where it goes, or host or user that it comes from */
    char from[TCP_ADDRESS_BYTES];
    uint64_t since_us;
    bool is_taken; /* by the thread: the rest is its own */
    struct bridge *bridge;
    struct stream near, far; /* until the bridge has them */
    uint8_t bytes[2 * HELLO_MOST];
    size_t n;
    /* of one that goes */
    struct tcp_place *place;
    int n_connects;
    char why[SESSION_TEXT_MOST];
    /* of one that comes */
    struct loop_watch *watch;
    size_t first_at; /* where its first frame begins */
    bool has_user;
    TAILQ_ENTRY(carried) next;
};
TAILQ_HEAD(carried_list, carried);

struct came { /* on its way to the main loop */
    int fd;
    uid_t uid;
    char *from; /* NULL: a user with a certificate */
    uint8_t bytes[HELLO_MOST];
    size_t n;
    STAILQ_ENTRY(came) next;
};
STAILQ_HEAD(came_list, came);

struct session_relay {
    const struct session_relay_ops *ops;
    void *ctx;
    uint16_t port; /* of the others */
    _Atomic uint32_t silent_s;
    struct loop *loop;
    struct loop_timer *look, *ask;
    bool is_looking;
    struct loop_watch *waker;
    struct arrivals *arrivals;
    struct loop_watch *main_waker;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; /* guards what follows */
    struct carried_list all;
    struct came_list came;
};

/* ---- counts ---- */

static bool is_same_origin(const struct carried *a, bool is_outgoing, uid_t uid, const char *peer)
{
    return is_outgoing ? a->uid == uid : strcmp(a->peer, peer) == 0;
}

/* 0, or the limit that is reached; under the lock */
static unsigned limit_reached(const struct session_relay *r, bool is_outgoing, uid_t uid,
                              const char *peer)
{
    const struct carried *c;
    unsigned n = 0, n_own = 0,
             most_own = is_outgoing ? SESSION_RELAYS_OF_USER : SESSION_RELAYS_OF_PEER;
    TAILQ_FOREACH(c, &r->all, next) {
        n += c->is_outgoing == is_outgoing;
        n_own += c->is_outgoing == is_outgoing && is_same_origin(c, is_outgoing, uid, peer);
    }
    if (n >= SESSION_RELAYS_MOST)
        return SESSION_RELAYS_MOST;
    return n_own >= most_own ? most_own : 0;
}

/* C is not in the list */
static void carried_drop(struct carried *c)
{
    loop_watch_free(c->watch);
    bridge_free(c->bridge);
    stream_close(&c->near);
    stream_close(&c->far);
    tcp_place_free(c->place);
    free(c->peer);
    free(c);
}

static void carried_free(struct carried *c)
{
    struct session_relay *r = c->r;
    pthread_mutex_lock(&r->lock);
    TAILQ_REMOVE(&r->all, c, next);
    pthread_mutex_unlock(&r->lock);
    carried_drop(c);
}

/* C is the thread's from now on; 0, or the limit that keeps it out */
static unsigned carried_put(struct carried *c)
{
    struct session_relay *r = c->r;
    pthread_mutex_lock(&r->lock);
    unsigned most = limit_reached(r, c->is_outgoing, c->uid, c->peer);
    if (most == 0)
        TAILQ_INSERT_TAIL(&r->all, c, next);
    pthread_mutex_unlock(&r->lock);
    if (most == 0)
        loop_wake(r->waker);
    return most;
}

static struct carried *carried_new(struct session_relay *r, bool is_outgoing, uid_t uid,
                                   const char *peer)
{
    struct carried *c = uti_calloc(1, sizeof *c);
    c->r = r;
    c->is_outgoing = is_outgoing;
    c->uid = uid;
    c->peer = uti_strdup(peer);
    c->since_us = uti_mono_us();
    c->near = c->far = (struct stream)STREAM_CLOSED;
    return c;
}

/* ---- those that go to another host ---- */

static void send_refusal(struct stream *near, const char *peer, const char *why)
{
    uint8_t header[SESSION_HEADER_BYTES];
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, MSG_SESSION_NO_WAY_SS, peer, why);
    size_t len = text.len < SESSION_TEXT_MOST ? text.len : SESSION_TEXT_MOST;
    session_header_pack(SESSION_REFUSED, len, header);
    struct iovec v[] = { { header, sizeof header }, { text.s, len } };
    (void)stream_write(near, v, ARRAY_LEN(v));
    dstr_free(&text);
}

static void refuse_outgoing(struct carried *c, const char *why)
{
    send_refusal(&c->near, c->peer, why);
    carried_free(c);
}

static const char *is_right_host(void *ctx, const struct stream *far)
{
    struct carried *c = ctx;
    struct stream_peer peer = stream_peer(far);
    if (peer.host != NULL && host_name_equal(peer.host, c->peer))
        return NULL;
    (void)snprintf(c->why, sizeof c->why, MSG_SESSION_WRONG_HOST_S,
                   peer.host != NULL ? peer.host : peer.user);
    return c->why;
}

static void begin_connect(struct carried *c);

/* the next address may do better: connections are not made twice to one */
static void on_outgoing_ended(void *ctx, struct stream *near, const char *why)
{
    struct carried *c = ctx;
    if (why == NULL) {
        carried_free(c);
        return;
    }
    c->near = *near;
    *near = (struct stream)STREAM_CLOSED;
    if (why != c->why)
        (void)snprintf(c->why, sizeof c->why, "%s", why);
    bridge_free(c->bridge);
    c->bridge = NULL;
    begin_connect(c);
}

static const struct bridge_ops outgoing_ops = { .greeted = is_right_host,
                                                .ended = on_outgoing_ended };

static void use_connection(struct carried *c, int fd)
{
    tcp_set_patience(fd, c->r->silent_s);
    c->far = c->r->ops->dial(c->r->ctx, fd);
    if (!stream_is_open(&c->far)) {
        refuse_outgoing(c, strerror(errno));
        return;
    }
    struct bridge_sides sides = {
        .near = &c->near, .far = &c->far, .is_client_near = true, .first = c->bytes, .n_first = c->n
    };
    c->bridge = bridge_new(c->r->loop, &sides, GREETING_MS, &outgoing_ops, c);
}

static void begin_connect(struct carried *c)
{
    const char *why = NULL;
    bool is_late = uti_mono_us() - c->since_us > (uint64_t)SESSION_RELAY_CONNECT_MS * 1000;
    int fd = -1;
    if (!is_late && c->n_connects < CONNECTS_MOST)
        fd = tcp_place_connect(c->place, &why);
    else
        why = *c->why != '\0' ? c->why : MSG_SESSION_LATE;
    if (fd >= 0) {
        c->n_connects++;
        use_connection(c, fd);
    } else if (why != NULL) {
        refuse_outgoing(c, why);
    } else if (c->n_connects > 0) {
        refuse_outgoing(c, c->why);
    } else {
        loop_timer_set(c->r->ask, NAME_US);
    }
}

bool session_relay_send(struct session_relay *r, struct stream *near,
                        const struct session_first *first, const char *host, unsigned *most)
{
    char uid[16];
    const char *const texts[] = { uid };
    struct carried *c = carried_new(r, true, first->uid, host);
    ASSERT(first->n <= HELLO_MOST);
    (void)snprintf(uid, sizeof uid, "%u", (unsigned)first->uid);
    c->n = session_hello(SESSION_USER, texts, ARRAY_LEN(texts), c->bytes);
    memcpy(c->bytes + c->n, first->bytes, first->n);
    c->n += first->n;
    c->near = *near;
    *most = carried_put(c);
    if (*most == 0) {
        *near = (struct stream)STREAM_CLOSED;
        return true;
    }
    c->near = (struct stream)STREAM_CLOSED;
    carried_drop(c);
    return false;
}

/* ---- those that come ---- */

static const char *is_known_already(void *ctx, const struct stream *far)
{
    (void)ctx;
    (void)far;
    return NULL;
}

static void on_incoming_ended(void *ctx, struct stream *near, const char *why)
{
    (void)near;
    (void)why;
    carried_free(ctx);
}

static const struct bridge_ops incoming_ops = { .greeted = is_known_already,
                                                .ended = on_incoming_ended };

static void log_peer(const struct carried *c, const char *why)
{
    log_msg(LOG_LEVEL_WARNING, MSG_SESSION_PEER_SSS, c->peer, c->from, why);
}

static void refuse_incoming(struct carried *c, const char *why)
{
    log_peer(c, why);
    carried_free(c);
}

/* C becomes a descriptor of this host */
static void hand_over(struct carried *c, bool is_host)
{
    struct session_relay *r = c->r;
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) != 0) {
        refuse_incoming(c, strerror(errno));
        return;
    }
    struct came *m = uti_calloc(1, sizeof *m);
    m->fd = fds[0];
    m->uid = c->uid;
    m->from = is_host ? uti_strdup(c->peer) : NULL;
    m->n = c->n - c->first_at;
    memcpy(m->bytes, c->bytes + c->first_at, m->n);
    loop_watch_free(c->watch);
    c->watch = NULL;
    c->near = stream_unix(fds[1]);
    struct bridge_sides sides = { .near = &c->near, .far = &c->far };
    c->bridge = bridge_new(r->loop, &sides, GREETING_MS, &incoming_ops, c);
    pthread_mutex_lock(&r->lock);
    STAILQ_INSERT_TAIL(&r->came, m, next);
    pthread_mutex_unlock(&r->lock);
    loop_wake(r->main_waker);
}

/* the user whom a host names; false: that is no user */
static bool take_user(struct carried *c, const struct session_frame *f)
{
    const char *text;
    uint32_t uid;
    if (f->kind != SESSION_USER ||
        !session_hello_texts(c->bytes + SESSION_HEADER_BYTES, f->len, &text, 1) ||
        !parse_u32(text, &uid))
        return false;
    c->uid = uid;
    c->has_user = true;
    c->first_at = c->n;
    return true;
}

enum progress { NOT_YET, WHOLE, BAD };

/* one frame from AT on, exactly, with F when it is whole */
static enum progress read_frame(struct carried *c, struct session_frame *f)
{
    for (;;) {
        size_t have = c->n - c->first_at, wanted = SESSION_HEADER_BYTES;
        if (have >= SESSION_HEADER_BYTES) {
            if (session_header_unpack(c->bytes + c->first_at, SESSION_HELLO_MOST, f) != 0)
                return BAD;
            wanted += f->len;
        }
        if (have >= SESSION_HEADER_BYTES && have == wanted)
            return WHOLE;
        struct iovec v = { c->bytes + c->n, wanted - have };
        ssize_t n = stream_read(&c->far, &v, 1);
        if (n <= 0)
            return n < 0 && errno == EAGAIN ? NOT_YET : BAD;
        c->n += (size_t)n;
    }
}

static void read_first(void *ctx)
{
    struct carried *c = ctx;
    struct session_frame f;
    loop_doing(c->r->loop, "reading the first frame of another host");
    bool is_host = stream_peer(&c->far).host != NULL;
    enum progress p = read_frame(c, &f);
    if (p == WHOLE && is_host && !c->has_user) {
        if (take_user(c, &f))
            p = read_frame(c, &f);
        else
            p = BAD;
    }
    if (p == WHOLE)
        hand_over(c, is_host);
    else if (p == BAD)
        refuse_incoming(c, MSG_SESSION_MALFORMED);
}

static struct arrival_limits limits_of_arrivals(void *ctx)
{
    const struct session_relay *r = ctx;
    return (struct arrival_limits){ GREETING_MS, LOOK_US / 1000, r->silent_s };
}

static bool has_room(void *ctx)
{
    (void)ctx; /* who is known is counted */
    return true;
}

static struct stream wrap_arrival(void *ctx, int fd)
{
    const struct session_relay *r = ctx;
    return r->ops->accept(r->ctx, fd);
}

static void on_refused(void *ctx, const struct comm_peer *peer, const char *why)
{
    (void)ctx;
    log_msg(LOG_LEVEL_WARNING, MSG_SESSION_UNKNOWN_SS, peer->from, why);
}

static void on_arrived(void *ctx, struct stream *s, const struct comm_peer *peer)
{
    struct session_relay *r = ctx;
    const char *name = peer->host != NULL ? peer->host : peer->user;
    struct carried *c = carried_new(r, false, peer->uid, name);
    memcpy(c->from, peer->from, sizeof c->from);
    c->far = *s;
    *s = (struct stream)STREAM_CLOSED;
    tcp_set_patience(c->far.fd, r->silent_s);
    unsigned most = carried_put(c);
    if (most == 0)
        return;
    struct dstr why = DSTR_INIT;
    dstr_addf(&why, MSG_SESSION_RELAYS_U, most);
    log_peer(c, dstr_get(&why));
    dstr_free(&why);
    carried_drop(c);
}

static const struct arrival_ops arrival_ops = { .limits = limits_of_arrivals,
                                                .has_room = has_room,
                                                .wrap = wrap_arrival,
                                                .refused = on_refused,
                                                .arrived = on_arrived };

/* ---- the thread ---- */

static void begin_carrying(struct carried *c)
{
    if (c->is_outgoing) {
        c->place = tcp_place_new(c->peer, c->r->port);
        begin_connect(c);
    } else {
        c->watch = loop_watch_read(c->r->loop, c->far.fd, read_first, c);
        read_first(c); /* TLS may have it already */
    }
}

static struct carried *next_new(struct session_relay *r)
{
    struct carried *c;
    pthread_mutex_lock(&r->lock);
    TAILQ_FOREACH(c, &r->all, next) {
        if (!c->is_taken)
            break;
    }
    if (c != NULL)
        c->is_taken = true;
    pthread_mutex_unlock(&r->lock);
    return c;
}

static void on_wake(void *ctx)
{
    struct session_relay *r = ctx;
    struct carried *c;
    loop_doing(r->loop, "taking sessions");
    r->ops->woken(r->ctx);
    while ((c = next_new(r)) != NULL)
        begin_carrying(c);
    if (!r->is_looking)
        loop_timer_set(r->look, LOOK_US);
    r->is_looking = true;
}

static struct carried *first_of(struct session_relay *r)
{
    pthread_mutex_lock(&r->lock);
    struct carried *c = TAILQ_FIRST(&r->all);
    pthread_mutex_unlock(&r->lock);
    return c;
}

static struct carried *next_of(struct carried *c)
{
    pthread_mutex_lock(&c->r->lock);
    struct carried *next = TAILQ_NEXT(c, next);
    pthread_mutex_unlock(&c->r->lock);
    return next;
}

static void on_ask(void *ctx)
{
    struct session_relay *r = ctx;
    struct carried *next;
    loop_doing(r->loop, "looking for the addresses of hosts");
    for (struct carried *c = first_of(r); c != NULL; c = next) {
        next = next_of(c);
        if (c->is_taken && c->is_outgoing && c->bridge == NULL && c->place != NULL)
            begin_connect(c);
    }
}

static void look_at(struct carried *c, uint64_t now_us)
{
    if (c->bridge != NULL)
        bridge_look(c->bridge, now_us, c->r->silent_s);
    else if (!c->is_outgoing && now_us - c->since_us > FIRST_FRAME_MS * 1000)
        refuse_incoming(c, MSG_SESSION_LATE);
}

static void on_look(void *ctx)
{
    struct session_relay *r = ctx;
    struct carried *next;
    uint64_t now_us = uti_mono_us();
    loop_doing(r->loop, "looking at sessions");
    for (struct carried *c = first_of(r); c != NULL; c = next) {
        next = next_of(c);
        if (c->is_taken)
            look_at(c, now_us);
    }
    r->is_looking = first_of(r) != NULL;
    if (r->is_looking)
        loop_timer_set(r->look, LOOK_US);
}

static void *run_thread(void *ctx)
{
    struct session_relay *r = ctx;
    log_thread("sessions");
    loop_measure(r->loop, "the sessions thread");
    (void)loop_run(r->loop);
    return NULL;
}

/* ---- the main loop ---- */

static struct came *next_came(struct session_relay *r)
{
    pthread_mutex_lock(&r->lock);
    struct came *m = STAILQ_FIRST(&r->came);
    if (m != NULL)
        STAILQ_REMOVE_HEAD(&r->came, next);
    pthread_mutex_unlock(&r->lock);
    return m;
}

static void came_free(struct came *m)
{
    if (m->fd >= 0)
        close(m->fd);
    free(m->from);
    free(m);
}

static void on_came(void *ctx)
{
    struct session_relay *r = ctx;
    struct came *m;
    while ((m = next_came(r)) != NULL) {
        struct session_first first = {
            .uid = m->uid, .from = m->from, .is_relayed = true, .bytes = m->bytes, .n = m->n
        };
        r->ops->came(r->ctx, m->fd, &first);
        m->fd = -1;
        came_free(m);
    }
}

/* ---- life ---- */

/* signals are for the threads that were there before */
static bool start_thread(struct session_relay *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    r->has_thread = pthread_create(&r->thread, NULL, run_thread, r) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return r->has_thread;
}

static int begin_relay(struct session_relay *r, struct loop *l, uint16_t port, struct answer *ans)
{
    r->loop = loop_new(ans);
    if (r->loop == NULL)
        return -1;
    r->look = loop_timer_new(r->loop, on_look, r);
    r->ask = loop_timer_new(r->loop, on_ask, r);
    r->waker = loop_wake_new(r->loop, on_wake, r);
    r->main_waker = loop_wake_new(l, on_came, r);
    if (r->waker == NULL || r->main_waker == NULL || !start_thread(r))
        return ans_sys(ans, errno, MSG_THREAD);
    r->arrivals = arrivals_new(port, &arrival_ops, r, ans);
    return r->arrivals != NULL ? 0 : -1;
}

struct session_relay *session_relay_new(struct loop *l, uint16_t port,
                                        const struct session_relay_ops *ops, void *ctx,
                                        struct answer *ans)
{
    struct session_relay *r = uti_calloc(1, sizeof *r);
    r->ops = ops;
    r->ctx = ctx;
    r->silent_s = TCP_SILENT_S;
    TAILQ_INIT(&r->all);
    STAILQ_INIT(&r->came);
    pthread_mutex_init(&r->lock, NULL);
    if (begin_relay(r, l, port, ans) == 0) {
        r->port = port != 0 ? port : session_relay_port(r);
        return r;
    }
    session_relay_free(r);
    return NULL;
}

void session_relay_free(struct session_relay *r)
{
    struct carried *c;
    struct came *m;
    if (r == NULL)
        return;
    arrivals_free(r->arrivals); /* its threads bring more */
    if (r->has_thread) {
        loop_stop(r->loop);
        pthread_join(r->thread, NULL);
    }
    while ((c = first_of(r)) != NULL)
        carried_free(c);
    while ((m = next_came(r)) != NULL)
        came_free(m);
    loop_watch_free(r->main_waker);
    loop_watch_free(r->waker);
    loop_timer_free(r->look);
    loop_timer_free(r->ask);
    if (r->loop != NULL)
        loop_free(r->loop);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

void session_relay_set_silence(struct session_relay *r, uint32_t silent_s)
{
    if (r != NULL)
        r->silent_s = silent_s;
}

void session_relay_wake(struct session_relay *r)
{
    loop_wake(r->waker);
}

void session_relay_close(struct session_relay *r)
{
    arrivals_free(r->arrivals);
    r->arrivals = NULL;
}

bool session_relay_is_empty(struct session_relay *r)
{
    pthread_mutex_lock(&r->lock);
    bool is_empty = TAILQ_EMPTY(&r->all) && STAILQ_EMPTY(&r->came);
    pthread_mutex_unlock(&r->lock);
    return is_empty;
}

uint16_t session_relay_port(const struct session_relay *r)
{
    return arrivals_port(r->arrivals);
}
