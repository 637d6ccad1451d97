/* Actions of qmod on jobs and queues: what became of each is said, and who may. The texts are those that users of Grid Engines know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"

/* qmod ACTION WHAT */
static bool act(struct fixture *f, const char *user, enum gdi_action action, uint32_t options,
                const char *what)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_action, (uint32_t)action);
    cull_set(&gr, GR_options, options);
    return fixture_ask(f, user, act_request, &gr);
}

static void qmod_says_what_became_of_each_task(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    for (uint32_t id = 1; id <= 2; id++) {
        fixture_start(f, 1, id);
        fixture_report(f, 1, id, REPORT_STARTED, 0);
    }
    assert_true(act(f, "alice", GDI_ACT_SUSPEND, 0, "1.2"));
    assert_string_equal(said(f), "alice - suspended job-array task 1.2");
    assert_true(act(f, "alice", GDI_ACT_SUSPEND, 0, "1"));
    assert_string_equal(
        said(f),
        "alice - suspended job-array task 1.1\nalice - job-array task 1.2 is already suspended");
    assert_true(act(f, "alice", GDI_ACT_UNSUSPEND, 0, "J"));
    assert_string_equal(
        said(f), "alice - unsuspended job-array task 1.1\nalice - unsuspended job-array task 1.2");
    assert_false(act(f, "bob", GDI_ACT_SUSPEND, 0, "1"));
    assert_string_equal(said(f), "bob - you have no permission to modify job \"1\"");
    assert_false(act(f, "alice", GDI_ACT_SUSPEND, 0, "4711"));
    assert_string_equal(said(f), "invalid queue or job \"4711\"");
    assert_false(act(f, "alice", GDI_ACT_CLEAR_ERROR, 0, "1"));
    assert_string_equal(said(f), "Job 1 is not in error state");
}

static void qmod_names_the_tasks_that_do_not_fit(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-10");
    fixture_start(f, 1, 1);
    assert_true(act(f, "alice", GDI_ACT_SUSPEND, 0, "1.9")); /* it waits: said, and no failure */
    assert_string_equal(said(f), "Job-array task 1.9: not running");
    assert_true(act(f, "alice", GDI_ACT_RESCHEDULE, 0, "1.7-9"));
    assert_string_equal(said(f), "Job-array tasks 7-9:1 of job 1: not running");
    assert_true(act(f, "alice", GDI_ACT_CLEAR_ERROR, 0, "1.9"));
    assert_string_equal(said(f), "Job-array task 1.9: not in error state");
    assert_false(act(f, "alice", GDI_ACT_CLEAR_ERROR, 0, "1.1")); /* it runs */
    assert_false(act(f, "alice", GDI_ACT_SUSPEND, 0, "1.20"));
    assert_string_equal(said(f), "job \"1\" task \"20\" does not exist");
}

static void only_what_may_run_again_is_rescheduled(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-2");
    fixture_start(f, 1, 1);
    act(f, "alice", GDI_ACT_RESCHEDULE, 0, "1");
    assert_string_equal(
        said(f),
        "The job-array task 1.1 is running in queue all.q@node1 where jobs are not rerunable.");
    assert_false(fixture_task(f, 1, 1)->rec.JAT_state & TASK_IS_RESCHEDULED);
    cull_set(&fixture_job(f, 1)->rec, JB_restart, (uint32_t)RESTART_YES);
    assert_true(act(f, "alice", GDI_ACT_RESCHEDULE, 0, "1.1"));
    assert_string_equal(said(f), "Pushed rescheduling of job-array task 1.1 on host node1");
    assert_true(fixture_task(f, 1, 1)->rec.JAT_state & TASK_IS_RESCHEDULED);
}

static void queues_are_for_operators(void **state)
{
    struct fixture *f = *state;
    submit(f);
    fixture_start(f, 1, 1);
    fixture_report(f, 1, 1, REPORT_STARTED, 0);
    assert_false(act(f, "alice", GDI_ACT_DISABLE, 0, "all.q"));
    assert_string_equal(said(f), "alice - you have no permission to modify queue \"all.q@node1\"");
    assert_true(act(f, "olga", GDI_ACT_DISABLE, 0, "*@node1"));
    assert_string_equal(said(f), "olga@node1 changed state of \"all.q@node1\" (disabled)");
    act(f, "olga", GDI_ACT_DISABLE, 0, "all.q");
    assert_string_equal(
        said(f), "Queue instance \"all.q@node1\" is already in the specified state: disabled");
    assert_false(qinstance_may_start(fixture_queue(f)));
    fixture_commit(f);
    fixture_restart(f);
    assert_false(qinstance_may_start(fixture_queue(f)));
    act(f, "boss", GDI_ACT_ENABLE, 0, "*");
    assert_string_equal(said(f), "boss@node1 changed state of \"all.q@node1\" (enabled)");
    assert_true(qinstance_may_start(fixture_queue(f)));
    act(f, "boss", GDI_ACT_SUSPEND, GDI_QUEUES_ONLY, "all.q");
    assert_true(fixture_task(f, 1, 1)->rec.JAT_state &
                TASK_IS_QUEUE_SUSPENDED); /* with its queue */
    assert_false(act(f, "boss", GDI_ACT_ENABLE, 0, "nope*"));
    assert_string_equal(said(f), "invalid queue \"nope*\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup_operator, fixture_teardown)
        TEST(qmod_says_what_became_of_each_task),
        TEST(qmod_names_the_tasks_that_do_not_fit),
        TEST(only_what_may_run_again_is_rescheduled),
        TEST(queues_are_for_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
