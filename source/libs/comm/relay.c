/* The relay's side of lines. Invariants: a guest is in the table from its accept to the end of its
 * socket, and has a line (is_open) from the moment in which its names are known; it is read while
 * it has a line and may send; `flow` holds what its socket has not taken yet. Nobody is accepted
 * while LINES_OF_HOST guests are there: the others wait in the socket's queue. */
#include "libs/comm/relay.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/line.h"
#include "libs/comm/link.h"
#include "libs/comm/loop.h"
#include "libs/comm/loop_priv.h"
#include "libs/comm/msg_comm.h"
#include "libs/comm/passed_fds.h"
#include "libs/comm/stream.h"
#include "libs/comm/unix_socket.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/os.h"
#include "libs/uti/turns.h"

enum { ACCEPTS_PER_TURN = 16, ACCEPT_PAUSE_US = 100000 };

struct guest {
    struct relay *r;
    uint32_t line;
    struct stream stream;
    uid_t uid;
    gid_t gid;
    pid_t pid;
    struct event *read_ev, *write_ev;
    struct line_flow flow;
    bool is_open;   /* the server has been told of it */
    bool is_ending; /* the server has said END: what it said before is written, then it goes */
    bool is_deaf;   /* its socket takes nothing any more */
    UT_hash_handle hh;
};

struct relay {
    struct loop *loop;
    char *path;
    const struct relay_ops *ops; /* borrowed */
    void *ctx;
    struct link *link; /* NULL: down */
    int listen_fd;
    struct fd_closer *closer;
    struct event *accept_ev;
    struct loop_timer *again;
    struct guest *guests; /* by line */
    uint32_t last_line;
    struct turn_counts turns;
    uint8_t *scratch; /* of LINE_WINDOW bytes */
};

/* ---- guests ---- */

static void guest_free(struct guest *g)
{
    HASH_DEL(g->r->guests, g);
    event_free(g->read_ev);
    event_free(g->write_ev);
    stream_close(&g->stream);
    line_flow_free(&g->flow);
    free(g);
}

static void accept_on(struct relay *r)
{
    if (r->accept_ev != NULL && HASH_COUNT(r->guests) < LINES_OF_HOST)
        event_add(r->accept_ev, NULL);
}

/* its end, which the server hears of unless it has said so itself */
static void guest_end(struct guest *g)
{
    struct relay *r = g->r;
    if (g->is_open && !g->is_ending)
        link_send(r->link, LINE_END, g->line, NULL, 0);
    guest_free(g);
    accept_on(r);
}

static void guest_listen(struct guest *g)
{
    bool is_wanted = g->is_open && !g->is_ending && g->flow.may_go > 0;
    int rc = is_wanted ? event_add(g->read_ev, NULL) : event_del(g->read_ev);
    ASSERT(rc == 0);
}

static uint32_t count_of(const struct relay *r, uid_t uid)
{
    uint32_t n = 0;
    for (const struct guest *g = r->guests; g != NULL; g = g->hh.next)
        n += g->uid == uid;
    return n;
}

/* ---- from a guest to the server ---- */

static void on_guest_readable(evutil_socket_t fd, short what, void *ctx)
{
    struct guest *g = ctx;
    (void)fd;
    (void)what;
    loop_doing_for(g->r->loop, "reading a relayed connection", &g->r->turns);
    struct iovec v = { g->r->scratch, g->flow.may_go };
    ssize_t n = stream_read(&g->stream, &v, 1);
    if (n <= 0) {
        if (n == 0 || errno != EAGAIN)
            guest_end(g);
        return;
    }
    g->flow.may_go -= (uint32_t)n;
    uint8_t *body = uti_alloc((size_t)n);
    memcpy(body, g->r->scratch, (size_t)n);
    link_send(g->r->link, LINE_DATA, g->line, body, (size_t)n);
    guest_listen(g);
}

/* ---- from the server to a guest ---- */

static void grant_again(struct guest *g, size_t taken)
{
    uint32_t n = line_flow_take(&g->flow, taken);
    size_t len;
    if (n == 0 || g->is_ending)
        return;
    uint8_t *body = line_grant_pack(n, &len);
    link_send(g->r->link, LINE_GRANT, g->line, body, len);
}

