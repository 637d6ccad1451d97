/* What OpenSSL calls for a connection, and what its calls have come to. Invariants: what was
 * refused says why in `why`, once: what fails after it fails because of it; the messages that the
 * other end may send at will are counted. */
#include <errno.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "libs/tls/ledger.h"
#include "libs/tls/msg_tls.h"
#include "libs/tls/tls_priv.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum {
    LOOK_US = 250000, /* at most so often, for streams that are open */
    /* of a greeting: certificates, and what TLS needs beside them */
    GREETING_BYTES = 32 * 1024,
    UPDATES_MOST = 4 /* none of our programs sends any */
};

struct tls *tls_of(const SSL *ssl)
{
    return SSL_get_app_data(ssl);
}

void tls_note_why(struct tls *t, const char *format, ...)
{
    struct dstr text = DSTR_INIT;
    va_list args;
    if (t->why != NULL)
        return;
    va_start(args, format);
    dstr_addv(&text, format, args);
    va_end(args);
    t->why = dstr_take(&text);
}

/* ---- bytes to and from the descriptor ---- */

static int note_result(BIO *b, ssize_t n, int retry_flag)
{
    struct tls *t = BIO_get_data(b);
    BIO_clear_retry_flags(b);
    if (n >= 0)
        return (int)n;
    t->err = errno;
    if (errno == EAGAIN || errno == EINTR)
        BIO_set_flags(b, retry_flag | BIO_FLAGS_SHOULD_RETRY);
    return -1;
}

static int bio_write(BIO *b, const char *data, int len)
{
    struct tls *t = BIO_get_data(b);
    return note_result(b, send(t->fd, data, (size_t)len, MSG_NOSIGNAL), BIO_FLAGS_WRITE);
}

static int bio_read(BIO *b, char *data, int len)
{
    struct tls *t = BIO_get_data(b);
    ssize_t n = recv(t->fd, data, (size_t)len, 0);
    t->is_cut = n == 0;
    t->is_dry = n < 0;
    if (n > 0 && !t->is_greeted && (t->n_received += (size_t)n) > GREETING_BYTES) {
        tls_note_why(t, MSG_TLS_LONG_D, (int)GREETING_BYTES);
        errno = EPROTO;
        n = -1;
    }
    return note_result(b, n, BIO_FLAGS_READ);
}

static long bio_control(BIO *b, int what, long n, void *p)
{
    const struct tls *t = BIO_get_data(b);
    (void)n;
    (void)p;
    return what == BIO_CTRL_FLUSH || /* nothing waits here */
           (what == BIO_CTRL_EOF && t->is_cut);
}

BIO_METHOD *tls_bio_method(void)
{
    BIO_METHOD *m = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "descriptor");
    if (m == NULL)
        return NULL;
    BIO_meth_set_write(m, bio_write);
    BIO_meth_set_read(m, bio_read);
    BIO_meth_set_ctrl(m, bio_control);
    return m;
}

/* ---- what the authority has revoked ---- */

/* as it is now; what goes wrong is in the log, once. Under ledger_lock */
static void look_at_ledger(struct tls_context *c)
{
    struct answer ans = ANSWER_INIT;
    c->looked_us = uti_mono_us();
    if (c->revocations == NULL)
        return;
    bool is_lost = revocations_refresh(c->revocations, &ans) != 0;
    if (is_lost && !c->is_ledger_lost)
        log_answer(&ans);
    c->is_ledger_lost = is_lost;
    ans_free(&ans);
}

/* why the certificate SERIAL is not accepted, borrowed; NULL: it is. Under ledger_lock */
static const char *why_refused(const struct tls_context *c, const char *serial)
{
    return c->revocations != NULL && revocations_has(c->revocations, serial) ? MSG_TLS_REVOKED
                                                                             : NULL;
}

/* Many streams ask at a time: one of them looks at the ledger for all. While another thread does,
 * which reads a file, the others do not wait: the next time is soon. */
const char *tls_find_revocation(struct tls *t)
{
    struct tls_context *c = t->context;
    const char *why = NULL;
    if (c->revocations == NULL || pthread_mutex_trylock(&c->ledger_lock) != 0)
        return NULL;
    if (uti_mono_us() - c->looked_us > LOOK_US)
        look_at_ledger(c);
    size_t n = revocations_count(c->revocations);
    if (n != t->n_revoked)
        why = why_refused(c, t->peer.serial);
    t->n_revoked = n;
    pthread_mutex_unlock(&c->ledger_lock);
    return why;
}

/* ---- who is at the other end ---- */

