/* The dialogue with an execd that the test plays: what it receives and when, and how both sides
 * agree again after a connection or a process was lost. A message from the execd is written as
 * text: "12.3/1 running", job, task, attempt and state. */
#include "daemons/qmaster/reports/reports.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/comm/server.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/task_key.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"

/* an execd that has just registered and knows nothing; job 1 is an array of 1-4 */
static struct connection *an_execd(struct fixture *f)
{
    struct connection *s = connect_as(f, "root");
    submit(f, .name = "A", .tasks = "1-4");
    fixture_commit(f);
    say_hello(f, s, "node1", NULL, NULL);
    told_after_sync(f, s);
    return s;
}

static void a_host_that_registers_gets_its_configuration(void **state)
{
    struct fixture *f = *state;
    struct connection *s = connect_as(f, "root");
    say_hello(f, s, "node1", NULL, NULL);
    assert_string_equal(told_after_sync(f, s), "config");
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, s->conn);
}

static void a_job_goes_to_a_host_once_its_tasks_one_by_one(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    fixture_start(f, 1, 1);
    fixture_start(f, 1, 2);
    core_commit(&f->q);
    assert_string_equal(text_told(f, s), ""); /* not before it is durable */
    assert_string_equal(told_after_sync(f, s), "start job 1 1.1/1 1.2/1");
    fixture_start(f, 1, 3);
    assert_string_equal(told_after_sync(f, s), "start 1.3/1");
}

static void an_end_is_acknowledged_when_it_is_durable(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    fixture_start(f, 1, 1);
    told_after_sync(f, s);
    say_report(f, s, "1.1/1 started");
    say_report(f, s, "1.1/1 ended");
    core_commit(&f->q);
    assert_string_equal(text_told(f, s), "");
    assert_string_equal(told_after_sync(f, s), "ack 1.1/1");
    say_report(f, s, "1.1/1 ended"); /* the acknowledge was lost: again, and it counts once */
    assert_string_equal(told_after_sync(f, s), "ack 1.1/1");
    char *text = fixture_accounting(f);
    assert_ptr_equal(strchr(text, '\n'), strrchr(text, '\n'));
    free(text);
}

static void words_about_an_older_start_change_nothing(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    fixture_run(f, 1, 1, TASK_FAILED_RESCHEDULE);
    fixture_start(f, 1, 1);
    told_after_sync(f, s);
    say_report(f, s, "1.1/1 ended");
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_TRANSFERRING);
    assert_string_equal(told_after_sync(f, s), "ack 1.1/1"); /* it may forget it */
    say_report(f, s, "1.1/1 running");
    assert_string_equal(told_after_sync(f, s), "signal 9 1.1/1"); /* two at a time: never */
    say_report(f, s, "1.1/2 running");
    assert_string_equal(told_after_sync(f, s), "");
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_RUNNING);
}

static void what_runs_without_our_knowing_is_ended(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    say_report(f, s, "4711.1/1 running");
    say_report(f, s, "1.2/1 running");
    assert_string_equal(told_after_sync(f, s), "signal 9 4711.1/1 1.2/1");
    say_report(f, s, "4711.1/1 ended");
    assert_string_equal(told_after_sync(f, s), "ack 4711.1/1");
    assert_string_equal(fixture_ready(f, 1), "1-4:1");
}

/* a petask has a key of its own, also where its task is known */
static void what_a_petask_does_is_not_what_its_task_does(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    fixture_start(f, 1, 1);
    told_after_sync(f, s);
    say_report(f, s, "1.1/1 running 1.node1");
    assert_string_equal(told_after_sync(f, s), "signal 9 1.1/1 (1.node1)");
    say_report(f, s, "1.1/1 ended 1.node1");
    assert_string_equal(told_after_sync(f, s), "ack 1.1/1 (1.node1)");
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_TRANSFERRING);
    say_hello(f, s, "node1", "1.1/1 running 1.node1", NULL);
    assert_string_equal(told_after_sync(f, s),
                        "config, signal 9 1.1/1 (1.node1), start job 1 1.1/1");
}

static void a_message_with_a_malformed_petask_changes_nothing(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    fixture_start(f, 1, 1);
    told_after_sync(f, s);
    say_report(f, s, "1.1/1 ended node1:1");
    assert_string_equal(told_after_sync(f, s), "");
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_TRANSFERRING);
}

