/* Bytes between two streams, in both directions, up to the end of either side, and what a side
 * costs that takes nothing. */
#include "libs/comm/bridge.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

enum { GREETING_MS = 10000, SILENT_S = 60, STEP_US = 1000, BYTES = 4 * 1024 * 1024 };

struct scene {
    struct loop *loop;
    struct loop_timer *timer;
    void (*step)(struct scene *s);
    struct bridge *bridge;
    int near, far; /* the outer ends */
    const char *why, *refusal;
    bool has_ended;
    size_t sent, got;
    uint8_t *bytes;
};

static void on_timer(void *ctx)
{
    struct scene *s = ctx;
    s->step(s);
    loop_timer_set(s->timer, STEP_US);
}

static const char *check_far(void *ctx, const struct stream *far)
{
    (void)far;
    return ((struct scene *)ctx)->refusal;
}

static void on_ended(void *ctx, struct stream *near, const char *why)
{
    struct scene *s = ctx;
    (void)near;
    s->has_ended = true;
    s->why = why;
    loop_stop(s->loop);
}

static const struct bridge_ops ops = { .greeted = check_far, .ended = on_ended };

static void make_pair(int *outer, struct stream *inner)
{
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
    *outer = fds[0];
    *inner = stream_unix(fds[1]);
}

static void build_bridge(struct scene *s, bool is_client_near, const char *first)
{
    struct stream near, far;
    make_pair(&s->near, &near);
    make_pair(&s->far, &far);
    struct bridge_sides sides = { .near = &near,
                                  .far = &far,
                                  .is_client_near = is_client_near,
                                  .first = (const uint8_t *)first,
                                  .n_first = strlen(first) };
    s->bridge = bridge_new(s->loop, &sides, GREETING_MS, &ops, s);
    assert_false(stream_is_open(&near) || stream_is_open(&far));
}

static int set_up(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    s->loop = loop_new(NULL);
    s->timer = loop_timer_new(s->loop, on_timer, s);
    s->near = s->far = -1;
    s->bytes = uti_calloc(1, BYTES);
    *state = s;
    return 0;
}

static void drop_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int tear_down(void **state)
{
    struct scene *s = *state;
    bridge_free(s->bridge);
    loop_timer_free(s->timer);
    loop_free(s->loop);
    drop_end(&s->near);
    drop_end(&s->far);
    free(s->bytes);
    free(s);
    return 0;
}

static void run_scene(struct scene *s, void (*step)(struct scene *s))
{
    s->step = step;
    loop_timer_set(s->timer, 0);
    assert_int_equal(loop_run(s->loop), 0);
    loop_timer_clear(s->timer);
}

static ssize_t take_bytes(int fd, void *to, size_t room)
{
    ssize_t n = recv(fd, to, room, 0);
    return n < 0 && errno == EAGAIN ? 0 : n;
}

/* ---- bytes ---- */

static void send_all_and_read(struct scene *s)
{
    ssize_t n = s->sent < BYTES ? send(s->near, s->bytes, BYTES - s->sent, MSG_NOSIGNAL) : 0;
    s->sent += n > 0 ? (size_t)n : 0;
    n = take_bytes(s->far, s->bytes, BYTES);
    s->got += n > 0 ? (size_t)n : 0;
    if (s->sent == BYTES)
        drop_end(&s->near); /* the task's side: what it has sent is still read */
}

static void what_one_side_sends_the_other_gets_up_to_its_end(void **state)
{
    struct scene *s = *state;
    build_bridge(s, false, "hello");
    run_scene(s, send_all_and_read);
    assert_null(s->why);
    ssize_t n;
    while ((n = take_bytes(s->far, s->bytes, BYTES)) > 0)
        s->got += (size_t)n;
    assert_int_equal(s->got, BYTES + strlen("hello"));
}

static void echo_back(struct scene *s)
{
    char text[16] = { 0 };
    if (take_bytes(s->far, text, sizeof text) > 0) {
        assert_string_equal(text, "first");
        assert_int_equal(send(s->far, "back", 4, MSG_NOSIGNAL), 4);
    }
    if (take_bytes(s->near, text, sizeof text) > 0) {
        assert_memory_equal(text, "back", 4);
        drop_end(&s->near);
    }
}

static void the_first_bytes_are_before_the_others_and_the_end_of_the_client_is_the_end(void **state)
{
    struct scene *s = *state;
    build_bridge(s, true, "first");
    run_scene(s, echo_back);
    assert_true(s->has_ended);
    assert_null(s->why);
}

/* ---- ends ---- */

static void do_nothing(struct scene *s)
{
    (void)s;
}

static void a_far_side_that_is_the_wrong_one_is_refused(void **state)
{
    struct scene *s = *state;
    s->refusal = "the wrong one";
    build_bridge(s, true, "secret");
    run_scene(s, do_nothing);
    assert_string_equal(s->why, "the wrong one");
    assert_int_equal(take_bytes(s->far, s->bytes, BYTES), 0); /* nothing was sent to it */
}

static void flood_far(struct scene *s)
{
    ssize_t n = send(s->near, s->bytes, BYTES, MSG_NOSIGNAL);
    s->sent += n > 0 ? (size_t)n : 0;
    if (n < 0 && s->got++ > 20)
        loop_stop(s->loop);
}

static void a_side_that_takes_nothing_stops_the_other_and_its_end_is_noticed(void **state)
{
    struct scene *s = *state;
    build_bridge(s, true, "");
    run_scene(s, flood_far);
    /* buffers of four sockets, and ours */
    assert_true(s->sent < 4 * 1024 * 1024);
    bridge_look(s->bridge, uti_mono_us(), SILENT_S);
    assert_false(s->has_ended);
    drop_end(&s->near);
    bridge_look(s->bridge, uti_mono_us(), SILENT_S);
    assert_true(s->has_ended);
    assert_null(s->why);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(what_one_side_sends_the_other_gets_up_to_its_end),
        T(the_first_bytes_are_before_the_others_and_the_end_of_the_client_is_the_end),
        T(a_far_side_that_is_the_wrong_one_is_refused),
        T(a_side_that_takes_nothing_stops_the_other_and_its_end_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
