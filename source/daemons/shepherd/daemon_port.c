/* One port for one connection. Invariants: at most one connection is judged at a time; those that
 * come meanwhile wait in the kernel, which bounds them. Source: sge_conf(5) qlogin_daemon. */
#include "daemons/shepherd/daemon_port.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemons/shepherd/msg_shepherd.h"
#include "libs/task/session_frame.h"
#include "libs/task/start_file.h"
#include "libs/uti/fd_pass.h"

enum { WAITING_MOST = 8 };

/* both families where the host has both */
static int listen_any(uint16_t *port)
{
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    const struct sockaddr *at = (const struct sockaddr *)&v6;
    socklen_t len = sizeof v6;
    int zero = 0, fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero) != 0 ||
                    bind(fd, at, len) != 0)) {
        close(fd);
        fd = -1;
    }
    if (fd < 0) {
        at = (const struct sockaddr *)&v4;
        len = sizeof v4;
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd >= 0 && bind(fd, at, len) != 0) {
            close(fd);
            return -1;
        }
    }
    union {
        struct sockaddr any;
        struct sockaddr_in6 v6;
        struct sockaddr_in v4;
    } bound;
    len = sizeof bound;
    if (fd < 0 || listen(fd, WAITING_MOST) != 0 || getsockname(fd, &bound.any, &len) != 0) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    *port = ntohs(bound.any.sa_family == AF_INET6 ? bound.v6.sin6_port : bound.v4.sin_port);
    return fd;
}

int daemon_port_open(struct daemon_port *d, const struct daemon_place *place, char *why, size_t len)
{
    int err = place->start != NULL ? start_file_write(place->tmpdir, place->start) : 0;
    if (err != 0) {
        (void)snprintf(why, len, MSG_DAEMON_START_SS, place->tmpdir, strerror(err));
        return -1;
    }
    d->fd = listen_any(&d->port);
    if (d->fd < 0) {
        (void)snprintf(why, len, MSG_DAEMON_PORT_S, strerror(errno));
        return -1;
    }
    d->place = place;
    d->is_open = true;
    return 0;
}

size_t daemon_port_offer(const struct daemon_port *d, uint8_t *room, size_t most)
{
    char port[8];
    size_t len = 0;
    (void)snprintf(port, sizeof port, "%u", (unsigned)d->port);
    const char *const texts[] = { port, d->place->starter, d->place->tmpdir };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        size_t n = strlen(texts[i]) + 1;
        if (len + n > most)
            return 0; /* which the client refuses */
        memcpy(room + len, texts[i], n);
        len += n;
    }
    return len;
}

int daemon_port_fd(const struct daemon_port *d)
{
    return d->peer < 0 ? d->fd : -1;
}

bool daemon_port_accept(struct daemon_port *d, uint8_t *room)
{
    static const uint8_t of_v4[12] = { [10] = 0xff, [11] = 0xff };
    union {
        struct sockaddr any;
        struct sockaddr_in6 v6;
        struct sockaddr_in v4;
    } from;
    socklen_t len = sizeof from;
    d->peer = accept4(d->fd, &from.any, &len, SOCK_CLOEXEC);
    if (d->peer < 0)
        return false;
    bool is_v6 = from.any.sa_family == AF_INET6;
    uint16_t port = ntohs(is_v6 ? from.v6.sin6_port : from.v4.sin_port);
    if (is_v6) {
        memcpy(room, &from.v6.sin6_addr, 16);
    } else {
        memcpy(room, of_v4, sizeof of_v4);
        memcpy(room + sizeof of_v4, &from.v4.sin_addr, 4);
    }
    room[16] = (uint8_t)(port >> 8);
    room[17] = (uint8_t)port;
    return true;
}

bool daemon_port_judged(struct daemon_port *d, bool is_clients, int line)
{
    if (d->peer < 0)
        return false; /* it was not asked */
    bool is_passed = is_clients && line >= 0 && fd_pass(line, &d->peer, 1) == 0;
    close(d->peer);
    d->peer = -1;
    if (!is_passed)
        return false;
    close(d->fd);
    d->fd = -1;
    d->is_open = false;
    return true;
}
