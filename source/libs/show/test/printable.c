/* Control characters of users in what is shown to others. */
#include "libs/show/printable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/sgeobj/rows.h"
#include "libs/uti/dstr.h"

static void assert_shown(const char *text, const char *expected)
{
    struct dstr out = DSTR_INIT;
    text_add_printable(&out, text);
    assert_string_equal(dstr_get(&out), expected);
    assert_int_equal(text_is_printable(text), strcmp(text, expected) == 0);
    dstr_free(&out);
}

static void control_characters_become_hexadecimal_escapes(void **state)
{
    (void)state;
    assert_shown("\033[2J", "\\x1b[2J");
    assert_shown("one\njob_number: 1\r", "one\\x0ajob_number: 1\\x0d");
    assert_shown("\x7f\x01\b", "\\x7f\\x01\\x08");
}

static void control_characters_of_utf_8_and_of_eight_bit_sets_become_escapes(void **state)
{
    (void)state;
    assert_shown("\xc2\x9b"
                 "2J",
                 "\\xc2\\x9b2J");
    assert_shown("\x9b"
                 "2J",
                 "\\x9b2J");
}

static void letters_of_all_languages_tabs_and_backslashes_stay(void **state)
{
    (void)state;
    assert_shown("", "");
    assert_shown("M\xc3\xbcller \xe2\x82\xac \xf0\x9f\x98\x80",
                 "M\xc3\xbcller \xe2\x82\xac \xf0\x9f\x98\x80");
    assert_shown("M\xfcller", "M\xfcller"); /* Latin-1 */
    assert_shown("a\tb\\x1b", "a\tb\\x1b");
}

static void a_character_that_is_cut_off_ends_nothing_else(void **state)
{
    (void)state;
    assert_shown("\xe2\x82", "\xe2\\x82");
    assert_shown("\xf0\x9f\n", "\xf0\\x9f\\x0a");
}

static void strings_of_all_levels_of_a_record_are_replaced(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    cull_set(&job, JB_job_number, 7u);
    cull_set(&job, JB_project, "p\033[31m");
    struct VA_Type *var = cull_append(&job, JB_context);
    cull_set(var, VA_variable, "note");
    cull_set(var, VA_value, "a\nowner: root");
    assert_false(record_is_printable(&cull_JB_Type, &job));
    record_make_printable(&cull_JB_Type, &job);
    assert_true(record_is_printable(&cull_JB_Type, &job));
    assert_string_equal(job.JB_project, "p\\x1b[31m");
    assert_string_equal(job.JB_context.v[0].VA_value, "a\\x0aowner: root");
    assert_int_equal(job.JB_job_number, 7);
    cull_clear(&cull_JB_Type, &job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_become_hexadecimal_escapes),
        cmocka_unit_test(control_characters_of_utf_8_and_of_eight_bit_sets_become_escapes),
        cmocka_unit_test(letters_of_all_languages_tabs_and_backslashes_stay),
        cmocka_unit_test(a_character_that_is_cut_off_ends_nothing_else),
        cmocka_unit_test(strings_of_all_levels_of_a_record_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
