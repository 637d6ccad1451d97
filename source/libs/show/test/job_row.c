/* Which tasks are on which line: the letters of -s, the kinds of hold, tasks that wait again. */
#include "libs/show/job_row.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka last: it needs the three above */
#include <cmocka.h>

#include "libs/sgeobj/job_state.h"
#include "libs/show/test/sample.h"
#include "libs/uti/dstr.h"

static void letters_of_s_are_read_as_described(void **state)
{
    (void)state;
    unsigned show = 0;
    assert_true(show_parse("prs", &show));
    assert_int_equal(show, SHOW_DEFAULT);
    show = 0;
    assert_true(show_parse("hd", &show));
    assert_int_equal(show, SHOW_HOLD_ARRAY);
    show = 0;
    assert_true(show_parse("hdhj", &show));
    assert_int_equal(show, SHOW_HOLD_ARRAY | SHOW_HOLD_JOB);
    show = 0;
    assert_true(show_parse("h", &show));
    assert_int_equal(show, SHOW_ANY_HOLD);
    show = 0;
    assert_true(show_parse("a", &show));
    assert_int_equal(show, SHOW_DEFAULT | SHOW_ANY_HOLD);
    show = 0;
    assert_true(show_parse("psrz", &show));
    assert_int_equal(show, SHOW_DEFAULT | SHOW_FINISHED);
    show = SHOW_RUNNING;
    assert_true(show_parse("huz", &show));
    assert_int_equal(show, SHOW_RUNNING | SHOW_HOLD_USER | SHOW_FINISHED);
}

static void wrong_letters_change_nothing(void **state)
{
    (void)state;
    static const char *const wrong[] = { "hdj", "hdujosa", "q", "", "pq", "x", "P", "h ", "hd,hj" };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        unsigned show = 5;
        assert_false(show_parse(wrong[i], &show));
        assert_int_equal(show, 5);
    }
}

struct sample {
    struct JB_Type job;
    struct JAT_Type task[4];
    const struct JAT_Type *tasks[4];
    struct job_rows rows;
};

/* A job 32 with tasks 1-10: 1 user hold, 2 and 3 array hold, 4 operator, 5 system, 6 put back, 7 in
 * error, 8 runs, 9 suspended. */
static void sample_make(struct sample *s)
{
    *s = (struct sample){ 0 };
    sample_job(&s->job, 32, "B", 1, 10, 1);
    range_set_add(cull_ranges(&s->job, JB_ja_pending_ids), 0, 4);
    range_set_add(cull_ranges(&s->job, JB_ja_pending_ids), 9, 9);
    range_set_add(cull_ranges(&s->job, JB_ja_u_h_ids), 0, 0);
    range_set_add(cull_ranges(&s->job, JB_ja_a_h_ids), 1, 2);
    range_set_add(cull_ranges(&s->job, JB_ja_o_h_ids), 3, 3);
    range_set_add(cull_ranges(&s->job, JB_ja_s_h_ids), 4, 4);
    for (uint32_t i = 0; i < 4; i++) {
        sample_task(&s->task[i], &s->job, 6 + i, 0.5, 1);
        s->tasks[i] = &s->task[i];
    }
    cull_set(&s->task[0], JAT_status, (uint32_t)TASK_WAITING);
    cull_set(&s->task[0], JAT_state, (uint32_t)TASK_IS_RESTARTED);
    cull_set(&s->task[1], JAT_status, (uint32_t)TASK_ERROR);
    cull_set(&s->task[3], JAT_state, (uint32_t)TASK_IS_SUSPENDED);
}

static void sample_free(struct sample *s)
{
    for (uint32_t i = 0; i < 4; i++)
        cull_clear(&cull_JAT_Type, &s->task[i]);
    cull_clear(&cull_JB_Type, &s->job);
    job_rows_free(&s->rows);
}

/* The lines as "state:tasks " for -s LETTERS. */
static char *lines_for(const char *letters)
{
    struct sample s;
    struct row_wish wish = { .now_s = SAMPLE_NOW_S };
    struct dstr text = DSTR_INIT;
    assert_true(show_parse(letters, &wish.show));
    sample_make(&s);
    job_rows_add(&s.rows, &wish, &s.job, sample_figures(), s.tasks, 4);
    job_rows_sort(&s.rows);
    for (uint32_t i = 0; i < s.rows.n; i++) {
        dstr_addf(&text, "%s:", s.rows.v[i].state);
        row_tasks_text(&s.rows.v[i], SIZE_MAX, &text);
        dstr_addc(&text, ' ');
    }
    sample_free(&s);
    return dstr_take(&text);
}

