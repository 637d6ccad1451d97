/* Tests of libs/sched/need.c, consumable.c and queue_set.c: what is limited on hosts and in the
 * cell, and who is tried again when some of it is free. */
#include "libs/sched/sched_priv.h"
#include "libs/sched/test/feed.h"

static struct host *host_of(struct sched *s, const char *queue)
{
    return queue_find(s, queue)->host;
}

/* all.q@a with 8 slots on a host with so much memory; returns the resource */
static uint32_t one_queue_with_memory(struct sched *s, uint64_t most)
{
    feed(s, "queue all.q@a 8");
    uint32_t memory = consumable_number(s, "mem");
    host_offer(s, host_of(s, "all.q@a"), memory, most);
    return memory;
}

static void a_host_limits_all_its_queue_instances_together(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue a.q@h 4");
    feed(s, "queue b.q@h 4");
    host_offer(s, host_of(s, "a.q@h"), RESOURCE_SLOTS, 5);
    feed(s, "job 1 0-9 q a.q");
    feed(s, "job 2 0-9 q b.q");
    EXPECT(s, "1:0-3>a.q@h 2:0>b.q@h");
    assert_false(sched_has_work(s));
    feed(s, "started 1 0-3 a.q@h");
    feed(s, "ended 1 0 a.q@h"); /* the one that goes first takes what is free on the host */
    EXPECT(s, "1:4>a.q@h");
    feed(s, "ended 1 1 a.q@h");
    feed(s, "unready 1 0-9");
    EXPECT(s, "2:1-2>b.q@h");
    sched_free(s);
}

static void an_end_in_one_queue_wakes_who_waits_for_another_on_the_host(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue a.q@h 4");
    feed(s, "queue b.q@h 4");
    host_offer(s, host_of(s, "a.q@h"), RESOURCE_SLOTS, 2);
    feed(s, "job 1 0-1 q a.q");
    feed(s, "job 2 0-9 q b.q");
    EXPECT(s, "1:0-1>a.q@h");
    feed(s, "started 1 0-1 a.q@h");
    feed(s, "ended 1 0 a.q@h");
    assert_true(sched_has_work(s));
    EXPECT(s, "2:0>b.q@h");
    sched_free(s);
}

static void a_request_takes_of_a_resource_that_somebody_limits(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    uint32_t memory = one_queue_with_memory(s, 4096);
    feed(s, "queue all.q@b 8");
    host_offer(s, host_of(s, "all.q@b"), memory, 3000);
    feed(s, "job 1 0-9 l mem=2K");
    feed(s, "job 2 0-4");
    EXPECT(s, "1:0,2>all.q@a 1:1>all.q@b 2:0,2,4>all.q@b 2:1,3>all.q@a");
    feed(s, "started 1 0,2 all.q@a");
    sched_free(s);
}

static void a_resource_of_the_cell_blocks_those_who_ask_for_it_alone(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    uint32_t licence = consumable_number(s, "lic");
    cell_offer(s, licence, 2);
    feed(s, "queue all.q@a 8");
    feed(s, "job 1 0-9 l lic=1");
    feed(s, "job 2 0");
    EXPECT(s, "1:0-1>all.q@a 2:0>all.q@a");
    feed(s, "started 1 0-1 all.q@a");
    feed(s, "started 2 0 all.q@a");
    uint64_t tried = sched_work(s)->tried;
    feed(s, "ended 2 0 all.q@a"); /* a slot is not what job 1 waits for */
    assert_false(sched_has_work(s));
    EXPECT(s, "");
    assert_int_equal(sched_work(s)->tried, tried);
    feed(s, "ended 1 0 all.q@a");
    EXPECT(s, "1:2>all.q@a");
    cell_offer(s, licence, 4);
    EXPECT(s, "1:3-4>all.q@a");
    sched_free(s);
}

static void an_end_wakes_only_who_fits_where_it_was(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    one_queue_with_memory(s, 10);
    feed(s, "job 1 0-9 l mem=5");
    feed(s, "job 2 0-9 l mem=6");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "started 1 0-1 all.q@a");
    feed(s, "unready 1 0-9");
    feed(s, "ended 1 0 all.q@a"); /* 5 are free, and job 2 waits for 6 */
    assert_false(sched_has_work(s));
    feed(s, "ended 1 1 all.q@a");
    EXPECT(s, "2:0>all.q@a");
    sched_free(s);
}

static void waiting_jobs_learn_that_their_request_takes_something(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 8");
    feed(s, "job 1 0-9 l mem=2");
    feed(s, "started 1 0-1 all.q@a");
    host_offer(s, host_of(s, "all.q@a"), consumable_number(s, "mem"), 6);
    EXPECT(s, "1:2-4>all.q@a");
    feed(s, "ended 1 0-1 all.q@a"); /* they took no memory when they started */
    EXPECT(s, "");
    feed(s, "started 1 2-4 all.q@a");
    feed(s, "ended 1 2 all.q@a");
    EXPECT(s, "1:5>all.q@a");
    sched_free(s);
}

