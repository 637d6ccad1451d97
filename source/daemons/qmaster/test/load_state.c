/* What load does to queue instances: load_thresholds of queue_conf(5). */
#include "daemons/qmaster/config/load.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "daemons/qmaster/reports/reports.h"
#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/uti/dstr.h"

static struct host *the_host(struct fixture *f)
{
    return hosts_find(&f->q.hosts, "node1");
}

/* a second after what was said before */
static void say_load_later(struct fixture *f, const char *name, const char *value)
{
    f->q.now_s++;
    say_load(f, name, value);
}

static bool is_in_alarm(struct fixture *f)
{
    return (qinstance_state(fixture_queue(f)) & QI_ALARM) != 0;
}

static void set_thresholds(struct fixture *f, const char *thresholds)
{
    assert_true(fixture_set_queue(f, "load_thresholds", thresholds));
    fixture_commit(f);
}

static void too_much_load_closes_the_queues_of_a_host_until_it_falls(void **state)
{
    struct fixture *f = *state;
    say_load(f, "np_load_avg", "1.000000");
    set_thresholds(f, "np_load_avg=1.75");
    assert_false(is_in_alarm(f));
    say_load_later(f, "np_load_avg", "1.750000");
    assert_true(is_in_alarm(f));
    assert_false(qinstance_may_start(fixture_queue(f)));
    say_load_later(f, "np_load_avg", "1.740000");
    assert_false(is_in_alarm(f));
    assert_true(qinstance_may_start(fixture_queue(f)));
}

static void other_thresholds_count_at_once(void **state)
{
    struct fixture *f = *state;
    say_load(f, "np_load_avg", "3");
    set_thresholds(f, "np_load_avg=2");
    assert_true(is_in_alarm(f));
    set_thresholds(f, "np_load_avg=4");
    assert_false(is_in_alarm(f));
}

static void what_nobody_reports_closes_them_too(void **state)
{
    struct fixture *f = *state;
    set_thresholds(f, "cpu=90");
    assert_true(is_in_alarm(f));
    say_load_later(f, "cpu", "3");
    assert_false(is_in_alarm(f));
    say_load_later(f, "cpu", NULL);
    assert_true(is_in_alarm(f));
}

static void a_host_that_is_away_is_in_alarm_as_long_as_it_is(void **state)
{
    struct fixture *f = *state;
    say_load(f, "np_load_avg", "1");
    set_thresholds(f, "np_load_avg=2");
    presence_end(&f->q, the_host(f));
    assert_true(is_in_alarm(f));
    presence_begin(&f->q, the_host(f), fixture_connection(f, "root"));
    assert_false(is_in_alarm(f));
}

static void tasks_in_it_run_on(void **state)
{
    struct fixture *f = *state;
    say_load(f, "np_load_avg", "1");
    set_thresholds(f, "np_load_avg=2");
    uint32_t job = submit(f, .name = "J");
    fixture_start(f, job, 1);
    say_load_later(f, "np_load_avg", "9");
    assert_true(is_in_alarm(f));
    assert_int_equal(fixture_task(f, job, 1)->rec.JAT_status, TASK_TRANSFERRING);
    fixture_report(f, job, 1, REPORT_STARTED, 0);
    assert_int_equal(fixture_task(f, job, 1)->rec.JAT_status, TASK_RUNNING);
}

static void what_changes_within_a_second_is_seen_at_its_end(void **state)
{
    struct fixture *f = *state;
    say_load_later(f, "np_load_avg", "1");
    set_thresholds(f, "np_load_avg=2");
    for (int i = 0; i < 1000; i++)
        say_load(f, "np_load_avg", i % 2 == 0 ? "9" : "1");
    assert_false(is_in_alarm(f));
    say_load(f, "np_load_avg", "9");
    assert_false(is_in_alarm(f));
    f->q.now_s++;
    load_state_step(&f->q);
    assert_true(is_in_alarm(f));
    say_load(f, "np_load_avg", "1"); /* in the same second as that look */
    assert_true(is_in_alarm(f));
}

