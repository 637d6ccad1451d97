/* What keeps jobs and tasks from starting, as qstat -j and -why tell it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/qmaster/jobs/holds.h"
#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/requests/explain/why.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "daemons/qmaster/test/read_asks.h"
#include "libs/config/conf.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"

static void set_job_info(struct fixture *f, const char *value)
{
    struct CONF_Type rec = { 0 };
    cull_copy(&cull_CONF_Type, &rec, &settings_conf(&f->q.settings, CONF_SCHEDULER)->rec);
    assert_int_equal(conf_set(&rec, "schedd_job_info", value, NULL), 0);
    settings_put_conf(&f->q.settings, &rec);
}

/* L, which is freed, has these texts, parted by '|' */
static void expect_texts(struct ST_Type_list *l, const char *expected)
{
    struct dstr text = DSTR_INIT;
    for (uint32_t i = 0; i < l->n; i++) {
        dstr_addf(&text, "%s%s", i > 0 ? "|" : "", l->v[i].ST_name);
        cull_clear(&cull_ST_Type, &l->v[i]);
    }
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
    free(l->v);
}

static void expect_reasons(struct fixture *f, uint32_t number, const char *expected)
{
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    assert_true(reasons_of_job(&f->q, fixture_job(f, number), &search, &reasons));
    expect_texts(&reasons, expected);
}

/* scheduling info: found out when it is asked for */
static void a_job_says_why_it_waits(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-2"), b = submit(f, .tasks = "1-2", .ad = "A"),
             c = submit(f);
    expect_reasons(f, a, "");
    expect_reasons(f, b,
                   "job dropped because of hold state or job dependencies|"
                   "qstat -j 2.1 -why shows what that task waits for");
    cull_set(&fixture_job(f, c)->rec, JB_execution_time, f->q.now_s + 60);
    expect_reasons(f, c, "job dropped because its start time (-a) has not come");
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 1u);
    fixture_start(f, a, 1);
    expect_reasons(f, a,
                   "job dropped because it has reached its limit of 1 concurrent tasks (-tc)");
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 0u);
    cull_set(&fixture_queue(f)->rec, QU_state, (uint32_t)QI_DISABLED);
    expect_reasons(f, a,
                   "queue instance \"all.q@node1\" dropped because it is disabled|All queues "
                   "dropped because of overload or full");
    cull_set(&fixture_queue(f)->rec, QU_state, 0u);
    fixture_start(f, a, 2);
    expect_reasons(f, a, ""); /* all of it runs */
}

/* what -why says of a task, but for the tasks it waits for */
static void expect_why(struct fixture *f, uint32_t number, uint32_t ordinal, const char *expected)
{
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    assert_true(reasons_of_task(&f->q, fixture_job(f, number), ordinal, &search, &reasons));
    expect_texts(&reasons, expected);
}

static void hold_tasks(struct fixture *f, uint32_t number, unsigned kinds, bool is_on)
{
    struct range_set all = { 0 };
    range_set_add(&all, 0, 0);
    (void)job_set_hold(&f->q, fixture_job(f, number), kinds, is_on, &all, NULL);
    range_set_free(&all);
}

