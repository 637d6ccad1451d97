/* What all connections of a process have in common: the authority, its own certificate and key, and
 * the rules: TLS 1.3 alone, few algorithms, both ends prove themselves, the authority signs every
 * certificate itself, and nothing is kept for a later connection (tickets, sessions). */
#include "libs/tls/authority.h"
#include "libs/tls/ledger.h"
#include "libs/tls/msg_tls.h"
#include "libs/tls/tls_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What both ends can do quickly, and our certificates need. A library's defaults have groups whose
 * arithmetic takes a tenth of a second, for any peer that names them. */
#define CIPHERS    "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256"
#define GROUPS     "X25519:P-256"
#define SIGNATURES "ECDSA+SHA256"

enum { PAPERS_BYTES = 16 * 1024 }; /* of certificates that a peer may send */
enum { DAY_S = 86400, RENEWAL_RETRY_S = 3600 };

bool tls_set_algorithms(SSL_CTX *ctx)
{
    return SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) == 1 &&
           SSL_CTX_set_ciphersuites(ctx, CIPHERS) == 1 &&
           SSL_CTX_set1_groups_list(ctx, GROUPS) == 1 &&
           SSL_CTX_set1_sigalgs_list(ctx, SIGNATURES) == 1 &&
           SSL_CTX_set1_client_sigalgs_list(ctx, SIGNATURES) == 1;
}

static bool set_rules(SSL_CTX *ctx)
{
    SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, tls_verify);
    SSL_CTX_set_verify_depth(ctx, 0);
    SSL_CTX_set_options(ctx, SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_max_cert_list(ctx, PAPERS_BYTES);
    SSL_CTX_set_read_ahead(ctx, 1);
    SSL_CTX_set_msg_callback(ctx, tls_count_message);
    /* with it, one call would take messages of the handshake for as long as the peer sends them */
    SSL_CTX_clear_mode(ctx, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                              SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
    return tls_set_algorithms(ctx) && SSL_CTX_set_num_tickets(ctx, 0) == 1 &&
           SSL_CTX_set_max_early_data(ctx, 0) == 1 && SSL_CTX_set_recv_max_early_data(ctx, 0) == 1;
}

/* ---- the protocol of peers ----
 * A connection between two of them is for that alone: neither a qmaster nor one of its clients
 * agrees to it, and so what is said over one connection cannot be meant for another. */

#define PEERS_ALPN "sge-peer"

static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *out_len,
                           const unsigned char *in, unsigned in_len, void *ctx)
{
    static const size_t n = sizeof PEERS_ALPN - 1;
    (void)ssl;
    (void)ctx;
    if (in_len != n + 1 || in[0] != n || memcmp(in + 1, PEERS_ALPN, n) != 0)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = (const unsigned char *)PEERS_ALPN;
    *out_len = sizeof PEERS_ALPN - 1;
    return SSL_TLSEXT_ERR_OK;
}

bool tls_speaks_of_peers(const SSL *ssl)
{
    const unsigned char *protocol;
    unsigned len;
    SSL_get0_alpn_selected(ssl, &protocol, &len);
    return len == sizeof PEERS_ALPN - 1 && memcmp(protocol, PEERS_ALPN, len) == 0;
}

/* a certificate names a host, whichever side of a connection with a qmaster it is for */
static bool set_rules_of_peers(SSL_CTX *ctx, bool accepts)
{
    static const unsigned char protocols[] = "\x08" PEERS_ALPN;
    if (accepts)
        SSL_CTX_set_alpn_select_cb(ctx, choose_protocol, NULL);
    return SSL_CTX_set_purpose(ctx, X509_PURPOSE_ANY) == 1 &&
           (accepts || SSL_CTX_set_alpn_protos(ctx, protocols, sizeof protocols - 1) == 0);
}

/* new: SSL_CTX_free; NULL with ans */
static SSL_CTX *new_ctx(const struct tls_context *c, struct answer *ans)
{
    SSL_CTX *ctx = SSL_CTX_new(c->accepts ? TLS_server_method() : TLS_client_method());
    if (ctx == NULL || !set_rules(ctx) || (c->is_of_peers && !set_rules_of_peers(ctx, c->accepts)))
        tls_read_failed(c->dir, ans);
    else if (tls_load_papers(ctx, c->dir, ans) == 0)
        return ctx;
    SSL_CTX_free(ctx);
    return NULL;
}

static void note_key(const struct tls_context *c, struct stat *st)
{
    char *key = path_join(c->dir, TLS_FILE_KEY);
    if (stat(key, st) != 0)
        *st = c->key_as_read;
    free(key);
}

