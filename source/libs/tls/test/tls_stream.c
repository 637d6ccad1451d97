/* Two ends in one thread, over a socketpair: who is let in, who is refused and what both hear of
 * it, and bytes in pieces of all sizes. */
#include "libs/tls/tls.h"

#include <errno.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/tls/test/papers.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct pair {
    struct tls_context *master, *host;
    struct stream near, far; /* of the qmaster, of the host */
};

static void open_streams(struct pair *t)
{
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    t->near = tls_stream(t->master, fds[0]);
    t->far = tls_stream(t->host, fds[1]);
}

static struct pair pair_of(struct tls_context *master, struct tls_context *host)
{
    struct pair t = { .master = master, .host = host };
    open_streams(&t);
    return t;
}

static void close_pair(struct pair *t)
{
    stream_close(&t->near);
    stream_close(&t->far);
    tls_context_free(t->master);
    tls_context_free(t->host);
}

/* until neither has anything to do; what the last calls of both returned */
static void greet_both(struct pair *t, int *near, int *far)
{
    *near = *far = 0;
    for (int i = 0; i < 20; i++) {
        *near = *near == 0 ? stream_greet(&t->near) : *near;
        *far = *far == 0 ? stream_greet(&t->far) : *far;
    }
}

static struct pair greeted_pair(struct papers *p)
{
    int near, far;
    struct pair t =
        pair_of(papers_context(p, "master", TLS_QMASTER), papers_context(p, "node1", TLS_HOST));
    greet_both(&t, &near, &far);
    assert_int_equal(near, 1);
    assert_int_equal(far, 1);
    return t;
}

static void each_end_learns_the_name_that_the_other_has_proved(void **state)
{
    struct pair t = greeted_pair(*state);
    assert_string_equal(stream_peer(&t.near).host, "node1");
    assert_string_equal(stream_peer(&t.far).host, "master");
    close_pair(&t);
}

static void a_user_is_known_by_name_and_ids(void **state)
{
    int near, far;
    struct pair t = pair_of(papers_context(*state, "master", TLS_QMASTER),
                            papers_context(*state, "alice:1001:100", TLS_USER));
    greet_both(&t, &near, &far);
    struct stream_peer peer = stream_peer(&t.near);
    assert_null(peer.host);
    assert_string_equal(peer.user, "alice");
    assert_int_equal(peer.uid, 1001);
    assert_int_equal(peer.gid, 100);
    close_pair(&t);
}

/* ---- those who are refused ---- */

/* the qmaster ends it with a reason that has WORDS in it, and the host hears its own words */
static void expect_refusal(struct pair *t, const char *words, const char *host_hears)
{
    int near, far;
    char byte;
    struct iovec v = { &byte, 1 };
    greet_both(t, &near, &far);
    assert_int_equal(near, -1);
    assert_null(stream_peer(&t->near).host);
    assert_non_null(stream_why(&t->near, EPROTO));
    assert_non_null(strstr(stream_why(&t->near, EPROTO), words));
    assert_int_equal(stream_read(&t->near, &v, 1), -1);
    if (far == 1) { /* in TLS 1.3 the client is done before it hears what the server says */
        assert_int_equal(stream_read(&t->far, &v, 1), -1);
        assert_int_equal(errno, EPROTO);
    }
    assert_non_null(stream_why(&t->far, EPROTO));
    assert_non_null(strstr(stream_why(&t->far, EPROTO), host_hears));
    close_pair(t);
}