/* A client that has stopped reading may have sent something before: that is read to its end. What
 * the server sends meanwhile is dropped. */
static void guest_write(struct guest *g)
{
    size_t left;
    while ((left = line_flow_left(&g->flow)) > 0) {
        struct iovec v = { (void *)line_flow_bytes(&g->flow), left };
        ssize_t n = g->is_deaf ? (ssize_t)left : stream_write(&g->stream, &v, 1);
        if (n < 0 && errno == EAGAIN) {
            event_add(g->write_ev, NULL);
            return;
        }
        if (n >= 0)
            grant_again(g, (size_t)n);
        else
            g->is_deaf = true;
    }
    if (g->is_ending)
        guest_end(g);
}

static void on_guest_writable(evutil_socket_t fd, short what, void *ctx)
{
    struct guest *g = ctx;
    (void)fd;
    (void)what;
    loop_doing_for(g->r->loop, "writing to a relayed connection", &g->r->turns);
    guest_write(g);
}

static int take_data(struct guest *g, const struct frame *f)
{
    if (line_flow_come(&g->flow, f->body, f->len) != 0)
        return -1;
    guest_write(g);
    return 0;
}

static int take_grant(struct guest *g, const struct frame *f)
{
    uint32_t n;
    if (line_grant_unpack(f->body, f->len, &n) != 0 || line_flow_granted(&g->flow, n) != 0)
        return -1;
    guest_listen(g);
    return 0;
}

static int take_kind(struct relay *r, const struct frame *f)
{
    struct guest *g;
    HASH_FIND(hh, r->guests, &f->serial, sizeof f->serial, g);
    if (f->kind == LINE_OPEN)
        return -1;
    if (g == NULL || !g->is_open || g->is_ending)
        return 0;
    if (f->kind == LINE_DATA)
        return take_data(g, f);
    if (f->kind == LINE_GRANT)
        return take_grant(g, f);
    g->is_ending = true;
    guest_listen(g);
    guest_write(g);
    return 0;
}

int relay_take(struct relay *r, struct frame *f)
{
    if (!line_has_kind(f->kind))
        return 0;
    int rc = take_kind(r, f);
    free(f->body);
    f->body = NULL;
    return rc == 0 ? 1 : -1;
}

/* ---- those who come ---- */

static void guest_open(struct guest *g)
{
    struct line_user who = { .uid = g->uid, .gid = g->gid, .pid = g->pid };
    struct relay *r = g->r;
    size_t len;
    if (!r->ops->names(r->ctx, g->uid, g->gid, &who.user, &who.group))
        return;
    uint8_t *body = line_user_pack(&who, &len);
    if (line_user_unpack(body, len, &who) != 0) { /* a name that the server would not accept */
        free(body);
        guest_end(g);
        return;
    }
    link_send(r->link, LINE_OPEN, g->line, body, len);
    g->is_open = true;
    guest_listen(g);
}

void relay_named(struct relay *r)
{
    struct guest *g, *next;
    if (r->link == NULL)
        return;
    HASH_ITER(hh, r->guests, g, next)
        if (!g->is_open)
            guest_open(g);
}

/* numbers begin anew after four thousand million lines, and one may be there still */
static uint32_t free_line(struct relay *r)
{
    struct guest *g;
    do {
        r->last_line++;
        HASH_FIND(hh, r->guests, &r->last_line, sizeof r->last_line, g);
    } while (g != NULL);
    return r->last_line;
}

static struct guest *guest_new(struct relay *r, const struct stream *stream)
{
    int fd = stream->fd;
    struct event_base *base = loop_base(r->loop);
    struct guest *g = uti_calloc(1, sizeof *g);
    g->r = r;
    g->stream = *stream;
    g->line = free_line(r);
    line_flow_init(&g->flow);
    g->read_ev = event_new(base, fd, EV_READ | EV_PERSIST, on_guest_readable, g);
    g->write_ev = event_new(base, fd, EV_WRITE, on_guest_writable, g);
    ASSERT(g->read_ev != NULL && g->write_ev != NULL);
    HASH_ADD(hh, r->guests, line, sizeof g->line, g);
    return g;
}

