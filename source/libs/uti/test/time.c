/* The date formats scripts know. */
#include "libs/uti/time.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <time.h>

#include "libs/uti/dstr.h"

enum { AT = 1795163648 }; /* 2026-11-20 08:34:08 UTC */

static void expect_time(void (*format)(uint64_t, struct dstr *), uint64_t at_s, const char *text)
{
    struct dstr d = DSTR_INIT;
    format(at_s, &d);
    assert_string_equal(dstr_get(&d), text);
    dstr_free(&d);
}

static int in_utc(void **state)
{
    (void)state;
    if (setenv("TZ", "UTC0", 1) != 0)
        return -1;
    tzset();
    return 0;
}

static void formats_are_as_captured(void **state)
{
    (void)state;
    expect_time(uti_time_us_date, AT, "11/20/2026 08:34:08");
    expect_time(uti_time_us_date, 1775001600, "04/01/2026 00:00:00");
    expect_time(uti_time_us_date, 253402300799, "12/31/9999 23:59:59");
    expect_time(uti_time_us_date, 253402300800, "01/01/10000 00:00:00");
    expect_time(uti_time_ctime, AT, "Fri Nov 20 08:34:08 2026");
    expect_time(uti_time_iso, AT, "2026-11-20T08:34:08");
    expect_time(uti_time_ctime, 1775001600, "Wed Apr  1 00:00:00 2026");
}

static void time_is_local(void **state)
{
    (void)state;
    assert_int_equal(setenv("TZ", "EST5", 1), 0);
    tzset();
    expect_time(uti_time_iso, AT, "2026-11-20T03:34:08");
}

static void far_ends_do_not_break(void **state)
{
    (void)state;
    expect_time(uti_time_iso, 0, "1970-01-01T00:00:00");
    expect_time(uti_time_iso, 4294967296, "2106-02-07T06:28:16");
    expect_time(uti_time_iso, UINT64_MAX, "1970-01-01T00:00:00");
    expect_time(uti_time_iso, INT64_MAX, "1970-01-01T00:00:00");
}

static void clocks_move_on(void **state)
{
    (void)state;
    uint64_t a = uti_mono_us(), b = uti_mono_us();
    assert_true(b >= a);
    uint64_t s = uti_now_s(), ms = uti_now_ms();
    assert_in_range(ms / 1000, s, s + 2);
}

static void sleep_is_no_shorter_than_asked(void **state)
{
    (void)state;
    uint64_t before_us = uti_mono_us();
    uti_sleep_ms(3);
    assert_true(uti_mono_us() - before_us >= 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(formats_are_as_captured, in_utc), cmocka_unit_test(time_is_local),
        cmocka_unit_test_setup(far_ends_do_not_break, in_utc),   cmocka_unit_test(clocks_move_on),
        cmocka_unit_test(sleep_is_no_shorter_than_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
