/* Tests of libs/sched/run/dispatch.c, pending/category.c and supply/queue.c: recorded snapshots
 * with the orders expected of them. */
#include "libs/sched/test/feed.h"

static void first_come_first_served(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 3");
    feed(s, "job 12 0");
    feed(s, "job 10 0");
    feed(s, "job 11 0");
    feed(s, "job 13 0");
    EXPECT(s, "10:0>all.q@a 11:0>all.q@a 12:0>all.q@a");
    sched_free(s);
}

static void p_goes_before_age(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 3");
    feed(s, "job 10 0 p -5");
    feed(s, "job 11 0");
    feed(s, "job 12 0 p 7");
    feed(s, "job 13 0");
    EXPECT(s, "12:0>all.q@a 11:0>all.q@a 13:0>all.q@a");
    sched_free(s);
}

static void importance_goes_across_categories(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue a.q@h 2");
    feed(s, "queue b.q@h 2");
    feed(s, "job 1 0 q a.q");
    feed(s, "job 2 0 q b.q p 1");
    feed(s, "job 3 0-9");
    feed(s, "job 4 0 q b.q");
    EXPECT(s, "2:0>b.q@h 1:0>a.q@h 3:0>a.q@h 3:1>b.q@h");
    sched_free(s);
}

static void a_job_that_does_not_fit_stops_nobody_else(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue a.q@h 1");
    feed(s, "job 1 0-5 q none.q p 100");
    feed(s, "job 2 0-5 q @h");
    feed(s, "job 3 0-5");
    EXPECT(s, "3:0>a.q@h");
    feed(s, "queue none.q@x 2");
    EXPECT(s, "1:0-1>none.q@x");
    sched_free(s);
}

static void a_host_group_decides_until_it_changes(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue a.q@h 2 group @big");
    feed(s, "queue a.q@k 2");
    feed(s, "job 1 0-5 q a.q@@big");
    EXPECT(s, "1:0-1>a.q@h");
    feed(s, "queue+ a.q@k group @big"); /* it was blocked and is tried again */
    EXPECT(s, "1:2-3>a.q@k");
    feed(s, "queue+ a.q@h 9 group none");
    EXPECT(s, "");
    feed(s, "queue+ a.q@k 3"); /* an event that does not speak of groups leaves them */
    EXPECT(s, "1:4>a.q@k");
    sched_free(s);
}

static void queues_go_by_seq_no_then_free_slots_then_name(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue b.q@c 2 seq 1");
    feed(s, "queue a.q@z 1");
    feed(s, "queue a.q@y 1");
    feed(s, "queue a.q@m 3");
    feed(s, "job 1 0-99");
    EXPECT(s, "1:0-2>a.q@m 1:3>a.q@y 1:4>a.q@z 1:5-6>b.q@c");
    sched_free(s);
}

static void tasks_spread_over_equal_queues_in_one_order_each(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 2");
    feed(s, "queue all.q@b 2");
    feed(s, "job 1 0-2");
    feed(s, "job 2 0-9");
    EXPECT(s, "1:0,2>all.q@a 1:1>all.q@b 2:0>all.q@b");
    sched_free(s);
}

static void most_bounds_a_run_and_the_next_goes_on(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 100");
    feed(s, "job 1 0-9999999");
    expect_orders(s, 1, 40, "1:0-39>all.q@a");
    assert_true(sched_has_work(s));
    expect_orders(s, 1, 40, "1:40-79>all.q@a");
    expect_orders(s, 1, 40, "1:80-99>all.q@a");
    assert_false(sched_has_work(s));
    expect_orders(s, 1, 0, "");
    sched_free(s);
}

static void tc_counts_running_and_ordered_tasks(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 10");
    feed(s, "job 1 0-9 tc 3");
    feed(s, "started 1 5 all.q@a");
    feed(s, "job 2 0");
    EXPECT(s, "1:0-1>all.q@a 2:0>all.q@a");
    assert_false(sched_has_work(s));
    feed(s, "ended 1 5 all.q@a");
    EXPECT(s, "1:2>all.q@a");
    sched_free(s);
}

