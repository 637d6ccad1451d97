/* Bytes between two streams. Invariants: what waits for a side is in its buffer, which exists only
 * while something does; nothing is read from a side while something waits for the other; an ended
 * bridge has no events. Source: unix(7), tcp(7). */
#include "libs/comm/bridge.h"

#include <errno.h>
#include <event2/event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "libs/comm/loop.h"
#include "libs/comm/loop_priv.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/tcp.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

enum { READS_A_TURN = 8 };

struct side {
    struct bridge *b;
    struct side *other;
    struct stream stream;
    struct event *read_ev, *write_ev;
    uint8_t *bytes; /* what waits for this side; NULL: nothing */
    size_t n, at;
    bool has_ended; /* nothing more comes from it */
    bool is_deaf;   /* it takes nothing any more: what is for it is dropped */
};

struct bridge {
    struct loop *loop;
    const struct bridge_ops *ops;
    void *ctx;
    struct side near, far;
    struct side *client; /* one of them */
    uint64_t greeted_by_us;
    bool is_greeted, is_over;
    uint8_t *spare; /* for a read whose side turns out to have nothing */
};

/* ---- the end ---- */

/* A client that has gone takes nothing, and what it has sent is for nobody: the other host is to
 * know at once, and not when its task has read what comes before the end. */
