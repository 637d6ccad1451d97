/* Long lists: jobs that wait for many, and many that wait for one. Links and releases come in
 * steps, and whatever happens between two steps they end as they should. */
#include "daemons/qmaster/jobs/depend.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/array_holds.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/cull/test/random_record.h"

enum { MANY = 2 * STEP_WORK + 10, ARRAYS = LINKS_FEW + 20 };

static struct JB_Type *rec_of(struct fixture *f, uint32_t number)
{
    return &fixture_job(f, number)->rec;
}

/* A is in B's list of predecessors exactly when B is in A's of successors */
static void assert_links_are_mutual(struct fixture *f)
{
    uint32_t down = 0, up = 0;
    for (struct job *b = jobs_at_or_after(&f->q.jobs, 0); b != NULL; b = jobs_next(&f->q.jobs, b)) {
        struct JRE_Type who = links_entry(b);
        struct JRE_Type_list *lists[] = { &b->rec.JB_jid_predecessor_list,
                                          &b->rec.JB_ja_ad_predecessor_list };
        links_compact(&b->rec.JB_jid_predecessor_list, &job_rare(b)->gone.jid_predecessors);
        links_compact(&b->rec.JB_jid_sucessor_list, &job_rare(b)->gone.jid_successors);
        links_compact(&b->rec.JB_ja_ad_predecessor_list, &job_rare(b)->gone.ad_predecessors);
        links_compact(&b->rec.JB_ja_ad_sucessor_list, &job_rare(b)->gone.ad_successors);
        for (unsigned k = 0; k < 2; k++)
            for (uint32_t i = 0; i < lists[k]->n; i++, down++) {
                const struct job *a = links_job(&f->q, &lists[k]->v[i]);
                assert_non_null(a);
                assert_true(links_has(
                    k == 0 ? &a->rec.JB_jid_sucessor_list : &a->rec.JB_ja_ad_sucessor_list, &who));
            }
        up += b->rec.JB_jid_sucessor_list.n + b->rec.JB_ja_ad_sucessor_list.n;
    }
    assert_int_equal(down, up);
}

/* N jobs called A, the first of which is returned */
static uint32_t submit_many(struct fixture *f, uint32_t n, const char *tasks)
{
    uint32_t first = submit(f, .name = "A", .tasks = tasks);
    for (uint32_t i = 1; i < n; i++)
        submit(f, .name = "A", .tasks = tasks);
    fixture_commit(f);
    return first;
}

static uint32_t known_by(struct fixture *f, uint32_t first, uint32_t n)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < n; i++)
        known += rec_of(f, first + i)->JB_jid_sucessor_list.n;
    return known;
}

static void run_all(struct fixture *f, uint32_t first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        fixture_run(f, first + i, 1, 0);
}

/* ---- a job that waits for many ---- */
static void many_predecessors_hear_of_a_job_in_steps(void **state)
{
    struct fixture *f = *state;
    uint32_t first = submit_many(f, MANY, NULL), b = submit(f, .name = "B", .jid = "A");
    assert_int_equal(rec_of(f, b)->JB_jid_predecessor_list.n, MANY);
    assert_int_equal(known_by(f, first, MANY), 0);
    assert_true(work_step(&f->q));
    assert_int_equal(known_by(f, first, MANY), STEP_WORK);
    assert_string_equal(fixture_ready(f, b), "");
    fixture_commit(f);
    assert_links_are_mutual(f);
    run_all(f, first, MANY);
    assert_string_equal(fixture_ready(f, b), "1");
}

static void what_ends_before_it_has_heard_of_a_job_is_not_waited_for(void **state)
{
    struct fixture *f = *state;
    uint32_t first = submit_many(f, MANY, NULL), b = submit(f, .name = "B", .jid = "A");
    assert_true(work_step(&f->q));
    run_all(f, first, MANY - 1);
    assert_string_equal(fixture_ready(f, b), "");
    fixture_commit(f);
    assert_int_equal(rec_of(f, b)->JB_jid_predecessor_list.n, 1);
    assert_links_are_mutual(f);
    fixture_run(f, first + MANY - 1, 1, 0);
    assert_string_equal(fixture_ready(f, b), "1");
}

static void a_job_that_goes_before_all_have_heard_of_it_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t first = submit_many(f, MANY, NULL);
    submit(f, .name = "B", .jid = "A");
    assert_true(work_step(&f->q));
    fixture_delete(f, "alice", "B");
    fixture_commit(f);
    assert_int_equal(known_by(f, first, MANY), 0);
}

