/* A server and a link over TLS over TCP on one loop: who comes in under which name, who is ended,
 * and what both sides hear. */
#include "libs/tls/tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/link.h"
#include "libs/comm/loop.h"
#include "libs/comm/server.h"
#include "libs/tls/ledger.h"
#include "libs/tls/test/papers.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/time.h"

enum { CROWD = 300, LONG_BODY = 3 << 20, FRAMES = 50, SHORT_LIFE_S = 1, SHORT_MS = 5 };

struct fixture {
    struct papers *papers;
    struct tls_context *master, *node;
    struct loop *loop;
    struct comm_server *server;
    struct link *link, *second;
    /* once all frames are back; NULL: the loop ends */
    void (*when_back)(struct fixture *t);
    uint16_t port;
    bool is_v4;
    int silent[CROWD]; /* who connect and say nothing */
    int n_silent, n_opened, n_closed, n_back;
    /* arrivals are refused on a thread of their own */
    _Atomic int n_refused, n_downs, n_failed;
    char name[64], from[TCP_ADDRESS_BYTES], refused[512], heard[512];
    bool was_local;
    int refusals_wanted; /* the loop ends with so many, */
    int failures_wanted; /* and so many connections that failed or were lost */
};

static void note_text(char *to, size_t size, const char *text)
{
    size_t len = strnlen(text, size - 1);
    memcpy(to, text, len);
    to[len] = '\0';
}

static void stop_when_done(struct fixture *t)
{
    if (t->n_refused >= t->refusals_wanted && t->n_downs + t->n_failed >= t->failures_wanted)
        loop_stop(t->loop);
}

static void on_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    struct fixture *t = ctx;
    (void)conn;
    t->n_opened++;
    t->was_local = peer->is_local;
    assert_true(peer->uid == COMM_NO_UID);
    note_text(t->name, sizeof t->name, peer->host);
    note_text(t->from, sizeof t->from, peer->from);
}

static void on_frame(void *ctx, uint64_t conn, struct frame *f)
{
    struct fixture *t = ctx;
    comm_server_send(t->server, conn, f->kind, f->serial, f->body, f->len);
    comm_server_done(t->server, conn, f->len);
}

static void on_idle(void *ctx)
{
    comm_server_flush(((struct fixture *)ctx)->server);
}

static void on_closed(void *ctx, uint64_t conn)
{
    (void)conn;
    ((struct fixture *)ctx)->n_closed++;
}

static void on_drained(void *ctx, uint64_t conn)
{
    (void)ctx;
    (void)conn;
}

static void on_refused(void *ctx, const struct comm_peer *peer, const char *why)
{
    struct fixture *t = ctx;
    assert_string_not_equal(peer->from, "");
    note_text(t->refused, sizeof t->refused, why);
    t->n_refused++;
    if (t->refusals_wanted > 0)
        stop_when_done(t);
}

static const struct comm_server_ops server_ops = { .opened = on_opened,
                                                   .frame = on_frame,
                                                   .idle = on_idle,
                                                   .closed = on_closed,
                                                   .drained = on_drained,
                                                   .refused = on_refused };

static struct stream wrap_stream(void *ctx, int fd)
{
    return tls_stream(((struct fixture *)ctx)->master, fd);
}

static void link_up(void *ctx)
{
    struct fixture *t = ctx;
    for (uint32_t i = 0; i < FRAMES; i++) {
        size_t len = i < FRAMES - 1 ? i * 100 : LONG_BODY;
        link_send(t->link, 1, i, uti_calloc(1, len + 1), len);
    }
}

static void link_frame(void *ctx, struct frame *f)
{
    struct fixture *t = ctx;
    assert_int_equal(f->serial, t->n_back++);
    free(f->body);
    if (t->n_back == FRAMES && t->when_back != NULL)
        t->when_back(t);
    else if (t->n_back == FRAMES)
        loop_stop(t->loop);
}

static void link_down(void *ctx, const char *why)
{
    struct fixture *t = ctx;
    t->n_downs++;
    note_text(t->heard, sizeof t->heard, why);
    stop_when_done(t);
}

static void link_failed(void *ctx, const char *why)
{
    struct fixture *t = ctx;
    t->n_failed++;
    note_text(t->heard, sizeof t->heard, why);
    stop_when_done(t);
}

static const struct link_ops link_ops = {
    .up = link_up, .frame = link_frame, .down = link_down, .failed = link_failed
};

static int connect_somehow(struct fixture *t)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET,
                              .sin_port = htons(t->port),
                              .sin_addr = { htonl(INADDR_LOOPBACK) } };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6,
                               .sin6_port = htons(t->port),
                               .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    int fd = t->is_v4 ? -1 : tcp_connect((const struct sockaddr *)&v6, sizeof v6);
    return fd >= 0 ? fd : tcp_connect((const struct sockaddr *)&v4, sizeof v4);
}

