/* Tests of libs/view/week_grid.c: the week of a calendar as half hours */
#include "libs/view/week_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void expect_text(const struct week_grid *g, const char *expected)
{
    struct dstr text = DSTR_INIT;
    week_grid_text(g, &text);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static void test_a_week_is_read_and_written(void **state)
{
    static const struct {
        const char *text, *again;
    } cases[] = {
        { "NONE", "NONE" },
        { "mon-fri=6-20=off", "mon-fri=6-20=off" },
        { "mon-fri=6-20", "mon-fri=6-20=off" },
        { "sat-sun=suspended", "sat-sun=suspended" },
        { "mon,wed=22:30-24=off tue=off", "mon,wed=22:30-24=off tue=off" },
        { "mon=20-6=off", "mon=0-6,20-24=off" },
        { "6-20=off", "mon-sun=6-20=off" },
        { "mon-sun=off sat=on", "mon-fri,sun=off" },
        { "mon=8-9=off mon=10-11=suspended", "mon=8-9=off mon=10-11=suspended" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct week_grid g;
        assert_int_equal(week_grid_read(cases[i].text, &g, NULL), 0);
        assert_true(g.is_exact);
        expect_text(&g, cases[i].again);
    }
}

static void test_what_was_painted_is_written(void **state)
{
    struct week_grid g;
    (void)state;
    assert_int_equal(week_grid_read("NONE", &g, NULL), 0);
    week_grid_paint(&g, 0, 12, 39, CALENDAR_OFF);
    week_grid_paint(&g, 4, 12, 39, CALENDAR_OFF);
    expect_text(&g, "mon,fri=6-20=off");
    week_grid_paint(&g, 0, 12, 13, CALENDAR_ON);
    week_grid_paint(&g, 4, 12, 13, CALENDAR_SUSPENDED);
    expect_text(&g, "mon,fri=7-20=off fri=6-7=suspended");
    week_grid_paint(&g, 6, 40, 1000, CALENDAR_OFF);
    expect_text(&g, "mon,fri=7-20=off sun=20-24=off fri=6-7=suspended");
}

static void test_what_the_grid_cannot_show_is_known(void **state)
{
    struct week_grid g;
    struct answer ans = ANSWER_INIT;
    (void)state;
    assert_int_equal(week_grid_read("mon=6:10-20=off", &g, NULL), 0);
    assert_false(g.is_exact);
    assert_int_equal(week_grid_read("someday=off", &g, &ans), -1);
    assert_non_null(ans_first_error(&ans));
    expect_text(&g, "NONE");
    ans_free(&ans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_week_is_read_and_written),
        cmocka_unit_test(test_what_was_painted_is_written),
        cmocka_unit_test(test_what_the_grid_cannot_show_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
