#ifndef QMASTER_IO_NET_H
#define QMASTER_IO_NET_H

#include <sys/types.h>

#include "common/basis.h"

/* The network thread: connections on the cell's socket, and those of other hosts at a TCP port;
 * whole frames go to the core's inbox. A
 * connection waits for the name of its user (names.h), without delaying others. */
struct answer;
struct comm_server;
struct inbox;
struct net;
struct turn_counts;

/* net_new - listen at SOCKET_PATH
 *   host  this host's name, borrowed until net_free: peers of the socket run here
 * Returns new: net_free; NULL with ans. */
struct net *net_new(const char *socket_path, const char *host, struct inbox *core,
                    struct answer *ans);
struct net_papers {        /* directories; borrowed */
    const char *own;       /* with the qmaster's certificate and key (tls.h) */
    const char *authority; /* that signs those of hosts that join (authority.h, token.h) */
};
/* net_listen_to_hosts - also at TCP port PORT, for hosts that prove who they are or join
 * Before net_run. Returns 0, or -1 with ans. */
int net_listen_to_hosts(struct net *n, uint16_t port, const struct net_papers *papers,
                        struct answer *ans);
/* net_free - after net_run has returned; NULL is fine
 * net_run - the body of the thread, until net_stop
 * net_stop - let it end; any thread
 * net_server - borrowed, for sending; any thread */
void net_free(struct net *n);
void net_run(struct net *n);
void net_stop(struct net *n);
struct comm_server *net_server(struct net *n);
/* net_set_limits - what a user may have: connections, and bytes of messages and answers under way;
 * 0: the usual (comm_limits_usual); and how long other hosts may be silent. Any thread; it holds
 * from then on. */
void net_set_limits(struct net *n, uint32_t conns_of_user, size_t bytes_of_user,
                    uint32_t host_silence_s);
/* net_ask_owner - who is the user UID? A NOTE_OWNER will say it (owners.h); any thread */
void net_ask_owner(struct net *n, uid_t uid);
/* net_ask_groups - in which groups is the user UID? A NOTE_GROUPS will say it; any thread
 * net_set_names_time - the name service is believed for KEEP_S seconds; any thread */
void net_ask_groups(struct net *n, uid_t uid);
void net_set_names_time(struct net *n, uint32_t keep_s);
/* net_set_managers - these users get in when the server is full, as root and daemons do; the names
 * are copied; any thread */
void net_set_managers(struct net *n, const char *const *names, uint32_t n_names);
/* net_turns, net_names_turns - what the turns of the network thread have cost, and the questions of
 * the name threads; any thread */
const struct turn_counts *net_turns(const struct net *n);
const struct turn_counts *net_names_turns(const struct net *n);

#endif
