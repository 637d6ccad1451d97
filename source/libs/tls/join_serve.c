/* The qmaster's side of joining: one text in, one text out, within the greeting of a connection.
 * Invariants: a joiner costs no more than JOINING_ASK_BYTES and one reply; nothing is signed, and
 * no key of somebody else looked at, before a token has been used up or a certificate shown that
 * holds. Only who shows one of them makes it write to a disk, once for a token, and once in
 * RENEWAL_PAUSE_S for a certificate; one at a time. It runs on a thread that serves no others
 * meanwhile (comm/arrival.c). */
#include "libs/tls/authority.h"
#include "libs/tls/joining.h"
#include "libs/tls/msg_tls.h"
#include "libs/tls/tls_priv.h"
#include "libs/tls/token.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/hash.h"
#include "libs/uti/time.h"

#include <stdlib.h>
#include <string.h>

enum { DAY_S = 86400, PART_BYTES = 512 };

struct joiner {
    struct dstr asked, reply, outcome;
    size_t sent;
};

void joiner_free(struct joiner *j)
{
    if (j == NULL)
        return;
    dstr_free(&j->asked);
    dstr_free(&j->reply);
    dstr_free(&j->outcome);
    free(j);
}

/* offered protocols are strings with their length in front */
static bool offers_joining(const unsigned char *in, unsigned len)
{
    static const size_t n = sizeof JOINING_ALPN - 1;
    for (; len > 0 && in[0] < len; len -= in[0] + 1u, in += in[0] + 1u)
        if (in[0] == n && memcmp(in + 1, JOINING_ALPN, n) == 0)
            return true;
    return false;
}

static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *out_len,
                           const unsigned char *in, unsigned len, void *ctx)
{
    struct joiner **j = &tls_of(ssl)->joiner;
    (void)ctx;
    if (!offers_joining(in, len))
        return SSL_TLSEXT_ERR_NOACK;
    if (*j == NULL)
        *j = uti_calloc(1, sizeof **j);
    SSL_set_verify(ssl, SSL_VERIFY_PEER, tls_verify); /* one that it shows has to hold */
    SSL_clear_mode(ssl, SSL_MODE_NO_AUTO_CHAIN);      /* the authority, too, whose hash it knows */
    *out = (const unsigned char *)JOINING_ALPN;
    *out_len = sizeof JOINING_ALPN - 1;
    return SSL_TLSEXT_ERR_OK;
}

void joiner_watch(SSL_CTX *ctx)
{
    SSL_CTX_set_alpn_select_cb(ctx, choose_protocol, NULL);
}

/* the certificate that ASK is about, once its token has been used up */
static int give_certificate(const struct joining *ask, const char *dir, struct dstr *reply,
                            struct answer *ans)
{
    struct dstr about = DSTR_INIT, certificate = DSTR_INIT;
    uint64_t now_s = uti_now_s();
    struct certificate c = { ask->whom, subject_side(ask->whom), now_s - CLOCK_SKEW_S,
                             now_s + (uint64_t)CERTIFICATE_DAYS * DAY_S };
    int rc = token_use(dir, ask->whom, ask->token, now_s, &about, ans);
    if (rc == 0)
        rc = authority_sign(dir, &c, ask->request, &certificate, ans);
    if (rc == 0)
        joining_reply(reply, dstr_get(&about), dstr_get(&certificate));
    dstr_free(&about);
    dstr_free(&certificate);
    return rc;
}

/* may the owner of P have another one now? */
static int check_renewal(struct tls_context *c, const struct tls_proof *p, uint64_t now_s,
                         struct answer *ans)
{
    if (now_s < proof_renewal_at(p))
        return ans_fail(ans, STATUS_DENIED, MSG_JOIN_EARLY);
    if (!renewers_note(&c->renewers, p->name, now_s))
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_JOIN_PAUSE_D, (int)RENEWAL_PAUSE_S);
    return 0;
}

/* a certificate like the one that the other end of SSL has shown, for a key of its own making */
static int renew_certificate(const SSL *ssl, const struct tls_proof *p, const char *request,
                             struct dstr *reply, struct answer *ans)
{
    struct tls_context *context = tls_of(ssl)->context;
    struct dstr certificate = DSTR_INIT;
    uint64_t now_s = uti_now_s();
    struct certificate c = { p->name, p->is_user ? TLS_USER : TLS_HOST, now_s - CLOCK_SKEW_S,
                             now_s + (uint64_t)CERTIFICATE_DAYS * DAY_S };
    int rc = check_renewal(context, p, now_s, ans);
    if (rc == 0)
        rc = authority_sign(context->authority_dir, &c, request, &certificate, ans);
    if (rc == 0)
        joining_reply(reply, "", dstr_get(&certificate));
    dstr_free(&certificate);
    return rc;
}

