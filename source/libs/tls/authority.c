/* The authority of a cell: keys on the curve P-256, certificates of version 3. Invariants: a
 * certificate is for one side (extended key usage), so that no host can pose as the qmaster; its
 * name is in subjectAltName, where names may be long. */
#include "libs/tls/authority.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/tls/ledger.h"
#include "libs/tls/msg_tls.h"
#include "libs/tls/tls_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

enum { SERIAL_BITS = 120, PEM_BYTES = 64 * 1024, DAY_S = 86400 };

/* ---- files ---- */

/* the file as a BIO to be read; NULL with ans */
static BIO *read_pem(const char *dir, const char *name, struct answer *ans)
{
    char *path = path_join(dir, name);
    struct dstr text = DSTR_INIT;
    BIO *pem = NULL;
    if (file_read(path, PEM_BYTES, &text, ans) == 0) {
        pem = BIO_new(BIO_s_secmem());
        if (pem != NULL && BIO_write(pem, dstr_get(&text), (int)text.len) != (int)text.len) {
            BIO_free(pem);
            pem = NULL;
        }
        if (pem == NULL)
            tls_crypto_failed(path, ans);
    }
    if (text.s != NULL)
        OPENSSL_cleanse(text.s, text.cap);
    dstr_free(&text);
    free(path);
    return pem;
}

/* ---- certificates ---- */

static bool set_serial(X509 *x)
{
    BIGNUM *n = BN_new();
    bool is_set = n != NULL && BN_rand(n, SERIAL_BITS, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
                  BN_to_ASN1_INTEGER(n, X509_get_serialNumber(x)) != NULL;
    BN_free(n);
    return is_set;
}

static bool set_times(X509 *x, uint64_t from_s, uint64_t until_s)
{
    return ASN1_TIME_set(X509_getm_notBefore(x), (time_t)from_s) != NULL &&
           ASN1_TIME_set(X509_getm_notAfter(x), (time_t)until_s) != NULL;
}

static bool add_extension(X509 *x, X509 *by, int nid, const char *text)
{
    X509V3_CTX ctx;
    X509V3_set_ctx_nodb(&ctx);
    X509V3_set_ctx(&ctx, by, x, NULL, NULL, 0);
    X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, &ctx, nid, text);
    bool is_added = e != NULL && X509_add_ext(x, e, -1) == 1;
    X509_EXTENSION_free(e);
    return is_added;
}

/* an unsigned certificate of KEY for SUBJECT; NULL if memory does not suffice */
static X509 *new_certificate(EVP_PKEY *key, const char *subject, uint64_t from_s, uint64_t until_s)
{
    X509 *x = X509_new();
    if (x != NULL && X509_set_version(x, X509_VERSION_3) == 1 && set_serial(x) &&
        set_times(x, from_s, until_s) && X509_set_pubkey(x, key) == 1 &&
        X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
                                   (const unsigned char *)subject, -1, -1, 0) == 1)
        return x;
    X509_free(x);
    return NULL;
}

