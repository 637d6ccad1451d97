/* Where clients of interactive tasks and their shepherds meet: who is let in to whom, in any order,
 * and who is refused. */
#include "daemons/execd/host/sessions.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/comm/unix_socket.h"
#include "libs/task/fd_pass.h"
#include "libs/task/session_frame.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/sha256.h"

#define SECRET "a secret"

struct meeting { /* sessions in a loop of its own thread */
    char dir[32], *path;
    struct loop *loop;
    struct sessions *sessions;
    struct loop_watch *ended; /* wakes: the task "2.1" has ended */
    pthread_t thread;
};

static bool has_task(void *ctx, const char *task)
{
    (void)ctx;
    (void)task;
    return true;
}

static void on_ended(void *ctx)
{
    struct meeting *m = ctx;
    sessions_task_ended(m->sessions, "2.1");
}

static void *run_loop(void *loop)
{
    (void)loop_run(loop);
    return NULL;
}

static int set_up(void **state)
{
    static const struct session_ops ops = { has_task };
    struct meeting *m = calloc(1, sizeof *m);
    (void)snprintf(m->dir, sizeof m->dir, "/tmp/sessions-XXXXXX");
    assert_non_null(mkdtemp(m->dir));
    m->path = path_join(m->dir, "s");
    m->loop = loop_new(NULL);
    m->sessions = sessions_new(m->loop, m->path, "here", &ops, NULL, NULL);
    assert_non_null(m->sessions);
    m->ended = loop_wake_new(m->loop, on_ended, m);
    assert_int_equal(pthread_create(&m->thread, NULL, run_loop, m->loop), 0);
    *state = m;
    return 0;
}

static int tear_down(void **state)
{
    struct meeting *m = *state;
    loop_stop(m->loop);
    pthread_join(m->thread, NULL);
    loop_watch_free(m->ended);
    sessions_free(m->sessions);
    loop_free(m->loop);
    assert_int_equal(file_rmtree(m->dir, NULL), 0);
    free(m->path);
    free(m);
    return 0;
}

static int connect_here(const struct meeting *m)
{
    const struct timeval most = { .tv_sec = 20 };
    int fd = unix_connect(m->path, 20000);
    assert_true(fd >= 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most), 0);
    return fd;
}

static int bring_guest(const struct meeting *m, enum session_kind kind, const char *a,
                       const char *b, const char *c)
{
    uint8_t out[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    const char *const texts[] = { a, b, c };
    size_t len = session_hello(kind, texts, 3, out);
    int fd = connect_here(m);
    assert_int_equal(send(fd, out, len, MSG_NOSIGNAL), len);
    return fd;
}

static int bring_client(const struct meeting *m, const char *task, const char *secret)
{
    return bring_guest(m, SESSION_CLIENT, "here", task, secret);
}

static int bring_task(const struct meeting *m, const char *task, unsigned owner)
{
    char digest[SHA256_TEXT_BYTES], uid[16];
    sha256_text(SECRET, strlen(SECRET), digest);
    (void)snprintf(uid, sizeof uid, "%u", owner);
    return bring_guest(m, SESSION_TASK, task, digest, uid);
}

static void expect_refusal(int fd, const char *why)
{
    char text[SESSION_HEADER_BYTES + SESSION_TEXT_MOST + 1] = { 0 };
    ssize_t n = recv(fd, text, sizeof text - 1, MSG_WAITALL);
    assert_true(n > SESSION_HEADER_BYTES);
    assert_int_equal(text[0], SESSION_REFUSED);
    assert_string_equal(text + SESSION_HEADER_BYTES, why);
    close(fd);
}

/* what TASK gets is the other end of CLIENT's connection, with what that has sent already */
static void expect_meeting(int client, int task)
{
    char byte = 0;
    int fd;
    assert_int_equal(fd_receive(task, &fd, 1), 0);
    assert_int_equal(recv(fd, &byte, 1, 0), 1);
    assert_int_equal(byte, 'e');
    assert_int_equal(send(fd, "z", 1, MSG_NOSIGNAL), 1);
    assert_int_equal(recv(client, &byte, 1, 0), 1);
    assert_int_equal(byte, 'z');
    close(fd);
    close(client);
    close(task);
}

static void client_and_task_meet_in_either_order(void **state)
{
    struct meeting *m = *state;
    int client = bring_client(m, "1.1", SECRET);
    assert_int_equal(send(client, "e", 1, MSG_NOSIGNAL), 1);
    expect_meeting(client, bring_task(m, "1.1", geteuid()));
    int task = bring_task(m, "2.1", geteuid());
    client = bring_client(m, "2.1", SECRET);
    assert_int_equal(send(client, "e", 1, MSG_NOSIGNAL), 1);
    expect_meeting(client, task);
}

static void who_is_not_the_client_is_refused_and_the_client_is_not(void **state)
{
    static const char denied[] =
        "denied: the job is not yours, or this is not the client that submitted it";
    struct meeting *m = *state;
    int guess = bring_client(m, "1.1", "guess"), client = bring_client(m, "1.1", SECRET);
    assert_int_equal(send(client, "e", 1, MSG_NOSIGNAL), 1);
    int task = bring_task(m, "1.1", geteuid());
    expect_refusal(guess, denied);
    expect_meeting(client, task);
    task = bring_task(m, "2.1", geteuid() + 1); /* of another user, and the secret is known */
    expect_refusal(bring_client(m, "2.1", SECRET), denied);
    close(task);
}

static void what_is_no_first_frame_is_refused(void **state)
{
    static const char malformed[] = "this is no request for the session of an interactive job";
    struct meeting *m = *state;
    uint8_t header[SESSION_HEADER_BYTES];
    int fd = connect_here(m);
    session_header_pack(SESSION_CLIENT, SESSION_HELLO_MOST + 1, header);
    assert_int_equal(send(fd, header, sizeof header, MSG_NOSIGNAL), sizeof header);
    expect_refusal(fd, malformed);
    fd = connect_here(m);
    session_header_pack(SESSION_STDIN, 0, header);
    assert_int_equal(send(fd, header, sizeof header, MSG_NOSIGNAL), sizeof header);
    expect_refusal(fd, malformed);
    fd = connect_here(m);
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    expect_refusal(fd, malformed);
    expect_refusal(bring_guest(m, SESSION_CLIENT, "there", "1.1", "x"),
                   "the job runs on there: sessions between that host and here are not supported "
                   "yet");
}

static void a_task_that_has_ended_is_not_waited_for(void **state)
{
    struct meeting *m = *state;
    int client = bring_client(m, "2.1", SECRET), other = bring_client(m, "1.1", SECRET);
    /* all that came before this one has been read when it is refused */
    expect_refusal(bring_guest(m, SESSION_CLIENT, "there", "1.1", "x"),
                   "the job runs on there: sessions between that host and here are not supported "
                   "yet");
    loop_wake(m->ended);
    expect_refusal(client, "the job has ended, or could not be started");
    assert_int_equal(send(other, "e", 1, MSG_NOSIGNAL), 1);
    expect_meeting(other, bring_task(m, "1.1", geteuid()));
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(client_and_task_meet_in_either_order),
        T(who_is_not_the_client_is_refused_and_the_client_is_not),
        T(what_is_no_first_frame_is_refused),
        T(a_task_that_has_ended_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
