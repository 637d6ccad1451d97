/* Dependencies in the job table: both directions of the links, releases in every order, and a
 * restart that finds what was lost. */
#include "daemons/qmaster/jobs/depend.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/cull/test/random_record.h"
#include "libs/sgeobj/ja_dependency.h"
#include "libs/task/task_dir.h"

static const struct JRE_Type_list *list_of(struct fixture *f, uint32_t job, bool is_successors)
{
    const struct JB_Type *rec = &fixture_job(f, job)->rec;
    return is_successors ? &rec->JB_ja_ad_sucessor_list : &rec->JB_ja_ad_predecessor_list;
}

static bool has_number(const struct JRE_Type_list *l, uint32_t number)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->v[i].JRE_job_number == number)
            return true;
    return false;
}

/* the invariants at the head of depend.c, for all jobs, computed the slow way */
static void assert_net_is_right(struct fixture *f)
{
    struct jobs *jobs = &f->q.jobs;
    for (struct job *b = jobs_at_or_after(jobs, 0); b != NULL; b = jobs_next(jobs, b)) {
        const struct JRE_Type_list *preds = &b->rec.JB_ja_ad_predecessor_list,
                                   *succs = &b->rec.JB_ja_ad_sucessor_list;
        struct ja_shape shape = ja_shape_of(&b->rec);
        for (uint32_t i = 0; i < preds->n; i++)
            assert_true(
                has_number(list_of(f, preds->v[i].JRE_job_number, true), b->rec.JB_job_number));
        for (uint32_t i = 0; i < succs->n; i++)
            assert_true(
                has_number(list_of(f, succs->v[i].JRE_job_number, false), b->rec.JB_job_number));
        for (uint32_t ordinal = 0; ordinal < job_task_count(&b->rec); ordinal++) {
            bool is_held = false;
            for (uint32_t i = 0; i < preds->n; i++) {
                struct job *a = fixture_job(f, preds->v[i].JRE_job_number);
                struct ja_shape a_shape = ja_shape_of(&a->rec);
                struct ja_window w = ja_dep_forward(&a_shape, &shape, ordinal);
                for (uint32_t j = w.first; j <= w.last; j++)
                    is_held = is_held || range_set_has(&a->unfinished, j);
            }
            is_held = is_held && range_set_has(&b->unfinished, ordinal);
            assert_int_equal(range_set_has(&b->rec.JB_ja_a_h_ids, ordinal), is_held);
        }
    }
}

static void a_task_waits_for_its_own_frames_only(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-6:2"),
             b = submit(f, .name = "B", .tasks = "1-6", .ad = "A");
    assert_string_equal(fixture_held(f, b), "1-6:1");
    assert_string_equal(fixture_ready(f, b), "");
    fixture_run(f, a, 3, 0);
    assert_string_equal(fixture_held(f, b), "1,2,5,6");
    assert_string_equal(fixture_ready(f, b), "3,4");
    assert_net_is_right(f);
}

/* existing Grid Engines get this wrong */
static void the_last_chunk_is_cut_at_the_end_of_the_range(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-10"),
             b = submit(f, .tasks = "1-10:4", .ad = "A");
    fixture_run(f, a, 9, 0);
    assert_string_equal(fixture_ready(f, b), "");
    fixture_run(f, a, 10, 0);
    assert_string_equal(fixture_ready(f, b), "9");
    uint32_t c = submit(f, .name = "C", .tasks = "1-10:4"),
             d = submit(f, .tasks = "1-10", .ad = "C");
    fixture_run(f, c, 9, 0);
    assert_string_equal(fixture_ready(f, d), "9,10");
}

