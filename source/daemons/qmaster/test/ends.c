/* Sessions that keep how tasks end: who has one, what it keeps, who hears of it. message.h */
#include "daemons/qmaster/sessions/ends.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "daemons/qmaster/core.h"
#include "daemons/qmaster/test/ends_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"

/* ---- sessions ---- */
static void a_session_is_made_once_and_joined_after_that(void **state)
{
    struct fixture *f = *state;
    ask_session(f, "alice", 1, GDI_ADD, "run-7");
    ask_session(f, "alice", 2, GDI_ADD, "run-7");
    ask_session(f, "alice", 3, GDI_GET, "run-7");
    assert_string_equal(told_after_sync(f, "alice"), "1:run-7(0). 2:run-7(0). 3:run-7(0).");
}

static void a_key_of_the_qmasters_is_long_and_random(void **state)
{
    struct fixture *f = *state;
    char first[64];
    ask_session(f, "alice", 1, GDI_ADD, NULL);
    const char *told = told_after_sync(f, "alice");
    assert_int_equal(strlen(told), strlen("1:(0).") + 32);
    snprintf(first, sizeof first, "%s", told);
    ask_session(f, "alice", 1, GDI_ADD, NULL);
    assert_string_not_equal(told_after_sync(f, "alice"), first);
}

static void what_is_no_key_is_refused(void **state)
{
    static const char *const bad[] = { "",
                                       "a b",
                                       "a/b",
                                       "a\nb",
                                       "\xc3\xa4",
                                       "0123456789012345678901234567890123456789012345678901234567"
                                       "8901234" };
    struct fixture *f = *state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        ask_session(f, "alice", 1, GDI_ADD, bad[i]);
        assert_string_equal(told_after_sync(f, "alice"),
                            "1:denied: the name of a session has 1 to 64 letters, digits, \".\", "
                            "\"_\" and \"-\".");
    }
    ask_session(f, "alice", 1, GDI_ADD, bad[ARRAY_LEN(bad) - 1] + 1);
    assert_non_null(strstr(told_after_sync(f, "alice"), "1234(0)."));
}

static void a_session_of_somebody_else_is_unknown(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    ask_session(f, "bob", 1, GDI_GET, "s");
    ask_watch(f, "bob", 2, "s", 0);
    ask_take(f, "bob", 3, "s", 1, 0, 0);
    ask_session(f, "bob", 4, GDI_DEL, "s");
    ask_submit(f, "bob", 5, 1, "s", 0, NULL);
#define UNKNOWN "denied: session \"s\" does not exist. "
    assert_string_equal(told_after_sync(f, "bob"),
                        "1:" UNKNOWN "2:" UNKNOWN "3:" UNKNOWN "4:" UNKNOWN
                        "5:denied: session \"s\" does not exist.");
    ask_session(f, "bob", 6, GDI_ADD, "s"); /* his own of that name */
    assert_string_equal(told_after_sync(f, "bob"), "6:s(0).");
    fixture_run(f, 1, 1, 0);
    assert_string_equal(kept_of(f, "bob", "s"), "99:|");
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.1/0 99:|");
}

static void a_manager_may_end_a_session_that_he_names_with_its_owner(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    for (int i = 0; i < 2; i++) {
        struct GR_Type gr = for_session(GDI_DEL, "s");
        cull_set((struct ST_Type *)cull_append(&gr, GR_users), ST_name, "alice");
        fixture_hear(f, fixture_connection(f, i == 0 ? "bob" : "boss"), 1, &gr);
    }
    assert_string_equal(told_after_sync(f, "alice"), "");
    ask_session(f, "alice", 1, GDI_GET, "s");
    assert_string_equal(told_after_sync(f, "alice"), "1:denied: session \"s\" does not exist.");
}

/* ---- ends ---- */
static void an_end_is_kept_until_it_is_taken(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 3);
    fixture_run(f, 1, 2, 0);
    fixture_run(f, 1, 1, TASK_FAILED_AFTER_JOB);
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.1/100end1.2/0 99:|");
    ask_take(f, "alice", 5, "s", 1, 1, 1);
    assert_string_equal(told_after_sync(f, "alice"), "5:.");
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.1/100 99:|");
    ask_take(f, "alice", 6, "s", 1, 0, UINT32_MAX - 1); /* and what is not there */
    ask_take(f, "alice", 7, "s", 4711, 0, 0);
    assert_string_equal(told_after_sync(f, "alice"), "6:. 7:.");
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
}

