/* Keys and certificates as files. Invariants: a key is never in a file that others may read, not
 * even for a moment; TLS_FILE_KEY has the certificate of its key, too, so that one rename replaces
 * both, and whoever is killed leaves the old ones or the new. */
#include "libs/tls/papers.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdlib.h>

#include "libs/tls/msg_tls.h"
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

/* KEY as NAME in DIR, and X behind it unless that is NULL */
static int write_key(const char *dir, const char *name, const EVP_PKEY *key, X509 *x,
                     struct answer *ans)
{
    BIO *pem = BIO_new(BIO_s_secmem());
    int rc = -1;
    if (pem == NULL || PEM_write_bio_PrivateKey(pem, key, NULL, NULL, 0, NULL, NULL) != 1 ||
        (x != NULL && PEM_write_bio_X509(pem, x) != 1))
        tls_crypto_failed(name, ans);
    else
        rc = write_pem(dir, name, 0600, pem, ans);
    BIO_free(pem);
    return rc;
}

int papers_write_key(const char *dir, const char *name, const EVP_PKEY *key, struct answer *ans)
{
    return write_key(dir, name, key, NULL, ans);
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

int papers_write(const char *dir, const struct papers *p, struct answer *ans)
{
    if (file_mkdirs(dir, 0700, ans) != 0 ||
        (p->authority != NULL &&
         papers_write_certificate(dir, TLS_FILE_AUTHORITY, p->authority, ans) != 0) ||
        write_key(dir, TLS_FILE_KEY, p->key, p->certificate, ans) != 0)
        return -1;
    return papers_write_certificate(dir, TLS_FILE_CERTIFICATE, p->certificate, ans);
}

/* ---- how long they hold ---- */

static X509 *read_certificate(const char *dir, const char *name)
{
    char *path = path_join(dir, name);
    BIO *pem = BIO_new_file(path, "r");
    X509 *x = pem != NULL ? PEM_read_bio_X509(pem, NULL, NULL, NULL) : NULL;
    BIO_free(pem);
    free(path);
    ERR_clear_error();
    return x;
}

int papers_read_proof(const char *dir, struct tls_proof *p, struct answer *ans)
{
    X509 *x = read_certificate(dir, TLS_FILE_KEY);
    if (x == NULL)
        x = read_certificate(dir, TLS_FILE_CERTIFICATE);
    bool is_read = x != NULL && proof_read(p, x);
    X509_free(x);
    return is_read ? 0 : ans_fail(ans, STATUS_ESYSTEM, MSG_TLS_PAPERS_S, dir);
}

uint64_t proof_renewal_at(const struct tls_proof *p)
{
    uint64_t life_s = p->until_s > p->from_s ? p->until_s - p->from_s : 0;
    return p->until_s - life_s / RENEWAL_PART;
}

int tls_renewal_at(const char *dir, uint64_t *at_s, uint64_t *until_s, struct answer *ans)
{
    struct tls_proof p;
    if (papers_read_proof(dir, &p, ans) != 0)
        return -1;
    *at_s = proof_renewal_at(&p);
    *until_s = p.until_s;
    proof_free(&p);
    return 0;
}