static void turn_away(const struct relay *r, struct stream *s)
{
    struct dstr why = DSTR_INIT;
    uint8_t header[COMM_HEADER_BYTES];
    dstr_addf(&why, MSG_COMM_TOO_MANY_U, (unsigned)RELAY_CONNS_OF_USER);
    struct frame_header h = { .len = (uint32_t)why.len, .kind = r->ops->refusal_kind };
    frame_header_pack(&h, header);
    struct iovec v[] = { { header, sizeof header }, { why.s, why.len } };
    (void)stream_write(s, v, ARRAY_LEN(v));
    stream_close(s);
    dstr_free(&why);
}

static void let_in(struct relay *r, int fd)
{
    uid_t uid;
    gid_t gid;
    pid_t pid;
    struct stream stream = stream_of_user(fd, r->closer);
    if (os_peer_ids(fd, &uid, &gid, &pid) != 0) {
        stream_close(&stream);
    } else if (count_of(r, uid) >= RELAY_CONNS_OF_USER) {
        turn_away(r, &stream);
    } else {
        struct guest *g = guest_new(r, &stream);
        g->uid = uid;
        g->gid = gid;
        g->pid = pid;
        guest_open(g);
    }
}

static void on_acceptable(evutil_socket_t listen_fd, short what, void *ctx)
{
    struct relay *r = ctx;
    (void)what;
    loop_doing_for(r->loop, "accepting local connections", &r->turns);
    for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
        bool has_room = HASH_COUNT(r->guests) < LINES_OF_HOST;
        int fd = has_room ? accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK) : -1;
        if (fd >= 0) {
            let_in(r, fd);
            continue;
        }
        if (!has_room || (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR)) {
            event_del(r->accept_ev);
            loop_timer_set(r->again, ACCEPT_PAUSE_US);
        }
        return;
    }
}

static void on_again(void *ctx)
{
    accept_on(ctx);
}

/* ---- life ---- */

struct relay *relay_new(struct loop *l, const char *socket_path, const struct relay_ops *ops,
                        void *ctx)
{
    struct relay *r = uti_calloc(1, sizeof *r);
    r->loop = l;
    r->path = uti_strdup(socket_path);
    r->ops = ops;
    r->ctx = ctx;
    r->listen_fd = -1;
    r->closer = fd_closer_new();
    r->scratch = uti_alloc(LINE_WINDOW);
    r->again = loop_timer_new(l, on_again, r);
    return r;
}

int relay_up(struct relay *r, struct link *k, struct answer *ans)
{
    ASSERT(r->link == NULL);
    r->link = k;
    r->listen_fd = unix_listen(r->path, 0666);
    if (r->listen_fd < 0)
        return ans_sys(ans, errno, MSG_COMM_LISTEN_S, r->path);
    r->accept_ev =
        event_new(loop_base(r->loop), r->listen_fd, EV_READ | EV_PERSIST, on_acceptable, r);
    ASSERT(r->accept_ev != NULL);
    accept_on(r);
    return 0;
}

void relay_down(struct relay *r)
{
    struct guest *g, *next;
    if (r->listen_fd >= 0) {
        (void)unlink(r->path);
        event_free(r->accept_ev);
        fd_closer_close_listener(r->closer, r->listen_fd);
    }
    r->accept_ev = NULL;
    r->listen_fd = -1;
    r->link = NULL;
    HASH_ITER(hh, r->guests, g, next)
        guest_free(g);
}

void relay_free(struct relay *r)
{
    if (r == NULL)
        return;
    relay_down(r);
    fd_closer_free(r->closer);
    loop_timer_free(r->again);
    free(r->scratch);
    free(r->path);
    free(r);
}

const struct turn_counts *relay_turns(const struct relay *r)
{
    return &r->turns;
}

uint32_t relay_count(const struct relay *r)
{
    return HASH_COUNT(r->guests);
}
