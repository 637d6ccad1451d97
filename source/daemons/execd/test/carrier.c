/* An execd and its carrier: packets between them, and how many carriers of a host there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/carrier_line.h"
#include "libs/comm/loop.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { CARRIERS = 8, SOME = 3 };

static const char *carrier_dir;

struct ends {
    struct loop *loop;
    struct carrier_line *line;
    int other;
    unsigned n_came, n_ended;
    struct carrier_packet last, session; /* the last of all, and the last session */
    int last_fd;                         /* of that */

    unsigned until; /* packets, after which the loop stops */
};

static void on_came(void *ctx, const struct carrier_packet *p, int fd)
{
    struct ends *e = ctx;
    e->last = *p;
    if (p->kind == CARRIER_SESSION) {
        e->session = *p;
        e->last_fd = fd;
    } else if (fd >= 0) {
        fail_msg("a descriptor that was not sent");
    }
    if (++e->n_came == e->until)
        loop_stop(e->loop);
}

static void on_ended(void *ctx)
{
    struct ends *e = ctx;
    e->n_ended++;
    loop_stop(e->loop);
}

static const struct carrier_line_ops ops = { .came = on_came, .ended = on_ended };

static void ends_open(struct ends *e)
{
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds), 0);
    *e = (struct ends){ .loop = loop_new(NULL), .other = fds[1], .last_fd = -1 };
    e->line = carrier_line_new(e->loop, fds[0], &ops, e);
}

static void ends_close(struct ends *e)
{
    carrier_line_free(e->line);
    loop_free(e->loop);
    if (e->other >= 0)
        close(e->other);
    if (e->last_fd >= 0)
        close(e->last_fd);
}

static void packets_pass_with_their_descriptors(void **state)
{
    struct ends a, b;
    int ends[2];
    char byte = 0;
    (void)state;
    ends_open(&a);
    ends_open(&b);
    /* the other end of A's line is a line, too */
    carrier_line_free(b.line);
    b.line = carrier_line_new(b.loop, a.other, &ops, &b);
    a.other = -1;
    assert_int_equal(pipe(ends), 0);
    struct carrier_packet p = { .kind = CARRIER_SESSION, .uid = 4711, .n = 3 };
    memcpy(p.bytes, "abc", 3);
    memcpy(p.host, "node1", 6);
    assert_true(carrier_line_send(a.line, &p, ends[1]));
    p = (struct carrier_packet){ .kind = CARRIER_SILENCE, .seconds = 7 };
    assert_true(carrier_line_send(a.line, &p, -1));
    b.until = 2;
    assert_int_equal(loop_run(b.loop), 0);
    assert_int_equal(b.session.uid, 4711);
    assert_string_equal(b.session.host, "node1");
    assert_memory_equal(b.session.bytes, "abc", 3);
    assert_int_equal(write(b.last_fd, "x", 1), 1);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
    assert_int_equal(b.last.kind, CARRIER_SILENCE);
    assert_int_equal(b.last.seconds, 7);
    close(ends[0]);
    ends_close(&a);
    ends_close(&b);
}

/* nothing blocks: what the other end does not take is kept, in order, and bounded */
static void what_is_not_taken_waits_up_to_a_limit(void **state)
{
    struct ends a, b;
    struct carrier_packet p = { .kind = CARRIER_SILENCE };
    unsigned n = 0;
    (void)state;
    ends_open(&a);
    ends_open(&b);
    while (p.seconds = n, carrier_line_send(a.line, &p, -1))
        n++;
    assert_true(n >= CARRIER_QUEUE_MOST);
    assert_true(n < 2 * CARRIER_QUEUE_MOST);
    carrier_line_free(b.line);
    b.line = carrier_line_new(a.loop, a.other, &ops, &b);
    a.other = -1;
    /* both in one loop: the packets that wait follow as the others are taken */
    loop_free(b.loop);
    b.loop = a.loop;
    b.until = n;
    assert_int_equal(loop_run(a.loop), 0);
    assert_int_equal(b.n_came, n);
    assert_int_equal(b.last.seconds, n - 1);
    carrier_line_free(b.line);
    close(b.other);
    ends_close(&a);
}

