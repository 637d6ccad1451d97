/* Frames and connections of a server in a thread of its own, against plain sockets and
 * comm_client. */
#include "libs/comm/server.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/test/fixture.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

static void frames_come_back_in_order(void **state)
{
    expect_echoes(*state);
}

static void peer_is_who_the_kernel_says(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c = open_client(t);
    wait_sem(&t->opened);
    assert_int_equal(t->peer.uid, getuid());
    assert_int_equal(t->peer.gid, getgid());
    assert_int_equal(t->peer.pid, getpid());
    assert_true(t->peer.is_local && !t->peer.is_child);
    comm_client_close(c);
    wait_sem(&t->closed);
}

static void the_end_of_a_socketpair_becomes_a_connection(void **state)
{
    struct fixture *t = *state;
    struct comm_peer child = { .uid = 4711, .gid = 4712 };
    static const uint8_t echo[COMM_HEADER_BYTES + 1] = { 0, 0, 0, 1, 0, 0, 0, 5, KIND_ECHO };
    uint8_t back[sizeof echo];
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    comm_server_adopt(t->served.server, ends[0], &child);
    wait_sem(&t->opened);
    assert_int_equal(t->peer.uid, 4711);
    assert_true(t->peer.is_child && t->peer.is_local);
    assert_int_equal(write(ends[1], echo, sizeof echo), sizeof echo);
    assert_int_equal(recv(ends[1], back, sizeof back, MSG_WAITALL), sizeof back);
    assert_memory_equal(back, echo, sizeof echo);
    close(ends[1]);
    wait_sem(&t->closed);
}

static void long_body_goes_both_ways(void **state)
{
    enum { LEN = 8 * 1024 * 1024 + 13 };
    struct comm_client *c = open_client(*state);
    uint8_t *body = uti_alloc(LEN);
    for (size_t i = 0; i < LEN; i++)
        body[i] = (uint8_t)(i * 7 + i / 251);
    comm_client_send(c, KIND_ECHO, 9, body, LEN);
    comm_client_send(c, KIND_ECHO, 10, "x", 1);
    struct frame f = expect_frame(c);
    assert_int_equal(f.len, LEN);
    assert_memory_equal(f.body, body, LEN);
    free(f.body);
    f = expect_frame(c);
    assert_int_equal(f.serial, 10);
    free(f.body);
    free(body);
    comm_client_close(c);
}

static void torn_frames_are_put_together(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c = open_client(t);
    uint8_t bytes[COMM_HEADER_BYTES + 3];
    frame_header_pack(&(struct frame_header){ 3, 77, KIND_ECHO }, bytes);
    memcpy(bytes + COMM_HEADER_BYTES, "abc", 3);
    for (size_t i = 0; i < sizeof bytes; i++)
        assert_int_equal(send(comm_client_fd(c), bytes + i, 1, 0), 1);
    struct frame f = expect_frame(c);
    assert_int_equal(f.serial, 77);
    assert_memory_equal(f.body, "abc", 3);
    free(f.body);
    comm_client_close(c);
}

static void hostile_header_ends_the_connection(void **state)
{
    struct fixture *t = *state;
    uint8_t h[COMM_HEADER_BYTES] = { 0xff, 0xff, 0xff, 0xff };
    expect_hangup_after(t, h, sizeof h);
    assert_string_equal(t->why, "it began a message of kind 0 and 4294967295 bytes, the limit is "
                                "268435456 bytes");
    uint8_t pad[COMM_HEADER_BYTES] = { 0, 0, 0, 1, [11] = 1 };
    expect_hangup_after(t, pad, sizeof pad);
    assert_string_equal(t->why, "it sent bytes that are not a message");
    frame_header_pack(&(struct frame_header){ SHORT_MOST + 1, 1, KIND_SHORT }, h);
    expect_hangup_after(t, h, sizeof h);
    assert_string_equal(t->why,
                        "it began a message of kind 6 and 101 bytes, the limit is 100 bytes");
    assert_int_equal(t->n_frames, 0);
    assert_int_equal(t->n_refused, 3);
}

static void half_closed_in_a_frame_is_closed_without_it(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c = open_client(t);
    comm_client_send(c, KIND_HOLD, 1, "whole", 5);
    assert_int_equal(comm_client_flush(c, NULL), 0);
    uint8_t h[COMM_HEADER_BYTES];
    frame_header_pack(&(struct frame_header){ 1000, 2, KIND_HOLD }, h);
    assert_int_equal(send(comm_client_fd(c), h, sizeof h, 0), (ssize_t)sizeof h);
    assert_int_equal(shutdown(comm_client_fd(c), SHUT_WR), 0);
    wait_sem(&t->closed);
    assert_int_equal(t->n_frames, 1);
    assert_string_equal(t->why, "it ended in the middle of a message");
    comm_client_close(c);
}

static void a_client_that_goes_between_messages_is_no_event(void **state)
{
    struct fixture *t = *state;
    comm_client_close(open_client(t));
    wait_sem(&t->closed);
    assert_int_equal(t->n_refused, 0);
}

