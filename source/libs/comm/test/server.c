/* A server in a thread of its own against plain sockets and comm_client, in a temporary directory. */
#include "libs/comm/server.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libs/comm/client.h"
#include "libs/comm/loop.h"
#include "libs/comm/unix_socket.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

enum { KIND_ECHO = 1, KIND_HOLD, KIND_CLOSE, KIND_FLOOD, KIND_KEEP, KIND_SHORT };
enum { SHORT_MOST = 100 };
enum { FLOOD_FRAMES = 64, FLOOD_BYTES = 64 * 1024 };

struct fixture {
    char *dir, *path;
    struct loop *loop;
    struct comm_server *server;
    pthread_t thread;
    sem_t opened, closed, held, drained;
    _Atomic int n_frames, n_idles, n_opened;
    _Atomic uint64_t last_conn;
    _Atomic(char *) why; /* of the last refusal; owned */
    _Atomic int n_refused;
    struct comm_peer peer;
    uint8_t last_body;
    _Atomic bool is_slow;       /* frames are not done until the test says so */
    _Atomic bool is_privileged; /* whoever comes */
};

static uint8_t *body_of(size_t len, int byte)
{
    uint8_t *b = uti_alloc(len);
    memset(b, byte, len);
    return b;
}

static void on_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    struct fixture *t = ctx;
    t->last_conn = conn;
    t->peer = *peer;
    t->n_opened++;
    sem_post(&t->opened);
}

static void on_frame(void *ctx, uint64_t conn, struct frame *f)
{
    struct fixture *t = ctx;
    t->n_frames++;
    t->last_body = f->len > 0 ? f->body[f->len - 1] : 0;
    if (!t->is_slow)
        comm_server_done(t->server, conn, f->len);
    if (f->kind == KIND_KEEP)
        comm_server_keep(t->server, conn);
    if (f->kind == KIND_ECHO) {
        comm_server_send(t->server, conn, f->kind, f->serial, f->body, f->len);
        return;
    }
    free(f->body);
    if (f->kind == KIND_CLOSE) {
        comm_server_send(t->server, conn, f->kind, f->serial, body_of(FLOOD_BYTES, 'z'),
                         FLOOD_BYTES);
        comm_server_close(t->server, conn);
    }
    for (uint32_t i = 0; f->kind == KIND_FLOOD && i < FLOOD_FRAMES; i++)
        comm_server_send(t->server, conn, f->kind, i, body_of(FLOOD_BYTES, 'f'), FLOOD_BYTES);
    if (f->kind == KIND_HOLD)
        sem_post(&t->held);
}

static void on_idle(void *ctx)
{
    struct fixture *t = ctx;
    t->n_idles++;
    comm_server_flush(t->server);
}

static void on_closed(void *ctx, uint64_t conn)
{
    (void)conn;
    sem_post(&((struct fixture *)ctx)->closed);
}

static void on_drained(void *ctx, uint64_t conn)
{
    (void)conn;
    sem_post(&((struct fixture *)ctx)->drained);
}

static void on_refused(void *ctx, const struct comm_peer *peer, const char *why)
{
    struct fixture *t = ctx;
    assert_int_equal(peer->pid, getpid());
    free(atomic_exchange(&t->why, uti_strdup(why)));
    t->n_refused++;
}

static bool is_privileged(void *ctx, const struct comm_peer *peer)
{
    (void)peer;
    return ((struct fixture *)ctx)->is_privileged;
}

static uint32_t frame_most(void *ctx, const struct comm_peer *peer, uint8_t kind)
{
    (void)ctx;
    (void)peer;
    return kind == KIND_SHORT ? SHORT_MOST : COMM_BODY_MAX;
}

static const struct comm_server_ops ops = {
    .opened = on_opened,
    .frame = on_frame,
    .idle = on_idle,
    .closed = on_closed,
    .drained = on_drained,
    .refused = on_refused,
    .is_privileged = is_privileged,
    .frame_most = frame_most,
};

static void *run(void *ctx)
{
    loop_run(ctx);
    return NULL;
}