/* the line ends then, and does not take it for anything else */
static void what_is_no_packet_ends_the_line(void **state)
{
    struct carrier_packet bad[SOME] = { { .version = CARRIER_LINE_VERSION + 1 },
                                        { .version = CARRIER_LINE_VERSION, .n = UINT32_MAX },
                                        { .version = CARRIER_LINE_VERSION } };
    (void)state;
    memset(bad[2].host, 'x', sizeof bad[2].host);
    for (int i = 0; i <= SOME; i++) {
        struct ends e;
        ends_open(&e);
        size_t len = i < SOME ? sizeof bad[i] : 4;
        assert_int_equal(send(e.other, i < SOME ? (void *)&bad[i] : "abcd", len, 0), len);
        assert_int_equal(loop_run(e.loop), 0);
        assert_int_equal(e.n_ended, 1);
        assert_int_equal(e.n_came, 0);
        ends_close(&e);
    }
}

static void the_end_of_the_other_is_seen(void **state)
{
    struct ends e;
    struct carrier_packet p = { .kind = CARRIER_LISTENS };
    (void)state;
    ends_open(&e);
    close(e.other);
    e.other = -1;
    assert_false(carrier_line_send(e.line, &p, -1));
    assert_int_equal(loop_run(e.loop), 0);
    assert_int_equal(e.n_ended, 1);
    ends_close(&e);
}

/* ---- the program ---- */

/* its exit status; with INPUT, or without */
static int run_carrier(char *const *words, int input)
{
    char *path = path_join(carrier_dir, "sge_carrier"), *envp[] = { NULL };
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    assert_int_equal(posix_spawn(&pid, path, &files, NULL, words, envp), 0);
    posix_spawn_file_actions_destroy(&files);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    free(path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void earlier_ones_are_limited(void **state)
{
    char dir[] = "/tmp/test_carrier.XXXXXX", place[CARRIERS][64], messages[64];
    int locks[CARRIERS], fds[2];
    struct dstr text = DSTR_INIT;
    (void)state;
    assert_non_null(mkdtemp(dir));
    (void)snprintf(messages, sizeof messages, "%s/messages", dir);
    for (int i = 0; i < CARRIERS; i++) {
        (void)snprintf(place[i], sizeof place[i], "%s/carrier.%d", dir, i);
        locks[i] = file_lock(place[i], NULL);
        assert_true(locks[i] >= 0);
    }
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
    char *words[] = { (char[]){ "sge_carrier" },
                      (char[]){ "here" },
                      messages,
                      dir,
                      (char[]){ "1" },
                      dir,
                      dir,
                      (char[]){ "read" },
                      NULL };
    assert_int_equal(run_carrier(words, fds[1]), 1);
    assert_int_equal(file_read(messages, 4096, &text, NULL), 0);
    assert_non_null(strstr(dstr_get(&text), "8 earlier sge_carrier of this host still carry "
                                            "sessions, which is the limit"));
    for (int i = 0; i < CARRIERS; i++) {
        close(locks[i]);
        unlink(place[i]);
    }
    close(fds[0]);
    close(fds[1]);
    unlink(messages);
    rmdir(dir);
    dstr_free(&text);
}

/* it is started by an execd alone */
static void it_has_a_line_to_an_execd(void **state)
{
    char *none[] = { (char[]){ "sge_carrier" }, NULL },
         *help[] = { none[0], (char[]){ "-help" }, NULL };
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)state;
    assert_int_equal(run_carrier(none, null_fd), 1);
    assert_int_equal(run_carrier(help, null_fd), 0);
    close(null_fd);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_pass_with_their_descriptors),
        cmocka_unit_test(what_is_not_taken_waits_up_to_a_limit),
        cmocka_unit_test(what_is_no_packet_ends_the_line),
        cmocka_unit_test(the_end_of_the_other_is_seen),
        cmocka_unit_test(earlier_ones_are_limited),
        cmocka_unit_test(it_has_a_line_to_an_execd),
    };
    if (argc != 2)
        return 1;
    carrier_dir = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
