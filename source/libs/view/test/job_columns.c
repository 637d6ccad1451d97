/* Columns are chosen, moved and read from files that users may have written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/view/job_columns.h"

#include "libs/uti/dstr.h"

static const char *title_of(unsigned column)
{
    static const char *const titles[] = { "job", "name", "owner", "state" };
    return titles[column];
}

static void assert_shown(const struct columns *c, const char *want)
{
    struct dstr out = DSTR_INIT;
    columns_text(c, title_of, &out);
    assert_string_equal(dstr_get(&out), want);
    dstr_free(&out);
}

static void all_are_shown_first(void **state SGE_UNUSED)
{
    struct columns c;
    columns_init(&c, 4);
    assert_shown(&c, "job name owner state");
}

static void one_always_stays(void **state SGE_UNUSED)
{
    struct columns c;
    columns_init(&c, 2);
    assert_true(columns_toggle(&c, 0));
    assert_shown(&c, "name");
    assert_false(columns_toggle(&c, 1));
    assert_true(columns_toggle(&c, 0));
    assert_shown(&c, "job name");
    assert_false(columns_toggle(&c, 2));
}

static void a_column_moves_as_far_as_it_can(void **state SGE_UNUSED)
{
    struct columns c;
    columns_init(&c, 4);
    assert_int_equal(columns_move(&c, 3, -2), 1);
    assert_shown(&c, "job state name owner");
    assert_int_equal(columns_move(&c, 1, -9), 0);
    assert_int_equal(columns_move(&c, 0, 9), 3);
    assert_shown(&c, "job name owner state");
}

static void words_choose_and_order(void **state SGE_UNUSED)
{
    struct columns c;
    columns_init(&c, 4);
    columns_read(&c, " state  job", title_of, NULL);
    assert_shown(&c, "state job");
    assert_true(columns_toggle(&c, 2));
    assert_shown(&c, "state job name");
}

static void words_that_are_wrong_are_named_and_ignored(void **state SGE_UNUSED)
{
    struct columns c;
    struct dstr wrong = DSTR_INIT;
    columns_init(&c, 4);
    columns_read(&c, "owner slots owner job jobs", title_of, &wrong);
    assert_shown(&c, "owner job");
    assert_string_equal(dstr_get(&wrong), "slots owner jobs");
    columns_read(&c, "slots", title_of, NULL);
    assert_shown(&c, "job name owner state");
    dstr_free(&wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_shown_first),
        cmocka_unit_test(one_always_stays),
        cmocka_unit_test(a_column_moves_as_far_as_it_can),
        cmocka_unit_test(words_choose_and_order),
        cmocka_unit_test(words_that_are_wrong_are_named_and_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