static void close_comes_after_what_is_queued(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c = open_client(t);
    comm_client_send(c, KIND_CLOSE, 3, NULL, 0);
    struct frame f = expect_frame(c);
    assert_int_equal(f.len, FLOOD_BYTES);
    free(f.body);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(comm_client_recv(c, 10000, &f, &ans), -1);
    assert_string_equal(ans_first_error(&ans), "connection closed by the peer");
    ans_free(&ans);
    wait_sem(&t->closed);
    comm_client_close(c);
}

/* long messages to many do not keep a client waiting for a short one */
static void a_short_message_passes_long_ones_to_others(void **state)
{
    struct fixture *t = *state;
    struct comm_client *other = open_client(t);
    expect_echo(other);
    t->other = t->last_conn;
    struct comm_client *c = open_client(t);
    expect_echo(c);
    uint64_t own = t->last_conn;
    comm_client_send(c, KIND_BOTH, 1, NULL, 0);
    free(expect_frame(c).body);
    struct frame f = expect_frame(other);
    assert_int_equal(f.len, FLOOD_BYTES);
    free(f.body);
    wait_sem(&t->closed);
    wait_sem(&t->closed);
    assert_int_equal(t->first_closed, own);
    comm_client_close(c);
    comm_client_close(other);
}

static void idle_comes_once_for_a_burst(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c = open_client(t);
    wait_sem(&t->opened);
    comm_client_send(c, KIND_ECHO, 0, NULL, 0); /* what opening caused is over when this is back */
    expect_frame(c);
    int before = t->n_idles;
    for (uint32_t i = 0; i < 100; i++)
        comm_client_send(c, KIND_ECHO, i, NULL, 0);
    for (uint32_t i = 0; i < 100; i++)
        free(expect_frame(c).body);
    assert_in_range(t->n_idles - before, 1, 10);
    assert_int_equal(t->n_frames, 101);
    comm_client_close(c);
}

static void unknown_connection_drops_what_is_sent(void **state)
{
    struct fixture *t = *state;
    comm_server_send(t->served.server, 4711, KIND_ECHO, 1, body_of(10, 'x'), 10);
    comm_server_flush(t->served.server);
    comm_server_close(t->served.server, 4711);
    assert_int_equal(comm_server_queued(t->served.server, 4711), 0);
}

enum { SENDERS = 8, EACH = 500 };
struct sender {
    struct fixture *t;
    uint8_t name;
};

static void *send_many(void *ctx)
{
    struct sender *s = ctx;
    for (uint32_t i = 0; i < EACH; i++) {
        comm_server_send(s->t->served.server, s->t->last_conn, s->name, i, body_of(1, s->name), 1);
        if (i % 50 == 49)
            comm_server_flush(s->t->served.server);
    }
    return NULL;
}

static void many_threads_send_to_one_connection(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c = open_client(t);
    wait_sem(&t->opened);
    struct sender senders[SENDERS];
    pthread_t threads[SENDERS];
    for (uint8_t i = 0; i < SENDERS; i++) {
        senders[i] = (struct sender){ t, i };
        assert_int_equal(pthread_create(&threads[i], NULL, send_many, &senders[i]), 0);
    }
    uint32_t next[SENDERS] = { 0 };
    for (int i = 0; i < SENDERS * EACH; i++) {
        struct frame f = expect_frame(c);
        assert_in_range(f.kind, 0, SENDERS - 1);
        assert_int_equal(f.serial, next[f.kind]++); /* each sender's frames keep their order */
        assert_int_equal(f.body[0], f.kind);
        free(f.body);
    }
    for (int i = 0; i < SENDERS; i++)
        pthread_join(threads[i], NULL);
    comm_client_close(c);
}

static void many_short_clients_are_served(void **state)
{
    struct fixture *t = *state;
    enum { CLIENTS = 120 };
    struct comm_client *c[CLIENTS];
    for (uint32_t i = 0; i < CLIENTS; i++) {
        c[i] = open_client(t);
        comm_client_send(c[i], KIND_ECHO, i, "q", 1);
        assert_int_equal(comm_client_flush(c[i], NULL), 0);
    }
    for (uint32_t i = 0; i < CLIENTS; i++) {
        struct frame f = expect_frame(c[i]);
        assert_int_equal(f.serial, i);
        free(f.body);
        comm_client_close(c[i]);
    }
    for (int i = 0; i < CLIENTS; i++)
        wait_sem(&t->closed);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(frames_come_back_in_order),
        SERVED(peer_is_who_the_kernel_says),
        SERVED(the_end_of_a_socketpair_becomes_a_connection),
        SERVED(long_body_goes_both_ways),
        SERVED(torn_frames_are_put_together),
        SERVED(hostile_header_ends_the_connection),
        SERVED(half_closed_in_a_frame_is_closed_without_it),
        SERVED(a_client_that_goes_between_messages_is_no_event),
        SERVED(close_comes_after_what_is_queued),
        SERVED(a_short_message_passes_long_ones_to_others),
        SERVED(idle_comes_once_for_a_burst),
        SERVED(unknown_connection_drops_what_is_sent),
        SERVED(many_threads_send_to_one_connection),
        SERVED(many_short_clients_are_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
