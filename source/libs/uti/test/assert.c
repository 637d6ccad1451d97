/* A claim that does not hold: one line, then the end. */
#include "libs/uti/assert.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_claim_that_holds_costs_nothing(void **state)
{
    (void)state;
    int n = 0;
    ASSERT(++n == 1);
    assert_int_equal(n, 1);
}

/* what a process says on stderr when SAY is who speaks for it and a claim of its does not hold */
static void fail_in_a_child(uti_assert_failure_fn say, char *line, size_t size)
{
    int fds[2], status;
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit no_core = { 0, 0 };
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(fds[1], STDERR_FILENO);
        uti_assert_on_failure(say);
        ASSERT(1 + 1 == 3);
        _exit(0);
    }
    close(fds[1]);
    assert_true(read(fds[0], line, size) > 0);
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void a_false_claim_says_where_and_aborts(void **state)
{
    (void)state;
    char line[400] = "";
    fail_in_a_child(NULL, line, sizeof line - 1);
    static const char begin[] = "assertion failed: 1 + 1 == 3 in fail_in_a_child (";
    assert_int_equal(strncmp(line, begin, sizeof begin - 1), 0);
}

static void speak_claim(const char *claim, const char *file, int line, const char *func)
{
    (void)file, (void)line, (void)func;
    (void)dprintf(STDERR_FILENO, "heard: %s", claim);
}

static void whoever_was_installed_speaks_and_the_process_still_aborts(void **state)
{
    (void)state;
    char line[400] = "";
    fail_in_a_child(speak_claim, line, sizeof line - 1);
    assert_string_equal(line, "heard: 1 + 1 == 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_that_holds_costs_nothing),
        cmocka_unit_test(a_false_claim_says_where_and_aborts),
        cmocka_unit_test(whoever_was_installed_speaks_and_the_process_still_aborts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
