/* A submit that is asked for twice makes one job, also across an end of the job, a restart, and both. */
#include "daemons/qmaster/recent.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "daemons/qmaster/sessions.h"
#include "daemons/qmaster/test/fixture.h"

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
    assert_int_equal(recent_find(&f->q, fixture_session(f, "alice")->peer.uid, "one"), 0);
    assert_int_not_equal(submit(f, .id = "one"), 0);
    assert_int_equal(f->q.jobs.n, 1);
}

static void a_refused_submit_is_not_remembered(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(submit(f, .name = "9bad", .id = "one"), 0);
    assert_int_equal(recent_find(&f->q, fixture_session(f, "alice")->peer.uid, "one"), 0);
}

static void ids_are_forgotten_when_no_client_can_ask_any_more(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f, .id = "one");
    fixture_run(f, job, 1, 0);
    fixture_commit(f);
    f->q.now_s += 60;
    recent_expire(&f->q);
    assert_int_equal(recent_find(&f->q, fixture_session(f, "alice")->peer.uid, "one"), job);
    f->q.now_s += 600;
    recent_expire(&f->q);
    assert_int_equal(recent_find(&f->q, fixture_session(f, "alice")->peer.uid, "one"), 0);
    fixture_commit(f);
    fixture_restart(f); /* and its record has gone from the spool */
    assert_int_equal(recent_find(&f->q, fixture_session(f, "alice")->peer.uid, "one"), 0);
    assert_int_equal(recent_find(&f->q, fixture_session(f, "alice")->peer.uid, NULL), 0);
}

/* a million of them would be read, to be forgotten all at once a second later */
static void ids_of_old_jobs_are_not_remembered_at_a_restart(void **state)
{
    struct fixture *f = *state;
    uid_t alice = fixture_session(f, "alice")->peer.uid;
    f->q.now_s -= 600;
    submit(f, .id = "old");
    f->q.now_s += 600;
    submit(f, .id = "new");
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(recent_find(&f->q, alice, "old"), 0);
    assert_int_equal(recent_find(&f->q, alice, "new"), 2);
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
        TEST(ids_of_old_jobs_are_not_remembered_at_a_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
