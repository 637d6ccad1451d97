/* Requests that mean many jobs: done in steps, each a part of the answer, with everybody else's
 * requests in between. */
#include "daemons/qmaster/requests/steps/steps.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/task/task_dir.h"

enum { MANY = 2 * STEP_WORK + 200 };

static void submit_many(struct fixture *f)
{
    for (unsigned i = 0; i < MANY; i++)
        submit(f, .name = "J");
    fixture_commit(f);
    fixture_forget_sent(f);
}

/* the texts in what alice was answered, part by part: "400 400 200." with a full stop for the
 * last */
static const char *text_parts(struct fixture *f, const char *user)
{
    uint64_t conn = fixture_connection(f, user)->conn;
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct GA_Type ga = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].conn != conn || f->sent[i].kind != GDI_FRAME_ANSWER)
            continue;
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &ga, NULL), 0);
        dstr_addf(&f->said, "%s%u%s", f->said.len > 0 ? " " : "", ga.GA_answers.n,
                  ga.GA_is_last ? "." : "");
        cull_clear(&cull_GA_Type, &ga);
    }
    return dstr_get(&f->said);
}

static void many_are_deleted_in_steps(void **state)
{
    struct fixture *f = *state;
    submit_many(f);
    fixture_delete(f, "alice", "J*");
    assert_int_equal(f->q.jobs.n, MANY - STEP_WORK);
    uint32_t later = submit(f, .name = "J"); /* asked for in between: it was not meant */
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, 1);
    fixture_job(f, later);
    assert_string_equal(text_parts(f, "alice"), "400 400 200.");
}

static void a_step_waits_for_the_batch_of_the_one_before(void **state)
{
    struct fixture *f = *state;
    submit_many(f);
    fixture_delete(f, "alice", "J*");
    waiting_on_commit(&f->q);
    assert_false(work_step(&f->q));
    assert_int_equal(f->q.jobs.n, MANY - STEP_WORK);
    assert_string_equal(text_parts(f, "alice"), ""); /* nothing is said before it is durable */
    fixture_turn(f);
    assert_int_equal(f->q.jobs.n, MANY - 2 * STEP_WORK);
    assert_string_equal(text_parts(f, "alice"), "400");
    fixture_commit(f);
}

static void a_kill_between_steps_keeps_what_was_said(void **state)
{
    struct fixture *f = *state;
    submit_many(f);
    fixture_delete(f, "alice", "J*");
    fixture_turn(f);
    fixture_restart(f);
    assert_int_equal(f->q.jobs.n, MANY - STEP_WORK);
}

static void an_interrupted_client_leaves_the_rest(void **state)
{
    struct fixture *f = *state;
    submit_many(f);
    fixture_delete(f, "alice", "J*");
    fixture_hang_up(f, "alice");
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, MANY - STEP_WORK);
}

static void a_step_counts_task_records(void **state)
{
    struct fixture *f = *state;
    for (unsigned job = 1; job <= 5; job++) {
        submit(f, .tasks = "1-99");
        for (unsigned task = 1; task <= 99; task++)
            fixture_run(f, job, task, TASK_FAILED_APPERROR);
    }
    fixture_commit(f);
    fixture_delete(f, "alice", "J");
    assert_int_equal(f->q.jobs.n, 1); /* 4 jobs with 99 records each fill a step */
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, 0);
}

static void many_are_altered_in_steps(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit_many(f);
    fixture_name(&gr, "J");
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_job_name, "K");
    fixture_ask(f, "alice", alter_request, &gr);
    assert_string_equal(fixture_job(f, STEP_WORK)->rec.JB_job_name, "K");
    assert_string_equal(fixture_job(f, STEP_WORK + 1)->rec.JB_job_name, "J");
    fixture_commit(f);
    assert_string_equal(fixture_job(f, MANY)->rec.JB_job_name, "K");
    assert_string_equal(text_parts(f, "alice"), "400 400 200.");
}

