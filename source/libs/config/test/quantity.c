/* Tests of libs/config/quantity.c: sge_types(1), time_specifier and memory_specifier. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "libs/config/quantity.h"
#include "libs/uti/test/random_text.h"

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

static void numbers_are_taken_as_programs_print_them(void **state SGE_UNUSED)
{
    uint32_t count = 7;
    int32_t whole = 7;
    double any = 7;
    assert_time("1.5", 2);
    assert_time("60.", 60);
    assert_time("+60", 60);
    assert_time(" 60\t", 60);
    assert_time("6e+01", 60);
    assert_time("0:0:1.25", 2);
    assert_memory("4e+09", UINT64_C(4000000000));
    assert_memory("1e3", 1000);
    assert_memory("+4G", UINT64_C(4) << 30);
    assert_memory(" 4.G ", UINT64_C(4) << 30);
    assert_memory("1.5e0K", 1536);
    assert_true(quantity_count_parse("\t+12.0", &count) && count == 12);
    assert_true(quantity_count_parse("1e3", &count) && count == 1000);
    assert_false(quantity_count_parse("1.5", &count) || quantity_count_parse("-1", &count) ||
                 quantity_count_parse("4294967296", &count) || quantity_count_parse("", &count));
    assert_true(quantity_int_parse(" -5", &whole) && whole == -5);
    assert_true(quantity_double_parse(" +1.5 ", &any) && any > 1.4 && any < 1.6);
    assert_false(quantity_double_parse("x", &any) || quantity_double_parse("1 2", &any));
}

static void print_somehow(uint32_t how, double number, char *out, size_t bytes)
{
    switch (how) {
    case 0:
        (void)snprintf(out, bytes, "%.0f.", number);
        break;
    case 1:
        (void)snprintf(out, bytes, "  %+.0f", number);
        break;
    case 2:
        (void)snprintf(out, bytes, "%.3f ", number);
        break;
    case 3:
        (void)snprintf(out, bytes, "%.17e", number);
        break;
    case 4:
        (void)snprintf(out, bytes, "%.17g", number);
        break;
    case 5:
        (void)snprintf(out, bytes, "\t%8.0f", number);
        break;
    default:
        (void)snprintf(out, bytes, "%.0f", number);
        break;
    }
}

/* any number of seconds and bytes, printed in any way, is the number that it is */
static void printed_numbers_are_read_as_they_are(void **state SGE_UNUSED)
{
    uint64_t seed = 1;
    char text[60];
    for (int i = 0; i < 100000; i++) {
        uint32_t number = random_u32(&seed) >> random_below(&seed, 32), count = 7;
        print_somehow(random_below(&seed, 8), number, text, sizeof text);
        assert_time(text, number);
        assert_memory(text, number);
        assert_true(quantity_count_parse(text, &count));
        assert_int_equal(count, number);
    }
}

/* what is accepted of random texts as a count is the same as a time and as memory */
static void random_texts_are_refused_or_numbers(void **state SGE_UNUSED)
{
    uint64_t seed = 2, time_s, bytes;
    char text[9];
    unsigned accepted = 0;
    for (int i = 0; i < 300000; i++) {
        uint32_t count = 7;
        double any = 7;
        random_text_of(&seed, "0123459.e+- \tKx:", sizeof text - 1, text);
        bool is_count = quantity_count_parse(text, &count);
        if (!is_count) {
            assert_int_equal(count, 7);
            continue;
        }
        accepted++;
        assert_true(strpbrk(text, "Kx:") == NULL);
        assert_true(quantity_time_parse(text, &time_s) && time_s == count);
        assert_true(quantity_memory_parse(text, &bytes) && bytes == count);
        assert_true(quantity_double_parse(text, &any) && any >= count && any <= count);
    }
    assert_true(accepted > 1000);
}

static void times_that_are_none_are_refused(void **state SGE_UNUSED)
{
    static const char *const bad[] = { "",
                                       "1:0",
                                       "1:2:3:4",
                                       "-1",
                                       "1h",
                                       "-0",
                                       "1 2",
                                       "1:2.5:3",
                                       " ",
                                       "1e99",
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
                                       "-0.5",
                                       "1e30",
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
        cmocka_unit_test(numbers_are_taken_as_programs_print_them),
        cmocka_unit_test(printed_numbers_are_read_as_they_are),
        cmocka_unit_test(random_texts_are_refused_or_numbers),
        cmocka_unit_test(memory_has_multipliers),
        cmocka_unit_test(memory_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
