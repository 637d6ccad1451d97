#ifndef GDI_REACH_H
#define GDI_REACH_H

#include "libs/comm/link.h"
#include "libs/comm/stream.h"

/* The way from a client to the qmaster: its socket; on another host that of the execution daemon
 * there, which relays; where there is neither, a tunnel with the user's certificate.
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

/* The way from a machine without an execution daemon, for a user who has a certificate of the cell:
 * the program sge_tunnel carries one connection over TLS, so that clients know nothing of that.
 * libc alone. */

/* The first byte that sge_tunnel sends over the socket that is its standard input. Behind
 * TUNNEL_STANDS come the bytes of the connection, behind TUNNEL_FAILED a text that says why it has
 * failed. */
enum tunnel_greeting { TUNNEL_STANDS = '+', TUNNEL_FAILED = '-' };
enum { TUNNEL_TEXT_BYTES = 1024 }; /* of that text, at most */
/* its last argument where it is to reach an execution daemon */
#define TUNNEL_SESSION "session"

/* tunnel_papers - where this user has the files of the certificate for CELL:
 * $HOME/.sge/CELL.HOST, where HOST is the qmaster's; new: free() it; NULL: there is no key there */
char *tunnel_papers(const struct cell *cell);
/* tunnel_open - a stream that sge_tunnel carries to the qmaster of CELL with what lies in PAPERS;
 * it greets, and takes no longer than some 20 seconds for that
 * Returns a closed one, with ans, if the program cannot be started. */
struct stream tunnel_open(const struct cell *cell, const char *papers, struct answer *ans);
/* tunnel_session - a socket, blocking, that sge_tunnel carries to the execution daemon of HOST, or
 * to that of the session_gateway of bootstrap(5), for the session of an interactive job; waits for
 * that as long as tunnel_open says
 * Returns the descriptor, or -1 with ans; without one if this user has no certificate. */
int tunnel_session(const struct cell *cell, const char *host, struct answer *ans);

#endif
