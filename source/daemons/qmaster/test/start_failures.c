/* Hosts on which starts fail: when they are closed, for how long, whom it must not hurt.
 * Source: sge_conf(5) START_FAILURES. */
#include "daemons/qmaster/jobs/start_failures.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"

enum { FAILURES = 3, TIME_S = 100, DELAY_S = 60, DELAY_MOST_S = 200 };

/* HOSTS, which have execds, are those of all.q */
static void set_hosts(struct fixture *f, const char *hosts)
{
    uint64_t conn = hosts_find(&f->q.hosts, "node1")->conn;
    char *words = uti_strdup(hosts), *rest = NULL;
    for (char *name = strtok_r(words, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest))
        hosts_add(&f->q.hosts, name)->conn = conn;
    free(words);
    assert_true(fixture_set_queue(f, "hostlist", hosts));
}

static int set_up_hosts(void **state)
{
    int rc = fixture_setup(state);
    struct fixture *f = *state;
    struct settings *s = &f->q.settings;
    s->start_failures = FAILURES;
    s->start_failure_time_s = TIME_S;
    s->start_failure_delay_s = DELAY_S;
    s->start_failure_delay_most_s = DELAY_MOST_S;
    set_hosts(f, "node1 node2");
    return rc;
}

static struct host *host_of(struct fixture *f, const char *name)
{
    struct host *h = hosts_find(&f->q.hosts, name);
    assert_non_null(h);
    return h;
}

static struct qinstance *queue_on(struct fixture *f, const char *host)
{
    char name[40];
    snprintf(name, sizeof name, "all.q@%s", host);
    struct qinstance *qi = queues_instance(&f->q.queues, name);
    assert_non_null(qi);
    return qi;
}

/* a job of OWNER starts on HOST; its number */
static uint32_t start_on(struct fixture *f, const char *host, const char *owner)
{
    uint32_t number = submit(f, .owner = owner);
    assert_int_not_equal(number, 0);
    struct place one = { .qi = queue_on(f, host), .slots = 1 };
    task_start(&f->q, fixture_job(f, number), 0, &(struct places){ .v = &one, .n = 1 }, 0);
    return number;
}

static uint32_t run_on(struct fixture *f, const char *host, const char *owner, uint32_t failed)
{
    uint32_t number = start_on(f, host, owner);
    fixture_report(f, number, 1, REPORT_ENDED, failed);
    return number;
}

static void fail_on(struct fixture *f, const char *host, const char *owner, uint32_t n)
{
    while (n-- > 0)
        run_on(f, host, owner, TASK_FAILED_NO_CWD);
}

static bool is_closed(struct fixture *f, const char *host)
{
    bool is_closed = host_is_closed(host_of(f, host));
    assert_int_equal((qinstance_state(queue_on(f, host)) & QI_ERROR) != 0, is_closed);
    assert_int_equal(qinstance_may_start(queue_on(f, host)), !is_closed);
    return is_closed;
}

static void pass_time(struct fixture *f, uint64_t seconds)
{
    f->q.now_s += seconds;
    start_failures_step(&f->q);
}

static void close_host(struct fixture *f, const char *host)
{
    fail_on(f, host, "alice", FAILURES);
    assert_true(is_closed(f, host));
}

/* ---- closing and opening ---- */
static void starts_that_fail_in_a_row_close_a_host_for_a_time(void **state)
{
    struct fixture *f = *state;
    fail_on(f, "node1", "alice", FAILURES - 1);
    assert_false(is_closed(f, "node1"));
    fail_on(f, "node1", "alice", 1);
    assert_true(is_closed(f, "node1"));
    assert_false(is_closed(f, "node2"));
    const char *why = host_of(f, "node1")->rec.EH_closed_why;
    assert_non_null(strstr(why, "host node1 is closed until "));
    assert_non_null(strstr(why, "(3 in a row), last that of task 3.1: "));
    pass_time(f, DELAY_S - 1);
    assert_true(is_closed(f, "node1"));
    pass_time(f, 1);
    assert_false(is_closed(f, "node1"));
    assert_null(host_of(f, "node1")->rec.EH_closed_why);
}