static void act_as(struct fixture *f, uint32_t action, const char *const *what, size_t n)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_action, action);
    for (size_t i = 0; i < n; i++)
        fixture_name(&gr, what[i]);
    fixture_ask(f, "boss", act_request, &gr);
}

static void actions_answer_in_the_order_of_the_command_line(void **state)
{
    static const char *const mixed[] = { "none", "2", "all.q", "1", "nothing" };
    struct fixture *f = *state;
    submit(f);
    submit(f);
    fixture_start(f, 1, 1);
    fixture_start(f, 2, 1);
    act_as(f, GDI_ACT_SUSPEND, mixed, ARRAY_LEN(mixed));
    assert_string_equal(dstr_get(&f->said),
                        "invalid queue or job \"none\"\n"
                        "boss - suspended job 2\n"
                        "boss@node1 changed state of \"all.q@node1\" (suspended)\n"
                        "boss - suspended job 1\n"
                        "invalid queue or job \"nothing\"");
}

static void many_are_acted_on_in_steps(void **state)
{
    static const char *const mixed[] = { "none", "J", "nothing" };
    struct fixture *f = *state;
    submit_many(f);
    act_as(f, GDI_ACT_RESCHEDULE, mixed, ARRAY_LEN(mixed));
    fixture_commit(f);
    assert_string_equal(text_parts(f, "boss"), "400 400 202.");
}

enum { PAIRS = 450 };

/* A job and one that waits for it, many times; the first step of a delete reaches the first ones
 * only. */
static void submit_pairs(struct fixture *f)
{
    char first[16];
    for (unsigned i = 0; i < PAIRS; i++) {
        snprintf(first, sizeof first, "%u", submit(f, .name = "J"));
        submit(f, .name = "J", .jid = first);
    }
    fixture_commit(f);
}

static unsigned count_startable(struct fixture *f)
{
    unsigned n = 0;
    for (struct job *job = jobs_at_or_after(&f->q.jobs, 0); job != NULL;
         job = jobs_next(&f->q.jobs, job))
        n += job_is_startable(job, 0) && job->rec.JB_jid_predecessor_list.n == 0;
    return n;
}

static void a_pipeline_that_is_deleted_starts_nothing(void **state)
{
    struct fixture *f = *state;
    submit_pairs(f);
    assert_int_equal(count_startable(f), PAIRS);
    fixture_delete(f, "alice", "J*");
    assert_int_equal(f->q.jobs.n, 2 * PAIRS - STEP_WORK);
    assert_int_equal(count_startable(f), 0);
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, 0);
}

static void what_an_interrupted_delete_leaves_may_start(void **state)
{
    struct fixture *f = *state;
    submit_pairs(f);
    fixture_delete(f, "alice", "J*");
    fixture_hang_up(f, "alice");
    assert_int_equal(f->q.jobs.n, 2 * PAIRS - STEP_WORK);
    assert_int_equal(count_startable(f), PAIRS - STEP_WORK / 2);
    fixture_commit(f);
    fixture_restart(f); /* and nothing of it is on disk */
    assert_int_equal(count_startable(f), PAIRS - STEP_WORK / 2);
}

static void a_delete_that_is_denied_holds_nothing_up(void **state)
{
    static const char *const ids[] = { "1", "2", "3" };
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
        submit(f, .name = "J");
        fixture_name(&gr, ids[i]);
    }
    fixture_ask(f, "bob", delete_request, &gr);
    assert_int_equal(count_startable(f), ARRAY_LEN(ids));
}

static void a_job_with_many_records_is_deleted_in_steps(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f, .tasks = "1-1000");
    for (unsigned task = 1; task <= 1000; task++)
        fixture_run(f, job, task, TASK_FAILED_APPERROR);
    fixture_commit(f);
    fixture_forget_sent(f);
    fixture_delete(f, "alice", "J");
    assert_int_equal(fixture_job(f, job)->rare->n_records, 1000 - STEP_WORK - 1);
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, 0);
    assert_string_equal(text_parts(f, "alice"),
                        "0 0 1."); /* what became of it is said at the end */
}

