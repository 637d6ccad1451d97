/* What is asked for twice is done once, also across an end of the job, a restart, and both. */
#include "daemons/qmaster/change/recent.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sgeobj/job_report.h"
#include "libs/uti/alloc.h"

static void a_repeated_submit_gets_the_same_job(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f, .name = "A", .id = "one");
    assert_int_not_equal(job, 0);
    assert_int_equal(submit(f, .name = "A", .id = "one"), job);
    assert_int_not_equal(submit(f, .name = "A", .id = "two"), job);
    assert_int_not_equal(submit(f, .name = "A"), submit(f, .name = "A")); /* no id, no memory */
    assert_int_equal(f->q.jobs.n, 4);
}

static void it_does_so_after_a_restart(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f, .id = "one");
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(submit(f, .id = "one"), job);
    assert_int_equal(f->q.jobs.n, 1);
}

static void it_does_so_when_the_job_has_ended(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f, .id = "one");
    fixture_run(f, job, 1, 0);
    assert_int_equal(submit(f, .id = "one"), job);
    assert_int_equal(f->q.jobs.n, 0);
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(submit(f, .id = "one"), job);
    assert_int_equal(f->q.jobs.n, 0);
}

static void an_unwritten_submit_is_unknown_after_a_crash(void **state)
{
    struct fixture *f = *state;
    submit(f, .id = "one");
    fixture_restart(f);
    assert_int_equal(recent_find(&f->q, fixture_connection(f, "alice")->who.uid, "one"), 0);
    assert_int_not_equal(submit(f, .id = "one"), 0);
    assert_int_equal(f->q.jobs.n, 1);
}

static void a_refused_submit_is_not_remembered(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(submit(f, .name = "9bad", .id = "one"), 0);
    assert_int_equal(recent_find(&f->q, fixture_connection(f, "alice")->who.uid, "one"), 0);
}

static void ids_are_forgotten_when_no_client_can_ask_any_more(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f, .id = "one");
    fixture_run(f, job, 1, 0);
    fixture_commit(f);
    f->q.now_s += 60;
    recent_expire(&f->q);
    assert_int_equal(recent_find(&f->q, fixture_connection(f, "alice")->who.uid, "one"), job);
    f->q.now_s += 600;
    recent_expire(&f->q);
    assert_int_equal(recent_find(&f->q, fixture_connection(f, "alice")->who.uid, "one"), 0);
    fixture_commit(f);
    fixture_restart(f); /* and its record has gone from the spool */
    assert_int_equal(recent_find(&f->q, fixture_connection(f, "alice")->who.uid, "one"), 0);
    assert_int_equal(recent_find(&f->q, fixture_connection(f, "alice")->who.uid, NULL), 0);
}

static void a_job_that_lives_longer_keeps_no_id(void **state)
{
    struct fixture *f = *state;
    uid_t alice = fixture_connection(f, "alice")->who.uid;
    struct job *job = fixture_job(f, submit(f, .id = "one"));
    f->q.now_s += 180;
    recent_expire(&f->q);
    assert_int_equal(submit(f, .id = "one"), job->rec.JB_job_number);
    assert_string_equal(job->rec.JB_request_id, "one");
    f->q.now_s += 1;
    recent_expire(&f->q);
    assert_int_equal(recent_find(&f->q, alice, "one"), 0);
    assert_null(job->rec.JB_request_id);
    fixture_commit(f);
    fixture_restart(f);
    f->q.now_s += 181;
    job = fixture_job(f, 1);
    recent_expire(&f->q);
    assert_null(job->rec.JB_request_id);
    fixture_run(f, 1, 1, 0); /* and its end finds nothing to keep */
    assert_int_equal(recent_find(&f->q, alice, "one"), 0);
}

static void many_ids_are_told_apart(void **state)
{
    enum { JOBS = 1000 };
    struct fixture *f = *state;
    uid_t alice = fixture_connection(f, "alice")->who.uid,
          bob = fixture_connection(f, "bob")->who.uid;
    char id[GDI_REQUEST_ID_MOST + 1];
    for (uint32_t i = 1; i <= JOBS; i++) {
        snprintf(id, sizeof id, "%u", i);
        assert_int_equal(submit(f, .id = id), i);
    }
    for (uint32_t i = 1; i <= JOBS; i += 2)
        fixture_run(f, i, 1, 0); /* known by itself from then on */
    for (uint32_t i = 1; i <= JOBS; i++) {
        snprintf(id, sizeof id, "%u", i);
        assert_int_equal(recent_find(&f->q, alice, id), i);
        assert_int_equal(recent_find(&f->q, bob, id), 0);
    }
    f->q.now_s += 181;
    recent_expire(&f->q);
    for (uint32_t i = 1; i <= JOBS; i++) {
        snprintf(id, sizeof id, "%u", i);
        assert_int_equal(recent_find(&f->q, alice, id), 0);
    }
}

