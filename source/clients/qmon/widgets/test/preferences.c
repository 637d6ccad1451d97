/* What users have chosen is read again, whatever else stands in the file. */
#include "clients/qmon/widgets/preferences.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "libs/uti/dstr.h"

static void assert_text(const struct preferences *p, const char *want)
{
    struct dstr out = DSTR_INIT;
    preferences_text(p, &out);
    assert_string_equal(dstr_get(&out), want);
    dstr_free(&out);
}

static void what_is_written_is_read(void **state SGE_UNUSED)
{
    struct preferences *p = preferences_new(), *again = preferences_new();
    struct dstr wrong = DSTR_INIT, text = DSTR_INIT;
    preferences_set(p, "jobColumns", "job name");
    preferences_set(p, "empty", "");
    preferences_set(p, "jobColumns", "name job");
    preferences_text(p, &text);
    preferences_read(again, dstr_get(&text), &wrong);
    assert_string_equal(preferences_get(again, "jobColumns"), "name job");
    assert_string_equal(preferences_get(again, "empty"), "");
    assert_null(preferences_get(again, "job"));
    assert_int_equal(wrong.len, 0);
    dstr_free(&wrong);
    dstr_free(&text);
    preferences_free(p);
    preferences_free(again);
}

static void lines_that_make_no_sense_are_named_and_ignored(void **state SGE_UNUSED)
{
    struct preferences *p = preferences_new();
    struct dstr wrong = DSTR_INIT;
    preferences_read(p, "# mine\n\na: 1\nno colon\n: x\nb: \033[1m\nb:2\na: 3", &wrong);
    assert_string_equal(dstr_get(&wrong), "4, 5, 6");
    assert_text(p, "a: 3\nb: 2\n");
    dstr_free(&wrong);
    preferences_free(p);
}

static void there_are_at_most_so_many_names(void **state SGE_UNUSED)
{
    struct preferences *p = preferences_new();
    struct dstr wrong = DSTR_INIT, text = DSTR_INIT;
    for (int i = 0; i <= PREFERENCES_MOST; i++)
        dstr_addf(&text, "n%d: x\n", i);
    preferences_read(p, dstr_get(&text), &wrong);
    assert_string_equal(dstr_get(&wrong), "201");
    dstr_free(&wrong);
    dstr_free(&text);
    preferences_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(lines_that_make_no_sense_are_named_and_ignored),
        cmocka_unit_test(there_are_at_most_so_many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