static X509 *authority_certificate(EVP_PKEY *key)
{
    uint64_t now_s = uti_now_s();
    X509 *x = new_certificate(key, "Grid Engine authority", now_s - CLOCK_SKEW_S,
                              now_s + (uint64_t)AUTHORITY_DAYS * DAY_S);
    if (x != NULL && X509_set_issuer_name(x, X509_get_subject_name(x)) == 1 &&
        add_extension(x, x, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
        add_extension(x, x, NID_key_usage, "critical,keyCertSign,cRLSign") &&
        add_extension(x, x, NID_subject_key_identifier, "hash") &&
        X509_sign(x, key, EVP_sha256()) > 0)
        return x;
    X509_free(x);
    return NULL;
}

/* what certificates for each side have of their own */
static const struct {
    const char *title, *usage, *kind_of_name;
} forms[] = {
    [TLS_QMASTER] = { "Grid Engine qmaster", "serverAuth", "DNS:" },
    [TLS_HOST] = { "Grid Engine host", "clientAuth", "DNS:" },
    [TLS_USER] = { "Grid Engine user", "clientAuth", "URI:" SUBJECT_USER_URI },
};

/* what C says of the owner of KEY, signed by BY with its key */
static X509 *signed_certificate(EVP_PKEY *key, const struct certificate *c, X509 *by,
                                EVP_PKEY *by_key)
{
    struct dstr name = DSTR_INIT;
    dstr_addf(&name, "%s%s", forms[c->side].kind_of_name, c->name);
    X509 *x = new_certificate(key, forms[c->side].title, c->from_s, c->until_s);
    bool is_good = x != NULL && X509_set_issuer_name(x, X509_get_subject_name(by)) == 1 &&
                   add_extension(x, by, NID_basic_constraints, "critical,CA:FALSE") &&
                   add_extension(x, by, NID_key_usage, "critical,digitalSignature") &&
                   add_extension(x, by, NID_ext_key_usage, forms[c->side].usage) &&
                   add_extension(x, by, NID_authority_key_identifier, "keyid:always") &&
                   add_extension(x, by, NID_subject_alt_name, dstr_get(&name)) &&
                   X509_sign(x, by_key, EVP_sha256()) > 0;
    dstr_free(&name);
    if (is_good)
        return x;
    X509_free(x);
    return NULL;
}

/* ---- the authority ---- */

static bool has_file(const char *dir, const char *name)
{
    char *path = path_join(dir, name);
    bool is_there = access(path, F_OK) == 0;
    free(path);
    return is_there;
}

int authority_make(const char *dir, struct answer *ans)
{
    if (has_file(dir, AUTHORITY_FILE_KEY))
        return ans_fail(ans, STATUS_EEXIST, MSG_TLS_AUTHORITY_S, dir);
    if (file_mkdirs(dir, 0700, ans) != 0)
        return -1;
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *x = key != NULL ? authority_certificate(key) : NULL;
    int rc = -1;
    if (x == NULL)
        tls_crypto_failed(TLS_FILE_AUTHORITY, ans);
    else if (papers_write_certificate(dir, TLS_FILE_AUTHORITY, x, ans) == 0)
        rc = papers_write_key(dir, AUTHORITY_FILE_KEY, key, ans);
    X509_free(x);
    EVP_PKEY_free(key);
    return rc;
}

struct authority {
    EVP_PKEY *key;
    X509 *certificate;
};

static void authority_clear(struct authority *a)
{
    EVP_PKEY_free(a->key);
    X509_free(a->certificate);
}

static int authority_read(struct authority *a, const char *dir, struct answer *ans)
{
    BIO *key = read_pem(dir, AUTHORITY_FILE_KEY, ans);
    BIO *certificate = key != NULL ? read_pem(dir, TLS_FILE_AUTHORITY, ans) : NULL;
    *a = (struct authority){ NULL, NULL };
    if (certificate != NULL) {
        a->key = PEM_read_bio_PrivateKey(key, NULL, NULL, NULL);
        a->certificate = PEM_read_bio_X509(certificate, NULL, NULL, NULL);
        if (a->key == NULL || a->certificate == NULL)
            tls_crypto_failed(dir, ans);
    }
    BIO_free(key);
    BIO_free(certificate);
    return a->key != NULL && a->certificate != NULL ? 0 : -1;
}

/* the ledger in DIR gets X, which says C */
static int note_issued(const char *dir, const X509 *x, const struct certificate *c,
                       struct answer *ans)
{
    struct dstr serial = DSTR_INIT;
    int rc = tls_add_serial(&serial, x) ? ledger_add_issued(dir, dstr_get(&serial), c, ans)
                                        : tls_crypto_failed(LEDGER_FILE, ans);
    dstr_free(&serial);
    return rc;
}

int authority_issue(const char *dir, const struct certificate *c, const char *to_dir,
                    struct answer *ans)
{
    struct authority a;
    /* the text becomes part of an extension, where "," begins another name */
    if (!subject_is_valid(c->side, c->name))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_TLS_NAME_S, c->name);
    int rc = authority_read(&a, dir, ans);
    EVP_PKEY *key = rc == 0 ? EVP_EC_gen("P-256") : NULL;
    X509 *x = key != NULL ? signed_certificate(key, c, a.certificate, a.key) : NULL;
    if (rc == 0 && x == NULL)
        rc = tls_crypto_failed(TLS_FILE_CERTIFICATE, ans);
    if (rc == 0)
        rc = note_issued(dir, x, c, ans);
    if (rc == 0)
        rc = papers_write(to_dir, &(struct papers){ a.certificate, x, key }, ans);
    X509_free(x);
    EVP_PKEY_free(key);
    authority_clear(&a);
    return rc;
}