static void deny_joining(struct joiner *j, const char *whom, const char *why)
{
    joining_deny(&j->reply, why);
    dstr_addf(&j->outcome, MSG_JOIN_DENIED_SS, whom, why);
}

static void deny_renewal(struct joiner *j, const char *whom, const char *why)
{
    joining_deny(&j->reply, why);
    dstr_addf(&j->outcome, MSG_JOIN_KEEPS_SS, whom, why);
}

static void note_joined(struct joiner *j, const char *whom)
{
    subject_add_text(&j->outcome, whom);
    dstr_add(&j->outcome, MSG_JOIN_JOINED);
}

static void note_renewal(struct joiner *j, const struct tls_proof *p)
{
    subject_add_text(&j->outcome, p->name);
    dstr_addf(&j->outcome, MSG_JOIN_RENEWED_S, p->serial);
}

static void decide_on_renewal(struct joiner *j, const SSL *ssl, const char *request)
{
    struct answer ans = ANSWER_INIT;
    struct tls_proof p = { .name = NULL };
    X509 *shown = SSL_get1_peer_certificate(ssl);
    if (shown == NULL || !proof_read(&p, shown))
        deny_renewal(j, MSG_TLS_SOMEBODY, MSG_TLS_NO_PAPERS);
    else if (renew_certificate(ssl, &p, request, &j->reply, &ans) != 0)
        deny_renewal(j, p.name, ans_first_error(&ans));
    else
        note_renewal(j, &p);
    X509_free(shown);
    proof_free(&p);
    ans_free(&ans);
}

static void decide_on(struct joiner *j, const SSL *ssl, const char *dir)
{
    struct answer ans = ANSWER_INIT;
    struct joining ask;
    bool is_known = joining_parse(j->asked.s, &ask);
    pthread_mutex_t *lock = &tls_of(ssl)->context->join_lock;
    pthread_mutex_lock(lock);
    if (is_known && ask.token == NULL)
        decide_on_renewal(j, ssl, ask.request);
    else if (!is_known || subject_side(ask.whom) == 0)
        deny_joining(j, MSG_TLS_SOMEBODY, MSG_JOIN_RUBBISH);
    else if (give_certificate(&ask, dir, &j->reply, &ans) != 0)
        deny_joining(j, ask.whom, ans_first_error(&ans));
    else
        note_joined(j, ask.whom);
    pthread_mutex_unlock(lock);
    ans_free(&ans);
}

static void hear_part(struct joiner *j, const SSL *ssl, const char *part, size_t n, const char *dir)
{
    struct dstr why = DSTR_INIT;
    dstr_addn(&j->asked, part, n);
    if (j->asked.len > JOINING_ASK_BYTES) {
        dstr_addf(&why, MSG_JOIN_LONG_D, (int)JOINING_ASK_BYTES);
        deny_joining(j, MSG_TLS_SOMEBODY, dstr_get(&why));
    } else if (memchr(part, '\0', n) != NULL) {
        decide_on(j, ssl, dir);
    }
    dstr_free(&why);
}

int joiner_step(struct joiner *j, SSL *ssl, const char *dir, int *rc, struct dstr *why)
{
    char part[PART_BYTES];
    size_t n;
    while (j->reply.len == 0) {
        *rc = tls_read_some(ssl, part, sizeof part, &n);
        if (*rc != 1)
            return 0;
        hear_part(j, ssl, part, n, dir);
    }
    for (; j->sent < j->reply.len; j->sent += n) {
        *rc = SSL_write_ex(ssl, j->reply.s + j->sent, j->reply.len - j->sent, &n);
        if (*rc != 1)
            return 0;
    }
    dstr_add(why, dstr_get(&j->outcome));
    return 1;
}

/* ---- renewals ----
 *
 * When each host has last renewed its certificate. One entry for each name that has proved itself,
 * so there are no more than hosts. */

struct renewer {
    char *name;
    uint64_t at_s;
    UT_hash_handle hh;
};

bool renewers_note(struct renewer **all, const char *name, uint64_t now_s)
{
    struct renewer *r;
    HASH_FIND_STR(*all, name, r);
    if (r == NULL) {
        r = uti_calloc(1, sizeof *r);
        r->name = uti_strdup(name);
        HASH_ADD_KEYPTR(hh, *all, r->name, strlen(r->name), r);
    } else if (now_s >= r->at_s && now_s - r->at_s < RENEWAL_PAUSE_S) {
        return false;
    }
    r->at_s = now_s;
    return true;
}

void renewers_free(struct renewer **all)
{
    struct renewer *r, *next;
    HASH_ITER(hh, *all, r, next) {
        HASH_DEL(*all, r);
        free(r->name);
        free(r);
    }
}
