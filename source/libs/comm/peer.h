#ifndef COMM_PEER_H
#define COMM_PEER_H

#include <sys/types.h>

#include "libs/comm/tcp.h"

struct comm_peer { /* who is at the other end, as proved by the transport */
    uid_t uid;
    gid_t gid;
    pid_t pid;
    bool is_local; /* unix socket */
    /* a child, at the other end of a socketpair that this process made for it */
    bool is_child;
    /* a host that has proved its name, over TCP; borrowed, NULL on this host. No user is known
     * then: uid and gid are COMM_NO_UID and COMM_NO_GID. `from` is its address as text. An older
     * connection of it from the same address is ended; while one from another address stands, this
     * one is refused. */
    const char *host;
    char from[TCP_ADDRESS_BYTES];
    /* the connection of the host that relays this one (relay.h), and says who it is: uid, gid, pid
     * and the names, borrowed, are its users'. 0: none does */
    uint64_t relay;
    /* with `from` and without a relay: a user who has proved the name and both ids over TCP. That
     * one shares the quota of the user with the same uid on this host. */
    const char *user, *group;
};
#define COMM_NO_UID ((uid_t)-1)
#define COMM_NO_GID ((gid_t)-1)

#endif