/* ---- keys that others have made ---- */

/* the key of REQUEST, which has signed it; new, NULL if it is none of ours. The kind is looked at
 * first: a key of another kind may be as costly as whoever sent it likes. */
static EVP_PKEY *key_in(const char *request)
{
    BIO *pem = BIO_new_mem_buf(request, -1);
    X509_REQ *r = pem != NULL ? PEM_read_bio_X509_REQ(pem, NULL, NULL, NULL) : NULL;
    EVP_PKEY *key = r != NULL ? X509_REQ_get_pubkey(r) : NULL;
    char group[32];
    BIO_free(pem);
    if (key == NULL || !EVP_PKEY_is_a(key, "EC") ||
        EVP_PKEY_get_group_name(key, group, sizeof group, NULL) != 1 ||
        strcmp(group, SN_X9_62_prime256v1) != 0 || X509_REQ_verify(r, key) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    X509_REQ_free(r);
    ERR_clear_error();
    return key;
}

static bool add_pem(struct dstr *out, X509 *x)
{
    BIO *pem = BIO_new(BIO_s_mem());
    char *data;
    bool is_written = pem != NULL && PEM_write_bio_X509(pem, x) == 1;
    if (is_written) {
        size_t len = (size_t)BIO_get_mem_data(pem, &data);
        dstr_addn(out, data, len);
    }
    BIO_free(pem);
    return is_written;
}

int authority_sign(const char *dir, const struct certificate *c, const char *request,
                   struct dstr *out, struct answer *ans)
{
    struct authority a;
    EVP_PKEY *key = key_in(request);
    if (!subject_is_valid(c->side, c->name) || key == NULL) {
        EVP_PKEY_free(key);
        return ans_fail(ans, STATUS_DENIED, MSG_JOIN_KEY);
    }
    int rc = authority_read(&a, dir, ans);
    X509 *x = rc == 0 ? signed_certificate(key, c, a.certificate, a.key) : NULL;
    if (rc == 0 && x == NULL)
        rc = tls_crypto_failed(TLS_FILE_CERTIFICATE, ans);
    if (rc == 0)
        rc = note_issued(dir, x, c, ans);
    if (rc == 0 && !add_pem(out, x))
        rc = tls_crypto_failed(TLS_FILE_CERTIFICATE, ans);
    X509_free(x);
    EVP_PKEY_free(key);
    authority_clear(&a);
    return rc;
}

int authority_fingerprint(const char *dir, struct dstr *out, struct answer *ans)
{
    BIO *pem = read_pem(dir, TLS_FILE_AUTHORITY, ans);
    X509 *x = pem != NULL ? PEM_read_bio_X509(pem, NULL, NULL, NULL) : NULL;
    int rc = -1;
    if (x != NULL && tls_add_fingerprint(out, x))
        rc = 0;
    else if (pem != NULL)
        tls_crypto_failed(dir, ans);
    X509_free(x);
    BIO_free(pem);
    return rc;
}
