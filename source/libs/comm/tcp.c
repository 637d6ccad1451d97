/* TCP sockets. A connection whose other end is gone without a word is found by probes while it is
 * idle (keepalive), and by what is not acknowledged while it is not (user timeout). No state. */
#include "libs/comm/tcp.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
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

void tcp_set_patience(int fd, uint32_t silent_s)
{
    unsigned none = 0;
    tcp_set_silence(fd, silent_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &none, sizeof none);
}

bool tcp_is_silent(int fd, uint32_t silent_s)
{
    struct tcp_info info;
    socklen_t len = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) != 0)
        return false;
    /* a probe of an end that reads nothing is answered before the next */
    bool is_awaited = info.tcpi_unacked > 0 || info.tcpi_probes > 1;
    return is_awaited && info.tcpi_last_ack_recv / 1000 > silent_s;
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

/* ---- places to connect to ----
 *
 * The addresses of one host. The owner's thread has the list of what the name service said last; a
 * thread that asks hands its answer over under the lock and ends. Invariant: there is at most one
 * such thread; the last of the two frees what both have. */

enum { STACK_BYTES = 512 * 1024 };

struct tcp_place {
    char *host, *port;
    struct addrinfo *list; /* owned */
    const struct addrinfo *next;
    char why[256];
    pthread_mutex_t lock; /* of what follows */
    bool is_asking;       /* a thread does */
    bool is_abandoned;    /* the owner has gone */
    bool has_answer;
    int answer_rc;
    struct addrinfo *answer;
};

struct tcp_place *tcp_place_new(const char *host, uint16_t port)
{
    struct tcp_place *p = uti_calloc(1, sizeof *p);
    struct dstr number = DSTR_INIT;
    dstr_addf(&number, "%u", (unsigned)port);
    p->host = uti_strdup(host);
    p->port = dstr_take(&number);
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

static void free_list(struct addrinfo *list)
{
    if (list != NULL)
        freeaddrinfo(list);
}

static void place_drop(struct tcp_place *p)
{
    free_list(p->list);
    free_list(p->answer);
    pthread_mutex_destroy(&p->lock);
    free(p->host);
    free(p->port);
    free(p);
}

static int ask_service(const struct tcp_place *p, int flags, struct addrinfo **list)
{
    const struct addrinfo wish = { .ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV };
    *list = NULL;
    return getaddrinfo(p->host, p->port, &wish, list);
}

static void *asking_thread(void *ctx)
{
    struct tcp_place *p = ctx;
    struct addrinfo *list;
    int rc = ask_service(p, 0, &list);
    pthread_mutex_lock(&p->lock);
    p->answer = list;
    p->answer_rc = rc;
    p->has_answer = true;
    p->is_asking = false;
    bool is_last = p->is_abandoned;
    pthread_mutex_unlock(&p->lock);
    if (is_last)
        place_drop(p);
    return NULL;
}

void tcp_place_free(struct tcp_place *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->is_abandoned = true;
    bool is_last = !p->is_asking;
    pthread_mutex_unlock(&p->lock);
    if (is_last)
        place_drop(p);
}

static int start_asking(struct tcp_place *p)
{
    pthread_attr_t attr;
    pthread_t thread;
    int rc = pthread_attr_init(&attr);
    if (rc != 0)
        return rc;
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    p->is_asking = true;
    rc = pthread_create(&thread, &attr, asking_thread, p);
    pthread_attr_destroy(&attr);
    if (rc != 0)
        p->is_asking = false;
    return rc;
}

static const char *note_why(struct tcp_place *p, const char *text)
{
    size_t len = strnlen(text, sizeof p->why - 1);
    memcpy(p->why, text, len);
    p->why[len] = '\0';
    return p->why;
}

static void use_list(struct tcp_place *p, struct addrinfo *list)
{
    free_list(p->list);
    p->list = list;
    p->next = list;
}

/* take an answer that has come, or see to it that one comes; NULL unless that failed */
static const char *want_addresses(struct tcp_place *p)
{
    struct addrinfo *list;
    if (ask_service(p, AI_NUMERICHOST, &list) == 0) { /* an address is its own */
        use_list(p, list);
        return NULL;
    }
    pthread_mutex_lock(&p->lock);
    bool has_answer = p->has_answer;
    int rc = has_answer ? p->answer_rc : 0, err = 0;
    list = p->answer;
    p->has_answer = false;
    p->answer = NULL;
    if (!has_answer && !p->is_asking)
        err = start_asking(p);
    pthread_mutex_unlock(&p->lock);
    if (has_answer && rc == 0)
        use_list(p, list);
    if (rc != 0)
        return note_why(p, gai_strerror(rc));
    return err != 0 ? note_why(p, strerror(err)) : NULL;
}

int tcp_place_connect(struct tcp_place *p, const char **why)
{
    *why = p->next == NULL ? want_addresses(p) : NULL;
    const struct addrinfo *a = p->next;
    if (a == NULL)
        return -1;
    p->next = a->ai_next;
    int fd = tcp_connect(a->ai_addr, a->ai_addrlen);
    if (fd < 0)
        *why = note_why(p, strerror(errno));
    return fd;
}
