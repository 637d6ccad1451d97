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

#endif
