/* Plans of what a job is to wait for: which jobs words mean, in which order, and what happens while
 * a plan is being made. */
#include "daemons/qmaster/jobs/depend_plan.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/shares.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/depend_words.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"

enum { MANY = DEPEND_STEP_WORK + 100 }; /* more than a step finds */

static const struct JRE_Type_list *predecessors_of(struct fixture *f, uint32_t job)
{
    return &fixture_job(f, job)->rec.JB_jid_predecessor_list;
}

/* the predecessors of JOB, as qstat -j has them; borrowed till the next call */
static const char *waits_for(struct fixture *f, uint32_t job)
{
    const struct JRE_Type_list *l = predecessors_of(f, job);
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < l->n; i++)
        dstr_addf(&f->said, "%s%u", i > 0 ? "," : "", l->v[i].JRE_job_number);
    return dstr_get(&f->said);
}

static uint32_t submit_many(struct fixture *f)
{
    uint32_t first = submit(f, .name = "A");
    for (uint32_t i = 1; i < MANY; i++)
        submit(f, .name = "A");
    fixture_commit(f);
    return first;
}

/* ---- what words mean ---- */
static void predecessors_have_the_order_in_which_they_were_asked_for(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 6; i++)
        submit(f, .name = i % 2 ? "odd" : "even"); /* even: 1, 3, 5 */
    assert_string_equal(waits_for(f, submit(f, .name = "N", .jid = "5,2,4")), "5,2,4");
    assert_string_equal(waits_for(f, submit(f, .name = "N", .jid = "odd,1")), "2,4,6,1");
    assert_string_equal(waits_for(f, submit(f, .name = "N", .jid = "4,o*,5,e*,4")), "4,2,6,5,1,3");
    assert_string_equal(waits_for(f, submit(f, .name = "N", .jid = "[eo]*,3")), "1,2,3,4,5,6");
    uint32_t b = submit(f, .name = "N", .jid = "6,1");
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(waits_for(f, b), "6,1");
    fixture_delete(f, "alice", "6");
    assert_string_equal(waits_for(f, b), "1");
}

static void more_of_them_are_by_number(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i <= LINKS_FEW; i++)
        submit(f, .name = "A");
    uint32_t b = submit(f, .name = "B", .jid = "9,A");
    fixture_commit(f);
    assert_int_equal(predecessors_of(f, b)->n, LINKS_FEW + 1);
    assert_int_equal(predecessors_of(f, b)->v[0].JRE_job_number, 1);
    assert_int_equal(predecessors_of(f, b)->v[8].JRE_job_number, 9);
}

static void an_exclamation_mark_means_all_other_jobs(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "a");
    submit(f, .name = "b");
    submit(f, .name = "c");
    assert_string_equal(waits_for(f, submit(f, .name = "N", .jid = "!a")), "2,3");
    assert_string_equal(waits_for(f, submit(f, .name = "N", .jid = "!(a|N)&!b")), "3");
}

static void names_that_mean_no_job_are_named_once(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "A");
    uint32_t b = submit(f, .name = "B", .jid = "A,nosuch,x*,A*,7,?");
    assert_string_equal(dstr_get(&f->said),
                        "warning: -hold_jid: no job matches \"nosuch\", \"x*\"");
    assert_string_equal(waits_for(f, b), "1");
    assert_int_not_equal(submit(f, .name = "C", .jid = "A,[AB],B*"), 0);
    assert_string_equal(dstr_get(&f->said), "");
}

static void a_list_has_so_many_patterns_at_most(void **state)
{
    struct fixture *f = *state;
    struct dstr words = DSTR_INIT;
    submit(f, .name = "A");
    for (unsigned i = 0; i < DEPEND_PATTERNS_MOST; i++)
        dstr_addf(&words, "%sB%u*", i > 0 ? "," : "", i);
    assert_int_not_equal(submit(f, .name = "C", .jid = dstr_get(&words)), 0);
    dstr_add(&words, ",1,A"); /* ids and names do not count */
    uint32_t last = submit(f, .name = "C", .jid = dstr_get(&words));
    assert_string_equal(waits_for(f, last), "1");
    dstr_add(&words, ",x?");
    char *before = fixture_picture(f);
    assert_int_equal(submit(f, .name = "C", .jid = dstr_get(&words)), 0);
    assert_string_equal(dstr_get(&f->said),
                        "denied: a list of jobs to wait for has more than 64 patterns");
    fixture_assert_picture(f, before);
    dstr_free(&words);
}

