/* Reads of jobs: parts that are bounded, pauses for slow clients, and scripts that have to be
 * fetched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "daemons/qmaster/test/read_asks.h"
#include "libs/task/task_dir.h"

enum { LOTS = 100 * 1024 * 1024 };

static void many_jobs_come_in_parts(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    for (int i = 0; i < 1000; i++)
        submit(f, .name = "J");
    fixture_commit(f);
    ask_for_job(f, 0, NULL, NULL);
    assert_true(work_step(&f->q)); /* one part a turn, and there is more */
    hear_answers(f, &h);
    assert_int_equal(h.parts, 1);
    assert_in_range(h.all.GA_jobs.n, 1, 500);
    assert_false(h.is_complete);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 1000);
    for (uint32_t i = 1; i < h.all.GA_jobs.n; i++)
        assert_true(h.all.GA_jobs.v[i - 1].JB_job_number < h.all.GA_jobs.v[i].JB_job_number);
    forget_heard(&h);
}

static void a_cell_without_jobs_answers_too(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    ask_for_job(f, GDI_WITH_TASKS, NULL, NULL);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 0);
    forget_heard(&h);
}

static void only_what_was_asked_for_is_sent(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    submit(f, .name = "J");
    ask_for_job(f, 0, NULL, "JB_owner");
    hear_all(f, &h);
    const struct JB_Type *job = &h.all.GA_jobs.v[0];
    assert_string_equal(job->JB_owner, "alice");
    assert_true(cull_has(job, JB_job_number));
    assert_false(cull_has(job, JB_job_name));
    forget_heard(&h);
}

/* N tasks of a new job become records */
static uint32_t with_records(struct fixture *f, uint32_t n)
{
    uint32_t job = submit(f, .name = "R", .tasks = "1-9000");
    for (uint32_t i = 1; i <= n; i++)
        fixture_run(f, job, i, TASK_FAILED_APPERROR);
    return job;
}

static void many_tasks_of_a_job_come_in_parts(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    uint32_t a = with_records(f, 9000), b = submit(f, .name = "B");
    ask_for_job(f, GDI_WITH_TASKS, NULL, NULL);
    hear_all(f, &h);
    assert_true(h.is_complete && h.parts > 2);
    assert_int_equal(h.all.GA_tasks.n, 9000);
    for (uint32_t i = 0; i < 9000; i++)
        assert_int_equal(h.all.GA_tasks.v[i].JAT_task_number, i + 1);
    assert_string_equal(h.all.GA_jobs.v[0].JB_job_name, "R"); /* whole the first time */
    assert_int_equal(h.all.GA_jobs.v[0].JB_job_number, a);
    assert_string_equal(h.all.GA_jobs.v[h.all.GA_jobs.n - 1].JB_job_name, "B");
    assert_int_equal(h.all.GA_jobs.v[h.all.GA_jobs.n - 1].JB_job_number, b);
    forget_heard(&h);
}

/* what DRMAA asks about one task costs as much as that task */
static void of_tasks_that_are_named_there_are_no_other_records(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    struct request r = { .from = fixture_connection(f, "alice"), .serial = SERIAL };
    with_records(f, 20);
    cull_set(&r.gr, GR_options, (uint32_t)GDI_WITH_TASKS);
    fixture_name(&r.gr, "1.7-9000:4"); /* 7 11 15 19, and those that have no record */
    fixture_name(&r.gr, "1.9500");     /* is not there */
    get_jobs_request(&f->q, &r);
    request_clear(&r);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_tasks.n, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(h.all.GA_tasks.v[i].JAT_task_number, 7 + 4 * i);
    forget_heard(&h);
}

static void a_job_that_ends_between_its_parts_does_not_hide_the_next(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    with_records(f, 5000);
    submit(f, .name = "B", .owner = "bob");
    ask_for_job(f, GDI_WITH_TASKS, NULL, NULL);
    assert_true(work_step(&f->q));
    fixture_delete(f, "alice", "R");
    hear_all(f, &h);
    assert_true(h.is_complete);
    const struct JB_Type *last = &h.all.GA_jobs.v[h.all.GA_jobs.n - 1];
    assert_true(cull_has(last, JB_job_name));
    assert_string_equal(last->JB_job_name, "B");
    forget_heard(&h);
}

static void a_client_that_does_not_read_is_not_written_to(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    for (int i = 0; i < 1000; i++)
        submit(f, .name = "J");
    fixture_commit(f);
    ask_for_job(f, 0, NULL, NULL);
    f->queued = LOTS;
    while (work_step(&f->q))
        ;
    hear_answers(f, &h);
    assert_int_equal(h.parts, 0); /* no part is made until it has read */
    f->queued = 0;
    lane_drained(fixture_connection(f, "alice")->lane);
    hear_all(f, &h);
    assert_true(h.is_complete);
    forget_heard(&h);
}

