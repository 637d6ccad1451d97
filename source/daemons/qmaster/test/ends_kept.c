/* What becomes of kept ends: restarts, time, limits, and clients that hang up. message.h */
#include "daemons/qmaster/sessions/session_records.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/sessions/ends.h"
#include "daemons/qmaster/test/ends_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"

/* ---- restarts ---- */
static void what_is_kept_survives_the_qmaster(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 4);
    fixture_run(f, 1, 2, 37);
    fixture_delete(f, "alice", "1.3");
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:unrun1.3 99:end1.2/37 99:|");
    fixture_run(f, 1, 1, 0); /* the job knows its session */
    fixture_run(f, 1, 4, 0);
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:unrun1.3 99:end1.1/0end1.2/37end1.4/0 99:|");
    ask_take(f, "alice", 5, "s", 1, 0, 3);
    assert_string_equal(told_after_sync(f, "alice"), "5:.");
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
}

static void an_end_that_is_not_durable_is_neither_kept_nor_told(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    ask_watch(f, "alice", 3, "s", 0);
    told_after_sync(f, "alice");
    fixture_run(f, 1, 1, 0);
    core_commit(&f->q);
    assert_string_equal(text_told(f, "alice"), "");
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
    assert_int_equal(fixture_job(f, 1)->rec.JB_job_number, 1);
}

static void a_session_that_was_ended_goes_with_all_it_kept(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2000);
    for (uint32_t task = 1; task < 2000; task++)
        fixture_run(f, 1, task, 0);
    fixture_commit(f);
    ask_watch(f, "alice", 3, "s", 0);
    told_after_sync(f, "alice");
    ask_session(f, "alice", 4, GDI_DEL, "s");
    assert_string_equal(told_after_sync(f, "alice"),
                        "3:session \"s\" was deleted with all its records. 4:.");
    fixture_run(f, 1, 2000, 0); /* its job ran on, and nobody keeps that */
    ask_session(f, "alice", 5, GDI_ADD, "s");
    told_after_sync(f, "alice");
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
    assert_false(session_records_have_job(&f->q, 1));
}

/* the qmaster ended before all records of a session had gone: they go after the restart */
static void what_is_left_of_a_session_goes_at_the_next_start(void **state)
{
    struct fixture *f = *state;
    struct packer key = { 0 };
    begin_session(f, 3);
    fixture_run(f, 1, 1, 0);
    fixture_delete(f, "alice", "1.2");
    fixture_commit(f);
    uint64_t number = job_session_find(&f->q, "alice", "s")->rec.SN_number;
    pack_u32be(&key, (uint32_t)(number >> 32));
    pack_u32be(&key, (uint32_t)number);
    fixture_spool(f, SPOOL_SESSION, key.data, key.len, NULL);
    packer_free(&key);
    fixture_restart(f);
    assert_null(f->q.job_sessions->by_name);
    assert_false(session_records_have_job(&f->q, 1));
    fixture_restart(f);
    assert_null(f->q.job_sessions->by_name);
}

/* ---- time and limits ---- */
static void a_session_that_nobody_asks_about_expires(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2);
    fixture_run(f, 1, 1, 0);
    f->q.settings.session_timeout_s = 100;
    f->q.now_s += 99;
    ends_expire(&f->q);
    ask_session(f, "alice", 1, GDI_GET, "s"); /* it begins anew */
    assert_string_equal(told_after_sync(f, "alice"), "1:s(1).");
    ask_watch(f, "alice", 2, "s", 0);
    told_after_sync(f, "alice");
    f->q.now_s += 1000;
    ends_expire(&f->q); /* watched */
    fixture_hang_up(f, "alice");
    f->q.now_s += 99;
    ends_expire(&f->q);
    ask_session(f, "alice", 3, GDI_GET, "s");
    assert_string_equal(told_after_sync(f, "alice"), "3:s(1).");
    f->q.now_s += 100;
    ends_expire(&f->q);
    ask_session(f, "alice", 4, GDI_GET, "s");
    assert_string_equal(told_after_sync(f, "alice"), "4:denied: session \"s\" does not exist.");
    fixture_run(f, 1, 2, 0);
}

