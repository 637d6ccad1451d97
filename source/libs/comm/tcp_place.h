#ifndef COMM_TCP_PLACE_H
#define COMM_TCP_PLACE_H

#include "common/basis.h"

/* A host and a port to connect to. Its addresses are asked for in a thread of its own, so that a
 * name service that hangs does not delay others. */
struct tcp_place;

/* tcp_place_new - HOST, a name or an address, is copied. Returns new: tcp_place_free. */
struct tcp_place *tcp_place_new(const char *host, uint16_t port);
/* tcp_place_free - a question under way is abandoned; NULL is fine */
void tcp_place_free(struct tcp_place *p);
/* tcp_place_connect - a new non-blocking socket on its way to the next of the addresses; after the
 * last of them they are asked for anew, since a host may come back with another
 * Returns the descriptor; or -1 with *WHY, borrowed until the next call, or NULL there while the
 * addresses are being asked for: call again. Never blocks. */
int tcp_place_connect(struct tcp_place *p, const char **why);

#endif