static struct tls_context *context_in(char *dir, enum tls_side side)
{
    struct answer ans = ANSWER_INIT;
    struct tls_context *c = tls_context_new(dir, side, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    free(dir);
    return c;
}

static void an_expired_certificate_is_refused_with_a_line_on_both_sides(void **state)
{
    struct papers *p = *state;
    char *dir = papers_of(p, p->authority, "node2", TLS_HOST, -10);
    struct pair t = pair_of(papers_context(p, "master", TLS_QMASTER), context_in(dir, TLS_HOST));
    expect_refusal(&t, "the certificate of node2 is not accepted: certificate has expired",
                   "refused our certificate: certificate expired");
}

static void a_refused_user_hears_so_within_the_greeting(void **state)
{
    struct papers *p = *state;
    int near, far;
    char *dir = papers_of(p, p->authority, "alice:1001:100", TLS_USER, -10);
    struct pair t = pair_of(papers_context(p, "master", TLS_QMASTER), context_in(dir, TLS_USER));
    greet_both(&t, &near, &far);
    assert_int_equal(near, -1);
    assert_int_equal(far, -1);
    assert_non_null(strstr(stream_why(&t.far, EPROTO), "certificate expired"));
    close_pair(&t);
}

/* a host with a certificate of an authority of its own, which believes in ours: it takes the
 * qmaster for what it is, and is not taken for a host */
static char *forged_papers(struct papers *p)
{
    struct dstr text = DSTR_INIT;
    char *forger = path_join(p->dir, "forger"), *own = path_join(p->authority, TLS_FILE_AUTHORITY);
    assert_int_equal(authority_make(forger, NULL), 0);
    char *dir = papers_of(p, forger, "node3", TLS_HOST, 1000);
    char *to = path_join(dir, TLS_FILE_AUTHORITY);
    assert_int_equal(file_read(own, 10000, &text, NULL), 0);
    assert_int_equal(file_replace(to, text.s, text.len, 0644, NULL), 0);
    dstr_free(&text);
    free(to);
    free(own);
    free(forger);
    return dir;
}

static void a_self_made_certificate_is_refused(void **state)
{
    struct papers *p = *state;
    struct pair t =
        pair_of(papers_context(p, "master", TLS_QMASTER), context_in(forged_papers(p), TLS_HOST));
    expect_refusal(&t, "the certificate of node3 is not accepted", "refused our certificate");
}

static void name_falsely(X509 *x, const char *text)
{
    GENERAL_NAMES *names = GENERAL_NAMES_new();
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_IA5STRING *dns = ASN1_IA5STRING_new();
    assert_int_equal(ASN1_STRING_set(dns, text, -1), 1);
    GENERAL_NAME_set0_value(name, GEN_DNS, dns);
    assert_true(sk_GENERAL_NAME_push(names, name) > 0);
    assert_int_equal(X509_add1_ext_i2d(x, NID_subject_alt_name, names, 0, 0), 1);
    GENERAL_NAMES_free(names);
}

/* papers that somebody signed with a key of their own, with any text for a name */
static char *papers_that_say(struct papers *p, const char *text)
{
    char *dir = forged_papers(p), *own = path_join(dir, TLS_FILE_CERTIFICATE);
    char *own_key = path_join(dir, TLS_FILE_KEY);
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *x = X509_new();
    assert_int_equal(X509_set_version(x, X509_VERSION_3), 1);
    X509_gmtime_adj(X509_getm_notBefore(x), 0);
    X509_gmtime_adj(X509_getm_notAfter(x), 1000);
    X509_set_pubkey(x, key);
    name_falsely(x, text);
    assert_true(X509_sign(x, key, EVP_sha256()) > 0);
    FILE *f = fopen(own, "w");
    assert_int_equal(PEM_write_X509(f, x), 1);
    assert_int_equal(fclose(f), 0);
    f = fopen(own_key, "w");
    assert_int_equal(PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL, NULL), 1);
    assert_int_equal(fclose(f), 0);
    X509_free(x);
    EVP_PKEY_free(key);
    free(own);
    free(own_key);
    return dir;
}

static void what_a_forged_certificate_says_does_not_get_into_the_log(void **state)
{
    struct papers *p = *state;
    struct pair t = pair_of(papers_context(p, "master", TLS_QMASTER),
                            context_in(papers_that_say(p, "x\n11/22/2026|C|stop"), TLS_HOST));
    expect_refusal(&t, "the certificate of an unknown peer is not accepted",
                   "refused our certificate");
}