static void a_user_has_so_many_sessions(void **state)
{
    struct fixture *f = *state;
    f->q.settings.user_sessions = 2;
    ask_session(f, "alice", 1, GDI_ADD, "a");
    ask_session(f, "alice", 2, GDI_ADD, "b");
    ask_session(f, "alice", 3, GDI_ADD, "c");
    ask_submit(f, "alice", 4, 1, "c", GDI_WATCH_TOO, "id");
    ask_session(f, "alice", 5, GDI_ADD, "a"); /* joined */
#define TOO_MANY                                                                                   \
    "denied: user \"alice\" has 2 sessions; the limit is 2 (qmaster_params MAX_USER_SESSIONS). "
    assert_string_equal(told_after_sync(f, "alice"),
                        "1:a(0). 2:b(0). 3:" TOO_MANY "4:" TOO_MANY "5:a(0).");
    ask_session(f, "alice", 6, GDI_DEL, "b");
    ask_session(f, "alice", 7, GDI_ADD, "c");
    assert_string_equal(told_after_sync(f, "alice"), "6:. 7:c(0).");
    ask_session(f, "bob", 8, GDI_ADD, "b");
    assert_string_equal(told_after_sync(f, "bob"), "8:b(0).");
}

/* refused is the submit, so that an end that comes always has a place */
static void a_user_has_so_many_ends_kept_and_to_come(void **state)
{
    struct fixture *f = *state;
    f->q.settings.user_ends = 5;
    begin_session(f, 3);
    ask_submit(f, "alice", 3, 3, "s", 0, NULL);
    assert_string_equal(
        told_after_sync(f, "alice"),
        "3:denied: the sessions of user \"alice\" would have to record the ends of 6 tasks; "
        "the limit is 5 (qmaster_params MAX_USER_ENDS).");
    fixture_run(f, 1, 1, 0);
    fixture_restart(f);
    f->q.settings.user_ends = 5;
    ask_submit(f, "alice", 4, 3, "s", 0, NULL);
    assert_non_null(strstr(told_after_sync(f, "alice"), "would have to record the ends of 6"));
    fixture_run(f, 1, 1, 0);
    fixture_delete(f, "alice", "1.2");
    ask_take(f, "alice", 5, "s", 1, 0, 0);
    ask_submit(f, "alice", 6, 3, "s", 0, NULL);
    assert_string_equal(told_after_sync(f, "alice"), "5:. 6:job2.");
    ask_session(f, "alice", 7, GDI_DEL, "s");
    ask_session(f, "alice", 8, GDI_ADD, "t");
    ask_submit(f, "alice", 9, 5, "t", 0, NULL);
    assert_string_equal(told_after_sync(f, "alice"), "7:. 8:t(0). 9:job3.");
}

static void who_does_not_read_is_cut_off(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2);
    ask_watch(f, "alice", 3, "s", 0);
    told_after_sync(f, "alice");
    uint64_t conn = fixture_connection(f, "alice")->conn;
    f->queued = WORK_BYTES_UNREAD + 1;
    fixture_run(f, 1, 1, 0);
    fixture_run(f, 1, 2, 0);
    fixture_commit(f);
    assert_int_equal(f->last_closed, conn);
    f->queued = 0;
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.1/0end1.2/0 99:|");
}

/* ---- hanging up ---- */
static void what_a_client_said_last_is_heard(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 3);
    fixture_run(f, 1, 1, 0);
    fixture_run(f, 1, 2, 0);
    fixture_commit(f);
    struct GR_Type gr = for_take("s", 1, 0, 0), late = { 0 };
    struct packer take = pack_request(&gr);
    cull_set(&late, GR_verb, (uint32_t)GDI_DEL);
    cull_set(&late, GR_target, (uint32_t)GDI_JOB);
    fixture_name(&late, "1");
    struct packer other = pack_request(&late);
    struct connection *s = fixture_connection(f, "alice");
    lane_put_frame(s->lane, &(struct frame){ .kind = GDI_FRAME_REQUEST,
                                             .serial = 8,
                                             .body = other.data,
                                             .len = other.len });
    lane_put_frame(
        s->lane, &(struct frame){
                     .kind = GDI_FRAME_REQUEST, .serial = 9, .body = take.data, .len = take.len });
    fixture_hang_up(f, "alice");
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.2/0 99:|");
    fixture_run(f, 1, 3, 0); /* nothing but that: it was not deleted */
}

static void who_has_gone_is_told_nothing_more(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2);
    ask_watch(f, "alice", 3, "s", 0);
    uint64_t conn = fixture_connection(f, "alice")->conn;
    fixture_hang_up(f, "alice");
    fixture_forget_sent(f);
    fixture_run(f, 1, 1, 0);
    fixture_commit(f);
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_ANSWER), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(what_is_kept_survives_the_qmaster),
        TEST(an_end_that_is_not_durable_is_neither_kept_nor_told),
        TEST(a_session_that_was_ended_goes_with_all_it_kept),
        TEST(what_is_left_of_a_session_goes_at_the_next_start),
        TEST(a_session_that_nobody_asks_about_expires),
        TEST(a_user_has_so_many_sessions),
        TEST(a_user_has_so_many_ends_kept_and_to_come),
        TEST(who_does_not_read_is_cut_off),
        TEST(what_a_client_said_last_is_heard),
        TEST(who_has_gone_is_told_nothing_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