static void expect_lines(const char *letters, const char *wanted)
{
    char *text = lines_for(letters);
    assert_string_equal(text, wanted);
    free(text);
}

static void each_kind_of_hold_is_told_apart(void **state)
{
    (void)state;
    expect_lines("hu", "hqw:1 ");
    expect_lines("hd", "hqw:2,3 ");
    expect_lines("ho", "hqw:4 ");
    expect_lines("hs", "hqw:5 ");
    expect_lines("hj", "");
    expect_lines("ha", "");
    expect_lines("h", "hqw:1 hqw:2,3 hqw:4 hqw:5 ");
    expect_lines("hdhu", "hqw:1 hqw:2,3 ");
}

static void running_suspended_and_pending_are_chosen(void **state)
{
    (void)state;
    expect_lines("r", "r:8 ");
    expect_lines("s", "s:9 ");
    expect_lines("rs", "r:8 s:9 ");
    expect_lines("p", "Rq:6 Eqw:7 qw:10 hqw:1 hqw:2,3 hqw:4 hqw:5 ");
    expect_lines("z", "");
}

static void a_predecessor_job_holds_all_that_is_pending(void **state)
{
    (void)state;
    struct row_wish wish = { .show = SHOW_HOLD_JOB, .now_s = SAMPLE_NOW_S };
    struct JB_Type job;
    struct job_rows rows = { 0 };
    sample_job(&job, 5, "C", 0, 0, 0);
    sample_pending(&job);
    struct JRE_Type *on = cull_append(&job, JB_jid_predecessor_list);
    cull_set(on, JRE_job_number, 4u);
    job_rows_add(&rows, &wish, &job, sample_figures(), NULL, 0);
    job_rows_sort(&rows);
    assert_int_equal(rows.n, 1);
    assert_string_equal(rows.v[0].state, "hqw");
    assert_true(rows.v[0].prior <= 0);
    cull_clear(&cull_JB_Type, &job);
    job_rows_free(&rows);
}

static void a_later_start_time_is_ha(void **state)
{
    (void)state;
    struct row_wish wish = { .show = SHOW_START_LATER, .now_s = SAMPLE_NOW_S };
    struct JB_Type job;
    struct job_rows rows = { 0 };
    sample_job(&job, 5, "later", 0, 0, 0);
    sample_pending(&job);
    cull_set(&job, JB_execution_time, (uint64_t)SAMPLE_NOW_S + 1);
    job_rows_add(&rows, &wish, &job, sample_figures(), NULL, 0);
    job_rows_sort(&rows);
    assert_int_equal(rows.n, 1);
    assert_string_equal(rows.v[0].state, "qw");
    assert_true(rows.v[0].prior <= 0);
    wish.now_s = SAMPLE_NOW_S + 1;
    job_rows_free(&rows);
    job_rows_add(&rows, &wish, &job, sample_figures(), NULL, 0);
    assert_int_equal(rows.n, 0);
    cull_clear(&cull_JB_Type, &job);
}

static void an_ended_job_is_a_zombie_with_all_its_tasks(void **state)
{
    (void)state;
    struct row_wish wish = { .show = SHOW_FINISHED };
    struct JB_Type job;
    struct job_rows rows = { 0 };
    struct dstr text = DSTR_INIT;
    sample_job(&job, 7, "A", 1, 10, 4);
    job_rows_add(&rows, &wish, &job, sample_figures(), NULL, 0);
    assert_int_equal(rows.n, 1);
    assert_int_equal(rows.v[0].kind, ROW_FINISHED);
    row_tasks_text(&rows.v[0], SIZE_MAX, &text);
    assert_string_equal(dstr_get(&text), "1-9:4");
    dstr_free(&text);
    job_rows_free(&rows);
    wish.show = SHOW_DEFAULT;
    job_rows_add(&rows, &wish, &job, sample_figures(), NULL, 0);
    assert_int_equal(rows.n, 0);
    cull_clear(&cull_JB_Type, &job);
}

static void what_waits_goes_by_the_priority_that_came_with_it(void **state)
{
    (void)state;
    struct row_wish wish = { .show = SHOW_PENDING, .now_s = SAMPLE_NOW_S };
    struct job_rows rows = { 0 };
    for (uint32_t number = 1; number <= 2; number++) {
        struct JB_Type job;
        sample_job(&job, number, "J", 0, 0, 0);
        sample_pending(&job);
        struct PF_Type figures = { 0 };
        cull_set(&figures, PF_prior, 0.25 * number);
        job_rows_add(&rows, &wish, &job, &figures, NULL, 0);
        cull_clear(&cull_JB_Type, &job);
    }
    job_rows_sort(&rows);
    assert_int_equal(rows.v[0].job_number, 2);
    assert_true(rows.v[0].prior > 0.49 && rows.v[0].prior < 0.51);
    assert_true(rows.v[1].prior > 0.24 && rows.v[1].prior < 0.26);
    job_rows_free(&rows);
}

