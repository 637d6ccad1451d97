/* One connection of a server, from its admission to its end; network thread only. Invariants: a
 * conn in the table has both events and an open descriptor; the write event waits exactly while the
 * stream wants it; conn_drop alone removes a conn, and no callback can make that happen under its
 * caller's feet (comm_server_close only leaves a note). */
#include <errno.h>
#include <event2/event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "libs/comm/line.h"
#include "libs/comm/loop.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/server_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

enum { READS_PER_TURN = 4 }; /* then the others get their turn */

bool conn_is_tcp(const struct conn *c)
{
    return c->peer.from[0] != '\0' && c->peer.relay == 0;
}

void conn_free(struct conn *c)
{
    lines_free(c->lines);
    event_free(c->read_ev);
    event_free(c->write_ev);
    stream_close(&c->stream);
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
    if (conn_is_host(c))
        HASH_DELETE(by_host, s->hosts, c);
    pthread_mutex_lock(&s->lock);
    HASH_DEL(s->conns, c);
    pthread_mutex_unlock(&s->lock);
    share_leave(c);
    pthread_mutex_lock(&s->lock);
    server_untouch(c);
    pthread_mutex_unlock(&s->lock);
    conn_free(c);
    s->ops->closed(s->ctx, id);
    server_idle_later(s);
}

/* read it from now on, or not; a write may wait for readable, too */
static void conn_listen(struct conn *c, bool is_on)
{
    if (!is_on && !outq_is_empty(&c->out) && c->stream.write_wants == STREAM_READABLE)
        return;
    int rc = is_on ? event_add(c->read_ev, NULL) : event_del(c->read_ev);
    ASSERT(rc == 0);
    if (is_on && c->stream.has_more)
        event_active(c->read_ev, EV_READ, 0);
}

/* may more be read? Else it is paused, until it is touched by what makes room. */
static bool conn_may_read(struct conn *c)
{
    pthread_mutex_lock(&c->s->lock);
    bool may_read = share_may_read(c);
    c->is_paused = !may_read;
    pthread_mutex_unlock(&c->s->lock);
    return may_read;
}

static void conn_take_pending(struct conn *c)
{
    pthread_mutex_lock(&c->s->lock);
    server_untouch(c);
    STAILQ_CONCAT(&c->out.frames, &c->pending);
    if (c->is_close_wanted && !c->is_closing) {
        c->is_closing = true;
        event_del(c->read_ev);
    }
    pthread_mutex_unlock(&c->s->lock);
}

/* until the stream can go on; a peer that does nothing for LINGER_S does not hold up the end of its
 * connection */
static void conn_wait(struct conn *c, enum stream_want wants)
{
    struct timeval linger = { .tv_sec = LINGER_S };
    struct event *ev = wants == STREAM_WRITABLE ? c->write_ev : c->read_ev;
    int rc = event_add(ev, c->is_closing ? &linger : NULL);
    ASSERT(rc == 0);
}

bool conn_push(struct conn *c)
{
    conn_take_pending(c);
    size_t written;
    int rc = outq_write(&c->out, &c->stream, &written);
    bool is_drained = written > 0 && share_wrote(c, written);
    if (written > 0)
        c->active_us = uti_mono_us();
    if (rc < 0 || (rc > 0 && c->is_closing)) {
        conn_drop(c);
        return false;
    }
    if (rc == 0)
        conn_wait(c, c->stream.write_wants);
    if (c->is_paused && !c->is_closing && conn_may_read(c))
        conn_listen(c, true);
    if (is_drained) {
        c->s->ops->drained(c->s->ctx, c->id);
        server_idle_later(c->s);
    }
    return true;
}

static bool carries_lines(const struct conn *c)
{
    return c->s->ops->takes_lines && conn_is_host(c);
}

/* hand over the frames in IN; 0, or -1 if the peer does not speak our language */
static int conn_hand_over(struct conn *c, struct byte_span *in)
{
    struct frame f;
    int rc;
    while ((rc = frame_reader_next(&c->reader, in, &f)) > 0) {
        c->has_spoken = c->has_frames = true;
        if (carries_lines(c) && line_has_kind(f.kind)) {
            if (c->lines == NULL)
                c->lines = lines_new(c, conn_admit);
            if (lines_take(c->lines, &f) != 0)
                return -1;
            continue;
        }
        share_give(c, f.len);
        c->s->ops->frame(c->s->ctx, c->id, &f);
        server_idle_later(c->s);
    }
    return rc;
}

/* the peer says no more, is gone (ERR), or breaks a rule of its stream */
static void conn_end(struct conn *c, int err)
{
    const char *why = stream_why(&c->stream, err);
    if (why != NULL)
        server_refuse(c->s, &c->peer, "%s", why);
    else if (c->reader.header_have > 0)
        server_refuse(c->s, &c->peer, MSG_COMM_TORN);
    conn_drop(c);
}