static void a_stop_before_all_have_heard_of_it_loses_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t first = submit_many(f, MANY, NULL), b = submit(f, .name = "B", .jid = "A");
    change_commit(&f->q);
    fixture_turn(f);
    char *before = fixture_picture(f);
    fixture_restart(f);
    fixture_assert_picture(f, before);
    assert_links_are_mutual(f);
    assert_int_equal(known_by(f, first, MANY), MANY);
    assert_string_equal(fixture_ready(f, b), "");
}

/* the second change waits until the first is known everywhere */
static void another_list_takes_the_place_of_a_long_one(void **state)
{
    struct fixture *f = *state;
    uint32_t first = submit_many(f, MANY, NULL), c = submit(f, .name = "C");
    uint32_t b = submit(f, .name = "B", .jid = "A");
    fixture_alter(f, b, NULL, "C");
    assert_int_equal(rec_of(f, b)->JB_jid_predecessor_list.n, MANY);
    fixture_commit(f);
    assert_int_equal(rec_of(f, b)->JB_jid_predecessor_list.n, 1);
    assert_int_equal(known_by(f, first, MANY), 0);
    assert_links_are_mutual(f);
    fixture_alter(f, b, NULL, "*"); /* C stays in it */
    fixture_commit(f);
    assert_int_equal(rec_of(f, b)->JB_jid_predecessor_list.n, MANY + 1);
    fixture_alter(f, b, NULL, "A");
    fixture_commit(f);
    assert_int_equal(rec_of(f, c)->JB_jid_sucessor_list.n, 0);
    assert_links_are_mutual(f);
    fixture_alter(f, b, NULL, "");
    fixture_commit(f);
    assert_string_equal(fixture_ready(f, b), "1");
    assert_links_are_mutual(f);
}

/* ---- an array that waits for many ---- */
static uint32_t waits_for_arrays(struct fixture *f, uint32_t *first)
{
    *first = submit_many(f, ARRAYS, "1-4");
    uint32_t b = submit(f, .name = "B", .tasks = "1-4:2", .ad = "A");
    return b;
}

static void an_array_with_many_predecessors_is_held_from_the_first_moment(void **state)
{
    struct fixture *f = *state;
    uint32_t first, b = waits_for_arrays(f, &first);
    assert_string_equal(fixture_held(f, b), "1,3");
    fixture_commit(f);
    assert_string_equal(fixture_held(f, b), "1,3");
    for (uint32_t i = 0; i < ARRAYS; i++)
        for (uint32_t task = 1; task <= 2; task++) {
            fixture_run(f, first + i, task, 0);
            fixture_turn(f);
            assert_string_equal(fixture_ready(f, b), i == ARRAYS - 1 && task == 2 ? "1" : "");
        }
    assert_string_equal(fixture_held(f, b), "3");
    fixture_delete(f, "alice", "A");
    fixture_commit(f);
    assert_string_equal(fixture_ready(f, b), "1,3");
}

/* in a random order, with steps in between or not */
static void whatever_ends_while_holds_are_worked_out_is_seen(void **state)
{
    struct fixture *f = *state;
    uint64_t seed = 11;
    for (int round = 0; round < 8; round++) {
        uint32_t first, b = waits_for_arrays(f, &first), last = first + random_u32(&seed) % ARRAYS;
        for (uint32_t i = 0; i < ARRAYS; i++) {
            if (random_u32(&seed) % 3 == 0)
                work_step(&f->q);
            for (uint32_t task = 1; task <= 4; task++)
                if (first + i != last || task > 2)
                    fixture_run(f, first + i, task, 0);
        }
        assert_false(range_set_has(&rec_of(f, b)->JB_ja_pending_ids, 2));
        assert_true(range_set_has(&rec_of(f, b)->JB_ja_a_h_ids, 0));
        fixture_commit(f);
        assert_string_equal(fixture_ready(f, b), "3");
        assert_links_are_mutual(f);
        fixture_run(f, last, 1, 0);
        fixture_run(f, last, 2, 0);
        fixture_commit(f);
        assert_string_equal(fixture_ready(f, b), "1,3");
        fixture_delete(f, "alice", "B");
    }
}

