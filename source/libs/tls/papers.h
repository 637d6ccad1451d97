#ifndef TLS_PAPERS_H
#define TLS_PAPERS_H

#include <openssl/evp.h>
#include <openssl/x509.h>

/* The files of one who has a certificate, and of the authority: how they are written. */
struct answer;

struct papers { /* borrowed */
    X509 *authority, *certificate;
    EVP_PKEY *key;
};
/* papers_write - the files of tls.h in DIR, which is made if need be, for its owner alone; what is
 * there is replaced, key and certificate at once. An authority of NULL stays as it is there.
 * Returns 0, or -1 with ans. */
int papers_write(const char *dir, const struct papers *p, struct answer *ans);
/* papers_write_certificate, papers_write_key - one of them as NAME in DIR, the key for its owner
 * alone. Return 0, or -1 with ans. */
int papers_write_certificate(const char *dir, const char *name, X509 *x, struct answer *ans);
int papers_write_key(const char *dir, const char *name, const EVP_PKEY *key, struct answer *ans);

#endif
