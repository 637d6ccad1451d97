/* Whose turn it is: users, their connections, and what waits in each. */
#include "daemons/qmaster/change/work.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/uti/alloc.h"

enum { ALICE = 1001, BOB, LOTS = 1000, UNREAD = 100 << 20 };

struct
    stage { /* a qmaster that has nothing but work to give out, and connections that are not there */
    struct fixture net; /* what the wrapped functions of the network look at */
    struct qmaster q;
    struct connection of[4];
    struct dstr
        done; /* the slices in order: 'a' for a frame of connection 0, 'A' for a step of its piece ... */
    int n_freed;
};
static struct stage *stage_of(struct qmaster *q)
{
    return (struct stage *)((char *)q - offsetof(struct stage, q));
}

static void on_frame(struct qmaster *q, struct connection *s, struct frame *f)
{
    (void)f;
    dstr_addf(&stage_of(q)->done, "%c", 'a' + (char)s->conn);
}

static int set_up(void **state)
{
    static const uint64_t users[] = { ALICE, ALICE, BOB, WORK_OF_DAEMONS };
    struct stage *st = uti_calloc(1, sizeof *st);
    st->q.net = (struct net *)&st->net;
    st->q.work = work_new(on_frame);
    st->q.change = change_new(1);
    for (unsigned i = 0; i < ARRAY_LEN(st->of); i++) {
        st->of[i].conn = i;
        st->of[i].lane = lane_new(st->q.work, users[i], &st->of[i]);
    }
    *state = st;
    return 0;
}

static int tear_down(void **state)
{
    struct stage *st = *state;
    for (unsigned i = 0; i < ARRAY_LEN(st->of); i++)
        lane_free(st->of[i].lane);
    work_free(st->q.work);
    change_free(st->q.change);
    dstr_free(&st->done);
    free(st);
    return 0;
}

static void put_frames(struct stage *st, unsigned conn, unsigned n)
{
    struct frame f = { 0 };
    for (unsigned i = 0; i < n; i++) {
        f.body = uti_alloc(1);
        lane_put_frame(st->of[conn].lane, &f);
    }
}

/* a piece of work with so many steps */
struct steps {
    struct piece piece;
    struct stage *st;
    unsigned left, conn;
};

static bool step_piece(struct qmaster *q, struct piece *p)
{
    struct steps *s = (struct steps *)p;
    dstr_addf(&stage_of(q)->done, "%c", 'A' + (char)s->conn);
    return --s->left == 0;
}

/* the same, and changes as much as there is room for in a spool's records of ended tasks */
static bool changing_step(struct qmaster *q, struct piece *p)
{
    struct job job = { .rec = { .JB_job_number = 1 } };
    struct range_set ended = { 0 };
    range_set_add(&ended, 0, LOTS * SPOOL_ENDED_SPAN - 1);
    change_ended(q, &job, &ended);
    return step_piece(q, p);
}

static void steps_free(struct piece *p)
{
    ((struct steps *)p)->st->n_freed++;
    free(p);
}

static const struct piece_kind steps_kind = { "a test", step_piece, steps_free };
static const struct piece_kind changing_kind = { "a test", changing_step, steps_free };

static struct steps *steps_new(struct stage *st, const struct piece_kind *kind, unsigned conn,
                               unsigned n)
{
    struct steps *s = uti_calloc(1, sizeof *s);
    *s = (struct steps){ .piece = { .kind = kind }, .st = st, .left = n, .conn = conn };
    return s;
}

static struct steps *put_piece_of(struct stage *st, const struct piece_kind *kind, unsigned conn,
                                  unsigned n)
{
    struct steps *s = steps_new(st, kind, conn, n);
    lane_put_piece(st->of[conn].lane, &s->piece);
    return s;
}

static struct steps *put_piece(struct stage *st, unsigned conn, unsigned n)
{
    return put_piece_of(st, &steps_kind, conn, n);
}

static const char *do_slices(struct stage *st, unsigned n)
{
    dstr_clear(&st->done);
    for (unsigned i = 0; i < n && work_step(&st->q); i++)
        ;
    return dstr_get(&st->done);
}

