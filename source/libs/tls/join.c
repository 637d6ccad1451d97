/* A host or a user joins, who knows a token and the fingerprint of the authority, and nothing else;
 * or renews a certificate: then there are papers, which prove who it is.
 * Invariants: its key leaves this process as a file of mode 0600 only; the token goes only to a
 * qmaster whose certificate the authority with that fingerprint has signed. */
#include "libs/tls/join.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/tls/joining.h"
#include "libs/tls/msg_tls.h"
#include "libs/tls/tls_priv.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

struct meeting { /* with the qmaster */
    const struct join *join;
    const char *papers; /* a directory: those that are to be renewed; NULL: we have none */
    X509 *authority;    /* owned; NULL until the qmaster has shown it */
    SSL_CTX *ctx;
    BIO *bio;
};

/* is X the authority that the administrator has named? */
static bool is_named(const struct meeting *m, const X509 *x)
{
    struct dstr print = DSTR_INIT;
    bool is_same =
        tls_add_fingerprint(&print, x) && strcasecmp(dstr_get(&print), m->join->fingerprint) == 0;
    dstr_free(&print);
    return is_same;
}

/* what the other end shows has to include the authority, which alone is trusted */
static int verify_chain(X509_STORE_CTX *store, void *ctx)
{
    struct meeting *m = ctx;
    STACK_OF(X509) *shown = X509_STORE_CTX_get0_untrusted(store), *trusted = sk_X509_new_null();
    for (int i = 0; i < sk_X509_num(shown) && m->authority == NULL; i++) {
        X509 *x = sk_X509_value(shown, i);
        if (is_named(m, x) && X509_up_ref(x) == 1)
            m->authority = x;
    }
    int is_good = 0;
    if (m->authority == NULL) {
        X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_UNTRUSTED);
    } else if (trusted != NULL && sk_X509_push(trusted, m->authority) > 0) {
        X509_STORE_CTX_set0_trusted_stack(store, trusted);
        is_good = X509_verify_cert(store) == 1;
    }
    X509_STORE_CTX_set0_trusted_stack(store, NULL);
    sk_X509_free(trusted);
    return is_good;
}

/* why there is no connection: that of the pin comes first, because the user must see it */
static int refuse_meeting(const struct meeting *m, struct answer *ans)
{
    int reason = ERR_GET_REASON(ERR_peek_last_error());
    char *why = tls_take_error();
    if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED && m->papers == NULL && m->authority == NULL)
        ans_fail(ans, STATUS_DENIED, MSG_JOIN_PIN);
    else
        ans_fail(ans, STATUS_ENOCONN, MSG_JOIN_CONNECT_SS, m->join->qmaster, why);
    free(why);
    return -1;
}

static int meet_qmaster(struct meeting *m, struct answer *ans)
{
    static const unsigned char protocols[] = "\x08" JOINING_ALPN;
    SSL *ssl = NULL;
    m->ctx = SSL_CTX_new(TLS_client_method());
    if (m->ctx == NULL || !tls_set_algorithms(m->ctx) ||
        SSL_CTX_set_alpn_protos(m->ctx, protocols, sizeof protocols - 1) != 0)
        return tls_crypto_failed("TLS", ans);
    SSL_CTX_set_verify(m->ctx, SSL_VERIFY_PEER, NULL);
    if (m->papers == NULL)
        SSL_CTX_set_cert_verify_callback(m->ctx, verify_chain, m);
    else if (tls_load_papers(m->ctx, m->papers, ans) != 0)
        return -1;
    m->bio = BIO_new_ssl_connect(m->ctx);
    if (m->bio == NULL || BIO_set_conn_hostname(m->bio, m->join->qmaster) != 1 ||
        BIO_get_ssl(m->bio, &ssl) != 1)
        return tls_crypto_failed("TLS", ans);
    SSL_set_mode(ssl, SSL_MODE_AUTO_RETRY);
    return BIO_do_handshake(m->bio) == 1 ? 0 : refuse_meeting(m, ans);
}

