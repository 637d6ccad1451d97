/* Tests of libs/config/amount.c: values of complex(5) as whole numbers. */
#include "libs/config/amount.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the three above */
#include <cmocka.h>

#include "libs/config/complex.h"

static void each_type_counts_in_units_of_its_own(void **state SGE_UNUSED)
{
    assert_int_equal(amount_asked(COMPLEX_INT, "3"), 3);
    assert_int_equal(amount_asked(COMPLEX_INT, "2K"), 2048);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "1.5G"), UINT64_C(3) << 29);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "4g"), UINT64_C(4000000000));
    assert_int_equal(amount_asked(COMPLEX_TIME, "1:0:1"), 3601);
    assert_int_equal(amount_asked(COMPLEX_BOOL, "TRUE"), AMOUNT_EXCLUSIVE);
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "0.25"), 250000);
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "2"), 2000000);
    assert_int_equal(amount_asked(COMPLEX_RSMAP, "2"), 2);
}

static void names_of_devices_are_no_part_of_an_amount(void **state SGE_UNUSED)
{
    assert_int_equal(amount_offered(COMPLEX_RSMAP, "4(0 1 2 3)"), 4);
    assert_int_equal(amount_offered(COMPLEX_RSMAP, "7"), 7);
    assert_int_equal(amount_offered(COMPLEX_INT, "4(0 1 2 3)"), 0);
    assert_int_equal(amount_asked(COMPLEX_RSMAP, "2(0 1)"), 0);
    assert_int_equal(amount_asked(COMPLEX_RSMAP, "NONE"), 0);
}

static void fractions_that_doubles_cannot_hold_are_what_people_wrote(void **state SGE_UNUSED)
{
    char text[16];
    for (unsigned i = 1; i < 1000; i++) {
        snprintf(text, sizeof text, "0.%03u", i);
        assert_int_equal(amount_asked(COMPLEX_DOUBLE, text), i * 1000);
    }
}

static void the_least_is_not_nothing(void **state SGE_UNUSED)
{
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "0.0000001"), 1);
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "1e-300"), 1);
}

static void what_is_no_amount_takes_nothing(void **state SGE_UNUSED)
{
    static const char *const texts[] = { "",  "0",   "-1",   "-0.5", "nan",
                                         "x", "1 2", "-inf", "1.5.", "-INFINITY" };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (uint32_t type = 0; type <= COMPLEX_RESTRING + 1; type++)
            assert_int_equal(amount_asked(type, texts[i]), 0);
    assert_int_equal(amount_asked(COMPLEX_BOOL, "FALSE"), 0);
    assert_int_equal(amount_asked(COMPLEX_STRING, "7"), 0);
    assert_int_equal(amount_asked(0, "7"), 0);
}

static void nothing_takes_more_than_the_most(void **state SGE_UNUSED)
{
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "INFINITY"), AMOUNT_MOST);
    assert_int_equal(amount_asked(COMPLEX_TIME, "infinity"), AMOUNT_MOST);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "9007199254740991"), AMOUNT_MOST - 1);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "9007199254740992"), AMOUNT_MOST);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "16000000T"), AMOUNT_MOST);
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "1e300"), AMOUNT_MOST);
}

static void a_million_digits_are_an_answer_not_an_overflow(void **state SGE_UNUSED)
{
    enum { DIGITS = 1000000 };
    char *text = malloc(DIGITS + 1);
    assert_non_null(text);
    memset(text, '9', DIGITS);
    text[DIGITS] = '\0';
    for (uint32_t type = COMPLEX_INT; type <= COMPLEX_RESTRING; type++) {
        uint64_t amount = amount_asked(type, text);
        assert_true(amount == 0 || amount == AMOUNT_MOST);
    }
    free(text);
}

static void sums_stop_at_the_most(void **state SGE_UNUSED)
{
    assert_int_equal(amount_sum(2, 3), 5);
    assert_int_equal(amount_sum(AMOUNT_MOST - 2, 1), AMOUNT_MOST - 1);
    assert_int_equal(amount_sum(AMOUNT_MOST - 2, 2), AMOUNT_MOST);
    assert_int_equal(amount_sum(AMOUNT_MOST, AMOUNT_MOST), AMOUNT_MOST);
    assert_int_equal(amount_sum(0, AMOUNT_MOST), AMOUNT_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_type_counts_in_units_of_its_own),
        cmocka_unit_test(names_of_devices_are_no_part_of_an_amount),
        cmocka_unit_test(fractions_that_doubles_cannot_hold_are_what_people_wrote),
        cmocka_unit_test(the_least_is_not_nothing),
        cmocka_unit_test(what_is_no_amount_takes_nothing),
        cmocka_unit_test(nothing_takes_more_than_the_most),
        cmocka_unit_test(a_million_digits_are_an_answer_not_an_overflow),
        cmocka_unit_test(sums_stop_at_the_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
