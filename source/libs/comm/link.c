/* A daemon's one connection to a server, on its loop's thread. States: down (the stream is closed,
 * the timer runs), greeting (it is open, both events exist, the timer ends it when it takes too
 * long) and up. What ends a connection while frames are
 * handed over is only noted (`end_why`) and done when the callback has returned. The pause before
 * the next try doubles from 100 ms to 2 s and starts over once the server has said something: one
 * that accepts and hangs up is not stormed. One that refuses us is left alone for longer. While the
 * link is down, a unix socket that comes ends the pause. */
#include "libs/comm/link.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/comm/frame_priv.h"
#include "libs/comm/loop.h"
#include "libs/comm/loop_priv.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/outq.h"
#include "libs/comm/unix_socket.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/os.h"

/* ---- a unix socket that comes back ---- */
/* One directory, watched for one name. A server moves its socket to the path when it listens
 * already (unix_socket.c), so that a connect succeeds as soon as the name is there. */
struct comeback {
    int fd;
    char *name; /* in the directory */
    struct loop_watch *watch;
    void (*came)(void *ctx);
    void *ctx;
};

static void on_arrivals(void *ctx)
{
    const struct comeback *c = ctx;
    if (os_arrivals_have(c->fd, c->name))
        c->came(c->ctx);
}

/* the directory of PATH, whose name begins at NAME: new, free() */
static char *directory_of(const char *path, const char *name)
{
    size_t len = (size_t)(name - path);
    return len == 0 ? uti_strdup(".") : uti_strndup(path, len);
}

/* NULL is fine; not from within CAME */
static void comeback_free(struct comeback *c)
{
    if (c == NULL)
        return;
    loop_watch_free(c->watch);
    close(c->fd);
    free(c->name);
    free(c);
}

/* Calls CAME whenever a file of that name is made at PATH, or moved there.
 *
 *   l, ctx  borrowed until comeback_free; CAME is called in the loop
 *   path    copied
 *
 * A watch that is made before the attempt to connect misses nothing. Other names in the
 * directory cost a read and a comparison. Returns new: comeback_free; NULL where the kernel
 * cannot watch (no directory, no watches left): then the pauses between attempts decide. */
static struct comeback *comeback_new(struct loop *l, const char *path, void (*came)(void *ctx),
                                     void *ctx)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    char *dir = directory_of(path, name);
    int fd = os_arrivals_fd(dir);
    free(dir);
    if (fd < 0)
        return NULL;
    struct comeback *c = uti_alloc(sizeof *c);
    *c = (struct comeback){ .fd = fd, .name = uti_strdup(name), .came = came, .ctx = ctx };
    c->watch = loop_watch_read(l, fd, on_arrivals, c);
    if (c->watch != NULL)
        return c;
    comeback_free(c);
    return NULL;
}

enum {
    SCRATCH_BYTES = 64 * 1024,
    PAUSE_FIRST_US = 100000,
    PAUSE_MOST_US = 2000000,
    PAUSE_REFUSED_US = 10000000
};

struct link {
    struct loop *loop;
    struct event_base *base;    /* of the loop */
    char *path;                 /* NULL: not over a unix socket */
    struct link_dial dial;      /* open is NULL: it was adopted, and is not made again */
    struct stream adopted;      /* to be taken over in the first turn */
    const struct link_ops *ops; /* borrowed */
    void *ctx;
    struct loop_timer *retry;
    struct comeback *comeback; /* while it is down, over a unix socket */
    uint64_t pause_us;
    bool is_refused; /* by the other end of this connection */
    struct stream stream;
    bool is_greeting;
    struct event *read_ev, *write_ev;
    struct event *turn_ev; /* at the end of this turn of the loop: write, or end */
    const char *end_why;   /* the connection is to be ended */
    char why[512];
    struct frame_reader reader;
    struct outq out;
    uint8_t *scratch;
};

/* any number below N; without random bytes 0, which does no harm */
static uint64_t link_chance(uint64_t n)
{
    uint64_t bytes = 0;
    return random_bytes(&bytes, sizeof bytes, NULL) == 0 && n > 0 ? bytes % n : 0;
}

static void link_disconnect(struct link *k)
{
    if (!stream_is_open(&k->stream))
        return;
    k->is_greeting = false;
    event_free(k->read_ev);
    event_free(k->write_ev);
    k->read_ev = k->write_ev = NULL;
    stream_close(&k->stream);
    frame_reader_free(&k->reader);
    outq_free(&k->out);
}

static void on_comeback(void *ctx)
{
    struct link *k = ctx;
    if (stream_is_open(&k->stream))
        return;
    k->pause_us = PAUSE_FIRST_US;
    loop_timer_set(k->retry, 0);
}

