/* Streams between execution daemons, and from users to them: both ends learn whom the other's
 * certificate names; who is revoked, or speaks to a qmaster, gets no further. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/tls/ledger.h"
#include "libs/tls/test/papers.h"
#include "libs/tls/tls.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

struct pair {
    struct tls_context *accepting, *dialling;
    struct stream near, far; /* of which accepts, of which dials */
    int near_rc, far_rc;     /* of the greeting */
};

static struct tls_context *peer_context(struct papers *p, const char *name, enum tls_side kind,
                                        bool accepts)
{
    struct answer ans = ANSWER_INIT;
    char *dir = papers_of(p, p->authority, name, kind, 1000);
    struct tls_context *c =
        tls_context_of_peers(dir, kind == TLS_USER ? TLS_USER : TLS_HOST, accepts, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    free(dir);
    return c;
}

static struct pair greet_pair(struct tls_context *accepting, struct tls_context *dialling)
{
    struct pair t = { .accepting = accepting, .dialling = dialling };
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    t.near = tls_stream(accepting, fds[0]);
    t.far = tls_stream(dialling, fds[1]);
    for (int i = 0; i < 20; i++) {
        t.far_rc = t.far_rc == 0 ? stream_greet(&t.far) : t.far_rc;
        t.near_rc = t.near_rc == 0 ? stream_greet(&t.near) : t.near_rc;
    }
    return t;
}

static void close_pair(struct pair *t)
{
    stream_close(&t->near);
    stream_close(&t->far);
    tls_context_free(t->accepting);
    tls_context_free(t->dialling);
}

static void expect_hosts(struct pair *t, const char *dials, const char *accepts)
{
    assert_int_equal(t->near_rc, 1);
    assert_int_equal(t->far_rc, 1);
    assert_string_equal(stream_peer(&t->near).host, dials);
    assert_string_equal(stream_peer(&t->far).host, accepts);
    close_pair(t);
}

/* the qmaster's certificate is that of its host */
static void hosts_learn_which_they_are_the_qmasters_too(void **state)
{
    struct pair t = greet_pair(peer_context(*state, "node1", TLS_HOST, true),
                               peer_context(*state, "node2", TLS_HOST, false));
    expect_hosts(&t, "node2", "node1");
    t = greet_pair(peer_context(*state, "node1", TLS_HOST, true),
                   peer_context(*state, "master", TLS_QMASTER, false));
    expect_hosts(&t, "master", "node1");
    t = greet_pair(peer_context(*state, "master", TLS_QMASTER, true),
                   peer_context(*state, "node1", TLS_HOST, false));
    expect_hosts(&t, "node1", "master");
}

static void a_user_is_known_by_name_and_ids_and_bytes_follow(void **state)
{
    struct pair t = greet_pair(peer_context(*state, "node1", TLS_HOST, true),
                               peer_context(*state, "alice:1001:100", TLS_USER, false));
    assert_int_equal(t.near_rc, 1);
    assert_int_equal(t.far_rc, 1);
    assert_null(stream_peer(&t.near).host);
    assert_string_equal(stream_peer(&t.near).user, "alice");
    assert_int_equal(stream_peer(&t.near).uid, 1001);
    char text[4] = "abc";
    struct iovec v = { text, 3 };
    assert_int_equal(stream_write(&t.near, &v, 1), 3);
    memset(text, 0, sizeof text);
    assert_int_equal(stream_read(&t.far, &v, 1), 3);
    assert_string_equal(text, "abc");
    close_pair(&t);
}

/* ---- those who are refused ---- */

static void expect_refusal(struct pair *t, const char *near_says, const char *far_says)
{
    assert_int_equal(t->near_rc, -1);
    assert_int_equal(t->far_rc, -1);
    assert_non_null(strstr(stream_why(&t->near, EPROTO), near_says));
    assert_non_null(strstr(stream_why(&t->far, EPROTO), far_says));
    close_pair(t);
}

static void a_revoked_certificate_is_refused_and_its_owner_hears_so(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    struct tls_context *node2 = peer_context(p, "node2", TLS_HOST, false);
    struct tls_context *node1 = peer_context(p, "node1", TLS_HOST, true);
    assert_int_equal(ledger_revoke(p->authority, "node2", uti_now_s(), &ans), 1);
    assert_int_equal(tls_heed_ledger(node1, p->authority, &ans), 0);
    struct pair t = greet_pair(node1, node2);
    expect_refusal(&t, "the certificate of node2 is not accepted: certificate revoked",
                   "refused our certificate: certificate revoked");
    ans_free(&ans);
}

/* what a qmaster knows becomes the ledger of a host */
static void what_is_revoked_becomes_lines_for_the_ledger_of_a_host(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    struct dstr lines = DSTR_INIT;
    size_t n = 7;
    struct tls_context *master = papers_context(p, "master", TLS_QMASTER);
    struct tls_context *node2 = peer_context(p, "node2", TLS_HOST, false);
    assert_true(tls_revoked(master, 0, &n, &lines));
    assert_int_equal(n, 0);
    assert_int_equal(lines.len, 0);
    assert_int_equal(ledger_revoke(p->authority, "node2", uti_now_s(), &ans), 1);
    assert_int_equal(tls_heed_ledger(master, p->authority, &ans), 0);
    assert_true(tls_revoked(master, 0, &n, &lines));
    assert_int_equal(n, 1);
    char *dir = papers_of(p, p->authority, "node1", TLS_HOST, 1000),
         *ledger = path_join(dir, LEDGER_FILE);
    assert_int_equal(file_replace(ledger, lines.s, lines.len, 0600, &ans), 0);
    struct tls_context *node1 = tls_context_of_peers(dir, TLS_HOST, true, &ans);
    assert_int_equal(tls_heed_ledger(node1, dir, &ans), 0);
    struct pair t = greet_pair(node1, node2);
    expect_refusal(&t, "the certificate of node2 is not accepted: certificate revoked",
                   "refused our certificate: certificate revoked");
    dstr_free(&lines);
    assert_true(tls_revoked(master, n, &n, &lines)); /* nothing new */
    assert_int_equal(lines.len, 0);
    tls_context_free(master);
    free(ledger);
    free(dir);
    ans_free(&ans);
}

static void a_host_of_another_cell_is_refused(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    char *other = path_join(p->dir, "other");
    assert_int_equal(authority_make(other, &ans), 0);
    char *dir = papers_of(p, other, "stranger", TLS_HOST, 1000);
    struct tls_context *stranger = tls_context_of_peers(dir, TLS_HOST, false, &ans);
    struct pair t = greet_pair(peer_context(p, "node1", TLS_HOST, true), stranger);
    assert_int_equal(t.far_rc, -1);
    assert_int_not_equal(t.near_rc, 1);
    close_pair(&t);
    free(dir);
    free(other);
}

/* the two protocols have nothing in common */
static void neither_a_qmaster_nor_its_clients_are_peers(void **state)
{
    struct pair t = greet_pair(papers_context(*state, "master", TLS_QMASTER),
                               peer_context(*state, "node1", TLS_HOST, false));
    assert_int_equal(t.far_rc, -1);
    assert_non_null(strstr(stream_why(&t.far, EPROTO), "the protocol between execution daemons"));
    close_pair(&t);
    t = greet_pair(peer_context(*state, "master", TLS_QMASTER, true),
                   papers_context(*state, "node1", TLS_HOST));
    assert_int_equal(t.near_rc, -1);
    assert_non_null(strstr(stream_why(&t.near, EPROTO), "the protocol between execution daemons"));
    close_pair(&t);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, papers_start, papers_stop)
    const struct CMUnitTest tests[] = {
        T(hosts_learn_which_they_are_the_qmasters_too),
        T(a_user_is_known_by_name_and_ids_and_bytes_follow),
        T(a_revoked_certificate_is_refused_and_its_owner_hears_so),
        T(what_is_revoked_becomes_lines_for_the_ledger_of_a_host),
        T(a_host_of_another_cell_is_refused),
        T(neither_a_qmaster_nor_its_clients_are_peers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
