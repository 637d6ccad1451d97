/* Tests of daemons/schedd/protocol.c: the scheduling daemon in a thread, the test is its qmaster.
 * Events are lines (feed.h). */
#include "daemons/schedd/test/daemon.h"

static void nothing_is_ordered_before_the_state_is_whole(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    tell_events(t, "queue all.q@a 2;job 2 0-9");
    tell_events(t, "job 1 0-0");
    tell_events(t, "synced");
    expect_package(t, 1, "1:0>all.q@a 2:0>all.q@a");
}

static void a_submit_an_end_and_a_release_are_answered_at_once(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    tell_events(t, "queue all.q@a 2;synced");
    tell_events(t, "job 1 0-9");
    expect_package(t, 1, "1:0-1>all.q@a");
    send_answer(t, 1, 0, 0, 0);
    tell_events(t, "started 1 0-1 all.q@a;job 2");
    tell_events(t, "ended 1 0 all.q@a;ready 2 0;mod 2 p 100");
    expect_package(t, 2, "2:0>all.q@a");
}

static void packages_that_have_come_are_applied_before_a_run(void **state)
{
    struct fixture *t = *state;

    send_lines(t, "queue all.q@a 1;synced");
    send_lines(t, "job 1 0");
    send_lines(t, "job 2 0 p 100");
    start_daemon(t);
    peer_take_registration(&t->peer);
    struct EP_Type ack = { 0 };
    expect_frame(t, GDI_FRAME_EVENT_ACK, &ack);
    assert_int_equal(ack.EP_number, t->peer.package);
    cull_clear(&cull_EP_Type, &ack);
    expect_package(t, 1, "2:0>all.q@a");
}

static void orders_do_not_wait_for_answers(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    tell_events(t, "queue all.q@a 1;synced");
    tell_events(t, "job 1 0");
    expect_package(t, 1, "1:0>all.q@a");
    tell_events(t, "queue all.q@b 1;job 2 0");
    expect_package(t, 2, "2:0>all.q@b");
    send_answer(t, 1, 0, 0, 0);
    send_answer(t, 2, 0, 0, 0);
}

static void refused_tasks_are_ordered_again_when_they_are_ready(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    tell_events(t, "queue all.q@a 2;synced");
    tell_events(t, "job 1 0-1");
    expect_package(t, 1, "1:0-1>all.q@a");
    send_answer(t, 1, 1, 0, 1);
    tell_events(t, "ready 1 1");
    expect_package(t, 2, "1:1>all.q@a");
}

static void a_huge_array_leaves_in_bounded_packages(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    tell_events(t, "queue all.q@a 5500;synced");
    tell_events(t, "job 1 0-9999999");
    expect_package(t, 1, "1:0-999>all.q@a");
    expect_package(t, 2, "1:1000-1999>all.q@a");
    expect_package(t, 3, "1:2000-2999>all.q@a");
    expect_package(t, 4, "1:3000-3999>all.q@a");
    send_answer(t, 1, 0, 0, 0);
    expect_package(t, 5, "1:4000-4999>all.q@a");
    send_answer(t, 2, 0, 0, 0);
    expect_package(t, 6, "1:5000-5499>all.q@a");
}

static void the_qmaster_learns_what_priorities_follow_from_within_a_second(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    tell_events(t, "synced");
    tell_events(t, "job 1 0 sub 100;job 2 0 sub 200"); /* nothing can start */
    uint64_t began_s = uti_now_s();
    while (t->n_priors < 2) {
        struct EP_Type package = { 0 };
        peer_expect(&t->peer, GDI_FRAME_ORDERS, &package);
        t->n_priors += package.EP_orders.v[0].OR_kind == ORDER_PRIOR;
        answer_orders(t, package.EP_number);
        cull_clear(&cull_EP_Type, &package);
    }
    assert_true(uti_now_s() - began_s < 10); /* before the next run by schedule_interval */
}

/* the daemon's loop has ended by itself; teardown finds another thread */
static void expect_daemon_end(struct fixture *t)
{
    pthread_join(t->thread, NULL);
    start_daemon(t);
}

static void a_lost_connection_ends_it(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    tell_events(t, "queue all.q@a 1;job 1 0;synced");
    expect_package(t, 1, "1:0>all.q@a");
    peer_hang_up(&t->peer);
    expect_daemon_end(t);
}

static void a_start_time_that_comes_starts_the_job(void **state)
{
    struct fixture *t = *state;
    uint64_t at_s = uti_now_s() + 1;
    char line[64];

    peer_take_registration(&t->peer);
    snprintf(line, sizeof line, "queue all.q@a 1;job 1 0 at %llu;synced", (unsigned long long)at_s);
    tell_events(t, line);
    expect_package(t, 1, "1:0>all.q@a");
    assert_true(uti_now_s() >= at_s);
}

static void a_malformed_event_ends_it(void **state)
{
    struct fixture *t = *state;
    struct EP_Type package = { 0 };
    struct EV_Type *event = cull_append(&package, EP_events);

    peer_take_registration(&t->peer);
    cull_set(event, EV_kind, EV_TASKS_STARTED);
    peer_send_events(&t->peer, &package);
    peer_expect_end(&t->peer);
    expect_daemon_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_ordered_before_the_state_is_whole, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_submit_an_end_and_a_release_are_answered_at_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(packages_that_have_come_are_applied_before_a_run,
                                        set_up_stopped, tear_down),
        cmocka_unit_test_setup_teardown(orders_do_not_wait_for_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refused_tasks_are_ordered_again_when_they_are_ready, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_huge_array_leaves_in_bounded_packages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            the_qmaster_learns_what_priorities_follow_from_within_a_second, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lost_connection_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_start_time_that_comes_starts_the_job, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_malformed_event_ends_it, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