/* what the papers say now; the streams that are there keep what they have */
static int take_papers(struct tls_context *c, struct answer *ans)
{
    struct stat st;
    uint64_t until_s;
    note_key(c, &st);
    SSL_CTX *ctx = new_ctx(c, ans);
    c->key_as_read = st; /* not again before something changes */
    if (ctx == NULL)
        return -1;
    SSL_CTX_free(c->ctx);
    c->ctx = ctx;
    if (c->authority_dir != NULL)
        joiner_watch(c->ctx);
    return c->side == TLS_QMASTER ? tls_renewal_at(c->dir, &c->renew_at_s, &until_s, ans) : 0;
}

static struct tls_context *make_context(const char *dir, const struct tls_context *like,
                                        struct answer *ans)
{
    struct tls_context *c = uti_calloc(1, sizeof *c);
    c->side = like->side;
    c->accepts = like->accepts;
    c->is_of_peers = like->is_of_peers;
    c->dir = uti_strdup(dir);
    pthread_mutex_init(&c->papers_lock, NULL);
    pthread_mutex_init(&c->join_lock, NULL);
    pthread_mutex_init(&c->ledger_lock, NULL);
    c->method = tls_bio_method();
    if (c->method == NULL)
        tls_read_failed(dir, ans);
    else if (take_papers(c, ans) == 0)
        return c;
    tls_context_free(c);
    return NULL;
}

struct tls_context *tls_context_new(const char *dir, enum tls_side side, struct answer *ans)
{
    struct tls_context like = { .side = side, .accepts = side == TLS_QMASTER };
    return make_context(dir, &like, ans);
}

struct tls_context *tls_context_of_peers(const char *dir, enum tls_side side, bool accepts,
                                         struct answer *ans)
{
    struct tls_context like = { .side = side, .accepts = accepts, .is_of_peers = true };
    return make_context(dir, &like, ans);
}

/* ---- our own papers ---- */

/* the qmaster's side: its name stays, its key is new */
static int renew_papers(const struct tls_context *c, uint64_t now_s, struct answer *ans)
{
    struct tls_proof p;
    struct dstr until = DSTR_INIT;
    if (papers_read_proof(c->dir, &p, ans) != 0)
        return -1;
    struct certificate next = { p.name, c->side, now_s - CLOCK_SKEW_S,
                                now_s + (uint64_t)CERTIFICATE_DAYS * DAY_S };
    int rc = authority_issue(c->authority_dir, &next, c->dir, ans);
    uti_time_iso(next.until_s, &until);
    if (rc == 0)
        log_msg(LOG_LEVEL_INFO, MSG_TLS_RENEWED_SS, p.name, dstr_get(&until));
    dstr_free(&until);
    proof_free(&p);
    return rc;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void tls_look_at_papers(struct tls_context *c)
{
    struct answer ans = ANSWER_INIT;
    struct stat st;
    uint64_t now_s = uti_now_s();
    int rc = 0;
    if (c->authority_dir == NULL && !c->is_of_peers)
        return;
    if (c->authority_dir != NULL && now_s >= c->renew_at_s) {
        c->renew_at_s = now_s + RENEWAL_RETRY_S;
        rc = renew_papers(c, now_s, &ans);
    }
    note_key(c, &st);
    if (rc == 0 && !is_same_file(&st, &c->key_as_read))
        rc = take_papers(c, &ans);
    if (rc != 0)
        log_answer(&ans);
    ans_free(&ans);
}

void tls_let_join(struct tls_context *c, const char *authority_dir)
{
    free(c->authority_dir);
    c->authority_dir = uti_strdup(authority_dir);
    joiner_watch(c->ctx);
}

/* ---- what the authority has revoked ---- */

int tls_heed_ledger(struct tls_context *c, const char *dir, struct answer *ans)
{
    revocations_free(c->revocations);
    c->revocations = revocations_new(dir, ans);
    return c->revocations != NULL ? 0 : -1;
}

bool tls_revoked(struct tls_context *c, size_t n_known, size_t *n, struct dstr *lines)
{
    if (pthread_mutex_trylock(&c->ledger_lock) != 0)
        return false;
    *n = c->revocations != NULL ? revocations_count(c->revocations) : 0;
    if (*n != n_known)
        revocations_add_lines(c->revocations, TLS_REVOKED_MOST, lines);
    pthread_mutex_unlock(&c->ledger_lock);
    return true;
}

void tls_context_free(struct tls_context *c)
{
    if (c == NULL)
        return;
    revocations_free(c->revocations);
    SSL_CTX_free(c->ctx);
    renewers_free(&c->renewers);
    free(c->dir);
    free(c->authority_dir);
    BIO_meth_free(c->method);
    pthread_mutex_destroy(&c->papers_lock);
    pthread_mutex_destroy(&c->join_lock);
    pthread_mutex_destroy(&c->ledger_lock);
    free(c);
}
