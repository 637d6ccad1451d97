/* The plain client against a bare socket, which can do what comm's server never does. */
#include "libs/comm/client.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct fixture {
    char dir[40];
    char *path;
    int listener;
    struct comm_client *c;
    int server; /* the other end of c */
    struct answer ans;
};

static int start_listener(void **state)
{
    static struct fixture t;
    t = (struct fixture){ .dir = "/tmp/client-test-XXXXXX", .server = -1 };
    assert_non_null(mkdtemp(t.dir));
    t.path = path_join(t.dir, "s");
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    memcpy(a.sun_path, t.path, strlen(t.path));
    t.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(t.listener, (const struct sockaddr *)&a, sizeof a), 0);
    *state = &t;
    return listen(t.listener, 0);
}

static int set_up(void **state)
{
    start_listener(state);
    struct fixture *t = *state;
    t->c = comm_client_open(t->path, 1000, NULL);
    assert_non_null(t->c);
    t->server = accept(t->listener, NULL, NULL);
    return t->server >= 0 ? 0 : -1;
}

static void end_server(struct fixture *t)
{
    if (t->server >= 0)
        close(t->server);
    t->server = -1;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    comm_client_close(t->c);
    end_server(t);
    close(t->listener);
    ans_free(&t->ans);
    free(t->path);
    return file_rmtree(t->dir, NULL);
}

static void say_bytes(struct fixture *t, const void *bytes, size_t len)
{
    assert_int_equal(send(t->server, bytes, len, 0), (ssize_t)len);
}

static void a_full_queue_is_waited_for_and_then_reported(void **state)
{
    struct fixture *t = *state;
    struct comm_client *waiting[8];
    int n = 0;
    do
        waiting[n] = comm_client_open(t->path, 20, &t->ans);
    while (waiting[n] != NULL && ++n < 8);
    assert_in_range(n, 1, 7);
    assert_int_equal(t->ans.v[0].status, STATUS_ENOCONN);
    assert_non_null(strstr(t->ans.v[0].text, "Connection timed out"));
    while (n > 0)
        comm_client_close(waiting[--n]);
}

static void nobody_there_is_one_clear_line(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    assert_null(comm_client_open("/nonexistent/s", 100, &ans));
    assert_int_equal(ans.n, 1);
    assert_int_equal(ans.v[0].status, STATUS_ENOCONN);
    assert_string_equal(ans.v[0].text, "No such file or directory");
    ans_free(&ans);
}

static void silence_is_a_timeout(void **state)
{
    struct fixture *t = *state;
    struct frame f;
    assert_int_equal(comm_client_recv(t->c, 1, &f, &t->ans), 0);
    assert_int_equal(t->ans.n, 0);
}

static void several_frames_leave_in_one_write(void **state)
{
    struct fixture *t = *state;
    comm_client_send(t->c, 1, 1, "ab", 2);
    comm_client_send(t->c, 2, 1, "c", 1);
    char bytes[100];
    assert_int_equal(recv(t->server, bytes, sizeof bytes, MSG_DONTWAIT), -1);
    assert_int_equal(comm_client_flush(t->c, NULL), 0);
    assert_int_equal(recv(t->server, bytes, sizeof bytes, 0), 2 * COMM_HEADER_BYTES + 3);
}

static void a_frame_that_stops_midway_is_a_loss(void **state)
{
    struct fixture *t = *state;
    uint8_t b[COMM_HEADER_BYTES];
    frame_header_pack(&(struct frame_header){ 100, 1, 1 }, b);
    say_bytes(t, b, sizeof b);
    say_bytes(t, "only this", 9);
    struct frame f;
    assert_int_equal(comm_client_recv(t->c, 1, &f, &t->ans), 0);
    end_server(t);
    assert_int_equal(comm_client_recv(t->c, 1000, &f, &t->ans), -1);
    assert_int_equal(t->ans.v[0].status, STATUS_ENOCONN);
}

static void what_was_whole_comes_before_the_loss(void **state)
{
    struct fixture *t = *state;
    uint8_t b[3 * COMM_HEADER_BYTES] = { 0 };
    say_bytes(t, b, sizeof b);
    end_server(t);
    struct frame f;
    for (int i = 0; i < 3; i++)
        assert_int_equal(comm_client_recv(t->c, -1, &f, &t->ans), 1);
    assert_int_equal(comm_client_recv(t->c, -1, &f, &t->ans), -1);
}

static void what_was_said_before_a_hang_up_is_heard_by_who_still_writes(void **state)
{
    struct fixture *t = *state;
    uint8_t b[2 * COMM_HEADER_BYTES] = { 0 };
    say_bytes(t, b, sizeof b);
    end_server(t);
    struct frame f;
    for (int i = 0; i < 2; i++) {
        comm_client_send(t->c, 1, 1, "x", 1);
        assert_int_equal(comm_client_recv(t->c, -1, &f, &t->ans), 1);
    }
    assert_int_equal(t->ans.n, 0);
    comm_client_send(t->c, 1, 1, "x", 1);
    assert_int_equal(comm_client_recv(t->c, -1, &f, &t->ans), -1);
    assert_int_equal(t->ans.v[0].status, STATUS_ENOCONN);
}

static void rubbish_is_no_loss_but_an_error(void **state)
{
    struct fixture *t = *state;
    say_bytes(t, "HTTP/1.1 400 Bad Request", 24);
    struct frame f;
    assert_int_equal(comm_client_recv(t->c, 1000, &f, &t->ans), -1);
    assert_int_equal(t->ans.v[0].status, STATUS_EPROTO);
    assert_string_equal(t->ans.v[0].text, "malformed frame received");
}

static void writing_to_nobody_is_an_error_not_a_signal(void **state)
{
    struct fixture *t = *state;
    end_server(t);
    comm_client_send(t->c, 1, 1, "x", 1);
    assert_int_equal(comm_client_flush(t->c, &t->ans), -1);
    assert_int_equal(t->ans.v[0].status, STATUS_ENOCONN);
    assert_string_equal(t->ans.v[0].text, "cannot send: Broken pipe");
}

static void a_descriptor_ends_the_wait(void **state)
{
    struct fixture *t = *state;
    struct frame f;
    uint8_t b[COMM_HEADER_BYTES] = { 0 };
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    comm_client_stop_on(t->c, fds[0]);
    assert_int_equal(comm_client_recv(t->c, 1, &f, &t->ans), 0); /* the time is over */
    assert_int_equal(write(fds[1], "x", 1), 1);
    assert_int_equal(comm_client_recv(t->c, -1, &f, &t->ans), 0);
    say_bytes(t, b, sizeof b); /* what has come is taken all the same */
    assert_int_equal(comm_client_recv(t->c, -1, &f, &t->ans), 1);
    assert_int_equal(comm_client_recv(t->c, -1, &f, &t->ans), 0);
    assert_int_equal(t->ans.n, 0);
    close(fds[0]);
    close(fds[1]);
}

#define CONNECTED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_full_queue_is_waited_for_and_then_reported,
                                        start_listener, tear_down),
        cmocka_unit_test(nobody_there_is_one_clear_line),
        CONNECTED(silence_is_a_timeout),
        CONNECTED(several_frames_leave_in_one_write),
        CONNECTED(a_frame_that_stops_midway_is_a_loss),
        CONNECTED(what_was_whole_comes_before_the_loss),
        CONNECTED(what_was_said_before_a_hang_up_is_heard_by_who_still_writes),
        CONNECTED(rubbish_is_no_loss_but_an_error),
        CONNECTED(writing_to_nobody_is_an_error_not_a_signal),
        CONNECTED(a_descriptor_ends_the_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
