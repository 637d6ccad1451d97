/* Hosts that are silent, or away for long: which of their tasks start again elsewhere, and that no
 * task is in two places when they come back. Time is what the test says. */
#include "daemons/qmaster/reports/reports.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/job_request.h"
#include "libs/task/task_dir.h"

enum { SECOND = 1000000, UNHEARD_S = 300, PATIENCE_S = 60 };

static void set_global(struct fixture *f, const char *param, const char *value)
{
    struct conf *old = settings_conf(&f->q.settings, CONF_GLOBAL);
    struct CONF_Type rec = { 0 };
    if (old != NULL) {
        cull_copy(&cull_CONF_Type, &rec, &old->rec);
    } else {
        struct CONF_Type *usual = conf_template(CONF_GLOBAL);
        cull_copy(&cull_CONF_Type, &rec, usual);
        cull_delete(&cull_CONF_Type, usual);
    }
    assert_int_equal(conf_set(&rec, param, value, NULL), 0);
    settings_put_conf(&f->q.settings, &rec);
}

/* the housekeeping of so many seconds */
static void let_pass(struct fixture *f, unsigned seconds)
{
    for (unsigned i = 0; i < seconds; i++) {
        f->q.now_us += SECOND;
        presence_check(&f->q);
    }
}

/* an execd of node1 that runs 1.1 and 1.2 of an array 1-4; tasks of lost hosts go elsewhere after
 * PATIENCE_S */
static struct connection *a_busy_execd(struct fixture *f, uint32_t restart)
{
    struct connection *s = connect_as(f, "root");
    set_global(f, "reschedule_unknown", "00:01:00");
    presence_check(&f->q);
    submit(f, .name = "A", .tasks = "1-4");
    cull_set(&fixture_job(f, 1)->rec, JB_restart, restart);
    fixture_commit(f);
    say_hello(f, s, "node1", NULL, NULL);
    fixture_start(f, 1, 1);
    fixture_start(f, 1, 2);
    say_report(f, s, "1.1/1 started");
    say_report(f, s, "1.2/1 started");
    told_after_sync(f, s);
    return s;
}

static void what_may_run_again_is_put_back_after_reschedule_unknown(void **state)
{
    struct fixture *f = *state;
    exec_on_closed(&f->q, a_busy_execd(f, RESTART_YES));
    let_pass(f, PATIENCE_S - 1);
    assert_string_equal(fixture_ready(f, 1), "3,4");
    let_pass(f, 1);
    assert_string_equal(fixture_ready(f, 1), "1-4:1");
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 0);
}

static void nothing_is_put_back_if_nobody_configured_it(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_busy_execd(f, RESTART_YES);
    set_global(f, "reschedule_unknown", "00:00:00");
    exec_on_closed(&f->q, s);
    let_pass(f, 10 * PATIENCE_S);
    assert_string_equal(fixture_ready(f, 1), "3,4");
}

static void what_must_not_run_again_waits_for_its_host(void **state)
{
    struct fixture *f = *state;
    exec_on_closed(&f->q, a_busy_execd(f, RESTART_NO));
    let_pass(f, 2 * PATIENCE_S);
    assert_string_equal(fixture_ready(f, 1), "3,4");
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 2);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node1", "1.1/1 running", "1.2/1 ended");
    assert_string_equal(told_after_sync(f, next), "config, ack 1.2/1");
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_RUNNING);
}

static void the_queue_decides_for_jobs_that_do_not_say(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_busy_execd(f, RESTART_AS_QUEUE);
    assert_true(fixture_set_queue(f, "rerun", "TRUE"));
    exec_on_closed(&f->q, s);
    let_pass(f, PATIENCE_S);
    assert_string_equal(fixture_ready(f, 1), "1-4:1");
}

static void what_was_deleted_is_not_put_back(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_busy_execd(f, RESTART_YES);
    fixture_delete(f, "alice", "1.1");
    exec_on_closed(&f->q, s);
    let_pass(f, PATIENCE_S);
    assert_string_equal(fixture_ready(f, 1), "2-4:1");
}

static void a_host_that_comes_back_in_time_keeps_its_tasks(void **state)
{
    struct fixture *f = *state;
    exec_on_closed(&f->q, a_busy_execd(f, RESTART_YES));
    let_pass(f, PATIENCE_S - 1);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node1", "1.1/1 running", "1.2/1 running");
    assert_string_equal(told_after_sync(f, next), "config");
    exec_on_closed(&f->q, next); /* its time begins anew */
    let_pass(f, PATIENCE_S - 1);
    assert_string_equal(fixture_ready(f, 1), "3,4");
}

/* 1.3 was ordered, and the order did not arrive before the host went */
static void what_was_given_away_ends_before_anything_else_starts(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_busy_execd(f, RESTART_YES);
    exec_on_closed(&f->q, s);
    let_pass(f, PATIENCE_S);
    fixture_start(f, 1, 3);
    fixture_start(f, 1, 1); /* again, under its next attempt */
    fixture_commit(f);
    fixture_forget_sent(f);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node1", "1.1/1 running", "1.2/1 running");
    assert_string_equal(told_after_sync(f, next),
                        "config, signal 9 1.1/1 1.2/1, start job 1 1.3/1 1.1/2");
}