static void holds_of_a_new_list_are_not_those_of_the_old_one(void **state)
{
    struct fixture *f = *state;
    uint32_t first, b = waits_for_arrays(f, &first), c = submit(f, .name = "C", .tasks = "1-4");
    fixture_commit(f);
    fixture_run(f, first, 1, 0);
    fixture_run(f, first, 2, 0); /* its holds are being worked out */
    fixture_alter(f, b, "C", NULL);
    fixture_commit(f);
    assert_string_equal(fixture_held(f, b), "1,3");
    fixture_delete(f, "alice", "A");
    fixture_commit(f);
    assert_string_equal(fixture_held(f, b), "1,3");
    fixture_run(f, c, 1, 0);
    fixture_run(f, c, 2, 0);
    assert_string_equal(fixture_ready(f, b), "1");
}

/* ---- arrays that are many ranges ---- */
/* 100,000 tasks are left, each a range: a third of B's chunks of three frames waits for none */
static void leave_every_fourth(struct fixture *f, uint32_t array)
{
    static const char *const gone[] = { "2-400000:2", "1-400000:4" };
    char what[32];
    for (size_t i = 0; i < ARRAY_LEN(gone); i++) {
        snprintf(what, sizeof what, "%u.%s", array, gone[i]);
        fixture_delete(f, "alice", what);
    }
    fixture_commit(f);
}

static void assert_holds_are_exact(struct fixture *f, uint32_t b)
{
    struct range_set held = { 0 };
    range_set_copy(&held, &rec_of(f, b)->JB_ja_a_h_ids);
    array_holds_compute(&f->q, fixture_job(f, b));
    assert_true(range_set_equal(&held, &rec_of(f, b)->JB_ja_a_h_ids));
    range_set_free(&held);
}

/* how many slices it takes until nothing is left to be done, if each is over at once */
static uint32_t count_slices(struct fixture *f)
{
    uint32_t n = 0;
    f->q.slice_until_us = 1;
    while (work_step(&f->q))
        n++;
    f->q.slice_until_us = 0;
    return n;
}

static void many_ranges_are_worked_out_in_slices(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-400000");
    leave_every_fourth(f, a);
    uint32_t b = submit(f, .name = "B", .tasks = "1-400000:3", .ad = "A", .is_left = true);
    assert_int_equal(range_set_count(&rec_of(f, b)->JB_ja_a_h_ids), 133334);
    assert_in_range(count_slices(f), 4, 10);
    assert_int_equal(range_set_count(&rec_of(f, b)->JB_ja_a_h_ids), 100000);
    assert_holds_are_exact(f, b);
}

static void many_ranges_that_end_are_released_in_slices(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-400000");
    uint32_t b = submit(f, .name = "B", .tasks = "1-400000:3", .ad = "A");
    assert_null(fixture_job(f, b)->rare->renewal); /* one range is worked out at once */
    fixture_delete(f, "alice", "1.2-400000:2");
    assert_non_null(fixture_job(f, b)->rare->renewal);
    fixture_delete(f, "alice", "1.1-400000:4");
    assert_int_equal(range_set_count(&rec_of(f, b)->JB_ja_a_h_ids), 133334);
    fixture_commit(f);
    assert_int_equal(range_set_count(&rec_of(f, b)->JB_ja_a_h_ids), 100000);
    assert_holds_are_exact(f, b);
    fixture_run(f, a, 3, 0);
    assert_true(range_set_has(&rec_of(f, b)->JB_ja_pending_ids, 0));
    assert_false(
        range_set_has(&rec_of(f, b)->JB_ja_a_h_ids, 0)); /* one task is asked for at once */
    assert_holds_are_exact(f, b);
}

static void delete_some(struct fixture *f, uint32_t array, uint64_t *seed)
{
    char what[64];
    uint32_t first = 1 + random_u32(seed) % 300000;
    snprintf(what, sizeof what, "%u.%u-%u:%u", array, first, first + random_u32(seed) % 100000,
             1 + random_u32(seed) % 6);
    fixture_delete(f, "alice", what);
}

/* two such arrays and a small one, that lose tasks between the slices; one of them goes wholly */
static void whatever_ends_between_two_slices_is_seen(void **state)
{
    struct fixture *f = *state;
    uint64_t seed = 5;
    uint32_t a = submit(f, .name = "A", .tasks = "1-400000");
    uint32_t a2 = submit(f, .name = "A", .tasks = "1-400000:2");
    assert_int_equal(submit(f, .name = "A", .tasks = "1-400000:100000"), 3);
    leave_every_fourth(f, a);
    uint32_t b = submit(f, .name = "B", .tasks = "1-400000:3", .ad = "A", .is_left = true);
    for (uint32_t round = 0; round < 20; round++) {
        f->q.slice_until_us = 1;
        work_step(&f->q);
        f->q.slice_until_us = 0;
        if (round == 10)
            fixture_delete(f, "alice", "3");
        else
            delete_some(f, round % 2 == 0 ? a : a2, &seed);
    }
    fixture_commit(f);
    assert_null(fixture_job(f, b)->rare->renewal);
    assert_false(range_set_is_empty(&rec_of(f, b)->JB_ja_a_h_ids));
    assert_holds_are_exact(f, b);
}

