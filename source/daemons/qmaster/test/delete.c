/* Deleting: what became of each job and task is said, in the texts that users of Grid Engines
 * know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/uti/alloc.h"

static void deletes_say_what_they_deleted(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *user, *what, *text;
    } said_of[] = {
        { "alice", "1.2", "alice has deleted job-array task 1.2" },
        { "alice", "1.3-4", "alice has deleted job-array tasks 3,4 of job 1" },
        { "alice", "1.5-9:2", "alice has deleted job-array tasks 5-9:2 of job 1" },
        { "alice", "1.2", "job \"1\" task \"2\" does not exist" },
        { "alice", "1.20", "job \"1\" task \"20\" does not exist" },
        { "bob", "1", "bob - you do not have the necessary privileges to delete the job \"1\"" },
        { "bob", "arr", "The job arr of user(s) bob does not exist" },
        { "alice", "4711", "denied: job \"4711\" does not exist" },
        { "alice", "n*", "alice has deleted job 2\nalice has deleted job 3" },
        { "olga", "1", "olga has deleted job 1" },
    };
    submit(f, .name = "arr", .tasks = "1-9");
    submit(f, .name = "n1");
    submit(f, .name = "n2");
    for (size_t i = 0; i < ARRAY_LEN(said_of); i++) {
        fixture_delete(f, said_of[i].user, said_of[i].what);
        assert_string_equal(said(f), said_of[i].text);
    }
    assert_int_equal(f->q.jobs.n, 0);
}

/* that is no failure beside one who has jobs; nor are tasks that one of the jobs of a pattern does
 * not have */
static void users_and_jobs_of_patterns_without_what_is_deleted_are_excused(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .name = "e1", .tasks = "1-2");
    submit(f, .name = "e2", .tasks = "1");
    fixture_name(&gr, "e?");
    struct TR_Type *tasks = cull_append(&gr.GR_select.v[0], ID_tasks);
    cull_set(tasks, TR_min, 2u);
    cull_set(tasks, TR_max, 2u);
    assert_true(fixture_ask(f, "alice", delete_request, &gr));
    assert_string_equal(
        said(f), "alice has deleted job-array task 1.2\njob \"2\" task \"2\" does not exist");
    static const char *const users[] = { "alice", "nosuch" };
    for (size_t i = 0; i < ARRAY_LEN(users); i++) {
        struct ST_Type *user = cull_append(&gr, GR_users);
        cull_set(user, ST_name, users[i]);
    }
    assert_true(fixture_ask(f, "alice", delete_request, &gr));
    assert_string_equal(said(f), "alice has deleted job 1\nalice has deleted job 2\n"
                                 "There is no job registered for the following users: nosuch");
}

static void names_without_jobs_are_said_where_they_stand(void **state)
{
    static const char *const names[] = { "4711", "1", "nosuch", "2", "n*" };
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f);
    submit(f);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, names[i]);
    }
    assert_false(fixture_ask(f, "alice", delete_request, &gr));
    assert_string_equal(said(f), "denied: job \"4711\" does not exist\n"
                                 "alice has deleted job 1\n"
                                 "The job nosuch of user(s) alice does not exist\n"
                                 "alice has deleted job 2\n"
                                 "The job n* of user(s) alice does not exist");
}

static void running_tasks_are_registered_for_deletion_once(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    fixture_start(f, 1, 1);
    fixture_delete(f, "alice", "1");
    assert_string_equal(said(f), "alice has registered the job-array task 1.1 for deletion\n"
                                 "alice has deleted job 1");
    fixture_delete(f, "alice", "1");
    assert_string_equal(said(f), "job 1 is already in deletion");
    fixture_delete_forced(f, "bob", "1"); /* answers, and changes nothing */
    assert_string_equal(said(f),
                        "bob - you do not have the necessary privileges to delete the job \"1\"");
    fixture_delete_forced(f, "alice", "1");
    assert_string_equal(said(f), "alice has forced the deletion of job-array task 1.1");
    assert_int_equal(f->q.jobs.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup_operator, fixture_teardown)
        TEST(deletes_say_what_they_deleted),
        TEST(users_and_jobs_of_patterns_without_what_is_deleted_are_excused),
        TEST(names_without_jobs_are_said_where_they_stand),
        TEST(running_tasks_are_registered_for_deletion_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
