/* Queues and tasks that follow calendars: calendar_conf(5). */
#include "daemons/qmaster/config/calendars.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/reports/reports.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/config_asks.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/task_state.h"
#include "libs/uti/time.h"

/* Thursday, November 26, 2026, noon; a day ends at midnight of UTC here */
enum { NOON_S = 1795694400, HOUR_S = 3600 };

static int set_up_clock(void **state)
{
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
    int result = fixture_setup(state);
    struct fixture *f = *state;
    f->q.now_s = NOON_S;
    return result;
}

static void put_week(struct fixture *f, const char *week)
{
    bool is_new = settings_text(&f->q.settings, GDI_CALENDAR, "cal") == NULL;
    put_object(f, is_new ? add_config_request : mod_config_request, GDI_CALENDAR, "cal", "week",
               week);
    assert_null(strstr(said(f), "no effect"));
    assert_non_null(settings_text(&f->q.settings, GDI_CALENDAR, "cal"));
}

static void use_week(struct fixture *f, const char *week)
{
    put_week(f, week);
    assert_true(fixture_set_queue(f, "calendar", "cal"));
}

/* what a turn of the core does at AT_S */
static void turn_at(struct fixture *f, uint64_t at_s)
{
    f->q.now_s = at_s;
    calendars_step(&f->q);
    while (queue_suspend_is_due(&f->q))
        (void)queue_suspend_step(&f->q);
}

static const char *queue_letters(struct fixture *f)
{
    dstr_clear(&f->said);
    qinstance_state_text(qinstance_state(fixture_queue(f)), &f->said);
    return dstr_get(&f->said);
}

static const char *task_letters(struct fixture *f, uint32_t job)
{
    dstr_clear(&f->said);
    task_state_text(&fixture_task(f, job, 1)->rec, 0, &f->said);
    return dstr_get(&f->said);
}

static uint32_t run_job(struct fixture *f)
{
    uint32_t job = submit(f, .name = NULL);
    fixture_start(f, job, 1);
    fixture_report(f, job, 1, REPORT_STARTED, 0);
    return job;
}

static void a_queue_closes_and_opens_to_the_second_and_its_tasks_run_on(void **state)
{
    struct fixture *f = *state;
    uint32_t job = run_job(f);
    use_week(f, "thu=13-14=off");
    turn_at(f, NOON_S + HOUR_S - 1);
    assert_string_equal(queue_letters(f), "");
    turn_at(f, NOON_S + HOUR_S);
    assert_string_equal(queue_letters(f), "D");
    assert_false(qinstance_may_start(fixture_queue(f)));
    assert_string_equal(task_letters(f, job), "r");
    turn_at(f, NOON_S + 2 * HOUR_S - 1);
    assert_string_equal(queue_letters(f), "D");
    turn_at(f, NOON_S + 2 * HOUR_S);
    assert_string_equal(queue_letters(f), "");
}

static void tasks_stop_and_continue_with_their_queue(void **state)
{
    struct fixture *f = *state;
    uint32_t job = run_job(f);
    struct connection *execd = fixture_connection(f, "root");
    use_week(f, "thu=13-14=suspended");
    (void)told_after_sync(f, execd);
    turn_at(f, NOON_S + HOUR_S);
    assert_string_equal(queue_letters(f), "C");
    assert_string_equal(task_letters(f, job), "S");
    assert_non_null(strstr(told_after_sync(f, execd), "signal 19"));
    turn_at(f, NOON_S + 2 * HOUR_S);
    assert_string_equal(task_letters(f, job), "r");
    assert_non_null(strstr(told_after_sync(f, execd), "signal 18"));
}

static void a_task_with_two_reasons_continues_when_both_are_gone(void **state)
{
    struct fixture *f = *state;
    uint32_t job = run_job(f);
    use_week(f, "thu=13-14=suspended");
    turn_at(f, NOON_S + HOUR_S);
    task_suspend(&f->q, fixture_task(f, job, 1), TASK_IS_SUSPENDED, true);
    assert_string_equal(task_letters(f, job), "Ss");
    turn_at(f, NOON_S + 2 * HOUR_S);
    assert_string_equal(task_letters(f, job), "s");
    task_suspend(&f->q, fixture_task(f, job, 1), TASK_IS_SUSPENDED, false);
    assert_string_equal(task_letters(f, job), "r");
}

/* Between two changes nothing is looked at: a turn compares one number. */
static void a_calendar_is_looked_at_when_it_changes(void **state)
{
    struct fixture *f = *state;
    use_week(f, "thu=13-14=off");
    turn_at(f, NOON_S + 10);
    assert_int_equal(f->q.queues.calendars_due_s, NOON_S + HOUR_S);
    assert_true(fixture_set_queue(f, "calendar", "NONE"));
    assert_null(f->q.queues.calendars);
    turn_at(f, NOON_S + HOUR_S);
    assert_true(f->q.queues.calendars_due_s == UINT64_MAX);
    assert_string_equal(queue_letters(f), "");
}

