#ifndef GDI_TUNNEL_H
#define GDI_TUNNEL_H

#include "libs/comm/stream.h"

/* The way from a machine without an execution daemon, for a user who has a certificate of the cell:
 * the program sge_tunnel carries one connection over TLS, so that clients know nothing of that.
 * libc alone. */
struct answer;
struct cell;

/* The first byte that sge_tunnel sends over the socket that is its standard input. Behind
 * TUNNEL_STANDS come the bytes of the connection, behind TUNNEL_FAILED a text that says why it has
 * failed. */
enum tunnel_greeting { TUNNEL_STANDS = '+', TUNNEL_FAILED = '-' };
enum { TUNNEL_TEXT_BYTES = 1024 }; /* of that text, at most */

/* tunnel_papers - where this user has the files of the certificate for CELL:
 * $HOME/.sge/CELL.HOST, where HOST is the qmaster's; new: free() it; NULL: there is no key there */
char *tunnel_papers(const struct cell *cell);
/* tunnel_open - a stream that sge_tunnel carries to the qmaster of CELL with what lies in PAPERS;
 * it greets, and takes no longer than some 20 seconds for that
 * Returns a closed one, with ans, if the program cannot be started. */
struct stream tunnel_open(const struct cell *cell, const char *papers, struct answer *ans);

#endif
