/* The jobs of a session and their ends. */
#include "libs/japi/ends.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "libs/gdi/message.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"

enum { ONE = 11, ARRAY = 12 }; /* a job, and one with the tasks 1, 3 ... 9 */

static struct ends *make_ends(void)
{
    struct ends *all = ends_new();
    struct JB_Type job = { 0 };
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

static void fill_end(struct EN_Type *end, uint32_t job, uint32_t first, uint32_t last)
{
    bool is_array = job != ONE;
    cull_set(end, EN_job_number, job);
    cull_set(end, EN_is_array, is_array);
    cull_set(end, EN_ja_first, 1u);
    cull_set(end, EN_ja_step, is_array ? 2u : 1u);
    range_set_add(cull_ranges(end, EN_ordinals), first, last);
}

/* the task with that ORDINAL has run */
static bool add_end(struct ends *all, uint32_t job, uint32_t ordinal, uint32_t failed,
                    uint32_t status)
{
    struct EN_Type end = { 0 };
    fill_end(&end, job, ordinal, ordinal);
    cull_set(&end, EN_how, (uint32_t)END_RAN);
    cull_set(&end, EN_failed, failed);
    cull_set(&end, EN_exit_status, status);
    cull_set(&end, EN_submission_time, (uint64_t)1000);
    cull_set(cull_append(&end, EN_usage), UA_name, "cpu");
    bool is_news = ends_add(all, &end);
    cull_clear(&cull_EN_Type, &end);
    return is_news;
}

/* the tasks FIRST to LAST, by ordinal, were deleted before they ran */
static bool add_unrun(struct ends *all, uint32_t job, uint32_t first, uint32_t last)
{
    struct EN_Type end = { 0 };
    fill_end(&end, job, first, last);
    cull_set(&end, EN_how, (uint32_t)END_UNRUN);
    bool is_news = ends_add(all, &end);
    cull_clear(&cull_EN_Type, &end);
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
    assert_true(add_end(all, ONE, 0, TASK_FAILED_NOT, 7));
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
    assert_true(add_end(all, ARRAY, 1, TASK_FAILED_NOT, 0));
    assert_false(add_end(all, ARRAY, 1, TASK_FAILED_NOT, 0));
    assert_int_equal(ends_take(all, &third, &how, &is_known), ENDS_ENDED);
    japi_ended_clear(&how);
    assert_false(add_end(all, ARRAY, 1, TASK_FAILED_NOT, 0));
    assert_int_equal(ends_look(all, &third, NULL), ENDS_NONE);
    ends_free(all);
}

static uint32_t status_of_whole(const struct ends *all, bool *has_run)
{
    struct japi_ended how = { .has_run = false };
    assert_int_equal(ends_look(all, &whole, &how), ENDS_ENDED);
    *has_run = how.has_run;
    return how.exit_status;
}

static void an_array_ended_as_its_first_task(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    bool has_run;
    assert_true(add_end(all, ARRAY, 2, TASK_FAILED_NOT, 2));
    assert_true(add_end(all, ARRAY, 0, TASK_FAILED_NOT, 1));
    assert_true(add_unrun(all, ARRAY, 1, 1));
    assert_int_equal(ends_look(all, &whole, NULL), ENDS_UNFINISHED);
    assert_true(add_unrun(all, ARRAY, 3, 4));
    assert_int_equal(status_of_whole(all, &has_run), 1);
    assert_true(has_run);
    assert_int_equal(ends_drop(all, &(struct japi_id){ ARRAY, 1 }), 1);
    assert_int_equal(status_of_whole(all, &has_run), 2); /* that end has been taken */
    assert_int_equal(ends_drop(all, &(struct japi_id){ ARRAY, 5 }), 1);
    (void)status_of_whole(all, &has_run);
    assert_false(has_run);
    ends_free(all);
    all = make_ends();
    assert_true(add_unrun(all, ARRAY, 0, 0));
    for (uint32_t i = 1; i < 5; i++)
        assert_true(add_end(all, ARRAY, i, TASK_FAILED_NOT, i));
    (void)status_of_whole(all, &has_run);
    assert_false(has_run);
    ends_free(all);
}

static void who_has_no_such_task_has_no_end(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_id other = { ARRAY, 4 }, foreign = { 99, 0 };
    assert_false(add_end(all, ARRAY, 5, TASK_FAILED_NOT, 0));
    assert_false(add_unrun(all, ARRAY, 5, 8));
    assert_int_equal(ends_look(all, &other, NULL), ENDS_NONE);
    assert_int_equal(ends_look(all, &foreign, NULL), ENDS_NONE);
    ends_free(all);
}

static void any_end_comes_in_the_order_of_ends(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    static const uint32_t ordinals[] = { 4, 0, 2 };
    struct japi_ended how = { .has_run = false };
    bool is_known;
    assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_UNFINISHED);
    for (size_t i = 0; i < ARRAY_LEN(ordinals); i++)
        assert_true(add_end(all, ARRAY, ordinals[i], TASK_FAILED_NOT, 0));
    for (size_t i = 0; i < ARRAY_LEN(ordinals); i++) {
        assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_ENDED);
        assert_int_equal(how.id.task, 1 + 2 * ordinals[i]);
        japi_ended_clear(&how);
    }
    assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_UNFINISHED);
    ends_free(all);
}

