/* A form that talks before it carries anything, gives bytes in drops and holds some back: what TLS
 * will do, without TLS. A server and a link over it exchange frames as over a plain socket. One
 * loop, one thread, every step in order. */
#include "libs/comm/stream.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/link.h"
#include "libs/comm/loop.h"
#include "libs/comm/server_priv.h"
#include "libs/uti/alloc.h"

/* ---- the form: each end pays one byte before the other may say anything ---- */

enum { DROP = 700, STORE = 4096, GULP = 1500 };
struct toll {
    bool was_asked; /* the first read waits for writable, whatever there is */
    bool has_paid, is_paid;
    uint8_t store[STORE];
    size_t at, end; /* bytes that have come and are not given yet */
    int *n_closed;
};

static bool pay_toll(struct stream *s)
{
    struct toll *t = s->inside;
    if (!t->has_paid)
        t->has_paid = send(s->fd, "$", 1, MSG_NOSIGNAL) == 1;
    return t->has_paid;
}

static bool be_paid(struct stream *s)
{
    struct toll *t = s->inside;
    char coin;
    if (!t->is_paid)
        t->is_paid = recv(s->fd, &coin, 1, 0) == 1;
    return t->is_paid;
}

static ssize_t not_yet(enum stream_want *wants, enum stream_want what)
{
    *wants = what;
    errno = EAGAIN;
    return -1;
}

static ssize_t give_bytes(struct stream *s, const struct iovec *v)
{
    struct toll *t = s->inside;
    size_t n = t->end - t->at < DROP ? t->end - t->at : DROP;
    n = n < v->iov_len ? n : v->iov_len;
    memcpy(v->iov_base, t->store + t->at, n);
    t->at += n;
    s->has_more = t->at < t->end;
    return (ssize_t)n;
}

static ssize_t toll_read(struct stream *s, const struct iovec *v, int n)
{
    struct toll *t = s->inside;
    (void)n;
    if (!t->was_asked || !pay_toll(s)) {
        t->was_asked = true;
        return not_yet(&s->read_wants, STREAM_WRITABLE);
    }
    s->read_wants = STREAM_READABLE;
    if (!be_paid(s))
        return not_yet(&s->read_wants, STREAM_READABLE);
    if (t->at < t->end)
        return give_bytes(s, v);
    ssize_t got = recv(s->fd, t->store, STORE, 0);
    t->at = 0;
    t->end = got > 0 ? (size_t)got : 0;
    return got > 0 ? give_bytes(s, v) : got;
}

static ssize_t toll_write(struct stream *s, const struct iovec *v, int n)
{
    (void)n;
    if (!pay_toll(s))
        return not_yet(&s->write_wants, STREAM_WRITABLE);
    if (!be_paid(s))
        return not_yet(&s->write_wants, STREAM_READABLE);
    s->write_wants = STREAM_WRITABLE;
    return send(s->fd, v->iov_base, v->iov_len < GULP ? v->iov_len : GULP, MSG_NOSIGNAL);
}

static void toll_close(struct stream *s)
{
    struct toll *t = s->inside;
    ++*t->n_closed;
    close(s->fd);
    free(t);
}

static const struct stream_form toll_form = { .read = toll_read,
                                              .write = toll_write,
                                              .close = toll_close };

static struct stream toll_over(int fd, int *n_closed)
{
    struct toll *t = uti_calloc(1, sizeof *t);
    t->n_closed = n_closed;
    return (struct stream){ &toll_form, fd, STREAM_READABLE, STREAM_WRITABLE, false, t };
}

/* ---- a server that sends back what comes, and a link that counts ---- */

enum { FRAMES = 120, KIND_ECHO = 1, KIND_BYE = 2 };
struct fixture {
    struct loop *loop;
    struct comm_server *server;
    struct link *link;
    int n_closed, n_back, n_downs;
};

static size_t len_of(int i)
{
    return (size_t)i * 331; /* up to 39 KiB: some fit into a drop, most do not */
}

