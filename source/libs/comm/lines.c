/* The server's side of lines: each is a connection like others (conn.c), carried by a stream whose
 * bytes travel in frames of its host's connection. Network thread only. Invariants: a line that is
 * in the table of its host is known to the relay under its number; one that is not has ended: what
 * came of it can still be read, and what is written to it is dropped. A stream's connection is
 * woken when what it waits for may be there: it has no descriptor that would say so. */
#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "libs/comm/line.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/server_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

enum {
    OPENED_A_SECOND = 2000, /* each costs the owner of the server some time */
    SECOND_US = 1000000
};

struct line {
    struct lines *of;  /* NULL: it has ended */
    struct conn *conn; /* NULL: it has not begun, or was turned away */
    uint32_t number;
    char *host, *user, *group; /* what its peer borrows */
    struct line_flow flow;
    UT_hash_handle hh;
};

struct lines {
    struct conn *carrier;
    conn_admit_fn admit;
    struct line *all;         /* by number */
    uint64_t second_began_us; /* in which lines are counted, */
    uint32_t opened;          /* and how many it has had */
};

/* what carries C may be ready for WHAT */
static void wake_conn(struct conn *c, enum stream_want what)
{
    bool is_read = what == STREAM_READABLE;
    struct event *ev = is_read ? c->read_ev : c->write_ev;
    short kind = is_read ? EV_READ : EV_WRITE;
    if (event_pending(ev, kind, NULL) != 0)
        event_active(ev, kind, 0);
}

/* a frame to the relay; BODY is taken */
static void send_to_relay(const struct lines *l, uint8_t kind, uint32_t number, uint8_t *body,
                          size_t len)
{
    comm_server_send(l->carrier->s, l->carrier->id, kind, number, body, len);
    server_wake(l->carrier->s);
}

/* ---- the stream of a line ---- */

static void line_leave(struct line *line)
{
    HASH_DEL(line->of->all, line);
    line->of = NULL;
}

static ssize_t line_read(struct stream *s, const struct iovec *v, int n)
{
    struct line *line = s->inside;
    size_t left = line_flow_left(&line->flow), taken = 0;
    if (left == 0 && line->of != NULL) {
        errno = EAGAIN;
        return -1;
    }
    for (int i = 0; i < n && taken < left; i++) {
        size_t part = left - taken < v[i].iov_len ? left - taken : v[i].iov_len;
        memcpy(v[i].iov_base, line_flow_bytes(&line->flow) + taken, part);
        taken += part;
    }
    uint32_t grant = line_flow_take(&line->flow, taken);
    if (grant > 0 && line->of != NULL) {
        size_t len;
        uint8_t *body = line_grant_pack(grant, &len);
        send_to_relay(line->of, LINE_GRANT, line->number, body, len);
    }
    /* the end is worth a read, too */
    s->has_more = line_flow_left(&line->flow) > 0 || (line->of == NULL && taken > 0);
    return (ssize_t)taken;
}

/* the first LEN bytes of V, new */
static uint8_t *gather_bytes(const struct iovec *v, size_t len)
{
    uint8_t *body = uti_alloc(len);
    for (size_t at = 0; at < len; v++) {
        size_t part = len - at < v->iov_len ? len - at : v->iov_len;
        memcpy(body + at, v->iov_base, part);
        at += part;
    }
    return body;
}

static ssize_t line_write(struct stream *s, const struct iovec *v, int n)
{
    struct line *line = s->inside;
    size_t len = 0;
    for (int i = 0; i < n; i++)
        len += v[i].iov_len;
    if (line->of == NULL || len == 0)
        return (ssize_t)len;
    if (len > line->flow.may_go)
        len = line->flow.may_go;
    if (len == 0) {
        errno = EAGAIN;
        return -1;
    }
    line->flow.may_go -= (uint32_t)len;
    send_to_relay(line->of, LINE_DATA, line->number, gather_bytes(v, len), len);
    return (ssize_t)len;
}

static void line_close(struct stream *s)
{
    struct line *line = s->inside;
    if (line->of != NULL) {
        send_to_relay(line->of, LINE_END, line->number, NULL, 0);
        line_leave(line);
    }
    line_flow_free(&line->flow);
    free(line->host);
    free(line->user);
    free(line->group);
    free(line);
}