static void link_try_later(struct link *k)
{
    if (k->path == NULL && k->dial.open == NULL)
        return;
    if (k->path != NULL && k->comeback == NULL)
        k->comeback = comeback_new(k->loop, k->path, on_comeback, k);
    uint64_t pause_us = k->is_refused ? PAUSE_REFUSED_US : k->pause_us;
    loop_timer_set(k->retry, pause_us - link_chance(pause_us / 2));
    k->pause_us = k->pause_us * 2 < PAUSE_MOST_US ? k->pause_us * 2 : PAUSE_MOST_US;
    k->is_refused = false;
}

static void link_end_at_turn(struct link *k, const char *why)
{
    if (k->end_why == NULL)
        k->end_why = why;
    event_active(k->turn_ev, EV_TIMEOUT, 0);
}

/* WHY of an error, kept in the link */
static const char *link_error(struct link *k, int err)
{
    char buf[sizeof k->why];
    const char *text = stream_is_open(&k->stream) ? stream_why(&k->stream, err) : NULL;
    if (text == NULL)
        text = strerror_r(err, buf, sizeof buf);
    size_t len = strnlen(text, sizeof k->why - 1);
    memmove(k->why, text, len);
    k->why[len] = '\0';
    return k->why;
}

/* the read event is always there; the write event is there while something waits for it */
static void link_wait(struct link *k, enum stream_want wants)
{
    if (wants == STREAM_WRITABLE && event_add(k->write_ev, NULL) != 0)
        link_end_at_turn(k, link_error(k, ENOMEM));
}

static void link_write(struct link *k)
{
    size_t written;
    int rc = outq_write(&k->out, &k->stream, &written);
    if (rc < 0)
        link_end_at_turn(k, link_error(k, errno));
    else if (rc == 0)
        link_wait(k, k->stream.write_wants);
}

static void link_failed(struct link *k, const char *why)
{
    if (k->ops->failed != NULL && why != NULL)
        k->ops->failed(k->ctx, why);
}

static void link_end(struct link *k)
{
    const char *why = k->end_why;
    bool was_up = !k->is_greeting;
    k->end_why = NULL;
    link_disconnect(k);
    link_try_later(k);
    if (was_up)
        k->ops->down(k->ctx, why);
    else
        link_failed(k, why);
}

static void on_turn(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct link *k = ctx;
    loop_doing(k->loop, "writing to the qmaster");
    if (!stream_is_open(&k->stream))
        return;
    if (k->end_why != NULL)
        link_end(k);
    else if (!k->is_greeting)
        link_write(k);
}

static void link_hand_over(struct link *k, struct byte_span *in)
{
    struct frame f;
    int rc = 0;
    while (k->end_why == NULL && (rc = frame_reader_next(&k->reader, in, &f)) > 0) {
        k->pause_us = PAUSE_FIRST_US;
        k->ops->frame(k->ctx, &f);
    }
    if (rc < 0)
        link_end_at_turn(k, MSG_COMM_BAD_FRAME);
}

static void link_read(struct link *k)
{
    struct byte_span in;
    bool is_all;
    ssize_t n = frame_reader_recv(&k->reader, &k->stream, k->scratch, SCRATCH_BYTES, &in, &is_all);
    if (n > 0)
        link_hand_over(k, &in);
    else if (n == 0)
        link_end_at_turn(k, MSG_COMM_CLOSED);
    else if (errno == EAGAIN)
        link_wait(k, k->stream.read_wants);
    else
        link_end_at_turn(k, link_error(k, errno));
    if (n > 0 && k->stream.has_more)
        event_active(k->read_ev, EV_READ, 0);
}

/* what comes before the frames; the other end may have spoken already when it is done */
static void link_greet(struct link *k)
{
    int rc = stream_greet(&k->stream);
    if (rc < 0) {
        link_end_at_turn(k, link_error(k, errno));
    } else if (rc == 0) {
        link_wait(k, k->stream.read_wants);
    } else {
        k->is_greeting = false;
        loop_timer_clear(k->retry);
        if (k->stream.has_more)
            event_active(k->read_ev, EV_READ, 0);
        k->ops->up(k->ctx);
    }
}

static void on_readable(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct link *k = ctx;
    loop_doing(k->loop, "a message of the qmaster");
    if (k->end_why == NULL && k->is_greeting) {
        link_greet(k);
        return;
    }
    if (k->end_why == NULL)
        link_read(k);
    if (k->end_why == NULL && k->stream.write_wants == STREAM_READABLE)
        link_write(k);
}

