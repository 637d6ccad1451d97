/* Partial timestamps. */
#include "libs/drmaa/attributes.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <time.h>

enum { HOUR = 3600, DAY = 24 * HOUR };
static const uint64_t now_s = 1795163648; /* 2026/11/20 08:34:08 UTC */

static int set_zone(void **state)
{
    (void)state;
    setenv("TZ", "UTC", 1);
    tzset();
    return 0;
}

static void expect_time(const char *text, int64_t after_s)
{
    uint64_t at_s = 0;
    assert_int_equal(start_time_parse(text, now_s, &at_s), START_TIME_GOOD);
    if ((int64_t)(at_s - now_s) != after_s)
        fail_msg("%s: %lld, not %lld", text, (long long)(at_s - now_s), (long long)after_s);
}

static void a_whole_date_is_that_time(void **state)
{
    (void)state;
    expect_time("2026/11/20 08:34:08", 0);
    expect_time("2026/11/21 08:34:08", DAY);
    expect_time("2020/01/01 00:00", -217326848);
}

static void a_time_that_has_passed_is_the_next_one(void **state)
{
    (void)state;
    expect_time("08:34:09", 1);
    expect_time("08:34:07", DAY - 1);
    expect_time("20 08:34:07", 30 * DAY - 1);
    expect_time("11/20 08:34:07", 365 * DAY - 1);
    expect_time("21 08:34:08", DAY);
    expect_time("26/11/20 08:34:09", 1);
}

static void an_offset_names_the_zone(void **state)
{
    (void)state;
    expect_time("2026/11/20 09:34:08 +01:00", 0);
    expect_time("2026/11/20 03:04:08 -05:30", 0);
    expect_time("10:34:09+02:00", 1);
}

static void other_forms_are_none(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",          "8:34", "08:34:",        "0834",    "08:34 +1",       "2026-11-20 08:34",
        "1/2 08:34", "20",   "2026/11 08:34", "08:34 x", "08:34 +01:00 x", "12026/11/20 08:34"
    };
    uint64_t at_s;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (start_time_parse(texts[i], now_s, &at_s) != START_TIME_NO_FORM)
            fail_msg("\"%s\" was taken", texts[i]);
}

static void there_is_no_such_time(void **state)
{
    (void)state;
    static const char *const texts[] = { "24:00",       "08:60",       "08:34:61",
                                         "00 08:34",    "32 08:34",    "13/01 08:34",
                                         "00/01 08:34", "02/30 08:34", "08:34 +24:00",
                                         "08:34 -01:60" };
    uint64_t at_s;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (start_time_parse(texts[i], now_s, &at_s) != START_TIME_NO_TIME)
            fail_msg("\"%s\" was taken", texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_date_is_that_time),
        cmocka_unit_test(a_time_that_has_passed_is_the_next_one),
        cmocka_unit_test(an_offset_names_the_zone),
        cmocka_unit_test(other_forms_are_none),
        cmocka_unit_test(there_is_no_such_time),
    };
    return cmocka_run_group_tests(tests, set_zone, NULL);
}
