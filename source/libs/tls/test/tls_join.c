/* Hosts join at a server that asks everybody else for a certificate. The server's loop has a thread
 * of its own, since a host that joins waits. */
#include "libs/tls/join.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libs/comm/loop.h"
#include "libs/comm/server.h"
#include "libs/tls/ledger.h"
#include "libs/tls/test/papers.h"
#include "libs/tls/token.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

enum { PATIENCE_S = 20 };

struct fixture {
    struct papers *papers;
    struct tls_context *master;
    struct loop *loop;
    struct comm_server *server;
    pthread_t thread;
    struct dstr fingerprint;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t has_noted;
    struct dstr noted; /* the server's last word of a connection */
    char where[32];
    int n_opened;
};

static void on_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    (void)conn;
    (void)peer;
    ((struct fixture *)ctx)->n_opened++;
}

static void on_frame(void *ctx, uint64_t conn, struct frame *f)
{
    (void)ctx;
    (void)conn;
    free(f->body);
}

static void on_event(void *ctx)
{
    (void)ctx;
}

static void on_conn(void *ctx, uint64_t conn)
{
    (void)ctx;
    (void)conn;
}

static void on_refused(void *ctx, const struct comm_peer *peer, const char *why)
{
    struct fixture *t = ctx;
    (void)peer;
    pthread_mutex_lock(&t->lock);
    dstr_clear(&t->noted);
    dstr_add(&t->noted, why);
    pthread_cond_signal(&t->has_noted);
    pthread_mutex_unlock(&t->lock);
}

/* The server notes the end of a connection after the other end has read the answer. */
static void expect_noted(struct fixture *t, const char *words)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&t->lock);
    for (int err = 0; err == 0 && strstr(dstr_get(&t->noted), words) == NULL;)
        err = pthread_cond_timedwait(&t->has_noted, &t->lock, &until);
    assert_non_null(strstr(dstr_get(&t->noted), words));
    pthread_mutex_unlock(&t->lock);
}

static const struct comm_server_ops ops = { .opened = on_opened,
                                            .frame = on_frame,
                                            .idle = on_event,
                                            .closed = on_conn,
                                            .drained = on_conn,
                                            .refused = on_refused };

static struct stream wrap_socket(void *ctx, int fd)
{
    return tls_stream(((struct fixture *)ctx)->master, fd);
}

static void *run_loop(void *loop)
{
    loop_run(loop);
    return NULL;
}

static int start_server(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    void *papers;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->has_noted, NULL);
    papers_start(&papers);
    t->papers = papers;
    t->master = papers_context(t->papers, "master", TLS_QMASTER);
    tls_let_join(t->master, t->papers->authority);
    assert_int_equal(tls_heed_ledger(t->master, t->papers->authority, NULL), 0);
    assert_int_equal(authority_fingerprint(t->papers->authority, &t->fingerprint, NULL), 0);
    t->loop = loop_new(NULL);
    t->server = comm_server_new(t->loop, &ops, t);
    assert_int_equal(comm_server_listen_tcp(t->server, 0, wrap_socket, t, NULL), 0);
    (void)snprintf(t->where, sizeof t->where, "127.0.0.1:%u", comm_server_port(t->server));
    assert_int_equal(pthread_create(&t->thread, NULL, run_loop, t->loop), 0);
    *state = t;
    return 0;
}

static void end_server(struct fixture *t)
{
    if (t->server == NULL)
        return;
    loop_stop(t->loop);
    pthread_join(t->thread, NULL);
    comm_server_free(t->server);
    t->server = NULL;
}

static int stop_server(void **state)
{
    struct fixture *t = *state;
    void *papers = t->papers;
    end_server(t);
    assert_int_equal(t->n_opened, 0); /* nobody gets any further by joining */
    tls_context_free(t->master);
    loop_free(t->loop);
    dstr_free(&t->fingerprint);
    dstr_free(&t->noted);
    pthread_cond_destroy(&t->has_noted);
    pthread_mutex_destroy(&t->lock);
    free(t);
    return papers_stop(&papers);
}

static char *token_of(struct fixture *t, const char *host, int until_s)
{
    struct dstr text = DSTR_INIT;
    struct token token = { host, uti_now_s() + (uint64_t)(int64_t)until_s, "cell default\n" };
    assert_int_equal(token_make(t->papers->authority, &token, &text, NULL), 0);
    return dstr_take(&text);
}

/* HOST joins into a directory of its name; what it hears, new: "" when it has joined */
static char *said_to(struct fixture *t, const char *host, const char *token, const char *print)
{
    struct answer ans = ANSWER_INIT;
    struct join j = { t->where, host, token, print };
    char *dir = path_join(t->papers->dir, host), *said;
    int rc = join_cell(&j, dir, &ans);
    said = uti_strdup(ans_first_error(&ans));
    assert_int_equal(rc == 0, said[0] == '\0');
    ans_free(&ans);
    free(dir);
    return said;
}