static const struct stream_form line_form = { .read = line_read,
                                              .write = line_write,
                                              .close = line_close };

void line_attach(struct conn *c)
{
    ((struct line *)c->stream.inside)->conn = c;
}

bool line_has_ended(const struct conn *c)
{
    return ((const struct line *)c->stream.inside)->of == NULL;
}

/* ---- what the relay says ---- */

static struct line *find_line(const struct lines *l, uint32_t number)
{
    struct line *line;
    HASH_FIND(hh, l->all, &number, sizeof number, line);
    return line;
}

static void line_end(struct line *line)
{
    line_leave(line);
    if (line->conn != NULL)
        wake_conn(line->conn, STREAM_READABLE);
}

/* has the host opened as many lines as it may, now or in this second? */
static bool is_crowded(struct lines *l)
{
    uint64_t now_us = uti_mono_us();
    if (l->second_began_us + SECOND_US <= now_us) {
        l->second_began_us = now_us;
        l->opened = 0;
    }
    return HASH_COUNT(l->all) >= LINES_OF_HOST || ++l->opened > OPENED_A_SECOND;
}

static struct line *line_new(struct lines *l, uint32_t number, const struct line_user *who)
{
    struct line *line = uti_calloc(1, sizeof *line);
    line->of = l;
    line->number = number;
    line->host = uti_strdup(l->carrier->peer.host);
    line->user = uti_strdup(who->user);
    line->group = uti_strdup(who->group);
    line_flow_init(&line->flow);
    HASH_ADD(hh, l->all, number, sizeof line->number, line);
    return line;
}

static int take_open(struct lines *l, const struct frame *f)
{
    struct line_user who;
    struct comm_server *s = l->carrier->s;
    if (line_user_unpack(f->body, f->len, &who) != 0 || find_line(l, f->serial) != NULL)
        return -1;
    if (is_crowded(l)) { /* clients try again */
        send_to_relay(l, LINE_END, f->serial, NULL, 0);
        return 0;
    }
    struct line *line = line_new(l, f->serial, &who);
    struct comm_limits limits = server_limits(s);
    struct stream stream = {
        .form = &line_form,
        .fd = STREAM_NO_FD,
        .read_wants = STREAM_READABLE,
        .write_wants = STREAM_WRITABLE,
        .inside = line,
    };
    struct comm_peer peer = {
        .uid = who.uid,
        .gid = who.gid,
        .pid = who.pid,
        .relay = l->carrier->id,
        .host = line->host,
        .user = line->user,
        .group = line->group,
    };
    memcpy(peer.from, l->carrier->peer.from, sizeof peer.from);
    l->admit(s, &stream, &peer, &limits);
    return 0;
}

static int take_data(struct line *line, const struct frame *f)
{
    if (line_flow_come(&line->flow, f->body, f->len) != 0)
        return -1;
    wake_conn(line->conn, STREAM_READABLE);
    return 0;
}

static int take_grant(struct line *line, const struct frame *f)
{
    uint32_t bytes;
    if (line_grant_unpack(f->body, f->len, &bytes) != 0 ||
        line_flow_granted(&line->flow, bytes) != 0)
        return -1;
    wake_conn(line->conn, STREAM_WRITABLE);
    return 0;
}

static int take_kind(struct lines *l, const struct frame *f)
{
    struct line *line = f->kind != LINE_OPEN ? find_line(l, f->serial) : NULL;
    if (f->kind == LINE_OPEN)
        return take_open(l, f);
    if (line == NULL)
        return 0;
    if (f->kind == LINE_DATA)
        return take_data(line, f);
    if (f->kind == LINE_GRANT)
        return take_grant(line, f);
    line_end(line);
    return 0;
}

int lines_take(struct lines *l, struct frame *f)
{
    int rc = take_kind(l, f);
    free(f->body);
    return rc;
}

struct lines *lines_new(struct conn *carrier, conn_admit_fn admit)
{
    struct lines *l = uti_calloc(1, sizeof *l);
    l->carrier = carrier;
    l->admit = admit;
    return l;
}

void lines_free(struct lines *l)
{
    struct line *line, *next;
    if (l == NULL)
        return;
    HASH_ITER(hh, l->all, line, next)
        line_end(line);
    free(l);
}
