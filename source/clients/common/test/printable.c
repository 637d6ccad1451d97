/* Control characters of users in what is shown to others. */
#include "clients/common/printable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "clients/common/source.h"
#include "libs/uti/answer.h"
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

static struct GA_Type make_sample(void)
{
    struct GA_Type part = { 0 };
    struct JB_Type *job = cull_append(&part, GA_jobs);
    cull_set(job, JB_job_number, 7u);
    cull_set(job, JB_project, "p\033[31m");
    struct VA_Type *var = cull_append(job, JB_context);
    cull_set(var, VA_variable, "note");
    cull_set(var, VA_value, "a\nowner: root");
    return part;
}

static void strings_of_all_levels_of_a_record_are_replaced(void **state)
{
    (void)state;
    struct GA_Type part = make_sample();
    assert_false(record_is_printable(&cull_GA_Type, &part));
    record_make_printable(&cull_GA_Type, &part);
    assert_true(record_is_printable(&cull_GA_Type, &part));
    assert_string_equal(part.GA_jobs.v[0].JB_project, "p\\x1b[31m");
    assert_string_equal(part.GA_jobs.v[0].JB_context.v[0].VA_value, "a\\x0aowner: root");
    assert_int_equal(part.GA_jobs.v[0].JB_job_number, 7);
    cull_clear(&cull_GA_Type, &part);
}

static int give_sample(void *state, struct GR_Type *request, answer_part_fn part, void *ctx,
                       struct answer *ans)
{
    (void)request;
    return part(ctx, state, ans);
}

static int note_project(void *ctx, const struct GA_Type *part, struct answer *ans)
{
    (void)ans;
    dstr_add(ctx, part->GA_jobs.v[0].JB_project);
    return 0;
}

static void assert_project_seen(bool is_raw, const char *expected)
{
    struct GA_Type part = make_sample();
    struct GR_Type request = { 0 };
    struct dstr seen = DSTR_INIT;
    struct source from = { .get = give_sample, .state = &part, .is_raw = is_raw };
    assert_int_equal(source_ask(&from, &request, note_project, &seen, NULL), 0);
    assert_string_equal(dstr_get(&seen), expected);
    assert_string_equal(part.GA_jobs.v[0].JB_project, "p\033[31m");
    dstr_free(&seen);
    cull_clear(&cull_GA_Type, &part);
}

static void what_a_source_gives_is_printable_unless_xml_is_written(void **state)
{
    (void)state;
    assert_project_seen(false, "p\\x1b[31m");
    assert_project_seen(true, "p\033[31m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_become_hexadecimal_escapes),
        cmocka_unit_test(control_characters_of_utf_8_and_of_eight_bit_sets_become_escapes),
        cmocka_unit_test(letters_of_all_languages_tabs_and_backslashes_stay),
        cmocka_unit_test(a_character_that_is_cut_off_ends_nothing_else),
        cmocka_unit_test(strings_of_all_levels_of_a_record_are_replaced),
        cmocka_unit_test(what_a_source_gives_is_printable_unless_xml_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
