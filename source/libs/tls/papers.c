/* Keys and certificates as files. Invariant: a key is never in a file that others may read, not
 * even for a moment. */
#include "libs/tls/papers.h"

#include <openssl/pem.h>
#include <stdlib.h>

#include "libs/tls/tls_priv.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

static int write_pem(const char *dir, const char *name, mode_t mode, BIO *pem, struct answer *ans)
{
    char *path = path_join(dir, name), *data;
    long len = BIO_get_mem_data(pem, &data);
    int rc =
        len > 0 ? file_replace(path, data, (size_t)len, mode, ans) : tls_crypto_failed(path, ans);
    free(path);
    return rc;
}

int papers_write_key(const char *dir, const char *name, const EVP_PKEY *key, struct answer *ans)
{
    BIO *pem = BIO_new(BIO_s_secmem());
    int rc = -1;
    if (pem == NULL || PEM_write_bio_PrivateKey(pem, key, NULL, NULL, 0, NULL, NULL) != 1)
        tls_crypto_failed(name, ans);
    else
        rc = write_pem(dir, name, 0600, pem, ans);
    BIO_free(pem);
    return rc;
}

int papers_write_certificate(const char *dir, const char *name, X509 *x, struct answer *ans)
{
    BIO *pem = BIO_new(BIO_s_mem());
    int rc = -1;
    if (pem == NULL || PEM_write_bio_X509(pem, x) != 1)
        tls_crypto_failed(name, ans);
    else
        rc = write_pem(dir, name, 0644, pem, ans);
    BIO_free(pem);
    return rc;
}

/* the key last: a key and a certificate that do not fit each other are refused where they are used
 */
int papers_write(const char *dir, const struct papers *p, struct answer *ans)
{
    if (file_mkdirs(dir, 0700, ans) != 0 ||
        papers_write_certificate(dir, TLS_FILE_AUTHORITY, p->authority, ans) != 0 ||
        papers_write_certificate(dir, TLS_FILE_CERTIFICATE, p->certificate, ans) != 0)
        return -1;
    return papers_write_key(dir, TLS_FILE_KEY, p->key, ans);
}
