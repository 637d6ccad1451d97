/* Programs that are nobody's children. */
#include "libs/uti/detached.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/basis.h"
#include "libs/uti/signals.h"

enum { HEARD_BYTES = 8192, LATE_MS = 20000 };

static volatile sig_atomic_t n_told;

static void count_end(int sig)
{
    (void)sig;
    n_told++;
}

/* what PROGRAM writes to its standard input, a pipe, until it has ended */
static void hear_program(const char *program, char *const *argv, char heard[HEARD_BYTES])
{
    int fds[2];
    ssize_t n;
    size_t len = 0;
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    assert_int_equal(detached_start(program, argv, fds[1]), 0);
    close(fds[1]);
    do {
        struct pollfd p = { .fd = fds[0], .events = POLLIN };
        assert_int_equal(poll(&p, 1, LATE_MS), 1);
        n = read(fds[0], heard + len, HEARD_BYTES - 1 - len);
        len += n > 0 ? (size_t)n : 0;
    } while (n > 0);
    heard[len] = '\0';
    close(fds[0]);
}

static void it_runs_and_nobody_is_told_of_its_end(void **state)
{
    struct sigaction counting = { .sa_handler = count_end }, before;
    char *argv[] = { "sh", "-c", "echo hello >&0", NULL }, heard[HEARD_BYTES];
    (void)state;
    sigaction(SIGCHLD, &counting, &before);
    hear_program("/bin/sh", argv, heard);
    assert_string_equal(heard, "hello\n");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(n_told, 0);
    sigaction(SIGCHLD, &before, NULL);
}

static void no_handler_of_ours_runs_before_it_does(void **state)
{
    char *argv[] = { "cp", "/proc/self/status", "/dev/stdin", NULL }, heard[HEARD_BYTES];
    (void)state;
    hear_program("/bin/cp", argv, heard);
    assert_non_null(strstr(heard, "SigBlk:\tfffffffe"));
}

static void a_program_begins_with_signals_as_they_are_at_first(void **state)
{
    struct sigaction ignoring = { .sa_handler = SIG_IGN }, found;
    sigset_t one, before;
    (void)state;
    sigaction(SIGTERM, &ignoring, NULL);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigprocmask(SIG_BLOCK, &one, &before);
    signal_default_all();
    signal_unblock_all();
    sigaction(SIGTERM, NULL, &found);
    assert_ptr_equal(found.sa_handler, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, &one);
    assert_false(sigismember(&one, SIGUSR1));
}

static void what_cannot_be_started_is_an_error(void **state)
{
    char *argv[] = { "x", NULL };
    (void)state;
    assert_int_equal(detached_start("/nonexistent/x", argv, STDIN_FILENO), ENOENT);
    assert_int_equal(detached_start("/bin/sh", argv, -1), EBADF);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_runs_and_nobody_is_told_of_its_end),
        cmocka_unit_test(no_handler_of_ours_runs_before_it_does),
        cmocka_unit_test(a_program_begins_with_signals_as_they_are_at_first),
        cmocka_unit_test(what_cannot_be_started_is_an_error),
    };
    return cmocka_run_group_tests_name("uti/detached", tests, NULL, NULL);
}
