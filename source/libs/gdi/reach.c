/* The way to the qmaster. A client on the qmaster's host finds the socket, and looks no further:
 * thousands of them are started. */
#include "libs/gdi/reach.h"
#include "libs/comm/client.h"
#include "libs/comm/unix_socket.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/msg_gdi.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/detached.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { GREETING_MS = 30000 };

static struct comm_client *reach_relay(const struct cell *cell, const char *host, int timeout_ms)
{
    char *relay = cell_relay_socket(cell, host);
    struct comm_client *c = comm_client_open(relay, timeout_ms, NULL);
    free(relay);
    return c;
}

/* NULL, and WHY as it is, if the user has no certificate */
static struct comm_client *reach_by_tunnel(const struct cell *cell, int timeout_ms,
                                           struct answer *why)
{
    char *papers = tunnel_papers(cell);
    struct comm_client *c = NULL;
    if (papers != NULL) {
        ans_free(why);
        struct stream s = tunnel_open(cell, papers, why);
        c = stream_is_open(&s) ? comm_client_over(&s, timeout_ms, why) : NULL;
    }
    free(papers);
    return c;
}

struct comm_client *reach_qmaster(const struct cell *cell, const char *host, int timeout_ms,
                                  struct answer *ans)
{
    struct answer why = ANSWER_INIT;
    struct comm_client *c = comm_client_open(cell->socket, timeout_ms, &why);
    if (c == NULL)
        c = reach_relay(cell, host, timeout_ms);
    if (c == NULL)
        c = reach_by_tunnel(cell, timeout_ms, &why);
    if (c == NULL)
        ans_fail(ans, STATUS_ENOCONN, "%s", ans_first_error(&why));
    ans_free(&why);
    return c;
}

int reach_failed(const struct cell *cell, const char *host, struct answer *ans)
{
    char *papers = tunnel_papers(cell);
    if (papers != NULL)
        ans_fail(ans, STATUS_ENOCONN, MSG_GDI_NO_TUNNEL_SS, papers, host);
    else
        ans_fail(ans, STATUS_ENOCONN, MSG_GDI_UNREACHABLE_SS, cell->socket, host);
    free(papers);
    return -1;
}

/* ---- for a link ---- */

struct reach {
    const struct cell *cell;
    char *relay;
    struct answer why;
};

static struct stream open_any(void *ctx, const char **why)
{
    struct reach *r = ctx;
    int fd = unix_connect(r->cell->socket, 0);
    *why = fd < 0 ? strerror(errno) : NULL;
    if (fd < 0)
        fd = unix_connect(r->relay, 0);
    char *papers = fd < 0 ? tunnel_papers(r->cell) : NULL;
    if (papers == NULL)
        return fd >= 0 ? stream_unix(fd) : (struct stream)STREAM_CLOSED;
    ans_free(&r->why);
    struct stream s = tunnel_open(r->cell, papers, &r->why);
    *why = ans_first_error(&r->why);
    free(papers);
    return s;
}

struct reach *reach_new(const struct cell *cell, const char *host)
{
    struct reach *r = uti_calloc(1, sizeof *r);
    r->cell = cell;
    r->relay = cell_relay_socket(cell, host);
    return r;
}

struct link_dial reach_dial(struct reach *r)
{
    return (struct link_dial){ .open = open_any, .ctx = r, .greeting_ms = GREETING_MS };
}

void reach_free(struct reach *r)
{
    if (r == NULL)
        return;
    ans_free(&r->why);
    free(r->relay);
    free(r);
}

/* ---- tunnel ----
 *
 * The client's end. Invariant: this process has nothing of sge_tunnel but the socket: the program
 * is no child of it, and ends when the socket does. */

struct tunnel {
    struct stream socket;
    bool stands, has_failed; /* neither: it has not said yet */
    struct dstr why;         /* it has failed */
};

/* ---- stream over a tunnel ---- */

static ssize_t tunnel_read(struct stream *s, const struct iovec *v, int n)
{
    return stream_read(&((struct tunnel *)s->inside)->socket, v, n);
}

static ssize_t tunnel_write(struct stream *s, const struct iovec *v, int n)
{
    return stream_write(&((struct tunnel *)s->inside)->socket, v, n);
}

static void tunnel_close(struct stream *s)
{
    struct tunnel *t = s->inside;
    stream_close(&t->socket);
    dstr_free(&t->why);
    free(t);
}

static const char *tunnel_why(const struct stream *s)
{
    return dstr_get(&((const struct tunnel *)s->inside)->why);
}

static int fail_greeting(struct tunnel *t)
{
    if (t->why.len == 0)
        dstr_add(&t->why, MSG_TUNNEL_ENDED);
    errno = EPROTO;
    return -1;
}

/* more of the reason, up to its end */
static int hear_reason(struct tunnel *t)
{
    char part[TUNNEL_TEXT_BYTES];
    ssize_t n = recv(t->socket.fd, part, sizeof part, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n <= 0 || t->why.len + (size_t)n > TUNNEL_TEXT_BYTES)
        return fail_greeting(t);
    dstr_addn(&t->why, part, (size_t)n);
    return 0;
}

