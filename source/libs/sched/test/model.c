/* Tests of libs/sched/sched.c and run/jobs.c: what events do to the model, seen through what a run
 * then orders. */
#include "libs/sched/test/feed.h"

static void a_started_task_keeps_its_slot_until_it_has_ended(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0-9");
    EXPECT(s, "1:0-1>all.q@a");
    EXPECT(s, "");
    feed(s, "started 1 0-1 all.q@a");
    EXPECT(s, "");
    feed(s, "ended 1 1 all.q@a");
    EXPECT(s, "1:2>all.q@a");
    sched_free(s);
}

static void events_told_twice_count_once(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 3");
    feed(s, "job 1 0-9");
    feed(s, "started 1 0 all.q@a");
    feed(s, "started 1 0 all.q@a");
    EXPECT(s, "1:1-2>all.q@a");
    feed(s, "started 1 1-2 all.q@a");
    feed(s, "ended 1 0 all.q@a");
    feed(s, "ended 1 0 all.q@a");
    EXPECT(s, "1:3>all.q@a");
    sched_free(s);
}

static void a_refused_order_comes_back_as_ready(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0-1");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "ready 1 0-1");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "started 1 0 all.q@a");
    feed(s, "ready 1 1");
    EXPECT(s, "1:1>all.q@a");
    sched_free(s);
}

static void a_refusal_frees_the_slots_but_makes_nothing_ready(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    struct OR_Type_list orders = { 0 };

    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0-1");
    assert_int_equal(sched_run(s, 1, 10, &orders), 2);
    feed(s, "job 2 0-1");
    EXPECT(s, "");
    sched_refused(s, &orders.v[0]);
    EXPECT(s, "2:0-1>all.q@a");
    sched_refused(s, &orders.v[0]);
    EXPECT(s, "");
    orders_clear(&orders);
    sched_free(s);
}

static void a_hold_takes_back_what_was_ordered(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0-3");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "unready 1 0-2");
    EXPECT(s, "1:3>all.q@a");
    feed(s, "ready 1 1");
    EXPECT(s, "1:1>all.q@a");
    sched_free(s);
}

static void a_start_elsewhere_than_ordered_moves_the_booking(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 2");
    feed(s, "queue all.q@b 1");
    feed(s, "job 1 0");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "started 1 0 all.q@b");
    feed(s, "job 2 0-5");
    EXPECT(s, "2:0-1>all.q@a");
    sched_free(s);
}

static void a_deleted_job_gives_its_bookings_back_but_not_its_running_tasks(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 3");
    feed(s, "job 1 0-1");
    feed(s, "started 1 0 all.q@a");
    EXPECT(s, "1:1>all.q@a");
    feed(s, "del 1");
    feed(s, "job 2 0-9");
    EXPECT(s, "2:0-1>all.q@a");
    feed(s, "ended 1 0 all.q@a");
    EXPECT(s, "2:2>all.q@a");
    feed(s, "del 1");
    sched_free(s);
}

static void the_end_of_a_refused_order_undoes_the_booking_alone(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 1");
    feed(s, "queue all.q@b 1");
    feed(s, "job 1 0");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "ended 1 0 all.q@a");
    feed(s, "job 2 0-9");
    EXPECT(s, "2:0>all.q@a 2:1>all.q@b");
    feed(s, "started 2 0 all.q@a");
    feed(s, "ended 2 0 all.q@b");
    EXPECT(s, "");
    feed(s, "ended 2 0 all.q@a");
    EXPECT(s, "2:2>all.q@a");
    feed(s, "queue+ all.q@a 4");
    feed(s, "started 2 2 all.q@a");
    EXPECT(s, "2:3-5>all.q@a");
    feed(s, "ended 2 2-4 all.q@a");
    EXPECT(s, "2:6-8>all.q@a");
    sched_free(s);
}

/* tasks of one job in one queue, some with one slot and some with more */
static void each_start_takes_the_slots_that_it_was_given(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 8");
    feed(s, "job 1 0-9");
    feed(s, "started 1 0 all.q@a 1");
    feed(s, "started 1 1 all.q@a 3");
    EXPECT(s, "1:2-5>all.q@a");
    feed(s, "started 1 2-5 all.q@a");
    feed(s, "ended 1 1 all.q@a 3");
    EXPECT(s, "1:6-8>all.q@a");
    feed(s, "ended 1 0 all.q@a 1");
    EXPECT(s, "1:9>all.q@a");
    sched_free(s);
}

static void an_allocation_takes_slots_in_each_of_its_queues(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 4");
    feed(s, "queue all.q@b 3");
    feed(s, "job 1 0-1");
    feed(s, "started 1 0 all.q@a 3 all.q@b 2");
    feed(s, "job 2 0-9");
    EXPECT(s, "1:1>all.q@a 2:0>all.q@b");
    feed(s, "ended 1 0 all.q@a 3"); /* it is not there alone */
    EXPECT(s, "");
    feed(s, "ended 1 0 all.q@b 2 all.q@a 3"); /* nor there first */
    EXPECT(s, "");
    feed(s, "ended 1 0 all.q@a 3 all.q@b 2");
    EXPECT(s, "2:1-2,4>all.q@a 2:3,5>all.q@b");
    sched_free(s);
}

static void what_asks_for_something_else_by_now_ends_in_all_its_queues(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 1");
    feed(s, "queue all.q@b 1");
    feed(s, "job 1 0");
    feed(s, "started 1 0 all.q@a 1 all.q@b 1");
    feed(s, "mod 1 l h_rt=60");
    feed(s, "ended 1 0 all.q@a 1 all.q@b 1");
    feed(s, "job 2 0-1");
    EXPECT(s, "2:0>all.q@a 2:1>all.q@b");
    sched_free(s);
}

