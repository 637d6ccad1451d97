#ifndef QMASTER_IO_IDENTITY_H
#define QMASTER_IO_IDENTITY_H

#include <sys/types.h>

#include "common/basis.h"

/* Who is at the other end of a connection: a value, made once from what the transport proves.
 * Nothing that a peer says later changes it, and what a peer says of itself (its program, its host)
 * never gets in. Permissions are in tables/rights.h. */
struct comm_peer;

enum proof {
    /* the kernel names the process at the other end of a unix socket, so its host is this one */
    PROOF_SOCKET = 1,
    /* the process has the one other end of a socketpair that the qmaster made for its child */
    PROOF_CHILD = 2,
    /* a certificate of the cell's authority names a host, and nothing but a host */
    PROOF_CERTIFICATE = 3,
    /* root, proved by a socket, named the user: good for one submit */
    PROOF_ROOT = 4,
    /* the execd of a host that has proved its name says the kernel's identity of a user there: as
     * true as that host is honest */
    PROOF_RELAYED = 5,
    /* a certificate of the cell's authority names a user and both ids, wherever that user is */
    PROOF_USER = 6
};
/* roles of a peer; bits, so that a set of them is a number */
enum role {
    ROLE_CLIENT = 1,
    /* runs as root or as the qmaster's user: may be an execd, and any client of that user */
    ROLE_EXECD = 2,
    ROLE_SCHEDULER = 4,
    /* the execd of another host: of that one, and of no user */
    ROLE_HOST = 8
};
struct identity {
    char *user, *group; /* owned; NULL until identity_set_names, but for PROOF_USER's user */
    /* owned: where the process runs; proved with PROOF_CERTIFICATE and PROOF_RELAYED; with
     * PROOF_USER it is the address that the connection comes from */
    char *host;
    enum role role;
    enum proof proof;
    /* as the kernel of the host says: jobs run as it, and shares of time and room are kept for
     * it */
    uid_t uid;
    gid_t gid;
    pid_t pid; /* for messages */
    /* the connection of a host, over which it came itself or is relayed; 0: neither */
    uint64_t host_conn;
};

/* identity_role - what PEER may speak as, by what comm proves of it */
enum role identity_role(const struct comm_peer *peer);
/* identity_new - PEER, of this host, which is called HOST, unless it has proved to be of another;
 * without names, but for a host, which has a name that no user has. The strings are the value's:
 * identity_clear. */
struct identity identity_new(const struct comm_peer *peer, const char *host);
/* identity_of_conn - the connection of a host is CONN; of another peer it does not matter */
void identity_of_conn(struct identity *who, uint64_t conn);
/* identity_set_names - set the names of the user and of the group; both copied
 * identity_is_named - has it a group, which comes with the name? */
void identity_set_names(struct identity *who, const char *user, const char *group);
bool identity_is_named(const struct identity *who);
/* identity_owner - the user UID, as root of HOST names it; without names */
struct identity identity_owner(uid_t uid, gid_t gid, const char *host);
/* identity_copy - a copy of WHO with strings of its own */
struct identity identity_copy(const struct identity *who);
/* identity_take - move FROM, which is empty afterwards */
struct identity identity_take(struct identity *from);
/* identity_clear - free what it owns; empty afterwards */
void identity_clear(struct identity *who);

#endif
