/* A list shows the jobs that its filter lets through, in the order of its column. */
#include "libs/view/job_list.h"

#include "libs/mir/test/board_lines.h"
#include "libs/uti/dstr.h"

static void assert_rows(struct job_list *l, const char *want)
{
    char text[160] = "";
    (void)job_list_refresh(l);
    for (uint32_t row = 0; row < job_list_count(l); row++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s%u", row > 0 ? " " : "",
                 job_list_at(l, row)->rec.JB_job_number);
    }
    assert_string_equal(text, want);
}

static struct board *some_jobs(void)
{
    struct board *b = board_new();
    tell_named(b, 1, "ribs", "alice");
    tell_named(b, 2, "comp", "bob");
    tell_named(b, 3, "render", "alice");
    tell_line(b, "started 3 0-0 all.q@a");
    return b;
}

static void the_newest_job_is_first(void **state SGE_UNUSED)
{
    struct board *b = some_jobs();
    struct job_list *l = job_list_new(b);
    assert_rows(l, "3 2 1");
    job_list_free(l);
    board_free(b);
}

static void a_column_sorts_and_once_more_the_other_way_round(void **state SGE_UNUSED)
{
    struct board *b = some_jobs();
    struct job_list *l = job_list_new(b);
    job_list_sort(l, COLUMN_NAME);
    assert_rows(l, "2 3 1");
    job_list_sort(l, COLUMN_NAME);
    assert_rows(l, "1 3 2");
    assert_true(job_list_is_descending(l));
    job_list_free(l);
    board_free(b);
}

static void words_must_all_be_true_of_a_job(void **state SGE_UNUSED)
{
    struct board *b = some_jobs();
    struct job_list *l = job_list_new(b);
    job_list_words(l, "alice");
    assert_rows(l, "3 1");
    job_list_words(l, " alice  r*s ");
    assert_rows(l, "1");
    job_list_words(l, "2");
    assert_rows(l, "2");
    job_list_words(l, "  ");
    assert_rows(l, "3 2 1");
    job_list_free(l);
    board_free(b);
}

static void a_job_that_changes_comes_and_goes(void **state SGE_UNUSED)
{
    struct board *b = some_jobs();
    struct job_list *l = job_list_new(b);
    job_list_stage(l, STAGE_RUNNING);
    assert_rows(l, "3");
    tell_line(b, "started 1 0-0 all.q@a");
    assert_rows(l, "3 1");
    assert_false(job_list_refresh(l));
    tell_line(b, "del 3");
    assert_rows(l, "1");
    job_list_stage(l, STAGE_FINISHED);
    assert_rows(l, "3");
    job_list_free(l);
    board_free(b);
}

static void a_job_that_is_forgotten_leaves_the_rows_at_once(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct job_list *l = job_list_new(b);
    char line[32];
    for (uint32_t i = 1; i <= BOARD_KEPT + 1; i++) {
        tell_event(b, array_event(i, 1, 0, 0));
        snprintf(line, sizeof line, "del %u", i);
        if (i > BOARD_KEPT)
            (void)job_list_refresh(l);
        tell_line(b, line);
    }
    assert_int_equal(job_list_count(l), BOARD_KEPT);
    assert_int_equal(job_list_row(l, 1), -1);
    job_list_free(l);
    board_free(b);
}

static void words_on_dependencies_choose_jobs(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct job_list *l = job_list_new(b);
    tell_array(b, 1, "ribs", 4, 1, 0);
    tell_array(b, 2, "shadow", 4, 2, 1);
    tell_array(b, 3, "render", 4, 1, 2);
    tell_array(b, 4, "other", 4, 1, 0);
    job_list_words(l, "before:3");
    assert_rows(l, "2 1");
    job_list_words(l, "after:1 r*");
    assert_rows(l, "3");
    job_list_words(l, "with:2");
    assert_rows(l, "3 2 1");
    job_list_words(l, "before:3 after:1");
    assert_rows(l, "2");
    job_list_words(l, "with:77");
    assert_rows(l, "");
    job_list_words(l, "before:");
    assert_rows(l, "");
    job_list_free(l);
    board_free(b);
}

static void a_row_says_what_its_job_does(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct job_list *l = job_list_new(b);
    struct columns columns;
    struct dstr out = DSTR_INIT;
    tell_event(b, array_event(12, 10, 0, 7));
    tell_line(b, "started 12 0-2 all.q@a");
    cull_set(&board_job(b, 12)->rec, JB_job_name, "ri\tbs");
    (void)job_list_refresh(l);
    columns_init(&columns, JOB_COLUMNS);
    job_list_text(l, &columns, &out);
    assert_non_null(strstr(dstr_get(&out),
                           "\n12\tri?bs\t\tr\t1-10:1\t3 running, 5 pending, 2 held\t2\t"
                           "\t5\t3\t0\t0\t0\t"));
    dstr_free(&out);
    job_list_free(l);
    board_free(b);
}

static void jobs_that_ended_are_below_the_others(void **state SGE_UNUSED)
{
    struct board *b = some_jobs();
    struct job_list *l = job_list_new(b);
    tell_line(b, "done 3 0-0");
    tell_line(b, "del 3");
    assert_rows(l, "2 1 3");
    job_list_sort(l, COLUMN_JOB);
    assert_rows(l, "1 2 3");
    job_list_sort(l, COLUMN_NAME);
    assert_rows(l, "2 1 3");
    job_list_free(l);
    board_free(b);
}

static void jobs_with_failed_tasks_are_found(void **state SGE_UNUSED)
{
    struct board *b = some_jobs();
    struct job_list *l = job_list_new(b);
    job_list_stage(l, STAGE_FAILED);
    assert_rows(l, "");
    tell_line(b, "done 3 0-0 0 1");
    assert_rows(l, "3");
    tell_line(b, "del 3");
    assert_rows(l, "3");
    job_list_free(l);
    board_free(b);
}

static void progress_is_said_in_numbers(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct dstr text = DSTR_INIT;
    tell_event(b, array_event(7, 10, 0, 5));
    tell_line(b, "started 7 0-3 all.q@a");
    tell_line(b, "done 7 0-1");
    tell_line(b, "done 7 2-2 100 137");
    job_progress(board_job(b, 7), &text);
    assert_string_equal(dstr_get(&text), "2 done, 1 running, 2 pending, 4 held, 1 failed");
    dstr_free(&text);
    board_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_job_is_first),
        cmocka_unit_test(jobs_that_ended_are_below_the_others),
        cmocka_unit_test(jobs_with_failed_tasks_are_found),
        cmocka_unit_test(progress_is_said_in_numbers),
        cmocka_unit_test(a_column_sorts_and_once_more_the_other_way_round),
        cmocka_unit_test(words_must_all_be_true_of_a_job),
        cmocka_unit_test(a_job_that_changes_comes_and_goes),
        cmocka_unit_test(a_job_that_is_forgotten_leaves_the_rows_at_once),
        cmocka_unit_test(words_on_dependencies_choose_jobs),
        cmocka_unit_test(a_row_says_what_its_job_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
