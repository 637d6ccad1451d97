/* sge_tunnel - carry one connection of a client to the qmaster, or to the execution daemon of a
 * host, over TLS and with a user's certificate. For libs/gdi/reach.h; see sge_tunnel(8).
 * Invariants: the client hears TUNNEL_STANDS and the qmaster's bytes, or TUNNEL_FAILED and one
 * line; nothing is open but the two sockets, so that nobody waits for the end of a pipe that we
 * hold. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/stream.h"
#include "libs/comm/tcp.h"
#include "libs/gdi/reach.h"
#include "libs/tls/tls.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"
#include "libs/uti/signals.h"
#include "libs/uti/time.h"

enum { FLOW_BYTES = 64 * 1024, CONNECT_SECONDS = 15 };

struct place { /* borrowed */
    const char *papers, *host, *port;
    bool is_session; /* with an execution daemon */
};

static void say_to_client(enum tunnel_greeting first, const char *text)
{
    struct dstr said = DSTR_INIT;
    dstr_addc(&said, (char)first);
    dstr_addf(&said, "%.*s", (int)TUNNEL_TEXT_BYTES, text);
    for (size_t at = 0; at < said.len;) {
        ssize_t n = send(STDIN_FILENO, said.s + at, said.len - at, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            break;
        at += n > 0 ? (size_t)n : 0;
    }
    dstr_free(&said);
}

/* no terminal, no file, no directory that somebody may want to unmount; 0, or an error number */
static int leave_all(void)
{
    (void)setsid();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ||
        os_close_from(STDERR_FILENO + 1) != 0 || chdir("/") != 0)
        return errno;
    return 0;
}

/* ---- renewal ---- */

/* the program that renews, in the directory of this one */
static char *renewing_program(void)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(exe, '/');
    if (slash == NULL)
        return NULL;
    *slash = '\0';
    return path_join(exe, "sge_ca");
}

/* Many clients may run at a time; who has the lock of the key renews, and sge_ca keeps it. What
 * goes wrong is tried again by the next. */
static void renew_papers(const struct place *p)
{
    struct dstr qmaster = DSTR_INIT;
    char *program = renewing_program(), *key = path_join(p->papers, TLS_FILE_KEY);
    int lock = open(key, O_RDWR);
    dstr_addf(&qmaster, "%s:%s", p->host, p->port);
    char *argv[] = { "sge_ca", "renew", (char *)p->papers, qmaster.s, NULL };
    pid_t pid;
    if (program != NULL && lock >= 0 && os_lock_take(lock) == 0)
        (void)posix_spawn(&pid, program, NULL, NULL, argv, environ);
    if (lock >= 0)
        close(lock);
    dstr_free(&qmaster);
    free(key);
    free(program);
}

static void look_at_papers(const struct place *p)
{
    uint64_t renew_at_s, until_s;
    if (tls_renewal_at(p->papers, &renew_at_s, &until_s, NULL) == 0 && uti_now_s() >= renew_at_s)
        renew_papers(p);
}

/* ---- bytes in two directions ---- */

/* A flow that has bytes is not read into, so that no more is read than the other end takes; one
 * that is over gets no more, and ends the tunnel once it is empty. */
struct flow {
    uint8_t bytes[FLOW_BYTES];
    size_t at, end;
    bool is_over; /* nothing more comes */
};

static bool is_empty(const struct flow *f)
{
    return f->at == f->end;
}

static bool may_fill(const struct flow *f)
{
    return is_empty(f) && !f->is_over;
}

/* what a read into F has come to */
static void note_read(struct flow *f, ssize_t n)
{
    if (n > 0) {
        f->at = 0;
        f->end = (size_t)n;
    } else if (n == 0 || errno != EAGAIN) {
        f->is_over = true;
    }
}

/* what a write from F has come to; who takes no more ends the pump */
static void note_write(struct flow *f, ssize_t n)
{
    if (n >= 0) {
        f->at += (size_t)n;
    } else if (errno != EAGAIN) {
        f->at = f->end;
        f->is_over = true;
    }
}

