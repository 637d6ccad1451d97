/* One connection over TLS. Invariants: nothing is read or written before the greeting is done and
 * the other end has a name; what was refused says why in `why`, once, and the connection is of no
 * use from then on. A write that was not finished is tried again with the same bytes in front,
 * which is how frames wait (comm/outq.h). */
#include <errno.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/tls/ledger.h"
#include "libs/tls/msg_tls.h"
#include "libs/tls/tls_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

enum {
    LOOK_US = 250000, /* at most so often, for streams that are open */
    /* of a greeting: certificates, and what TLS needs beside them */
    GREETING_BYTES = 32 * 1024,
    UPDATES_MOST = 4, /* none of our programs sends any */
    /* of one call: small ones cost as much time as large ones */
    RECORDS_MOST = 64
};

struct tls {
    struct tls_context *context; /* borrowed */
    SSL *ssl;
    int fd;
    int err;                  /* of the last system call that failed */
    struct tls_proof peer;    /* empty until the greeting is done */
    struct subject_user user; /* of that, if it is one */
    size_t n_revoked;         /* when we last looked whether its certificate is */
    char *why;                /* owned; NULL: nothing has failed */
    size_t n_received;        /* bytes, until the greeting is done */
    uint32_t n_updates;       /* KeyUpdates, in all */
    struct joiner *joiner;    /* owned; NULL: it has a certificate, or should have one */
    bool is_greeted;          /* both ends know each other */
    bool is_lost;             /* nothing can be said to the other end any more */
    bool is_dry;              /* the descriptor had no more bytes */
    bool is_cut;              /* the descriptor has no more bytes */
    bool is_ended;            /* nor will it say more: it has closed */
};

struct joiner **tls_joiner(const SSL *ssl)
{
    return &((struct tls *)SSL_get_app_data(ssl))->joiner;
}

struct tls_context *tls_context_of(const SSL *ssl)
{
    return ((const struct tls *)SSL_get_app_data(ssl))->context;
}

/* the first reason stays: what fails after it fails because of it */
static void note_why(struct tls *t, const char *format, ...) SGE_PRINTF(2, 3);
static void note_why(struct tls *t, const char *format, ...)
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
        note_why(t, MSG_TLS_LONG_D, (int)GREETING_BYTES);
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

/* ---- who is at the other end ---- */

