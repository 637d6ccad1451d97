/* Connections over TCP until they have proved a name. Their stream is a simple one: an H proves a
 * host's name, a B keeps the thread that serves it until the connection ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

enum { CROWD = 300, MOST = 256, PATIENT_MS = 20000, IMPATIENT_MS = 200, IN_TIME_US = 5000000 };
enum { BUSY = 6 };

struct fixture {
    struct loop *loop;
    struct comm_server *server;
    pthread_t thread;
    int fds[CROWD + 20], n_fds;
    sem_t opened, refused, blocked;
    _Atomic int n_wrapped, n_refused;
    pthread_mutex_t lock; /* guards what follows */
    char why[256];        /* of the last refusal */
};

/* ---- the stream ---- */

static struct fixture *fixture_of(const struct stream *s)
{
    return s->inside;
}

static ssize_t read_bytes(struct stream *s, const struct iovec *v, int n)
{
    return readv(s->fd, v, n);
}

static ssize_t write_bytes(struct stream *s, const struct iovec *v, int n)
{
    return writev(s->fd, v, n);
}

static void close_fd(struct stream *s)
{
    close(s->fd);
}

static int block_thread(struct stream *s)
{
    struct pollfd p = { s->fd, POLLIN, 0 };
    char byte;
    sem_post(&fixture_of(s)->blocked);
    do
        (void)poll(&p, 1, -1);
    while (recv(s->fd, &byte, 1, 0) > 0);
    errno = ECONNRESET;
    return -1;
}

static int greet_peer(struct stream *s)
{
    char byte;
    ssize_t n = recv(s->fd, &byte, 1, 0);
    if (n < 0 && errno == EAGAIN)
        return 0;
    if (n == 1 && byte == 'B')
        return block_thread(s);
    return n == 1 && byte == 'H' ? 1 : -1;
}

static struct stream_peer name_peer(const struct stream *s)
{
    (void)s;
    return (struct stream_peer){ .host = "node1" };
}

static const struct stream_form form = {
    .read = read_bytes,
    .write = write_bytes,
    .close = close_fd,
    .greet = greet_peer,
    .peer = name_peer,
};

static struct stream wrap_fd(void *ctx, int fd)
{
    struct fixture *t = ctx;
    t->n_wrapped++;
    return (struct stream){ &form, fd, STREAM_READABLE, STREAM_WRITABLE, false, t };
}

/* ---- the server ---- */

static void on_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    struct fixture *t = ctx;
    (void)conn;
    assert_string_equal(peer->host, "node1");
    sem_post(&t->opened);
}

static void on_frame(void *ctx, uint64_t conn, struct frame *f)
{
    (void)ctx;
    (void)conn;
    free(f->body);
}

static void on_idle(void *ctx)
{
    (void)ctx;
}

static void on_conn(void *ctx, uint64_t conn)
{
    (void)ctx;
    (void)conn;
}

static void on_refused(void *ctx, const struct comm_peer *peer, const char *why)
{
    struct fixture *t = ctx;
    (void)peer;
    t->n_refused++;
    pthread_mutex_lock(&t->lock);
    strncpy(t->why, why, sizeof t->why - 1);
    pthread_mutex_unlock(&t->lock);
    sem_post(&t->refused);
}

static const struct comm_server_ops ops = { .opened = on_opened,
                                            .frame = on_frame,
                                            .idle = on_idle,
                                            .closed = on_conn,
                                            .drained = on_conn,
                                            .refused = on_refused };

static void *run_loop(void *loop)
{
    loop_run(loop);
    return NULL;
}

static void set_greeting(struct fixture *t, uint32_t ms)
{
    struct comm_limits limits = comm_limits_usual();
    limits.greeting_ms = ms;
    limits.look_ms = 10;
    comm_server_set_limits(t->server, &limits);
}

static void expect_why(struct fixture *t, const char *words)
{
    pthread_mutex_lock(&t->lock);
    assert_non_null(strstr(t->why, words));
    pthread_mutex_unlock(&t->lock);
}

