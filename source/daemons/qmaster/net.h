#ifndef QMASTER_NET_H
#define QMASTER_NET_H

#include "common/basis.h"

/* The network thread: connections on the cell's socket; whole frames go to the core's inbox. Names of users are looked up here, so
 * that a slow directory service cannot stop the core. */
struct answer;
struct comm_server;
struct inbox;
struct net;

struct net *net_new(const char *socket_path, struct inbox *core,
                    struct answer *ans); /* new: net_free; NULL with ans */
void net_free(struct net *n);
void net_run(struct net *n);  /* the body of the thread; until net_stop */
void net_stop(struct net *n); /* any thread */
struct comm_server *net_server(struct net *n);

#endif