/* ---- in steps ---- */
static void what_takes_many_steps_means_what_was_there_at_the_first(void **state)
{
    struct fixture *f = *state;
    uint32_t first = submit_many(f);
    assert_int_equal(submit(f, .name = "B", .jid = "A", .is_left = true), 0); /* not yet */
    uint32_t later = submit(f, .name = "A");
    fixture_run(f, first, 1, 0);
    fixture_commit(f);
    const struct JRE_Type_list *l = predecessors_of(f, later + 1);
    assert_int_equal(l->n, MANY - 1);
    assert_int_equal(l->v[0].JRE_job_number, first + 1);
    assert_int_equal(l->v[l->n - 1].JRE_job_number, first + MANY - 1);
    assert_int_equal(fixture_job(f, later)->rec.JB_jid_sucessor_list.n, 0);
}

static void what_a_job_names_is_looked_for_again_after_the_last_step(void **state)
{
    struct fixture *f = *state;
    struct TX_Type project = { 0 };
    cull_set(&project, TX_kind, (uint32_t)GDI_PROJECT);
    cull_set(&project, TX_name, "film");
    struct text_object *t = settings_put_text(&f->q.settings, &project);
    submit_many(f);
    assert_int_equal(submit(f, .name = "B", .jid = "A", .project = "film", .is_left = true), 0);
    settings_drop_text(&f->q.settings, t);
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, MANY);
    assert_int_equal(job_names_count(&f->q.jobs.names, OBJECT_PROJECT, "film"), 0);
}

static void patterns_take_many_steps_over_names_that_come_and_go(void **state)
{
    struct fixture *f = *state;
    char name[16];
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "%c%u", i % 2 ? 'x' : 'y', i);
        submit(f, .name = name);
    }
    fixture_commit(f);
    submit(f, .name = "B", .jid = "x*,nothing*", .is_left = true);
    uint32_t later = submit(f, .name = "x-later");
    snprintf(name, sizeof name, "x%u", MANY - 1); /* the last, at which the walk has not arrived */
    fixture_delete(f, "alice", name);
    fixture_commit(f);
    assert_int_equal(predecessors_of(f, later + 1)->n, MANY / 2 - 1);
}

static void a_client_that_leaves_before_the_last_step_has_changed_nothing(void **state)
{
    struct fixture *f = *state;
    submit_many(f);
    uint64_t memory = jobs_owner(&f->q.jobs, "alice")->share.memory;
    char *before = fixture_picture(f);
    submit(f, .name = "B", .jid = "A", .is_left = true);
    for (int i = 0; i < 2; i++) /* the lists are being made: they count */
        if (jobs_owner(&f->q.jobs, "alice")->share.memory == memory)
            assert_true(work_step(&f->q));
    assert_int_equal(jobs_owner(&f->q.jobs, "alice")->share.memory,
                     memory + MANY * 2 * sizeof(struct JRE_Type));
    fixture_hang_up(f, "alice");
    fixture_commit(f);
    assert_int_equal(jobs_owner(&f->q.jobs, "alice")->share.memory, memory);
    fixture_assert_picture(f, before);
}

/* whichever list is being made then */
static void what_ends_before_the_last_step_is_not_waited_for(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < MANY; i++)
        submit(f, .name = "A", .tasks = "1-2");
    for (int steps = 0; steps < 4; steps++) {
        uint32_t c = submit(f, .name = "C");
        fixture_commit(f);
        submit(f, .name = "B", .tasks = "1-2", .jid = "C", .ad = "A", .is_left = true);
        for (int i = 0; i < steps; i++)
            work_step(&f->q);
        fixture_run(f, c, 1, 0);
        fixture_commit(f);
        assert_int_equal(predecessors_of(f, c + 1)->n, 0);
        assert_int_equal(fixture_job(f, c + 1)->rec.JB_ja_ad_predecessor_list.n, MANY);
    }
}

static void a_stop_before_the_last_step_has_changed_nothing(void **state)
{
    struct fixture *f = *state;
    submit_many(f);
    char *before = fixture_picture(f);
    submit(f, .name = "B", .jid = "A", .is_left = true);
    fixture_restart(f);
    fixture_assert_picture(f, before);
}

static void what_others_took_meanwhile_is_not_there_any_more(void **state)
{
    struct fixture *f = *state;
    submit_many(f);
    submit(f, .name = "B", .jid = "A", .is_left = true);
    f->q.settings.share_limits[SHARE_USER_MEMORY] =
        jobs_owner(&f->q.jobs, "alice")->share.memory + MANY;
    uint32_t n = f->q.jobs.n;
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, n);
}