static void on_writable(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct link *k = ctx;
    loop_doing(k->loop, "writing to the qmaster");
    if (k->is_greeting) {
        if (k->end_why == NULL)
            link_greet(k);
        return;
    }
    link_write(k);
    if (k->end_why == NULL && k->stream.read_wants == STREAM_WRITABLE)
        link_read(k);
}

static struct stream link_open(struct link *k, const char **why)
{
    struct stream s = k->adopted;
    k->adopted = (struct stream)STREAM_CLOSED;
    if (k->dial.open != NULL)
        return k->dial.open(k->dial.ctx, why);
    return k->path != NULL ? stream_unix(unix_connect(k->path, 0)) : s;
}

static void link_connect(struct link *k)
{
    const char *why = NULL;
    k->stream = link_open(k, &why);
    if (!stream_is_open(&k->stream)) {
        link_try_later(k);
        link_failed(k, why);
        return;
    }
    int fd = k->stream.fd;
    outq_init(&k->out);
    k->read_ev = event_new(k->base, fd, EV_READ | EV_PERSIST, on_readable, k);
    k->write_ev = event_new(k->base, fd, EV_WRITE, on_writable, k);
    ASSERT(k->read_ev != NULL && k->write_ev != NULL);
    if (event_add(k->read_ev, NULL) != 0) {
        link_disconnect(k);
        link_try_later(k);
        return;
    }
    comeback_free(k->comeback);
    k->comeback = NULL;
    k->is_greeting = true;
    if (k->dial.greeting_ms > 0)
        loop_timer_set(k->retry, (uint64_t)k->dial.greeting_ms * 1000);
    link_greet(k);
}

/* time to connect, or too late for the greeting */
static void on_retry(void *ctx)
{
    struct link *k = ctx;
    if (!stream_is_open(&k->stream))
        link_connect(k);
    else if (k->is_greeting)
        link_end_at_turn(k, MSG_COMM_LATE);
}

static struct link *link_make(struct loop *l, const struct link_ops *ops, void *ctx)
{
    struct link *k = uti_calloc(1, sizeof *k);
    k->loop = l;
    k->base = loop_base(l);
    k->ops = ops;
    k->ctx = ctx;
    k->stream = k->adopted = (struct stream)STREAM_CLOSED;
    k->pause_us = PAUSE_FIRST_US;
    k->scratch = uti_alloc(SCRATCH_BYTES);
    outq_init(&k->out);
    k->turn_ev = event_new(k->base, -1, 0, on_turn, k);
    ASSERT(k->turn_ev != NULL);
    k->retry = loop_timer_new(l, on_retry, k);
    loop_timer_set(k->retry, 0);
    return k;
}

struct link *link_new(struct loop *l, const char *socket_path, const struct link_ops *ops,
                      void *ctx)
{
    struct link *k = link_make(l, ops, ctx);
    k->path = uti_strdup(socket_path);
    return k;
}

struct link *link_dialled(struct loop *l, const struct link_dial *dial, const struct link_ops *ops,
                          void *ctx)
{
    struct link *k = link_make(l, ops, ctx);
    k->dial = *dial;
    return k;
}

struct link *link_over(struct loop *l, struct stream *s, const struct link_ops *ops, void *ctx)
{
    struct link *k = link_make(l, ops, ctx);
    k->adopted = *s;
    return k;
}

struct link *link_adopt(struct loop *l, int fd, const struct link_ops *ops, void *ctx)
{
    struct stream s = stream_unix(fd);
    return link_over(l, &s, ops, ctx);
}

void link_free(struct link *k)
{
    if (k == NULL)
        return;
    link_disconnect(k);
    stream_close(&k->adopted);
    loop_timer_free(k->retry);
    comeback_free(k->comeback);
    event_free(k->turn_ev);
    free(k->scratch);
    free(k->path);
    free(k);
}

void link_send(struct link *k, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    ASSERT(len <= COMM_BODY_MAX);
    if (!link_is_up(k)) {
        free(body);
        return;
    }
    bool is_first = outq_is_empty(&k->out);
    struct out_frame *f = out_frame_new(kind, serial, body, len);
    STAILQ_INSERT_TAIL(&k->out.frames, f, next);
    if (is_first) /* else the turn or the write event is on its way */
        event_active(k->turn_ev, EV_TIMEOUT, 0);
}

bool link_is_up(const struct link *k)
{
    return stream_is_open(&k->stream) && !k->is_greeting && k->end_why == NULL;
}

int link_fd(const struct link *k)
{
    return k->stream.fd;
}

void link_refused(struct link *k)
{
    k->is_refused = true;
    link_drop(k);
}

void link_drop(struct link *k)
{
    if (stream_is_open(&k->stream))
        link_end_at_turn(k, MSG_COMM_DROPPED);
}