static void a_start_that_got_lost_is_sent_again(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    fixture_start(f, 1, 1);
    told_after_sync(f, s);
    exec_on_closed(&f->q, s);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node1", NULL, NULL);
    assert_string_equal(told_after_sync(f, next), "config, start job 1 1.1/1");
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1);
}

static void a_running_task_that_its_host_has_lost_is_put_back(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    cull_set(&fixture_job(f, 1)->rec, JB_restart, (uint32_t)RESTART_YES);
    fixture_start(f, 1, 1);
    fixture_start(f, 1, 2);
    say_report(f, s, "1.1/1 started");
    say_report(f, s, "1.2/1 started");
    told_after_sync(f, s);
    exec_on_closed(&f->q, s);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node1", "1.2/1 running", NULL);
    assert_string_equal(told_after_sync(f, next), "config");
    assert_string_equal(fixture_ready(f, 1), "1,3,4");
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1);
    assert_int_equal(fixture_task(f, 1, 2)->rec.JAT_status, TASK_RUNNING);
}

static void a_delete_is_said_again_and_ends_what_was_lost(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    fixture_start(f, 1, 1);
    fixture_start(f, 1, 2);
    fixture_delete(f, "alice", "1.1-2");
    assert_string_equal(told_after_sync(f, s), "start job 1 1.1/1 1.2/1, signal 9 1.1/1 1.2/1");
    exec_on_closed(&f->q, s);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node1", "1.1/1 running", NULL);
    assert_string_equal(told_after_sync(f, next), "config, signal 9 1.1/1");
    assert_string_equal(fixture_ready(f, 1), "3,4"); /* 1.2 is gone, not put back */
    assert_false(range_set_has(&fixture_job(f, 1)->unfinished, 1));
    assert_true(range_set_has(&fixture_job(f, 1)->unfinished, 0));
}

static void a_suspension_is_said_again(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    char want[64];
    fixture_start(f, 1, 1);
    say_report(f, s, "1.1/1 started");
    told_after_sync(f, s);
    task_suspend(&f->q, fixture_task(f, 1, 1), TASK_IS_SUSPENDED, true);
    snprintf(want, sizeof want, "signal %d 1.1/1", SIGSTOP);
    assert_string_equal(told_after_sync(f, s), want);
    say_hello(f, s, "node1", "1.1/1 running", NULL);
    snprintf(want, sizeof want, "config, signal %d 1.1/1", SIGSTOP);
    assert_string_equal(told_after_sync(f, s), want);
}

static void a_resumption_is_said_again(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    char want[64];
    fixture_start(f, 1, 1);
    fixture_start(f, 1, 2);
    say_report(f, s, "1.1/1 started");
    say_report(f, s, "1.2/1 started");
    task_suspend(&f->q, fixture_task(f, 1, 1), TASK_IS_SUSPENDED, true);
    task_suspend(&f->q, fixture_task(f, 1, 1), TASK_IS_SUSPENDED, false);
    fixture_commit(f);
    fixture_restart(f); /* the signals are lost */
    s = connect_as(f, "root");
    say_hello(f, s, "node1", "1.1/1 running", "1.2/1 running");
    snprintf(want, sizeof want, "config, signal %d 1.1/1", SIGCONT);
    assert_string_equal(told_after_sync(f, s), want);
}

static void ends_kept_while_we_were_away_come_with_the_greeting(void **state)
{
    struct fixture *f = *state;
    an_execd(f);
    fixture_start(f, 1, 1);
    fixture_start(f, 1, 2);
    fixture_commit(f);
    fixture_restart(f);
    struct connection *s = connect_as(f, "root");
    say_hello(f, s, "node1", "1.1/1 ended", "1.2/1 running");
    assert_string_equal(told_after_sync(f, s), "config, ack 1.1/1");
    assert_false(range_set_has(&fixture_job(f, 1)->unfinished, 0));
    assert_int_equal(fixture_task(f, 1, 2)->rec.JAT_status, TASK_RUNNING);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1);
}

/* job 1 starts on an execd that says so, and nothing else happens before the power fails */
static enum task_status status_after_a_power_cut(struct fixture *f, uint32_t restart)
{
    struct connection *s = an_execd(f);
    cull_set(&fixture_job(f, 1)->rec, JB_restart, restart);
    fixture_start(f, 1, 1);
    told_after_sync(f, s);
    say_report(f, s, "1.1/1 started");
    fixture_commit(f);
    fixture_restart(f);
    return (enum task_status)fixture_task(f, 1, 1)->rec.JAT_status;
}