static void a_task_of_several_queues_counts_once_for_tc(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 4");
    feed(s, "queue all.q@b 4");
    feed(s, "job 1 0-9 tc 2");
    feed(s, "started 1 0 all.q@a 1 all.q@b 1");
    EXPECT(s, "1:1>all.q@a");
    feed(s, "ended 1 0 all.q@a 1 all.q@b 1");
    EXPECT(s, "1:2>all.q@b");
    sched_free(s);
}

static void a_put_back_task_may_start_again(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 1");
    feed(s, "job 1 0-1");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "started 1 0 all.q@a");
    feed(s, "ended 1 0 all.q@a");
    feed(s, "ready 1 0");
    EXPECT(s, "1:0>all.q@a");
    sched_free(s);
}

static void a_running_task_is_never_ready(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0-0");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "started 1 0 all.q@a");
    feed(s, "ready 1 0");
    EXPECT(s, "");
    sched_free(s);
}

static void tasks_heard_of_before_their_queue_occupy_it(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "job 1 2-9");
    feed(s, "started 1 0-1 all.q@a");
    feed(s, "queue all.q@a 3");
    EXPECT(s, "1:2>all.q@a");
    sched_free(s);
}

static void a_queue_that_goes_and_comes_keeps_its_tasks(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0-9");
    feed(s, "started 1 0 all.q@a");
    feed(s, "delq all.q@a");
    EXPECT(s, "");
    feed(s, "queue all.q@a 2");
    EXPECT(s, "1:1>all.q@a");
    feed(s, "started 1 1 all.q@a");
    feed(s, "delq all.q@a");
    feed(s, "ended 1 0-1 all.q@a");
    feed(s, "queue all.q@a 2");
    EXPECT(s, "1:2-3>all.q@a");
    sched_free(s);
}

static void unknown_jobs_and_queues_are_ignored(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "ready 7 0-1");
    feed(s, "unready 7 0-1");
    feed(s, "started 7 0-1 no.q@a");
    feed(s, "ended 7 0-1 no.q@a");
    feed(s, "mod 7 p 5");
    feed(s, "del 7");
    feed(s, "delq no.q@a");
    feed(s, "queue+ no.q@a 5");
    feed(s, "queue all.q@a 2");
    EXPECT(s, "");
    sched_free(s);
}

static void an_altered_job_takes_its_new_place(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 1");
    feed(s, "queue b.q@a 1");
    feed(s, "job 1 0-4 q all.q");
    feed(s, "job 2 0-4 q all.q");
    feed(s, "mod 2 p 10");
    EXPECT(s, "2:0>all.q@a");
    feed(s, "mod 1 q b.q");
    EXPECT(s, "1:0>b.q@a");
    feed(s, "mod 1 tc 1");
    feed(s, "queue+ b.q@a 10");
    EXPECT(s, "");
    feed(s, "mod 1 tc 3");
    EXPECT(s, "1:1-2>b.q@a");
    feed(s, "mod 1 tc 0");
    EXPECT(s, "1:3-4>b.q@a");
    sched_free(s);
}

static void expect_refused(struct sched *s, struct EV_Type *e)
{
    struct answer ans = ANSWER_INIT;

    assert_int_equal(sched_apply(s, e, &ans), -1);
    assert_true(ans_has_error(&ans));
    ans_free(&ans);
}

static void malformed_events_change_nothing(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 1");
    feed(s, "job 1 0-4");
    for (uint32_t kind = 0; kind <= EV_KINDS + 1; kind++) {
        struct EV_Type e = { 0 };
        if (kind == EV_SYNCED || kind == EV_TRIGGER)
            continue; /* EV_ANEW is whole, too, and not for the scheduler */
        cull_set(&e, EV_kind, kind);
        expect_refused(s, &e);
        cull_clear(&cull_EV_Type, &e);
    }
    EXPECT(s, "1:0>all.q@a");
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_started_task_keeps_its_slot_until_it_has_ended),
        cmocka_unit_test(events_told_twice_count_once),
        cmocka_unit_test(a_refused_order_comes_back_as_ready),
        cmocka_unit_test(a_refusal_frees_the_slots_but_makes_nothing_ready),
        cmocka_unit_test(a_hold_takes_back_what_was_ordered),
        cmocka_unit_test(a_start_elsewhere_than_ordered_moves_the_booking),
        cmocka_unit_test(a_deleted_job_gives_its_bookings_back_but_not_its_running_tasks),
        cmocka_unit_test(the_end_of_a_refused_order_undoes_the_booking_alone),
        cmocka_unit_test(each_start_takes_the_slots_that_it_was_given),
        cmocka_unit_test(an_allocation_takes_slots_in_each_of_its_queues),
        cmocka_unit_test(what_asks_for_something_else_by_now_ends_in_all_its_queues),
        cmocka_unit_test(a_task_of_several_queues_counts_once_for_tc),
        cmocka_unit_test(a_put_back_task_may_start_again),
        cmocka_unit_test(a_running_task_is_never_ready),
        cmocka_unit_test(tasks_heard_of_before_their_queue_occupy_it),
        cmocka_unit_test(a_queue_that_goes_and_comes_keeps_its_tasks),
        cmocka_unit_test(unknown_jobs_and_queues_are_ignored),
        cmocka_unit_test(an_altered_job_takes_its_new_place),
        cmocka_unit_test(malformed_events_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