static void one_failure_more_closes_it_for_twice_as_long(void **state)
{
    static const uint64_t delays[] = { DELAY_S, 2 * DELAY_S, DELAY_MOST_S, DELAY_MOST_S };
    struct fixture *f = *state;
    fail_on(f, "node1", "alice", FAILURES - 1);
    for (size_t i = 0; i < ARRAY_LEN(delays); i++) {
        fail_on(f, "node1", "alice", 1);
        pass_time(f, delays[i] - 1);
        assert_true(is_closed(f, "node1"));
        pass_time(f, 1);
        assert_false(is_closed(f, "node1"));
    }
}

static void a_start_that_goes_well_ends_the_row(void **state)
{
    struct fixture *f = *state;
    fail_on(f, "node1", "alice", FAILURES - 1);
    run_on(f, "node1", "alice", TASK_FAILED_NOT);
    fail_on(f, "node1", "alice", FAILURES - 1);
    assert_false(is_closed(f, "node1"));
    fail_on(f, "node1", "alice", 1);
    pass_time(f, DELAY_S);
    run_on(f, "node1", "alice", TASK_FAILED_AFTER_JOB); /* it ran */
    fail_on(f, "node1", "alice", FAILURES - 1);
    assert_false(is_closed(f, "node1"));
    fail_on(f, "node1", "alice", 1);
    pass_time(f, DELAY_S); /* as the first time */
    assert_false(is_closed(f, "node1"));
}

static void the_end_of_an_older_task_does_not_end_the_row(void **state)
{
    struct fixture *f = *state;
    uint32_t older = start_on(f, "node1", "bob");
    fixture_report(f, older, 1, REPORT_STARTED, 0);
    f->q.now_s += 10;
    fail_on(f, "node1", "alice", FAILURES - 1);
    fixture_report(f, older, 1, REPORT_ENDED, 0);
    fail_on(f, "node1", "alice", 1);
    assert_true(is_closed(f, "node1"));
}

static void failures_with_a_long_time_between_are_no_row(void **state)
{
    struct fixture *f = *state;
    fail_on(f, "node1", "alice", FAILURES - 1);
    pass_time(f, TIME_S);
    fail_on(f, "node1", "alice", FAILURES - 1);
    assert_false(is_closed(f, "node1"));
    fail_on(f, "node1", "alice", 1);
    assert_true(is_closed(f, "node1"));
    pass_time(f, DELAY_S);
    pass_time(f, TIME_S);
    fail_on(f, "node1", "alice", 1); /* the time for which it was closed is forgotten, too */
    assert_false(is_closed(f, "node1"));
}

static void what_people_end_is_not_counted(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < 2 * FAILURES; i++) {
        uint32_t number = start_on(f, "node1", "alice");
        task_kill(&f->q, fixture_task(f, number, 1));
        fixture_report(f, number, 1, REPORT_ENDED, TASK_FAILED_NO_CWD);
        run_on(f, "node2", "alice", TASK_FAILED_RESCHEDULE);
        run_on(f, "node2", "alice", TASK_FAILED_APPERROR);
    }
    assert_false(is_closed(f, "node1"));
    assert_false(is_closed(f, "node2"));
}

static void zero_means_never(void **state)
{
    struct fixture *f = *state;
    f->q.settings.start_failures = 0;
    fail_on(f, "node1", "alice", 100);
    assert_false(is_closed(f, "node1"));
}

static void qmod_opens_it_at_once(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    close_host(f, "node1");
    cull_set(&gr, GR_action, (uint32_t)GDI_ACT_CLEAR_ERROR);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    fixture_name(&gr, "all.q@node1");
    assert_true(fixture_ask(f, "boss", act_request, &gr));
    assert_non_null(strstr(said(f), "changed state of \"all.q@node1\" (no error)"));
    assert_false(is_closed(f, "node1"));
    fail_on(f, "node1", "alice", FAILURES - 1);
    assert_false(is_closed(f, "node1"));
}