static void what_was_deleted_before_it_ran_has_ended(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_ended how = { .has_run = true };
    bool is_known;
    assert_true(add_end(all, ARRAY, 1, TASK_FAILED_NOT, 0));
    assert_true(add_unrun(all, ARRAY, 0, 4));
    assert_false(add_unrun(all, ARRAY, 0, 3));
    assert_true(add_unrun(all, ONE, 0, 0));
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

static void what_nobody_knows_is_unknown(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct japi_ended how = { .has_run = true };
    bool is_known;
    ends_finish_job(all, ONE);
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
    for (uint32_t ordinal = 0; ordinal <= 4; ordinal++) {
        assert_int_equal(ends_look(all, &whole, NULL), ENDS_UNFINISHED);
        assert_true(add_end(all, ARRAY, ordinal, TASK_FAILED_AFTER_JOB, 137));
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
    assert_true(add_end(all, ARRAY, 0, TASK_FAILED_AFTER_JOB, 137));
    assert_true(add_end(all, ARRAY, 1, TASK_FAILED_NO_SHELL, 0));
    assert_int_equal(ends_look(all, &(struct japi_id){ ARRAY, 1 }, &how), ENDS_ENDED);
    assert_true(how.has_run && how.is_signalled);
    assert_int_equal(ends_look(all, &third, &how), ENDS_ENDED);
    assert_false(how.has_run || how.is_signalled);
    ends_free(all);
}

/* what a session knows of a task that ended so and was started at START_S; 0: never */
static struct japi_ended look_at_end(enum end_how how, uint32_t failed, uint32_t exit_status,
                                     uint64_t start_s)
{
    struct ends *all = make_ends();
    struct EN_Type end = { 0 };
    struct japi_ended found;
    fill_end(&end, ONE, 0, 0);
    cull_set(&end, EN_how, (uint32_t)how);
    cull_set(&end, EN_failed, failed);
    cull_set(&end, EN_exit_status, exit_status);
    cull_set(&end, EN_start_time, start_s);
    assert_true(ends_add(all, &end));
    assert_int_equal(ends_look(all, &one, &found), ENDS_ENDED);
    cull_clear(&cull_EN_Type, &end);
    ends_free(all);
    return found;
}

/* the prolog's 100, or the job's own */
static void a_job_whose_prolog_parked_it_never_ran(void **state)
{
    (void)state;
    assert_false(look_at_end(END_RAN, TASK_FAILED_APPERROR, 0, 0).has_run);
    assert_true(look_at_end(END_RAN, TASK_FAILED_APPERROR, 0, 1000).has_run);
}

static void what_was_deleted_on_its_way_to_a_host_never_ran(void **state)
{
    (void)state;
    struct japi_ended on_its_way = look_at_end(END_KILLED, 0, 0, 0);
    struct japi_ended running = look_at_end(END_KILLED, 0, 137, 1000);
    assert_false(on_its_way.has_run || on_its_way.is_signalled);
    assert_true(running.has_run && running.is_signalled);
}

static void the_jobs_are_listed_until_their_ends_are_taken(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    uint32_t *numbers = NULL, n = 4711; /* whatever was there before */
    assert_true(add_end(all, ONE, 0, TASK_FAILED_NOT, 0));
    ends_jobs(all, &numbers, &n);
    assert_int_equal(n, 2);
    free(numbers);
    assert_int_equal(ends_drop(all, &one), 1);
    assert_int_equal(ends_drop(all, &one), 0);
    ends_jobs(all, &numbers, &n);
    assert_int_equal(n, 1);
    assert_int_equal(numbers[0], ARRAY);
    free(numbers);
    ends_free(all);
    all = ends_new();
    ends_jobs(all, &numbers, &n);
    assert_true(numbers == NULL && n == 0);
    ends_free(all);
}

static void what_was_taken_is_told_until_the_qmaster_has_forgotten_it(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct EN_Type_list taken = { 0 }, again = { 0 };
    assert_false(ends_taken(all, &taken));
    assert_true(add_end(all, ARRAY, 1, TASK_FAILED_NOT, 0));
    assert_int_equal(ends_drop(all, &third), 1);
    assert_true(ends_taken(all, &taken));
    assert_int_equal(taken.n, 1);
    assert_int_equal(taken.v[0].EN_job_number, ARRAY);
    assert_true(range_set_has(&taken.v[0].EN_ordinals, 1));
    assert_false(ends_taken(all, &again)); /* it is on its way */
    ends_again(all, &taken);
    assert_true(ends_taken(all, &again)); /* it did not get there */
    ends_forgotten(all, &again);
    assert_false(ends_taken(all, &again));
    cull_list_clear(&cull_EN_Type, &taken);
    cull_list_clear(&cull_EN_Type, &again);
    ends_free(all);
}

static void what_was_taken_of_many_jobs_is_told_in_pieces(void **state)
{
    (void)state;
    enum { FIRST_JOB = 100, JOBS = 2 * ENDS_TAKEN_MOST + 1 };
    struct ends *all = ends_new();
    uint32_t told = 0;
    for (uint32_t i = 0; i < JOBS; i++) {
        const struct japi_id id = { FIRST_JOB + i, 1 };
        assert_true(add_end(all, id.job, 0, TASK_FAILED_NOT, 0));
        assert_int_equal(ends_drop(all, &id), 1);
    }
    for (struct EN_Type_list taken = { 0 }; ends_taken(all, &taken);
         cull_list_clear(&cull_EN_Type, &taken)) {
        assert_true(taken.n <= ENDS_TAKEN_MOST);
        told += taken.n;
        ends_forgotten(all, &taken);
    }
    assert_int_equal(told, JOBS);
    ends_free(all);
}

static void an_end_that_was_taken_is_no_news_when_it_is_told_again(void **state)
{
    (void)state;
    struct ends *all = make_ends();
    struct EN_Type_list taken = { 0 };
    assert_true(add_end(all, ONE, 0, TASK_FAILED_NOT, 0));
    assert_int_equal(ends_drop(all, &one), 1);
    assert_false(add_end(all, ONE, 0, TASK_FAILED_NOT, 0));
    assert_true(ends_taken(all, &taken));
    assert_false(add_end(all, ONE, 0, TASK_FAILED_NOT, 0));
    assert_int_equal(ends_look(all, &one, NULL), ENDS_NONE);
    cull_list_clear(&cull_EN_Type, &taken);
    ends_free(all);
}

static void ends_of_jobs_of_an_earlier_program_are_there(void **state)
{
    (void)state;
    enum { FOUND = 99 };
    struct ends *all = ends_new();
    struct japi_ended how = { .has_run = false };
    bool is_known;
    assert_true(add_end(all, FOUND, 3, TASK_FAILED_NOT, 5));
    assert_true(add_unrun(all, FOUND, 4, 5));
    assert_int_equal(ends_look(all, &(struct japi_id){ FOUND, 1 }, NULL), ENDS_NONE);
    assert_int_equal(ends_take(all, &(struct japi_id){ FOUND, 7 }, &how, &is_known), ENDS_ENDED);
    assert_int_equal(how.exit_status, 5);
    japi_ended_clear(&how);
    assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_ENDED);
    assert_int_equal(how.id.task, 9);
    assert_false(ends_is_empty(all));
    assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_ENDED);
    assert_int_equal(how.id.task, 11);
    assert_true(ends_is_empty(all));
    assert_int_equal(ends_take(all, NULL, &how, &is_known), ENDS_NONE);
    ends_free(all);
}