/* by somebody else than the one whose request is under way */
static void let_boss_delete(struct fixture *f, uint32_t job)
{
    char id[16];
    snprintf(id, sizeof id, "%u", job);
    fixture_delete(f, "boss", id);
}

static void an_alter_of_many_steps_is_all_or_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t first = submit_many(f), b = submit(f, .name = "B"), c = submit(f, .name = "C");
    fixture_commit(f);
    char *before = fixture_picture(f);
    fixture_alter(f, b, NULL, "A,C");
    assert_int_equal(predecessors_of(f, b)->n, 0);
    fixture_hang_up(f, "alice");
    fixture_commit(f);
    fixture_assert_picture(f, before);
    fixture_alter(f, b, NULL, "A,C");
    let_boss_delete(f, c);
    fixture_commit(f);
    assert_null(jobs_find(&f->q.jobs, c));
    assert_int_equal(predecessors_of(f, b)->n, MANY);
    fixture_alter(f, b, NULL, "A");
    let_boss_delete(f, b); /* nothing is left to be altered */
    fixture_commit(f);
    assert_null(jobs_find(&f->q.jobs, b));
    assert_int_equal(fixture_job(f, first)->rec.JB_jid_sucessor_list.n, 0);
}

/* ---- cycles ---- */
/* a chain of MANY jobs, each of which waits for the one before it, and job B; returns the first,
 * the number of the last is in LAST */
static uint32_t make_chain(struct fixture *f, char last[static 16], uint32_t *b)
{
    uint32_t first = submit(f, .name = "A");
    snprintf(last, 16, "%u", first);
    for (uint32_t i = 1; i < MANY; i++)
        snprintf(last, 16, "%u", submit(f, .name = "A", .jid = last));
    *b = submit(f, .name = "B");
    fixture_commit(f);
    return first;
}

static void a_cycle_that_takes_many_steps_to_find_is_refused(void **state)
{
    struct fixture *f = *state;
    char last[16];
    uint32_t other, first = make_chain(f, last, &other);
    fixture_alter(f, first, NULL, last);
    fixture_commit(f);
    assert_int_equal(predecessors_of(f, first)->n, 0);
    fixture_alter(f, other, NULL, last); /* no cycle: that takes as long to know */
    assert_int_equal(predecessors_of(f, other)->n, 0);
    fixture_commit(f);
    assert_int_equal(predecessors_of(f, other)->n, 1);
}

/* while the first is being searched for, the second is closed behind the search: one of the two
 * must be refused */
static void a_cycle_that_two_alters_close_at_a_time_is_refused(void **state)
{
    struct fixture *f = *state;
    char last[16];
    uint32_t b, first = make_chain(f, last, &b);
    fixture_alter(f, b, NULL, last);
    assert_int_equal(predecessors_of(f, b)->n,
                     0); /* it has seen the last of the chain, and not yet the first */
    struct GR_Type gr = { 0 };
    fixture_name(&gr, last);
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set((struct JRE_Type *)cull_append(want, JB_jid_request_list), JRE_job_number, b);
    assert_true(fixture_ask(f, "boss", alter_request, &gr));
    assert_int_equal(predecessors_of(f, first + MANY - 1)->n, 1);
    fixture_commit(f);
    assert_int_equal(predecessors_of(f, b)->n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(predecessors_have_the_order_in_which_they_were_asked_for),
        TEST(more_of_them_are_by_number),
        TEST(an_exclamation_mark_means_all_other_jobs),
        TEST(names_that_mean_no_job_are_named_once),
        TEST(a_list_has_so_many_patterns_at_most),
        TEST(what_takes_many_steps_means_what_was_there_at_the_first),
        TEST(what_a_job_names_is_looked_for_again_after_the_last_step),
        TEST(patterns_take_many_steps_over_names_that_come_and_go),
        TEST(a_client_that_leaves_before_the_last_step_has_changed_nothing),
        TEST(what_ends_before_the_last_step_is_not_waited_for),
        TEST(a_stop_before_the_last_step_has_changed_nothing),
        TEST(what_others_took_meanwhile_is_not_there_any_more),
        TEST(an_alter_of_many_steps_is_all_or_nothing),
        TEST(a_cycle_that_takes_many_steps_to_find_is_refused),
        TEST(a_cycle_that_two_alters_close_at_a_time_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
