/* The jobs of a session and their ends. */
#include "libs/japi/ends.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"

enum { ONE = 11, ARRAY = 12 }; /* a job, and one with the tasks 1, 3 ... 9 */

static struct ends *make_ends(void)
{
    struct ends *all = ends_new();
    struct JB_Type job = { 0 };
    cull_set(&job, JB_submission_time, (uint64_t)1000);
    cull_set(&job, JB_ja_first, 1u);
    cull_set(&job, JB_ja_last, 1u);
    cull_set(&job, JB_ja_step, 1u);
    ends_add_job(all, &job, ONE);
    cull_set(&job, JB_type, (uint32_t)JOB_TYPE_ARRAY);
    cull_set(&job, JB_ja_last, 9u);
    cull_set(&job, JB_ja_step, 2u);
    ends_add_job(all, &job, ARRAY);
    cull_clear(&cull_JB_Type, &job);
    return all;
}

static bool add_end(struct ends *all, uint32_t job, uint32_t task, uint32_t failed, uint32_t status)
{
    struct JR_Type report = { 0 };
    cull_set(&report, JR_job_number, job);
    cull_set(&report, JR_task_number, task);
    cull_set(&report, JR_failed, failed);
    cull_set(&report, JR_exit_status, status);
    cull_set(cull_append(&report, JR_usage), UA_name, "cpu");
    bool is_news = ends_add(all, &report);
    cull_clear(&cull_JR_Type, &report);
    return is_news;
}

static const struct japi_id one = { ONE, 0 }, third = { ARRAY, 3 }, whole = { ARRAY, 0 };

static void a_job_goes_with_its_end(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_ended how = { .has_run = false };
    bool is_known;
    assert_int_equal(ends_take(all, &one, &how, &is_known), ENDS_UNFINISHED);
    assert_true(add_end(all, ONE, 1, TASK_FAILED_NOT, 7));
    assert_int_equal(ends_look(all, &one, NULL), ENDS_ENDED);
    assert_int_equal(ends_take(all, &one, &how, &is_known), ENDS_ENDED);
    assert_true(is_known && how.has_run && !how.is_signalled);
    assert_int_equal(how.exit_status, 7);
    assert_int_equal(how.id.task, 0);
    assert_int_equal(how.submitted_s, 1000);
    assert_int_equal(how.usage.n, 1);
    japi_ended_clear(&how);
    assert_int_equal(ends_take(all, &one, &how, &is_known), ENDS_NONE);
    ends_free(all);
}

static void an_end_is_news_once(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_ended how = { .has_run = false };
    bool is_known;
    assert_true(add_end(all, ARRAY, 3, TASK_FAILED_NOT, 0));
    assert_false(add_end(all, ARRAY, 3, TASK_FAILED_NOT, 0));
    assert_int_equal(ends_take(all, &third, &how, &is_known), ENDS_ENDED);
    japi_ended_clear(&how);
    assert_false(add_end(all, ARRAY, 3, TASK_FAILED_NOT, 0));
    assert_int_equal(ends_look(all, &third, NULL), ENDS_NONE);
    ends_free(all);
}

static void who_has_no_such_task_has_no_end(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_id other = { ARRAY, 4 }, foreign = { 99, 0 };
    assert_false(add_end(all, ARRAY, 4, TASK_FAILED_NOT, 0));
    assert_false(add_end(all, 99, 1, TASK_FAILED_NOT, 0));
    assert_int_equal(ends_look(all, &other, NULL), ENDS_NONE);
    assert_int_equal(ends_look(all, &foreign, NULL), ENDS_NONE);
    ends_free(all);
}

