/* Tasks that save their state: what their hosts are sent when they are suspended, deleted, put back
 * or lost, and what follows from what those say. 1002 is TASK_REQUEST_MIGRATE, 1003
 * TASK_REQUEST_END_AGAIN. */
#include "libs/sgeobj/checkpoint.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/reports/reports.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/task_state.h"
#include "libs/task/task_dir.h"

/* 1.1 is ordered, with checkpoints at the letters WHEN; NULL: without */
static struct connection *an_order(struct fixture *f, const char *when)
{
    struct connection *s = connect_as(f, "root");
    struct CK_Type env = { 0 };
    submit(f, .name = "A", .tasks = "1-2");
    fixture_commit(f);
    say_hello(f, s, "node1", NULL, NULL);
    fixture_start(f, 1, 1);
    told_after_sync(f, s);
    if (when == NULL)
        return s;
    cull_set(&env, CK_name, "criu");
    cull_set(&env, CK_interface, "cpr");
    cull_set(&env, CK_when, when);
    checkpoint_keep(&fixture_task(f, 1, 1)->rec, &fixture_job(f, 1)->rec, &env);
    cull_clear(&cull_CK_Type, &env);
    return s;
}

static struct connection *a_run(struct fixture *f, const char *when)
{
    struct connection *s = an_order(f, when);
    say_report(f, s, "1.1/1 started");
    told_after_sync(f, s);
    return s;
}

static enum task_state state_of(struct fixture *f)
{
    return task_state_of(&fixture_task(f, 1, 1)->rec);
}

static void set_reason(struct fixture *f, uint32_t reason, bool is_on)
{
    task_suspend(&f->q, fixture_task(f, 1, 1), reason, is_on);
}

static void a_suspension_for_any_reason_is_a_migration(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_run(f, "x");
    set_reason(f, TASK_IS_LOAD_SUSPENDED, true);
    assert_string_equal(told_after_sync(f, s), "signal 1002 1.1/1");
    assert_int_equal(state_of(f), TASK_STATE_MIGRATING);
    set_reason(f, TASK_IS_CALENDAR_SUSPENDED, true);
    set_reason(f, TASK_IS_LOAD_SUSPENDED, false);
    set_reason(f, TASK_IS_CALENDAR_SUSPENDED, false);
    assert_string_equal(told_after_sync(f, s), "");
    assert_int_equal(state_of(f), TASK_STATE_MIGRATING);
    fixture_report(f, 1, 1, REPORT_ENDED, TASK_FAILED_MIGRATING);
    assert_int_equal(state_of(f), TASK_STATE_PENDING);
    assert_string_equal(fixture_ready(f, 1), "1,2");
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 0);
}

static void without_x_it_is_stopped(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_run(f, "smr");
    set_reason(f, TASK_IS_SUSPENDED, true);
    assert_string_equal(told_after_sync(f, s), "signal 19 1.1/1");
    assert_int_equal(state_of(f), TASK_STATE_SUSPENDED);
}

static void a_task_on_its_way_migrates_when_it_runs(void **state)
{
    struct fixture *f = *state;
    struct connection *s = an_order(f, "x");
    set_reason(f, TASK_IS_QUEUE_SUSPENDED, true);
    assert_string_equal(told_after_sync(f, s), "");
    say_report(f, s, "1.1/1 started");
    assert_string_equal(told_after_sync(f, s), "signal 1002 1.1/1");
    assert_int_equal(state_of(f), TASK_STATE_MIGRATING);
}

static void one_that_cannot_be_saved_is_suspended_where_it_is(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_run(f, "x");
    set_reason(f, TASK_IS_SUSPENDED, true);
    told_after_sync(f, s);
    fixture_report(f, 1, 1, REPORT_NOT_MIGRATED, 0);
    assert_string_equal(told_after_sync(f, s), "signal 19 1.1/1");
    assert_int_equal(state_of(f), TASK_STATE_SUSPENDED);
    fixture_report(f, 1, 1, REPORT_NOT_MIGRATED, 0); /* it may come twice */
    assert_string_equal(told_after_sync(f, s), "");
    set_reason(f, TASK_IS_SUSPENDED, false);
    assert_string_equal(told_after_sync(f, s), "signal 18 1.1/1");
    assert_int_equal(state_of(f), TASK_STATE_RUNNING);
}

static void a_host_that_registers_again_is_sent_the_request_again(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_run(f, "x");
    set_reason(f, TASK_IS_SUSPENDED, true);
    fixture_commit(f);
    exec_on_closed(&f->q, s);
    s = connect_as(f, "root");
    say_hello(f, s, "node1", "1.1/1 running", NULL);
    assert_string_equal(told_after_sync(f, s), "config, signal 1002 1.1/1");
}