static void a_host_of_another_cell_does_not_believe_this_qmaster(void **state)
{
    struct papers *p = *state;
    int near, far;
    char *other = path_join(p->dir, "other");
    assert_int_equal(authority_make(other, NULL), 0);
    struct pair t = pair_of(papers_context(p, "master", TLS_QMASTER),
                            context_in(papers_of(p, other, "node4", TLS_HOST, 1000), TLS_HOST));
    greet_both(&t, &near, &far);
    assert_int_equal(near, -1);
    assert_int_equal(far, -1);
    assert_non_null(
        strstr(stream_why(&t.far, EPROTO), "the certificate of master is not accepted"));
    free(other);
    close_pair(&t);
}

static void no_host_can_pose_as_the_qmaster(void **state)
{
    struct papers *p = *state;
    int near, far;
    struct pair t =
        pair_of(context_in(papers_of(p, p->authority, "evil", TLS_HOST, 1000), TLS_QMASTER),
                papers_context(p, "node1", TLS_HOST));
    greet_both(&t, &near, &far);
    assert_int_equal(far, -1);
    assert_non_null(strstr(stream_why(&t.far, EPROTO), "the certificate of evil is not accepted"));
    close_pair(&t);
}

static void whoever_speaks_no_tls_is_refused(void **state)
{
    struct papers *p = *state;
    int fds[2];
    static const char hello[] = "GET / HTTP/1.0\r\n\r\n";
    struct tls_context *c = papers_context(p, "master", TLS_QMASTER);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    struct stream s = tls_stream(c, fds[0]);
    assert_int_equal(stream_greet(&s), 0);
    assert_int_equal(write(fds[1], hello, sizeof hello - 1), (ssize_t)sizeof hello - 1);
    assert_int_equal(stream_greet(&s), -1);
    assert_int_equal(errno, EPROTO);
    assert_string_equal(stream_why(&s, EPROTO), "it does not use TLS 1.3");
    assert_int_equal(stream_greet(&s), -1);
    stream_close(&s);
    close(fds[1]);
    tls_context_free(c);
}

static void whoever_hangs_up_in_the_greeting_is_gone(void **state)
{
    struct papers *p = *state;
    int fds[2];
    struct tls_context *c = papers_context(p, "master", TLS_QMASTER);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    struct stream s = tls_stream(c, fds[0]);
    close(fds[1]);
    assert_int_equal(stream_greet(&s), -1);
    assert_int_equal(errno, ECONNRESET);
    stream_close(&s);
    tls_context_free(c);
}

/* ---- bytes ---- */

static void nothing_is_read_or_written_before_the_greeting(void **state)
{
    struct papers *p = *state;
    char byte = 0;
    struct iovec v = { &byte, 1 };
    struct pair t =
        pair_of(papers_context(p, "master", TLS_QMASTER), papers_context(p, "node1", TLS_HOST));
    assert_int_equal(stream_read(&t.near, &v, 1), -1);
    assert_int_not_equal(errno, EAGAIN);
    assert_int_equal(stream_write(&t.far, &v, 1), -1);
    assert_int_not_equal(errno, EAGAIN);
    close_pair(&t);
}

enum { BYTES = 3 << 20 };

static uint8_t byte_at(size_t at)
{
    return (uint8_t)(at * 7 + at / 251);
}

/* up to three places of the LEN bytes at DATA, from AT on, of sizes that change */
static int places_at(uint8_t *data, size_t at, size_t len, struct iovec v[3])
{
    int n = 0;
    for (size_t size = at % 5 == 0 ? 40000 : 12 + at % 3000; n < 3 && at < len; size += 977) {
        size_t part = size < len - at ? size : len - at;
        v[n++] = (struct iovec){ data + at, part };
        at += part;
    }
    return n;
}

