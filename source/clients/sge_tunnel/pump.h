#ifndef CLIENTS_SGE_TUNNEL_PUMP_H
#define CLIENTS_SGE_TUNNEL_PUMP_H

#include "libs/comm/stream.h"

/* pump_run - carry bytes between CLIENT, a socket, and QMASTER, which has greeted, until one of
 * them ends; what has come from it before is carried on
 * Neither is read while the other takes nothing: no more than PUMP_BYTES wait each way. */
void pump_run(int client, struct stream *qmaster);
enum { PUMP_BYTES = 64 * 1024 };

#endif