/* the peer does not speak our language */
static void conn_refuse_bytes(struct conn *c)
{
    struct frame_header h;
    uint32_t limit = frame_reader_limit(&c->reader, &h);
    if (limit != COMM_NO_LIMIT)
        server_refuse(c->s, &c->peer, MSG_COMM_TOO_LONG_UUU, h.kind, h.len, limit);
    else
        server_refuse(c->s, &c->peer, MSG_COMM_NO_FRAME);
    conn_drop(c);
}

static bool is_over(uint64_t since_us, uint32_t most_ms, uint64_t now_us)
{
    return since_us != 0 && most_ms != 0 && since_us + (uint64_t)most_ms * 1000 <= now_us;
}

static bool is_idle(struct conn *c)
{
    pthread_mutex_lock(&c->s->lock);
    bool is_idle = !c->is_kept && !c->is_privileged && c->queued == 0 && c->given == 0;
    pthread_mutex_unlock(&c->s->lock);
    return is_idle;
}

/* a connection that is not read does not see its end */
static bool is_gone_unseen(struct conn *c)
{
    struct pollfd p = { .fd = c->stream.fd };
    pthread_mutex_lock(&c->s->lock);
    bool is_paused = c->is_paused;
    pthread_mutex_unlock(&c->s->lock);
    if (c->peer.relay != 0)
        return is_paused && line_has_ended(c);
    return is_paused && poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR)) != 0;
}

void conn_look(struct conn *c, const struct comm_limits *limits, uint64_t now_us)
{
    if (c->is_closing)
        return;
    if (!c->has_spoken && is_over(c->active_us, limits->first_frame_ms, now_us))
        server_refuse(c->s, &c->peer, MSG_COMM_SILENT_G, limits->first_frame_ms / 1000.0);
    else if (is_over(c->begun_us, limits->frame_ms, now_us))
        server_refuse(c->s, &c->peer, MSG_COMM_SLOW_G, limits->frame_ms / 1000.0);
    else if (is_over(c->active_us, limits->idle_ms, now_us) && is_idle(c))
        server_refuse(c->s, &c->peer, MSG_COMM_IDLE_G, limits->idle_ms / 1000.0);
    else if (!stream_holds(&c->stream))
        server_refuse(c->s, &c->peer, "%s", stream_why(&c->stream, EPROTO));
    else if (!is_gone_unseen(c))
        return;
    conn_drop(c);
}

/* what is left of a frame counts against its user, and has a while to become whole */
static void conn_note_begun(struct conn *c)
{
    share_begun(c, c->reader.cap);
    if (c->has_spoken)
        c->active_us = uti_mono_us();
    if (c->reader.header_have == 0)
        c->begun_us = 0;
    else if (c->begun_us == 0 || c->has_frames)
        c->begun_us = uti_mono_us();
    c->has_frames = false;
}

/* false when the connection is gone */
static bool conn_read(struct conn *c)
{
    struct comm_server *s = c->s;
    struct byte_span in;
    bool is_all = false;
    for (int i = 0; i < READS_PER_TURN && !is_all; i++) {
        if (!conn_may_read(c)) {
            conn_listen(c, false);
            return true;
        }
        ssize_t n =
            frame_reader_recv(&c->reader, &c->stream, s->scratch, SCRATCH_BYTES, &in, &is_all);
        if (n < 0 && errno == EAGAIN) {
            if (c->stream.read_wants == STREAM_WRITABLE)
                conn_wait(c, STREAM_WRITABLE);
            return true;
        }
        if (n <= 0) {
            conn_end(c, n < 0 ? errno : 0);
            return false;
        }
        if (conn_hand_over(c, &in) != 0) {
            conn_refuse_bytes(c);
            return false;
        }
        conn_note_begun(c);
    }
    if (c->stream.has_more)
        event_active(c->read_ev, EV_READ, 0);
    return true;
}

static void on_readable(evutil_socket_t fd, short what, void *ctx)
{
    struct conn *c = ctx;
    (void)fd;
    loop_doing(c->s->loop, "reading a connection");
    if (what & EV_TIMEOUT)
        conn_drop(c);
    else if (c->stream.write_wants == STREAM_READABLE && !conn_push(c))
        return;
    else if (!c->is_closing)
        conn_read(c);
}

static void on_writable(evutil_socket_t fd, short what, void *ctx)
{
    struct conn *c = ctx;
    (void)fd;
    loop_doing(c->s->loop, "writing to a connection");
    if (what & EV_TIMEOUT)
        conn_drop(c);
    else if (conn_push(c) && c->stream.read_wants == STREAM_WRITABLE && !c->is_closing)
        conn_read(c);
}

