#ifndef GDI_REACH_H
#define GDI_REACH_H

#include "libs/comm/link.h"

/* The way from a client to the qmaster: its socket; on another host that of the execution daemon
 * there, which relays; where there is neither, a tunnel (tunnel.h) with the user's certificate.
 * libc alone. */
struct answer;
struct cell;
struct comm_client;

/* reach_qmaster - connect to the qmaster of CELL from HOST, this one
 * As comm_client_open. On the qmaster's host that is all it does; ANS says why there is no tunnel
 * if there might be one, else what is wrong with the qmaster's socket, and reach_failed which way
 * that was. */
struct comm_client *reach_qmaster(const struct cell *cell, const char *host, int timeout_ms,
                                  struct answer *ans);
/* reach_failed - say in ANS which way that was; returns -1 */
int reach_failed(const struct cell *cell, const char *host, struct answer *ans);

/* The same for a link, which is made again after each loss, whichever way is open then. */
struct reach;
/* reach_new - CELL is borrowed until reach_free, HOST copied */
struct reach *reach_new(const struct cell *cell, const char *host);
struct link_dial reach_dial(struct reach *r);
/* reach_free - after the link; NULL is fine */
void reach_free(struct reach *r);

#endif