static uint8_t *body_of(int i)
{
    uint8_t *body = uti_alloc(len_of(i) + 1);
    memset(body, 'a' + i % 26, len_of(i) + 1);
    return body;
}

static void ignore_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    (void)ctx;
    (void)conn;
    (void)peer;
}

static void server_frame(void *ctx, uint64_t conn, struct frame *f)
{
    struct fixture *t = ctx;
    comm_server_send(t->server, conn, f->kind, f->serial, f->body, f->len);
    if (f->kind == KIND_BYE)
        comm_server_close(t->server, conn);
    comm_server_done(t->server, conn, f->len);
}

static void flush_stream(void *ctx)
{
    comm_server_flush(((struct fixture *)ctx)->server);
}

static void ignore_conn(void *ctx, uint64_t conn)
{
    (void)ctx;
    (void)conn;
}

static const struct comm_server_ops server_ops = { .opened = ignore_opened,
                                                   .frame = server_frame,
                                                   .idle = flush_stream,
                                                   .closed = ignore_conn,
                                                   .drained = ignore_conn };

static void send_all(void *ctx)
{
    struct fixture *t = ctx;
    for (int i = 0; i < FRAMES; i++)
        link_send(t->link, i < FRAMES - 1 ? KIND_ECHO : KIND_BYE, (uint32_t)i, body_of(i),
                  len_of(i));
}

static void check_frame(void *ctx, struct frame *f)
{
    struct fixture *t = ctx;
    uint8_t *sent = body_of(t->n_back);
    assert_int_equal(f->serial, t->n_back);
    assert_int_equal(f->len, len_of(t->n_back));
    if (f->len > 0)
        assert_memory_equal(f->body, sent, f->len);
    free(sent);
    free(f->body);
    t->n_back++;
}

static void stop_loop(void *ctx, const char *why)
{
    struct fixture *t = ctx;
    (void)why;
    t->n_downs++;
    loop_stop(t->loop);
}

static const struct link_ops link_ops = { .up = send_all, .frame = check_frame, .down = stop_loop };

/* FRAMES_OF_CONN: how many the server has in hand before it reads no more */
static void exchange_frames(uint32_t frames_of_conn)
{
    struct fixture t = { .loop = loop_new(NULL) };
    struct comm_limits limits = comm_limits_usual();
    const struct comm_peer peer = { .uid = 4711 };
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    struct stream near = toll_over(fds[0], &t.n_closed), far = toll_over(fds[1], &t.n_closed);
    t.server = comm_server_new(t.loop, &server_ops, &t);
    limits.frames_of_conn = frames_of_conn;
    comm_server_set_limits(t.server, &limits);
    server_adopt(t.server, &near, &peer);
    t.link = link_over(t.loop, &far, &link_ops, &t);
    assert_int_equal(loop_run(t.loop), 0);
    assert_int_equal(t.n_back, FRAMES);
    assert_int_equal(t.n_downs, 1);
    link_free(t.link);
    comm_server_free(t.server);
    loop_free(t.loop);
    assert_int_equal(t.n_closed, 2);
}

static void frames_pass_a_form_that_wants_the_other_direction_first(void **state)
{
    (void)state;
    exchange_frames(comm_limits_usual().frames_of_conn);
}

static void a_connection_that_is_paused_again_and_again_loses_nothing(void **state)
{
    (void)state;
    exchange_frames(1);
}

static void a_stream_closes_once(void **state)
{
    int fds[2], n_closed = 0;
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    struct stream s = toll_over(fds[0], &n_closed), none = STREAM_CLOSED;
    assert_true(stream_is_open(&s));
    stream_close(&s);
    stream_close(&s);
    stream_close(&none);
    assert_int_equal(n_closed, 1);
    assert_false(stream_is_open(&s));
    close(fds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_pass_a_form_that_wants_the_other_direction_first),
        cmocka_unit_test(a_connection_that_is_paused_again_and_again_loses_nothing),
        cmocka_unit_test(a_stream_closes_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