static uint32_t frame_most(void *ctx, uint8_t kind)
{
    struct conn *c = ctx;
    if (carries_lines(c) && line_has_kind(kind))
        return line_body_most(kind);
    return c->s->ops->frame_most(c->s->ctx, &c->peer, kind);
}

static struct conn *find_host(const struct comm_server *s, const char *host)
{
    struct conn *c;
    size_t len = strlen(host);
    HASH_FIND(by_host, s->hosts, host, len, c);
    return c;
}

/* A host has one connection: whatever else comes under its name from the same address is the host
 * once more, and the newest counts. So no host can take the descriptors of others. */
static void replace_older(struct conn *c)
{
    struct comm_server *s = c->s;
    struct conn *older = find_host(s, c->peer.host);
    size_t len = strlen(c->peer.host);
    if (older != NULL) {
        server_refuse(s, &older->peer, MSG_COMM_AGAIN_S, c->peer.from);
        conn_drop(older);
    }
    HASH_ADD_KEYPTR(by_host, s->hosts, c->peer.host, len, c);
}

void conn_new(struct comm_server *s, struct stream *stream, const struct comm_peer *peer)
{
    struct conn *c = uti_calloc(1, sizeof *c);
    c->s = s;
    c->id = ++s->last_id;
    c->stream = *stream;
    c->peer = *peer;
    c->is_privileged = peer->is_child || server_favours(s, peer);
    c->active_us = uti_mono_us();
    if (s->ops->frame_most != NULL)
        c->reader = (struct frame_reader){ .most = frame_most, .ctx = c };
    outq_init(&c->out);
    STAILQ_INIT(&c->pending);
    int fd = c->stream.fd;
    c->read_ev = event_new(s->base, fd, EV_READ | EV_PERSIST, on_readable, c);
    c->write_ev = event_new(s->base, fd, EV_WRITE, on_writable, c);
    ASSERT(c->read_ev != NULL && c->write_ev != NULL);
    if (conn_is_host(c))
        replace_older(c);
    if (peer->relay != 0)
        line_attach(c);
    share_join(c);
    pthread_mutex_lock(&s->lock);
    HASH_ADD_U64(s->conns, id, c);
    pthread_mutex_unlock(&s->lock);
    s->ops->opened(s->ctx, c->id, peer);
    server_idle_later(s);
    /* short clients have written before we accepted: no need to wait for the event */
    if (conn_read(c) && !c->is_closing && !c->is_paused)
        conn_listen(c, true);
}

/* ---- admission ---- */

/* Has PEER a connection of its name at another address? While that one stands, it is another host:
 * a host that has moved comes in when its old connection has been silent for too long. */
static bool is_elsewhere(const struct comm_server *s, const struct comm_peer *peer,
                         struct dstr *why)
{
    const struct conn *older = peer->relay == 0 ? find_host(s, peer->host) : NULL;
    if (older == NULL || tcp_same_host(older->peer.from, peer->from))
        return false;
    dstr_addf(why, MSG_COMM_COPIED_SSS, peer->host, older->peer.from, peer->from);
    return true;
}

/* is there room for PEER? Else WHY says what there is too much of. */
static bool has_room(const struct comm_server *s, const struct comm_peer *peer,
                     const struct comm_limits *limits, struct dstr *why)
{
    if (peer->host != NULL && is_elsewhere(s, peer, why))
        return false;
    if (server_favours(s, peer))
        return true;
    if (share_count(s, peer) >= limits->most_of_user)
        dstr_addf(why, MSG_COMM_TOO_MANY_U, limits->most_of_user);
    else if (peer->relay == 0 && s->n_conns >= limits->most)
        dstr_addf(why, MSG_COMM_FULL_U, limits->most);
    return why->len == 0;
}

/* A new socket has room for it, so one write does; a peer that does not read it misses it. */
static void turn_away(struct comm_server *s, struct stream *stream, const struct comm_peer *peer,
                      const struct dstr *why)
{
    struct frame_header h = { .len = (uint32_t)why->len, .kind = s->ops->refusal_kind };
    uint8_t header[COMM_HEADER_BYTES];
    frame_header_pack(&h, header);
    struct iovec v[] = { { header, sizeof header }, { why->s, why->len } };
    server_refuse(s, peer, "%s", why->s);
    if (h.kind != 0)
        (void)stream_write(stream, v, ARRAY_LEN(v));
    stream_close(stream);
}

void conn_admit(struct comm_server *s, struct stream *stream, const struct comm_peer *peer,
                const struct comm_limits *limits)
{
    struct dstr why = DSTR_INIT;
    if (has_room(s, peer, limits, &why))
        conn_new(s, stream, peer);
    else
        turn_away(s, stream, peer, &why);
    dstr_free(&why);
}