static void a_migration_survives_a_restart_of_the_qmaster(void **state)
{
    struct fixture *f = *state;
    (void)a_run(f, "x");
    set_reason(f, TASK_IS_SUSPENDED, true);
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(state_of(f), TASK_STATE_MIGRATING);
    assert_true(checkpoint_is_at(&fixture_task(f, 1, 1)->rec, CHECKPOINT_SUSPEND));
    struct connection *s = connect_as(f, "root");
    say_hello(f, s, "node1", "1.1/1 running", NULL);
    assert_string_equal(told_after_sync(f, s), "config, signal 1002 1.1/1");
}

static void a_delete_meanwhile_is_the_end(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_run(f, "x");
    set_reason(f, TASK_IS_SUSPENDED, true);
    task_kill(&f->q, fixture_task(f, 1, 1));
    assert_string_equal(told_after_sync(f, s), "signal 1002 1.1/1, signal 9 1.1/1");
    fixture_report(f, 1, 1, REPORT_ENDED, TASK_FAILED_MIGRATING);
    assert_false(range_set_has(&fixture_job(f, 1)->unfinished, 0));
}

static void what_is_put_back_keeps_its_checkpoint(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_run(f, "x");
    task_reschedule(&f->q, fixture_task(f, 1, 1), false);
    assert_string_equal(told_after_sync(f, s), "signal 1003 1.1/1");
    cull_set(&fixture_job(f, 1)->rec, JB_checkpoint_name, "criu");
    say_report(f, s, "1.1/7 running"); /* a start that was given away */
    assert_string_equal(told_after_sync(f, s), "signal 1003 1.1/7");
    cull_clear_field(&cull_JB_Type, &fixture_job(f, 1)->rec, JB_checkpoint_name);
}

static void that_there_is_a_checkpoint_is_kept(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_run(f, "m");
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REPORTS);
    struct JR_Type *r = cull_append(&m, XM_reports);
    cull_set(r, JR_job_number, 1);
    cull_set(r, JR_task_number, 1);
    cull_set(r, JR_attempt, 1);
    cull_set(r, JR_state, (uint32_t)REPORT_RUNNING);
    cull_set(r, JR_is_checkpointed, true);
    hear_message(f, s, &m);
    fixture_commit(f);
    fixture_restart(f);
    assert_true(fixture_task(f, 1, 1)->rec.JAT_is_checkpointed);
    fixture_report(f, 1, 1, REPORT_ENDED, TASK_FAILED_NO_EXIT_STATUS);
    assert_int_equal(state_of(f), TASK_STATE_PENDING); /* its shepherd was killed: it goes on */
    assert_int_equal(checkpoint_restarted(&fixture_task(f, 1, 1)->rec), 2);
}

/* 1.1 has migrated and waits, with a clean_command */
static struct connection *a_wait_after_a_migration(struct fixture *f)
{
    struct connection *s = a_run(f, "x");
    struct JAT_Type *rec = &fixture_task(f, 1, 1)->rec;
    cull_set(&rec->JAT_checkpoint.v[0], TC_clean_command, "/bin/clean");
    fixture_report(f, 1, 1, REPORT_ENDED, TASK_FAILED_MIGRATING);
    assert_int_equal(state_of(f), TASK_STATE_PENDING);
    told_after_sync(f, s);
    return s;
}

static bool is_unfinished(struct fixture *f)
{
    return range_set_has(&fixture_job(f, 1)->unfinished, 0);
}

static void one_deleted_while_it_waits_is_cleaned_up_after_once(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_wait_after_a_migration(f);
    char *accounted = fixture_accounting(f);
    task_kill(&f->q, fixture_task(f, 1, 1));
    assert_string_equal(told_after_sync(f, s), "start 1.1/2");
    assert_int_equal(state_of(f), TASK_STATE_DELETING);
    assert_string_equal(fixture_ready(f, 1), "2");
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1);
    say_report(f, s, "1.1/2 started");
    task_kill(&f->q, fixture_task(f, 1, 1)); /* does not end the command */
    assert_string_equal(told_after_sync(f, s), "");
    assert_true(is_unfinished(f));
    say_report(f, s, "1.1/2 ended");
    assert_false(is_unfinished(f));
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 0);
    char *afterwards = fixture_accounting(f);
    assert_string_equal(afterwards, accounted); /* it has no second end */
    free(afterwards);
    free(accounted);
}

static void a_clean_up_survives_restarts_of_both_sides(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_wait_after_a_migration(f);
    exec_on_closed(&f->q, s);
    task_kill(&f->q, fixture_task(f, 1, 1)); /* its host is away */
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(state_of(f), TASK_STATE_DELETING);
    s = connect_as(f, "root");
    say_hello(f, s, "node1", NULL, NULL);
    assert_string_equal(told_after_sync(f, s), "config, start job 1 1.1/2");
    say_report(f, s, "1.1/2 started");
    fixture_commit(f);
    exec_on_closed(&f->q, s);
    fixture_restart(f);
    s = connect_as(f, "root");
    say_hello(f, s, "node1", "1.1/2 running", NULL);
    assert_string_equal(told_after_sync(f, s), "config"); /* no signal to the command */
    exec_on_closed(&f->q, s);
    s = connect_as(f, "root");
    say_hello(f, s, "node1", NULL, NULL); /* it has lost it: it does not run twice */
    assert_string_equal(told_after_sync(f, s), "config");
    assert_false(is_unfinished(f));
}

