/* Acts on the sockets themselves: what else unix(7) and tcp(7) let a peer do with one. */
#include "attack.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"

enum { SMALL_BUFFER = 2048, FILL_BYTES = 65536 };

static int loopback_pair(int *far)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof a;
    int small = SMALL_BUFFER, listener = socket(AF_INET, SOCK_STREAM, 0);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    bind(listener, (struct sockaddr *)&a, len);
    listen(listener, 1);
    getsockname(listener, (struct sockaddr *)&a, &len);
    connect(fd, (struct sockaddr *)&a, len);
    *far = accept(listener, NULL, NULL); /* never read */
    close(listener);
    return fd;
}

/* a TCP socket whose last close takes SECONDS */
static int lingering_socket(int seconds)
{
    static const char zeros[FILL_BYTES];
    struct linger linger = { 1, seconds };
    int far, fd = loopback_pair(&far);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (send(fd, zeros, sizeof zeros, 0) > 0)
        continue;
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    return fd;
}

static ssize_t pass_descriptor(int to, int fd, int flags)
{
    char byte = 0;
    struct iovec v = { &byte, 1 };
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof fd)];
    } control = { .head = { .cmsg_len = CMSG_LEN(sizeof fd),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS } };
    struct msghdr m = { .msg_iov = &v,
                        .msg_iovlen = 1,
                        .msg_control = &control,
                        .msg_controllen = sizeof control.room };
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    return sendmsg(to, &m, flags | MSG_NOSIGNAL);
}

int attack_linger(char *const *argv)
{
    uint32_t seconds = attack_number(argv[0]), count = attack_number(argv[1]), passed = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct peer p;
        int fd = lingering_socket((int)seconds);
        if (peer_open(&p) == 0) /* every other one out of band */
            passed += pass_descriptor(p.fd, fd, i % 2 == 0 ? 0 : MSG_OOB) == 1;
        struct linger off = { 0, 0 };
        char byte;
        if (passed == 0)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &off, sizeof off);
        else
            (void)recv(p.fd, &byte, 1, 0); /* the daemon has ended the connection */
        close(fd);
        peer_close(&p);
    }
    printf("%u passed\n", passed);
    return 0;
}

/* connections to the unix socket, or over TCP to the port of a cell that has one */
static int open_any(bool is_tcp)
{
    struct peer p;
    if (!is_tcp)
        return peer_open(&p) == 0 ? p.fd : -1;
    struct cell *cell = cell_open(NULL);
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = cell != NULL && cell_bootstrap_read(cell, NULL) == 0 && cell->port != 0
                 ? socket(AF_INET, SOCK_STREAM, 0)
                 : -1;
    a.sin_port = htons(cell != NULL ? cell->port : 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) != 0) {
        close(fd);
        fd = -1;
    }
    cell_free(cell);
    return fd;
}

/* bytes out of band alone, between others, and after the end of what is sent */
static void send_urgent(int fd)
{
    for (int i = 0; i < 100; i++)
        if (send(fd, "u", 1, MSG_OOB | MSG_NOSIGNAL) < 0 || send(fd, "x", 1, MSG_NOSIGNAL) < 0)
            return;
    (void)send(fd, "u", 1, MSG_OOB | MSG_NOSIGNAL);
}

int attack_edges(char *const *argv)
{
    bool is_tcp = strcmp(argv[0], "tcp") == 0;
    uint32_t count = attack_number(argv[1]);
    int *fds = uti_calloc(count, sizeof *fds);
    for (uint32_t i = 0; i < count; i++) {
        struct linger reset = { 1, 0 };
        fds[i] = open_any(is_tcp);
        if (i % 4 == 0)
            shutdown(fds[i], SHUT_WR);
        else if (i % 4 == 1)
            shutdown(fds[i], SHUT_RD);
        else if (i % 4 == 2)
            send_urgent(fds[i]);
        else
            setsockopt(fds[i], SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        if (i % 8 >= 4) /* these end at once, the others at the end */
            close(fds[i]);
    }
    attack_hold();
    free(fds);
    return 0;
}
