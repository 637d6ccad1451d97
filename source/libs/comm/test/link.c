/* A link and a server on one loop: one thread, every step in order. */
#include "libs/comm/link.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "libs/comm/loop.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/file.h"

struct fixture {
    char dir[40];
    char *path;
    struct loop *loop;
    struct comm_server *server;
    struct link *link;
    struct loop_timer *late;
    int n_ups, n_downs, n_frames;
    uint32_t next_serial;
    char why[128];
    void (*on_up)(struct fixture *t);
    void (*on_reply)(struct fixture *t);
    void (*on_down)(struct fixture *t);
};

static void server_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    (void)ctx;
    (void)conn;
    (void)peer;
}

/* kind 1 comes back, kind 2 ends the connection */
static void server_frame(void *ctx, uint64_t conn, struct frame *f)
{
    struct fixture *t = ctx;
    comm_server_done(t->server, conn, f->len);
    if (f->kind == 1)
        comm_server_send(t->server, conn, f->kind, f->serial, f->body, f->len);
    else
        free(f->body);
    if (f->kind == 2)
        comm_server_close(t->server, conn);
}

static void server_idle(void *ctx)
{
    comm_server_flush(((struct fixture *)ctx)->server);
}

static void server_conn(void *ctx, uint64_t conn)
{
    (void)ctx;
    (void)conn;
}

static const struct comm_server_ops server_ops = {
    .opened = server_opened,
    .frame = server_frame,
    .idle = server_idle,
    .closed = server_conn,
    .drained = server_conn,
};

static void link_up(void *ctx)
{
    struct fixture *t = ctx;
    t->n_ups++;
    t->next_serial = 0;
    assert_true(link_is_up(t->link));
    if (t->on_up != NULL)
        t->on_up(t);
}

static void link_frame(void *ctx, struct frame *f)
{
    struct fixture *t = ctx;
    assert_int_equal(f->serial, t->next_serial++);
    free(f->body);
    t->n_frames++;
    if (t->on_reply != NULL)
        t->on_reply(t);
}

static void link_down(void *ctx, const char *why)
{
    struct fixture *t = ctx;
    t->n_downs++;
    strncat(t->why, why, sizeof t->why - 1 - strlen(t->why));
    assert_false(link_is_up(t->link));
    if (t->on_down != NULL)
        t->on_down(t);
}

static const struct link_ops link_ops = { .up = link_up, .frame = link_frame, .down = link_down };

static void listen_now(void *ctx)
{
    struct fixture *t = ctx;
    t->server = comm_server_new(t->loop, &server_ops, t);
    assert_int_equal(comm_server_listen(t->server, t->path, 0600, NULL), 0);
}

static int start_without_server(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    memcpy(t->dir, "/tmp/link-test-XXXXXX", 22);
    assert_non_null(mkdtemp(t->dir));
    t->path = path_join(t->dir, "s");
    t->loop = loop_new(NULL);
    assert_non_null(t->loop);
    t->late = loop_timer_new(t->loop, listen_now, t);
    t->link = link_new(t->loop, t->path, &link_ops, t);
    *state = t;
    return 0;
}

/* the link and the server have the two ends of a socketpair */
static int start_adopted(void **state)
{
    int ends[2];
    start_without_server(state);
    struct fixture *t = *state;
    link_free(t->link);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
    t->server = comm_server_new(t->loop, &server_ops, t);
    comm_server_adopt(t->server, ends[0], &(struct comm_peer){ .uid = 0 });
    t->link = link_adopt(t->loop, ends[1], &link_ops, t);
    return 0;
}

static int set_up(void **state)
{
    start_without_server(state);
    listen_now(*state);
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    link_free(t->link);
    comm_server_free(t->server);
    loop_timer_free(t->late);
    loop_free(t->loop);
    file_rmtree(t->dir, NULL);
    free(t->path);
    free(t);
    return 0;
}

static void send_kind(struct fixture *t, uint8_t kind, uint32_t serial)
{
    link_send(t->link, kind, serial, uti_calloc(1, 8), 8);
}

static void send_hundred(struct fixture *t)
{
    for (uint32_t i = 0; i < 100; i++)
        send_kind(t, 1, i);
}

static void stop_at_hundred(struct fixture *t)
{
    if (t->n_frames == 100)
        loop_stop(t->loop);
}