static int tunnel_greet(struct stream *s)
{
    struct tunnel *t = s->inside;
    char first;
    if (t->stands)
        return 1;
    if (t->has_failed)
        return hear_reason(t);
    ssize_t n = recv(t->socket.fd, &first, 1, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    t->has_failed = n == 1 && first == TUNNEL_FAILED;
    if (t->has_failed)
        return hear_reason(t);
    t->stands = n == 1 && first == TUNNEL_STANDS;
    return t->stands ? 1 : fail_greeting(t);
}

static const struct stream_form tunnel_form = {
    .read = tunnel_read,
    .write = tunnel_write,
    .close = tunnel_close,
    .greet = tunnel_greet,
    .why = tunnel_why,
};

static struct stream stream_over(int fd)
{
    struct tunnel *t = uti_calloc(1, sizeof *t);
    t->socket = stream_unix(fd);
    return (struct stream){
        .form = &tunnel_form,
        .fd = fd,
        .read_wants = STREAM_READABLE,
        .write_wants = STREAM_WRITABLE,
        .inside = t,
    };
}

/* ---- start of sge_tunnel ---- */

/* ours of two sockets, the other is the program's; -1 with ans. It goes to PORT_NUMBER of HOST, for
 * what KIND says, NULL: to a qmaster. */
static int start_program(const struct cell *cell, const char *papers, const char *host,
                         uint16_t port_number, const char *kind, struct answer *ans)
{
    int fds[2];
    struct dstr port = DSTR_INIT;
    char *program = path_join(cell->bin_dir, "sge_tunnel");
    dstr_addf(&port, "%u", (unsigned)port_number);
    char *argv[] = { "sge_tunnel", (char *)papers, (char *)host, port.s, (char *)kind, NULL };
    int err = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0 ? 0 : errno;
    if (err == 0) {
        err = detached_start(program, argv, fds[1]);
        close(fds[1]);
        if (err != 0)
            close(fds[0]);
    }
    if (err != 0)
        ans_sys(ans, err, "%s", program);
    dstr_free(&port);
    free(program);
    return err == 0 ? fds[0] : -1;
}

/* what bootstrap(5) says of CELL; NULL with ans */
static struct cell *cell_with_port(const struct cell *cell, struct answer *ans)
{
    struct cell *own = cell_open_at(cell->root, cell->name, ans);
    int rc = own != NULL ? cell_bootstrap_read(own, ans) : -1;
    if (rc == 0 && own->port == 0)
        rc = ans_fail(ans, STATUS_ENOCONN, MSG_TUNNEL_NO_PORT_S, own->common_dir);
    if (rc == 0)
        return own;
    cell_free(own);
    return NULL;
}

struct stream tunnel_open(const struct cell *cell, const char *papers, struct answer *ans)
{
    struct cell *own = cell_with_port(cell, ans);
    char *qmaster = own != NULL ? cell_qmaster_host(own, ans) : NULL;
    int fd = qmaster != NULL ? start_program(own, papers, qmaster, own->port, NULL, ans) : -1;
    free(qmaster);
    cell_free(own);
    return fd >= 0 ? stream_over(fd) : (struct stream)STREAM_CLOSED;
}

/* what the program says first; 0 when it stands, else -1 with ans */
static int await_greeting(int fd, struct answer *ans)
{
    char text[TUNNEL_TEXT_BYTES + 1];
    ssize_t n = recv(fd, text, 1, 0);
    if (n == 1 && *text == TUNNEL_STANDS)
        return 0;
    if (n == 1 && *text == TUNNEL_FAILED)
        n = recv(fd, text, sizeof text - 1, MSG_WAITALL);
    else
        n = 0;
    text[n > 0 ? n : 0] = '\0';
    return ans_fail(ans, STATUS_ENOCONN, "%s", n > 0 ? text : MSG_TUNNEL_ENDED);
}

int tunnel_session(const struct cell *cell, const char *host, struct answer *ans)
{
    char *papers = tunnel_papers(cell);
    struct cell *own = papers != NULL ? cell_with_port(cell, ans) : NULL;
    const char *to = own != NULL && own->session_gateway != NULL ? own->session_gateway : host;
    int fd =
        own != NULL ? start_program(own, papers, to, own->execd_port, TUNNEL_SESSION, ans) : -1;
    if (fd >= 0 && await_greeting(fd, ans) != 0) {
        close(fd);
        fd = -1;
    }
    cell_free(own);
    free(papers);
    return fd;
}

char *tunnel_papers(const struct cell *cell)
{
    const char *home = getenv("HOME");
    char *qmaster = home != NULL && *home == '/' ? cell_qmaster_host(cell, NULL) : NULL;
    struct dstr dir = DSTR_INIT;
    if (qmaster == NULL)
        return NULL;
    dstr_addf(&dir, "%s/.sge/%s.%s", home, cell->name, qmaster);
    char *key = path_join(dstr_get(&dir), "key.pem");
    bool is_there = access(key, F_OK) == 0;
    char *papers = is_there ? dstr_take(&dir) : NULL;
    dstr_free(&dir);
    free(key);
    free(qmaster);
    return papers;
}