/* how many packages of events have left for the scheduler since this was asked last */
static uint32_t packages_sent(struct fixture *f)
{
    while (events_step(&f->q))
        ;
    events_flush(&f->q);
    uint32_t n = fixture_count_sent(f, fixture_connection(f, "root")->conn, GDI_FRAME_EVENTS);
    fixture_forget_sent(f);
    return n;
}

static void the_scheduler_hears_of_changes_alone(void **state)
{
    struct fixture *f = *state;
    say_load(f, "cpu", "1");
    set_thresholds(f, "cpu=90");
    fixture_register_scheduler(f);
    assert_true(packages_sent(f) > 0);
    say_load_later(f, "cpu", "89.5");
    assert_int_equal(packages_sent(f), 1);
    say_load_later(f, "cpu", "89.5");
    assert_int_equal(packages_sent(f), 0);
    say_load_later(f, "cpu", "90.5");
    assert_int_equal(packages_sent(f), 1);
    say_load_later(f, "np_load_avg", "0.5"); /* the load_formula */
    assert_int_equal(packages_sent(f), 1);
    say_load_later(f, "np_load_avg", "0.5");
    assert_int_equal(packages_sent(f), 0);
}

static void the_load_formula_says_what_the_scheduler_hears(void **state)
{
    struct fixture *f = *state;
    say_load(f, "np_load_avg", "0.5");
    assert_true(the_host(f)->load == 0.5);
    say_load_later(f, "np_load_avg", "nan");
    assert_true(the_host(f)->load == LOAD_UNKNOWN);
    say_load_later(f, "np_load_avg", "1.5");
    load_formula_read(&f->q.settings.load_formula, "np_load_avg*2");
    assert_true(the_host(f)->load == 1.5); /* until it reports */
    say_load_later(f, "cpu", "1");
    assert_true(the_host(f)->load == 3);
    presence_end(&f->q, the_host(f));
    assert_true(the_host(f)->load == LOAD_UNKNOWN);
}

static void a_restart_keeps_nothing_of_it(void **state)
{
    struct fixture *f = *state;
    say_load(f, "np_load_avg", "9");
    set_thresholds(f, "np_load_avg=2");
    assert_true(is_in_alarm(f));
    assert_int_equal(fixture_queue(f)->rec.QU_state, 0);
    fixture_restart(f);
    assert_true(fixture_set_queue(f, "load_thresholds", "NONE"));
    assert_false(is_in_alarm(f));
}

static void waiting_jobs_say_which_load_keeps_them(void **state)
{
    struct fixture *f = *state;
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    say_load(f, "np_load_avg", "5.010010");
    set_thresholds(f, "np_load_avg=1.75");
    uint32_t job = submit(f, .name = "J");
    assert_true(reasons_of_job(&f->q, fixture_job(f, job), &search, &reasons));
    assert_int_equal(reasons.n, 2);
    assert_string_equal(reasons.v[0].ST_name,
                        "queue instance \"all.q@node1\" dropped because it is overloaded: "
                        "np_load_avg=5.010010 (no load adjustment) >= 1.75");
    cull_list_clear(&cull_ST_Type, &reasons);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(too_much_load_closes_the_queues_of_a_host_until_it_falls),
        TEST(other_thresholds_count_at_once),
        TEST(what_nobody_reports_closes_them_too),
        TEST(a_host_that_is_away_is_in_alarm_as_long_as_it_is),
        TEST(tasks_in_it_run_on),
        TEST(what_changes_within_a_second_is_seen_at_its_end),
        TEST(the_scheduler_hears_of_changes_alone),
        TEST(the_load_formula_says_what_the_scheduler_hears),
        TEST(a_restart_keeps_nothing_of_it),
        TEST(waiting_jobs_say_which_load_keeps_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