static void a_changed_calendar_acts_at_once(void **state)
{
    struct fixture *f = *state;
    uint32_t job = run_job(f);
    use_week(f, "thu=13-14=suspended");
    put_week(f, "thu=suspended");
    turn_at(f, NOON_S);
    assert_string_equal(queue_letters(f), "C");
    assert_string_equal(task_letters(f, job), "S");
    put_week(f, "thu=off");
    turn_at(f, NOON_S);
    assert_string_equal(queue_letters(f), "D");
    assert_string_equal(task_letters(f, job), "r");
    put_week(f, "thu=suspended");
    turn_at(f, NOON_S);
    assert_true(fixture_set_queue(f, "calendar", "NONE"));
    turn_at(f, NOON_S);
    assert_string_equal(queue_letters(f), "");
    assert_string_equal(task_letters(f, job), "r");
}

static void a_clock_that_jumps_is_followed_both_ways(void **state)
{
    struct fixture *f = *state;
    uint32_t job = run_job(f);
    use_week(f, "thu=13-14=suspended");
    turn_at(f, NOON_S + HOUR_S);
    assert_string_equal(task_letters(f, job), "S");
    turn_at(f, NOON_S);
    assert_string_equal(queue_letters(f), "");
    assert_string_equal(task_letters(f, job), "r");
    turn_at(f, NOON_S + 7 * 24 * HOUR_S + HOUR_S + 60);
    assert_string_equal(task_letters(f, job), "S");
    turn_at(f, NOON_S + 20 * 24 * HOUR_S);
    assert_string_equal(task_letters(f, job), "r");
}

static void restart_at(struct fixture *f, uint64_t at_s)
{
    fixture_commit(f);
    fixture_restart(f);
    turn_at(f, at_s);
}

static void a_restart_finds_the_state_of_its_time(void **state)
{
    struct fixture *f = *state;
    uint32_t job = run_job(f);
    use_week(f, "thu=13-14=suspended");
    restart_at(f, NOON_S + HOUR_S);
    assert_string_equal(task_letters(f, job), "S");
    restart_at(f, NOON_S + HOUR_S + 60);
    assert_string_equal(task_letters(f, job), "S");
    struct host *node = hosts_find(&f->q.hosts, "node1");
    presence_end(&f->q, node);
    turn_at(f, NOON_S + 2 * HOUR_S);
    assert_string_equal(queue_letters(f), "u");
    assert_string_equal(task_letters(f, job), "S"); /* nothing would repeat the signal */
    presence_begin(&f->q, node, fixture_connection(f, "root"));
    assert_string_equal(task_letters(f, job), "r");
}

static void the_reason_says_until_when(void **state)
{
    struct fixture *f = *state;
    struct dstr text = DSTR_INIT;
    use_week(f, "thu=off");
    calendars_explain(fixture_queue(f), &text);
    assert_string_equal(dstr_get(&text), "calendar \"cal\": off until 11/27/2026 00:00:00");
    put_week(f, "suspended");
    dstr_clear(&text);
    calendars_explain(fixture_queue(f), &text);
    assert_string_equal(dstr_get(&text), "calendar \"cal\": suspended");
    put_week(f, "NONE");
    dstr_clear(&text);
    calendars_explain(fixture_queue(f), &text);
    assert_string_equal(dstr_get(&text), "");
    dstr_free(&text);
}

static void the_core_wakes_at_the_second_of_a_change(void **state)
{
    struct fixture *f = *state;
    uint64_t latest_us = f->q.now_us + 1000000, due_s = uti_now_s() + 1;
    assert_int_equal(calendars_wake_us(&f->q, latest_us), latest_us);
    f->q.now_s = due_s - 1;
    f->q.now_us = uti_mono_us();
    latest_us = f->q.now_us + 5000000;
    f->q.queues.calendars_due_s = due_s;
    uint64_t wake_us = calendars_wake_us(&f->q, latest_us);
    assert_in_range(wake_us, f->q.now_us, f->q.now_us + 1100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up_clock, fixture_teardown)
        TEST(a_queue_closes_and_opens_to_the_second_and_its_tasks_run_on),
        TEST(tasks_stop_and_continue_with_their_queue),
        TEST(a_task_with_two_reasons_continues_when_both_are_gone),
        TEST(a_calendar_is_looked_at_when_it_changes),
        TEST(a_changed_calendar_acts_at_once),
        TEST(a_clock_that_jumps_is_followed_both_ways),
        TEST(a_restart_finds_the_state_of_its_time),
        TEST(the_reason_says_until_when),
        TEST(the_core_wakes_at_the_second_of_a_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