static void frames_go_and_come_in_order(void **state)
{
    struct fixture *t = *state;
    t->on_up = send_hundred;
    t->on_reply = stop_at_hundred;
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n_ups, 1);
    assert_int_equal(t->n_downs, 0);
}

static void a_late_server_is_found(void **state)
{
    struct fixture *t = *state;
    send_kind(t, 1, 77); /* nobody there: dropped */
    assert_false(link_is_up(t->link));
    loop_timer_set(t->late, 20000);
    frames_go_and_come_in_order(state);
}

static void stop_late(void *ctx)
{
    loop_stop(ctx);
}

static void be_refused(struct fixture *t)
{
    if (t->n_ups == 1)
        link_refused(t->link);
    else
        loop_stop(t->loop);
}

static void end_the_server(struct fixture *t)
{
    comm_server_free(t->server);
    t->server = NULL;
    loop_timer_set(t->late, 20000);
}

/* who was refused waits for five seconds at least; the second timer ends the test before that */
static void a_server_that_comes_back_ends_the_pause(void **state)
{
    struct fixture *t = *state;
    struct loop_timer *too_late = loop_timer_new(t->loop, stop_late, t->loop);
    loop_timer_set(too_late, 4500000);
    t->on_up = be_refused;
    t->on_down = end_the_server;
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n_downs, 1);
    assert_int_equal(t->n_ups, 2);
    loop_timer_free(too_late);
}

static void ask_for_the_end(struct fixture *t)
{
    if (t->n_ups == 1)
        send_kind(t, 2, 0);
    else
        loop_stop(t->loop);
}

static void a_lost_connection_is_made_again(void **state)
{
    struct fixture *t = *state;
    t->on_up = ask_for_the_end;
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n_ups, 2);
    assert_int_equal(t->n_downs, 1);
    assert_string_equal(t->why, "connection closed by the peer");
}

static void try_in_vain(struct fixture *t)
{
    assert_false(link_is_up(t->link));
    loop_timer_set(t->late, 300000); /* longer than the first pause of one that tries again */
}

static void an_inherited_connection_is_not_made_again(void **state)
{
    struct fixture *t = *state;
    t->on_up = ask_for_the_end;
    t->on_down = try_in_vain;
    loop_timer_free(t->late);
    t->late = loop_timer_new(t->loop, stop_late, t->loop);
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n_ups, 1);
    assert_int_equal(t->n_downs, 1);
}

static void drop_at_first(struct fixture *t)
{
    if (t->n_frames == 1) {
        link_drop(t->link);
        assert_false(link_is_up(t->link));
        send_kind(t, 1, 5); /* goes nowhere, harms nobody */
    }
}

static void stop_when_down(struct fixture *t)
{
    loop_stop(t->loop);
}

static void a_drop_from_within_is_done_after_the_callback(void **state)
{
    struct fixture *t = *state;
    t->on_up = send_hundred;
    t->on_reply = drop_at_first;
    t->on_down = stop_when_down;
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n_frames, 1); /* what had come behind it is not handed over */
    assert_string_equal(t->why, "dropped");
}

static void send_much(struct fixture *t)
{
    enum { LEN = 3 << 20 };
    link_send(t->link, 1, 0, uti_calloc(1, LEN), LEN);
    link_send(t->link, 1, 1, uti_calloc(1, LEN), LEN);
}

static void stop_at_two(struct fixture *t)
{
    if (t->n_frames == 2)
        loop_stop(t->loop);
}

static void long_bodies_wait_for_the_peer(void **state)
{
    struct fixture *t = *state;
    t->on_up = send_much;
    t->on_reply = stop_at_two;
    assert_int_equal(loop_run(t->loop), 0);
}

#define LINKED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LINKED(frames_go_and_come_in_order),
        cmocka_unit_test_setup_teardown(a_late_server_is_found, start_without_server, tear_down),
        LINKED(a_lost_connection_is_made_again),
        LINKED(a_server_that_comes_back_ends_the_pause),
        cmocka_unit_test_setup_teardown(frames_go_and_come_in_order, start_adopted, tear_down),
        cmocka_unit_test_setup_teardown(an_inherited_connection_is_not_made_again, start_adopted,
                                        tear_down),
        LINKED(a_drop_from_within_is_done_after_the_callback),
        LINKED(long_bodies_wait_for_the_peer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
