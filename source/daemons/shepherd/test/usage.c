/* The file "usage". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "daemons/shepherd/records.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"

static void test_exit_status(void **state)
{
    (void)state;
    assert_int_equal(usage_exit_status(3 << 8), 3);
    assert_int_equal(usage_exit_status(SIGKILL), 137);
    assert_int_equal(usage_exit_status(SIGSEGV), 139);
}

static void test_sum(void **state)
{
    (void)state;
    struct job_usage u = { 0 };
    struct rusage one = { .ru_utime = { 1, 700000 }, .ru_maxrss = 100, .ru_minflt = 5 };
    usage_add(&u, &one);
    one.ru_maxrss = 50;
    usage_add(&u, &one);
    assert_int_equal(u.sum.ru_utime.tv_sec, 3);
    assert_int_equal(u.sum.ru_utime.tv_usec, 400000);
    assert_int_equal(u.sum.ru_maxrss, 100); /* the greatest, not the sum */
    assert_int_equal(u.sum.ru_minflt, 10);
}

static void test_text(void **state)
{
    (void)state;
    struct job_usage u = { .start_s = 100,
                           .end_s = 102,
                           .start_us = 5,
                           .end_us = 1500505,
                           .wait_status = SIGKILL,
                           .cpu_us = 12003450 };
    struct dstr text = DSTR_INIT;
    usage_text(&u, TASK_FAILED_LIMIT, &text);
    assert_non_null(strstr(
        text.s, "exit_status=137\nsignal=9\nstart_time=100\nend_time=102\nru_wallclock=1.501\n"));
    assert_non_null(strstr(text.s, "\ncpu=12.003450\n"));
    const char *last = "\nfailed=37\n";
    assert_string_equal(text.s + text.len - strlen(last), last);
    dstr_free(&text);
}

static double value_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    double value = -1;
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(key), "=%lf", &value), 1);
    return value;
}

/* whatever happened before the job, or instead of it */
static void times_are_possible(void **state)
{
    (void)state;
    static const uint64_t times[] = { 0, 1, 499, 500, 1500505, 5819 * UINT64_C(1000000000) };
    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        for (size_t k = 0; k < ARRAY_LEN(times); k++)
            for (uint64_t start_s = 0; start_s < 2; start_s++) {
                struct job_usage u = {
                    .start_s = start_s * 100, .end_s = 101, .start_us = times[i], .end_us = times[k]
                };
                bool is_over = start_s != 0 && times[k] > times[i];
                double most = is_over ? (double)(times[k] - times[i]) / 1e6 + 0.001 : 0;
                struct dstr text = DSTR_INIT;
                usage_text(&u, TASK_FAILED_AFTER_JOB, &text);
                double wallclock_s = value_of(text.s, "\nru_wallclock");
                assert_true(wallclock_s >= 0 && wallclock_s <= most);
                dstr_free(&text);
            }
}

static void looks_are_added_up(void **state)
{
    (void)state;
    const uint64_t gigabyte = UINT64_C(1) << 30;
    struct job_usage u = { .start_s = 100, .start_us = 1000000 };
    struct dstr text = DSTR_INIT;
    usage_text(&u, TASK_FAILED_NOT, &text);
    assert_null(strstr(text.s, "maxvmem"));
    dstr_clear(&text);
    usage_look(&u, 3 * gigabyte, gigabyte, 2000000);
    usage_look(&u, 2 * gigabyte, 2 * gigabyte, 3500000);
    usage_look(&u, 1, gigabyte, 3500000);
    usage_text(&u, TASK_FAILED_NOT, &text);
    assert_non_null(strstr(text.s, "\nmaxvmem=3221225472\nmem=4.000000\n"));
    dstr_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_status),   cmocka_unit_test(test_sum),
        cmocka_unit_test(test_text),          cmocka_unit_test(looks_are_added_up),
        cmocka_unit_test(times_are_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
