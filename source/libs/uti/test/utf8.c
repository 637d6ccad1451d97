/* Which bytes are characters. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/uti/dstr.h"

static void characters_of_every_length_are_counted(void **state)
{
    (void)state;
    assert_int_equal(utf8_bytes("a"), 1);
    assert_int_equal(utf8_bytes("\xc3\xbc"), 2);
    assert_int_equal(utf8_bytes("\xe2\x82\xac"), 3);
    assert_int_equal(utf8_bytes("\xf0\x9f\x98\x80"), 4);
    assert_int_equal(utf8_bytes("\xf4\x8f\xbf\xbf"), 4);
}

static void what_is_cut_off_too_long_or_a_surrogate_is_no_character(void **state)
{
    (void)state;
    static const char *const wrong[] = { "\x80",
                                         "\xc0\x80",
                                         "\xc3",
                                         "\xe2\x82",
                                         "\xe0\x80\x80",
                                         "\xed\xa0\x80",
                                         "\xf0\x80\x80\x80",
                                         "\xf4\x90\x80\x80",
                                         "\xff" };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_int_equal(utf8_bytes(wrong[i]), 0);
}

static void bytes_that_belong_to_nothing_become_question_marks(void **state)
{
    (void)state;
    struct dstr out = DSTR_INIT;
    assert_true(utf8_is_valid("M\xc3\xbcller"));
    assert_false(utf8_is_valid("M\xfcller"));
    utf8_add_valid(&out, "M\xfcller \xe2\x82 \xc3\xbc");
    assert_string_equal(dstr_get(&out), "M?ller ?? \xc3\xbc");
    dstr_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_of_every_length_are_counted),
        cmocka_unit_test(what_is_cut_off_too_long_or_a_surrogate_is_no_character),
        cmocka_unit_test(bytes_that_belong_to_nothing_become_question_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