static void cut_off(const struct side *far)
{
    struct linger none = { .l_onoff = 1, .l_linger = 0 };
    (void)setsockopt(far->stream.fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

static void end_bridge(struct bridge *b, const char *why)
{
    if (b->client == &b->near && b->is_greeted && !b->far.has_ended)
        cut_off(&b->far);
    event_del(b->near.read_ev);
    event_del(b->near.write_ev);
    event_del(b->far.read_ev);
    event_del(b->far.write_ev);
    b->is_over = true;
    b->ops->ended(b->ctx, &b->near.stream, why);
}

/* nothing can follow that anybody would read */
static bool is_finished(const struct bridge *b)
{
    const struct side *task = b->client->other;
    if (b->client->has_ended || b->client->is_deaf)
        return true;
    return task->has_ended && b->client->bytes == NULL;
}

/* ---- bytes ---- */

/* what waits for TO, as far as it takes that */
static void write_side(struct side *to)
{
    while (to->bytes != NULL) {
        struct iovec v = { to->bytes + to->at, to->n - to->at };
        ssize_t n = to->is_deaf ? (ssize_t)v.iov_len : stream_write(&to->stream, &v, 1);
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0)
            to->is_deaf = true;
        else
            to->at += (size_t)n;
        if (to->at == to->n) {
            free(to->bytes);
            to->bytes = NULL;
        }
    }
}

/* one read of FROM for the other side, for which nothing waits; false: there is nothing now */
static bool read_side(struct side *from)
{
    struct bridge *b = from->b;
    struct side *to = from->other;
    if (b->spare == NULL)
        b->spare = uti_alloc(BRIDGE_BYTES);
    struct iovec v = { b->spare, BRIDGE_BYTES };
    ssize_t n = stream_read(&from->stream, &v, 1);
    if (n < 0 && errno == EAGAIN)
        return false;
    from->has_ended = n <= 0;
    if (n <= 0)
        return false;
    to->bytes = b->spare;
    b->spare = NULL;
    to->at = 0;
    to->n = (size_t)n;
    return true;
}

/* from FROM to the other side; true if more may follow in the next turn */
static bool carry_on(struct side *from)
{
    struct side *to = from->other;
    write_side(to);
    for (int i = 0; i < READS_A_TURN; i++) {
        if (to->bytes != NULL || from->has_ended || !read_side(from))
            return false;
        write_side(to);
    }
    return to->bytes == NULL && !from->has_ended;
}

static void arm_side(struct side *s, enum stream_want want)
{
    int rc = event_add(want == STREAM_WRITABLE ? s->write_ev : s->read_ev, NULL);
    ASSERT(rc == 0);
}

static void watch_side(struct side *s)
{
    if (s->bytes != NULL)
        arm_side(s, s->stream.write_wants);
    if (!s->has_ended && s->other->bytes == NULL)
        arm_side(s, s->stream.read_wants);
}

static void take_turn(struct bridge *b)
{
    bool from_near = carry_on(&b->near), from_far = carry_on(&b->far);
    free(b->spare);
    b->spare = NULL;
    if (is_finished(b)) {
        end_bridge(b, NULL);
        return;
    }
    watch_side(&b->near);
    watch_side(&b->far);
    if (from_near)
        event_active(b->near.read_ev, EV_READ, 1);
    if (from_far)
        event_active(b->far.read_ev, EV_READ, 1);
}

/* ---- the greeting ---- */

static void greet_far(struct bridge *b)
{
    struct stream *far = &b->far.stream;
    int rc = stream_greet(far);
    const char *why = rc < 0 ? stream_why(far, errno) : NULL;
    if (rc < 0) {
        end_bridge(b, why != NULL ? why : strerror(errno));
    } else if (rc == 0) {
        arm_side(&b->far, far->read_wants);
    } else if ((why = b->ops->greeted(b->ctx, far)) != NULL) {
        end_bridge(b, why);
    } else {
        b->is_greeted = true;
        take_turn(b);
    }
}

static void on_event(evutil_socket_t fd, short what, void *ctx)
{
    struct bridge *b = ((struct side *)ctx)->b;
    (void)fd;
    (void)what;
    loop_doing_for(b->loop, "carrying a session", NULL);
    if (b->is_over)
        return;
    if (b->is_greeted)
        take_turn(b);
    else
        greet_far(b);
}

/* ---- life ---- */

static bool has_gone(const struct side *s)
{
    struct pollfd p = { .fd = s->stream.fd, .events = POLLRDHUP };
    return poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void bridge_look(struct bridge *b, uint64_t now_us, uint32_t silent_s)
{
    bool is_unread = b->client->other->bytes != NULL || !b->is_greeted;
    if (b->is_over)
        return;
    if (is_unread && b->client->stream.fd >= 0 && has_gone(b->client))
        end_bridge(b, b->is_greeted ? NULL : MSG_COMM_CLOSED);
    else if (!b->is_greeted && now_us > b->greeted_by_us)
        end_bridge(b, MSG_COMM_LATE);
    else if (b->is_greeted &&
             (!stream_holds(&b->far.stream) || tcp_is_silent(b->far.stream.fd, silent_s)))
        end_bridge(b, NULL);
}

static void side_init(struct side *s, struct bridge *b, struct side *other, struct stream *stream)
{
    struct event_base *base = loop_base(b->loop);
    *s = (struct side){ .b = b, .other = other, .stream = *stream };
    *stream = (struct stream)STREAM_CLOSED;
    s->read_ev = event_new(base, s->stream.fd, EV_READ, on_event, s);
    s->write_ev = event_new(base, s->stream.fd, EV_WRITE, on_event, s);
    ASSERT(s->read_ev != NULL && s->write_ev != NULL);
}

struct bridge *bridge_new(struct loop *l, const struct bridge_sides *sides, uint32_t greeting_ms,
                          const struct bridge_ops *ops, void *ctx)
{
    struct bridge *b = uti_calloc(1, sizeof *b);
    ASSERT(sides->n_first <= BRIDGE_BYTES);
    b->loop = l;
    b->ops = ops;
    b->ctx = ctx;
    b->greeted_by_us = uti_mono_us() + (uint64_t)greeting_ms * 1000;
    side_init(&b->near, b, &b->far, sides->near);
    side_init(&b->far, b, &b->near, sides->far);
    b->client = sides->is_client_near ? &b->near : &b->far;
    if (sides->n_first > 0) {
        b->far.bytes = uti_alloc(sides->n_first);
        memcpy(b->far.bytes, sides->first, sides->n_first);
        b->far.n = sides->n_first;
    }
    arm_side(&b->far, STREAM_WRITABLE); /* a connection that is being made stands then */
    return b;
}

static void side_free(struct side *s)
{
    event_free(s->read_ev);
    event_free(s->write_ev);
    stream_close(&s->stream);
    free(s->bytes);
}

void bridge_free(struct bridge *b)
{
    if (b == NULL)
        return;
    side_free(&b->near);
    side_free(&b->far);
    free(b->spare);
    free(b);
}