static void who_asks_again_learns_that_a_job_that_has_gone_had_started(void **state)
{
    struct fixture *f = *state;
    uid_t alice = fixture_connection(f, "alice")->who.uid;
    uint32_t job = submit(f, .id = "one");
    assert_false(recent_has_started(&f->q, alice, "one"));
    fixture_run(f, job, 1, 0);
    fixture_commit(f);
    assert_true(recent_has_started(&f->q, alice, "one"));
    fixture_restart(f);
    assert_true(recent_has_started(&f->q, alice, "one"));
    assert_int_equal(recent_find(&f->q, alice, "one"), job);
    assert_false(recent_has_started(&f->q, alice, "two"));
    assert_false(recent_has_started(&f->q, alice, NULL));
}

/* a million of them would be read, to be forgotten all at once a second later */
static void ids_of_old_jobs_are_not_remembered_at_a_restart(void **state)
{
    struct fixture *f = *state;
    uid_t alice = fixture_connection(f, "alice")->who.uid;
    f->q.now_s -= 600;
    submit(f, .id = "old");
    f->q.now_s += 600;
    submit(f, .id = "new");
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(recent_find(&f->q, alice, "old"), 0);
    assert_int_equal(recent_find(&f->q, alice, "new"), 2);
}

static void after_a_restart_the_oldest_is_forgotten_first(void **state)
{
    struct fixture *f = *state;
    uid_t alice = fixture_connection(f, "alice")->who.uid;
    uint32_t first = submit(f, .id = "z");
    fixture_run(f, first, 1, 0);
    f->q.now_s += 100;
    uint32_t second = submit(f, .id = "a"); /* the spool has it first */
    fixture_run(f, second, 1, 0);
    fixture_commit(f);
    uint64_t now_s = f->q.now_s;
    fixture_restart(f);
    f->q.now_s = now_s + 81;
    recent_expire(&f->q);
    assert_int_equal(recent_find(&f->q, alice, "z"), 0);
    assert_int_equal(recent_find(&f->q, alice, "a"), second);
}

/* ---- requests other than submits ---- */
/* what USER's request GR (emptied) with the id "r" is answered, by way of the frames */
static const char *ask_as(struct fixture *f, const char *user, struct GR_Type *gr)
{
    cull_set(gr, GR_request_id, "r");
    fixture_forget_sent(f);
    fixture_hear(f, fixture_connection(f, user), 0, gr);
    fixture_commit(f);
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct GA_Type part = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].kind != GDI_FRAME_ANSWER)
            continue;
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &part, NULL), 0);
        for (uint32_t k = 0; k < part.GA_answers.n; k++)
            dstr_addf(&f->said, "%s;", part.GA_answers.v[k].AN_text);
        cull_clear(&cull_GA_Type, &part);
    }
    return dstr_get(&f->said);
}

static const char *act_as(struct fixture *f, const char *user, uint32_t action, const char *job)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ACT);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_action, action);
    cull_set(&gr, GR_options, (uint32_t)GDI_FORCE);
    fixture_name(&gr, job);
    return ask_as(f, user, &gr);
}

static const char rescheduled[] = "Pushed rescheduling of job 1 on host node1;";

static void a_reschedule_happens_once_however_often_it_is_asked_for(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "J");
    fixture_start(f, 1, 1);
    fixture_report(f, 1, 1, REPORT_STARTED, 0);
    assert_string_equal(act_as(f, "alice", GDI_ACT_RESCHEDULE, "1"), rescheduled);
    char *before = fixture_picture(f);
    assert_string_equal(act_as(f, "alice", GDI_ACT_RESCHEDULE, "1"), rescheduled);
    fixture_assert_picture(f, before);
    fixture_restart(f);
    before = fixture_picture(f);
    assert_string_equal(act_as(f, "alice", GDI_ACT_RESCHEDULE, "1"), rescheduled);
    fixture_assert_picture(f, before);
}

