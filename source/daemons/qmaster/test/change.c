/* Nothing leaves before it is durable; reads of what did not change do not wait; what was not
 * committed never happened. */
#include "daemons/qmaster/change/change.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/comm/frame.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_select.h"
#include "libs/task/task_dir.h"

/* a request as it comes from the network */
static void request_as(struct fixture *f, const char *user, uint32_t serial, struct GR_Type *gr)
{
    fixture_hear(f, fixture_connection(f, user), serial, gr);
    while (work_step(&f->q))
        ;
}

static void ask_submit(struct fixture *f, const char *user, uint32_t serial)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    struct JB_Type *job = cull_append(&gr, GR_jobs);
    cull_set(job, JB_job_name, "J");
    cull_set(job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    request_as(f, user, serial, &gr);
}

static void ask_get(struct fixture *f, const char *user, uint32_t serial, uint32_t job)
{
    struct GR_Type gr = { 0 };
    char number[16];
    snprintf(number, sizeof number, "%u", job);
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    if (job != 0) {
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, number);
    }
    request_as(f, user, serial, &gr);
}

/* the answer to request SERIAL, if it has left; free with cull_clear */
static bool take_answer(struct fixture *f, uint32_t serial, struct GA_Type *ga)
{
    *ga = (struct GA_Type){ 0 };
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct sent *s = &f->sent[i];
        if (s->kind != GDI_FRAME_ANSWER || s->serial != serial)
            continue;
        struct unpacker u = unpacker_over(s->body, s->len);
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, ga, NULL), 0);
        return true;
    }
    return false;
}

static bool has_answer(struct fixture *f, uint32_t serial)
{
    struct GA_Type ga;
    bool has = take_answer(f, serial, &ga);
    cull_clear(&cull_GA_Type, &ga);
    return has;
}

static void a_submit_is_answered_after_the_disk(void **state)
{
    struct fixture *f = *state;
    struct GA_Type ga;
    ask_submit(f, "alice", 1);
    assert_false(has_answer(f, 1));
    core_commit(&f->q); /* with the committer, not yet written */
    assert_false(has_answer(f, 1));
    fixture_commit(f);
    assert_true(take_answer(f, 1, &ga));
    assert_true(ga.GA_is_last);
    fixture_job(f, ga.GA_job_number);
    cull_clear(&cull_GA_Type, &ga);
}

static void a_refusal_waits_for_what_it_may_have_seen(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    request_as(f, "alice", 5, &gr);
    fixture_commit(f);
    struct GA_Type ga;
    assert_true(take_answer(f, 5, &ga));
    assert_int_equal(ga.GA_answers.n, 1);
    assert_string_equal(ga.GA_answers.v[0].AN_text, "a submit request must contain one job, not 0");
    cull_clear(&cull_GA_Type, &ga);
}

static void a_read_of_unchanged_state_does_not_wait(void **state)
{
    struct fixture *f = *state;
    uint32_t old = submit(f, .name = "old");
    fixture_commit(f);
    uint32_t fresh = submit(f, .name = "fresh");
    core_commit(&f->q); /* the disk is busy with it */
    ask_get(f, "bob", 1, old);
    assert_true(has_answer(f, 1));
    ask_get(f, "bob", 2, fresh);
    assert_false(has_answer(f, 2));
    ask_get(f, "bob", 3, 0); /* all jobs: one of them is not durable yet */
    assert_false(has_answer(f, 3));
    fixture_commit(f);
    assert_true(has_answer(f, 2));
    assert_true(has_answer(f, 3));
}

static void a_read_that_misses_a_job_waits_for_its_end(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f, .name = "J");
    fixture_commit(f);
    fixture_run(f, job, 1, 0);
    ask_get(f, "bob", 1, job);
    assert_false(has_answer(f, 1)); /* "gone" would show an end that a crash could undo */
    fixture_commit(f);
    assert_true(has_answer(f, 1));
    char *text = fixture_accounting(f); /* and by now it is in the accounting file */
    assert_non_null(strstr(text, ":J:"));
    free(text);
}

static void starts_leave_after_the_disk(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f), conn = (uint32_t)hosts_find(&f->q.hosts, "node1")->conn;
    fixture_commit(f);
    fixture_forget_sent(f);
    fixture_start(f, job, 1);
    core_commit(&f->q);
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_EXEC), 0);
    fixture_commit(f);
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_EXEC), 1);
}

static void what_was_not_committed_never_happened(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-4");
    fixture_commit(f);
    char *before = fixture_picture(f);
    submit(f, .tasks = "1-4", .ad = "A");
    fixture_run(f, a, 1, 0);
    fixture_start(f, a, 2);
    fixture_restart(f);
    fixture_assert_picture(f, before);
    char *text = fixture_accounting(f);
    assert_string_equal(text, "");
    free(text);
}