static struct stream dial_server(void *ctx, const char **why)
{
    struct fixture *t = ctx;
    int fd = connect_somehow(t);
    if (fd >= 0)
        return tls_stream(t->node, fd);
    *why = strerror(errno);
    return (struct stream)STREAM_CLOSED;
}

static void ignore_up(void *ctx)
{
    (void)ctx;
}

static void ignore_end(void *ctx, const char *why)
{
    (void)ctx;
    (void)why;
}

static void start_second(struct fixture *t)
{
    static const struct link_ops quiet = { .up = ignore_up, .down = ignore_end };
    struct link_dial dial = { dial_server, t, 10000 };
    t->second = link_dialled(t->loop, &dial, &quiet, t);
}

static int set_up(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    void *papers;
    papers_start(&papers);
    t->papers = papers;
    t->master = papers_context(t->papers, "master", TLS_QMASTER);
    assert_int_equal(tls_heed_ledger(t->master, t->papers->authority, NULL), 0);
    t->node = papers_context(t->papers, "node1", TLS_HOST);
    t->loop = loop_new(NULL);
    t->server = comm_server_new(t->loop, &server_ops, t);
    struct comm_limits limits = comm_limits_usual();
    limits.look_ms = SHORT_MS;
    comm_server_set_limits(t->server, &limits);
    assert_int_equal(comm_server_listen_tcp(t->server, 0, wrap_stream, t, NULL), 0);
    t->port = comm_server_port(t->server);
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    void *papers = t->papers;
    link_free(t->link);
    link_free(t->second);
    comm_server_free(t->server);
    for (int i = 0; i < t->n_silent; i++)
        close(t->silent[i]);
    tls_context_free(t->master);
    tls_context_free(t->node);
    loop_free(t->loop);
    papers_stop(&papers);
    free(t);
    return 0;
}

static void start_link(struct fixture *t, uint32_t greeting_ms)
{
    struct link_dial dial = { dial_server, t, greeting_ms };
    t->link = link_dialled(t->loop, &dial, &link_ops, t);
}

static void exchange_frames(struct fixture *t)
{
    start_link(t, 10000);
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n_back, FRAMES);
    assert_string_equal(t->name, "node1");
    assert_false(t->was_local);
}

static void a_host_comes_in_under_the_name_that_it_has_proved(void **state)
{
    struct fixture *t = *state;
    exchange_frames(t);
    assert_int_equal(t->n_opened, 1);
    assert_int_equal(t->n_failed + t->n_downs + t->n_refused, 0);
}

static void it_comes_over_ipv4_as_well(void **state)
{
    struct fixture *t = *state;
    t->is_v4 = true;
    exchange_frames(t);
    assert_non_null(strstr(t->from, "127.0.0.1 port "));
}

static void a_host_that_comes_again_replaces_itself(void **state)
{
    struct fixture *t = *state;
    t->when_back = start_second;
    t->refusals_wanted = 1;
    exchange_frames(t);
    assert_non_null(strstr(t->refused, "the same host has connected again, from "));
    assert_int_equal(t->n_closed, 1);
    assert_int_equal(t->n_opened, 2);
}

static struct stream dial_from_elsewhere(void *ctx, const char **why SGE_UNUSED)
{
    struct fixture *t = ctx;
    struct sockaddr_in own = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK + 1) } };
    struct sockaddr_in server = { .sin_family = AF_INET,
                                  .sin_port = htons(t->port),
                                  .sin_addr = { htonl(INADDR_LOOPBACK) } };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&own, sizeof own), 0);
    (void)connect(fd, (struct sockaddr *)&server, sizeof server);
    return tls_stream(t->node, fd);
}

static void start_second_elsewhere(struct fixture *t)
{
    static const struct link_ops quiet = { .up = ignore_up, .down = ignore_end };
    struct link_dial dial = { dial_from_elsewhere, t, 10000 };
    t->second = link_dialled(t->loop, &dial, &quiet, t);
}

/* somebody else has the key of the same host */
static void another_address_is_refused_while_the_host_is_there(void **state)
{
    struct fixture *t = *state;
    t->is_v4 = true;
    t->when_back = start_second_elsewhere;
    t->refusals_wanted = 1;
    exchange_frames(t);
    assert_non_null(strstr(t->refused, "node1 is already connected from 127.0.0.1 port "));
    assert_non_null(strstr(t->refused, "and now connects from 127.0.0.2 port "));
    assert_int_equal(t->n_closed, 0);
    assert_int_equal(t->n_opened, 1);
}

static void who_proves_nothing_is_ended_in_time(void **state)
{
    struct fixture *t = *state;
    struct comm_limits limits = comm_limits_usual();
    limits.greeting_ms = 50;
    comm_server_set_limits(t->server, &limits);
    t->silent[t->n_silent++] = connect_somehow(t);
    t->refusals_wanted = 1;
    assert_int_equal(loop_run(t->loop), 0);
    assert_string_equal(t->refused, "it did not authenticate within 0.05 seconds");
    assert_int_equal(t->n_opened, 0);
}

