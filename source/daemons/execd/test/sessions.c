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

#include "daemons/execd/host/session_relay.h"
#include "libs/comm/loop.h"
#include "libs/comm/stream.h"
#include "libs/comm/unix_socket.h"
#include "libs/task/session_frame.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/fd_pass.h"
#include "libs/uti/file.h"
#include "libs/uti/sha256.h"

#define SECRET "a secret"

struct meeting { /* sessions in a loop of its own thread */
    char dir[32], *path;
    struct loop *loop;
    struct sessions *sessions;
    struct loop_watch *ended; /* wakes: tasks have ended */
    struct loop_watch *come;  /* wakes: one comes through another process */
    int relayed;              /* its other end */
    struct session_first first;
    uint8_t bytes[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    pthread_t thread;
};

static bool has_task(void *ctx, const char *task)
{
    (void)ctx;
    return strcmp(task, "5.1") != 0;
}

/* a session for another host has come to the test, which answers; for "full" there is no room */
static bool send_on(void *ctx, struct stream *near, const struct session_first *first,
                    const char *host, unsigned *most)
{
    (void)ctx;
    *most = first->is_relayed ? 0 : 17;
    if (first->is_relayed)
        return false;
    if (strcmp(host, "full") == 0)
        return false;
    assert_int_equal(first->uid, geteuid());
    struct iovec v = { (void *)(uintptr_t)first->bytes, first->n };
    assert_int_equal(stream_write(near, &v, 1), first->n);
    stream_close(near);
    return true;
}

static void on_come(void *ctx)
{
    struct meeting *m = ctx;
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    m->relayed = fds[0];
    sessions_take(m->sessions, fds[1], &m->first);
}

static void on_ended(void *ctx)
{
    struct meeting *m = ctx;
    sessions_task_ended(m->sessions, "5.1", true);
    sessions_task_ended(m->sessions, "6.1", true); /* and has been ordered again */
    sessions_task_ended(m->sessions, "2.1", false);
}

static void *run_loop(void *loop)
{
    (void)loop_run(loop);
    return NULL;
}

/* refuses, and says who has asked */
static bool start_petask(void *ctx, const struct session_petask *ask, struct dstr *out)
{
    (void)ctx;
    dstr_addf(out, "%s for %u, %s from %s: %zu", ask->task, (unsigned)ask->uid,
              ask->is_relayed ? "relayed" : "here", ask->from != NULL ? ask->from : "nowhere",
              ask->len);
    return false;
}

/* a process of the task "1.1" alone */
static bool may_ask(void *ctx, const struct session_petask *ask, struct dstr *out)
{
    (void)ctx;
    if (strcmp(ask->task, "1.1") == 0 && ask->pid == getpid())
        return true;
    dstr_add(out, "not of that task");
    return false;
}

static int set_up_with(void **state, uint32_t hello_ms, uint32_t client_ms)
{
    static const struct session_ops ops = {
        .has_task = has_task, .send = send_on, .start_petask = start_petask, .may_ask = may_ask
    };
    struct meeting *m = calloc(1, sizeof *m);
    (void)snprintf(m->dir, sizeof m->dir, "/tmp/sessions-XXXXXX");
    assert_non_null(mkdtemp(m->dir));
    m->path = path_join(m->dir, "s");
    m->loop = loop_new(NULL);
    m->sessions = sessions_new(m->loop, m->path, "here", &ops, m, NULL);
    assert_non_null(m->sessions);
    if (hello_ms != 0)
        sessions_set_patience(m->sessions, hello_ms, client_ms);
    m->ended = loop_wake_new(m->loop, on_ended, m);
    m->come = loop_wake_new(m->loop, on_come, m);
    assert_int_equal(pthread_create(&m->thread, NULL, run_loop, m->loop), 0);
    *state = m;
    return 0;
}

static int set_up(void **state)
{
    return set_up_with(state, 0, 0);
}

static int set_up_impatient(void **state)
{
    return set_up_with(state, 500, 600);
}

static int tear_down(void **state)
{
    struct meeting *m = *state;
    loop_stop(m->loop);
    pthread_join(m->thread, NULL);
    loop_watch_free(m->ended);
    loop_watch_free(m->come);
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
    expect_refusal(bring_guest(m, SESSION_CLIENT, "full", "1.1", "x"),
                   "17 sessions of interactive jobs are carried between this host and others, "
                   "which is the limit");
}

static void a_task_that_has_ended_is_not_waited_for(void **state)
{
    struct meeting *m = *state;
    int client = bring_client(m, "2.1", SECRET), other = bring_client(m, "1.1", SECRET);
    /* all that came before this one has been read when it is refused */
    expect_refusal(bring_guest(m, SESSION_CLIENT, "full", "1.1", "x"),
                   "17 sessions of interactive jobs are carried between this host and others, "
                   "which is the limit");
    loop_wake(m->ended);
    expect_refusal(client, "the job has ended, or could not be started");
    assert_int_equal(send(other, "e", 1, MSG_NOSIGNAL), 1);
    expect_meeting(other, bring_task(m, "1.1", geteuid()));
}

static void expect_same(int fd, const uint8_t *bytes, size_t len)
{
    uint8_t came[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    assert_int_equal(recv(fd, came, len, MSG_WAITALL), len);
    assert_memory_equal(came, bytes, len);
    assert_int_equal(recv(fd, came, 1, 0), 0);
    close(fd);
}

static void a_client_of_a_task_elsewhere_is_sent_on_as_it_is(void **state)
{
    struct meeting *m = *state;
    uint8_t hello[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    const char *const texts[] = { "there", "1.1", SECRET };
    size_t len = session_hello(SESSION_CLIENT, texts, 3, hello);
    expect_same(bring_guest(m, SESSION_CLIENT, "there", "1.1", SECRET), hello, len);
}

/* the other end of one for whom another process vouches, with this first frame */
static int bring_relayed_of(struct meeting *m, enum session_kind kind, uid_t uid,
                            const char *const *texts, unsigned n)
{
    const struct timeval most = { .tv_sec = 20 };
    m->first = (struct session_first){ .uid = uid,
                                       .from = "there",
                                       .is_relayed = true,
                                       .bytes = m->bytes,
                                       .n = session_hello(kind, texts, n, m->bytes) };
    loop_wake(m->come);
    close(bring_guest(m, SESSION_STDIN, "", "", "")); /* not before the loop has had its turn */
    int fd = bring_guest(m, SESSION_CLIENT, "full", "", "");
    char byte;
    assert_int_equal(recv(fd, &byte, 1, 0), 1);
    close(fd);
    assert_int_equal(setsockopt(m->relayed, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most), 0);
    return m->relayed;
}

static int bring_relayed(struct meeting *m, enum session_kind kind, uid_t uid,
                         const char *const texts[3])
{
    return bring_relayed_of(m, kind, uid, texts, 3);
}

static int ask_for_petask(const struct meeting *m, const char *host, const char *task)
{
    uint8_t out[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    const char *const texts[] = { host, task, SECRET, "0" };
    size_t len = session_hello(SESSION_PETASK, texts, ARRAY_LEN(texts), out);
    int fd = connect_here(m);
    assert_int_equal(send(fd, out, len, MSG_NOSIGNAL), len);
    return fd;
}

/* "ab" in one piece, and the end of the request */
static void send_request(int fd)
{
    uint8_t bytes[2 * SESSION_HEADER_BYTES + 2];
    session_header_pack(SESSION_PETASK_REQUEST, 2, bytes);
    memcpy(bytes + SESSION_HEADER_BYTES, "ab", 2);
    session_header_pack(SESSION_PETASK_REQUEST, 0, bytes + SESSION_HEADER_BYTES + 2);
    assert_int_equal(send(fd, bytes, sizeof bytes, MSG_NOSIGNAL), sizeof bytes);
}

static void expect_not_accepted(int fd, const char *why)
{
    char text[200];
    (void)snprintf(text, sizeof text, "execution daemon on host \"here\" didn't accept task: %s",
                   why);
    expect_refusal(fd, text);
}

static void a_client_that_comes_when_its_task_has_ended_is_refused_at_once(void **state)
{
    struct meeting *m = *state;
    int first = bring_client(m, "2.1", SECRET);
    expect_refusal(bring_guest(m, SESSION_CLIENT, "full", "1.1", "x"),
                   "17 sessions of interactive jobs are carried between this host and others, "
                   "which is the limit");
    loop_wake(m->ended);
    expect_refusal(first, "the job has ended, or could not be started");
    expect_refusal(bring_client(m, "5.1", SECRET), "the job has ended, or could not be started");
    int again = bring_client(m, "6.1", SECRET);
    assert_int_equal(send(again, "e", 1, MSG_NOSIGNAL), 1);
    expect_meeting(again, bring_task(m, "6.1", geteuid()));
}

/* half a second for a request, a little more for a client whose task is not here */
static void what_is_waited_for_has_a_time(void **state)
{
    static const char slow[] =
        "the request has not come whole within 1 s, which is the limit on this host";
    struct meeting *m = *state;
    uint8_t piece[SESSION_HEADER_BYTES + 1] = { 0 };
    int half = ask_for_petask(m, "here", "1.1"); /* a piece, and no end of the request */
    session_header_pack(SESSION_PETASK_REQUEST, 1, piece);
    assert_int_equal(send(half, piece, sizeof piece, MSG_NOSIGNAL), sizeof piece);
    int silent = connect_here(m), client = bring_client(m, "5.1", SECRET);
    int fine = bring_client(m, "1.1", SECRET);
    expect_not_accepted(half, slow);
    expect_refusal(silent, slow);
    expect_refusal(client, "no such job has come to this host");
    assert_int_equal(send(fine, "e", 1, MSG_NOSIGNAL), 1);
    expect_meeting(fine, bring_task(m, "1.1", geteuid()));
}

/* of the task on the other host nothing is known here: this host sees the process, and says so */
static void who_asks_another_host_for_a_petask_is_of_the_task(void **state)
{
    struct meeting *m = *state;
    uint8_t hello[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    const char *const texts[] = { "there", "1.1", SECRET, "0" };
    size_t len = session_hello(SESSION_PETASK, texts, ARRAY_LEN(texts), hello);
    expect_not_accepted(ask_for_petask(m, "there", "2.1"), "not of that task");
    expect_same(ask_for_petask(m, "there", "1.1"), hello, len);
}

static void who_asks_for_a_petask_is_known_by_the_kernel_or_another_host(void **state)
{
    struct meeting *m = *state;
    char wanted[80];
    int fd = ask_for_petask(m, "here", "1.1");
    send_request(fd);
    (void)snprintf(wanted, sizeof wanted, "1.1 for %u, here from nowhere: 2", (unsigned)geteuid());
    expect_not_accepted(fd, wanted);
    const char *const texts[] = { "here", "1.1", SECRET, "0" };
    fd = bring_relayed_of(m, SESSION_PETASK, 4711, texts, ARRAY_LEN(texts));
    send_request(fd);
    expect_not_accepted(fd, "1.1 for 4711, relayed from there: 2");
    fd = ask_for_petask(m, "here", "1.1"); /* another frame in its place */
    uint8_t header[SESSION_HEADER_BYTES];
    session_header_pack(SESSION_STDIN, 0, header);
    assert_int_equal(send(fd, header, sizeof header, MSG_NOSIGNAL), sizeof header);
    expect_not_accepted(fd, "this is no request for the session of an interactive job");
}

/* a user cannot hold more than some requests open */
static void requests_for_petasks_are_limited(void **state)
{
    struct meeting *m = *state;
    int fds[PETASK_REQUESTS_OF_USER];
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        fds[i] = ask_for_petask(m, "here", "1.1");
    expect_not_accepted(
        ask_for_petask(m, "here", "1.1"),
        "64 requests for tasks, or your 16, come at this moment, which is the limit");
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        close(fds[i]);
}

static void one_who_comes_through_another_process_is_a_client_and_nothing_else(void **state)
{
    static const char denied[] =
        "denied: the job is not yours, or this is not the client that submitted it";
    struct meeting *m = *state;
    char digest[SHA256_TEXT_BYTES];
    sha256_text(SECRET, strlen(SECRET), digest);
    /* neither a shepherd, though it has the user id of one, nor a way to further hosts */
    expect_refusal(
        bring_relayed(m, SESSION_TASK, geteuid(), (const char *const[]){ "1.1", digest, "0" }),
        denied);
    expect_refusal(bring_relayed(m, SESSION_CLIENT, geteuid(),
                                 (const char *const[]){ "there", "1.1", SECRET }),
                   "the job runs on there, and no session can be carried from here to there");
    int task = bring_task(m, "1.1", 4711);
    expect_refusal(
        bring_relayed(m, SESSION_CLIENT, 4712, (const char *const[]){ "here", "1.1", SECRET }),
        denied);
    int client =
        bring_relayed(m, SESSION_CLIENT, 4711, (const char *const[]){ "here", "1.1", SECRET });
    assert_int_equal(send(client, "e", 1, MSG_NOSIGNAL), 1);
    expect_meeting(client, task);
}

/* clients come as another user id would, until no more are let in */
static void clients_that_wait_keep_no_shepherd_out(void **state)
{
    struct meeting *m = *state;
    int fds[SESSIONS_WAITING_OF_USER];
    for (int i = 0; i < SESSIONS_WAITING_OF_USER; i++)
        fds[i] = bring_relayed(m, SESSION_CLIENT, 4711, (const char *const[]){ "here", "7.1", "" });
    expect_refusal(
        bring_relayed(m, SESSION_CLIENT, 4711, (const char *const[]){ "here", "8.1", "" }),
        "256 of your sessions of interactive jobs wait on this host, which is the limit");
    int client =
        bring_relayed(m, SESSION_CLIENT, 4712, (const char *const[]){ "here", "1.1", SECRET });
    assert_int_equal(send(client, "e", 1, MSG_NOSIGNAL), 1);
    expect_meeting(client, bring_task(m, "1.1", 4712));
    for (int i = 0; i < SESSIONS_WAITING_OF_USER; i++)
        close(fds[i]);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(client_and_task_meet_in_either_order),
        T(who_is_not_the_client_is_refused_and_the_client_is_not),
        T(what_is_no_first_frame_is_refused),
        T(a_task_that_has_ended_is_not_waited_for),
        T(a_client_that_comes_when_its_task_has_ended_is_refused_at_once),
        cmocka_unit_test_setup_teardown(what_is_waited_for_has_a_time, set_up_impatient, tear_down),
        T(a_client_of_a_task_elsewhere_is_sent_on_as_it_is),
        T(who_asks_another_host_for_a_petask_is_of_the_task),
        T(who_asks_for_a_petask_is_known_by_the_kernel_or_another_host),
        T(requests_for_petasks_are_limited),
        T(one_who_comes_through_another_process_is_a_client_and_nothing_else),
        T(clients_that_wait_keep_no_shepherd_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
