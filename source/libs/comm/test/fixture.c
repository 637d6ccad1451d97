/* Invariant: the callbacks run in the server's thread, the other functions in the test's; what both
 * read is atomic or behind a semaphore. */
#include "libs/comm/test/fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

uint8_t *body_of(size_t len, int byte)
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

static void send_last(struct fixture *t, uint64_t conn, size_t bytes)
{
    comm_server_send(t->served.server, conn, KIND_CLOSE, 0, body_of(bytes, 'z'), bytes);
    comm_server_close(t->served.server, conn);
}

static void on_frame(void *ctx, uint64_t conn, struct frame *f)
{
    struct fixture *t = ctx;
    t->n_frames++;
    t->last_body = f->len > 0 ? f->body[f->len - 1] : 0;
    if (!t->is_slow)
        comm_server_done(t->served.server, conn, f->len);
    if (f->kind == KIND_KEEP)
        comm_server_keep(t->served.server, conn);
    if (f->kind == KIND_ECHO) {
        comm_server_send(t->served.server, conn, f->kind, f->serial, f->body, f->len);
        return;
    }
    free(f->body);
    if (f->kind == KIND_CLOSE)
        send_last(t, conn, FLOOD_BYTES);
    if (f->kind == KIND_BOTH) {
        send_last(t, t->other, FLOOD_BYTES);
        send_last(t, conn, 1);
    }
    for (uint32_t i = 0; f->kind == KIND_FLOOD && i < FLOOD_FRAMES; i++)
        comm_server_send(t->served.server, conn, f->kind, i, body_of(FLOOD_BYTES, 'f'),
                         FLOOD_BYTES);
    if (f->kind == KIND_HOLD)
        sem_post(&t->held);
}

static void on_idle(void *ctx)
{
    struct fixture *t = ctx;
    t->n_idles++;
    comm_server_flush(t->served.server);
}

static void on_closed(void *ctx, uint64_t conn)
{
    struct fixture *t = ctx;
    if (t->first_closed == 0)
        t->first_closed = conn;
    sem_post(&t->closed);
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

const struct comm_server_ops fixture_ops = {
    .opened = on_opened,
    .frame = on_frame,
    .idle = on_idle,
    .closed = on_closed,
    .drained = on_drained,
    .refused = on_refused,
    .is_privileged = is_privileged,
    .frame_most = frame_most,
    .refusal_kind = KIND_REFUSAL,
};

int start_at(void **state, const char *below, const struct comm_limits *limits)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    char dir[] = "/tmp/comm-test-XXXXXX";
    assert_non_null(mkdtemp(dir));
    t->dir = uti_strdup(dir);
    t->path = path_join(dir, below);
    char *parent = uti_strdup(t->path);
    *strrchr(parent, '/') = '\0';
    assert_int_equal(file_mkdirs(parent, 0700, NULL), 0);
    free(parent);
    assert_int_equal(sem_init(&t->opened, 0, 0) | sem_init(&t->closed, 0, 0) |
                         sem_init(&t->held, 0, 0) | sem_init(&t->drained, 0, 0),
                     0);
    served_start(&t->served, t->path, &fixture_ops, t, limits);
    *state = t;
    return 0;
}

int start_limited(void **state, const struct comm_limits *limits)
{
    return start_at(state, "s", limits);
}

int start(void **state)
{
    return start_limited(state, NULL);
}

int stop(void **state)
{
    struct fixture *t = *state;
    served_stop(&t->served);
    assert_int_equal(file_rmtree(t->dir, NULL), 0);
    free(t->dir);
    free(t->path);
    free(t->why);
    free(t);
    return 0;
}

void wait_sem(sem_t *s)
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

struct comm_client *open_client(struct fixture *t)
{
    struct answer ans = ANSWER_INIT;
    struct comm_client *c = comm_client_open(t->path, 5000, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    assert_non_null(c);
    return c;
}

struct frame expect_frame(struct comm_client *c)
{
    struct frame f;
    assert_int_equal(comm_client_recv(c, 10000, &f, NULL), 1);
    return f;
}

void expect_echo(struct comm_client *c)
{
    comm_client_send(c, KIND_ECHO, 1, "x", 1);
    free(expect_frame(c).body);
}

void expect_echoes(struct fixture *t)
{
    struct comm_client *c = open_client(t);
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

void expect_hangup_after(struct fixture *t, const uint8_t *bytes, size_t len)
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
