/* date_time: [[CC]YY]MMDDhhmm[.SS], in local time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <time.h>

#include "libs/cli/date.h"

enum { NOW_S = 1795163648 }; /* 2026-11-20 08:34:08 UTC */

static int in_utc(void **state)
{
    (void)state;
    setenv("TZ", "UTC0", 1);
    tzset();
    return 0;
}

static void check_date(const char *text, uint64_t expected)
{
    uint64_t at_s = 0;
    assert_true(date_parse(text, NOW_S, &at_s));
    assert_int_equal(at_s, expected);
}

static void expect_refused(const char *text)
{
    uint64_t at_s = 7;
    assert_false(date_parse(text, NOW_S, &at_s));
    assert_int_equal(at_s, 7);
}

static void years_have_four_two_or_no_digits(void **state)
{
    (void)state;
    check_date("203001010000", 1893456000);
    check_date("3001010000", 1893456000);
    check_date("11200834", 1795163640);
    check_date("11200834.08", 1795163648);
    check_date("197001010000", 0);
    check_date("7001010000", 0);
    check_date("202402290000", 1709164800);
}

static void other_forms_are_refused(void **state)
{
    static const char *const wrong[] = { "",
                                         "abc",
                                         "13",
                                         "0101000",
                                         "101010101",
                                         "20300101000",
                                         "2030010100000",
                                         "203001010000.",
                                         "203001010000.5",
                                         "203001010000.555",
                                         "203001010000x",
                                         "-03001010000",
                                         " 203001010000" };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        expect_refused(wrong[i]);
}

static void days_and_times_that_do_not_exist_are_refused(void **state)
{
    static const char *const wrong[] = { "203013010000",    "203000010000", "203002300000",
                                         "203001320000",    "203001012400", "203001010060",
                                         "203001010000.61", "202302290000" };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        expect_refused(wrong[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(years_have_four_two_or_no_digits),
        cmocka_unit_test(other_forms_are_refused),
        cmocka_unit_test(days_and_times_that_do_not_exist_are_refused),
    };
    return cmocka_run_group_tests(tests, in_utc, NULL);
}
