/* Packets between an execd and its carrier. Invariants: `waiting` is in the order in which it was
 * sent, and nothing passes it; the timer is set while something waits. Source: unix(7). */
#include "daemons/execd/host/carrier_line.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/comm/passed_fds.h"
#include "libs/uti/alloc.h"
#include "libs/uti/tree.h"

enum { PACKETS_A_TURN = 16, AGAIN_US = 20000 };

struct waiting {
    struct carrier_packet packet;
    int fd;
    STAILQ_ENTRY(waiting) next;
};
STAILQ_HEAD(waiting_list, waiting);

struct carrier_line {
    int fd;
    struct fd_closer *closer; /* of what users may have passed descriptors through */
    const struct carrier_line_ops *ops;
    void *ctx;
    struct loop_watch *watch;
    struct loop_timer *again;
    struct waiting_list waiting;
    uint32_t n_waiting;
};

union one_fd { /* aligned as the kernel wants it */
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
};

/* 0, or an errno */
static int send_packet(int to, struct carrier_packet *p, int fd)
{
    struct iovec data = { p, sizeof *p };
    union one_fd control = { .head = { .cmsg_len = CMSG_LEN(sizeof fd),
                                       .cmsg_level = SOL_SOCKET,
                                       .cmsg_type = SCM_RIGHTS } };
    struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1 };
    if (fd >= 0) {
        memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
        m.msg_control = &control;
        m.msg_controllen = sizeof control.room;
    }
    return sendmsg(to, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof *p ? 0 : errno;
}

/* more than that many descriptors on their way: as if the other end were slow */
static bool is_later(int err)
{
    return err == EAGAIN || err == EINTR || err == ETOOMANYREFS || err == ENOBUFS || err == ENOMEM;
}

/* a packet, and FD, -1 if none came with it; 0, or an errno: EPIPE where the other end has gone */
static int receive_packet(int from, struct carrier_packet *p, int *fd)
{
    struct iovec data = { p, sizeof *p };
    union one_fd control;
    struct msghdr m = { .msg_iov = &data,
                        .msg_iovlen = 1,
                        .msg_control = &control,
                        .msg_controllen = sizeof control.room };
    *fd = -1;
    ssize_t n = recvmsg(from, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (n <= 0)
        return n == 0 ? EPIPE : errno;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    if (head != NULL && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof *fd))
        memcpy(fd, CMSG_DATA(head), sizeof *fd);
    bool is_good = n == (ssize_t)sizeof *p && p->version == CARRIER_LINE_VERSION &&
                   p->n <= sizeof p->bytes && memchr(p->host, '\0', sizeof p->host) != NULL;
    if (!is_good && *fd >= 0)
        close(*fd);
    return is_good ? 0 : EBADMSG;
}

static void on_readable(void *ctx)
{
    struct carrier_line *c = ctx;
    struct carrier_packet p;
    int fd, err = 0;
    for (int i = 0; i < PACKETS_A_TURN && (err = receive_packet(c->fd, &p, &fd)) == 0; i++)
        c->ops->came(c->ctx, &p, fd);
    if (err == 0 || is_later(err))
        return;
    loop_watch_free(c->watch);
    c->watch = NULL;
    c->ops->ended(c->ctx);
}

/* also of one that was sent: the other end has its descriptor */
static void drop_first(struct carrier_line *c)
{
    struct waiting *w = STAILQ_FIRST(&c->waiting);
    STAILQ_REMOVE_HEAD(&c->waiting, next);
    c->n_waiting--;
    if (w->fd >= 0)
        fd_closer_close(c->closer, w->fd);
    free(w);
}

static void on_again(void *ctx)
{
    struct carrier_line *c = ctx;
    struct waiting *w;
    while ((w = STAILQ_FIRST(&c->waiting)) != NULL) {
        if (is_later(send_packet(c->fd, &w->packet, w->fd))) {
            loop_timer_set(c->again, AGAIN_US);
            return;
        }
        drop_first(c); /* where the other end has gone, its end is read soon */
    }
}

struct carrier_line *carrier_line_new(struct loop *l, int fd, const struct carrier_line_ops *ops,
                                      void *ctx)
{
    struct carrier_line *c = uti_calloc(1, sizeof *c);
    c->fd = fd;
    c->ops = ops;
    c->ctx = ctx;
    c->closer = fd_closer_new();
    STAILQ_INIT(&c->waiting);
    c->watch = loop_watch_read(l, fd, on_readable, c);
    c->again = loop_timer_new(l, on_again, c);
    return c;
}

void carrier_line_free(struct carrier_line *c)
{
    if (c == NULL)
        return;
    while (!STAILQ_EMPTY(&c->waiting))
        drop_first(c);
    loop_watch_free(c->watch);
    loop_timer_free(c->again);
    fd_closer_free(c->closer);
    close(c->fd);
    free(c);
}

void carrier_line_wait(const struct carrier_line *c, uint32_t most_ms)
{
    struct pollfd p = { .fd = c->fd, .events = POLLIN };
    (void)poll(&p, 1, (int)most_ms);
}

bool carrier_line_send(struct carrier_line *c, struct carrier_packet *p, int fd)
{
    p->version = CARRIER_LINE_VERSION;
    int err = STAILQ_EMPTY(&c->waiting) ? send_packet(c->fd, p, fd) : EAGAIN;
    if (err == 0) {
        if (fd >= 0)
            fd_closer_close(c->closer, fd); /* the other end has its own now */
        return true;
    }
    if (!is_later(err) || c->n_waiting >= CARRIER_QUEUE_MOST)
        return false;
    struct waiting *w = uti_calloc(1, sizeof *w);
    w->packet = *p;
    w->fd = fd;
    STAILQ_INSERT_TAIL(&c->waiting, w, next);
    c->n_waiting++;
    loop_timer_set(c->again, AGAIN_US);
    return true;
}