static int set_up(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    pthread_mutex_init(&t->lock, NULL);
    assert_int_equal(
        sem_init(&t->opened, 0, 0) | sem_init(&t->refused, 0, 0) | sem_init(&t->blocked, 0, 0), 0);
    t->loop = loop_new(NULL);
    t->server = comm_server_new(t->loop, &ops, t);
    set_greeting(t, PATIENT_MS);
    assert_int_equal(comm_server_listen_tcp(t->server, 0, wrap_fd, t, NULL), 0);
    assert_int_equal(pthread_create(&t->thread, NULL, run_loop, t->loop), 0);
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    for (int i = 0; i < t->n_fds; i++)
        close(t->fds[i]);
    loop_stop(t->loop);
    pthread_join(t->thread, NULL);
    comm_server_free(t->server);
    loop_free(t->loop);
    pthread_mutex_destroy(&t->lock);
    free(t);
    return 0;
}

static void wait_sem(sem_t *s)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENT_MS / 1000 / 2;
    assert_int_equal(sem_timedwait(s, &until), 0);
}

/* from 127.0.0.LAST */
static int come_from(struct fixture *t, uint32_t last)
{
    struct sockaddr_in own = { .sin_family = AF_INET, .sin_addr = { htonl(0x7f000000 + last) } };
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons(comm_server_port(t->server)),
                              .sin_addr = { htonl(INADDR_LOOPBACK) } };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&own, sizeof own), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    t->fds[t->n_fds++] = fd;
    return fd;
}

static void send_byte(int fd, char byte)
{
    assert_int_equal(send(fd, &byte, 1, MSG_NOSIGNAL), 1);
}

static void expect_host_comes_in(struct fixture *t, uint32_t last)
{
    send_byte(come_from(t, last), 'H');
    wait_sem(&t->opened);
}

static void a_host_comes_in_while_one_address_keeps_all_the_room(void **state)
{
    struct fixture *t = *state;
    uint64_t before_us = uti_mono_us();
    for (int i = 0; i < CROWD; i++)
        come_from(t, 1);
    expect_host_comes_in(t, 2);
    assert_true(uti_mono_us() - before_us < IN_TIME_US);
    assert_int_equal(t->n_wrapped, 1); /* those that say nothing cost no more than a descriptor */
    for (int i = MOST; i < CROWD; i++)
        wait_sem(&t->refused);
    expect_why(t,
               "too many unauthenticated connections, the limit is 256: it was the oldest of 256 "
               "from its address");
}

static void an_address_that_keeps_threads_busy_leaves_one_for_others(void **state)
{
    struct fixture *t = *state;
    for (int i = 0; i < BUSY; i++)
        send_byte(come_from(t, 1), 'B');
    wait_sem(&t->blocked);
    wait_sem(&t->blocked);
    expect_host_comes_in(t, 2);
    assert_int_equal(t->n_refused, 0);
}

static void a_thread_that_is_kept_busy_too_long_loses_the_connection(void **state)
{
    struct fixture *t = *state;
    set_greeting(t, IMPATIENT_MS);
    send_byte(come_from(t, 1), 'B');
    wait_sem(&t->blocked);
    wait_sem(&t->refused);
    expect_why(t, "it did not authenticate within 0.2 seconds");
}

/* all connections are of single addresses, and have just come: a host that was here before has room
 * of its own */
static void a_host_that_was_here_before_has_a_reserve(void **state)
{
    struct fixture *t = *state;
    expect_host_comes_in(t, 2);
    for (int i = 0; i < MOST; i++)
        come_from(t, 1000 + (uint32_t)i);
    expect_host_comes_in(t, 2);
    /* the newer connection of the host takes the place of the older one */
    wait_sem(&t->refused);
    expect_why(t, "the same host has connected again");
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(a_host_comes_in_while_one_address_keeps_all_the_room),
        SERVED(an_address_that_keeps_threads_busy_leaves_one_for_others),
        SERVED(a_thread_that_is_kept_busy_too_long_loses_the_connection),
        SERVED(a_host_that_was_here_before_has_a_reserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