/* the qmaster has been started anew: what a task was started with is not stored */
static void a_running_task_without_a_priority_shows_that_of_its_job(void **state)
{
    (void)state;
    struct row_wish wish = { .show = SHOW_RUNNING, .now_s = SAMPLE_NOW_S };
    struct JB_Type job;
    struct JAT_Type tasks[2];
    struct job_rows rows = { 0 };
    sample_job(&job, 8, "J", 1, 2, 1);
    sample_task(&tasks[0], &job, 1, 0, 1);
    sample_task(&tasks[1], &job, 2, 0.75, 1);
    const struct JAT_Type *all[] = { &tasks[0], &tasks[1] };
    job_rows_add(&rows, &wish, &job, sample_figures(), all, 2);
    assert_true(rows.v[0].prior > 0.49 && rows.v[0].prior < 0.51);
    assert_true(rows.v[1].prior > 0.74 && rows.v[1].prior < 0.76);
    job_rows_free(&rows);
    for (int i = 0; i < 2; i++)
        cull_clear(&cull_JAT_Type, &tasks[i]);
    cull_clear(&cull_JB_Type, &job);
}

static void a_task_in_error_is_ranked_among_what_waits(void **state)
{
    (void)state;
    struct row_wish wish = { .show = SHOW_DEFAULT, .now_s = SAMPLE_NOW_S };
    struct JB_Type jobs[2];
    struct JAT_Type task;
    struct job_rows rows = { 0 };
    for (uint32_t i = 0; i < 2; i++)
        sample_job(&jobs[i], 8 + i, "J", 0, 0, 0);
    sample_pending(&jobs[1]);
    sample_task(&task, &jobs[0], 1, 0.75, 1);
    cull_set(&task, JAT_status, (uint32_t)TASK_ERROR);
    const struct JAT_Type *tasks[] = { &task };
    job_rows_add(&rows, &wish, &jobs[0], sample_figures(), tasks, 1);
    job_rows_add(&rows, &wish, &jobs[1], sample_figures(), NULL, 0);
    job_rows_sort(&rows);
    assert_string_equal(rows.v[0].state, "Eqw");
    assert_true(rows.v[0].prior <= rows.v[1].prior && rows.v[0].prior >= rows.v[1].prior);
    job_rows_free(&rows);
    cull_clear(&cull_JAT_Type, &task);
    cull_clear(&cull_JB_Type, &jobs[0]);
    cull_clear(&cull_JB_Type, &jobs[1]);
}

static void ten_million_tasks_are_a_few_lines(void **state)
{
    (void)state;
    struct row_wish wish = { .show = SHOW_DEFAULT };
    struct JB_Type job;
    struct job_rows rows = { 0 };
    struct dstr text = DSTR_INIT;
    sample_job(&job, 8, "big", 1, 10000000, 1);
    sample_pending(&job);
    range_set_add(cull_ranges(&job, JB_ja_a_h_ids), 1000, 9999999);
    job_rows_add(&rows, &wish, &job, sample_figures(), NULL, 0);
    job_rows_sort(&rows);
    assert_int_equal(rows.n, 2);
    row_tasks_text(&rows.v[1], SIZE_MAX, &text);
    assert_string_equal(dstr_get(&text), "1001-10000000:1");
    dstr_free(&text);
    cull_clear(&cull_JB_Type, &job);
    job_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_of_s_are_read_as_described),
        cmocka_unit_test(wrong_letters_change_nothing),
        cmocka_unit_test(each_kind_of_hold_is_told_apart),
        cmocka_unit_test(running_suspended_and_pending_are_chosen),
        cmocka_unit_test(a_predecessor_job_holds_all_that_is_pending),
        cmocka_unit_test(a_later_start_time_is_ha),
        cmocka_unit_test(an_ended_job_is_a_zombie_with_all_its_tasks),
        cmocka_unit_test(what_waits_goes_by_the_priority_that_came_with_it),
        cmocka_unit_test(a_running_task_without_a_priority_shows_that_of_its_job),
        cmocka_unit_test(a_task_in_error_is_ranked_among_what_waits),
        cmocka_unit_test(ten_million_tasks_are_a_few_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
