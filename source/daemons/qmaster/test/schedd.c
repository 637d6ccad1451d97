/* The scheduler's keeper, with a shell script in the scheduler's place: it writes its pid into a
 * pipe when it runs. */
#include "daemons/qmaster/sched/schedd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"

enum { PATIENCE_MS = 20000 };

struct play {
    char dir[40];
    char *program, *pipe;
    int fd;         /* where the pids come */
    int adopted[2]; /* a pipe: the qmaster's ends */
};

/* LAST is the script's last line, after it has said who it is */
static void write_program(struct play *p, const char *last)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "#!/bin/sh\necho $$ >%s\n%s\n", p->pipe, last);
    assert_int_equal(file_write(p->program, text.s, text.len, 0755, NULL), 0);
    dstr_free(&text);
}

static int set_up(void **state)
{
    struct play *p = uti_calloc(1, sizeof *p);
    snprintf(p->dir, sizeof p->dir, "/tmp/keeper-test-XXXXXX");
    if (mkdtemp(p->dir) == NULL)
        return -1;
    p->program = path_join(p->dir, "schedd");
    p->pipe = path_join(p->dir, "pids");
    if (mkfifo(p->pipe, 0600) != 0)
        return -1;
    p->fd = open(p->pipe, O_RDWR | O_CLOEXEC);
    write_program(p, "exec sleep 1000");
    *state = p;
    assert_int_equal(pipe2(p->adopted, O_CLOEXEC), 0);
    return p->fd >= 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    struct play *p = *state;
    close(p->fd);
    close(p->adopted[1]);
    for (int fd; read(p->adopted[0], &fd, sizeof fd) == sizeof fd;)
        close(fd);
    close(p->adopted[0]);
    file_rmtree(p->dir, NULL);
    free(p->program);
    free(p->pipe);
    free(p);
    return 0;
}

/* the pid of the next one that starts */
static pid_t next_pid(struct play *p)
{
    char line[16] = "";
    uint32_t pid = 0;
    for (size_t at = 0; at + 1 < sizeof line && strchr(line, '\n') == NULL; at++) {
        struct pollfd ready = { .fd = p->fd, .events = POLLIN };
        assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
        assert_int_equal(read(p->fd, &line[at], 1), 1);
    }
    line[strcspn(line, "\n")] = '\0';
    assert_true(parse_u32(line, &pid));
    return (pid_t)pid;
}

static void on_adopt(void *ctx, int fd)
{
    assert_int_equal(write(((struct play *)ctx)->adopted[1], &fd, sizeof fd), sizeof fd);
}

static struct schedd *keep_program(struct play *p, const char *program)
{
    return schedd_keep(program, on_adopt, p);
}

/* the qmaster's end for the next one that starts */
static int next_end(struct play *p)
{
    struct pollfd ready = { .fd = p->adopted[0], .events = POLLIN };
    int fd = -1;
    assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
    assert_int_equal(read(p->adopted[0], &fd, sizeof fd), sizeof fd);
    return fd;
}

static bool is_gone(pid_t pid)
{
    return kill(pid, 0) != 0 && errno == ESRCH;
}

static void expect_line(int fd, const char *line)
{
    char got[16] = "";
    for (size_t at = 0; at < strlen(line); at++) {
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
        assert_int_equal(read(fd, &got[at], 1), 1);
    }
    assert_string_equal(got, line);
}

static void it_runs_until_it_is_stopped(void **state)
{
    struct play *p = *state;
    struct schedd *s = keep_program(p, p->program);
    pid_t pid = next_pid(p);
    assert_false(is_gone(pid));
    schedd_stop(s);
    assert_true(is_gone(pid)); /* and waited for */
}

static void one_that_ends_is_started_again(void **state)
{
    struct play *p = *state;
    write_program(p, "exit 3");
    struct schedd *s = keep_program(p, p->program);
    pid_t first = next_pid(p), second = next_pid(p);
    assert_int_not_equal(first, second);
    assert_true(is_gone(first));
    schedd_stop(s);
    assert_true(is_gone(second));
}

static void one_that_hangs_can_be_replaced(void **state)
{
    struct play *p = *state;
    write_program(p, "trap '' TERM\nexec sleep 1000");
    struct schedd *s = keep_program(p, p->program);
    pid_t first = next_pid(p);
    write_program(p, "exec sleep 1000"); /* the next one listens */
    schedd_kill(s);
    (void)next_pid(p);
    assert_true(is_gone(first));
    schedd_stop(s);
}