/* ask for a certificate for the key that REQUEST is about; REPLY gets what comes back */
static int ask_qmaster(struct meeting *m, const char *request, struct dstr *reply,
                       struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    struct joining j = { m->join->whom, m->join->token, request };
    char part[512];
    int n = 1;
    joining_ask(&text, &j);
    bool is_sent = BIO_write(m->bio, text.s, (int)text.len) == (int)text.len;
    OPENSSL_cleanse(text.s, text.len);
    dstr_free(&text);
    while (is_sent && n > 0 && reply->len < JOINING_REPLY_BYTES) {
        n = BIO_read(m->bio, part, sizeof part);
        if (n > 0)
            dstr_addn(reply, part, (size_t)n);
        if (n > 0 && memchr(part, '\0', (size_t)n) != NULL)
            return 0;
    }
    int reason = ERR_GET_REASON(ERR_peek_error());
    ERR_clear_error();
    if (reason > SSL_AD_REASON_OFFSET)
        return ans_fail(ans, STATUS_DENIED, MSG_TLS_REFUSED_S,
                        SSL_alert_desc_string_long(reason - SSL_AD_REASON_OFFSET));
    return ans_fail(ans, STATUS_ENOCONN, MSG_JOIN_ANSWER_S, m->join->qmaster);
}

/* a request for a certificate for KEY, which signs it */
static bool add_request(struct dstr *out, EVP_PKEY *key)
{
    X509_REQ *r = X509_REQ_new();
    BIO *pem = BIO_new(BIO_s_mem());
    bool is_made = r != NULL && pem != NULL && X509_REQ_set_pubkey(r, key) == 1 &&
                   X509_REQ_sign(r, key, EVP_sha256()) > 0 && PEM_write_bio_X509_REQ(pem, r) == 1;
    if (is_made) {
        char *data;
        size_t len = (size_t)BIO_get_mem_data(pem, &data);
        dstr_addn(out, data, len);
    }
    BIO_free(pem);
    X509_REQ_free(r);
    return is_made;
}

/* what has come: the lines about the cell, the authority, the certificate, and our key */
static int keep_papers(const struct meeting *m, char *text, EVP_PKEY *key, const char *dir,
                       struct answer *ans)
{
    struct joined r;
    if (!joining_parse_reply(text, &r))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_JOIN_ANSWER_S, m->join->qmaster);
    if (r.denied != NULL)
        return ans_fail(ans, STATUS_DENIED, MSG_JOIN_REFUSED_S, r.denied);
    BIO *pem = BIO_new_mem_buf(r.certificate, -1);
    X509 *x = pem != NULL ? PEM_read_bio_X509(pem, NULL, NULL, NULL) : NULL;
    struct papers papers = { m->authority, x, key };
    char *about = path_join(dir, JOIN_FILE_ABOUT);
    int rc = x != NULL && X509_check_private_key(x, key) == 1
                 ? papers_write(dir, &papers, ans)
                 : tls_crypto_failed(TLS_FILE_CERTIFICATE, ans);
    if (rc == 0 && m->papers == NULL)
        rc = file_write(about, r.about, strlen(r.about), 0600, ans);
    free(about);
    X509_free(x);
    BIO_free(pem);
    return rc;
}

/* have the qmaster give a certificate for a new key; DIR gets both */
static int meet_for_papers(struct meeting *m, const char *dir, struct answer *ans)
{
    struct dstr request = DSTR_INIT, reply = DSTR_INIT;
    EVP_PKEY *key = EVP_EC_gen("P-256");
    int rc = key != NULL && add_request(&request, key) ? 0 : tls_crypto_failed(TLS_FILE_KEY, ans);
    if (rc == 0)
        rc = meet_qmaster(m, ans);
    if (rc == 0)
        rc = ask_qmaster(m, dstr_get(&request), &reply, ans);
    if (rc == 0)
        rc = keep_papers(m, reply.s, key, dir, ans);
    BIO_free_all(m->bio);
    SSL_CTX_free(m->ctx);
    X509_free(m->authority);
    EVP_PKEY_free(key);
    dstr_free(&request);
    dstr_free(&reply);
    return rc;
}

int join_cell(const struct join *j, const char *dir, struct answer *ans)
{
    struct meeting m = { .join = j };
    return meet_for_papers(&m, dir, ans);
}

int join_renew(const char *qmaster, const char *dir, struct answer *ans)
{
    struct join j = { .qmaster = qmaster };
    struct meeting m = { .join = &j, .papers = dir };
    return meet_for_papers(&m, dir, ans);
}
