/* A submit that watches its job, and a watch of one job alone. qsub(1) -sync */
#include "daemons/qmaster/sessions/ends.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#include "daemons/qmaster/test/ends_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/task/task_dir.h"

/* ---- qsub -sync y ---- */
static void a_submit_that_watches_is_told_its_number_each_end_and_that_it_is_over(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 7, 2, "k", GDI_WATCH_TOO, "id");
    assert_string_equal(told_after_sync(f, "alice"), "7:job1|");
    fixture_run(f, 1, 2, 0);
    assert_string_equal(told_after_sync(f, "alice"), "7:end1.2/0");
    fixture_run(f, 1, 1, TASK_FAILED_AFTER_JOB);
    assert_string_equal(told_after_sync(f, "alice"), "7:end1.1/100 7:.");
}

static void a_submit_asked_again_watches_the_job_that_it_made(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 1, 2, "k", GDI_WATCH_TOO, "id");
    fixture_commit(f);
    fixture_hang_up(f, "alice");
    fixture_run(f, 1, 1, 0);
    fixture_commit(f);
    fixture_restart(f);
    ask_submit(f, "alice", 2, 2, "k", GDI_WATCH_TOO, "id");
    assert_string_equal(told_after_sync(f, "alice"), "2:job1 2:end1.1/0 2:|");
    fixture_run(f, 1, 2, 0);
    assert_string_equal(told_after_sync(f, "alice"), "2:end1.2/0 2:.");
    ask_submit(f, "alice", 3, 2, "k", GDI_WATCH_TOO, "id"); /* and when all is over */
    assert_string_equal(told_after_sync(f, "alice"), "3:job1 3:end1.1/0end1.2/0 3:| 3:.");
    ask_session(f, "alice", 4, GDI_DEL, "k");
    ask_submit(f, "alice", 5, 2, "k", GDI_WATCH_TOO, "id");
    assert_string_equal(told_after_sync(f, "alice"), "4:. 5:job1.");
}

static void a_refused_submit_leaves_no_session(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 1, 0, "k", GDI_WATCH_TOO, "id");
    assert_string_equal(told_after_sync(f, "alice"),
                        "1:job rejected: 1-0:1 is not a range of task ids.");
    ask_submit(f, "alice", 2, 1, NULL, GDI_WATCH_TOO, "id");
    assert_non_null(strstr(told_after_sync(f, "alice"), "denied: the name of a session"));
    assert_null(f->q.job_sessions->by_name);
}

static void a_watch_of_one_job_has_its_errors_too_and_ends_with_it(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 3);
    ask_submit(f, "alice", 3, 1, "s", 0, NULL);
    fixture_run(f, 1, 1, TASK_FAILED_APPERROR);
    fixture_run(f, 2, 1, 0);
    told_after_sync(f, "alice");
    ask_watch(f, "alice", 4, "s", 1);
    assert_string_equal(told_after_sync(f, "alice"), "4:error1 4:|");
    fixture_run(f, 1, 2, TASK_FAILED_APPERROR);
    assert_string_equal(told_after_sync(f, "alice"), "4:error2");
    fixture_run(f, 1, 3, 0);
    fixture_delete(f, "alice", "1");
    assert_string_equal(told_after_sync(f, "alice"), "4:end1.3/0 4:unrun1.1 4:unrun1.2 4:.");
    ask_watch(f, "alice", 5, "s", 1); /* when it has gone */
    assert_string_equal(told_after_sync(f, "alice"), "5:unrun1.1-2 5:end1.3/0 5:| 5:.");
    ask_watch(f, "alice", 6, "s", 4711);
    assert_string_equal(told_after_sync(f, "alice"), "6:| 6:.");
}

static void a_watch_of_very_many_tasks_in_error_begins_with_a_hundred(void **state)
{
    struct fixture *f = *state;
    uint32_t n = 0;
    begin_session(f, 101);
    for (uint32_t task = 1; task <= 101; task++)
        fixture_run(f, 1, task, TASK_FAILED_APPERROR);
    ask_watch(f, "alice", 1, "s", 1);
    for (const char *at = told_after_sync(f, "alice"); (at = strstr(at, "error")) != NULL; at++)
        n++;
    assert_int_equal(n, 100);
}

static void a_number_is_not_used_again_while_ends_of_it_are_kept(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    fixture_run(f, 1, 1, 0);
    f->q.jobs.next_number = 1;
    assert_int_equal(submit(f), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_submit_that_watches_is_told_its_number_each_end_and_that_it_is_over),
        TEST(a_submit_asked_again_watches_the_job_that_it_made),
        TEST(a_refused_submit_leaves_no_session),
        TEST(a_watch_of_one_job_has_its_errors_too_and_ends_with_it),
        TEST(a_watch_of_very_many_tasks_in_error_begins_with_a_hundred),
        TEST(a_number_is_not_used_again_while_ends_of_it_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
