#ifndef CLIENTS_SGE_TUNNEL_WAY_H
#define CLIENTS_SGE_TUNNEL_WAY_H

#include "libs/comm/stream.h"

struct answer;
struct tls_context;

/* way_open - a stream to the qmaster at HOST and PORT, over C, which has greeted when it returns
 * All addresses of the host are tried in turn; it takes WAY_SECONDS at most, the name service's
 * time not counted. A closed one, with ans, if there is none. */
struct stream way_open(struct tls_context *c, const char *host, const char *port,
                       struct answer *ans);
enum { WAY_SECONDS = 15 };

#endif