static void a_start_time_is_waited_for(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 10");
    feed(s, "job 1 0 at 2000");
    feed(s, "job 2 0 at 1500");
    feed(s, "job 3 0");
    assert_int_equal(sched_next_due(s), 1500);
    expect_orders(s, 1499, 10, "3:0>all.q@a");
    expect_orders(s, 1500, 10, "2:0>all.q@a");
    assert_int_equal(sched_next_due(s), 2000);
    expect_orders(s, 5000, 10, "1:0>all.q@a");
    assert_int_equal(sched_next_due(s), 0);
    feed(s, "job 4 0 at 9000");
    feed(s, "mod 4 at 0");
    expect_orders(s, 5000, 10, "4:0>all.q@a");
    sched_free(s);
}

static void only_queues_in_a_sound_state_get_tasks(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 10 state 4");
    feed(s, "queue all.q@b 1");
    feed(s, "queue int.q@b 10 type 2");
    feed(s, "job 1 0-9");
    EXPECT(s, "1:0>all.q@b");
    feed(s, "queue+ all.q@b state 256 5");
    EXPECT(s, "");
    feed(s, "queue+ all.q@b state 0");
    EXPECT(s, "1:1-4>all.q@b");
    feed(s, "queue+ all.q@a state 0 2");
    EXPECT(s, "1:5-6>all.q@a");
    feed(s, "queue+ all.q@a 1");
    feed(s, "ended 1 5 all.q@a");
    EXPECT(s, "");
    sched_free(s);
}

static void a_blocked_category_is_passed_over_until_something_changed(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue a.q@h 1");
    feed(s, "queue b.q@h 1");
    feed(s, "job 1 0-9 q a.q");
    EXPECT(s, "1:0>a.q@h");
    EXPECT(s, "");
    uint64_t tried = sched_work(s)->tried;
    feed(s, "queue+ b.q@h 5");
    feed(s, "ready 1 20-30");
    assert_false(sched_has_work(s));
    EXPECT(s, "");
    assert_int_equal(sched_work(s)->tried, tried);
    feed(s, "started 1 0 a.q@h");
    feed(s, "ended 1 0 a.q@h");
    assert_true(sched_has_work(s));
    EXPECT(s, "1:1>a.q@h");
    sched_free(s);
}

static void orders_carry_the_figure_qstat_shows(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    struct OR_Type_list orders = { 0 };

    feed(s, "conf weight_priority 0");
    feed(s, "conf weight_urgency 0.5");
    feed(s, "conf weight_ticket 0.5");
    feed(s, "queue all.q@a 9");
    feed(s, "job 1 0 sub 100");
    feed(s, "job 2 0 sub 110");
    feed(s, "job 3 0 sub 50 at 99999");
    assert_int_equal(sched_run(s, 1000, 10, &orders), 2);
    assert_true(orders.v[0].OR_prio == 0.75 && orders.v[1].OR_prio == 0.25);
    orders_clear(&orders);
    feed(s, "conf weight_urgency 0");
    feed(s, "job 4 0 sub 120");
    assert_int_equal(sched_run(s, 1000, 10, &orders), 1);
    assert_true(orders.v[0].OR_prio == 0.25);
    orders_clear(&orders);
    sched_free(s);
}

static void categories_without_jobs_do_not_pile_up(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    char line[64];

    feed(s, "queue all.q@a 1");
    for (unsigned i = 1; i <= 1000; i++) {
        snprintf(line, sizeof line, "job %u 0 q q%u", i, i);
        feed(s, line);
        snprintf(line, sizeof line, "del %u", i);
        feed(s, line);
    }
    uint64_t matched = sched_work(s)->matched;
    feed(s, "queue all.q@b 1");
    assert_true(sched_work(s)->matched - matched <= 100);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(p_goes_before_age),
        cmocka_unit_test(importance_goes_across_categories),
        cmocka_unit_test(a_job_that_does_not_fit_stops_nobody_else),
        cmocka_unit_test(a_host_group_decides_until_it_changes),
        cmocka_unit_test(queues_go_by_seq_no_then_free_slots_then_name),
        cmocka_unit_test(tasks_spread_over_equal_queues_in_one_order_each),
        cmocka_unit_test(most_bounds_a_run_and_the_next_goes_on),
        cmocka_unit_test(tc_counts_running_and_ordered_tasks),
        cmocka_unit_test(a_start_time_is_waited_for),
        cmocka_unit_test(only_queues_in_a_sound_state_get_tasks),
        cmocka_unit_test(a_blocked_category_is_passed_over_until_something_changed),
        cmocka_unit_test(orders_carry_the_figure_qstat_shows),
        cmocka_unit_test(categories_without_jobs_do_not_pile_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