/* job 1 as a_busy_execd has it, with 1.3 on node1 and slots on node2, too, whose execd has gone */
static struct connection *a_task_on_two_hosts(struct fixture *f, uint32_t restart)
{
    struct connection *s = a_busy_execd(f, restart), *other = connect_as(f, "root");
    struct host *h = hosts_add(&f->q.hosts, "node2");
    change_record(&f->q, SPOOL_HOST, "node2", &cull_EH_Type, &h->rec);
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2"));
    say_hello(f, other, "node2", NULL, NULL);
    struct qinstance *slave = queues_instance(&f->q.queues, "all.q@node2");
    struct place places[] = { { .qi = fixture_queue(f), .slots = 1 }, { .qi = slave, .slots = 3 } };
    task_start(&f->q, fixture_job(f, 1), 2, &(struct places){ .v = places, .n = 2 }, 0);
    say_report(f, s, "1.3/1 started");
    (void)told_after_sync(f, s);
    exec_on_closed(&f->q, other);
    return s;
}

static uint32_t slots_on_node2(struct fixture *f)
{
    return queues_instance(&f->q.queues, "all.q@node2")->rec.QU_slots_used;
}

static void a_parallel_task_that_has_lost_a_host_is_ended_and_then_put_back(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_task_on_two_hosts(f, RESTART_YES);
    let_pass(f, PATIENCE_S);
    assert_string_equal(fixture_ready(f, 1), "4");
    assert_int_equal(slots_on_node2(f), 3); /* as long as it runs */
    assert_string_equal(told_after_sync(f, s), "signal 9 1.3/1");
    let_pass(f, PATIENCE_S);
    assert_string_equal(told_after_sync(f, s), "");
    say_report(f, s, "1.3/1 ended");
    assert_string_equal(fixture_ready(f, 1), "3,4");
    assert_int_equal(slots_on_node2(f), 0);
}

static void a_parallel_task_that_may_not_run_again_goes_on_without_a_host(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_task_on_two_hosts(f, RESTART_NO);
    let_pass(f, 2 * PATIENCE_S);
    assert_string_equal(told_after_sync(f, s), "");
    say_report(f, s, "1.3/1 ended");
    assert_string_equal(fixture_ready(f, 1), "4");
    assert_int_equal(slots_on_node2(f), 0);
}

static void an_execd_that_comes_back_in_time_changes_nothing_for_tasks_of_others(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_task_on_two_hosts(f, RESTART_YES), *next = connect_as(f, "root");
    let_pass(f, PATIENCE_S - 1);
    say_hello(f, next, "node2", NULL, NULL);
    let_pass(f, PATIENCE_S);
    assert_string_equal(told_after_sync(f, s), "");
    assert_int_equal(slots_on_node2(f), 3);
}

static void a_lost_host_of_a_parallel_task_is_known_after_a_restart(void **state)
{
    struct fixture *f = *state;
    (void)a_task_on_two_hosts(f, RESTART_YES);
    fixture_commit(f);
    fixture_restart(f);
    set_global(f, "reschedule_unknown", "00:01:00");
    struct connection *s = connect_as(f, "root");
    presence_check(&f->q);
    say_hello(f, s, "node1", "1.3/1 running", NULL);
    (void)told_after_sync(f, s);
    let_pass(f, PATIENCE_S);
    assert_string_equal(told_after_sync(f, s), "signal 9 1.3/1");
}

/* its own host is lost as well: nobody can end it, and it is put back as any other task there */
static void a_parallel_task_whose_hosts_are_all_lost_is_put_back_once(void **state)
{
    struct fixture *f = *state;
    exec_on_closed(&f->q, a_task_on_two_hosts(f, RESTART_YES));
    let_pass(f, 2 * PATIENCE_S);
    assert_string_equal(fixture_ready(f, 1), "1-4:1");
    assert_int_equal(slots_on_node2(f), 0);
}

static uint32_t count_lines(struct fixture *f)
{
    uint32_t n = 0;
    char *text = fixture_accounting(f);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        n++;
    free(text);
    return n;
}

static void each_start_is_accounted_once(void **state)
{
    struct fixture *f = *state;
    exec_on_closed(&f->q, a_busy_execd(f, RESTART_YES));
    let_pass(f, PATIENCE_S);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node1", "1.1/1 ended", "1.2/1 ended");
    assert_string_equal(told_after_sync(f, next), "config, ack 1.1/1 1.2/1");
    assert_int_equal(count_lines(f), 2);
    assert_string_equal(fixture_ready(f, 1), "1-4:1");
}

