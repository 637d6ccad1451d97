#ifndef SHEPHERD_DAEMON_PORT_H
#define SHEPHERD_DAEMON_PORT_H

#include <stddef.h>

#include "common/basis.h"

/* The port of a configured daemon (rsh_daemon and others of sge_conf(5)), between the session with
 * the client and the connection of the client's command. Anybody can connect to a port: the client,
 * which has proved who it is, says of each connection whether it is one of its user, and the job
 * gets the first that is. The port is closed then. Run by the pump, as the owner of the job. */
struct daemon_place { /* borrowed */
    const char *starter, *tmpdir;
    const struct start_file *start; /* the command to write down; NULL: a login */
};
struct daemon_port {
    int fd;   /* it listens; -1: not open */
    int peer; /* a connection that is not judged yet; -1: none */
    uint16_t port;
    bool is_open;
    const struct daemon_place *place;
};
#define DAEMON_PORT_INIT                                                                           \
    {                                                                                              \
        .fd = -1, .peer = -1                                                                       \
    }

/* daemon_port_open - listen on a free port of this host, and write down the command
 * Returns 0, or -1 with WHY, of LEN bytes.
 * daemon_port_offer - the data of the frame SESSION_DAEMON into ROOM of MOST bytes; returns their
 * number */
int daemon_port_open(struct daemon_port *d, const struct daemon_place *place, char *why,
                     size_t len);
size_t daemon_port_offer(const struct daemon_port *d, uint8_t *room, size_t most);
/* daemon_port_fd - what to watch for a connection; -1: nothing, while one is to be judged
 * daemon_port_accept - take a connection: true with the data of SESSION_PEER in ROOM
 * daemon_port_judged - that connection is the client's command's, or is closed. True when it was
 * passed to LINE, and the port is closed. */
int daemon_port_fd(const struct daemon_port *d);
bool daemon_port_accept(struct daemon_port *d, uint8_t *room);
bool daemon_port_judged(struct daemon_port *d, bool is_clients, int line);

#endif
