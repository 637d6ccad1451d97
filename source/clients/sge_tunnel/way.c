/* To the qmaster: its addresses, a connection, the greeting; all of that before WAY_SECONDS are
 * over. */
#include "clients/sge_tunnel/way.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/tcp.h"
#include "libs/tls/tls.h"
#include "libs/uti/answer.h"
#include "libs/uti/time.h"

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

/* a socket to HOST and PORT; -1 with ans */
static int connect_to(const char *host, const char *port, uint64_t until_us, struct answer *ans)
{
    const struct addrinfo wish = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
    struct addrinfo *list;
    int rc = getaddrinfo(host, port, &wish, &list);
    if (rc != 0)
        return ans_fail(ans, STATUS_ENOCONN, "cannot reach the qmaster at %s:%s: %s", host, port,
                        gai_strerror(rc));
    int fd = connect_any(list, until_us), err = errno;
    freeaddrinfo(list);
    if (fd < 0)
        ans_fail(ans, STATUS_ENOCONN, "cannot reach the qmaster at %s:%s: %s", host, port,
                 strerror(err));
    return fd;
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

struct stream way_open(struct tls_context *c, const char *host, const char *port,
                       struct answer *ans)
{
    uint64_t until_us = uti_mono_us() + (uint64_t)WAY_SECONDS * 1000000;
    int fd = connect_to(host, port, until_us, ans);
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