static void a_forced_delete_does_not_wait_for_a_clean_up(void **state)
{
    struct fixture *f = *state;
    (void)a_wait_after_a_migration(f);
    task_drop(&f->q, fixture_task(f, 1, 1));
    assert_false(is_unfinished(f));
}

static void nothing_is_cleaned_up_after_a_task_that_has_saved_nothing(void **state)
{
    struct fixture *f = *state;
    (void)a_wait_after_a_migration(f);
    cull_set(&fixture_task(f, 1, 1)->rec, JAT_job_restarted, 0);
    task_kill(&f->q, fixture_task(f, 1, 1));
    assert_false(is_unfinished(f));
}

/* may the start be given up while it may still run, and what if it is gone for certain? */
static void expect_rerun(struct fixture *f, const char *when, uint32_t restart, bool queue_reruns,
                         bool is_rerunnable, bool runs_again)
{
    (void)a_run(f, when);
    cull_set(&fixture_job(f, 1)->rec, JB_restart, restart);
    cull_set(&fixture_queue(f)->rec, QU_rerun, queue_reruns);
    assert_int_equal(task_is_rerunnable(&f->q, fixture_task(f, 1, 1)), is_rerunnable);
    task_lost(&f->q, fixture_task(f, 1, 1));
    assert_int_equal(range_set_has(&fixture_job(f, 1)->unfinished, 0), runs_again);
}

#define RERUN_TEST(name, ...)                                                                      \
    static void name(void **state)                                                                 \
    {                                                                                              \
        expect_rerun(*state, __VA_ARGS__);                                                         \
    }
RERUN_TEST(a_plain_task_is_lost_with_its_host, NULL, RESTART_AS_QUEUE, false, false, false)
RERUN_TEST(or_runs_again_as_its_queue_says, NULL, RESTART_AS_QUEUE, true, true, true)
RERUN_TEST(or_as_it_says_itself, NULL, RESTART_YES, false, true, true)
RERUN_TEST(which_goes_before_the_queue, NULL, RESTART_NO, true, false, false)
RERUN_TEST(one_with_checkpoints_goes_on, "x", RESTART_AS_QUEUE, false, false, true)
RERUN_TEST(whatever_its_queue_says_with_r_before_that, "r", RESTART_AS_QUEUE, false, true, true)
RERUN_TEST(unless_it_must_not, "xr", RESTART_NO, true, false, false)

static void nothing_starts_on_a_host_whose_execd_ends(void **state)
{
    struct fixture *f = *state;
    struct connection *s = a_run(f, "s");
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_LEAVING);
    assert_true(qinstance_may_start(fixture_queue(f)));
    hear_message(f, s, &m);
    assert_false(qinstance_may_start(fixture_queue(f)));
    fixture_report(f, 1, 1, REPORT_ENDED, TASK_FAILED_MIGRATING);
    assert_int_equal(state_of(f), TASK_STATE_PENDING);
    exec_on_closed(&f->q, s);
    assert_false(qinstance_may_start(fixture_queue(f)));
    say_hello(f, connect_as(f, "root"), "node1", NULL, NULL);
    assert_true(qinstance_may_start(fixture_queue(f)));
}

#define FIXTURE_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_suspension_for_any_reason_is_a_migration),
        FIXTURE_TEST(without_x_it_is_stopped),
        FIXTURE_TEST(a_task_on_its_way_migrates_when_it_runs),
        FIXTURE_TEST(one_that_cannot_be_saved_is_suspended_where_it_is),
        FIXTURE_TEST(a_host_that_registers_again_is_sent_the_request_again),
        FIXTURE_TEST(a_migration_survives_a_restart_of_the_qmaster),
        FIXTURE_TEST(a_delete_meanwhile_is_the_end),
        FIXTURE_TEST(what_is_put_back_keeps_its_checkpoint),
        FIXTURE_TEST(that_there_is_a_checkpoint_is_kept),
        FIXTURE_TEST(one_deleted_while_it_waits_is_cleaned_up_after_once),
        FIXTURE_TEST(a_clean_up_survives_restarts_of_both_sides),
        FIXTURE_TEST(a_forced_delete_does_not_wait_for_a_clean_up),
        FIXTURE_TEST(nothing_is_cleaned_up_after_a_task_that_has_saved_nothing),
        FIXTURE_TEST(a_plain_task_is_lost_with_its_host),
        FIXTURE_TEST(or_runs_again_as_its_queue_says),
        FIXTURE_TEST(or_as_it_says_itself),
        FIXTURE_TEST(which_goes_before_the_queue),
        FIXTURE_TEST(one_with_checkpoints_goes_on),
        FIXTURE_TEST(whatever_its_queue_says_with_r_before_that),
        FIXTURE_TEST(unless_it_must_not),
        FIXTURE_TEST(nothing_starts_on_a_host_whose_execd_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