static void a_start_that_must_not_be_repeated_is_durable_at_once(void **state)
{
    assert_int_equal(status_after_a_power_cut(*state, RESTART_NO), TASK_RUNNING);
}

static void a_start_that_may_be_repeated_costs_no_batch_of_its_own(void **state)
{
    assert_int_equal(status_after_a_power_cut(*state, RESTART_YES), TASK_TRANSFERRING);
}

static bool rename_job(struct fixture *f, const char *job, const char *name)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, job);
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_job_name, name);
    return fixture_ask(f, "alice", alter_request, &gr);
}

static void an_altered_job_goes_to_its_hosts_again(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    fixture_start(f, 1, 1);
    assert_string_equal(told_after_sync(f, s), "start job 1 1.1/1");
    fixture_start(f, 1, 2);
    assert_string_equal(told_after_sync(f, s), "start 1.2/1");
    assert_true(rename_job(f, "1", "new"));
    fixture_start(f, 1, 3);
    assert_string_equal(told_after_sync(f, s), "start job 1 1.3/1");
    assert_true(rename_job(f, "1", "newer"));
    fixture_delete(f, "alice", "1.4");
    say_report(f, s, "1.1/1 ended");
    say_report(f, s, "1.2/1 ended");
    say_report(f, s, "1.3/1 ended");
    assert_string_equal(told_after_sync(f, s), "ack 1.1/1 1.2/1 1.3/1, forget job 1");
}

static void the_last_end_of_a_job_lets_its_hosts_forget_it(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    fixture_start(f, 1, 1);
    told_after_sync(f, s);
    fixture_delete(f, "alice", "1.2-4");
    say_report(f, s, "1.1/1 ended");
    assert_string_equal(told_after_sync(f, s), "ack 1.1/1, forget job 1");
}

static void a_newer_connection_of_a_host_replaces_the_older(void **state)
{
    struct fixture *f = *state;
    struct connection *old = an_execd(f), *next = connect_as(f, "root");
    fixture_start(f, 1, 1);
    told_after_sync(f, old);
    say_hello(f, next, "node1", "1.1/1 running", NULL);
    assert_int_equal(f->last_closed, old->conn);
    say_report(f, old, "1.1/1 ended"); /* of the past */
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_RUNNING);
    exec_on_closed(&f->q, old);
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, next->conn);
}

/* the connection has one host to lose when it ends */
static void a_connection_is_of_one_host(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    hosts_add(&f->q.hosts, "node2");
    say_hello(f, s, "node2", NULL, NULL);
    assert_int_equal(f->last_closed, s->conn);
    assert_int_equal(hosts_find(&f->q.hosts, "node2")->conn, 0);
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, s->conn);
}

/* a connection of the host NAME, which its certificate proves */
static struct connection *connect_host(struct fixture *f, const char *name)
{
    struct comm_peer peer = { .uid = COMM_NO_UID, .gid = COMM_NO_GID, .host = name };
    struct note *n = note_new(NOTE_OPENED, ++f->last_conn);
    n->who = identity_new(&peer, f->q.host);
    struct connection *s = connections_open(&f->q, n);
    note_free(n);
    return s;
}

static void a_host_registers_as_itself_alone(void **state)
{
    struct fixture *f = *state;
    struct connection *good = an_execd(f);
    struct host *node2 = hosts_add(&f->q.hosts, "node2");
    struct connection *s = connect_host(f, "node2");
    say_hello(f, s, "node1", NULL, NULL);
    assert_int_equal(f->last_closed, s->conn);
    assert_int_equal(hosts_find(&f->q.hosts, "node1")->conn, good->conn);
    assert_int_equal(node2->conn, 0);
    s = connect_host(f, "node2");
    say_hello(f, s, "node2", NULL, NULL);
    assert_int_equal(node2->conn, s->conn);
}

static void what_a_host_says_of_anothers_task_changes_nothing(void **state)
{
    static const char *const lies[] = { "1.1/1 ended", "1.1/1 running", "1.1/1 unknown" };
    struct fixture *f = *state;
    struct connection *good = an_execd(f);
    fixture_start(f, 1, 1);
    say_report(f, good, "1.1/1 started");
    told_after_sync(f, good);
    hosts_add(&f->q.hosts, "node2");
    struct connection *s = connect_host(f, "node2");
    say_hello(f, s, "node2", "1.1/1 ended", NULL);
    for (size_t i = 0; i < ARRAY_LEN(lies); i++)
        say_report(f, s, lies[i]);
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_RUNNING);
    assert_string_equal(told_after_sync(f, good), "");
}

