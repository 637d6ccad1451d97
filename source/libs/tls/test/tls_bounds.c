/* A peer that tries to decide how much the qmaster works: key updates, expensive groups, a greeting
 * without end, many small records. Its side is plain OpenSSL over a socketpair. */
#include <errno.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/tls/joining.h"
#include "libs/tls/test/papers.h"
#include "libs/tls/tls.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { UPDATES = 4, RECORDS = 200, RECORDS_OF_READ = 64, GREETING = 32 * 1024 };

struct fixture {
    struct papers *papers;
    struct tls_context *master;
    struct stream near; /* the qmaster's */
    SSL_CTX *ctx;
    SSL *far;
    int fd; /* of far */
};

/* the far end, with PAPERS a host, without them one that wants to join */
static void open_ends(struct fixture *t, const char *papers, const char *groups)
{
    static const unsigned char joins[] = "\x08" JOINING_ALPN;
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    t->near = tls_stream(t->master, fds[0]);
    t->fd = fds[1];
    t->ctx = SSL_CTX_new(TLS_client_method());
    assert_int_equal(SSL_CTX_set1_groups_list(t->ctx, groups), 1);
    if (papers != NULL) {
        char *key = path_join(papers, TLS_FILE_KEY), *own = path_join(papers, TLS_FILE_CERTIFICATE);
        SSL_CTX_use_certificate_file(t->ctx, own, SSL_FILETYPE_PEM);
        assert_int_equal(SSL_CTX_use_PrivateKey_file(t->ctx, key, SSL_FILETYPE_PEM), 1);
        free(key);
        free(own);
    } else {
        SSL_CTX_set_alpn_protos(t->ctx, joins, sizeof joins - 1);
    }
    t->far = SSL_new(t->ctx);
    assert_int_equal(SSL_set_fd(t->far, t->fd), 1);
    SSL_set_connect_state(t->far);
}

static int set_up(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    void *papers;
    papers_start(&papers);
    t->papers = papers;
    t->master = papers_context(t->papers, "master", TLS_QMASTER);
    tls_let_join(t->master, t->papers->authority);
    t->fd = -1;
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    void *papers = t->papers;
    stream_close(&t->near);
    SSL_free(t->far);
    SSL_CTX_free(t->ctx);
    close(t->fd);
    tls_context_free(t->master);
    papers_stop(&papers);
    free(t);
    return 0;
}

/* until the far end is done; returns what the qmaster's side said last */
static int greet_ends(struct fixture *t)
{
    int near = 0;
    for (int i = 0; i < 10; i++) {
        (void)SSL_do_handshake(t->far);
        near = near == 0 ? stream_greet(&t->near) : near;
    }
    return near;
}

static void come_as_host(struct fixture *t)
{
    char *dir = papers_of(t->papers, t->papers->authority, "node1", TLS_HOST, 1000);
    open_ends(t, dir, "P-256");
    assert_int_equal(greet_ends(t), 1);
    free(dir);
}

static void update_keys(struct fixture *t, int times)
{
    for (int i = 0; i < times; i++) {
        assert_int_equal(SSL_key_update(t->far, SSL_KEY_UPDATE_NOT_REQUESTED), 1);
        assert_int_equal(SSL_do_handshake(t->far), 1);
    }
}

static void send_bytes(struct fixture *t, const char *bytes, size_t n)
{
    assert_int_equal(SSL_write(t->far, bytes, (int)n), (int)n);
}

static ssize_t read_bytes(struct fixture *t, void *to, size_t room)
{
    struct iovec v = { to, room };
    return stream_read(&t->near, &v, 1);
}

static void expect_end_for_updates(const struct fixture *t)
{
    assert_int_equal(errno, EPROTO);
    assert_string_equal(stream_why(&t->near, EPROTO),
                        "it changed its keys more than 4 times (KeyUpdate)");
}

static void a_joiner_that_goes_on_to_change_its_keys_is_ended(void **state)
{
    struct fixture *t = *state;
    open_ends(t, NULL, "P-256");
    assert_int_equal(greet_ends(t), 0);
    update_keys(t, UPDATES + 1);
    assert_int_equal(stream_greet(&t->near), -1);
    expect_end_for_updates(t);
}

static void a_host_that_goes_on_to_change_its_keys_is_ended(void **state)
{
    struct fixture *t = *state;
    char back[8];
    come_as_host(t);
    update_keys(t, UPDATES + 1);
    send_bytes(t, "hello", 5);
    assert_int_equal(read_bytes(t, back, sizeof back), -1);
    expect_end_for_updates(t);
}

static void a_host_may_change_its_keys_sometimes(void **state)
{
    struct fixture *t = *state;
    char back[8];
    come_as_host(t);
    for (int i = 0; i < UPDATES; i++) {
        update_keys(t, 1);
        send_bytes(t, "hello", 5);
        assert_int_equal(read_bytes(t, back, sizeof back), 5);
    }
}

static void a_group_of_expensive_arithmetic_is_refused(void **state)
{
    struct fixture *t = *state;
    open_ends(t, NULL, "ffdhe8192");
    assert_int_equal(greet_ends(t), -1);
    assert_int_equal(SSL_is_init_finished(t->far), 0);
    assert_non_null(strstr(stream_why(&t->near, EPROTO), "no suitable key share"));
}

static void a_cheap_group_is_taken_in_its_place(void **state)
{
    struct fixture *t = *state;
    open_ends(t, NULL, "ffdhe8192:P-256");
    assert_int_equal(greet_ends(t), 0);
    assert_int_equal(SSL_is_init_finished(t->far), 1);
}

/* a message of the handshake that says it has 120,000 bytes, in records of 16 KiB */
static void a_greeting_without_end_is_ended(void **state)
{
    struct fixture *t = *state;
    static uint8_t record[5 + 16384] = { 22, 3, 1, 0x40, 0 };
    static const uint8_t hello[] = { 1, 0x01, 0xd4, 0xc0 };
    int rc = 0;
    open_ends(t, NULL, "P-256");
    memcpy(record + 5, hello, sizeof hello);
    size_t sent = 0;
    while (rc == 0) {
        assert_int_equal(send(t->fd, record, sizeof record, 0), sizeof record);
        sent += sizeof record;
        memset(record + 5, 0, sizeof hello);
        rc = stream_greet(&t->near);
        assert_true(sent <= GREETING + 2 * sizeof record);
    }
    assert_string_equal(stream_why(&t->near, EPROTO),
                        "it sent more than 32768 bytes before it authenticated");
}

static void a_read_takes_few_records_however_small(void **state)
{
    struct fixture *t = *state;
    char back[RECORDS];
    come_as_host(t);
    for (int i = 0; i < RECORDS; i++)
        send_bytes(t, "x", 1);
    for (ssize_t all = 0, n; all < RECORDS; all += n) {
        n = read_bytes(t, back, sizeof back);
        assert_true(n > 0 && n <= RECORDS_OF_READ);
    }
}

#define BOUNDED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOUNDED(a_joiner_that_goes_on_to_change_its_keys_is_ended),
        BOUNDED(a_host_that_goes_on_to_change_its_keys_is_ended),
        BOUNDED(a_host_may_change_its_keys_sometimes),
        BOUNDED(a_group_of_expensive_arithmetic_is_refused),
        BOUNDED(a_cheap_group_is_taken_in_its_place),
        BOUNDED(a_greeting_without_end_is_ended),
        BOUNDED(a_read_takes_few_records_however_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
