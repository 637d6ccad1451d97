/* The number that drmaa_wait gives, and what drmaa_wif... read in it: drmaa_wait(3). */
#include "libs/drmaa/wait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "libs/drmaa/drmaa.h"
#include "libs/japi/japi.h"

/* what a program sees of STAT: exited, signaled, aborted, and its exit status */
static void expect_status(int stat, int exited, int signaled, int aborted, int exit_status)
{
    int is[4] = { -1, -1, -1, -1 };
    assert_int_equal(drmaa_wifexited(&is[0], stat, NULL, 0), DRMAA_ERRNO_SUCCESS);
    assert_int_equal(drmaa_wifsignaled(&is[1], stat, NULL, 0), DRMAA_ERRNO_SUCCESS);
    assert_int_equal(drmaa_wifaborted(&is[2], stat, NULL, 0), DRMAA_ERRNO_SUCCESS);
    assert_int_equal(drmaa_wexitstatus(&is[3], stat, NULL, 0), DRMAA_ERRNO_SUCCESS);
    assert_int_equal(is[0] != 0, exited);
    assert_int_equal(is[1] != 0, signaled);
    assert_int_equal(is[2] != 0, aborted);
    assert_int_equal(is[3], exit_status);
}

static void every_exit_status_comes_back(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 256; i++) {
        struct japi_ended e = { .has_run = true, .exit_status = i };
        expect_status(status_of(&e), 1, 0, 0, (int)i);
    }
}

static void a_signal_has_its_name(void **state)
{
    static const struct {
        uint32_t exit_status;
        const char *name;
    } cases[] = { { 128 + 9, "SIGKILL" }, { 128 + 15, "SIGTERM" }, { 128 + 40, "40" } };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char name[DRMAA_SIGNAL_BUFFER];
        struct japi_ended e = { .has_run = true,
                                .is_signalled = true,
                                .exit_status = cases[i].exit_status };
        expect_status(status_of(&e), 0, 1, 0, 0);
        assert_int_equal(drmaa_wtermsig(name, sizeof name, status_of(&e), NULL, 0),
                         DRMAA_ERRNO_SUCCESS);
        assert_string_equal(name, cases[i].name);
        assert_int_equal(status_signal(status_of(&e)), (int)cases[i].exit_status - 128);
    }
}

static void what_never_ran_was_aborted_whatever_else_is_said(void **state)
{
    (void)state;
    struct japi_ended e = { .is_signalled = true, .exit_status = 137 };
    expect_status(status_of(&e), 0, 0, 1, 0);
    assert_int_equal(status_signal(status_of(&e)), 0);
}

static void numbers_from_elsewhere_are_refused(void **state)
{
    static const int foreign[] = { 0, -1, 1, 12345, 0x5e, 0x7f000000 };
    char diag[DRMAA_ERROR_STRING_BUFFER], name[DRMAA_SIGNAL_BUFFER];
    int is;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(foreign); i++) {
        assert_int_equal(drmaa_wifexited(&is, foreign[i], diag, sizeof diag),
                         DRMAA_ERRNO_INVALID_ARGUMENT);
        assert_non_null(strstr(diag, "was not returned by drmaa_wait"));
        assert_int_equal(drmaa_wtermsig(name, sizeof name, foreign[i], NULL, 0),
                         DRMAA_ERRNO_INVALID_ARGUMENT);
    }
}

static void without_a_signal_there_is_no_name_of_one(void **state)
{
    (void)state;
    char name[DRMAA_SIGNAL_BUFFER];
    struct japi_ended e = { .has_run = true, .exit_status = 137 };
    assert_int_equal(drmaa_wtermsig(name, sizeof name, status_of(&e), NULL, 0),
                     DRMAA_ERRNO_INVALID_ARGUMENT);
    assert_int_equal(drmaa_wifexited(NULL, status_of(&e), NULL, 0), DRMAA_ERRNO_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exit_status_comes_back),
        cmocka_unit_test(a_signal_has_its_name),
        cmocka_unit_test(what_never_ran_was_aborted_whatever_else_is_said),
        cmocka_unit_test(numbers_from_elsewhere_are_refused),
        cmocka_unit_test(without_a_signal_there_is_no_name_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
