/* What load does to queue instances: load_thresholds of queue_conf(5). */
#include "daemons/qmaster/config/load.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/config/subordinates.h"
#include "daemons/qmaster/io/identity.h"
#include "daemons/qmaster/reports/reports.h"
#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/comm/server.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/uti/alloc.h"
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

static void who_sets_a_threshold_on_what_nobody_reports_is_warned(void **state)
{
    struct fixture *f = *state;
    static const char warning[] = "load_thresholds: no host reports \"cpu\": queues with this "
                                  "threshold are closed until one does";
    say_load(f, "np_load_avg", "1");
    assert_true(fixture_set_queue(f, "load_thresholds", "np_load_avg=9"));
    assert_null(strstr(said(f), "no host"));
    assert_true(fixture_set_queue(f, "load_thresholds", "cpu=90"));
    assert_non_null(strstr(said(f), warning));
    assert_true(fixture_set_queue(f, "seq_no", "1"));
    assert_null(strstr(said(f), "no host"));
    say_load_later(f, "cpu", "3");
    assert_true(fixture_set_queue(f, "load_thresholds", "cpu=91,slots=1"));
    assert_null(strstr(said(f), "no host"));
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

/* ---- values of the cell ---- */
/* the execd of node1, which is the qmaster's own host, reports a value of the host global */
static void say_of_cell(struct fixture *f, const char *name, const char *value)
{
    struct comm_peer local = { .uid = 0, .is_local = true };
    struct identity who = identity_new(&local, f->q.host);
    struct EH_Type said = { 0 };
    struct VA_Type *va = cull_append(&said, EH_load_list);
    cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
    cell_load_update(&f->q, &who, the_host(f), &said);
    cull_clear(&cull_EH_Type, &said);
    identity_clear(&who);
    assert_true(load_cell_is_due(&f->q));
    while (load_cell_step(&f->q))
        ;
    assert_false(load_cell_is_due(&f->q));
}

static void a_value_for_all_hosts_counts_where_a_host_has_none(void **state)
{
    struct fixture *f = *state;
    struct dstr text = DSTR_INIT;
    set_thresholds(f, "cpu=90");
    assert_true(is_in_alarm(f)); /* not reported */
    say_of_cell(f, "cpu", "50");
    assert_false(is_in_alarm(f));
    say_of_cell(f, "cpu", "95");
    assert_true(is_in_alarm(f));
    load_state_explain(&f->q, fixture_queue(f), &text);
    assert_string_equal(dstr_get(&text), "alarm gl:cpu=95 load-threshold=90");
    dstr_free(&text);
    say_load_later(f, "cpu", "10");
    assert_false(is_in_alarm(f));
    say_load_later(f, "cpu", NULL);
    assert_true(is_in_alarm(f));
    say_of_cell(f, "cpu", NULL);
    assert_true(is_in_alarm(f));
}

/* ---- what is left ---- */
/* all that follows from slots that were taken or returned */
static void settle_slots(struct fixture *f)
{
    subordinates_step(&f->q);
    while (load_cell_step(&f->q))
        ;
}

static void too_little_of_what_runs_out_closes_a_queue_until_it_is_returned(void **state)
{
    struct fixture *f = *state;
    struct dstr text = DSTR_INIT;
    uint32_t job = submit(f, .tasks = "1-3");
    set_thresholds(f, "slots=98"); /* of 100 */
    assert_false(is_in_alarm(f));
    fixture_start(f, job, 1);
    settle_slots(f);
    assert_false(is_in_alarm(f));
    fixture_start(f, job, 2);
    settle_slots(f);
    assert_true(is_in_alarm(f));
    load_state_explain(&f->q, fixture_queue(f), &text);
    assert_string_equal(dstr_get(&text), "alarm qc:slots=98 load-threshold=98");
    dstr_clear(&text);
    load_state_why(&f->q, fixture_queue(f), &text);
    assert_string_equal(dstr_get(&text), "slots=98 left <= 98");
    dstr_free(&text);
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    settle_slots(f);
    assert_false(is_in_alarm(f));
}

/* N slots as complex_values of H */
static void offer_slots(struct host *h, const char *n)
{
    struct CE_Type *ce = cull_append(&h->rec, EH_consumable_config_list);
    cull_set(ce, CE_name, "slots");
    cull_set(ce, CE_stringval, n);
}

static void the_least_of_queue_host_and_cell_counts(void **state)
{
    struct fixture *f = *state;
    struct dstr text = DSTR_INIT;
    uint32_t job = submit(f, .tasks = "1-9");
    offer_slots(the_host(f), "4");
    set_thresholds(f, "slots=3");
    assert_false(is_in_alarm(f));
    fixture_start(f, job, 1);
    settle_slots(f);
    load_state_explain(&f->q, fixture_queue(f), &text);
    assert_string_equal(dstr_get(&text), "alarm hc:slots=3 load-threshold=3");
    dstr_free(&text);
    assert_int_equal(the_host(f)->n_watching, 1);
    set_thresholds(f, "np_load_avg=9");
    assert_int_equal(the_host(f)->n_watching, 0);
    assert_int_equal(f->q.hosts.n_watching, 0);
}

/* ---- what started lately ---- */
static void adjust_load(struct fixture *f, const char *adjustments, uint32_t decay_s)
{
    free(f->q.settings.load_adjustments);
    f->q.settings.load_adjustments = uti_strdup(adjustments);
    f->q.settings.has_load_adjustments = true;
    f->q.settings.load_decay_s = decay_s;
}

static void slots_count_for_a_load_until_they_have_decayed(void **state)
{
    struct fixture *f = *state;
    struct dstr text = DSTR_INIT;
    uint32_t job = submit(f, .tasks = "1-3");
    say_load(f, "np_load_avg", "1");
    set_thresholds(f, "np_load_avg=2.5");
    adjust_load(f, "np_load_avg=1", 100);
    fixture_start(f, job, 1);
    settle_slots(f);
    assert_false(is_in_alarm(f));
    fixture_start(f, job, 2);
    settle_slots(f);
    assert_true(is_in_alarm(f));
    load_state_why(&f->q, fixture_queue(f), &text);
    assert_string_equal(dstr_get(&text),
                        "np_load_avg=3.000000 (= 1.000000 + 1 * 2.000000 with nproc=1) >= 2.5");
    dstr_free(&text);
    for (int s = 0; s < 25; s++) { /* 2 slots x 0.75 are 1.5 yet */
        f->q.now_s++;
        load_state_step(&f->q);
        settle_slots(f);
        assert_true(is_in_alarm(f));
    }
    f->q.now_s++;
    load_state_step(&f->q);
    settle_slots(f);
    assert_false(is_in_alarm(f));
    f->q.now_s += 100;
    load_state_step(&f->q);
    assert_int_equal(the_host(f)->n_fresh, 0);
    assert_true(LIST_EMPTY(&f->q.hosts.fresh));
}

static void without_such_a_threshold_a_start_looks_at_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f, .tasks = "1-3");
    fixture_start(f, job, 1);
    assert_true(TAILQ_EMPTY(&f->q.hosts.unbalanced));
    assert_true(TAILQ_EMPTY(&the_host(f)->starts_lately));
    assert_false(load_cell_is_due(&f->q));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(too_much_load_closes_the_queues_of_a_host_until_it_falls),
        TEST(other_thresholds_count_at_once),
        TEST(what_nobody_reports_closes_them_too),
        TEST(who_sets_a_threshold_on_what_nobody_reports_is_warned),
        TEST(a_host_that_is_away_is_in_alarm_as_long_as_it_is),
        TEST(tasks_in_it_run_on),
        TEST(what_changes_within_a_second_is_seen_at_its_end),
        TEST(the_scheduler_hears_of_changes_alone),
        TEST(the_load_formula_says_what_the_scheduler_hears),
        TEST(a_restart_keeps_nothing_of_it),
        TEST(waiting_jobs_say_which_load_keeps_them),
        TEST(a_value_for_all_hosts_counts_where_a_host_has_none),
        TEST(too_little_of_what_runs_out_closes_a_queue_until_it_is_returned),
        TEST(the_least_of_queue_host_and_cell_counts),
        TEST(slots_count_for_a_load_until_they_have_decayed),
        TEST(without_such_a_threshold_a_start_looks_at_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
