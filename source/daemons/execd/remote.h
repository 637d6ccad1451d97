#ifndef EXECD_REMOTE_H
#define EXECD_REMOTE_H

#include <sys/types.h>

#include "common/basis.h"
#include "libs/comm/link.h"

/* The way to a qmaster on another host: TLS over TCP, with the certificate of this host. */
struct remote;

/* remote_new - to PORT of QMASTER_HOST; the files of tls.h are in PAPERS_DIR, and are read anew for
 * each connection: a certificate that was renewed counts from the next one on
 * The strings are copied. Returns new: remote_free. */
struct remote *remote_new(const char *qmaster_host, uint16_t port, const char *papers_dir);
/* remote_free - after the link that uses it; NULL is fine */
void remote_free(struct remote *w);
/* remote_set_silence - a qmaster that says nothing for SILENT_S seconds counts as lost, from the
 * next connection on and on K, the present one */
void remote_set_silence(struct remote *w, const struct link *k, uint32_t silent_s);
/* remote_dial - for link_dialled; borrows W */
struct link_dial remote_dial(struct remote *w);

/* The certificate of a host is renewed in time: by "sge_ca renew", a process beside the loop, which
 * makes the new key and asks the qmaster. */
struct loop;
struct cert_renewal;

struct renewal_place { /* borrowed for the life of the renewing, but for papers_dir */
    const char *papers_dir, *bin_dir, *qmaster_host;
    uint16_t port;  /* of the qmaster */
    pid_t *process; /* kept current: the renewal in progress, a child process; 0: none */
};
/* cert_renewal_new - look from now on. Returns new: cert_renewal_free. */
struct cert_renewal *cert_renewal_new(struct loop *loop, const struct renewal_place *place);
/* cert_renewal_free - NULL is fine; a renewal that goes on ends by itself */
void cert_renewal_free(struct cert_renewal *r);

/* The users of this host on their way to the qmaster on another one: comm/relay.h with names. NULL
 * on the qmaster's host, where it is not needed; each function but user_relay_new takes that. */
struct answer;
struct frame;
struct link;
struct user_relay;
struct turn_counts;

/* user_relay_new - for users who connect to SOCKET. New: user_relay_free; NULL with ans. */
struct user_relay *user_relay_new(struct loop *l, const char *socket, struct answer *ans);
void user_relay_free(struct user_relay *r);
/* user_relay_up, user_relay_down - the connection K to the qmaster stands, is lost. The log has it
 * if it is not possible to listen. */
void user_relay_up(struct user_relay *r, struct link *k);
void user_relay_down(struct user_relay *r);
/* user_relay_turns, user_relay_names_turns - what the relay's part of the loop's turns has cost,
 * and its questions for names; not of NULL */
const struct turn_counts *user_relay_turns(const struct user_relay *r);
const struct turn_counts *user_relay_names_turns(const struct user_relay *r);
/* user_relay_take - a frame came over K; true: it was one for a user, and its body is taken. One
 * that breaks the rules drops K. */
bool user_relay_take(struct user_relay *r, struct link *k, struct frame *f);

#endif
