#ifndef TLS_TLS_PRIV_H
#define TLS_TLS_PRIV_H

#include <openssl/ssl.h>

#include "libs/tls/tls.h"
#include "libs/uti/dstr.h"

/* The room's inside: what streams need of their context. */

/* one record of TLS at most; many small frames leave as one */
enum { TLS_RECORD_BYTES = 16 * 1024 };

struct tls_context {
    SSL_CTX *ctx;
    BIO_METHOD *method; /* bytes to and from a descriptor, without SIGPIPE */
    enum tls_side side;
    char *authority_dir;                /* owned; NULL: nobody can join */
    uint8_t gathered[TLS_RECORD_BYTES]; /* what is about to be written, from several places */
};

/* tls_bio_method - new: BIO_meth_free. A BIO with it has the stream as its data. */
BIO_METHOD *tls_bio_method(void);
/* tls_verify - OpenSSL asks whether a certificate that it has looked at will do: notes in the
 * stream why not */
int tls_verify(int is_good, X509_STORE_CTX *store);
/* tls_take_error - what OpenSSL has to say of its last failure; new: free() it. Its queue is empty
 * afterwards. */
char *tls_take_error(void);
/* tls_crypto_failed - WHAT cannot be made, and OpenSSL says why: -1 with ans */
int tls_crypto_failed(const char *what, struct answer *ans);
/* tls_add_fingerprint - the SHA-256 of CERTIFICATE in hexadecimal digits; false without memory */
bool tls_add_fingerprint(struct dstr *out, const X509 *certificate);

/* One who has no certificate and wants to join (join_serve.c), in place of a name that it proves.
 * Its connection never gets beyond the greeting. */
struct joiner;
/* joiner_watch - whoever offers the protocol of joining to CTX, the qmaster's, may come without a
 * certificate; *tls_joiner(ssl), NULL before, is the joiner from then on */
void joiner_watch(SSL_CTX *ctx);
struct joiner **tls_joiner(const SSL *ssl);
void joiner_free(struct joiner *j);
/* joiner_step - go on, after the handshake of SSL, with the authority in DIR
 *
 *   rc   what the last call of SSL has returned, if that is not 1: SSL_get_error knows more
 *   why  added to when it is over: what has become of it
 *
 * Returns 1 when it is over, 0 when SSL wants more. */
int joiner_step(struct joiner *j, SSL *ssl, const char *dir, int *rc, struct dstr *why);

#endif
