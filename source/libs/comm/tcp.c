/* TCP sockets. A connection whose other end is gone without a word is found by probes while it is
 * idle (keepalive), and by what is not acknowledged while it is not (user timeout). No state. */
#include "libs/comm/tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* probes in the time that an end may be silent; the first comes after as long as between two */
enum { PROBES = 4 };

static int close_failed(int fd)
{
    int err = errno;
    close(fd);
    errno = err;
    return -1;
}

static int bind_and_listen(int fd, const struct sockaddr *a, socklen_t len)
{
    static const int on = 1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 || bind(fd, a, len) != 0 ||
        listen(fd, SOMAXCONN) != 0)
        return close_failed(fd);
    return fd;
}

/* one socket for both: IPv4 comes as ::ffff:a.b.c.d */
static int listen_both(uint16_t port)
{
    static const int off = 0;
    struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    if (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0)
        return close_failed(fd);
    return bind_and_listen(fd, (const struct sockaddr *)&a, sizeof a);
}

static int listen_v4(uint16_t port)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return fd < 0 ? -1 : bind_and_listen(fd, (const struct sockaddr *)&a, sizeof a);
}

int tcp_listen(uint16_t port)
{
    int fd = listen_both(port);
    bool has_no_v6 = fd < 0 && (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL);
    return has_no_v6 ? listen_v4(port) : fd;
}

uint16_t tcp_port(int fd)
{
    struct sockaddr_in6 a = { 0 };
    socklen_t len = sizeof a;
    if (getsockname(fd, (struct sockaddr *)&a, &len) != 0)
        return 0;
    return ntohs(a.sin6_port); /* at the same place in sockaddr_in */
}

static void write_address(const struct sockaddr_in6 *a, char *out)
{
    char text[INET6_ADDRSTRLEN] = "?";
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)a;
    if (a->sin6_family == AF_INET)
        inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
    else if (IN6_IS_ADDR_V4MAPPED(&a->sin6_addr))
        inet_ntop(AF_INET, &a->sin6_addr.s6_addr[12], text, sizeof text);
    else
        inet_ntop(AF_INET6, &a->sin6_addr, text, sizeof text);
    (void)snprintf(out, TCP_ADDRESS_BYTES, "%s port %u", text, (unsigned)ntohs(a->sin6_port));
}

bool tcp_same_host(const char *a, const char *b)
{
    size_t length = strcspn(a, " ");
    return length == strcspn(b, " ") && strncmp(a, b, length) == 0;
}

static struct tcp_address address_of(const struct sockaddr_in6 *a)
{
    static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)a;
    struct tcp_address out;
    if (a->sin6_family == AF_INET) {
        memcpy(out.at, mapped, sizeof mapped);
        memcpy(out.at + sizeof mapped, &v4->sin_addr, sizeof v4->sin_addr);
    } else {
        memcpy(out.at, &a->sin6_addr, sizeof out.at);
    }
    return out;
}

struct tcp_address tcp_network_of(const struct tcp_address *address)
{
    struct tcp_address out = *address;
    struct in6_addr a;
    memcpy(&a, address->at, sizeof a);
    if (!IN6_IS_ADDR_V4MAPPED(&a) && !IN6_IS_ADDR_LINKLOCAL(&a))
        memset(out.at + sizeof out.at / 2, 0, sizeof out.at / 2);
    return out;
}

int tcp_accept(int fd, char *from, struct tcp_address *address)
{
    struct sockaddr_in6 a = { 0 };
    socklen_t len = sizeof a;
    int conn = accept4(fd, (struct sockaddr *)&a, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (conn < 0)
        return -1;
    write_address(&a, from);
    *address = address_of(&a);
    return conn;
}

void tcp_set_silence(int fd, uint32_t silent_s)
{
    int on = 1, each_s = silent_s >= PROBES ? (int)(silent_s / PROBES) : 1, probes = PROBES - 1;
    unsigned all_ms = silent_s * 1000;
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &each_s, sizeof each_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &each_s, sizeof each_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &all_ms, sizeof all_ms);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int tcp_connect(const struct sockaddr *address, size_t len)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    if (connect(fd, address, (socklen_t)len) != 0 && errno != EINPROGRESS && errno != EINTR)
        return close_failed(fd);
    return fd;
}