static void whichever_predecessor_ends_last_releases(void **state)
{
    struct fixture *f = *state;
    for (int order = 0; order < 8;
         order++) { /* which is first; and whether the first, the second is deleted or runs */
        uint32_t a = submit(f, .tasks = "1-3"), b = submit(f, .tasks = "1-3");
        char names[32], what[32];
        snprintf(names, sizeof names, "%u,%u", a, b);
        uint32_t c = submit(f, .tasks = "1-3", .ad = names);
        const uint32_t by_time[2] = { order & 1 ? b : a, order & 1 ? a : b };
        for (int i = 0; i < 2; i++) {
            assert_string_equal(fixture_held(f, c), "1-3:1");
            snprintf(what, sizeof what, "%u.2", by_time[i]);
            if (order & (2 << i))
                fixture_delete(f, "alice", what);
            else
                fixture_run(f, by_time[i], 2, TASK_FAILED_AFTER_JOB);
        }
        assert_string_equal(fixture_held(f, c), "1,3");
        assert_string_equal(fixture_ready(f, c), "2");
        assert_net_is_right(f);
    }
}

static void a_job_that_goes_leaves_all_lists(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-2"),
             b = submit(f, .name = "B", .tasks = "1-2", .ad = "A");
    uint32_t c = submit(f, .name = "C", .tasks = "1-2", .ad = "B");
    fixture_delete(f, "alice", "B");
    assert_null(jobs_find(&f->q.jobs, b));
    assert_int_equal(list_of(f, a, true)->n, 0);
    assert_int_equal(list_of(f, c, false)->n, 0);
    assert_string_equal(fixture_ready(f, c), "1,2");
}

static void what_puts_back_or_parks_does_not_release(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-2"), b = submit(f, .tasks = "1-2", .ad = "A");
    fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    fixture_run(f, a, 2, TASK_FAILED_APPERROR);
    assert_string_equal(fixture_held(f, b), "1,2");
    fixture_run(f, a, 1, 0);
    assert_string_equal(fixture_held(f, b), "2");
    char what[16];
    snprintf(what, sizeof what, "%u.2", a);
    fixture_delete(f, "alice", what); /* of the task in error */
    assert_string_equal(fixture_ready(f, b), "1,2");
}

static void finished_and_unknown_predecessors_count_as_ended(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-4"), b = submit(f, .name = "B", .tasks = "1-4");
    fixture_run(f, a, 2, 0);
    fixture_delete(f, "alice", "B");
    uint32_t c = submit(f, .tasks = "1-4", .ad = "A,B,4711,nobody*");
    assert_string_equal(fixture_held(f, c), "1,3,4");
    assert_int_equal(list_of(f, c, false)->n, 1);
    (void)b;
}

static void each_predecessor_is_listed_once(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A1", .tasks = "1-2");
    char list[64];
    snprintf(list, sizeof list, "%u,A1,A*,%u", a, a);
    uint32_t b = submit(f, .tasks = "1-2", .ad = list);
    assert_int_equal(list_of(f, b, false)->n, 1);
    assert_int_equal(list_of(f, a, true)->n, 1);
}

static void names_mean_jobs_of_the_owner_ids_anybodys(void **state)
{
    struct fixture *f = *state;
    uint32_t theirs = submit(f, .owner = "bob", .name = "A", .tasks = "1-2");
    uint32_t b = submit(f, .tasks = "1-2", .ad = "A");
    assert_int_equal(list_of(f, b, false)->n, 0);
    char id[16];
    snprintf(id, sizeof id, "%u", theirs);
    uint32_t c = submit(f, .tasks = "1-2", .ad = id);
    assert_string_equal(fixture_held(f, c), "1,2");
}

static void both_kinds_of_hold_must_go(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A"), b = submit(f, .name = "B", .tasks = "1-2");
    uint32_t c = submit(f, .tasks = "1-2", .jid = "A", .ad = "B");
    fixture_run(f, b, 1, 0);
    assert_string_equal(fixture_ready(f, c), "");
    fixture_run(f, a, 1, 0);
    assert_string_equal(fixture_ready(f, c), "1");
    assert_int_equal(job_task_holds(&fixture_job(f, c)->rec, 1), MINUS_H_TGT_JA_AD);
}