static void expect_said(struct fixture *t, const char *host, const char *token, const char *part)
{
    char *said = said_to(t, host, token, dstr_get(&t->fingerprint));
    assert_non_null(strstr(said, part));
    assert_int_equal(said[0] == '\0', part[0] == '\0');
    free(said);
}

static void a_host_that_joins_has_papers_that_hold(void **state)
{
    struct fixture *t = *state;
    struct stat st;
    struct dstr about = DSTR_INIT;
    char *token = token_of(t, "node1", 100), *dir = path_join(t->papers->dir, "node1");
    char *key = path_join(dir, TLS_FILE_KEY), *file = path_join(dir, JOIN_FILE_ABOUT);
    expect_said(t, "node1", token, "");
    struct tls_context *c = tls_context_new(dir, TLS_HOST, NULL);
    assert_non_null(c);
    tls_context_free(c);
    assert_int_equal(stat(key, &st), 0);
    assert_int_equal(st.st_mode & ALLPERMS, 0600);
    assert_int_equal(file_read(file, 100, &about, NULL), 0);
    assert_string_equal(dstr_get(&about), "cell default\n");
    expect_noted(t, "host node1 has joined and received a certificate");
    dstr_free(&about);
    free(file);
    free(key);
    free(dir);
    free(token);
}

static void a_user_joins_as_a_host_does(void **state)
{
    struct fixture *t = *state;
    char *token = token_of(t, "alice:1001:100", 100);
    expect_said(t, "alice:1002:100", token, "the qmaster refuses: its token is not valid");
    expect_said(t, "alice", token, "the qmaster refuses: its token is not valid");
    expect_said(t, "alice:1001:100", token, "");
    char *dir = path_join(t->papers->dir, "alice:1001:100");
    struct tls_context *c = tls_context_new(dir, TLS_USER, NULL);
    assert_non_null(c);
    tls_context_free(c);
    expect_noted(t, "user alice has joined and received a certificate");
    free(dir);
    free(token);
}

static void a_token_lets_one_host_in_once(void **state)
{
    struct fixture *t = *state;
    char *token = token_of(t, "node1", 100);
    expect_said(t, "node2", token, "the qmaster refuses: its token is not valid");
    expect_said(t, "node1", token, "");
    expect_said(t, "node1", token, "the qmaster refuses: its token is not valid");
    expect_noted(t, "node1 may not join: its token is not valid");
    free(token);
}

static void an_expired_token_is_refused(void **state)
{
    char *token = token_of(*state, "node1", -1);
    expect_said(*state, "node1", token, "the qmaster refuses: its token has expired");
    free(token);
}

/* the token survives: it was told to nobody */
static void another_authority_gets_no_token(void **state)
{
    struct fixture *t = *state;
    char *token = token_of(t, "node1", 100), *other = path_join(t->papers->dir, "other");
    struct dstr print = DSTR_INIT;
    assert_int_equal(authority_make(other, NULL), 0);
    assert_int_equal(authority_fingerprint(other, &print, NULL), 0);
    char *said = said_to(t, "node1", token, dstr_get(&print));
    assert_string_equal(said, "the qmaster that answers has a certificate of another authority");
    expect_said(t, "node1", token, "");
    free(said);
    dstr_free(&print);
    free(other);
    free(token);
}

/* HOST, whose certificate holds for LIFE_S, renews it; what it hears, new: "" when it has */
static char *said_to_renewer(struct fixture *t, const char *host, int life_s)
{
    struct answer ans = ANSWER_INIT;
    char *dir = papers_of(t->papers, t->papers->authority, host, TLS_HOST, life_s), *said;
    int rc = join_renew(t->where, dir, &ans);
    said = uti_strdup(ans_first_error(&ans));
    assert_int_equal(rc == 0, said[0] == '\0');
    ans_free(&ans);
    free(dir);
    return said;
}

static void expect_renewal(struct fixture *t, const char *host, int life_s, const char *part)
{
    char *said = said_to_renewer(t, host, life_s);
    assert_non_null(strstr(said, part));
    assert_int_equal(said[0] == '\0', part[0] == '\0');
    free(said);
}

static uint64_t end_of(struct fixture *t, const char *host)
{
    uint64_t at_s, until_s;
    char *dir = path_join(t->papers->dir, host);
    assert_int_equal(tls_renewal_at(dir, &at_s, &until_s, NULL), 0);
    free(dir);
    return until_s;
}

