#ifndef CLIENTS_SGE_TUNNEL_WAY_H
#define CLIENTS_SGE_TUNNEL_WAY_H

#include "libs/comm/stream.h"

struct answer;
struct tls_context;

/* way_open - a stream to the qmaster at HOST and PORT, over C, which has greeted when it returns
 * Tries all addresses of the host in turn, for WAY_SECONDS at most; the name service may take
 * longer. Returns a closed stream, with ans, if it reaches none. */
struct stream way_open(struct tls_context *c, const char *host, const char *port,
                       struct answer *ans);
enum { WAY_SECONDS = 15 };

#endif