static void only_arrays_of_the_same_range_are_taken(void **state)
{
    static const char needs_array[] =
        "Can only specify \"-hold_jid_ad\" option with an array job (using \"-t\" option)";
    static const char same_range[] = "This array job must have the same range of sub-tasks as the "
                                     "dependent array job specified with -hold_jid_ad";
    struct fixture *f = *state;
    submit(f, .name = "A", .tasks = "1-10");
    submit(f, .name = "P");
    char *before = fixture_picture(f);
    assert_int_equal(submit(f, .ad = "A"), 0);
    assert_string_equal(dstr_get(&f->said), needs_array);
    assert_int_equal(submit(f, .tasks = "1-10", .ad = "P"), 0);
    assert_string_equal(dstr_get(&f->said), needs_array);
    static const char *const others[] = { "1-9", "2-10", "1-3", "1-13:4" };
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        assert_int_equal(submit(f, .tasks = others[i], .ad = "A"), 0);
        assert_string_equal(dstr_get(&f->said), same_range);
    }
    fixture_assert_picture(f, before); /* no number was used up either */
    assert_int_not_equal(submit(f, .tasks = "1-10:4", .ad = "A"), 0);
}

static void qalter_works_the_holds_out_anew(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-4"),
             b = submit(f, .name = "B", .tasks = "1-4:2");
    uint32_t c = submit(f, .name = "C", .tasks = "1-4", .ad = "A");
    fixture_run(f, b, 1, 0);
    assert_true(fixture_alter(f, c, "B", NULL));
    assert_string_equal(fixture_held(f, c), "3,4");
    assert_int_equal(list_of(f, a, true)->n, 0);
    assert_true(fixture_alter(f, c, "A,B", NULL));
    assert_string_equal(fixture_held(f, c), "1-4:1");
    assert_true(fixture_alter(f, c, "", NULL));
    assert_string_equal(fixture_ready(f, c), "1-4:1");
    assert_int_equal(list_of(f, c, false)->n, 0);
    assert_net_is_right(f);
}

static void cycles_over_both_kinds_of_edge_are_refused(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-2"),
             b = submit(f, .name = "B", .tasks = "1-2", .ad = "A");
    uint32_t c = submit(f, .name = "C", .tasks = "1-2", .jid = "B");
    char *before = fixture_picture(f);
    assert_false(fixture_alter(f, a, "C", NULL));
    assert_false(fixture_alter(f, a, NULL, "C"));
    char own[16];
    snprintf(own, sizeof own, "%u", b);
    assert_false(fixture_alter(f, b, own, NULL));
    assert_non_null(strstr(dstr_get(&f->said), "may not be its own jobnet predecessor"));
    fixture_assert_picture(f, before);
    assert_true(fixture_alter(f, c, NULL, "")); /* and without C -> B there is none */
    assert_true(fixture_alter(f, a, "C", NULL));
}

static void a_lattice_of_diamonds_is_searched_at_once(void **state)
{
    struct fixture *f = *state;
    enum { DIAMONDS = 60 };
    uint32_t first = submit(f, .tasks = "1-2"), top = first;
    char ids[32];
    for (int i = 0; i < DIAMONDS; i++) { /* 2^60 paths, 240 edges */
        snprintf(ids, sizeof ids, "%u", top);
        uint32_t left = submit(f, .tasks = "1-2", .ad = ids),
                 right = submit(f, .tasks = "1-2", .jid = ids);
        snprintf(ids, sizeof ids, "%u,%u", left, right);
        top = submit(f, .tasks = "1-2", .ad = ids);
    }
    snprintf(ids, sizeof ids, "%u", top);
    assert_false(fixture_alter(f, first, ids, NULL));
    assert_non_null(strstr(dstr_get(&f->said), "would generate a dependency cycle"));
}

/* a random net of arrays in which random tasks end, are deleted, put back, parked; the picture of
 * it before and after a restart */