static void a_host_renews_its_certificate(void **state)
{
    struct fixture *t = *state;
    struct stat st;
    expect_renewal(t, "node1", 500, "");
    assert_true(end_of(t, "node1") > uti_now_s() + 300 * UINT64_C(86400));
    char *dir = path_join(t->papers->dir, "node1"), *key = path_join(dir, TLS_FILE_KEY);
    assert_int_equal(stat(key, &st), 0);
    assert_int_equal(st.st_mode & ALLPERMS, 0600);
    struct tls_context *c = tls_context_new(dir, TLS_HOST, NULL);
    assert_non_null(c);
    tls_context_free(c);
    expect_noted(t, "host node1 has a new certificate in place of ");
    free(key);
    free(dir);
}

static void it_is_not_renewed_early_or_often(void **state)
{
    struct fixture *t = *state;
    expect_renewal(t, "node1", 86400, "the qmaster refuses: more than a third of its life");
    expect_renewal(t, "node1", 500, "");
    expect_renewal(t, "node1", 500,
                   "the qmaster refuses: the previous one was issued less than 10 seconds ago");
    assert_true(end_of(t, "node1") < uti_now_s() + 1000); /* the old one is still there */
    expect_renewal(t, "node2", 500, "");
}

static void what_holds_no_more_is_not_renewed(void **state)
{
    struct fixture *t = *state;
    char *other = path_join(t->papers->dir, "other");
    expect_renewal(t, "node1", -10, "the peer refused our certificate: certificate expired");
    assert_int_equal(authority_make(other, NULL), 0);
    free(papers_of(t->papers, other, "node3", TLS_HOST, 500));
    char *dir = path_join(t->papers->dir, "node3");
    assert_int_equal(join_renew(t->where, dir, NULL), -1);
    free(dir);
    free(other);
    dir = papers_of(t->papers, t->papers->authority, "node2", TLS_HOST, 500);
    assert_int_equal(ledger_revoke(t->papers->authority, "node2", uti_now_s(), NULL), 1);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(join_renew(t->where, dir, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "certificate revoked"));
    ans_free(&ans);
    free(dir);
}

static void the_qmasters_certificate_renews_nothing(void **state)
{
    struct fixture *t = *state;
    char *dir = papers_of(t->papers, t->papers->authority, "evil", TLS_QMASTER, 500);
    assert_int_equal(join_renew(t->where, dir, NULL), -1);
    assert_true(end_of(t, "evil") < uti_now_s() + 1000);
    free(dir);
}

struct racer {
    struct fixture *fixture;
    const char *token;
    pthread_t thread;
    char dir[60];
    int rc;
};

static void *run_racer(void *ctx)
{
    struct racer *r = ctx;
    struct join j = { r->fixture->where, "node1", r->token, dstr_get(&r->fixture->fingerprint) };
    r->rc = join_cell(&j, r->dir, NULL);
    return NULL;
}

static void of_many_with_one_token_one_joins(void **state)
{
    struct racer racers[8];
    char *token = token_of(*state, "node1", 100);
    int n_joined = 0;
    for (size_t i = 0; i < ARRAY_LEN(racers); i++) {
        racers[i] = (struct racer){ .fixture = *state, .token = token };
        (void)snprintf(racers[i].dir, sizeof racers[i].dir, "%s/racer%zu",
                       racers[i].fixture->papers->dir, i);
        assert_int_equal(pthread_create(&racers[i].thread, NULL, run_racer, &racers[i]), 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(racers); i++) {
        pthread_join(racers[i].thread, NULL);
        n_joined += racers[i].rc == 0;
    }
    assert_int_equal(n_joined, 1);
    free(token);
}

static void a_host_that_says_too_much_is_heard_no_longer(void **state)
{
    char *token = uti_calloc(1, 5000);
    memset(token, 'x', 4999);
    token[4999] = '\0';
    expect_said(*state, "node1", token,
                "the qmaster refuses: its join request is longer than 2048 bytes");
    free(token);
}

static void where_no_qmaster_is_nobody_joins(void **state)
{
    struct fixture *t = *state;
    end_server(t);
    expect_said(t, "node1", "x", "cannot reach the qmaster at 127.0.0.1:");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start_server, stop_server)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_host_that_joins_has_papers_that_hold),
        TEST(a_user_joins_as_a_host_does),
        TEST(a_token_lets_one_host_in_once),
        TEST(a_host_renews_its_certificate),
        TEST(it_is_not_renewed_early_or_often),
        TEST(what_holds_no_more_is_not_renewed),
        TEST(the_qmasters_certificate_renews_nothing),
        TEST(an_expired_token_is_refused),
        TEST(another_authority_gets_no_token),
        TEST(of_many_with_one_token_one_joins),
        TEST(a_host_that_says_too_much_is_heard_no_longer),
        TEST(where_no_qmaster_is_nobody_joins),
    };
    return cmocka_run_group_tests_name("tls/tls_join", tests, NULL, NULL);
}
