#ifndef EXECD_SESSION_HOSTS_H
#define EXECD_SESSION_HOSTS_H

#include <stddef.h>

#include "common/basis.h"

/* The way of sessions of interactive jobs to and from other hosts: host/session_relay.h over TLS,
 * with the certificate of this host. In the carrier (carrier.h). */
struct answer;
struct loop;
struct session_first;
struct session_hosts;
struct stream;

struct session_port { /* borrowed until session_hosts_new returns */
    uint16_t port;
    const char *papers_dir;
    /* where the ledger is that says which certificates are revoked, and whether this host writes it
     * from what the qmaster says */
    const char *ledger_dir;
    bool writes_ledger;
};
/* session_hosts_new - CAME is called with CTX as session_relay_ops says. Returns new:
 * session_hosts_free; NULL with ans: there are no sessions with other hosts then. */
struct session_hosts *session_hosts_new(struct loop *l, const struct session_port *place,
                                        void (*came)(void *ctx, int fd,
                                                     const struct session_first *first),
                                        void *ctx, struct answer *ans);
/* session_hosts_free - NULL is fine */
void session_hosts_free(struct session_hosts *h);
/* session_hosts_carry - session_relay_send; NEAR is moved in, and gets the refusal if too many are
 * carried
 * session_hosts_set_silence - session_relay_set_silence */
void session_hosts_carry(struct session_hosts *h, struct stream *near,
                         const struct session_first *first, const char *host);
void session_hosts_set_silence(struct session_hosts *h, uint32_t silent_s);
/* session_hosts_revoke - the qmaster says which certificates it does not accept any more: TEXT, of
 * LEN bytes, replaces the ledger of this host, in another thread */
void session_hosts_revoke(struct session_hosts *h, const char *text, size_t len);
/* session_hosts_close, session_hosts_is_empty - session_relay_close, session_relay_is_empty */
void session_hosts_close(struct session_hosts *h);
bool session_hosts_is_empty(struct session_hosts *h);

#endif