static void a_client_that_goes_ends_its_read(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    for (int i = 0; i < 1000; i++)
        submit(f, .name = "J");
    ask_for_job(f, 0, NULL, NULL);
    assert_true(work_step(&f->q));
    fixture_hang_up(f, "alice");
    assert_false(work_is_due(&f->q));
    forget_heard(&h);
}

static void the_script_is_fetched_when_it_is_not_in_memory(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    submit(f, .name = "J", .script = "echo hello\n");
    fixture_commit(f);
    ask_for_job(f, GDI_WITH_ENV, "1", NULL);
    hear_all(f, &h);
    assert_string_equal(h.all.GA_jobs.v[0].JB_script_ptr, "echo hello\n");
    forget_heard(&h);
    fixture_restart(f); /* nothing is in memory now */
    ask_for_job(f, GDI_WITH_ENV, "1", NULL);
    assert_true(work_step(&f->q));
    assert_false(work_is_due(&f->q)); /* its script is being read */
    hear_answers(f, &h);
    assert_int_equal(h.parts, 0);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_string_equal(h.all.GA_jobs.v[0].JB_script_ptr, "echo hello\n");
    forget_heard(&h);
}

static void expect_script(struct fixture *f, const char *user, bool is_shown)
{
    struct heard h = { 0 };
    ask_as(f, user, GDI_WITH_ENV, "1", NULL);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 1);
    assert_string_equal(h.all.GA_jobs.v[0].JB_job_name, "J");
    assert_int_equal(h.all.GA_jobs.v[0].JB_script_ptr != NULL, is_shown);
    forget_heard(&h);
}

static void script_and_environment_are_for_those_who_may_change_the_job(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "J", .script = "token=secret\n");
    fixture_commit(f);
    for (int round = 0; round < 2; round++) { /* from memory, and from the spool */
        expect_script(f, "mallory", false);
        expect_script(f, "alice", true);
        expect_script(f, "boss", true);
        expect_script(f, "root", true);
        fixture_restart(f);
    }
}

static void a_read_does_not_wait_for_the_script_of_a_job_that_has_gone(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    submit(f, .name = "J", .script = "echo hello\n");
    fixture_commit(f);
    fixture_restart(f);
    ask_for_job(f, GDI_WITH_ENV, "1", NULL);
    assert_true(work_step(&f->q));
    assert_false(work_is_due(&f->q)); /* its script is being read */
    fixture_delete(f, "alice", "1");
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 0);
    forget_heard(&h);
}

static void files_that_are_not_on_disk_yet_stay_in_memory(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "first", .script = "echo first\n");
    f->q.file_cache.bytes += LOTS; /* as if many large scripts had come */
    submit(f, .name = "second", .script = "echo second\n");
    assert_non_null(fixture_job(f, 1)->files);
    fixture_commit(f);
    submit(f, .name = "third", .script = "echo third\n");
    assert_null(fixture_job(f, 1)->files); /* now it can be read again when it is wanted */
    f->q.file_cache.bytes -= LOTS;
}

static void a_part_ends_when_its_jobs_are_large(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    char *text = uti_calloc(1, (3 << 20) + 1);
    memset(text, 'x', 3 << 20);
    for (int i = 0; i < 7; i++) {
        struct job *job = fixture_job(f, submit(f));
        struct ST_Type *arg = cull_append(&job->rec, JB_job_args);
        cull_set(arg, ST_name, text);
    }
    free(text);
    fixture_commit(f);
    ask_for_job(f, 0, NULL, NULL);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 7);
    assert_int_equal(h.parts, 3); /* of 3, 3 and 1: 8 MiB, or a job more */
    cull_clear(&cull_GA_Type, &h.all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(many_jobs_come_in_parts),
        TEST(a_cell_without_jobs_answers_too),
        TEST(only_what_was_asked_for_is_sent),
        TEST(many_tasks_of_a_job_come_in_parts),
        TEST(of_tasks_that_are_named_there_are_no_other_records),
        TEST(a_job_that_ends_between_its_parts_does_not_hide_the_next),
        TEST(a_client_that_does_not_read_is_not_written_to),
        TEST(a_client_that_goes_ends_its_read),
        TEST(the_script_is_fetched_when_it_is_not_in_memory),
        TEST(script_and_environment_are_for_those_who_may_change_the_job),
        TEST(a_read_does_not_wait_for_the_script_of_a_job_that_has_gone),
        TEST(files_that_are_not_on_disk_yet_stay_in_memory),
        TEST(a_part_ends_when_its_jobs_are_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