static const char *add_manager(struct fixture *f, const char *user)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(&gr, GR_target, (uint32_t)GDI_MANAGER);
    struct NM_Type *name = cull_append(&gr, GR_names);
    cull_set(name, NM_name, user);
    return ask_as(f, "boss", &gr);
}

static void what_was_added_does_not_exist_already(void **state)
{
    static const char added[] = "boss@node1 added \"carol\" to manager list;";
    struct fixture *f = *state;
    assert_string_equal(add_manager(f, "carol"), added);
    assert_string_equal(add_manager(f, "carol"), added);
    fixture_restart(f);
    assert_string_equal(add_manager(f, "carol"), added);
}

static void the_ids_of_others_are_nothing_to_a_user(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "J");
    fixture_start(f, 1, 1);
    assert_string_equal(act_as(f, "bob", GDI_ACT_SUSPEND, "1"),
                        "bob - you have no permission to modify job \"1\";");
    assert_string_equal(act_as(f, "alice", GDI_ACT_SUSPEND, "1"), "alice - suspended job 1;");
    assert_string_equal(act_as(f, "alice", GDI_ACT_SUSPEND, "1"), "alice - suspended job 1;");
    assert_string_equal(act_as(f, "boss", GDI_ACT_SUSPEND, "1"),
                        "boss - job 1 is already suspended;");
}

static void what_was_cut_off_midway_is_not_begun_again(void **state)
{
    struct fixture *f = *state;
    struct request r = { .from = fixture_connection(f, "alice"), .keeps_answer = true };
    submit(f, .name = "J");
    fixture_start(f, 1, 1);
    cull_set(&r.gr, GR_request_id, "r");
    recent_begin(&f->q, &r);
    request_clear(&r);
    fixture_commit(f);
    for (int round = 0; round < 2; round++) {
        assert_non_null(
            strstr(act_as(f, "alice", GDI_ACT_RESCHEDULE, "1"), "only part of it was done"));
        fixture_restart(f);
    }
}

static void a_user_who_asks_for_much_forgets_first(void **state)
{
    struct fixture *f = *state;
    struct request r = { .from = fixture_connection(f, "bob"), .keeps_answer = true };
    uint32_t job = submit(f, .id = "hers");
    char id[GDI_REQUEST_ID_MOST + 1], *text = uti_calloc(1, 60001);
    memset(text, 'x', 60000);
    for (int i = 0; i < 700; i++) { /* 42 MB */
        snprintf(id, sizeof id, "%d", i);
        cull_set(&r.gr, GR_request_id, id);
        struct AN_Type *a = cull_append(&r.ga, GA_answers);
        cull_set(a, AN_quality, (uint32_t)ANSWER_QUALITY_INFO);
        cull_set(a, AN_text, text);
        recent_keep(&f->q, &r);
        request_clear(&r);
    }
    cull_set(&r.gr, GR_request_id, "0");
    assert_false(recent_answer_again(&f->q, &r));
    cull_set(&r.gr, GR_request_id, "699");
    assert_true(recent_answer_again(&f->q, &r));
    request_clear(&r);
    free(text);
    assert_int_equal(submit(f, .id = "hers"), job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_repeated_submit_gets_the_same_job),
        TEST(it_does_so_after_a_restart),
        TEST(it_does_so_when_the_job_has_ended),
        TEST(an_unwritten_submit_is_unknown_after_a_crash),
        TEST(a_refused_submit_is_not_remembered),
        TEST(ids_are_forgotten_when_no_client_can_ask_any_more),
        TEST(a_job_that_lives_longer_keeps_no_id),
        TEST(many_ids_are_told_apart),
        TEST(who_asks_again_learns_that_a_job_that_has_gone_had_started),
        TEST(ids_of_old_jobs_are_not_remembered_at_a_restart),
        TEST(after_a_restart_the_oldest_is_forgotten_first),
        TEST(a_reschedule_happens_once_however_often_it_is_asked_for),
        TEST(what_was_added_does_not_exist_already),
        TEST(the_ids_of_others_are_nothing_to_a_user),
        TEST(what_was_cut_off_midway_is_not_begun_again),
        TEST(a_user_who_asks_for_much_forgets_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