/* a directory whose name has at least LONG_BY bytes */
static char *make_dir(size_t long_by)
{
    char dir[] = "/tmp/comm-test-XXXXXX";
    assert_non_null(mkdtemp(dir));
    char *long_name = uti_alloc(long_by + 1);
    memset(long_name, 'd', long_by);
    long_name[long_by] = '\0';
    char *path = path_join(dir, long_name);
    assert_int_equal(file_mkdirs(path, 0700, NULL), 0);
    free(path);
    free(long_name);
    return uti_strdup(dir);
}

static void start_at(struct fixture *t, char *dir, char *path, const struct comm_limits *limits)
{
    t->dir = dir;
    t->path = path;
    assert_int_equal(sem_init(&t->opened, 0, 0) | sem_init(&t->closed, 0, 0) |
                         sem_init(&t->held, 0, 0) | sem_init(&t->drained, 0, 0),
                     0);
    t->loop = loop_new(NULL);
    assert_non_null(t->loop);
    t->server = comm_server_new(t->loop, &ops, t);
    if (limits != NULL)
        comm_server_set_limits(t->server, limits);
    assert_int_equal(comm_server_listen(t->server, t->path, 0600, NULL), 0);
    assert_int_equal(pthread_create(&t->thread, NULL, run, t->loop), 0);
}

static int start(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    char *dir = make_dir(1);
    start_at(t, dir, path_join(dir, "s"), NULL);
    *state = t;
    return 0;
}

static int stop(void **state)
{
    struct fixture *t = *state;
    loop_stop(t->loop);
    pthread_join(t->thread, NULL);
    comm_server_free(t->server);
    loop_free(t->loop);
    assert_int_equal(file_rmtree(t->dir, NULL), 0);
    free(t->dir);
    free(t->path);
    free(t->why);
    free(t);
    return 0;
}

static void wait_sem(sem_t *s)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    int rc;
    do
        rc = sem_timedwait(s, &until);
    while (rc != 0 && errno == EINTR);
    assert_int_equal(rc, 0);
}