static void a_crowd_that_proves_nothing_keeps_no_host_out(void **state)
{
    struct fixture *t = *state;
    while (t->n_silent < CROWD)
        t->silent[t->n_silent++] = connect_somehow(t);
    exchange_frames(t);
    assert_true(t->n_refused > 0);
    assert_non_null(strstr(t->refused, "too many unauthenticated connections, the "
                                       "limit is 256: it was the oldest of "));
}

static void an_expired_host_hears_why_and_so_does_the_log(void **state)
{
    struct fixture *t = *state;
    tls_context_free(t->node);
    char *dir = papers_of(t->papers, t->papers->authority, "node2", TLS_HOST, -10);
    t->node = tls_context_new(dir, TLS_HOST, NULL);
    free(dir);
    t->refusals_wanted = t->failures_wanted = 1;
    start_link(t, 10000);
    assert_int_equal(loop_run(t->loop), 0);
    assert_string_equal(t->refused,
                        "the certificate of node2 is not accepted: certificate has expired");
    assert_non_null(strstr(t->heard, "the peer refused our certificate"));
    assert_int_equal(t->n_opened, 0);
}

static void revoke_node(struct fixture *t)
{
    assert_int_equal(ledger_revoke(t->papers->authority, "node1", uti_now_s(), NULL), 1);
}

static void a_revoked_host_hears_why_and_so_does_the_log(void **state)
{
    struct fixture *t = *state;
    revoke_node(t);
    t->refusals_wanted = t->failures_wanted = 1;
    start_link(t, 10000);
    assert_int_equal(loop_run(t->loop), 0);
    assert_string_equal(t->refused,
                        "the certificate of node1 is not accepted: certificate revoked");
    assert_non_null(strstr(t->heard, "refused our certificate: certificate revoked"));
    assert_int_equal(t->n_opened, 0);
}

static void the_connection_of_a_host_ends_when_it_is_revoked(void **state)
{
    struct fixture *t = *state;
    t->when_back = revoke_node;
    t->refusals_wanted = t->failures_wanted = 1;
    exchange_frames(t);
    assert_string_equal(t->refused,
                        "the certificate of node1 is not accepted: certificate revoked");
    assert_int_equal(t->n_opened, 1);
    assert_int_equal(t->n_closed, 1);
}

static void wait_for_the_end(struct fixture *t)
{
    (void)t;
}

static void the_connection_of_a_host_ends_with_its_certificate(void **state)
{
    struct fixture *t = *state;
    tls_context_free(t->node);
    char *dir = papers_of(t->papers, t->papers->authority, "node1", TLS_HOST, SHORT_LIFE_S);
    t->node = tls_context_new(dir, TLS_HOST, NULL);
    free(dir);
    t->when_back = wait_for_the_end;
    t->refusals_wanted = t->failures_wanted = 1;
    start_link(t, 10000);
    assert_int_equal(loop_run(t->loop), 0);
    assert_string_equal(t->refused,
                        "the certificate of node1 is not accepted: certificate has expired");
}

static void a_link_gives_up_a_greeting_that_takes_too_long(void **state)
{
    struct fixture *t = *state;
    int fd = tcp_listen(0); /* the kernel connects whoever comes, and nobody says a word */
    t->port = tcp_port(fd);
    t->failures_wanted = 1;
    start_link(t, 50);
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n_failed, 1);
    assert_string_equal(t->heard, "no greeting in time");
    close(fd);
}

static void a_link_says_that_nobody_listens(void **state)
{
    struct fixture *t = *state;
    int fd = tcp_listen(0);
    t->port = tcp_port(fd);
    close(fd);
    t->failures_wanted = 2; /* and tries again */
    t->is_v4 = true;
    start_link(t, 10000);
    assert_int_equal(loop_run(t->loop), 0);
    assert_string_equal(t->heard, "Connection refused");
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(a_host_comes_in_under_the_name_that_it_has_proved),
        SERVED(it_comes_over_ipv4_as_well),
        SERVED(a_host_that_comes_again_replaces_itself),
        SERVED(another_address_is_refused_while_the_host_is_there),
        SERVED(who_proves_nothing_is_ended_in_time),
        SERVED(a_crowd_that_proves_nothing_keeps_no_host_out),
        SERVED(an_expired_host_hears_why_and_so_does_the_log),
        SERVED(a_revoked_host_hears_why_and_so_does_the_log),
        SERVED(the_connection_of_a_host_ends_when_it_is_revoked),
        SERVED(the_connection_of_a_host_ends_with_its_certificate),
        SERVED(a_link_gives_up_a_greeting_that_takes_too_long),
        SERVED(a_link_says_that_nobody_listens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