static void a_user_s_thousand_requests_do_not_hold_up_another_s(void **state)
{
    struct stage *st = *state;
    put_frames(st, 0, LOTS);
    put_frames(st, 1, LOTS);
    do_slices(st, 10);
    put_frames(st, 2, 2);
    assert_non_null(strchr(do_slices(st, 2), 'c'));
    assert_non_null(strchr(do_slices(st, 2), 'c'));
    assert_null(strchr(do_slices(st, 10), 'c'));
}

static void the_connections_of_a_user_take_turns(void **state)
{
    struct stage *st = *state;
    put_frames(st, 0, 3);
    put_frames(st, 1, 2);
    assert_string_equal(do_slices(st, 10), "ababa");
}

static void a_long_message_is_given_back_in_turns_of_its_user(void **state)
{
    struct stage *st = *state;
    enum { MIB = 1 << 20, LONG_MIB = 10 }; /* 2 MiB a slice */
    struct frame f = { .body = uti_alloc(LONG_MIB * MIB), .len = LONG_MIB * MIB };
    lane_put_frame(st->of[0].lane, &f);
    put_frames(st, 2, 3);
    assert_string_equal(do_slices(st, 6), "accc");
    assert_true(work_is_due(&st->q));
    assert_string_equal(do_slices(st, 3), "");
    assert_false(work_is_due(&st->q));
}

static void daemons_wait_for_no_user(void **state)
{
    struct stage *st = *state;
    put_frames(st, 0, LOTS);
    put_frames(st, 3, 2);
    assert_string_equal(do_slices(st, 4), "adad");
}

static void who_changes_much_packs_it_before_more_is_done(void **state)
{
    struct stage *st = *state;
    put_piece_of(st, &changing_kind, 0, 2);
    put_frames(st, 1, 1);
    put_frames(st, 2, LOTS);
    st->q.slice_until_us = 1; /* each slice is over at once */
    assert_string_equal(do_slices(st, 10), "Accccc");
    size_t unpacked = change_unpacked(&st->q);
    assert_string_equal(do_slices(st, 2), "c");
    assert_true(change_unpacked(&st->q) < unpacked);
    st->q.slice_until_us = 0;
    assert_string_equal(do_slices(st, 4), "cbc");
}

static void what_a_connection_changed_is_packed_when_it_has_gone(void **state)
{
    struct stage *st = *state;
    put_piece_of(st, &changing_kind, 2, 1);
    assert_string_equal(do_slices(st, 1), "C");
    lane_free(st->of[2].lane);
    st->of[2].lane = NULL;
    size_t unpacked = change_unpacked(&st->q);
    assert_true(work_is_due(&st->q));
    do_slices(st, 1);
    assert_true(change_unpacked(&st->q) < unpacked);
    assert_false(work_is_due(&st->q));
}

static void a_request_waits_for_the_one_before_it_on_its_connection(void **state)
{
    struct stage *st = *state;
    put_piece(st, 0, 2);
    put_piece(st, 0, 1);
    put_frames(st, 0, 2);
    assert_string_equal(do_slices(st, 10), "AAAaa");
    assert_int_equal(st->n_freed, 2);
}

static void new_requests_and_work_under_way_alternate(void **state)
{
    struct stage *st = *state;
    put_piece(st, 0, LOTS);
    put_frames(st, 1, 3);
    const char *done = do_slices(st, 6);
    assert_true(strcmp(done, "AbAbAb") == 0 || strcmp(done, "bAbAbA") == 0);
}

static void a_piece_that_waits_takes_nobody_s_turn(void **state)
{
    struct stage *st = *state;
    struct steps *s = put_piece(st, 0, 1);
    s->piece.is_waiting = true;
    put_frames(st, 0, 1);
    put_frames(st, 1, 1);
    piece_wake(&s->piece);
    s->piece.is_waiting = true;
    lane_set_user(st->of[0].lane, BOB); /* the lane is looked at anew */
    assert_string_equal(do_slices(st, 10), "b");
    assert_false(work_is_due(&st->q));
    piece_wake(&s->piece);
    assert_string_equal(do_slices(st, 10), "Aa");
}

