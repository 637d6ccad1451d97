/* Actions of qmod on jobs and queues: what became of each is said, and who may. The texts are those
 * that users of Grid Engines know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/tables/hosts.h"
#include "daemons/qmaster/tables/queues.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"

/* qmod ACTION WHAT */
static bool act_as(struct fixture *f, const char *user, enum gdi_action action, uint32_t options,
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
    assert_true(act_as(f, "alice", GDI_ACT_SUSPEND, 0, "1.2"));
    assert_string_equal(said(f), "alice - suspended job-array task 1.2");
    assert_true(act_as(f, "alice", GDI_ACT_SUSPEND, 0, "1"));
    assert_string_equal(
        said(f),
        "alice - suspended job-array task 1.1\nalice - job-array task 1.2 is already suspended");
    assert_true(act_as(f, "alice", GDI_ACT_UNSUSPEND, 0, "J"));
    assert_string_equal(
        said(f), "alice - unsuspended job-array task 1.1\nalice - unsuspended job-array task 1.2");
    assert_false(act_as(f, "bob", GDI_ACT_SUSPEND, 0, "1"));
    assert_string_equal(said(f), "bob - you have no permission to modify job \"1\"");
    assert_false(act_as(f, "alice", GDI_ACT_SUSPEND, 0, "4711"));
    assert_string_equal(said(f), "invalid queue or job \"4711\"");
    assert_false(act_as(f, "alice", GDI_ACT_CLEAR_ERROR, 0, "1"));
    assert_string_equal(said(f), "Job 1 is not in error state");
}

static void qmod_names_the_tasks_that_do_not_fit(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-10");
    fixture_start(f, 1, 1);
    assert_true(act_as(f, "alice", GDI_ACT_SUSPEND, 0, "1.9")); /* it waits: said, and no failure */
    assert_string_equal(said(f), "Job-array task 1.9: not running");
    assert_true(act_as(f, "alice", GDI_ACT_RESCHEDULE, 0, "1.7-9"));
    assert_string_equal(said(f), "Job-array tasks 7-9:1 of job 1: not running");
    assert_true(act_as(f, "alice", GDI_ACT_CLEAR_ERROR, 0, "1.9"));
    assert_string_equal(said(f), "Job-array task 1.9: not in error state");
    assert_false(act_as(f, "alice", GDI_ACT_CLEAR_ERROR, 0, "1.1")); /* it runs */
    assert_false(act_as(f, "alice", GDI_ACT_SUSPEND, 0, "1.20"));
    assert_string_equal(said(f), "job \"1\" task \"20\" does not exist");
}

static void only_what_may_run_again_is_rescheduled(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-2");
    fixture_start(f, 1, 1);
    act_as(f, "alice", GDI_ACT_RESCHEDULE, 0, "1");
    assert_string_equal(
        said(f),
        "The job-array task 1.1 is running in queue all.q@node1 where jobs are not rerunable.");
    assert_false(fixture_task(f, 1, 1)->rec.JAT_state & TASK_IS_RESCHEDULED);
    cull_set(&fixture_job(f, 1)->rec, JB_restart, (uint32_t)RESTART_YES);
    assert_true(act_as(f, "alice", GDI_ACT_RESCHEDULE, 0, "1.1"));
    assert_string_equal(said(f), "Pushed rescheduling of job-array task 1.1 on host node1");
    assert_true(fixture_task(f, 1, 1)->rec.JAT_state & TASK_IS_RESCHEDULED);
}

