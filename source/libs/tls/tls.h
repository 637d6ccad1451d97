#ifndef TLS_TLS_H
#define TLS_TLS_H

#include "libs/comm/stream.h"
#include "libs/tls/subject.h"

/* Streams over TLS 1.3 whose both ends prove who they are by a certificate of the cell's authority
 * (authority.h). The second form of libs/comm's streams; the only room that knows OpenSSL. A
 * context may have streams in several threads until they are greeted: each stream belongs to one at
 * a time. All that are greeted belong to one thread. */
struct answer;
struct tls_context;

/* The files of one who has a certificate. The key is its owner's alone (0600); its file has the
 * certificate as well, and that one counts. */
#define TLS_FILE_AUTHORITY   "authority.pem"
#define TLS_FILE_CERTIFICATE "certificate.pem"
#define TLS_FILE_KEY         "key.pem"

/* tls_context_new - what the files in DIR say
 *
 *   side  who we are; the other end of the qmaster is a host or a user, theirs the qmaster
 *
 * Returns new: tls_context_free; NULL with ans, which names the file. */
struct tls_context *tls_context_new(const char *dir, enum tls_side side, struct answer *ans);
/* tls_context_of_peers - for streams between execution daemons, and from users to them: both ends
 * prove which host, or user, they are, and none is a qmaster to the other
 *
 *   side     TLS_HOST, also with the files of the qmaster, which are those of its host; TLS_USER
 *   accepts  are the connections made by others?
 *
 * As tls_context_new. The files are read again when they change. */
struct tls_context *tls_context_of_peers(const char *dir, enum tls_side side, bool accepts,
                                         struct answer *ans);
/* tls_let_join - a peer of C, a qmaster's, without a certificate may request one with a
 * token (joining.h) from the authority in AUTHORITY_DIR. It is served within its greeting, which
 * then fails and reports the result: no peer without a certificate gets any further. */
void tls_let_join(struct tls_context *c, const char *authority_dir);
/* tls_heed_ledger - C accepts no certificate that the ledger in DIR says is revoked, from now on
 * and as soon as it does; nor do streams hold (stream_holds) whose other end has one. A missing
 * ledger revokes nothing. Returns 0, or -1 with ans. */
int tls_heed_ledger(struct tls_context *c, const char *dir, struct answer *ans);
/* tls_revoked - which certificates C knows to be revoked; no file is looked at
 *
 *   n      gets how many, which only ever grows
 *   lines  if that is not N_KNOWN: gets lines for a ledger, of the last TLS_REVOKED_MOST of them
 *
 * Returns false, and nothing, while another thread reads the ledger. */
bool tls_revoked(struct tls_context *c, size_t n_known, size_t *n, struct dstr *lines);
enum { TLS_REVOKED_MOST = 16384 };
/* tls_renewal_at - when the certificate in DIR is to be renewed, and until when it holds
 * Returns 0, or -1 with ans. Reads a file. */
int tls_renewal_at(const char *dir, uint64_t *at_s, uint64_t *until_s, struct answer *ans);
/* which part of its life is left then */
enum { RENEWAL_PART = 3 };
/* tls_context_free - after the last of its streams is closed; NULL is fine */
void tls_context_free(struct tls_context *c);

/* tls_stream - over FD, taken: a non-blocking stream socket, which may still be connecting. It is
 * greeted (stream_greet) before anything is read or written; then stream_peer is whom the
 * other end's certificate names. A closed stream, with errno, when memory does not suffice. */
struct stream tls_stream(struct tls_context *c, int fd);

#endif
