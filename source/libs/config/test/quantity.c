/* Tests of libs/config/quantity.c: sge_types(1), time_specifier and memory_specifier. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/config/quantity.h"

static void assert_time(const char *text, uint64_t want)
{
    uint64_t got = 7;
    assert_true(quantity_time_parse(text, &got));
    assert_int_equal(got, want);
}

static void assert_memory(const char *text, uint64_t want)
{
    uint64_t got = 7;
    assert_true(quantity_memory_parse(text, &got));
    assert_int_equal(got, want);
}

static void times_are_seconds_or_parts(void **state SGE_UNUSED)
{
    assert_time("3600", 3600);
    assert_time("0", 0);
    assert_time("1:0:0", 3600);
    assert_time("00:00:60", 60);
    assert_time("0:90:", 5400);
    assert_time(":30:", 1800);
    assert_time("::", 0);
    assert_time("infinity", QUANTITY_INFINITY);
}

static void times_that_are_none_are_refused(void **state SGE_UNUSED)
{
    static const char *const bad[] = { "",
                                       "1:0",
                                       "1:2:3:4",
                                       "-1",
                                       "1.5",
                                       "1h",
                                       " 1",
                                       "1 ",
                                       "0x10",
                                       "99999999999999999999",
                                       "18446744073709551615",
                                       "99999999999999999:0:0",
                                       "INF",
                                       ":" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        uint64_t got = 7;
        assert_false(quantity_time_parse(bad[i], &got));
        assert_int_equal(got, 7);
    }
}

static void memory_has_multipliers(void **state SGE_UNUSED)
{
    assert_memory("0", 0);
    assert_memory("512", 512);
    assert_memory("1k", 1000);
    assert_memory("1K", 1024);
    assert_memory("10M", 10 * 1024 * 1024);
    assert_memory("2m", 2000000);
    assert_memory("1.5G", UINT64_C(1610612736));
    assert_memory("3g", UINT64_C(3000000000));
    assert_memory("2T", UINT64_C(2) << 40);
    assert_memory("0x200", 512);
    assert_memory("0x10K", 16384);
    assert_memory(".5K", 512);
    assert_memory("INFINITY", QUANTITY_INFINITY);
}

static void memory_that_is_none_is_refused(void **state SGE_UNUSED)
{
    static const char *const bad[] = { "",
                                       "K",
                                       ".",
                                       "1.2.3",
                                       "-1",
                                       "1KB",
                                       "1 K",
                                       "1e3",
                                       "0x",
                                       "0xg",
                                       "abc",
                                       "0x1.5",
                                       "nan",
                                       "18446744073709551615",
                                       "99999999999999999999G",
                                       "20000000T",
                                       "1111111111111111111111111111111111111111111" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        uint64_t got = 7;
        assert_false(quantity_memory_parse(bad[i], &got));
        assert_int_equal(got, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_seconds_or_parts),
        cmocka_unit_test(times_that_are_none_are_refused),
        cmocka_unit_test(memory_has_multipliers),
        cmocka_unit_test(memory_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
