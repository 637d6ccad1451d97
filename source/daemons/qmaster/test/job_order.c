/* Which jobs an answer shows, and in what order: found without a look at the others, ranked in
 * slices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "daemons/qmaster/test/read_asks.h"
#include "libs/sched/policy/prior.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_report.h"

static void who_has_few_jobs_need_not_wait_for_a_look_at_all(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    uint32_t first = submit(f, .owner = "bob", .name = "b");
    for (int i = 0; i < 100; i++)
        submit(f, .name = "J");
    uint32_t gone = submit(f, .owner = "bob", .name = "a");
    uint32_t last = submit(f, .owner = "bob", .name = "a");
    fixture_commit(f);
    f->q.slice_until_us = 1; /* each slice is over at once: it looks at one job */
    ask_states(f, 0, "bob", NULL);
    work_step(&f->q);
    f->q.slice_until_us = 0;
    char number[16];
    snprintf(number, sizeof number, "%u", gone);
    fixture_delete(f, "bob", number);
    fixture_commit(f);
    f->q.slice_until_us = 1;
    for (int i = 0; i < 2; i++)
        work_step(&f->q);
    hear_answers(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 2);
    assert_int_equal(h.all.GA_jobs.v[0].JB_job_number, first);
    assert_int_equal(h.all.GA_jobs.v[1].JB_job_number, last);
    forget_heard(&h);
    ask_states(f, 0, "nobody_here", NULL);
    work_step(&f->q);
    hear_answers(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 0);
    forget_heard(&h);
}

static void what_runs_is_found_without_a_look_at_what_waits(void **state)
{
    struct fixture *f = *state;
    uint32_t running[3];
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t job = submit(f, .owner = i < 200 ? "alice" : "bob", .name = "J");
        if (i % 100 == 50)
            fixture_start(f, running[i / 100] = job, 1);
    }
    fixture_commit(f);
    f->q.slice_until_us = 1; /* each slice looks at one job */
    ask_states(f, GDI_WITH_TASKS, NULL, "rs");
    for (int i = 0; i < 3; i++)
        assert_true(work_step(&f->q));
    f->q.slice_until_us = 0;
    EXPECT_JOBS(f, running[0], running[1], running[2]);
    ask_states(f, GDI_WITH_TASKS, "bob", "r");
    EXPECT_JOBS(f, running[2]);
    ask_states(f, GDI_WITH_TASKS, "*o*", "r"); /* a pattern */
    EXPECT_JOBS(f, running[2]);
    fixture_report(f, running[2], 1, REPORT_ENDED, 0);
    ask_states(f, GDI_WITH_TASKS, NULL, "r");
    EXPECT_JOBS(f, running[0], running[1]);
    fixture_restart(f);
    ask_states(f, GDI_WITH_TASKS, NULL, "rs");
    EXPECT_JOBS(f, running[0], running[1]);
}