static void any_end_comes_in_the_order_of_ends(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    static const uint32_t tasks[] = { 9, 1, 5 };
    struct japi_ended how = { .has_run = false };
    bool is_known;
    assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_UNFINISHED);
    for (size_t i = 0; i < ARRAY_LEN(tasks); i++)
        assert_true(add_end(all, ARRAY, tasks[i], TASK_FAILED_NOT, 0));
    for (size_t i = 0; i < ARRAY_LEN(tasks); i++) {
        assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_ENDED);
        assert_int_equal(how.id.task, tasks[i]);
        japi_ended_clear(&how);
    }
    assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_UNFINISHED);
    ends_free(all);
}

static void what_goes_without_an_end_never_ran(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_ended how = { .has_run = true };
    bool is_known;
    assert_true(add_end(all, ARRAY, 3, TASK_FAILED_NOT, 0));
    ends_finish_job(all, ARRAY, true);
    ends_finish_job(all, ONE, true);
    assert_int_equal(ends_look(all, &whole, NULL), ENDS_ENDED);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_ENDED);
        assert_true(is_known);
        assert_int_equal(how.has_run, how.id.task == 3);
        japi_ended_clear(&how);
    }
    assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_NONE);
    ends_free(all);
}

static void what_was_missed_is_unknown(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_ended how = { .has_run = true };
    bool is_known;
    ends_finish_job(all, ONE, false);
    assert_int_equal(ends_take(all, &one, &how, &is_known), ENDS_ENDED);
    assert_false(is_known);
    ends_free(all);
}

static void a_whole_job_has_ended_with_its_last_task(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_ended how = { .has_run = false };
    bool is_known;
    for (uint32_t task = 1; task <= 9; task += 2) {
        assert_int_equal(ends_look(all, &whole, NULL), ENDS_UNFINISHED);
        assert_true(add_end(all, ARRAY, task, TASK_FAILED_AFTER_JOB, 137));
    }
    assert_int_equal(ends_look(all, &whole, NULL), ENDS_ENDED);
    assert_int_equal(ends_take(all, &whole, &how, &is_known), ENDS_NONE); /* one task at a time */
    assert_int_equal(ends_drop(all, &whole), 5);
    assert_int_equal(ends_look(all, &whole, NULL), ENDS_NONE);
    ends_free(all);
}

static void a_signal_is_told_from_a_start_that_failed(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_ended how;
    assert_true(add_end(all, ARRAY, 1, TASK_FAILED_AFTER_JOB, 137));
    assert_true(add_end(all, ARRAY, 3, TASK_FAILED_NO_SHELL, 0));
    assert_int_equal(ends_look(all, &(struct japi_id){ ARRAY, 1 }, &how), ENDS_ENDED);
    assert_true(how.has_run && how.is_signalled);
    assert_int_equal(ends_look(all, &third, &how), ENDS_ENDED);
    assert_false(how.has_run || how.is_signalled);
    ends_free(all);
}

static void the_jobs_are_listed_until_their_ends_are_taken(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    uint32_t *numbers = NULL, n = 0;
    assert_true(add_end(all, ONE, 1, TASK_FAILED_NOT, 0));
    ends_jobs(all, &numbers, &n);
    assert_int_equal(n, 2);
    assert_int_equal(ends_drop(all, &one), 1);
    assert_int_equal(ends_drop(all, &one), 0);
    n = 0;
    ends_jobs(all, &numbers, &n);
    assert_int_equal(n, 1);
    assert_int_equal(numbers[0], ARRAY);
    free(numbers);
    ends_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_goes_with_its_end),
        cmocka_unit_test(an_end_is_news_once),
        cmocka_unit_test(who_has_no_such_task_has_no_end),
        cmocka_unit_test(any_end_comes_in_the_order_of_ends),
        cmocka_unit_test(what_goes_without_an_end_never_ran),
        cmocka_unit_test(what_was_missed_is_unknown),
        cmocka_unit_test(a_whole_job_has_ended_with_its_last_task),
        cmocka_unit_test(a_signal_is_told_from_a_start_that_failed),
        cmocka_unit_test(the_jobs_are_listed_until_their_ends_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
