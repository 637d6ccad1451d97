/* Connections over TLS as streams. Invariants: nothing is read or written before the greeting is
 * done and the other end has a name; after a refusal, or another failure, nothing more is. A write
 * that was not finished is tried again with the same bytes in front, which is how frames wait
 * (comm/outq.h). */
#include <errno.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/tls/msg_tls.h"
#include "libs/tls/tls_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

/* of one call: small ones cost as much time as large ones */
enum { RECORDS_MOST = 64 };

static int refuse_lost(const struct tls *t)
{
    errno = t->why != NULL ? EPROTO : ECONNRESET;
    return -1;
}

/* ---- the form ---- */

static int refuse_other(struct tls *t, const char *why)
{
    tls_note_why(t, "%s", why);
    t->is_lost = true;
    return refuse_lost(t);
}

static int take_name(struct tls *t)
{
    X509 *certificate = SSL_get1_peer_certificate(t->ssl);
    bool is_known = certificate != NULL && proof_read(&t->peer, certificate);
    X509_free(certificate);
    if (is_known && t->peer.is_user)
        is_known = subject_parse_user(t->peer.name, &t->user);
    return is_known ? 1 : refuse_other(t, MSG_TLS_NO_NAME);
}

/* serve one who wants to join; the greeting never succeeds */
static int serve_joiner(struct stream *s)
{
    struct tls *t = s->inside;
    struct dstr why = DSTR_INIT;
    int rc = 1;
    ERR_clear_error();
    bool is_over = joiner_step(t->joiner, t->ssl, t->context->authority_dir, &rc, &why) == 1;
    if (!is_over && tls_fail_as(t, rc, &s->read_wants) < 0 && errno == EAGAIN) {
        dstr_free(&why);
        return 0;
    }
    if (is_over)
        tls_note_why(t, "%s", dstr_get(&why));
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
    if (tls_fail_as(t, rc, &s->read_wants) < 0)
        return errno == EAGAIN ? 0 : -1;
    return refuse_lost(t);
}

/* In TLS 1.3 a client is done before it hears whether it is let in. A user, and a peer, hears so by
 * one byte, and need not find out by a connection that ends. */
static int greet_user(struct stream *s)
{
    struct tls *t = s->inside;
    uint8_t welcome = '+';
    size_t n;
    int rc = 1;
    ERR_clear_error();
    if (t->context->is_of_peers ? t->context->accepts : t->peer.is_user)
        rc = SSL_write_ex(t->ssl, &welcome, sizeof welcome, &n);
    else if (t->context->is_of_peers || t->context->side == TLS_USER)
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
    if (t->peer.name == NULL && t->context->is_of_peers && !tls_speaks_of_peers(t->ssl))
        return refuse_other(t, MSG_TLS_NOT_PEER);
    if (t->peer.name == NULL && take_name(t) != 1)
        return -1;
    return greet_user(s);
}

/* one read into V; 1 with the bytes GOT, or what fail_as says */
static int read_once(struct stream *s, const struct iovec *v, size_t *got)
{
    struct tls *t = s->inside;
    int rc = tls_read_some(t->ssl, v->iov_base, v->iov_len, got);
    if (rc == 1 && !tls_has_updated_too_often(t)) {
        s->read_wants = STREAM_READABLE;
        return 1;
    }
    return tls_fail_as(t, rc, &s->read_wants);
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
        } else if (tls_fail_as(t, rc, &s->write_wants) < 0) {
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

static const char *why_it_ends(struct tls *t)
{
    return uti_now_s() > t->peer.until_s ? MSG_TLS_EXPIRED : tls_find_revocation(t);
}

static bool tls_holds(struct stream *s)
{
    struct tls *t = s->inside;
    const char *why = t->is_greeted && t->why == NULL ? why_it_ends(t) : NULL;
    if (why != NULL)
        tls_note_why(t, MSG_TLS_BAD_PEER_SS, t->peer.name, why);
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
    if (t->context->accepts)
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