static void a_ranked_answer_has_first_what_runs_then_what_could_run(void **state)
{
    struct fixture *f = *state;
    uint32_t held = submit(f, .name = "held"), a = submit(f, .name = "a"),
             after = submit(f, .name = "after", .jid = "a"),
             half = submit(f, .name = "half", .tasks = "1-10"), b = submit(f, .name = "b");
    assert_true(fixture_hold(f, "alice", "held", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_true(fixture_hold(f, "alice", "4.2-10", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    fixture_start(f, b, 1);
    ask_states(f, GDI_RANKED, NULL, "");
    EXPECT_JOBS(f, b, a, half, held, after);
    ask_states(f, GDI_RANKED, "alice", "");
    EXPECT_JOBS(f, b, a, half, held, after);
    ask_states(f, GDI_RANKED, "nobody_here", "");
    expect_jobs(f, NULL, 0);
}

static void hear_first(struct fixture *f, struct GA_Type *part)
{
    while (work_step(&f->q))
        ;
    fixture_commit(f);
    struct unpacker u = unpacker_over(f->sent[0].body, f->sent[0].len);
    assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, part, NULL), 0);
    fixture_forget_sent(f);
}

/* ORDER_PRIOR as the scheduler sends it: urgencies from those of the oldest to those of the
 * newest */
static void say_terms(struct fixture *f, uint64_t oldest_s, uint64_t newest_s)
{
    struct OR_Type order = { 0 };
    cull_set(&order, OR_kind, (uint32_t)ORDER_PRIOR);
    struct PT_Type *terms = cull_append(&order, OR_terms);
    const double slot = 1000; /* its urgency in a new cell */
    cull_set(terms, PT_weight_ticket, 0.5);
    cull_set(terms, PT_weight_urgency, 0.5);
    cull_set(terms, PT_weight_waiting_time, 1);
    cull_set(terms, PT_lowest_urgency, slot - (double)newest_s);
    cull_set(terms, PT_highest_urgency, slot - (double)oldest_s);
    assert_int_equal(prior_take(events_prior(&f->q), &order, NULL), 0);
    cull_clear(&cull_OR_Type, &order);
}

/* GET of all, ranked, with the priority of each job */
static void ask_priors(struct fixture *f, struct GA_Type *part)
{
    ask_for_job(f, GDI_RANKED, NULL, "PF_prior");
    hear_first(f, part);
}

static void a_ranked_answer_has_the_priority_of_each_active_job(void **state)
{
    struct fixture *f = *state;
    struct GA_Type part = { 0 };
    uint64_t began_s = f->q.now_s;
    submit(f, .name = "a");
    f->q.now_s = began_s + 100;
    submit(f, .name = "b");
    submit(f, .name = "after", .jid = "a");
    say_terms(f, began_s, began_s + 100);
    ask_priors(f, &part);
    assert_true(part.GA_is_ranked && part.GA_rest_waits);
    assert_int_equal(part.GA_priors.n, 3);
    assert_int_equal(part.GA_priors.v[0].PF_jobs, 1);
    assert_true(part.GA_priors.v[0].PF_prior == 0.75 && part.GA_priors.v[1].PF_prior == 0.25);
    assert_false(cull_has(&part.GA_priors.v[1], PF_nurg)); /* nobody asked for it */
    assert_false(cull_has(&part.GA_priors.v[2], PF_prior));
    cull_clear(&cull_GA_Type, &part);
    f->q.now_s = began_s + 50; /* the clock was set back: numbers and ages differ */
    submit(f, .name = "c");
    ask_priors(f, &part);
    assert_false(part.GA_is_ranked);
    cull_clear(&cull_GA_Type, &part);
    for (int i = 0; i < 3; i++) /* in the same second, behind the last one that could run */
        submit(f, .name = "same");
    ask_priors(f, &part);
    assert_int_equal(part.GA_jobs.n, 7);
    assert_int_equal(part.GA_priors.n, 4);
    assert_int_equal(part.GA_priors.v[2].PF_jobs, 4);
    assert_int_equal(part.GA_priors.v[3].PF_jobs, 1);
    cull_clear(&cull_GA_Type, &part);
    ask_states(f, GDI_RANKED, NULL, "");
    hear_first(f, &part);
    assert_int_equal(part.GA_priors.n, 0); /* not asked for */
    cull_clear(&cull_GA_Type, &part);
}

/* Each slice ranks one job, or shows one; jobs go meanwhile, and come. */
static void a_ranked_answer_in_many_slices_shows_each_job_once(void **state)
{
    struct fixture *f = *state;
    uint32_t jobs[5];
    for (uint32_t i = 0; i < 5; i++)
        jobs[i] = submit(f, .name = i == 2 ? "gone" : "J");
    fixture_commit(f);
    f->q.slice_until_us = 1;
    ask_states(f, GDI_RANKED, NULL, "");
    for (int i = 0; i < 6; i++)
        assert_true(work_step(&f->q));
    f->q.slice_until_us = 0;
    fixture_delete(f, "alice", "gone");
    fixture_start(f, jobs[3], 1);
    submit(f, .name = "late");
    f->q.slice_until_us = 1;
    EXPECT_JOBS(f, jobs[0], jobs[1], jobs[3], jobs[4]);
    f->q.slice_until_us = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(who_has_few_jobs_need_not_wait_for_a_look_at_all),
        TEST(what_runs_is_found_without_a_look_at_what_waits),
        TEST(a_ranked_answer_has_first_what_runs_then_what_could_run),
        TEST(a_ranked_answer_has_the_priority_of_each_active_job),
        TEST(a_ranked_answer_in_many_slices_shows_each_job_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
