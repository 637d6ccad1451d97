/* Holds that users put and lift: each kind needs its right, each task that changed is said, and a
 * refused request has changed nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/select.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sgeobj/job_request.h"

static void holds_say_a_line_for_each_task_they_changed(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-6:2");
    assert_true(fixture_hold(f, "alice", "1.3-5:2", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f),
                        "modified hold of job-array task 1.3\nmodified hold of job-array task 1.5");
    assert_true(fixture_hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "modified hold of job-array task 1.1");
    assert_true(fixture_hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "");
    submit(f);
    assert_true(fixture_hold(f, "alice", "2", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "modified hold of job 2");
}

static void a_million_tasks_are_one_line(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-1000000");
    assert_true(fixture_hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "modified hold of job-array tasks 1-1000000:1 of job 1");
}

static void kinds_of_hold_need_their_rights(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    char *before = fixture_picture(f);
    assert_false(fixture_hold(f, "alice", "1", MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD));
    assert_string_equal(said(f), "denied: \"alice\" must be operator to set operator hold");
    assert_false(fixture_hold(f, "olga", "1", MINUS_H_TGT_SYSTEM, GDI_HOLD_ADD));
    assert_string_equal(said(f), "denied: \"olga\" must be manager to set manager hold");
    assert_false(
        fixture_hold(f, "alice", "1", MINUS_H_TGT_USER | MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD));
    fixture_assert_picture(f, before); /* the user's part neither */
    assert_true(fixture_hold(f, "olga", "1", MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD));
    assert_true(fixture_hold(f, "boss", "1", MINUS_H_TGT_SYSTEM, GDI_HOLD_ADD));
    assert_false(fixture_hold(f, "bob", "1", MINUS_H_TGT_USER,
                              GDI_HOLD_ADD)); /* not hers, nor an operator */
}

/* existing Grid Engines change some tasks all the same */
static void lifting_all_holds_is_all_or_nothing(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    fixture_hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD);
    assert_true(fixture_hold(f, "alice", "1", 0, GDI_HOLD_CLEAR));
    assert_string_equal(fixture_ready(f, 1), "1-3:1");
    fixture_hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD);
    fixture_hold(f, "olga", "1.2", MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD);
    char *before = fixture_picture(f);
    assert_false(fixture_hold(f, "alice", "1", 0, GDI_HOLD_CLEAR));
    assert_string_equal(said(f), "denied: \"alice\" must be operator to remove operator hold");
    fixture_assert_picture(f, before);
    assert_true(fixture_hold(f, "olga", "1", 0, GDI_HOLD_CLEAR));
    assert_string_equal(fixture_ready(f, 1), "1-3:1");
}

/* qalter -h uO: all of it or nothing, one line for each task */
static void some_kinds_are_put_while_others_are_lifted(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    fixture_hold(f, "olga", "1.2", MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD);
    for (int i = 0; i < 2; i++) {
        struct GR_Type gr = { 0 };
        fixture_name(&gr, "1.1-2");
        cull_set(&gr, GR_hold_op, (uint32_t)GDI_HOLD_ADD);
        cull_set(&gr, GR_hold_kinds, (uint32_t)MINUS_H_TGT_USER);
        cull_set(&gr, GR_hold_lift, (uint32_t)MINUS_H_TGT_OPERATOR);
        assert_int_equal(fixture_ask(f, i == 0 ? "alice" : "olga", alter_request, &gr), i == 1);
        if (i == 0) {
            assert_string_equal(said(f),
                                "denied: \"alice\" must be operator to remove operator hold");
            assert_string_equal(fixture_ready(f, 1), "1,3"); /* no user hold either */
        }
    }
    assert_string_equal(said(f),
                        "modified hold of job-array task 1.1\nmodified hold of job-array task 1.2");
    assert_string_equal(fixture_ready(f, 1), "3");
    assert_true(fixture_hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_REMOVE));
    assert_string_equal(fixture_ready(f, 1), "1-3:1");
}

static void no_hand_lifts_a_dependency(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "A", .tasks = "1-3");
    submit(f, .name = "B", .tasks = "1-3", .ad = "A");
    assert_true(fixture_hold(f, "boss", "2", 0, GDI_HOLD_CLEAR));
    assert_true(fixture_hold(f, "boss", "2", MINUS_H_TGT_JA_AD, GDI_HOLD_REMOVE));
    assert_string_equal(said(f), "");
    assert_string_equal(fixture_held(f, 2), "1-3:1");
}

static void a_pattern_means_jobs_of_others_which_are_denied(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "h1");
    submit(f, .name = "h2", .owner = "bob");
    submit(f, .name = "other", .owner = "carol");
    assert_false(fixture_hold(f, "bob", "h*", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "denied: \"bob\" must be at least owner of job 1 to change job "
                                 "attributes\nmodified hold of job 2");
    assert_false(fixture_hold(f, "bob", "h1", MINUS_H_TGT_USER, GDI_HOLD_ADD)); /* a name, too */
    assert_string_equal(said(f),
                        "denied: \"bob\" must be at least owner of job 1 to change job attributes");
    assert_false(fixture_hold(f, "bob", "x*", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "denied: job \"x*\" does not exist");
    assert_true(fixture_hold(f, "olga", "h*", MINUS_H_TGT_USER, GDI_HOLD_ADD));
}

static void denials_of_one_request_are_bounded(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < SELECT_OTHERS_MOST; i++)
        submit(f, .name = "h");
    submit(f, .name = "h", .owner = "bob");
    assert_false(fixture_hold(f, "bob", "h*", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_null(strstr(said(f), "more than"));
    submit(f, .name = "h");
    assert_false(fixture_hold(f, "bob", "h*", MINUS_H_TGT_USER, GDI_HOLD_REMOVE));
    uint32_t n = 0;
    for (const char *at = said(f); (at = strstr(at, "at least owner")) != NULL; at++)
        n++;
    assert_int_equal(n, SELECT_OTHERS_MOST);
    assert_non_null(strstr(said(f), "modified hold of job 257")); /* bob's own */
    const char *rest = strrchr(said(f), '\n') + 1;
    assert_string_equal(rest, "denied: more than 256 of the jobs belong to other users; only these "
                              "are listed");
}

static void users_without_jobs_are_named_as_users(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct ST_Type *user = cull_append(&gr, GR_users);
    cull_set(user, ST_name, "nosuch");
    cull_set(&gr, GR_hold_op, (uint32_t)GDI_HOLD_ADD);
    cull_set(&gr, GR_hold_kinds, (uint32_t)MINUS_H_TGT_USER);
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    assert_string_equal(said(f), "There is no job registered for the following users: nosuch");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup_operator, fixture_teardown)
        TEST(holds_say_a_line_for_each_task_they_changed),
        TEST(a_million_tasks_are_one_line),
        TEST(kinds_of_hold_need_their_rights),
        TEST(lifting_all_holds_is_all_or_nothing),
        TEST(some_kinds_are_put_while_others_are_lifted),
        TEST(no_hand_lifts_a_dependency),
        TEST(a_pattern_means_jobs_of_others_which_are_denied),
        TEST(denials_of_one_request_are_bounded),
        TEST(users_without_jobs_are_named_as_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