static void queues_are_for_operators(void **state)
{
    struct fixture *f = *state;
    submit(f);
    fixture_start(f, 1, 1);
    fixture_report(f, 1, 1, REPORT_STARTED, 0);
    assert_false(act_as(f, "alice", GDI_ACT_DISABLE, 0, "all.q"));
    assert_string_equal(said(f), "alice - you have no permission to modify queue \"all.q@node1\"");
    assert_true(act_as(f, "olga", GDI_ACT_DISABLE, 0, "*@node1"));
    assert_string_equal(said(f), "olga@node1 changed state of \"all.q@node1\" (disabled)");
    act_as(f, "olga", GDI_ACT_DISABLE, 0, "all.q");
    assert_string_equal(
        said(f), "Queue instance \"all.q@node1\" is already in the specified state: disabled");
    assert_false(qinstance_may_start(fixture_queue(f)));
    fixture_commit(f);
    fixture_restart(f);
    assert_false(qinstance_may_start(fixture_queue(f)));
    act_as(f, "boss", GDI_ACT_ENABLE, 0, "*");
    assert_string_equal(said(f), "boss@node1 changed state of \"all.q@node1\" (enabled)");
    assert_true(qinstance_may_start(fixture_queue(f)));
    act_as(f, "boss", GDI_ACT_SUSPEND, GDI_QUEUES_ONLY, "all.q");
    assert_true(fixture_task(f, 1, 1)->rec.JAT_state &
                TASK_IS_QUEUE_SUSPENDED); /* with its queue */
    assert_false(act_as(f, "boss", GDI_ACT_ENABLE, 0, "nope*"));
    assert_string_equal(said(f), "invalid queue \"nope*\"");
}

/* ---- in steps ---- */
enum { QUEUES = 7, TASKS = 2 * STEP_WORK + 100 };

static void add_instance(struct fixture *f, const char *name)
{
    const struct qinstance *all = fixture_queue(f);
    struct QU_Type rec = { 0 };
    cull_copy(&cull_QU_Type, &rec, &all->rec);
    cull_set(&rec, QU_full_name, name);
    cull_set(&rec, QU_state, 0u);
    queues_put_instance(&f->q.queues, all->cqueue, all->host, &rec);
}

static void add_instances(struct fixture *f)
{
    for (uint32_t i = 1; i < QUEUES; i++) {
        char name[32];
        snprintf(name, sizeof name, "q%u@node1", i);
        add_instance(f, name);
    }
}

static uint32_t count_disabled(struct fixture *f)
{
    uint32_t n = 0;
    for (const struct qinstance *qi = f->q.queues.instances; qi != NULL; qi = qi->hh.next)
        n += (qi->rec.QU_state & QI_DISABLED) != 0;
    return n;
}

static void disable_one_slice(struct fixture *f, const char *what)
{
    f->q.slice_until_us = 1; /* each slice is over at once */
    assert_true(act_as(f, "boss", GDI_ACT_DISABLE, 0, what));
    f->q.slice_until_us = 0;
}

static void a_word_for_many_queues_goes_on_in_slices(void **state)
{
    struct fixture *f = *state;
    add_instances(f);
    disable_one_slice(f, "*");
    assert_int_equal(count_disabled(f), 1);
    assert_true(submit(f) > 0); /* others come in between */
    fixture_commit(f);
    assert_int_equal(count_disabled(f), QUEUES);
}

static void instances_that_mean_nothing_take_slices_too(void **state)
{
    struct fixture *f = *state;
    add_instances(f);
    disable_one_slice(f, "q6*");
    assert_int_equal(count_disabled(f), 0);
    fixture_commit(f);
    assert_int_equal(count_disabled(f), 1);
}

static void an_instance_that_goes_between_two_slices_is_passed_over(void **state)
{
    struct fixture *f = *state;
    add_instances(f);
    disable_one_slice(f, "*");
    queues_remove_instance(&f->q.queues, queues_instance(&f->q.queues, "q3@node1"));
    fixture_commit(f);
    assert_int_equal(count_disabled(f), QUEUES - 1);
}

static void an_instance_that_comes_between_two_slices_is_not_meant(void **state)
{
    struct fixture *f = *state;
    add_instances(f);
    disable_one_slice(f, "*");
    add_instance(f, "late@node1");
    fixture_commit(f);
    assert_int_equal(count_disabled(f), QUEUES);
    assert_int_equal(queues_instance(&f->q.queues, "late@node1")->rec.QU_state & QI_DISABLED, 0);
}

/* a queue with TASKS tasks that run */
static void fill_queue(struct fixture *f)
{
    char tasks[16];
    snprintf(tasks, sizeof tasks, "1-%d", (int)TASKS);
    assert_true(fixture_set_queue(f, "slots", "2000"));
    submit(f, .tasks = tasks);
    for (uint32_t id = 1; id <= TASKS; id++)
        fixture_start(f, 1, id);
    fixture_commit(f);
}

