/* One connection of a server, network thread only. Invariants: a conn in the table has both events
 * and an open descriptor; the write event waits exactly while the peer takes no more; nobody
 * but conn_drop removes a conn, and no callback can make that happen under its caller's feet
 * (comm_server_close only leaves a note). */
#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <unistd.h>

#include "libs/comm/msg_comm.h"
#include "libs/comm/server_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

enum {
    READS_PER_TURN = 4, /* then the others get their turn */
    BYTES_PER_MIB = 1024 * 1024
};

void conn_free(struct conn *c)
{
    event_free(c->read_ev);
    event_free(c->write_ev);
    close(c->fd);
    frame_reader_free(&c->reader);
    outq_free(&c->out);
    out_list_free(&c->pending);
    free(c);
}

/* the end: out of the table, then the last word to the owner */
static void conn_drop(struct conn *c)
{
    struct comm_server *s = c->s;
    uint64_t id = c->id;
    pthread_mutex_lock(&s->lock);
    HASH_DEL(s->conns, c);
    if (c->is_touched)
        TAILQ_REMOVE(&s->touched, c, touched);
    pthread_mutex_unlock(&s->lock);
    server_count(s, c->peer.uid, -1);
    conn_free(c);
    s->ops->closed(s->ctx, id);
    server_told(s);
}

static size_t conn_queued(struct conn *c)
{
    pthread_mutex_lock(&c->s->lock);
    size_t queued = c->queued;
    pthread_mutex_unlock(&c->s->lock);
    return queued;
}

/* read it from now on, or not; a peer that has not said anything yet has a while for that */
static void conn_listen(struct conn *c, bool is_on)
{
    uint32_t ms = c->s->limits.first_frame_ms;
    struct timeval patience = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };
    c->is_paused = !is_on;
    int rc =
        is_on ? event_add(c->read_ev, c->has_spoken ? NULL : &patience) : event_del(c->read_ev);
    ASSERT(rc == 0);
}

/* count N bytes as written; true if that brought the queue below the low water mark */
static bool conn_wrote(struct conn *c, size_t n)
{
    pthread_mutex_lock(&c->s->lock);
    bool was_high = c->queued >= COMM_LOW_WATER;
    c->queued -= n;
    bool is_high = c->queued >= COMM_LOW_WATER;
    pthread_mutex_unlock(&c->s->lock);
    return was_high && !is_high;
}

static void conn_take_pending(struct conn *c)
{
    pthread_mutex_lock(&c->s->lock);
    if (c->is_touched)
        TAILQ_REMOVE(&c->s->touched, c, touched);
    c->is_touched = false;
    STAILQ_CONCAT(&c->out.frames, &c->pending);
    if (c->is_close_wanted && !c->is_closing) {
        c->is_closing = true;
        event_del(c->read_ev);
    }
    pthread_mutex_unlock(&c->s->lock);
}

/* a peer that takes nothing for LINGER_S does not hold up the end of its connection */
static void conn_wait_writable(struct conn *c)
{
    struct timeval linger = { .tv_sec = LINGER_S };
    int rc = event_add(c->write_ev, c->is_closing ? &linger : NULL);
    ASSERT(rc == 0);
}

void conn_push(struct conn *c)
{
    conn_take_pending(c);
    size_t written;
    int rc = outq_write(&c->out, c->fd, &written);
    bool is_drained = written > 0 && conn_wrote(c, written);
    if (rc < 0 || (rc > 0 && c->is_closing)) {
        conn_drop(c);
        return;
    }
    if (rc == 0)
        conn_wait_writable(c);
    if (is_drained && c->is_paused && !c->is_closing)
        conn_listen(c, true);
    if (is_drained) {
        c->s->ops->drained(c->s->ctx, c->id);
        server_told(c->s);
    }
}

static void on_writable(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    if (what & EV_TIMEOUT)
        conn_drop(ctx);
    else
        conn_push(ctx);
}

/* hand over the frames in IN; 0, or -1 if the peer does not speak our language */
static int conn_hand_over(struct conn *c, struct byte_span *in)
{
    struct frame f;
    int rc;
    while ((rc = frame_reader_next(&c->reader, in, &f)) > 0) {
        if (!c->has_spoken)
            event_remove_timer(c->read_ev);
        c->has_spoken = true;
        c->s->ops->frame(c->s->ctx, c->id, &f);
        server_told(c->s);
    }
    return rc;
}

/* the peer says no more, or is gone */
static void conn_end(struct conn *c)
{
    if (c->reader.header_have > 0)
        server_refuse(c->s, &c->peer, MSG_COMM_TORN);
    conn_drop(c);
}

/* the peer does not speak our language */
static void conn_refuse_bytes(struct conn *c)
{
    if (frame_header_is_too_long(c->reader.header))
        server_refuse(c->s, &c->peer, MSG_COMM_TOO_LONG_U, COMM_BODY_MAX / BYTES_PER_MIB);
    else
        server_refuse(c->s, &c->peer, MSG_COMM_NO_FRAME);
    conn_drop(c);
}

static void conn_refuse_silence(struct conn *c)
{
    server_refuse(c->s, &c->peer, MSG_COMM_SILENT_G, c->s->limits.first_frame_ms / 1000.0);
    conn_drop(c);
}

/* false when the connection is gone */
static bool conn_read(struct conn *c)
{
    struct comm_server *s = c->s;
    struct byte_span in;
    bool is_all = false;
    for (int i = 0; i < READS_PER_TURN && !is_all; i++) {
        ssize_t n = frame_reader_recv(&c->reader, c->fd, s->scratch, SCRATCH_BYTES, &in, &is_all);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return true;
        if (n <= 0) {
            conn_end(c);
            return false;
        }
        if (conn_hand_over(c, &in) != 0) {
            conn_refuse_bytes(c);
            return false;
        }
    }
    return true;
}

static void on_readable(evutil_socket_t fd, short what, void *ctx)
{
    struct conn *c = ctx;
    (void)fd;
    if ((what & EV_TIMEOUT) != 0 && !c->has_spoken)
        conn_refuse_silence(c);
    else if (conn_queued(c) > COMM_HIGH_WATER)
        conn_listen(c, false);
    else
        conn_read(c);
}

void conn_new(struct comm_server *s, int fd, const struct comm_peer *peer)
{
    struct conn *c = uti_calloc(1, sizeof *c);
    c->s = s;
    c->id = ++s->last_id;
    c->fd = fd;
    c->peer = *peer;
    outq_init(&c->out);
    STAILQ_INIT(&c->pending);
    c->read_ev = event_new(s->base, fd, EV_READ | EV_PERSIST, on_readable, c);
    c->write_ev = event_new(s->base, fd, EV_WRITE, on_writable, c);
    ASSERT(c->read_ev != NULL && c->write_ev != NULL);
    pthread_mutex_lock(&s->lock);
    HASH_ADD_U64(s->conns, id, c);
    pthread_mutex_unlock(&s->lock);
    s->ops->opened(s->ctx, c->id, peer);
    server_told(s);
    /* short clients have written before we accepted: no need to wait for being told so */
    if (conn_read(c) && !c->is_closing)
        conn_listen(c, true);
}