static void an_end_may_come_before_the_number_of_its_job(void **state)
{
    (void)state;
    struct ends *all = ends_new();
    struct JB_Type job = { 0 };
    assert_true(add_end(all, ARRAY, 1, TASK_FAILED_NOT, 0));
    assert_int_equal(ends_look(all, &whole, NULL), ENDS_ENDED);
    cull_set(&job, JB_type, (uint32_t)JOB_TYPE_ARRAY);
    cull_set(&job, JB_ja_first, 1u);
    cull_set(&job, JB_ja_last, 9u);
    cull_set(&job, JB_ja_step, 2u);
    ends_add_job(all, &job, ARRAY);
    assert_int_equal(ends_look(all, &whole, NULL), ENDS_UNFINISHED);
    assert_int_equal(ends_look(all, &third, NULL), ENDS_ENDED);
    cull_clear(&cull_JB_Type, &job);
    ends_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_goes_with_its_end),
        cmocka_unit_test(an_end_is_news_once),
        cmocka_unit_test(an_array_ended_as_its_first_task),
        cmocka_unit_test(who_has_no_such_task_has_no_end),
        cmocka_unit_test(any_end_comes_in_the_order_of_ends),
        cmocka_unit_test(what_was_deleted_before_it_ran_has_ended),
        cmocka_unit_test(what_nobody_knows_is_unknown),
        cmocka_unit_test(a_whole_job_has_ended_with_its_last_task),
        cmocka_unit_test(a_signal_is_told_from_a_start_that_failed),
        cmocka_unit_test(what_was_taken_is_told_until_the_qmaster_has_forgotten_it),
        cmocka_unit_test(what_was_taken_of_many_jobs_is_told_in_pieces),
        cmocka_unit_test(an_end_that_was_taken_is_no_news_when_it_is_told_again),
        cmocka_unit_test(ends_of_jobs_of_an_earlier_program_are_there),
        cmocka_unit_test(an_end_may_come_before_the_number_of_its_job),
        cmocka_unit_test(a_job_whose_prolog_parked_it_never_ran),
        cmocka_unit_test(what_was_deleted_on_its_way_to_a_host_never_ran),
        cmocka_unit_test(the_jobs_are_listed_until_their_ends_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