static uint32_t in_state(struct fixture *f, uint32_t bit)
{
    uint32_t n = 0;
    for (struct task *t = job_task_first(fixture_job(f, 1), 0); t != NULL; t = job_task_next(t))
        n += (t->rec.JAT_state & bit) != 0;
    return n;
}

static void the_tasks_of_a_queue_are_suspended_in_steps(void **state)
{
    struct fixture *f = *state;
    fill_queue(f);
    assert_true(act_as(f, "boss", GDI_ACT_SUSPEND, GDI_QUEUES_ONLY, "all.q"));
    assert_int_equal(in_state(f, TASK_IS_QUEUE_SUSPENDED), STEP_WORK);
    fixture_commit(f);
    assert_int_equal(in_state(f, TASK_IS_QUEUE_SUSPENDED), TASKS);
}

static void of_two_requests_the_later_one_decides_for_all_tasks(void **state)
{
    struct fixture *f = *state;
    fill_queue(f);
    act_as(f, "boss", GDI_ACT_SUSPEND, GDI_QUEUES_ONLY, "all.q");
    act_as(f, "root", GDI_ACT_UNSUSPEND, GDI_QUEUES_ONLY, "all.q");
    fixture_commit(f);
    assert_int_equal(in_state(f, TASK_IS_QUEUE_SUSPENDED), 0);
}

static void a_task_that_has_ended_between_two_steps_is_passed_over(void **state)
{
    struct fixture *f = *state;
    fill_queue(f);
    act_as(f, "boss", GDI_ACT_RESCHEDULE, GDI_QUEUES_ONLY | GDI_FORCE, "all.q");
    fixture_report(f, 1, TASKS, REPORT_ENDED, 0);
    fixture_commit(f);
    assert_int_equal(fixture_job(f, 1)->rare->n_records, TASKS - 1);
    assert_int_equal(in_state(f, TASK_IS_RESTARTED), TASKS - 1);
}

/* ---- qconf -cq ---- */
static void a_queue_that_is_cleaned_has_no_task_and_waits_for_no_host(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    fixture_start(f, 1, 1);
    fixture_start(f, 1, 2);
    fixture_report(f, 1, 2, REPORT_STARTED, 0);
    assert_false(act_as(f, "olga", GDI_ACT_CLEAN, 0, "all.q"));
    assert_string_equal(said(f), "denied: \"olga\" must be manager for this operation");
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 2);
    assert_true(act_as(f, "boss", GDI_ACT_CLEAN, 0, "all.q"));
    assert_string_equal(said(f), "boss@node1 cleaned queue \"all.q@node1\"\n"
                                 "boss has forced the deletion of job-array task 1.1\n"
                                 "boss has forced the deletion of job-array task 1.2");
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 0);
    assert_string_equal(fixture_ready(f, 1), "3"); /* what waits is not in the queue */
    assert_true(act_as(f, "boss", GDI_ACT_CLEAN, 0, "*@node1"));
    assert_string_equal(said(f), "boss@node1 cleaned queue \"all.q@node1\"");
    assert_false(act_as(f, "boss", GDI_ACT_CLEAN, 0, "1")); /* a job is no queue */
    assert_string_equal(said(f), "invalid queue or job \"1\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup_operator, fixture_teardown)
        TEST(qmod_says_what_became_of_each_task),
        TEST(qmod_names_the_tasks_that_do_not_fit),
        TEST(only_what_may_run_again_is_rescheduled),
        TEST(queues_are_for_operators),
        TEST(a_word_for_many_queues_goes_on_in_slices),
        TEST(instances_that_mean_nothing_take_slices_too),
        TEST(an_instance_that_goes_between_two_slices_is_passed_over),
        TEST(an_instance_that_comes_between_two_slices_is_not_meant),
        TEST(the_tasks_of_a_queue_are_suspended_in_steps),
        TEST(of_two_requests_the_later_one_decides_for_all_tasks),
        TEST(a_task_that_has_ended_between_two_steps_is_passed_over),
        TEST(a_queue_that_is_cleaned_has_no_task_and_waits_for_no_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