static void what_was_given_away_stays_so_when_the_qmaster_is_killed(void **state)
{
    struct fixture *f = *state;
    exec_on_closed(&f->q, a_busy_execd(f, RESTART_YES));
    let_pass(f, PATIENCE_S);
    fixture_commit(f);
    fixture_restart(f);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node1", "1.1/1 running", "1.2/1 ended");
    assert_string_equal(told_after_sync(f, next), "config, signal 9 1.1/1, ack 1.2/1");
    assert_string_equal(fixture_ready(f, 1), "1-4:1");
    assert_int_equal(count_lines(f), 2);
}

static void a_give_away_that_is_not_durable_never_was(void **state)
{
    struct fixture *f = *state;
    exec_on_closed(&f->q, a_busy_execd(f, RESTART_YES));
    let_pass(f, PATIENCE_S);
    fixture_restart(f);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node1", "1.1/1 running", "1.2/1 running");
    assert_string_equal(told_after_sync(f, next), "config");
    assert_string_equal(fixture_ready(f, 1), "3,4");
    assert_int_equal(count_lines(f), 0);
}

static void a_qmaster_that_was_stopped_blames_no_host(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_busy_execd(f, RESTART_YES);
    f->q.now_us += (uint64_t)3600 * SECOND;
    presence_check(&f->q);
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, s->conn);
    exec_on_closed(&f->q, s);
    f->q.now_us += (uint64_t)3600 * SECOND;
    presence_check(&f->q);
    let_pass(f, PATIENCE_S - 1);
    assert_string_equal(fixture_ready(f, 1), "3,4");
}

static void a_restarted_qmaster_gives_hosts_their_time_anew(void **state)
{
    struct fixture *f = *state;
    exec_on_closed(&f->q, a_busy_execd(f, RESTART_YES));
    let_pass(f, PATIENCE_S - 1);
    fixture_commit(f);
    fixture_restart(f);
    set_global(f, "reschedule_unknown", "00:01:00");
    f->q.now_us += (uint64_t)3600 * SECOND;
    presence_check(&f->q);
    let_pass(f, PATIENCE_S - 1);
    assert_string_equal(fixture_ready(f, 1), "3,4");
}

static void a_host_that_says_nothing_for_max_unheard_is_unknown(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_busy_execd(f, RESTART_YES);
    let_pass(f, UNHEARD_S - 1);
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, s->conn);
    say_report(f, s, "1.1/1 running");
    let_pass(f, UNHEARD_S - 1);
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, s->conn);
    let_pass(f, 1);
    assert_int_equal(f->last_closed, s->conn);
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, 0);
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_RUNNING);
}

static void a_host_that_reports_seldom_is_not_silent(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_busy_execd(f, RESTART_YES);
    set_global(f, "max_unheard", "00:00:10");
    let_pass(f, 79); /* load_report_time is 40 seconds */
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, s->conn);
    let_pass(f, 1);
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, 0);
}

static void a_max_unheard_of_zero_is_never(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_busy_execd(f, RESTART_YES);
    set_global(f, "max_unheard", "00:00:00");
    let_pass(f, 10 * UNHEARD_S);
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, s->conn);
}

#define PRESENCE_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PRESENCE_TEST(what_may_run_again_is_put_back_after_reschedule_unknown),
        PRESENCE_TEST(nothing_is_put_back_if_nobody_configured_it),
        PRESENCE_TEST(what_must_not_run_again_waits_for_its_host),
        PRESENCE_TEST(the_queue_decides_for_jobs_that_do_not_say),
        PRESENCE_TEST(what_was_deleted_is_not_put_back),
        PRESENCE_TEST(a_host_that_comes_back_in_time_keeps_its_tasks),
        PRESENCE_TEST(what_was_given_away_ends_before_anything_else_starts),
        PRESENCE_TEST(a_parallel_task_that_has_lost_a_host_is_ended_and_then_put_back),
        PRESENCE_TEST(a_parallel_task_that_may_not_run_again_goes_on_without_a_host),
        PRESENCE_TEST(an_execd_that_comes_back_in_time_changes_nothing_for_tasks_of_others),
        PRESENCE_TEST(a_lost_host_of_a_parallel_task_is_known_after_a_restart),
        PRESENCE_TEST(a_parallel_task_whose_hosts_are_all_lost_is_put_back_once),
        PRESENCE_TEST(each_start_is_accounted_once),
        PRESENCE_TEST(what_was_given_away_stays_so_when_the_qmaster_is_killed),
        PRESENCE_TEST(a_give_away_that_is_not_durable_never_was),
        PRESENCE_TEST(a_qmaster_that_was_stopped_blames_no_host),
        PRESENCE_TEST(a_restarted_qmaster_gives_hosts_their_time_anew),
        PRESENCE_TEST(a_host_that_says_nothing_for_max_unheard_is_unknown),
        PRESENCE_TEST(a_host_that_reports_seldom_is_not_silent),
        PRESENCE_TEST(a_max_unheard_of_zero_is_never),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