static void who_is_no_execution_host_is_not_listened_to(void **state)
{
    struct fixture *f = *state;
    struct connection *root = an_execd(f);
    struct connection *stranger = connect_as(f, "root");
    say_hello(f, stranger, "node9", NULL, NULL); /* no execution host */
    assert_int_equal(f->last_closed, stranger->conn);
    struct frame garbage = { .kind = GDI_FRAME_EXEC, .body = (uint8_t *)"\xff\xff\xff", .len = 3 };
    exec_handle(&f->q, root, &garbage);
    say_report(f, root, "4711.1/1 ended"); /* and the dialogue goes on */
    assert_string_equal(told_after_sync(f, root), "ack 4711.1/1");
}

static void a_message_to_a_host_has_no_more_large_jobs_than_it_can_hold(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    char *text = uti_calloc(1, (10 << 20) + 1);
    memset(text, 'x', 10 << 20);
    uint32_t first = submit(f, .script = text);
    for (int i = 0; i < 2; i++)
        submit(f, .script = text);
    free(text);
    fixture_commit(f);
    for (uint32_t i = 0; i < 3; i++)
        fixture_start(f, first + i, 1);
    assert_string_equal(told_after_sync(f, s), "start job 2 job 3 2.1/1 3.1/1, start job 4 4.1/1");
}

/* ends of tasks that nobody knows: each is acknowledged all the same */
static void hear_many_ends(struct fixture *f, struct connection *s, uint32_t n)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REPORTS);
    for (uint32_t i = 1; i <= n; i++) {
        struct task_key key = { .job_number = 7, .task_number = i };
        struct JR_Type *r = cull_append(&m, XM_reports);
        task_key_report(&key, 1, r);
        cull_set(r, JR_state, (uint32_t)REPORT_ENDED);
    }
    hear_message(f, s, &m);
}

static void many_reports_are_heard_in_turns(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    hear_many_ends(f, s, 2 * STEP_WORK + 1);
    assert_true(work_step(&f->q));
    assert_true(work_step(&f->q));
    assert_false(work_step(&f->q));
    const char *told = told_after_sync(f, s);
    assert_non_null(strstr(told, " 7.1/1"));
    assert_non_null(strstr(told, " 7.401/1"));
    assert_non_null(strstr(told, " 7.801/1"));
}

/* what is left of its reports goes with a connection */
static void a_host_that_goes_is_heard_no_more(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_execd(f);
    hear_many_ends(f, s, STEP_WORK + 1);
    struct note *n = note_new(NOTE_CLOSED, s->conn);
    core_on_note(&f->q, n);
    note_free(n);
    assert_false(work_step(&f->q));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_host_that_registers_gets_its_configuration),
        TEST(many_reports_are_heard_in_turns),
        TEST(a_host_that_goes_is_heard_no_more),
        TEST(a_job_goes_to_a_host_once_its_tasks_one_by_one),
        TEST(an_end_is_acknowledged_when_it_is_durable),
        TEST(words_about_an_older_start_change_nothing),
        TEST(what_runs_without_our_knowing_is_ended),
        TEST(what_a_petask_does_is_not_what_its_task_does),
        TEST(a_message_with_a_malformed_petask_changes_nothing),
        TEST(a_start_that_got_lost_is_sent_again),
        TEST(a_running_task_that_its_host_has_lost_is_put_back),
        TEST(a_delete_is_said_again_and_ends_what_was_lost),
        TEST(a_suspension_is_said_again),
        TEST(a_resumption_is_said_again),
        TEST(ends_kept_while_we_were_away_come_with_the_greeting),
        TEST(a_start_that_must_not_be_repeated_is_durable_at_once),
        TEST(a_start_that_may_be_repeated_costs_no_batch_of_its_own),
        TEST(an_altered_job_goes_to_its_hosts_again),
        TEST(the_last_end_of_a_job_lets_its_hosts_forget_it),
        TEST(a_newer_connection_of_a_host_replaces_the_older),
        TEST(a_connection_is_of_one_host),
        TEST(a_host_registers_as_itself_alone),
        TEST(what_a_host_says_of_anothers_task_changes_nothing),
        TEST(who_is_no_execution_host_is_not_listened_to),
        TEST(a_message_to_a_host_has_no_more_large_jobs_than_it_can_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