/* has the authority taken back what STORE looks at? Then STORE says so */
static bool is_revoked(struct tls *t, X509_STORE_CTX *store)
{
    struct dstr serial = DSTR_INIT;
    bool is_revoked = !tls_add_serial(&serial, X509_STORE_CTX_get_current_cert(store)) ||
                      tls_refuses(t->context, dstr_get(&serial)) != NULL;
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
    tls_look_at_ledger(t->context);
    bool is_accepted = is_good && !is_revoked(t, store);
    pthread_mutex_unlock(&t->context->ledger_lock);
    if (is_accepted)
        return 1;
    const X509 *certificate = X509_STORE_CTX_get0_cert(store);
    char *name = certificate != NULL ? proof_name(certificate) : NULL;
    note_why(t, MSG_TLS_BAD_PEER_SS, name != NULL ? name : MSG_TLS_SOMEBODY,
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
        note_why(t, MSG_TLS_NO_PAPERS);
    else if (reason > SSL_AD_REASON_OFFSET)
        note_why(t, MSG_TLS_REFUSED_S, SSL_alert_desc_string_long(reason - SSL_AD_REASON_OFFSET));
    else if (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_UNSUPPORTED_PROTOCOL ||
             reason == SSL_R_HTTP_REQUEST)
        note_why(t, MSG_TLS_NO_TLS);
    char *text = tls_take_error();
    note_why(t, MSG_TLS_FAILED_S, text);
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

/* the connection is of no use any more */
static bool has_updated_too_often(struct tls *t)
{
    if (t->n_updates <= UPDATES_MOST)
        return false;
    note_why(t, MSG_TLS_UPDATES_D, (int)UPDATES_MOST);
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

/* what a call that returned RC means: 0 the other end has closed, else -1 with errno, and *WANTS
 * for EAGAIN */
static int fail_as(struct tls *t, int rc, enum stream_want *wants)
{
    int error = SSL_get_error(t->ssl, rc);
    if (has_updated_too_often(t)) {
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

static int refuse_lost(const struct tls *t)
{
    errno = t->why != NULL ? EPROTO : ECONNRESET;
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
             !has_updated_too_often(t));
    return rc;
}

/* ---- the form ---- */

static int take_name(struct tls *t)
{
    X509 *certificate = SSL_get1_peer_certificate(t->ssl);
    bool is_known = certificate != NULL && proof_read(&t->peer, certificate);
    X509_free(certificate);
    if (is_known && t->peer.is_user)
        is_known = subject_parse_user(t->peer.name, &t->user);
    if (is_known)
        return 1;
    note_why(t, MSG_TLS_NO_NAME);
    t->is_lost = true;
    return refuse_lost(t);
}

/* serve one who wants to join; the greeting never succeeds */
static int serve_joiner(struct stream *s)
{
    struct tls *t = s->inside;
    struct dstr why = DSTR_INIT;
    int rc = 1;
    ERR_clear_error();
    bool is_over = joiner_step(t->joiner, t->ssl, t->context->authority_dir, &rc, &why) == 1;
    if (!is_over && fail_as(t, rc, &s->read_wants) < 0 && errno == EAGAIN) {
        dstr_free(&why);
        return 0;
    }
    if (is_over)
        note_why(t, "%s", dstr_get(&why));
    dstr_free(&why);
    if (!t->is_lost)
        (void)SSL_shutdown(t->ssl);
    t->is_lost = true;
    return refuse_lost(t);
}

/* a call of the greeting that returned RC goes on later, or never */
static int greet_later(struct stream *s, int rc)
{
    struct tls *t = s->inside;
    if (fail_as(t, rc, &s->read_wants) < 0)
        return errno == EAGAIN ? 0 : -1;
    return refuse_lost(t);
}

/* In TLS 1.3 a client is done before it hears whether it is let in. A user hears so by one byte,
 * and need not find out by a connection that ends. */
static int greet_user(struct stream *s)
{
    struct tls *t = s->inside;
    uint8_t welcome = '+';
    size_t n;
    int rc = 1;
    ERR_clear_error();
    if (t->peer.is_user)
        rc = SSL_write_ex(t->ssl, &welcome, sizeof welcome, &n);
    else if (t->context->side == TLS_USER)
        rc = tls_read_some(t->ssl, &welcome, sizeof welcome, &n);
    if (rc != 1)
        return greet_later(s, rc);
    s->read_wants = STREAM_READABLE;
    s->has_more = SSL_has_pending(t->ssl) == 1;
    t->is_greeted = true;
    return 1;
}

static int tls_greet(struct stream *s)
{
    struct tls *t = s->inside;
    if (t->is_greeted)
        return 1;
    if (t->is_lost)
        return refuse_lost(t);
    ERR_clear_error();
    int rc = SSL_do_handshake(t->ssl);
    if (rc == 1 && t->joiner != NULL)
        return serve_joiner(s);
    if (rc != 1)
        return greet_later(s, rc);
    if (t->peer.name == NULL && take_name(t) != 1)
        return -1;
    return greet_user(s);
}

/* one read into V; 1 with the bytes GOT, or what fail_as says */
static int read_once(struct stream *s, const struct iovec *v, size_t *got)
{
    struct tls *t = s->inside;
    int rc = tls_read_some(t->ssl, v->iov_base, v->iov_len, got);
    if (rc == 1 && !has_updated_too_often(t)) {
        s->read_wants = STREAM_READABLE;
        return 1;
    }
    return fail_as(t, rc, &s->read_wants);
}

/* fill one place, or as much of it as there is, from N_LEFT records at most, and count ALL; IS_FULL
 * when it is, else what the read has come to */
enum { IS_FULL = -2 };
static ssize_t fill_place(struct stream *s, const struct iovec *v, ssize_t *all, int *n_left)
{
    const struct tls *t = s->inside;
    struct iovec rest = *v;
    while (rest.iov_len > 0) {
        if ((*n_left)-- == 0)
            return *all;
        size_t got;
        int rc = read_once(s, &rest, &got);
        if (rc != 1) {
            s->has_more = *all > 0 && t->is_lost; /* the next read tells of the end */
            return *all > 0 ? *all : rc;
        }
        *all += (ssize_t)got;
        rest = (struct iovec){ (char *)rest.iov_base + got, rest.iov_len - got };
        s->has_more = SSL_has_pending(t->ssl) == 1;
        if (!s->has_more && rest.iov_len > 0)
            return *all;
    }
    return IS_FULL;
}

static ssize_t tls_read(struct stream *s, const struct iovec *v, int n)
{
    const struct tls *t = s->inside;
    ssize_t all = 0, rc = IS_FULL;
    int n_left = RECORDS_MOST;
    s->has_more = false;
    if (t->is_ended)
        return 0;
    if (!t->is_greeted || t->is_lost)
        return refuse_lost(t);
    for (int i = 0; i < n && rc == IS_FULL; i++)
        rc = fill_place(s, &v[i], &all, &n_left);
    return rc == IS_FULL ? all : rc;
}

/* as much as a record takes of N places from AT bytes on; returns where it lies */
static const void *gather_record(struct tls_context *c, const struct iovec *v, int n, size_t at,
                                 size_t *len)
{
    *len = 0;
    for (int i = 0; i < n && *len < TLS_RECORD_BYTES; i++) {
        if (at >= v[i].iov_len) {
            at -= v[i].iov_len;
            continue;
        }
        const char *from = (const char *)v[i].iov_base + at;
        size_t room = TLS_RECORD_BYTES - *len, part = v[i].iov_len - at;
        at = 0;
        if (part >= TLS_RECORD_BYTES && *len == 0) {
            *len = TLS_RECORD_BYTES;
            return from;
        }
        part = part < room ? part : room;
        memcpy(c->gathered + *len, from, part);
        *len += part;
    }
    return c->gathered;
}

static ssize_t tls_write(struct stream *s, const struct iovec *v, int n)
{
    struct tls *t = s->inside;
    size_t all = 0, len, sent;
    if (!t->is_greeted || t->is_lost)
        return refuse_lost(t);
    for (;;) {
        const void *record = gather_record(t->context, v, n, all, &len);
        if (len == 0)
            return (ssize_t)all;
        ERR_clear_error();
        int rc = SSL_write_ex(t->ssl, record, len, &sent);
        if (rc == 1) {
            all += sent;
            s->write_wants = STREAM_WRITABLE;
        } else if (fail_as(t, rc, &s->write_wants) < 0) {
            return all > 0 ? (ssize_t)all : -1;
        } else {
            errno = EPIPE;
            return -1;
        }
    }
}

static void tls_free(struct tls *t)
{
    SSL_free(t->ssl);
    joiner_free(t->joiner);
    proof_free(&t->peer);
    free(t->why);
    free(t);
}

static void tls_close(struct stream *s)
{
    struct tls *t = s->inside;
    if (t->is_greeted && !t->is_lost) {
        ERR_clear_error();
        (void)SSL_shutdown(t->ssl); /* a word of farewell, if there is room for it */
    }
    ERR_clear_error();
    tls_free(t);
    close(s->fd);
}

static struct stream_peer tls_peer(const struct stream *s)
{
    const struct tls *t = s->inside;
    if (!t->peer.is_user)
        return (struct stream_peer){ .host = t->peer.name };
    return (struct stream_peer){ .user = t->user.name, .uid = t->user.uid, .gid = t->user.gid };
}

static const char *tls_why(const struct stream *s)
{
    return ((const struct tls *)s->inside)->why;
}

/* Many streams ask at a time: one of them looks at the ledger for all. While another thread does,
 * which reads a file, nobody waits for it: the next time is soon. */
static const char *find_revocation(struct tls *t)
{
    struct tls_context *c = t->context;
    const char *why = NULL;
    if (c->revocations == NULL || pthread_mutex_trylock(&c->ledger_lock) != 0)
        return NULL;
    if (uti_mono_us() - c->looked_us > LOOK_US)
        tls_look_at_ledger(c);
    size_t n = revocations_count(c->revocations);
    if (n != t->n_revoked)
        why = tls_refuses(c, t->peer.serial);
    t->n_revoked = n;
    pthread_mutex_unlock(&c->ledger_lock);
    return why;
}

static const char *why_it_ends(struct tls *t)
{
    return uti_now_s() > t->peer.until_s ? MSG_TLS_EXPIRED : find_revocation(t);
}

static bool tls_holds(struct stream *s)
{
    struct tls *t = s->inside;
    const char *why = t->is_greeted && t->why == NULL ? why_it_ends(t) : NULL;
    if (why != NULL)
        note_why(t, MSG_TLS_BAD_PEER_SS, t->peer.name, why);
    return t->why == NULL;
}

static const struct stream_form tls_form = {
    .read = tls_read,
    .write = tls_write,
    .close = tls_close,
    .greet = tls_greet,
    .peer = tls_peer,
    .why = tls_why,
    .holds = tls_holds,
};

/* SSL over a BIO over the descriptor of T; false without memory */
static bool open_ssl(struct tls *t)
{
    BIO *b = BIO_new(t->context->method);
    pthread_mutex_lock(&t->context->papers_lock);
    tls_look_at_papers(t->context);
    t->ssl = SSL_new(t->context->ctx);
    pthread_mutex_unlock(&t->context->papers_lock);
    if (b == NULL || t->ssl == NULL || SSL_set_app_data(t->ssl, t) != 1) {
        BIO_free(b);
        return false;
    }
    BIO_set_data(b, t);
    BIO_set_init(b, 1);
    SSL_set_bio(t->ssl, b, b);
    if (t->context->side == TLS_QMASTER)
        SSL_set_accept_state(t->ssl);
    else
        SSL_set_connect_state(t->ssl);
    return true;
}

struct stream tls_stream(struct tls_context *c, int fd)
{
    struct tls *t = uti_calloc(1, sizeof *t);
    t->context = c;
    t->fd = fd;
    if (!open_ssl(t)) {
        tls_free(t);
        close(fd);
        errno = ENOMEM;
        return (struct stream)STREAM_CLOSED;
    }
    return (struct stream){
        .form = &tls_form,
        .fd = fd,
        .read_wants = STREAM_READABLE,
        .write_wants = STREAM_WRITABLE,
        .inside = t,
    };
}
