/* Which host comes first: queue_sort_method, load_formula and job_load_adjustments of
 * sched_conf(5). */
#include "libs/sched/test/feed.h"

#include <stdlib.h>

static struct sched *two_hosts(void)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 4 load 0.5");
    feed(s, "queue all.q@b 4 load 0.1");
    return s;
}

static void the_least_loaded_host_comes_first_until_it_is_full(void **state)
{
    (void)state;
    struct sched *s = two_hosts();
    feed(s, "job 1 0-5");
    EXPECT(s, "1:0-3>all.q@b 1:4-5>all.q@a");
    sched_free(s);
}

static void a_report_moves_its_own_host_alone(void **state)
{
    (void)state;
    struct sched *s = two_hosts();
    feed(s, "queue+ all.q@b load 0.9");
    feed(s, "job 1 0-0");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "queue+ all.q@b load 0.2");
    feed(s, "job 2 0-0");
    EXPECT(s, "2:0>all.q@b");
    sched_free(s);
}

static void hosts_with_equal_load_go_by_sequence_number_and_free_slots(void **state)
{
    (void)state;
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 2 load 1 seq 5");
    feed(s, "queue all.q@b 4 load 1 seq 1");
    feed(s, "queue all.q@c 8 load 1 seq 5");
    feed(s, "job 1 0-6");
    EXPECT(s, "1:0-3>all.q@b 1:4-6>all.q@c");
    sched_free(s);
}

static void load_goes_before_the_sequence_number_unless_it_is_seqno(void **state)
{
    (void)state;
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 4 load 1 seq 1");
    feed(s, "queue all.q@b 4 load 0 seq 2");
    feed(s, "job 1 0-0");
    EXPECT(s, "1:0>all.q@b");
    feed(s, "conf queue_sort_method seqno");
    feed(s, "job 2 0-0");
    EXPECT(s, "2:0>all.q@a");
    feed(s, "queue all.q@c 4 load 0.5 seq 1");
    feed(s, "job 3 0-0");
    EXPECT(s, "3:0>all.q@c");
    feed(s, "conf queue_sort_method load");
    feed(s, "job 4 0-0");
    EXPECT(s, "4:0>all.q@b");
    sched_free(s);
}

static void what_is_not_known_comes_last(void **state)
{
    (void)state;
    struct sched *s = two_hosts();
    feed(s, "queue+ all.q@b load 1.7976931348623157e308");
    feed(s, "job 1 0-0");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "queue+ all.q@a load nan");
    feed(s, "queue+ all.q@b load 1e300");
    feed(s, "job 2 0-0");
    EXPECT(s, "2:0>all.q@b");
    feed(s, "queue+ all.q@a load inf");
    feed(s, "queue+ all.q@b load -inf step inf");
    feed(s, "job 3 0-7");
    EXPECT(s, "3:0,2,4>all.q@a 3:1,3,5>all.q@b");
    sched_free(s);
}

static void each_start_counts_as_load_with_adjustments(void **state)
{
    (void)state;
    struct sched *s = sched_new();
    feed(s, "conf load_adjustment_decay_time 0:1:40");
    feed(s, "queue all.q@a 9 load 0.5 step 0.25");
    feed(s, "queue all.q@b 9 load 0 step 0.25");
    feed(s, "job 1 0-5");
    /* b: 0 .25; both .5: a by name; b .5; both .75 */
    EXPECT(s, "1:0-1,3,5>all.q@b 1:2,4>all.q@a");
    sched_free(s);
}

static void a_start_counts_less_and_less_and_then_no_more(void **state)
{
    (void)state;
    struct sched *s = sched_new();
    feed(s, "conf load_adjustment_decay_time 0:1:40");
    feed(s, "queue all.q@a 9 load 1 step 1");
    feed(s, "queue all.q@b 9 load 0.5 step 1");
    feed(s, "job 1 0-0");
    expect_orders(s, 1000, 9, "1:0>all.q@b");
    feed(s, "job 2 0-0"); /* b: 0.5 + 0.6 */
    expect_orders(s, 1040, 9, "2:0>all.q@a");
    feed(s, "job 3 0-0"); /* a: 1 + 1; b, which reports: 0.5 + 0.2 */
    expect_orders(s, 1080, 0, "");
    feed(s, "queue+ all.q@b load 0.5");
    expect_orders(s, 1080, 9, "3:0>all.q@b");
    feed(s, "job 4 0-0"); /* a: 1, decayed at 1140; b: 0.5 + 0.39 of the second start there */
    expect_orders(s, 1141, 9, "4:0>all.q@b");
    sched_free(s);
}

static void without_a_time_to_decay_starts_count_in_their_second(void **state)
{
    (void)state;
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 9 load 0.1 step 1");
    feed(s, "queue all.q@b 9 load 0 step 1");
    feed(s, "job 1 0-1");
    expect_orders(s, 1000, 9, "1:0>all.q@b 1:1>all.q@a");
    feed(s, "job 2 0-0");
    expect_orders(s, 1001, 9, "2:0>all.q@b");
    sched_free(s);
}

static void all_queues_of_a_host_are_as_busy(void **state)
{
    (void)state;
    struct sched *s = sched_new();
    feed(s, "conf load_adjustment_decay_time 0:1:40");
    feed(s, "queue all.q@a 9 load 0 step 1");
    feed(s, "queue long.q@a 9 load 0 step 1");
    feed(s, "queue long.q@b 9 load 0.5 step 1");
    feed(s, "job 1 0-0 q all.q");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "job 2 0-0 q long.q");
    EXPECT(s, "2:0>long.q@b");
    sched_free(s);
}

static void a_host_goes_with_what_started_on_it(void **state)
{
    (void)state;
    struct sched *s = sched_new();
    feed(s, "conf load_adjustment_decay_time 0:1:40");
    feed(s, "queue all.q@a 9 load 0 step 1");
    feed(s, "job 1 0-0");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "delq all.q@a");
    feed(s, "ended 1 0-0 all.q@a");
    feed(s, "unready 1 0-0");
    feed(s, "del 1");
    expect_orders(s, 9999, 9, "");
    sched_free(s);
}

/* who reports all the time makes no work for jobs that wait, and little for queues */
static void a_load_wakes_nobody(void **state)
{
    (void)state;
    struct sched *s = two_hosts();
    feed(s, "job 1 0-9");
    EXPECT(s, "1:0-3>all.q@b 1:4-7>all.q@a");
    struct sched_work before = *sched_work(s);
    for (int i = 0; i < 1000; i++)
        feed(s, i % 2 == 0 ? "queue+ all.q@a load 9" : "queue+ all.q@a load 0");
    assert_int_equal(sched_work(s)->woken, before.woken);
    assert_int_equal(sched_work(s)->compared, before.compared); /* it is full, so in no tree */
    assert_false(sched_has_work(s));
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_loaded_host_comes_first_until_it_is_full),
        cmocka_unit_test(a_report_moves_its_own_host_alone),
        cmocka_unit_test(hosts_with_equal_load_go_by_sequence_number_and_free_slots),
        cmocka_unit_test(load_goes_before_the_sequence_number_unless_it_is_seqno),
        cmocka_unit_test(what_is_not_known_comes_last),
        cmocka_unit_test(each_start_counts_as_load_with_adjustments),
        cmocka_unit_test(a_start_counts_less_and_less_and_then_no_more),
        cmocka_unit_test(without_a_time_to_decay_starts_count_in_their_second),
        cmocka_unit_test(all_queues_of_a_host_are_as_busy),
        cmocka_unit_test(a_host_goes_with_what_started_on_it),
        cmocka_unit_test(a_load_wakes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