static void a_task_gives_back_what_it_took_whatever_its_job_asks_for_now(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    one_queue_with_memory(s, 6);
    feed(s, "job 1 0-9 l mem=3");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "started 1 0-1 all.q@a");
    feed(s, "mod 1 l mem=1");
    feed(s, "ended 1 0 all.q@a");
    EXPECT(s, "1:2-4>all.q@a");
    feed(s, "ended 1 1 all.q@a");
    EXPECT(s, "1:5-7>all.q@a");
    sched_free(s);
}

/* offers MOST of a resource on a host with 8 slots and expects ORDERS for tasks with REQUEST */
static void expect_with(const char *request, uint64_t most, const char *orders)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 8");
    host_offer(s, host_of(s, "all.q@a"), consumable_number(s, "r"), most);
    feed(s, request);
    EXPECT(s, orders);
    sched_free(s);
}

static void what_a_request_takes_is_read_as_its_type(void **state SGE_UNUSED)
{
    expect_with("job 1 0-9 l r:3=0:1:0", 150, "1:0-1>all.q@a");   /* TIME, seconds */
    expect_with("job 1 0-9 l r:8=0.5", 1600000, "1:0-2>all.q@a"); /* DOUBLE, millionths */
    expect_with("job 1 0-9 l r:5=TRUE", 4, "1:0-3>all.q@a");      /* BOOL */
    expect_with("job 1 0-9 l r:2=5", 4, "1:0-7>all.q@a");         /* STRING: never amounts */
    expect_with("job 1 0-9 l r=-5", 4, "1:0-7>all.q@a");          /* nothing is taken */
    expect_with("job 1 0-9 l r=INFINITY", UINT64_C(1) << 40, ""); /* more than there is */
}

static void amounts_asked_for_twice_add_up_without_overflow(void **state SGE_UNUSED)
{
    expect_with("job 1 0-9 l r=2 l r=1", 7, "1:0-1>all.q@a");
    expect_with("job 1 0-9 l r=18446744073709551614 l r=2", 7, "");
}

static void requests_that_decide_nothing_share_a_need(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 1");
    feed(s, "job 1 0 l h_rt=60");
    feed(s, "job 2 0 l h_rt=61");
    assert_int_equal(HASH_COUNT(s->categories), 2);
    assert_int_equal(HASH_COUNT(s->needs), 1);
    sched_free(s);
}

static void requests_for_the_same_queues_share_a_need_until_a_queue_parts_them(
    void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "job 1 0-9 q none.q");
    feed(s, "queue all.q@a 1");
    feed(s, "job 2 0-9");
    feed(s, "job 3 0-9 q all.q");
    feed(s, "job 4 0-9 q *@a");
    assert_int_equal(HASH_COUNT(s->needs), 2);
    EXPECT(s, "2:0>all.q@a");
    feed(s, "queue b.q@a 2"); /* not for job 3 */
    assert_int_equal(HASH_COUNT(s->needs), 3);
    feed(s, "unready 2 0-9");
    EXPECT(s, "3:0>all.q@a 4:0-1>b.q@a");
    feed(s, "queue none.q@b 1"); /* for jobs 1 and 2 */
    assert_int_equal(HASH_COUNT(s->needs), 4);
    feed(s, "ready 2 1-9");
    EXPECT(s, "1:0>none.q@b");
    sched_free(s);
}

static void sets_that_become_equal_stay_right(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 1");
    feed(s, "queue b.q@a 1");
    feed(s, "job 1 0-9 q all.q");
    feed(s, "job 2 0-9 q *@a");
    assert_int_equal(HASH_COUNT(s->needs), 2);
    feed(s, "delq b.q@a");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "started 1 0 all.q@a");
    feed(s, "unready 1 0-9");
    feed(s, "ended 1 0 all.q@a");
    EXPECT(s, "2:0>all.q@a");
    feed(s, "queue b.q@a 1");
    EXPECT(s, "2:1>b.q@a");
    feed(s, "del 2");
    feed(s, "job 3 0-9 q b.q");
    EXPECT(s, "3:0>b.q@a");
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_limits_all_its_queue_instances_together),
        cmocka_unit_test(an_end_in_one_queue_wakes_who_waits_for_another_on_the_host),
        cmocka_unit_test(a_request_takes_of_a_resource_that_somebody_limits),
        cmocka_unit_test(a_resource_of_the_cell_blocks_those_who_ask_for_it_alone),
        cmocka_unit_test(an_end_wakes_only_who_fits_where_it_was),
        cmocka_unit_test(waiting_jobs_learn_that_their_request_takes_something),
        cmocka_unit_test(a_task_gives_back_what_it_took_whatever_its_job_asks_for_now),
        cmocka_unit_test(what_a_request_takes_is_read_as_its_type),
        cmocka_unit_test(amounts_asked_for_twice_add_up_without_overflow),
        cmocka_unit_test(requests_that_decide_nothing_share_a_need),
        cmocka_unit_test(requests_for_the_same_queues_share_a_need_until_a_queue_parts_them),
        cmocka_unit_test(sets_that_become_equal_stay_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
