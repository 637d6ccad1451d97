/* Keys and certificates: their files, what they say, and the words for failures of OpenSSL with
 * them.
 * Invariants: a key is never in a file that others may read, not even for a moment; TLS_FILE_KEY
 * has the certificate of its key, too, so that one rename replaces both, and a process that is
 * killed leaves the old ones or the new. */
#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "libs/tls/msg_tls.h"
#include "libs/tls/tls_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

char *tls_take_error(void)
{
    unsigned long first = ERR_get_error();
    const char *text = first != 0 ? ERR_reason_error_string(first) : NULL;
    ERR_clear_error();
    return uti_strdup(text != NULL ? text : "unknown error");
}

bool tls_add_fingerprint(struct dstr *out, const X509 *certificate)
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    if (X509_digest(certificate, EVP_sha256(), hash, &n) != 1)
        return false;
    for (unsigned i = 0; i < n; i++)
        dstr_addf(out, "%02x", hash[i]);
    return true;
}

bool tls_add_serial(struct dstr *out, const X509 *certificate)
{
    BIGNUM *n = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL);
    char *digits = n != NULL ? BN_bn2hex(n) : NULL;
    for (char *d = digits; d != NULL && *d != '\0'; d++)
        dstr_addc(out, *d >= 'A' && *d <= 'F' ? (char)(*d - 'A' + 'a') : *d);
    bool is_added = digits != NULL;
    OPENSSL_free(digits);
    BN_free(n);
    return is_added;
}

int tls_crypto_failed(const char *what, struct answer *ans)
{
    char *why = tls_take_error();
    ans_fail(ans, STATUS_ESYSTEM, MSG_TLS_CRYPTO_SS, what, why);
    free(why);
    return -1;
}

int tls_read_failed(const char *path, struct answer *ans)
{
    char *why = tls_take_error();
    ans_fail(ans, STATUS_ESYSTEM, MSG_TLS_READ_S, path, why);
    free(why);
    return -1;
}

/* ---- written ---- */

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

/* ---- loaded ---- */

static int check_mode(const char *path, struct answer *ans)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return ans_sys(ans, errno, "%s", path);
    if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return ans_fail(ans, STATUS_DENIED, MSG_TLS_OPEN_KEY_SO, path,
                        (unsigned)(st.st_mode & ALLPERMS));
    return 0;
}

/* the certificate beside the key, unless the key's own file has it */
static int load_certificate(SSL_CTX *ctx, const char *dir, const char *key, struct answer *ans)
{
    char *path = path_join(dir, TLS_FILE_CERTIFICATE);
    int rc = 0;
    if (SSL_CTX_use_certificate_file(ctx, key, SSL_FILETYPE_PEM) != 1) {
        ERR_clear_error();
        if (SSL_CTX_use_certificate_file(ctx, path, SSL_FILETYPE_PEM) != 1)
            rc = tls_read_failed(path, ans);
    }
    free(path);
    return rc;
}

static int load_key(SSL_CTX *ctx, const char *path, struct answer *ans)
{
    if (SSL_CTX_use_PrivateKey_file(ctx, path, SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(ctx) != 1)
        return tls_read_failed(path, ans);
    return 0;
}

int tls_load_papers(SSL_CTX *ctx, const char *dir, struct answer *ans)
{
    char *authority = path_join(dir, TLS_FILE_AUTHORITY), *key = path_join(dir, TLS_FILE_KEY);
    int rc = SSL_CTX_load_verify_file(ctx, authority) == 1 ? 0 : tls_read_failed(authority, ans);
    if (rc == 0)
        rc = check_mode(key, ans);
    if (rc == 0)
        rc = load_certificate(ctx, dir, key, ans);
    if (rc == 0)
        rc = load_key(ctx, key, ans);
    free(authority);
    free(key);
    return rc;
}

/* ---- what an accepted certificate proves of its owner ---- */

/* the LEN bytes at TEXT if they are a subject of SIDE; new, or NULL */
static char *subject_of(enum tls_side side, const char *text, size_t len)
{
    char *subject = strnlen(text, len) == len ? uti_strndup(text, len) : NULL;
    if (subject != NULL && subject_is_valid(side, subject))
        return subject;
    free(subject);
    return NULL;
}

/* whom NAME names, if that is a valid subject: a certificate that is not accepted is named in the
 * log, too, and its maker may have written anything into it; new, or NULL */
static char *subject_in(const GENERAL_NAME *name)
{
    static const size_t before = sizeof SUBJECT_USER_URI - 1;
    if (name->type != GEN_DNS && name->type != GEN_URI)
        return NULL;
    const char *text = (const char *)ASN1_STRING_get0_data(name->d.ia5);
    size_t len = (size_t)ASN1_STRING_length(name->d.ia5);
    if (name->type == GEN_DNS)
        return subject_of(TLS_HOST, text, len);
    bool is_user = len > before && memcmp(text, SUBJECT_USER_URI, before) == 0;
    return is_user ? subject_of(TLS_USER, text + before, len - before) : NULL;
}

char *proof_name(const X509 *certificate)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    char *found = NULL;
    for (int i = 0; i < sk_GENERAL_NAME_num(names) && found == NULL; i++)
        found = subject_in(sk_GENERAL_NAME_value(names, i));
    GENERAL_NAMES_free(names);
    return found;
}

static bool read_time(const ASN1_TIME *text, uint64_t *out_s)
{
    struct tm at = { 0 };
    if (ASN1_TIME_to_tm(text, &at) != 1)
        return false;
    time_t at_s = timegm(&at);
    *out_s = at_s > 0 ? (uint64_t)at_s : 0;
    return true;
}

bool proof_read(struct tls_proof *p, const X509 *certificate)
{
    struct dstr serial = DSTR_INIT;
    struct tls_proof next = { .name = proof_name(certificate) };
    bool is_whole = next.name != NULL && tls_add_serial(&serial, certificate) &&
                    read_time(X509_get0_notBefore(certificate), &next.from_s) &&
                    read_time(X509_get0_notAfter(certificate), &next.until_s);
    next.serial = dstr_take(&serial);
    next.is_user = is_whole && subject_side(next.name) == TLS_USER;
    if (is_whole)
        *p = next;
    else
        proof_free(&next);
    return is_whole;
}

void proof_free(struct tls_proof *p)
{
    free(p->name);
    free(p->serial);
    *p = (struct tls_proof){ .name = NULL };
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