static void a_restart_keeps_it_closed_until_the_same_time(void **state)
{
    struct fixture *f = *state;
    close_host(f, "node1");
    uint64_t until_s = host_of(f, "node1")->rec.EH_closed_until;
    fixture_commit(f);
    fixture_restart(f);
    struct host *h = host_of(f, "node1");
    assert_int_equal(h->rec.EH_closed_until, until_s);
    assert_int_equal(h->rec.EH_closings, 1);
    assert_true(qinstance_state(fixture_queue(f)) & QI_ERROR);
    f->q.now_s = until_s;
    start_failures_step(&f->q);
    assert_false(host_is_closed(h));
    assert_int_equal(qinstance_state(fixture_queue(f)) & QI_ERROR, 0);
}

static void a_clock_that_is_set_back_keeps_nothing_closed(void **state)
{
    struct fixture *f = *state;
    close_host(f, "node1");
    f->q.now_s -= 86400;
    start_failures_step(&f->q);
    assert_false(is_closed(f, "node1"));
}

/* ---- whom it must not hurt ---- */
static void jobs_of_one_owner_do_not_close_the_last_host(void **state)
{
    struct fixture *f = *state;
    close_host(f, "node1");
    fail_on(f, "node2", "alice", 10 * FAILURES);
    assert_false(is_closed(f, "node2"));
    fail_on(f, "node2", "alice", 1);
    fail_on(f, "node2", "bob", FAILURES - 1); /* several owners: it is the host */
    assert_true(is_closed(f, "node2"));
}

static void jobs_of_one_owner_close_few_hosts_at_a_time(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = { "h0", "h1", "h2", "h3" };
    set_hosts(f, "node1 node2 h0 h1 h2 h3");
    for (int i = 0; i < 4; i++)
        fail_on(f, names[i], "alice", 2 * FAILURES);
    for (int i = 0; i < 4; i++)
        assert_int_equal(is_closed(f, names[i]), i < OWNER_SHUTS_MOST);
    fail_on(f, "h2", "bob", FAILURES);
    assert_true(is_closed(f, "h2"));
    pass_time(f, DELAY_S); /* those are open again */
    fail_on(f, "h3", "alice", FAILURES);
    assert_true(is_closed(f, "h3"));
}

static void what_is_the_hosts_fault_closes_any_number(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < FAILURES; i++) {
        run_on(f, "node1", "alice", TASK_FAILED_NO_EXIT_STATUS);
        run_on(f, "node2", "alice", TASK_FAILED_NO_EXIT_STATUS);
    }
    assert_true(is_closed(f, "node1"));
    assert_true(is_closed(f, "node2"));
}

/* an owner whom no host knows must not put the whole cell into error */
static void an_unknown_owner_puts_few_queues_into_error(void **state)
{
    struct fixture *f = *state;
    static const char *const hosts[] = { "node1", "node2", "h0" };
    set_hosts(f, "node1 node2 h0");
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        uint32_t number = run_on(f, hosts[i], "alice", TASK_FAILED_NO_OWNER);
        bool is_hosts_fault = i < OWNER_SHUTS_MOST;
        assert_int_equal((qinstance_state(queue_on(f, hosts[i])) & QI_ERROR) != 0, is_hosts_fault);
        assert_int_equal(fixture_task(f, number, 1)->rec.JAT_status,
                         is_hosts_fault ? TASK_WAITING : TASK_ERROR);
    }
    uint32_t other = run_on(f, "h0", "bob", TASK_FAILED_NO_OWNER);
    assert_int_equal(fixture_task(f, other, 1)->rec.JAT_status, TASK_WAITING);
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up_hosts, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(starts_that_fail_in_a_row_close_a_host_for_a_time),
        TEST(one_failure_more_closes_it_for_twice_as_long),
        TEST(a_start_that_goes_well_ends_the_row),
        TEST(the_end_of_an_older_task_does_not_end_the_row),
        TEST(failures_with_a_long_time_between_are_no_row),
        TEST(what_people_end_is_not_counted),
        TEST(zero_means_never),
        TEST(qmod_opens_it_at_once),
        TEST(a_restart_keeps_it_closed_until_the_same_time),
        TEST(a_clock_that_is_set_back_keeps_nothing_closed),
        TEST(jobs_of_one_owner_do_not_close_the_last_host),
        TEST(jobs_of_one_owner_close_few_hosts_at_a_time),
        TEST(what_is_the_hosts_fault_closes_any_number),
        TEST(an_unknown_owner_puts_few_queues_into_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
