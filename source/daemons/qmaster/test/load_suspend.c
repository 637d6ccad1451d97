/* Tasks that stand still because of load: suspend_thresholds, nsuspend and suspend_interval of
 * queue_conf(5). */
#include "daemons/qmaster/reports/reports.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/task_state.h"
#include "libs/uti/dstr.h"

enum { TASKS = 4, INTERVAL_S = 60 };

/* an array whose tasks were started one after the other, the first a long time ago */
static uint32_t run_array(struct fixture *f)
{
    uint32_t job = submit(f, .tasks = "1-4:1");
    for (uint32_t id = 1; id <= TASKS; id++) {
        f->q.now_s += 100;
        fixture_start(f, job, id);
        fixture_report(f, job, id, REPORT_STARTED, 0);
    }
    return job;
}

static void set_suspending(struct fixture *f, const char *thresholds, const char *nsuspend)
{
    assert_true(fixture_set_queue(f, "nsuspend", nsuspend));
    assert_true(fixture_set_queue(f, "suspend_interval", "0:1:0"));
    assert_true(fixture_set_queue(f, "suspend_thresholds", thresholds));
    fixture_commit(f);
}

/* what housekeeping does SECONDS later */
static void pass_time(struct fixture *f, uint64_t seconds)
{
    f->q.now_s += seconds;
    load_state_step(&f->q);
    load_suspend_step(&f->q);
}

static void measure_load(struct fixture *f, const char *value)
{
    f->q.now_s++;
    say_load(f, "cpu", value);
}

/* the states of the tasks as qstat shows them: "rrTT" */
static const char *task_letters(struct fixture *f, uint32_t job)
{
    dstr_clear(&f->said);
    for (uint32_t id = 1; id <= TASKS; id++)
        task_state_text(&fixture_task(f, job, id)->rec, 0, &f->said);
    return dstr_get(&f->said);
}

static void the_youngest_are_suspended_step_by_step_and_go_on_last(void **state)
{
    struct fixture *f = *state;
    set_suspending(f, "cpu=90", "1");
    uint32_t job = run_array(f);
    measure_load(f, "95");
    assert_string_equal(task_letters(f, job), "rrrr");
    pass_time(f, 1);
    assert_string_equal(task_letters(f, job), "rrrT");
    pass_time(f, INTERVAL_S - 1);
    assert_string_equal(task_letters(f, job), "rrrT");
    pass_time(f, 1);
    assert_string_equal(task_letters(f, job), "rrTT");
    measure_load(f, "5");
    pass_time(f, INTERVAL_S);
    assert_string_equal(task_letters(f, job), "rrrT");
    pass_time(f, INTERVAL_S);
    assert_string_equal(task_letters(f, job), "rrrr");
    pass_time(f, INTERVAL_S);
    assert_true(LIST_EMPTY(&f->q.queues.uneasy));
}

static void nsuspend_says_how_many_at_a_time(void **state)
{
    struct fixture *f = *state;
    set_suspending(f, "cpu=90", "3");
    uint32_t job = run_array(f);
    measure_load(f, "95");
    pass_time(f, 1);
    assert_string_equal(task_letters(f, job), "rTTT");
    pass_time(f, INTERVAL_S);
    assert_string_equal(task_letters(f, job), "TTTT");
    measure_load(f, "5");
    pass_time(f, INTERVAL_S);
    assert_string_equal(task_letters(f, job), "rrrT");
}

static void with_nsuspend_0_the_queue_closes_and_nothing_stops(void **state)
{
    struct fixture *f = *state;
    set_suspending(f, "cpu=90", "0");
    uint32_t job = run_array(f);
    measure_load(f, "95");
    pass_time(f, 1);
    assert_string_equal(task_letters(f, job), "rrrr");
    assert_false(qinstance_may_start(fixture_queue(f)));
    assert_int_equal(qinstance_state(fixture_queue(f)), QI_SUSPEND_ALARM);
}

static void who_was_suspended_goes_on_whatever_becomes_of_the_thresholds(void **state)
{
    struct fixture *f = *state;
    set_suspending(f, "cpu=90", "4");
    uint32_t job = run_array(f);
    measure_load(f, "95");
    pass_time(f, 1);
    assert_string_equal(task_letters(f, job), "TTTT");
    set_suspending(f, "NONE", "0");
    for (int i = 0; i < TASKS; i++)
        pass_time(f, INTERVAL_S);
    assert_string_equal(task_letters(f, job), "rrrr");
}

static void a_value_that_nobody_reports_suspends_nothing(void **state)
{
    struct fixture *f = *state;
    set_suspending(f, "cpu=90", "4");
    uint32_t job = run_array(f);
    pass_time(f, 1);
    measure_load(f, "nan");
    pass_time(f, 1);
    assert_string_equal(task_letters(f, job), "rrrr");
    assert_int_equal(qinstance_state(fixture_queue(f)), 0);
}

static void it_survives_a_restart_and_ends_after_it(void **state)
{
    struct fixture *f = *state;
    set_suspending(f, "cpu=90", "2");
    uint32_t job = run_array(f);
    measure_load(f, "95");
    pass_time(f, 1);
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(task_letters(f, job), "rrTT");
    pass_time(f, INTERVAL_S); /* before its execd is heard */
    assert_string_equal(task_letters(f, job), "rrTT");
    presence_begin(&f->q, hosts_find(&f->q.hosts, "node1"), fixture_connection(f, "root"));
    measure_load(f, "5");
    pass_time(f, 1);
    assert_string_equal(task_letters(f, job), "rrrr");
}

static void a_task_runs_when_none_of_the_three_reasons_holds(void **state)
{
    struct fixture *f = *state;
    set_suspending(f, "cpu=90", "1");
    uint32_t job = run_array(f);
    struct connection *execd = fixture_connection(f, "root");
    measure_load(f, "95");
    pass_time(f, 1);
    (void)told_after_sync(f, execd);
    task_suspend(&f->q, fixture_task(f, job, 4), TASK_IS_SUSPENDED, true);
    measure_load(f, "5");
    pass_time(f, INTERVAL_S);
    assert_string_equal(task_letters(f, job), "rrrs");
    assert_null(strstr(told_after_sync(f, execd), "signal"));
    task_suspend(&f->q, fixture_task(f, job, 4), TASK_IS_SUSPENDED, false);
    assert_non_null(strstr(told_after_sync(f, execd), "signal 18"));
}

static void one_that_ended_while_it_stood_still_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    set_suspending(f, "cpu=90", "1");
    uint32_t job = run_array(f);
    measure_load(f, "95");
    pass_time(f, 1);
    fixture_report(f, job, 4, REPORT_ENDED, 0);
    measure_load(f, "5");
    pass_time(f, INTERVAL_S);
    assert_true(LIST_EMPTY(&f->q.queues.uneasy));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(the_youngest_are_suspended_step_by_step_and_go_on_last),
        TEST(nsuspend_says_how_many_at_a_time),
        TEST(with_nsuspend_0_the_queue_closes_and_nothing_stops),
        TEST(who_was_suspended_goes_on_whatever_becomes_of_the_thresholds),
        TEST(a_value_that_nobody_reports_suspends_nothing),
        TEST(it_survives_a_restart_and_ends_after_it),
        TEST(a_task_runs_when_none_of_the_three_reasons_holds),
        TEST(one_that_ended_while_it_stood_still_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