static void one_that_is_held_runs_when_it_is_released(void **state)
{
    struct play *p = *state;
    struct schedd *s = keep_program(p, p->program);
    pid_t first = next_pid(p);
    assert_true(schedd_hold(s));
    assert_false(schedd_hold(s)); /* it is already */
    int end = next_end(p);
    char eof;
    struct pollfd gone = { .fd = end, .events = POLLIN };
    assert_int_equal(poll(&gone, 1, PATIENCE_MS), 1);
    assert_int_equal(read(end, &eof, 1), 0);
    close(end);
    write_program(p, "echo $$ >&3\nexec sleep 1000");
    assert_true(schedd_release(s)); /* the first one that has this program */
    assert_false(schedd_release(s));
    char pid[16];
    snprintf(pid, sizeof pid, "%d\n", (int)next_pid(p));
    end = next_end(p);
    expect_line(end, pid);
    assert_true(is_gone(first));
    close(end);
    schedd_stop(s);
}

static void what_is_held_can_be_stopped(void **state)
{
    struct play *p = *state;
    struct schedd *s = keep_program(p, p->program);
    pid_t pid = next_pid(p);
    assert_true(schedd_hold(s));
    schedd_stop(s);
    assert_true(is_gone(pid));
}

static void one_that_does_not_hear_is_killed_at_the_end(void **state)
{
    struct play *p = *state;
    struct schedd *s = keep_program(p, p->program);
    pid_t pid = next_pid(p);
    kill(pid, SIGSTOP);
    schedd_stop(s);
    assert_true(is_gone(pid));
}

/* the qmaster's threads have signals blocked; its child must hear SIGTERM */
static void it_starts_with_no_signal_blocked(void **state)
{
    struct play *p = *state;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    struct schedd *s = keep_program(p, p->program);
    pid_t pid = next_pid(p);
    schedd_stop(s); /* waits for the process, which SIGTERM has to reach */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert_true(is_gone(pid));
}

static void each_has_a_connection_of_its_own(void **state)
{
    struct play *p = *state;
    char eof;
    write_program(p, "echo $$ >&3\nexec sleep 1000");
    struct schedd *s = keep_program(p, p->program);
    for (int i = 0; i < 2; i++) {
        char pid[16];
        snprintf(pid, sizeof pid, "%d\n", (int)next_pid(p));
        int fd = next_end(p);
        expect_line(fd, pid);
        schedd_kill(s);
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
        assert_int_equal(read(fd, &eof, 1),
                         0); /* the process has gone, and nobody else has its end */
        close(fd);
    }
    schedd_stop(s);
}

static void one_that_cannot_be_started_is_tried_again(void **state)
{
    struct play *p = *state;
    char *away = path_join(p->dir, "away");
    assert_int_equal(rename(p->program, away), 0);
    struct schedd *s = keep_program(p, p->program);
    schedd_kill(s); /* there is nothing to kill */
    assert_int_equal(rename(away, p->program), 0);
    pid_t pid = next_pid(p);
    schedd_stop(s);
    assert_true(is_gone(pid));
    free(away);
}

static void the_end_does_not_wait_for_a_pause(void **state)
{
    struct play *p = *state;
    char *nowhere = path_join(p->dir, "nowhere");
    schedd_stop(keep_program(p, nowhere)); /* whichever step it is at */
    write_program(p, "exit 0");
    struct schedd *s = keep_program(p, p->program);
    for (int i = 0; i < 3; i++)
        (void)next_pid(p);
    schedd_stop(s);
    free(nowhere);
}

static void nobody_is_kept(void **state)
{
    (void)state;
    schedd_kill(NULL);
    assert_false(schedd_hold(NULL));
    assert_false(schedd_release(NULL));
    schedd_stop(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(it_runs_until_it_is_stopped),
        TEST(one_that_ends_is_started_again),
        TEST(one_that_hangs_can_be_replaced),
        TEST(it_starts_with_no_signal_blocked),
        TEST(one_that_is_held_runs_when_it_is_released),
        TEST(what_is_held_can_be_stopped),
        TEST(one_that_does_not_hear_is_killed_at_the_end),
        TEST(each_has_a_connection_of_its_own),
        TEST(one_that_cannot_be_started_is_tried_again),
        TEST(the_end_does_not_wait_for_a_pause),
        TEST(nobody_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