static ssize_t send_part(int client, const struct flow *f)
{
    ssize_t n;
    do
        n = send(client, f->bytes + f->at, f->end - f->at, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    return n;
}

static ssize_t receive_part(int client, struct flow *f)
{
    ssize_t n;
    do
        n = recv(client, f->bytes, sizeof f->bytes, MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    return n;
}

/* as far as both ends let us without waiting */
static void carry_up(int client, struct stream *qmaster, struct flow *f)
{
    if (may_fill(f))
        note_read(f, receive_part(client, f));
    struct iovec rest = { f->bytes + f->at, f->end - f->at };
    if (!is_empty(f))
        note_write(f, stream_write(qmaster, &rest, 1));
}

static void carry_down(int client, struct stream *qmaster, struct flow *f)
{
    struct iovec room = { f->bytes, sizeof f->bytes };
    if (may_fill(f))
        note_read(f, stream_read(qmaster, &room, 1));
    if (!is_empty(f))
        note_write(f, send_part(client, f));
}

static short events_of(enum stream_want want)
{
    return want == STREAM_WRITABLE ? POLLOUT : POLLIN;
}

static bool is_done(const struct flow *f)
{
    return f->is_over && is_empty(f);
}

/* carry bytes between CLIENT, a socket, and QMASTER, which has greeted, until one of them ends;
 * what has come from it before is carried on. Neither is read while the other takes nothing: no
 * more than FLOW_BYTES wait each way. */
static void carry_both(int client, struct stream *qmaster)
{
    struct flow up = { .is_over = false }, down = { .is_over = false };
    while (!is_done(&up) && !is_done(&down)) {
        struct pollfd p[] = { { .fd = client }, { .fd = qmaster->fd } };
        p[0].events |= may_fill(&up) ? POLLIN : 0;
        p[0].events |= !is_empty(&down) ? POLLOUT : 0;
        p[1].events |= may_fill(&down) ? events_of(qmaster->read_wants) : 0;
        p[1].events |= !is_empty(&up) ? events_of(qmaster->write_wants) : 0;
        if (poll(p, 2, qmaster->has_more && may_fill(&down) ? 0 : -1) < 0 && errno != EINTR)
            return;
        carry_up(client, qmaster, &up);
        carry_down(client, qmaster, &down);
    }
}

/* ---- the connection to the qmaster ---- */

/* until FD is ready for EVENTS; 0, or an error number */
static int wait_until(int fd, short events, uint64_t until_us)
{
    for (;;) {
        struct pollfd p = { .fd = fd, .events = events };
        uint64_t now_us = uti_mono_us();
        int n = now_us < until_us ? poll(&p, 1, (int)((until_us - now_us) / 1000) + 1) : 0;
        if (n > 0)
            return 0;
        if (n == 0)
            return ETIMEDOUT;
        if (errno != EINTR)
            return errno;
    }
}

/* connected to one address; -1 with errno */
static int connect_one(const struct addrinfo *a, uint64_t until_us)
{
    int fd = tcp_connect(a->ai_addr, a->ai_addrlen), err;
    socklen_t len = sizeof err;
    if (fd < 0)
        return -1;
    err = wait_until(fd, POLLOUT, until_us);
    if (err == 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) != 0)
        err = errno;
    if (err == 0)
        return fd;
    close(fd);
    errno = err;
    return -1;
}

/* to one of LIST; -1 with errno, that of the last */
static int connect_any(const struct addrinfo *list, uint64_t until_us)
{
    int fd = -1;
    for (; list != NULL && fd < 0; list = list->ai_next)
        fd = connect_one(list, until_us);
    return fd;
}

static int report_unreached(const struct place *p, const char *why, struct answer *ans)
{
    return ans_fail(ans, STATUS_ENOCONN, "cannot reach the %s at %s:%s: %s",
                    p->is_session ? "execution daemon" : "qmaster", p->host, p->port, why);
}

/* a socket to P; -1 with ans */
static int connect_to(const struct place *p, uint64_t until_us, struct answer *ans)
{
    const struct addrinfo wish = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
    struct addrinfo *list;
    int rc = getaddrinfo(p->host, p->port, &wish, &list);
    if (rc != 0)
        return report_unreached(p, gai_strerror(rc), ans);
    int fd = connect_any(list, until_us), err = errno;
    freeaddrinfo(list);
    return fd >= 0 ? fd : report_unreached(p, strerror(err), ans);
}

/* 0, or -1 with ans: what the two ends have to say of each other */
static int greet_until(struct stream *s, uint64_t until_us, struct answer *ans)
{
    int rc, err = 0;
    while ((rc = stream_greet(s)) == 0 && err == 0)
        err = wait_until(s->fd, s->read_wants == STREAM_WRITABLE ? POLLOUT : POLLIN, until_us);
    if (rc > 0)
        return 0;
    err = rc < 0 ? errno : err;
    const char *why = stream_why(s, err);
    return ans_fail(ans, STATUS_ENOCONN, "%s", why != NULL ? why : strerror(err));
}

/* a stream to P over C, which has greeted when it returns. Tries all addresses of the host in turn,
 * for CONNECT_SECONDS at most; the name service may take longer. Returns a closed stream, with ans,
 * if it reaches none. */
static struct stream open_stream(struct tls_context *c, const struct place *p, struct answer *ans)
{
    uint64_t until_us = uti_mono_us() + (uint64_t)CONNECT_SECONDS * 1000000;
    int fd = connect_to(p, until_us, ans);
    if (fd < 0)
        return (struct stream)STREAM_CLOSED;
    tcp_set_silence(fd, TCP_SILENT_S);
    struct stream s = tls_stream(c, fd);
    if (!stream_is_open(&s))
        ans_sys(ans, errno, "TLS");
    else if (greet_until(&s, until_us, ans) != 0)
        stream_close(&s);
    return s;
}

/* ---- the tunnel ---- */

/* the daemon of another host must not pose as that of the job's */
static void check_host(const struct place *p, struct stream *s, struct answer *ans)
{
    const char *host = stream_peer(s).host;
    if (host != NULL && host_name_equal(host, p->host))
        return;
    ans_fail(ans, STATUS_ENOCONN, "the certificate at %s:%s is not that of %s", p->host, p->port,
             p->host);
    stream_close(s);
}

static int carry_all(const struct place *p, struct answer *ans)
{
    struct tls_context *c = p->is_session ? tls_context_of_peers(p->papers, TLS_USER, false, ans)
                                          : tls_context_new(p->papers, TLS_USER, ans);
    struct stream s = c != NULL ? open_stream(c, p, ans) : (struct stream)STREAM_CLOSED;
    if (stream_is_open(&s) && p->is_session)
        check_host(p, &s, ans);
    bool is_open = stream_is_open(&s);
    if (is_open) {
        say_to_client(TUNNEL_STANDS, "");
        if (!p->is_session)
            look_at_papers(p);
        carry_both(STDIN_FILENO, &s);
        stream_close(&s);
    }
    tls_context_free(c);
    return is_open ? 0 : -1;
}

static bool is_socket(int fd)
{
    int type;
    socklen_t len = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0;
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    signal_default_all();
    signal_unblock_all();
    os_fill_standard_streams();
    bool is_session = argc == 5 && strcmp(argv[4], TUNNEL_SESSION) == 0;
    if ((argc != 4 && !is_session) || !is_socket(STDIN_FILENO)) {
        (void)fputs("sge_tunnel: clients start it, over a socket: PAPERS_DIR HOST PORT [session]\n",
                    stderr);
        return 1;
    }
    int err = leave_all();
    struct place p = { argv[1], argv[2], argv[3], is_session };
    int rc = err == 0 ? carry_all(&p, &ans) : ans_sys(&ans, err, "sge_tunnel");
    if (rc != 0)
        say_to_client(TUNNEL_FAILED, ans_first_error(&ans));
    ans_free(&ans);
    return rc == 0 ? 0 : 1;
}