/* ---- an array for which many wait ---- */
/* which of the N arrays from FIRST on have ORDINAL free: so many, and all of them before the
 * others */
static uint32_t count_released(struct fixture *f, uint32_t first, uint32_t n, uint32_t ordinal)
{
    uint32_t k = 0;
    while (k < n && !range_set_has(&rec_of(f, first + k)->JB_ja_a_h_ids, ordinal))
        k++;
    for (uint32_t i = k; i < n; i++)
        assert_true(range_set_has(&rec_of(f, first + i)->JB_ja_a_h_ids, ordinal));
    return k;
}

/* A and MANY arrays that wait for it */
static uint32_t many_wait_for_an_array(struct fixture *f, uint32_t *a)
{
    *a = submit(f, .name = "A", .tasks = "1-4");
    uint32_t first = submit(f, .name = "B", .tasks = "1-4", .ad = "A");
    for (uint32_t i = 1; i < MANY; i++)
        assert_int_equal(submit(f, .name = "B", .tasks = "1-4", .ad = "A"), first + i);
    fixture_commit(f);
    return first;
}

static void many_successors_hear_of_an_end_in_steps(void **state)
{
    struct fixture *f = *state;
    uint32_t a, first = many_wait_for_an_array(f, &a);
    fixture_run(f, a, 1, 0);
    assert_int_equal(count_released(f, first, MANY, 0), STEP_WORK);
    fixture_run(f, a, 2, 0); /* in the next walk */
    assert_true(work_step(&f->q));
    assert_int_equal(count_released(f, first, MANY, 0), 2 * STEP_WORK);
    assert_int_equal(count_released(f, first, MANY, 1), 0);
    fixture_commit(f);
    assert_int_equal(count_released(f, first, MANY, 0), MANY);
    assert_int_equal(count_released(f, first, MANY, 1), MANY);
    assert_int_equal(count_released(f, first, MANY, 2), 0);
}

static void an_array_that_goes_before_all_have_heard_releases_all(void **state)
{
    struct fixture *f = *state;
    uint32_t a, first = many_wait_for_an_array(f, &a);
    fixture_run(f, a, 1, 0);
    fixture_delete(f, "alice", "A");
    assert_null(jobs_find(&f->q.jobs, a));
    fixture_commit(f);
    for (uint32_t task = 0; task < 4; task++)
        assert_int_equal(count_released(f, first, MANY, task), MANY);
    assert_links_are_mutual(f);
}

static void a_stop_before_all_have_heard_releases_all(void **state)
{
    struct fixture *f = *state;
    uint32_t a, first = many_wait_for_an_array(f, &a);
    fixture_run(f, a, 1, 0);
    change_commit(&f->q);
    fixture_turn(f);
    fixture_restart(f);
    assert_int_equal(count_released(f, first, MANY, 0), MANY);
    assert_int_equal(count_released(f, first, MANY, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(many_predecessors_hear_of_a_job_in_steps),
        TEST(what_ends_before_it_has_heard_of_a_job_is_not_waited_for),
        TEST(a_job_that_goes_before_all_have_heard_of_it_leaves_nothing),
        TEST(a_stop_before_all_have_heard_of_it_loses_nothing),
        TEST(another_list_takes_the_place_of_a_long_one),
        TEST(an_array_with_many_predecessors_is_held_from_the_first_moment),
        TEST(whatever_ends_while_holds_are_worked_out_is_seen),
        TEST(holds_of_a_new_list_are_not_those_of_the_old_one),
        TEST(many_ranges_are_worked_out_in_slices),
        TEST(many_ranges_that_end_are_released_in_slices),
        TEST(whatever_ends_between_two_slices_is_seen),
        TEST(many_successors_hear_of_an_end_in_steps),
        TEST(an_array_that_goes_before_all_have_heard_releases_all),
        TEST(a_stop_before_all_have_heard_releases_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