static void random_event(struct fixture *f, const uint32_t *numbers, uint32_t n, uint64_t *seed)
{
    static const uint32_t failures[] = { 0, 0, TASK_FAILED_AFTER_JOB, TASK_FAILED_RESCHEDULE,
                                         TASK_FAILED_APPERROR };
    struct job *job = jobs_find(&f->q.jobs, numbers[random_u32(seed) % n]);
    struct range_set ready = { 0 };
    uint32_t ordinal;
    if (job == NULL)
        return;
    uint32_t number = job->rec.JB_job_number;
    job_startable(job, &job->unfinished, &ready);
    if (random_u32(seed) % 6 == 0) {
        char what[48];
        uint32_t from = job_task_id(&job->rec, random_u32(seed) % job_task_count(&job->rec));
        snprintf(what, sizeof what, "%u.%u-%u", number, from, from + random_u32(seed) % 4);
        fixture_delete(f, "alice", what);
    } else if (range_set_min(&ready, &ordinal)) {
        uint32_t id = job_task_id(&job->rec, ordinal);
        if (random_u32(seed) % 4 == 0 && job->rare->n_running < 3)
            fixture_start(f, number, id);
        else
            fixture_run(f, number, id, failures[random_u32(seed) % ARRAY_LEN(failures)]);
    }
    range_set_free(&ready);
}

static void random_net(struct fixture *f, uint32_t *numbers, uint32_t n, uint64_t *seed)
{
    for (uint32_t i = 0; i < n; i++) {
        char list[64] = "", tasks[32];
        size_t len = 0;
        for (uint32_t k = 0; k < i && len < 40; k++)
            if (random_u32(seed) % 3 == 0)
                len += (size_t)snprintf(list + len, sizeof list - len, "%s%u", len > 0 ? "," : "",
                                        numbers[k]);
        snprintf(tasks, sizeof tasks, "2-25:%u", random_u32(seed) % 5 + 1);
        if (random_u32(seed) % 5 == 0)
            numbers[i] = submit(f, .tasks = tasks, .jid = list);
        else
            numbers[i] = submit(f, .tasks = tasks, .ad = list);
        assert_int_not_equal(numbers[i], 0);
    }
}

static void a_restart_finds_what_was_lost(void **state)
{
    struct fixture *f = *state;
    uint64_t seed = 42;
    uint32_t numbers[12];
    for (int round = 0; round < 4; round++) {
        random_net(f, numbers, ARRAY_LEN(numbers), &seed);
        for (int i = 0; i < 150; i++) {
            random_event(f, numbers, ARRAY_LEN(numbers), &seed);
            if (i % 50 != 49)
                continue;
            assert_net_is_right(f);
            fixture_commit(f);
            char *before = fixture_picture(f);
            fixture_restart(f);
            fixture_assert_picture(f, before);
        }
    }
}

static void ends_in_ten_million_tasks_touch_windows_only(void **state)
{
    struct fixture *f = *state;
    clock_t from = clock(); /* of this process alone: others may be busy */
    uint32_t a = submit(f, .name = "A", .tasks = "1-10000000"),
             b = submit(f, .tasks = "1-10000000:3", .ad = "A");
    for (uint32_t task = 1; task <= 3000; task++)
        fixture_run(f, a, task, 0);
    fixture_commit(f);
    assert_int_equal(range_set_count(&fixture_job(f, b)->rec.JB_ja_a_h_ids), 3333334 - 1000);
    fixture_delete(f, "alice", "A"); /* whole ranges, not tasks one by one */
    assert_true(range_set_is_empty(&fixture_job(f, b)->rec.JB_ja_a_h_ids));
    assert_true(range_set_bytes(&fixture_job(f, b)->rec.JB_ja_a_h_ids) == 0);
#ifndef __SANITIZE_THREAD__ /* which takes seconds for the locks of the spool */
    assert_true(clock() - from <
                CLOCKS_PER_SEC / 2); /* one look at every task, once, would take longer */
#else
    (void)from;
#endif
}