/* ---- the steps themselves ---- */
static unsigned n_first, n_second, n_third; /* how often each was entered */

static enum step_result wait_first(struct qmaster *q, struct request *r)
{
    (void)q;
    n_first++;
    ans_info(&r->ans, "first %u", n_first);
    return n_first < 3 ? STEP_WAIT_SLICE : STEP_NEXT;
}

static enum step_result end_second(struct qmaster *q, struct request *r)
{
    (void)q;
    n_second++;
    assert_true(r->has_waited);
    return STEP_LAST;
}

static enum step_result count_third(struct qmaster *q, struct request *r)
{
    (void)q;
    (void)r;
    n_third++;
    return STEP_NEXT;
}

static void run_as_alice(struct fixture *f, step_fn *const *steps)
{
    struct request r = { .from = fixture_connection(f, "alice"), .serial = 7 };
    n_first = n_second = n_third = 0;
    request_run(&f->q, &r, steps);
    assert_true(r.is_answered_later);
}

static void a_step_that_waits_is_entered_again_and_the_last_skips_the_rest(void **state)
{
    static step_fn *const steps[] = { wait_first, end_second, count_third, NULL };
    struct fixture *f = *state;
    run_as_alice(f, steps);
    assert_int_equal(n_first, 1);
    fixture_commit(f);
    assert_int_equal(n_first, 3);
    assert_int_equal(n_second, 1);
    assert_int_equal(n_third, 0);
    assert_string_equal(text_parts(f, "alice"), "3."); /* one answer, with the texts of all */
}

static enum step_result ask_first(struct qmaster *q, struct request *r)
{
    n_first++;
    r->awaited = r->from->who.uid;
    net_ask_owner(q->net, r->from->who.uid);
    return STEP_WAIT_OWNER;
}

static enum step_result see_second(struct qmaster *q, struct request *r)
{
    (void)q;
    n_second++;
    assert_string_equal(request_who(r)->user, "alice");
    assert_non_null(r->owner.user);
    return STEP_NEXT;
}

static void after_a_lookup_the_next_step_follows(void **state)
{
    static step_fn *const steps[] = { ask_first, see_second, count_third, NULL };
    struct fixture *f = *state;
    run_as_alice(f, steps);
    fixture_commit(f);
    assert_int_equal(n_first, 1);
    assert_int_equal(n_second, 1);
    assert_int_equal(n_third, 1);
}

static void a_request_whose_connection_ends_enters_no_step(void **state)
{
    static step_fn *const steps[] = { wait_first, end_second, NULL };
    struct fixture *f = *state;
    run_as_alice(f, steps);
    fixture_hang_up(f, "alice");
    fixture_commit(f);
    assert_int_equal(n_first, 1);
    assert_int_equal(n_second, 0);
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(many_are_deleted_in_steps),
        TEST(a_step_waits_for_the_batch_of_the_one_before),
        TEST(a_kill_between_steps_keeps_what_was_said),
        TEST(an_interrupted_client_leaves_the_rest),
        TEST(a_step_counts_task_records),
        TEST(many_are_altered_in_steps),
        TEST(actions_answer_in_the_order_of_the_command_line),
        TEST(many_are_acted_on_in_steps),
        TEST(a_pipeline_that_is_deleted_starts_nothing),
        TEST(what_an_interrupted_delete_leaves_may_start),
        TEST(a_delete_that_is_denied_holds_nothing_up),
        TEST(a_job_with_many_records_is_deleted_in_steps),
        TEST(a_step_that_waits_is_entered_again_and_the_last_skips_the_rest),
        TEST(after_a_lookup_the_next_step_follows),
        TEST(a_request_whose_connection_ends_enters_no_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