static void a_client_that_does_not_read_gets_no_more(void **state)
{
    struct stage *st = *state;
    put_frames(st, 0, 1);
    put_frames(st, 3, 1);
    st->net.queued = UNREAD;
    assert_string_equal(do_slices(st, 10), "d"); /* a daemon's word counts all the same */
    assert_false(work_is_due(&st->q));
    st->net.queued = 0;
    lane_drained(st->of[0].lane);
    assert_string_equal(do_slices(st, 10), "a");
}

static void what_waits_goes_with_its_connection(void **state)
{
    struct stage *st = *state;
    put_piece(st, 0, 2);
    put_frames(st, 0, 2);
    lane_free(st->of[0].lane);
    st->of[0].lane = NULL;
    assert_int_equal(st->n_freed, 1);
    assert_false(work_step(&st->q));
}

/* a request that is in steps makes the first one in the slice of its frame */
static void frame_with_piece(struct qmaster *q, struct connection *s, struct frame *f)
{
    on_frame(q, s, f);
    put_piece(stage_of(q), (unsigned)s->conn, 1);
}

static void a_short_request_is_done_in_one_slice(void **state)
{
    struct stage *st = *state;
    struct work *w = work_new(frame_with_piece);
    struct connection s = { .conn = 0 };
    struct work *had = st->q.work;
    struct lane *lane = lane_new(w, ALICE, &s), *was = st->of[0].lane;
    struct frame f = { 0 };
    st->q.work = w;
    st->of[0].lane = lane;
    lane_put_frame(lane, &f);
    assert_string_equal(do_slices(st, 1), "aA");
    assert_false(work_is_due(&st->q));
    lane_free(lane);
    work_free(w);
    st->q.work = had;
    st->of[0].lane = was;
}

static void what_follows_from_a_change_is_its_user_s_and_outlives_the_connection(void **state)
{
    struct stage *st = *state;
    work_put_piece(st->q.work, ALICE, &steps_new(st, &steps_kind, 0, 3)->piece);
    put_frames(st, 0, 2);
    put_frames(st, 2, 3);
    lane_free(st->of[1].lane);
    st->of[1].lane = NULL;
    assert_string_equal(do_slices(st, 8), "AcacAcaA");
    assert_int_equal(st->n_freed, 1);
    assert_false(work_is_due(&st->q));
}

static void what_is_not_done_at_the_end_is_dropped(void **state)
{
    struct stage *st = *state;
    struct work *w = work_new(on_frame);
    work_put_piece(w, BOB, &steps_new(st, &steps_kind, 0, 3)->piece);
    work_free(w);
    assert_int_equal(st->n_freed, 1);
}

/* a flood from a host, or from whomever it names, waits for its turns as anybody does */
static void a_host_and_its_users_have_turns_like_others(void **state)
{
    struct stage *st = *state;
    lane_set_user(st->of[0].lane, work_of_host(7));
    lane_set_user(st->of[1].lane, work_of_relayed(7, 1));
    for (unsigned i = 0; i < ARRAY_LEN(st->of); i++)
        put_frames(st, i, i < 2 ? 100 : 2);
    assert_string_equal(do_slices(st, 8), "abcdabcd");
    assert_true(work_of_host(7) != work_of_host(8));
    assert_true(work_of_host(7) != work_of_relayed(7, 0));
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_user_s_thousand_requests_do_not_hold_up_another_s),
        TEST(the_connections_of_a_user_take_turns),
        TEST(a_long_message_is_given_back_in_turns_of_its_user),
        TEST(a_host_and_its_users_have_turns_like_others),
        TEST(daemons_wait_for_no_user),
        TEST(who_changes_much_packs_it_before_more_is_done),
        TEST(what_a_connection_changed_is_packed_when_it_has_gone),
        TEST(a_request_waits_for_the_one_before_it_on_its_connection),
        TEST(new_requests_and_work_under_way_alternate),
        TEST(a_piece_that_waits_takes_nobody_s_turn),
        TEST(a_client_that_does_not_read_gets_no_more),
        TEST(what_waits_goes_with_its_connection),
        TEST(a_short_request_is_done_in_one_slice),
        TEST(what_follows_from_a_change_is_its_user_s_and_outlives_the_connection),
        TEST(what_is_not_done_at_the_end_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