/* B waits for A and C; A ends, which is not written to B's record */
static uint32_t waits_for_one_that_ended(struct fixture *f, uint32_t *ended)
{
    submit(f, .name = "C");
    *ended = submit(f, .name = "A");
    uint32_t b = submit(f, .name = "B", .jid = "A,C");
    fixture_commit(f);
    fixture_run(f, *ended, 1, 0);
    fixture_commit(f);
    assert_int_equal(fixture_job(f, b)->rec.JB_jid_predecessor_list.n, 1);
    return b;
}

static void a_number_that_is_used_again_binds_to_nobody_s_list(void **state)
{
    struct fixture *f = *state;
    uint32_t a, b = waits_for_one_that_ended(f, &a);
    f->q.jobs.next_number = 10000000;
    assert_int_equal(submit(f, .name = "another"), a); /* the lowest that is free */
    fixture_commit(f);
    for (int restarts = 0; restarts < 2; restarts++) {
        fixture_restart(f);
        assert_int_equal(fixture_job(f, b)->rec.JB_jid_predecessor_list.n, 1);
        assert_int_equal(fixture_job(f, a)->rec.JB_jid_sucessor_list.n, 0);
    }
    assert_int_equal(f->q.jobs.round, 1);
    uint32_t last = submit(f, .jid = "another"); /* which binds to the new one, for good */
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(fixture_job(f, last)->rec.JB_jid_predecessor_list.n, 1);
    fixture_run(f, a, 1, 0);
    assert_int_equal(fixture_job(f, last)->rec.JB_jid_predecessor_list.n, 0);
}

/* which of the N jobs from FIRST on may start: so many, and all of them before the others */
static uint32_t count_released(struct fixture *f, uint32_t first, uint32_t n)
{
    uint32_t k = 0;
    while (k < n && fixture_job(f, first + k)->rec.JB_jid_predecessor_list.n == 0)
        k++;
    for (uint32_t i = k; i < n; i++)
        assert_int_equal(fixture_job(f, first + i)->rec.JB_jid_predecessor_list.n, 1);
    return k;
}

/* A and N jobs that wait for it; A has just been deleted, and its successors hear of it with the
 * next steps */
static uint32_t delete_before_many(struct fixture *f, uint32_t n)
{
    submit(f, .name = "A");
    uint32_t first = submit(f, .name = "B", .jid = "A");
    for (uint32_t i = 1; i < n; i++)
        assert_int_equal(submit(f, .name = "B", .jid = "A"), first + i);
    fixture_commit(f);
    fixture_delete(f, "alice", "A");
    return first;
}

static void many_are_released_in_steps_and_in_order(void **state)
{
    struct fixture *f = *state;
    enum { MANY = 10 * STEP_WORK + 1 };
    uint32_t first = delete_before_many(f, MANY), last = submit(f, .jid = "A");
    assert_int_equal(fixture_job(f, last)->rec.JB_jid_predecessor_list.n, 0); /* A has gone */
    assert_int_equal(count_released(f, first, MANY), 0);
    for (uint32_t step = 1; step <= 10; step++) {
        assert_true(work_step(&f->q));
        assert_int_equal(count_released(f, first, MANY), step * STEP_WORK);
    }
    assert_true(work_step(&f->q));
    assert_int_equal(count_released(f, first, MANY), MANY);
    assert_false(work_step(&f->q));
}

static void a_restart_between_two_steps_releases_all(void **state)
{
    struct fixture *f = *state;
    enum { MANY = 3 * STEP_WORK };
    uint32_t first = delete_before_many(f, MANY);
    assert_true(work_step(&f->q));
    core_commit(&f->q);
    committer_run(f->q.committer);
    assert_int_equal(count_released(f, first, MANY), STEP_WORK);
    fixture_restart(f);
    assert_int_equal(count_released(f, first, MANY), MANY);
    assert_string_equal(fixture_ready(f, first + MANY - 1), "1");
}

