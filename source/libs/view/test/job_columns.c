/* Columns are chosen, moved and read from files that users may have written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/view/job_list.h"

#include "libs/mir/test/board_lines.h"
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

/* those that the listings of commands have, too */
static void assert_cell(const struct board_job *job, enum job_column column, const char *want)
{
    struct dstr out = DSTR_INIT;
    job_cell(job, column, &out);
    assert_string_equal(dstr_get(&out), want);
    dstr_free(&out);
}

static void cells_have_what_listings_show(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct EV_Type *event = array_event(7, 9, 0, 8);
    struct JB_Type *rec = event->EV_jobs.v;
    cull_set(rec, JB_job_name, "na\x1b[1mme");
    cull_set(rec, JB_owner, "alice");
    cull_set(rec, JB_priority, (uint32_t)JOB_PRIORITY_BASE - 5);
    cull_set(rec, JB_ja_step, 2u);
    tell_event(b, event);
    const struct board_job *job = board_job(b, 7);
    assert_cell(job, COLUMN_JOB, "7");
    assert_cell(job, COLUMN_NAME, "na?[1mme");
    assert_cell(job, COLUMN_OWNER, "alice");
    assert_cell(job, COLUMN_STATE, "qw");
    assert_cell(job, COLUMN_TASKS, "1-9:2");
    assert_cell(job, COLUMN_PRIORITY, "-5");
    assert_cell(job, COLUMN_PROJECT, "");
    board_free(b);
}

static void numbers_sort_as_numbers_and_names_as_texts(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_named(b, 9, "b", "alice");
    tell_named(b, 10, "a", "alice");
    const struct board_job *nine = board_job(b, 9), *ten = board_job(b, 10);
    assert_true(job_cell_compare(nine, ten, COLUMN_JOB) < 0);
    assert_true(job_cell_compare(nine, ten, COLUMN_NAME) > 0);
    assert_int_equal(job_cell_compare(nine, ten, COLUMN_OWNER), 0);
    assert_int_equal(job_cell_compare(nine, ten, COLUMN_PROJECT), 0);
    board_free(b);
}

static void every_column_has_a_title_and_numbers_stand_right(void **state SGE_UNUSED)
{
    for (unsigned i = 0; i < JOB_COLUMNS; i++)
        assert_non_null(job_column_title(i));
    assert_string_equal(job_column_title(COLUMN_SUBMITTED), "submitted");
    assert_true(job_column_is_number(COLUMN_JOB));
    assert_true(job_column_is_number(COLUMN_PRIORITY));
    assert_true(job_column_is_number(COLUMN_DONE));
    assert_false(job_column_is_number(COLUMN_NAME));
    assert_false(job_column_is_number(COLUMN_TASKS));
    assert_false(job_column_is_number(COLUMN_SUBMITTED));
    assert_false(job_column_is_number(COLUMN_PROGRESS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_shown_first),
        cmocka_unit_test(one_always_stays),
        cmocka_unit_test(a_column_moves_as_far_as_it_can),
        cmocka_unit_test(words_choose_and_order),
        cmocka_unit_test(words_that_are_wrong_are_named_and_ignored),
        cmocka_unit_test(cells_have_what_listings_show),
        cmocka_unit_test(numbers_sort_as_numbers_and_names_as_texts),
        cmocka_unit_test(every_column_has_a_title_and_numbers_stand_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