static void why_of_a_task_knows_every_kind_of_cause(void **state)
{
    struct fixture *f = *state;
    static const char disabled[] =
        "queue instance \"all.q@node1\" dropped because it is disabled|All "
        "queues dropped because of overload or full";
    uint32_t a = submit(f, .name = "A", .tasks = "1-3"), s = submit(f);
    uint32_t b = submit(f, .tasks = "1-3", .ad = "A");
    expect_why(f, a, 0, "no scheduler is connected; see the messages file of the qmaster");
    fixture_register_scheduler(f);
    expect_why(f, a, 0, "no reason found: it can start");
    expect_why(f, b, 0, ""); /* but the tasks of A */
    hold_tasks(f, a, MINUS_H_TGT_USER | MINUS_H_TGT_OPERATOR | MINUS_H_TGT_SYSTEM, true);
    expect_why(f, a, 0,
               "user hold; release with qrls 1.1|operator hold; release with qrls -h o 1.1|"
               "system hold; release with qrls -h s 1.1");
    hold_tasks(f, a, MINUS_H_TGT_USER | MINUS_H_TGT_OPERATOR | MINUS_H_TGT_SYSTEM, false);
    hold_tasks(f, s, MINUS_H_TGT_USER, true);
    expect_why(f, s, 0, "user hold; release with qrls 2");
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 1u);
    fixture_start(f, a, 1);
    expect_why(f, a, 0, "being started in queue instance \"all.q@node1\"");
    fixture_report(f, a, 1, REPORT_STARTED, 0);
    expect_why(f, a, 0, "running in queue instance \"all.q@node1\"");
    expect_why(f, a, 1, "job dropped because it has reached its limit of 1 concurrent tasks (-tc)");
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 0u);
    f->q.settings.max_aj_instances = 1;
    expect_why(f, a, 1,
               "job dropped because it has reached its limit of 1 concurrent tasks "
               "(max_aj_instances of the configuration)");
    f->q.settings.max_aj_instances = 0;
    cull_set(&fixture_queue(f)->rec, QU_state, (uint32_t)QI_DISABLED);
    expect_why(f, a, 1, disabled);
    expect_why(f, b, 1, disabled);
    cull_set(&fixture_queue(f)->rec, QU_state, (uint32_t)QI_ERROR);
    expect_why(f, a, 1,
               "queue instance \"all.q@node1\" dropped because it is in error state|All queues "
               "dropped because of overload or full");
    cull_set(&fixture_queue(f)->rec, QU_state, 0u);
    uint64_t conn = fixture_queue(f)->host->conn;
    fixture_queue(f)->host->conn = 0; /* its execd is away */
    expect_why(f, a, 1,
               "queue instance \"all.q@node1\" dropped because it is temporarily not available|All "
               "queues dropped because of overload or full");
    fixture_queue(f)->host->conn = conn;
}

/* three jobs to wait for, of which the first fills the answer */
static void why_of_a_task_says_once_that_it_waits_for_more(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .name = "A", .tasks = "1-10001");
    submit(f, .name = "B", .tasks = "1-10001");
    submit(f, .name = "C");
    uint32_t d = submit(f, .name = "D", .jid = "A,B,C");
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_job_number, d);
    assert_true(fixture_ask(f, "alice", why_request, &gr));
    assert_string_equal(dstr_get(&f->said),
                        "it waits for more than the 10000 tasks that are shown");
}

static void why_of_a_task_in_error_says_the_reason(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-3");
    fixture_start(f, a, 1);
    fixture_report(f, a, 1, REPORT_ENDED, TASK_FAILED_OPEN_OUTPUT);
    cull_set(&fixture_task(f, a, 1)->rec, JAT_error_reason, "cannot open /gone/out");
    expect_reasons(f, a, "1 of its tasks are in error state; clear with: qmod -cj 1");
    expect_why(f, a, 0, "in error state; clear with qmod -cj 1.1: cannot open /gone/out");
}

static void a_task_that_waits_before_it_starts_again_is_a_reason(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    struct range_set *delayed = &job_rare(fixture_job(f, a))->delayed;
    if (range_set_is_empty(delayed)) /* the first put-back may start again at once */
        range_set_add(delayed, 0, 0);
    expect_reasons(f, a, "1 of its tasks were rescheduled and cannot start yet");
}

static void reasons_are_told_when_the_scheduler_configuration_says_so(void **state)
{
    struct fixture *f = *state;
    submit(f);
    for (int is_on = 0; is_on < 2; is_on++) {
        struct heard h = { 0 };
        set_job_info(f, is_on ? "true" : "false");
        ask_for_job(f, GDI_WITH_ENV | GDI_WITH_REASONS, "1", NULL);
        hear_all(f, &h);
        assert_true(h.is_complete);
        assert_int_equal(h.all.GA_jobs.n, 1);
        assert_int_equal(cull_has(&h.all, GA_reasons), is_on);
        forget_heard(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_job_says_why_it_waits),
        TEST(why_of_a_task_knows_every_kind_of_cause),
        TEST(why_of_a_task_says_once_that_it_waits_for_more),
        TEST(why_of_a_task_in_error_says_the_reason),
        TEST(a_task_that_waits_before_it_starts_again_is_a_reason),
        TEST(reasons_are_told_when_the_scheduler_configuration_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
