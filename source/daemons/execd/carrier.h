#ifndef EXECD_CARRIER_H
#define EXECD_CARRIER_H

#include <stddef.h>
#include <sys/types.h>

#include "common/basis.h"

/* The execd's side of its carrier: the process that carries sessions of interactive jobs to and
 * from other hosts (sge_carrier). It does not end with its execd: it closes the port then, carries
 * what it has to its end, and exits; the next execd starts one of its own. */
struct carrier;
struct loop;
struct session_first;
struct stream;

struct carrier_place { /* borrowed until carrier_new returns */
    const char *program, *host, *messages, *dir;
    uint16_t port;
    const char *papers_dir, *ledger_dir; /* session_hosts.h */
    bool writes_ledger;
    pid_t *process; /* borrowed, kept current: its pid; 0: there is none */
};
/* carrier_new - start one, and wait up to CARRIER_START_MS until it listens. One that ends is
 * started again, a second later, or twice as late as the last time if that is less than a minute
 * ago; CARRIER_REST_MOST_S at most.
 *
 *   came  as session_relay_ops says, with CTX
 *
 * Returns new: carrier_free. */
struct carrier *carrier_new(struct loop *l, const struct carrier_place *place,
                            void (*came)(void *ctx, int fd, const struct session_first *first),
                            void *ctx);
enum { CARRIER_START_MS = 2000, CARRIER_REST_MOST_S = 60 };
/* carrier_free - its port is closed, what it carries goes on; NULL is fine */
void carrier_free(struct carrier *c);
/* carrier_send - as session_relay_send, which refuses too many in the carrier itself; false with
 * *MOST 0 while there is no carrier */
bool carrier_send(struct carrier *c, struct stream *near, const struct session_first *first,
                  const char *host, unsigned *most);
/* carrier_set_silence, carrier_revoke - session_hosts_set_silence and session_hosts_revoke; one
 * that starts later gets the last of each. NULL is fine. */
void carrier_set_silence(struct carrier *c, uint32_t silent_s);
void carrier_revoke(struct carrier *c, const char *text, size_t len);

#endif