/* has the authority taken back what STORE looks at? Then STORE says so */
static bool is_revoked(struct tls *t, X509_STORE_CTX *store)
{
    struct dstr serial = DSTR_INIT;
    bool is_revoked = !tls_add_serial(&serial, X509_STORE_CTX_get_current_cert(store)) ||
                      why_refused(t->context, dstr_get(&serial)) != NULL;
    if (is_revoked)
        X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REVOKED);
    dstr_free(&serial);
    return is_revoked;
}

int tls_verify(int is_good, X509_STORE_CTX *store)
{
    const SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct tls *t = SSL_get_app_data(ssl);
    pthread_mutex_lock(&t->context->ledger_lock);
    look_at_ledger(t->context);
    bool is_accepted = is_good && !is_revoked(t, store);
    pthread_mutex_unlock(&t->context->ledger_lock);
    if (is_accepted)
        return 1;
    const X509 *certificate = X509_STORE_CTX_get0_cert(store);
    char *name = certificate != NULL ? proof_name(certificate) : NULL;
    tls_note_why(t, MSG_TLS_BAD_PEER_SS, name != NULL ? name : MSG_TLS_SOMEBODY,
                 X509_verify_cert_error_string(X509_STORE_CTX_get_error(store)));
    free(name);
    return 0;
}

/* ---- what OpenSSL says of a call ---- */

/* words for a failure of the protocol; the numbers of alerts, which the other end has sent, come
 * after those of reasons */
static void note_failure(struct tls *t)
{
    int reason = ERR_GET_REASON(ERR_peek_error());
    if (reason == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE)
        tls_note_why(t, MSG_TLS_NO_PAPERS);
    else if (reason > SSL_AD_REASON_OFFSET)
        tls_note_why(t, MSG_TLS_REFUSED_S,
                     SSL_alert_desc_string_long(reason - SSL_AD_REASON_OFFSET));
    else if (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_UNSUPPORTED_PROTOCOL ||
             reason == SSL_R_HTTP_REQUEST)
        tls_note_why(t, MSG_TLS_NO_TLS);
    char *text = tls_take_error();
    tls_note_why(t, MSG_TLS_FAILED_S, text);
    free(text);
}

static bool is_cut_off(int error)
{
    return error == SSL_ERROR_SSL &&
           ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

void tls_count_message(int is_ours, int version, int kind, const void *message, size_t len,
                       SSL *ssl, void *ctx)
{
    struct tls *t = SSL_get_app_data(ssl);
    (void)version;
    (void)ctx;
    if (!is_ours && kind == SSL3_RT_HANDSHAKE && len > 0 &&
        *(const uint8_t *)message == SSL3_MT_KEY_UPDATE)
        t->n_updates++;
}

bool tls_has_updated_too_often(struct tls *t)
{
    if (t->n_updates <= UPDATES_MOST)
        return false;
    tls_note_why(t, MSG_TLS_UPDATES_D, (int)UPDATES_MOST);
    return true;
}

/* A write failed because the other end has closed: it may have said why, which has come before. */
static void read_alert(struct tls *t)
{
    uint8_t byte;
    size_t n;
    ERR_clear_error();
    int rc = SSL_read_ex(t->ssl, &byte, sizeof byte, &n);
    if (rc != 1 && SSL_get_error(t->ssl, rc) == SSL_ERROR_SSL)
        note_failure(t);
    ERR_clear_error();
}

int tls_fail_as(struct tls *t, int rc, enum stream_want *wants)
{
    int error = SSL_get_error(t->ssl, rc);
    if (tls_has_updated_too_often(t)) {
        t->is_lost = true;
        ERR_clear_error();
        errno = EPROTO;
        return -1;
    }
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
        *wants = error == SSL_ERROR_WANT_READ ? STREAM_READABLE : STREAM_WRITABLE;
        errno = EAGAIN;
        return -1;
    }
    if (error == SSL_ERROR_ZERO_RETURN || is_cut_off(error)) {
        t->is_lost = t->is_ended = true;
        ERR_clear_error();
        return 0;
    }
    t->is_lost = true;
    if (error == SSL_ERROR_SYSCALL) {
        int err = t->err != 0 ? t->err : ECONNRESET;
        if (err == EPIPE || err == ECONNRESET)
            read_alert(t);
        errno = t->why != NULL ? EPROTO : err;
        return -1;
    }
    note_failure(t);
    errno = EPROTO;
    return -1;
}

int tls_read_some(SSL *ssl, void *to, size_t room, size_t *got)
{
    struct tls *t = SSL_get_app_data(ssl);
    int rc;
    do {
        t->is_dry = false;
        ERR_clear_error();
        rc = SSL_read_ex(ssl, to, room, got);
    } while (rc != 1 && !t->is_dry && SSL_get_error(ssl, rc) == SSL_ERROR_WANT_READ &&
             !tls_has_updated_too_often(t));
    return rc;
}