static void who_watches_is_told_each_end_once_after_the_disk(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 3);
    fixture_run(f, 1, 1, 0);
    fixture_commit(f);
    ask_watch(f, "alice", 3, "s", 0);
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.1/0 3:|");
    fixture_run(f, 1, 3, 0);
    core_commit(&f->q);
    assert_string_equal(text_told(f, "alice"), "");
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.3/0");
    fixture_run(f, 1, 2, 0); /* the job goes, the session stays */
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.2/0");
}

/* what happens while the kept ones are read is neither missed nor told twice */
static void ends_beside_the_reading_are_told_once(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 600);
    for (uint32_t task = 1; task <= 600; task += 2)
        fixture_run(f, 1, task, 0);
    fixture_commit(f);
    ask_watch(f, "alice", 3, "s", 0);
    for (uint32_t task = 2; task <= 600; task += 2) {
        fixture_run(f, 1, task, 0);
        if (task % 100 == 0)
            fixture_turn(f);
    }
    fixture_commit(f);
    uint32_t told = 0;
    bool seen[601] = { false };
    for (const char *at = text_told(f, "alice"); (at = strstr(at, "end1.")) != NULL; told++) {
        unsigned task = 0;
        assert_int_equal(sscanf(at += 5, "%u", &task), 1);
        assert_false(seen[task]);
        seen[task] = true;
    }
    assert_int_equal(told, 600);
}

static void everybody_who_watches_is_told(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    ask_watch(f, "alice", 3, "s", 0);
    ask_watch(f, "alice", 4, "s", 0);
    assert_string_equal(told_after_sync(f, "alice"), "3:| 4:|");
    fixture_run(f, 1, 1, 0);
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.1/0 4:end1.1/0");
}

static void more_watchers_than_may_be_are_refused(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    for (uint32_t i = 0; i < 64; i++)
        ask_watch(f, "alice", 1, "s", 0);
    told_after_sync(f, "alice");
    ask_watch(f, "alice", 9, "s", 0);
    assert_string_equal(told_after_sync(f, "alice"),
                        "9:denied: session \"s\" already has 64 watchers.");
}

static void deleted_tasks_are_kept_as_ranges(void **state)
{
    struct fixture *f = *state;
    f->q.settings.max_aj_tasks = 0;
    begin_session(f, 1000000);
    fixture_start(f, 1, 3);
    fixture_start(f, 1, 500000);
    fixture_run(f, 1, 7, 0);
    fixture_delete(f, "alice", "1"); /* those that run get a signal */
    assert_string_equal(kept_of(f, "alice", "s"),
                        "99:unrun1.1-2,4-6,8-499999,500001-1000000 99:end1.7/0 99:|");
    fixture_report(f, 1, 3, REPORT_ENDED, TASK_FAILED_AFTER_JOB);
    assert_string_equal(told_after_sync(f, "alice"), "99:killed1.3/100");
    fixture_restart(f);
    ask_take(f, "alice", 5, "s", 1, 0, 999990);
    told_after_sync(f, "alice");
    assert_string_equal(kept_of(f, "alice", "s"), "99:unrun1.999992-1000000 99:|");
}

static void a_task_that_is_put_back_or_parked_has_not_ended(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2);
    ask_watch(f, "alice", 3, "s", 0);
    told_after_sync(f, "alice");
    fixture_run(f, 1, 1, TASK_FAILED_RESCHEDULE);
    fixture_run(f, 1, 2, TASK_FAILED_APPERROR);
    assert_string_equal(told_after_sync(f, "alice"), "");
    fixture_delete(f, "alice", "1.2"); /* in error: it has not run to its end */
    assert_string_equal(told_after_sync(f, "alice"), "3:unrun1.2");
    fixture_run(f, 1, 1, 0);
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.1/0");
}

static void ends_of_jobs_without_that_session_are_not_kept(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    uint32_t other = submit(f);
    ask_submit(f, "alice", 3, 1, "t", 0, NULL);
    assert_string_equal(told_after_sync(f, "alice"), "3:denied: session \"t\" does not exist.");
    fixture_run(f, other, 1, 0);
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_session_is_made_once_and_joined_after_that),
        TEST(a_key_of_the_qmasters_is_long_and_random),
        TEST(what_is_no_key_is_refused),
        TEST(a_session_of_somebody_else_is_unknown),
        TEST(a_manager_may_end_a_session_that_he_names_with_its_owner),
        TEST(an_end_is_kept_until_it_is_taken),
        TEST(who_watches_is_told_each_end_once_after_the_disk),
        TEST(ends_beside_the_reading_are_told_once),
        TEST(everybody_who_watches_is_told),
        TEST(more_watchers_than_may_be_are_refused),
        TEST(deleted_tasks_are_kept_as_ranges),
        TEST(a_task_that_is_put_back_or_parked_has_not_ended),
        TEST(ends_of_jobs_without_that_session_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