static void many_changes_of_a_batch_are_one_record(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-5000");
    fixture_commit(f);
    uint64_t number = change_number(&f->q);
    for (uint32_t i = 1; i <= 1000; i++)
        fixture_run(f, a, i, 0);
    assert_int_equal(change_number(&f->q), number);
    fixture_commit(f);
    assert_int_equal(change_durable(&f->q), number);
    fixture_restart(f);
    assert_string_equal(fixture_ready(f, a), "1001-5000:1");
}

/* hand over what there is time for when each slice is over at once; how often that was tried */
static uint32_t commit_in_pieces(struct fixture *f)
{
    uint64_t number = change_number(&f->q);
    uint32_t n = 0;
    f->q.slice_until_us = 1;
    do {
        core_commit(&f->q);
        n++;
    } while (change_is_behind(&f->q));
    f->q.slice_until_us = 0;
    assert_int_equal(change_number(&f->q), number + 1);
    return n;
}

static void a_batch_is_packed_in_pieces_and_handed_over_whole(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < 3; i++)
        submit(f, .tasks = "1-4");
    assert_int_equal(commit_in_pieces(f), 3);
    fixture_commit(f);
    char *before = fixture_picture(f);
    fixture_restart(f);
    fixture_assert_picture(f, before);
}

static void what_changes_while_it_is_packed_is_written_as_it_is_in_the_end(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-4"), b = submit(f, .tasks = "1-4");
    uint32_t gone = submit(f), kept = submit(f);
    for (f->q.slice_until_us = 1; change_unpacked(&f->q) > 0;)
        core_commit(&f->q);
    f->q.slice_until_us = 0;
    fixture_commit(f);
    fixture_alter(f, b, NULL, "A");
    fixture_start(f, a, 1);
    fixture_start(f, a, 2);
    f->q.slice_until_us = 1;
    core_commit(&f->q); /* the first of three is packed */
    assert_true(change_is_behind(&f->q));
    fixture_alter(f, b, "A", NULL);
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    char number[16];
    snprintf(number, sizeof number, "%u", gone);
    fixture_delete(f, "alice", number);
    commit_in_pieces(f);
    fixture_commit(f);
    char *before = fixture_picture(f);
    fixture_restart(f);
    fixture_assert_picture(f, before);
    fixture_job(f, kept);
}

static void numbers_are_not_used_twice(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    fixture_run(f, a, 1, 0);
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(submit(f), a + 1);
}

/* seed 000: a request writes the lists of predecessors, regular ends do not */
static void regular_releases_do_not_write_the_waiting_job(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-4"), b = submit(f, .tasks = "1-4", .ad = "A");
    fixture_start(f, a, 1);
    fixture_commit(f);
    void *before = NULL, *after = NULL;
    size_t before_len = 0, after_len = 0;
    const uint8_t key[4] = { 0, 0, (uint8_t)(b >> 8), (uint8_t)b };
    assert_int_equal(spool_get(f->q.spool, SPOOL_JOB, key, 4, &before, &before_len, NULL), 1);
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    fixture_commit(f);
    assert_string_equal(fixture_held(f, b), "2-4:1");
    assert_int_equal(spool_get(f->q.spool, SPOOL_JOB, key, 4, &after, &after_len, NULL), 1);
    assert_int_equal(before_len, after_len);
    assert_memory_equal(before, after, before_len);
    free(before);
    free(after);
}

/* what no peer takes must not end the process that many depend on */
static void a_frame_that_is_too_long_costs_its_peer_the_connection(void **state)
{
    struct fixture *f = *state;
    uint64_t conn = fixture_connection(f, "alice")->conn;
    fixture_commit(f);
    fixture_forget_sent(f);
    change_send(&f->q, 0, conn, GDI_FRAME_ANSWER, 1, malloc(1), (size_t)COMM_BODY_MAX + 1);
    assert_int_equal(f->last_closed, conn);
    assert_int_equal(f->n_sent, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_submit_is_answered_after_the_disk),
        TEST(a_refusal_waits_for_what_it_may_have_seen),
        TEST(a_read_of_unchanged_state_does_not_wait),
        TEST(a_read_that_misses_a_job_waits_for_its_end),
        TEST(starts_leave_after_the_disk),
        TEST(what_was_not_committed_never_happened),
        TEST(many_changes_of_a_batch_are_one_record),
        TEST(a_batch_is_packed_in_pieces_and_handed_over_whole),
        TEST(what_changes_while_it_is_packed_is_written_as_it_is_in_the_end),
        TEST(numbers_are_not_used_twice),
        TEST(regular_releases_do_not_write_the_waiting_job),
        TEST(a_frame_that_is_too_long_costs_its_peer_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