static struct comm_client *open_client(struct fixture *t)
{
    struct answer ans = ANSWER_INIT;
    struct comm_client *c = comm_client_open(t->path, 5000, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    assert_non_null(c);
    return c;
}

static struct frame expect_frame(struct comm_client *c)
{
    struct frame f;
    assert_int_equal(comm_client_recv(c, 10000, &f, NULL), 1);
    return f;
}

static void frames_come_back_in_order(void **state)
{
    struct comm_client *c = open_client(*state);
    for (uint32_t i = 0; i < 500; i++)
        comm_client_send(c, KIND_ECHO, i, "hello", i % 6);
    for (uint32_t i = 0; i < 500; i++) {
        struct frame f = expect_frame(c);
        assert_int_equal(f.kind, KIND_ECHO);
        assert_int_equal(f.serial, i);
        assert_int_equal(f.len, i % 6);
        if (f.len > 0)
            assert_memory_equal(f.body, "hello", f.len);
        free(f.body);
    }
    comm_client_close(c);
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
    comm_server_adopt(t->server, ends[0], &child);
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

static void expect_hangup_after(struct fixture *t, const uint8_t *bytes, size_t len)
{
    struct comm_client *c = open_client(t);
    assert_int_equal(send(comm_client_fd(c), bytes, len, 0), (ssize_t)len);
    struct frame f;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(comm_client_recv(c, 10000, &f, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_ENOCONN);
    ans_free(&ans);
    wait_sem(&t->closed);
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

static int start_limited(void **state, const struct comm_limits *limits)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    char *dir = make_dir(1);
    start_at(t, dir, path_join(dir, "s"), limits);
    *state = t;
    return 0;
}

static int start_narrow(void **state)
{
    struct comm_limits narrow = comm_limits_usual();
    narrow.first_frame_ms = 50;
    narrow.most = 6;
    narrow.reserve = 2;
    narrow.most_of_user = 4;
    return start_limited(state, &narrow);
}

static int start_impatient(void **state)
{
    struct comm_limits l = comm_limits_usual();
    l.frame_ms = l.idle_ms = 50;
    return start_limited(state, &l);
}

static int start_small(void **state)
{
    struct comm_limits l = comm_limits_usual();
    l.frames_of_conn = 3;
    l.bytes_of_user = 8 << 20;
    return start_limited(state, &l);
}

static void who_says_nothing_is_sent_away(void **state)
{
    struct fixture *t = *state;
    uint8_t half[COMM_HEADER_BYTES / 2] = { 0 };
    expect_hangup_after(t, half, sizeof half); /* after a while */
    assert_string_equal(t->why, "it sent no whole message within 0.05 seconds");
    struct comm_client *spoken = open_client(t), *silent = open_client(t);
    comm_client_send(spoken, KIND_ECHO, 1, "x", 1);
    free(expect_frame(spoken).body);
    wait_sem(&t->closed); /* the silent one; the other may be silent from now on */
    assert_int_equal(t->n_refused, 2);
    comm_client_send(spoken, KIND_ECHO, 2, "x", 1);
    free(expect_frame(spoken).body);
    comm_client_close(spoken);
    comm_client_close(silent);
}

static void no_user_takes_all_connections(void **state)
{
    struct fixture *t = *state;
    struct comm_client *mine[4];
    struct frame f;
    for (int i = 0; i < 4; i++) {
        mine[i] = open_client(t);
        comm_client_send(mine[i], KIND_ECHO, 1, "x", 1);
        free(expect_frame(mine[i]).body);
    }
    struct comm_client *more = open_client(t);
    assert_int_equal(comm_client_recv(more, 10000, &f, NULL), -1);
    assert_string_equal(t->why, "its user has too many connections, the limit is 4");
    comm_client_close(more);
    comm_client_close(mine[0]);
    wait_sem(&t->closed);
    mine[0] = open_client(t); /* there is room again */
    comm_client_send(mine[0], KIND_ECHO, 1, "x", 1);
    free(expect_frame(mine[0]).body);
    for (int i = 0; i < 4; i++)
        comm_client_close(mine[i]);
}

static void the_privileged_get_in_when_it_is_full(void **state)
{
    struct fixture *t = *state;
    struct comm_client *mine[8], *more;
    struct frame f;
    for (int i = 0; i < 8; i++) {
        t->is_privileged = i >= 4;
        mine[i] = open_client(t);
        comm_client_send(mine[i], KIND_ECHO, 1, "x", 1);
        free(expect_frame(mine[i]).body);
    }
    more = open_client(t); /* waits for room: not even they have more than their reserve */
    comm_client_send(more, KIND_ECHO, 1, "x", 1);
    assert_int_equal(comm_client_flush(more, NULL), 0);
    comm_client_close(mine[7]);
    free(expect_frame(more).body);
    comm_client_close(more);
    wait_sem(&t->closed);
    wait_sem(&t->closed);
    comm_client_close(mine[0]);
    wait_sem(&t->closed);
    t->is_privileged = false;
    struct comm_limits limits = comm_limits_usual();
    limits.most = 6;
    limits.most_of_user = 100;
    comm_server_set_limits(t->server, &limits);
    more = open_client(t);
    assert_int_equal(comm_client_recv(more, 10000, &f, NULL), -1);
    assert_string_equal(t->why, "there are too many connections, the limit is 6; only root, the "
                                "hosts and managers get in");
    comm_client_close(more);
    for (int i = 1; i < 7; i++)
        comm_client_close(mine[i]);
}

static void a_frame_that_does_not_end_is_not_waited_for(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c = open_client(t);
    comm_client_send(c, KIND_KEEP, 1, "x", 1); /* not even of who is never idle */
    assert_int_equal(comm_client_flush(c, NULL), 0);
    uint8_t h[COMM_HEADER_BYTES + 1];
    frame_header_pack(&(struct frame_header){ 1000, 2, KIND_HOLD }, h);
    h[COMM_HEADER_BYTES] = 'x';
    assert_int_equal(send(comm_client_fd(c), h, sizeof h, 0), (ssize_t)sizeof h);
    wait_sem(&t->closed);
    assert_string_equal(t->why, "it did not complete a message within 0.05 seconds");
    comm_client_close(c);
}

static void who_asks_for_nothing_is_sent_away(void **state)
{
    struct fixture *t = *state;
    struct comm_client *kept = open_client(t), *idle = open_client(t);
    comm_client_send(kept, KIND_KEEP, 1, "x", 1);
    assert_int_equal(comm_client_flush(kept, NULL), 0);
    comm_client_send(idle, KIND_ECHO, 1, "x", 1);
    free(expect_frame(idle).body);
    wait_sem(&t->closed);
    assert_string_equal(t->why, "it asked for nothing for 0.05 seconds");
    assert_int_equal(t->n_refused, 1);
    comm_client_send(kept, KIND_ECHO, 2, "x", 1);
    free(expect_frame(kept).body);
    comm_client_close(kept);
    comm_client_close(idle);
}

/* the owner has its hands full with three: the others stay with the client until it is done with one */
static void no_more_is_read_than_the_owner_gets_done(void **state)
{
    struct fixture *t = *state;
    t->is_slow = true;
    struct comm_client *c = open_client(t), *other;
    for (uint32_t i = 0; i < 3; i++) {
        comm_client_send(c, KIND_HOLD, i, "x", 1);
        assert_int_equal(comm_client_flush(c, NULL), 0);
        wait_sem(&t->held);
    }
    uint64_t conn = t->last_conn;
    comm_client_send(c, KIND_HOLD, 3, "x", 1);
    assert_int_equal(comm_client_flush(c, NULL), 0);
    other = open_client(t); /* served meanwhile */
    comm_client_send(other, KIND_ECHO, 1, "x", 1);
    free(expect_frame(other).body);
    assert_int_equal(t->n_frames, 4);
    comm_server_done(t->server, conn, 1);
    wait_sem(&t->held);
    assert_int_equal(t->n_frames, 5);
    comm_client_close(c);
    comm_client_close(other);
}

enum { HALF_BYTES = 4 << 20 };

/* the header of a frame of twice HALF_BYTES, and half of it */
static void send_half(struct comm_client *c)
{
    uint8_t h[COMM_HEADER_BYTES], *half = body_of(HALF_BYTES, 'h');
    frame_header_pack(&(struct frame_header){ 2 * HALF_BYTES, 1, KIND_HOLD }, h);
    assert_int_equal(send(comm_client_fd(c), h, sizeof h, 0), (ssize_t)sizeof h);
    for (size_t at = 0; at < HALF_BYTES;) {
        ssize_t n = send(comm_client_fd(c), half + at, HALF_BYTES - at, MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN) { /* what the server does not read stays here */
            struct pollfd p = { comm_client_fd(c), POLLOUT, 0 };
            if (poll(&p, 1, 200) == 0)
                break;
            continue;
        }
        assert_true(n > 0);
        at += (size_t)n;
    }
    free(half);
}

/* halves of frames fill what a user may have; with the first of them gone the next goes on */
static void unfinished_frames_count_against_their_user(void **state)
{
    struct fixture *t = *state;
    struct comm_client *c[4];
    for (int i = 0; i < 4; i++) {
        c[i] = open_client(t);
        send_half(c[i]);
    }
    int unread = 0;
    assert_int_equal(ioctl(comm_client_fd(c[3]), SIOCOUTQ, &unread), 0);
    assert_true(unread > 0); /* the last was stopped */
    for (int i = 0; i < 3; i++)
        comm_client_close(c[i]);
    while (unread > 0) /* and goes on now: nothing is left with us */
        assert_int_equal(ioctl(comm_client_fd(c[3]), SIOCOUTQ, &unread), 0);
    comm_client_close(c[3]);
}

/* two connections that do not read make their user behind: a third, which reads, waits with them until one has gone */
static void who_leaves_answers_unread_is_behind_everywhere(void **state)
{
    struct fixture *t = *state;
    struct comm_client *deaf = open_client(t), *other = open_client(t);
    comm_client_send(other, KIND_ECHO, 1, "x", 1);
    free(expect_frame(other).body);
    uint64_t conn = t->last_conn;
    assert_true(comm_server_queued(t->server, conn) < COMM_LOW_WATER);
    comm_client_send(deaf, KIND_FLOOD, 1, NULL, 0);
    assert_int_equal(comm_client_flush(deaf, NULL), 0);
    while (comm_server_queued(t->server, conn) <= COMM_HIGH_WATER)
        assert_true(t->n_frames <= 2); /* until it has come */
    comm_client_close(deaf);
    wait_sem(&t->drained);
    assert_int_equal(comm_server_queued(t->server, conn), 0);
    comm_client_close(other);
}

/* asks for 4 MiB at a time and reads nothing: the server stops listening to it, and to nobody else */
static void who_does_not_read_is_not_read_from(void **state)
{
    struct fixture *t = *state;
    struct comm_client *deaf = open_client(t), *other = open_client(t);
    for (uint32_t i = 0; i < 20; i++) {
        comm_client_send(deaf, KIND_FLOOD, i, NULL, 0);
        assert_int_equal(comm_client_flush(deaf, NULL), 0);
        comm_client_send(other, KIND_ECHO, i, "x", 1);
        free(expect_frame(other).body);
    }
    size_t most = COMM_HIGH_WATER + 2 * (size_t)FLOOD_FRAMES * (FLOOD_BYTES + COMM_HEADER_BYTES);
    assert_true(comm_server_queued(t->server, t->last_conn - 1) <= most);
    for (uint32_t i = 0; i < 20 * FLOOD_FRAMES; i++)
        free(expect_frame(deaf).body); /* once it reads it gets everything */
    comm_client_close(deaf);
    comm_client_close(other);
}

static void slow_reader_fills_the_queue_and_drains_it(void **state)
{
    struct fixture *t = *state;
    struct comm_client *slow = open_client(t);
    comm_client_send(slow, KIND_FLOOD, 0, NULL, 0);
    comm_client_send(slow, KIND_HOLD, 0, NULL, 0);
    assert_int_equal(comm_client_flush(slow, NULL), 0);
    wait_sem(&t->held);
    uint64_t conn = t->last_conn;
    assert_true(comm_server_queued(t->server, conn) > COMM_LOW_WATER);

    struct comm_client *other = open_client(t); /* nobody waits for the slow one */
    comm_client_send(other, KIND_ECHO, 5, "x", 1);
    free(expect_frame(other).body);
    comm_client_close(other);

    for (uint32_t i = 0; i < FLOOD_FRAMES; i++) {
        struct frame f = expect_frame(slow);
        assert_int_equal(f.serial, i);
        assert_int_equal(f.len, FLOOD_BYTES);
        free(f.body);
    }
    wait_sem(&t->drained);
    comm_client_send(slow, KIND_ECHO, 6, "y", 1);
    free(expect_frame(slow).body);
    assert_int_equal(sem_trywait(&t->drained), -1);
    comm_client_close(slow);
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
    assert_string_equal(ans_first_error(&ans), "connection closed by the other side");
    ans_free(&ans);
    wait_sem(&t->closed);
    comm_client_close(c);
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
    comm_server_send(t->server, 4711, KIND_ECHO, 1, body_of(10, 'x'), 10);
    comm_server_flush(t->server);
    comm_server_close(t->server, 4711);
    assert_int_equal(comm_server_queued(t->server, 4711), 0);
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
        comm_server_send(s->t->server, s->t->last_conn, s->name, i, body_of(1, s->name), 1);
        if (i % 50 == 49)
            comm_server_flush(s->t->server);
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

static void live_socket_is_refused_stale_one_replaced(void **state)
{
    struct fixture *t = *state;
    struct answer ans = ANSWER_INIT;
    struct loop *l = loop_new(NULL);
    struct comm_server *second = comm_server_new(l, &ops, t);
    assert_int_equal(comm_server_listen(second, t->path, 0600, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_EEXIST);
    ans_free(&ans);
    comm_client_close(open_client(t)); /* the first goes on */

    char *stale = path_join(t->dir, "stale");
    int fd = unix_listen(stale, 0600);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(comm_server_listen(second, stale, 0640, &ans), 0);
    struct stat st;
    assert_int_equal(stat(stale, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    comm_server_free(second);
    loop_free(l);
    free(stale);
}

static void a_file_is_not_replaced(void **state)
{
    struct fixture *t = *state;
    struct answer ans = ANSWER_INIT;
    char *file = path_join(t->dir, "precious");
    assert_int_equal(file_write(file, "x", 1, 0600, NULL), 0);
    struct loop *l = loop_new(NULL);
    struct comm_server *s = comm_server_new(l, &ops, t);
    assert_int_equal(comm_server_listen(s, file, 0600, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), file));
    ans_free(&ans);
    struct stat st;
    assert_int_equal(stat(file, &st), 0);
    assert_true(S_ISREG(st.st_mode));
    comm_server_free(s);
    loop_free(l);
    free(file);
}

static int start_long(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    char *dir = make_dir(200);
    char deep[256];
    (void)snprintf(deep, sizeof deep, "%s/%0200d", dir, 0);
    memset(deep + strlen(dir) + 1, 'd', 200);
    start_at(t, dir, path_join(deep, "gdi.sock"), NULL);
    *state = t;
    return 0;
}

static void long_path_works_on_both_sides(void **state)
{
    struct fixture *t = *state;
    assert_true(strlen(t->path) > 200);
    frames_come_back_in_order(state);
    struct answer ans = ANSWER_INIT;
    struct loop *l = loop_new(NULL);
    struct comm_server *second = comm_server_new(l, &ops, t);
    assert_int_equal(comm_server_listen(second, t->path, 0600, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_EEXIST);
    ans_free(&ans);
    comm_server_free(second);
    loop_free(l);
}

static void nobody_there_is_one_clear_line(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    assert_null(comm_client_open("/nonexistent/s", 100, &ans));
    assert_int_equal(ans.n, 1);
    assert_int_equal(ans.v[0].status, STATUS_ENOCONN);
    assert_string_equal(ans.v[0].text,
                        "cannot connect to /nonexistent/s: No such file or directory");
    ans_free(&ans);
}

static void silence_is_a_timeout(void **state)
{
    struct comm_client *c = open_client(*state);
    struct frame f;
    assert_int_equal(comm_client_recv(c, 1, &f, NULL), 0);
    comm_client_close(c);
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
        cmocka_unit_test_setup_teardown(who_says_nothing_is_sent_away, start_narrow, stop),
        cmocka_unit_test_setup_teardown(no_user_takes_all_connections, start_narrow, stop),
        cmocka_unit_test_setup_teardown(the_privileged_get_in_when_it_is_full, start_narrow, stop),
        cmocka_unit_test_setup_teardown(a_frame_that_does_not_end_is_not_waited_for,
                                        start_impatient, stop),
        cmocka_unit_test_setup_teardown(who_asks_for_nothing_is_sent_away, start_impatient, stop),
        cmocka_unit_test_setup_teardown(no_more_is_read_than_the_owner_gets_done, start_small,
                                        stop),
        cmocka_unit_test_setup_teardown(unfinished_frames_count_against_their_user, start_small,
                                        stop),
        cmocka_unit_test_setup_teardown(who_leaves_answers_unread_is_behind_everywhere, start_small,
                                        stop),
        SERVED(who_does_not_read_is_not_read_from),
        SERVED(slow_reader_fills_the_queue_and_drains_it),
        SERVED(close_comes_after_what_is_queued),
        SERVED(idle_comes_once_for_a_burst),
        SERVED(unknown_connection_drops_what_is_sent),
        SERVED(many_threads_send_to_one_connection),
        SERVED(many_short_clients_are_served),
        SERVED(live_socket_is_refused_stale_one_replaced),
        SERVED(a_file_is_not_replaced),
        cmocka_unit_test_setup_teardown(long_path_works_on_both_sides, start_long, stop),
        cmocka_unit_test(nobody_there_is_one_clear_line),
        SERVED(silence_is_a_timeout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
