/* A claim that does not hold: one line, then the end. */
#include "libs/uti/assert.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <signal.h>
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

static void a_false_claim_says_where_and_aborts(void **state)
{
    (void)state;
    int fds[2], status;
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit no_core = { 0, 0 };
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(fds[1], STDERR_FILENO);
        ASSERT(1 + 1 == 3);
        _exit(0);
    }
    close(fds[1]);
    char line[400] = "";
    assert_true(read(fds[0], line, sizeof line - 1) > 0);
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(
        strstr(line, "|C|assertion failed: 1 + 1 == 3 in a_false_claim_says_where_and_aborts ("));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_that_holds_costs_nothing),
        cmocka_unit_test(a_false_claim_says_where_and_aborts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