/* from one end to the other, each as far as it goes before the other has its turn */
static void pass_bytes(struct stream *from, struct stream *to)
{
    uint8_t *sent = uti_alloc(BYTES), *come = uti_calloc(1, BYTES);
    size_t n_sent = 0, n_come = 0;
    struct iovec v[3];
    for (size_t i = 0; i < BYTES; i++)
        sent[i] = byte_at(i);
    while (n_come < BYTES) {
        ssize_t n;
        while (n_sent < BYTES && (n = stream_write(from, v, places_at(sent, n_sent, BYTES, v))) > 0)
            n_sent += (size_t)n;
        size_t before = n_come;
        while (n_come < BYTES && (n = stream_read(to, v, places_at(come, n_come, BYTES, v))) > 0)
            n_come += (size_t)n;
        assert_true(n_come > before);
    }
    assert_memory_equal(sent, come, BYTES);
    free(sent);
    free(come);
}

static void bytes_pass_both_ways_whatever_the_pieces(void **state)
{
    struct pair t = greeted_pair(*state);
    pass_bytes(&t.near, &t.far);
    pass_bytes(&t.far, &t.near);
    close_pair(&t);
}

static void what_has_come_and_was_not_read_is_announced(void **state)
{
    struct pair t = greeted_pair(*state);
    char text[] = "hello", byte;
    struct iovec all = { text, sizeof text }, one = { &byte, 1 };
    assert_int_equal(stream_write(&t.near, &all, 1), sizeof text);
    for (size_t i = 0; i < sizeof text; i++) {
        assert_int_equal(stream_read(&t.far, &one, 1), 1);
        assert_int_equal(byte, text[i]);
        assert_int_equal(t.far.has_more, i + 1 < sizeof text);
    }
    assert_int_equal(stream_read(&t.far, &one, 1), -1);
    assert_int_equal(errno, EAGAIN);
    assert_false(t.far.has_more);
    close_pair(&t);
}

static void an_end_that_closes_is_heard_after_its_last_bytes(void **state)
{
    struct pair t = greeted_pair(*state);
    char text[] = "bye", back[10];
    struct iovec all = { text, sizeof text }, room = { back, sizeof back };
    assert_int_equal(stream_write(&t.near, &all, 1), sizeof text);
    stream_close(&t.near);
    assert_int_equal(stream_read(&t.far, &room, 1), sizeof text);
    assert_int_equal(stream_read(&t.far, &room, 1), 0);
    assert_int_equal(stream_read(&t.far, &room, 1), 0);
    assert_int_equal(stream_write(&t.far, &all, 1), -1);
    close_pair(&t);
}

static void an_end_that_is_killed_says_no_farewell_and_is_gone_all_the_same(void **state)
{
    struct pair t = greeted_pair(*state);
    char back[10];
    struct iovec room = { back, sizeof back };
    assert_int_equal(shutdown(t.near.fd, SHUT_RDWR), 0);
    assert_int_equal(stream_read(&t.far, &room, 1), 0);
    close_pair(&t);
}

#define WITH_PAPERS(test) cmocka_unit_test_setup_teardown(test, papers_start, papers_stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PAPERS(a_refused_user_hears_so_within_the_greeting),
        WITH_PAPERS(a_user_is_known_by_name_and_ids),
        WITH_PAPERS(each_end_learns_the_name_that_the_other_has_proved),
        WITH_PAPERS(an_expired_certificate_is_refused_with_a_line_on_both_sides),
        WITH_PAPERS(a_self_made_certificate_is_refused),
        WITH_PAPERS(what_a_forged_certificate_says_does_not_get_into_the_log),
        WITH_PAPERS(a_host_of_another_cell_does_not_believe_this_qmaster),
        WITH_PAPERS(no_host_can_pose_as_the_qmaster),
        WITH_PAPERS(whoever_speaks_no_tls_is_refused),
        WITH_PAPERS(whoever_hangs_up_in_the_greeting_is_gone),
        WITH_PAPERS(nothing_is_read_or_written_before_the_greeting),
        WITH_PAPERS(bytes_pass_both_ways_whatever_the_pieces),
        WITH_PAPERS(what_has_come_and_was_not_read_is_announced),
        WITH_PAPERS(an_end_that_closes_is_heard_after_its_last_bytes),
        WITH_PAPERS(an_end_that_is_killed_says_no_farewell_and_is_gone_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
