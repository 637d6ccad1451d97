#ifndef GDI_REACH_H
#define GDI_REACH_H

#include "common/basis.h"

/* The way from a client to the qmaster: its socket, or on another host that of the execution daemon
 * there, which relays. libc alone. */
struct answer;
struct cell;
struct comm_client;

/* reach_qmaster - connect to the qmaster of CELL from HOST, this one
 * As comm_client_open. On the qmaster's host that is all it does; ANS speaks of the qmaster's
 * socket in any case. */
struct comm_client *reach_qmaster(const struct cell *cell, const char *host, int timeout_ms,
                                  struct answer *ans);
/* reach_socket - the socket at which somebody listens now: the relay's if only that one does, else
 * the qmaster's; new: free() it */
char *reach_socket(const struct cell *cell, const char *host);

#endif