static void what_changes_between_two_steps_is_as_it_was_asked(void **state)
{
    struct fixture *f = *state;
    enum { MANY = 2 * STEP_WORK };
    uint32_t c = submit(f, .name = "C"), first = delete_before_many(f, MANY);
    char last[16];
    snprintf(last, sizeof last, "%u", first + MANY - 2);
    assert_true(fixture_alter(f, first + MANY - 1, NULL, "C"));
    fixture_delete(f, "alice", last);
    f->q.jobs.next_number = 10000000;
    while (submit(f, .name = "D") < c + 1) /* the number of A, too */
        ;
    fixture_commit(f);
    assert_int_equal(count_released(f, first, MANY - 2), MANY - 2);
    assert_int_equal(fixture_job(f, first + MANY - 1)->rec.JB_jid_predecessor_list.n, 1);
    assert_int_equal(fixture_job(f, c + 1)->rec.JB_jid_sucessor_list.n, 0);
}

/* lists of a thousand entries of which any may leave, on either side; what is shown and what is
 * found after a restart has no more */
static void any_order_of_ends_empties_a_barrier(void **state)
{
    struct fixture *f = *state;
    enum { MANY = 1000 };
    uint64_t seed = 7;
    uint32_t numbers[MANY], left = MANY;
    for (uint32_t i = 0; i < MANY; i++)
        numbers[i] = submit(f, .name = "A");
    uint32_t b = submit(f, .name = "B", .jid = "*"), c = submit(f, .name = "C", .jid = "A*,*,B");
    const struct JRE_Type_list *of_b = &fixture_job(f, b)->rec.JB_jid_predecessor_list;
    assert_int_equal(fixture_job(f, c)->rec.JB_jid_predecessor_list.n, MANY + 1);
    while (left > 0) {
        uint32_t at = random_u32(&seed) % left;
        assert_in_range(of_b->n, left, 2 * left + 64);
        fixture_run(f, numbers[at], 1, 0);
        numbers[at] = numbers[--left];
        if (left % 250 != 100)
            continue;
        fixture_commit(f);
        char *before = fixture_picture(f);
        assert_int_equal(of_b->n, left);
        fixture_restart(f);
        fixture_assert_picture(f, before);
        of_b = &fixture_job(f, b)->rec.JB_jid_predecessor_list;
    }
    assert_string_equal(fixture_ready(f, b), "1");
    assert_string_equal(fixture_ready(f, c), "");
    fixture_delete(f, "alice", "B");
    assert_string_equal(fixture_ready(f, c), "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_task_waits_for_its_own_frames_only),
        TEST(the_last_chunk_is_cut_at_the_end_of_the_range),
        TEST(whichever_predecessor_ends_last_releases),
        TEST(a_job_that_goes_leaves_all_lists),
        TEST(what_puts_back_or_parks_does_not_release),
        TEST(finished_and_unknown_predecessors_count_as_ended),
        TEST(each_predecessor_is_listed_once),
        TEST(names_mean_jobs_of_the_owner_ids_anybodys),
        TEST(both_kinds_of_hold_must_go),
        TEST(only_arrays_of_the_same_range_are_taken),
        TEST(qalter_works_the_holds_out_anew),
        TEST(cycles_over_both_kinds_of_edge_are_refused),
        TEST(a_lattice_of_diamonds_is_searched_at_once),
        TEST(a_restart_finds_what_was_lost),
        TEST(a_number_that_is_used_again_binds_to_nobody_s_list),
        TEST(many_are_released_in_steps_and_in_order),
        TEST(a_restart_between_two_steps_releases_all),
        TEST(what_changes_between_two_steps_is_as_it_was_asked),
        TEST(any_order_of_ends_empties_a_barrier),
        TEST(ends_in_ten_million_tasks_touch_windows_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
