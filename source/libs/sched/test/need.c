/* Tests of libs/sched/pending/need.c, supply/resource.c and supply/queue_set.c: what is limited on
 * hosts and in the cell, and who is tried again when some of it is free. */
#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

/* a resource that runs out, of TYPE: YES, JOB or HOST as CONSUMABLE says */
static void add_resource(struct sched *s, const char *name, const char *type,
                         const char *consumable, const char *requestable, const char *usual)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line,
              "object 11 %s shortcut %s type %s relop <= requestable %s consumable %s default %s "
              "urgency 0",
              name, name, type, requestable, consumable, usual);
    feed(s, dstr_get(&line));
    dstr_free(&line);
}

static void add_memory(struct sched *s)
{
    add_resource(s, "mem", "MEMORY", "YES", "YES", "0");
}

/* all.q@a with 8 slots on a host with so much memory, "mem=10" */
static void one_queue_with(struct sched *s, const char *offer)
{
    struct dstr line = DSTR_INIT;
    feed(s, "queue all.q@a 8");
    add_memory(s);
    dstr_addf(&line, "host a %s", offer);
    feed(s, dstr_get(&line));
    dstr_free(&line);
}

static void a_host_limits_all_its_queue_instances_together(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue a.q@h 4");
    feed(s, "queue b.q@h 4");
    feed(s, "host h slots=5");
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
    feed(s, "host h slots=2");
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
    one_queue_with(s, "mem=4096");
    feed(s, "queue all.q@b 8");
    feed(s, "host b mem=3000");
    feed(s, "job 1 0-9 l mem=2K");
    feed(s, "job 2 0-4");
    EXPECT(s, "1:0,2>all.q@a 1:1>all.q@b 2:0,2,4>all.q@b 2:1,3>all.q@a");
    sched_free(s);
}

static void a_resource_of_the_cell_blocks_those_who_ask_for_it_alone(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    add_resource(s, "lic", "INT", "YES", "YES", "0");
    feed(s, "host global lic=2");
    feed(s, "queue all.q@a 8");
    feed(s, "job 1 0-9 l lic=1");
    feed(s, "job 2 0");
    EXPECT(s, "1:0-1>all.q@a 2:0>all.q@a");
    feed(s, "started 1 0-1 all.q@a 1 take lic=1");
    feed(s, "started 2 0 all.q@a");
    uint64_t tried = sched_work(s)->tried;
    feed(s, "ended 2 0 all.q@a"); /* a slot is not what job 1 waits for */
    assert_false(sched_has_work(s));
    EXPECT(s, "");
    assert_int_equal(sched_work(s)->tried, tried);
    feed(s, "ended 1 0 all.q@a 1 take lic=1");
    EXPECT(s, "1:2>all.q@a");
    feed(s, "host global lic=4");
    EXPECT(s, "1:3-4>all.q@a");
    sched_free(s);
}

static void an_end_wakes_only_who_fits_where_it_was(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    one_queue_with(s, "mem=10");
    feed(s, "job 1 0-9 l mem=5");
    feed(s, "job 2 0-9 l mem=6");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "started 1 0-1 all.q@a 1 take mem=5");
    feed(s, "unready 1 0-9");
    feed(s, "ended 1 0 all.q@a 1 take mem=5"); /* 5 are free, and job 2 waits for 6 */
    assert_false(sched_has_work(s));
    feed(s, "ended 1 1 all.q@a 1 take mem=5");
    EXPECT(s, "2:0>all.q@a");
    sched_free(s);
}

static void waiting_jobs_learn_that_their_request_takes_something(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 8");
    feed(s, "job 1 0-9 l mem=2");
    feed(s, "started 1 0-1 all.q@a");
    add_memory(s);
    feed(s, "host a mem=6");
    EXPECT(s, "1:2-4>all.q@a");
    feed(s, "ended 1 0-1 all.q@a"); /* they took no memory when they started */
    EXPECT(s, "");
    feed(s, "started 1 2-4 all.q@a 1 take mem=2");
    feed(s, "ended 1 2 all.q@a 1 take mem=2");
    EXPECT(s, "1:5>all.q@a");
    sched_free(s);
}

static void a_task_gives_back_what_it_took_whatever_its_job_asks_for_now(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    one_queue_with(s, "mem=6");
    feed(s, "job 1 0-9 l mem=3");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "started 1 0-1 all.q@a 1 take mem=3");
    feed(s, "mod 1 l mem=1");
    feed(s, "ended 1 0 all.q@a 1 take mem=3");
    EXPECT(s, "1:2-4>all.q@a");
    feed(s, "ended 1 1 all.q@a 1 take mem=3");
    EXPECT(s, "1:5-7>all.q@a");
    sched_free(s);
}

/* a host with 8 slots offers so much of r: expects ORDERS for ten tasks with REQUEST */
static void expect_with(const char *type, const char *offer, const char *request,
                        const char *orders)
{
    struct sched *s = sched_new();
    struct dstr line = DSTR_INIT;
    feed(s, "queue all.q@a 8");
    add_resource(s, "r", type, "YES", "YES", "0");
    dstr_addf(&line, "host a %s", offer);
    feed(s, dstr_get(&line));
    feedf(s, "job 1 0-9 %s", request);
    EXPECT(s, orders);
    dstr_free(&line);
    sched_free(s);
}

static void what_a_request_takes_is_read_as_its_type(void **state SGE_UNUSED)
{
    expect_with("TIME", "r=150", "l r=0:1:0", "1:0-1>all.q@a");
    expect_with("DOUBLE", "r=1.6", "l r=0.5", "1:0-2>all.q@a");
    expect_with("INT", "r=4", "l r=1", "1:0-3>all.q@a");
    expect_with("MEMORY", "r=4K", "l r=1K", "1:0-3>all.q@a");
    expect_with("MEMORY", "r=4", "l r=-5", "1:0-7>all.q@a"); /* nothing is taken */
    expect_with("MEMORY", "r=1T", "l r=INFINITY", "");       /* more than there is */
    expect_with("MEMORY", "r=INFINITY", "l r=1T", "1:0-7>all.q@a");
    expect_with("MEMORY", "r=much", "l r=1", "");
}

static void amounts_asked_for_twice_add_up_without_overflow(void **state SGE_UNUSED)
{
    expect_with("MEMORY", "r=7", "l r=2 l r=1", "1:0-1>all.q@a");
    expect_with("MEMORY", "r=7", "l r=18446744073709551614 l r=2", "");
}

static void what_is_asked_for_must_be_offered_and_defaults_need_not(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 8");
    feed(s, "queue b.q@b 4");
    add_resource(s, "mem", "MEMORY", "YES", "YES", "3");
    feed(s, "job 1 0-9 l mem=2");
    feed(s, "job 2 0-1");
    EXPECT(s, "2:0-1>all.q@a"); /* nobody offers memory: so only who asks for it waits */
    feed(s, "host b mem=8");
    EXPECT(s, "1:0-3>b.q@b");
    feed(s, "host a mem=16"); /* 6 of them are taken by default */
    EXPECT(s, "1:4-8>all.q@a");
    sched_free(s);
}

static void a_queue_has_resources_of_its_own(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    add_memory(s);
    feed(s, "queue a.q@h 8 has mem=4");
    feed(s, "queue b.q@h 8");
    feed(s, "job 1 0-9 l mem=2");
    EXPECT(s, "1:0-1>a.q@h");
    feed(s, "queue+ a.q@h has mem=6");
    EXPECT(s, "1:2>a.q@h");
    feed(s, "host h mem=8"); /* for both queues: 6 are taken */
    EXPECT(s, "1:3>b.q@h");
    sched_free(s);
}

static void forced_resources_are_for_those_who_ask(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    add_resource(s, "big", "INT", "YES", "FORCED", "0");
    feed(s, "queue all.q@a 2");
    feed(s, "queue all.q@b 2");
    feed(s, "host a big=1");
    feed(s, "job 1 0-9");
    feed(s, "job 2 0-9 l big=1");
    EXPECT(s, "1:0-1>all.q@b 2:0>all.q@a");
    feed(s, "host a");
    EXPECT(s, "1:2>all.q@a");
    sched_free(s);
}

static void less_than_is_taken_gives_nothing_away(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    one_queue_with(s, "mem=6");
    feed(s, "job 1 0-9 l mem=2");
    EXPECT(s, "1:0-2>all.q@a");
    feed(s, "started 1 0-2 all.q@a 1 take mem=2");
    feed(s, "host a mem=3");
    feed(s, "ended 1 0 all.q@a 1 take mem=2");
    EXPECT(s, ""); /* 4 are taken of 3 */
    feed(s, "ended 1 1 all.q@a 1 take mem=2");
    EXPECT(s, "");
    feed(s, "ended 1 2 all.q@a 1 take mem=2");
    EXPECT(s, "1:3>all.q@a");
    sched_free(s);
}

static void a_resource_that_ceases_to_run_out_limits_nobody(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    one_queue_with(s, "mem=2");
    feed(s, "job 1 0-9 l mem=2");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "started 1 0 all.q@a 1 take mem=2");
    add_resource(s, "mem", "MEMORY", "NO", "YES", "0");
    EXPECT(s, "1:1-7>all.q@a");
    feed(s, "started 1 1-7 all.q@a");
    add_memory(s);
    feed(s, "ended 1 1 all.q@a");
    EXPECT(s, "");
    feed(s, "ended 1 0 all.q@a 1 take mem=2");
    EXPECT(s, "1:8>all.q@a");
    sched_free(s);
}

static void who_waits_for_a_host_while_the_cell_has_nothing_is_not_forgotten(
    void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    add_resource(s, "lic", "INT", "YES", "YES", "0");
    feed(s, "host global lic=1");
    feed(s, "queue a.q@a 1");
    feed(s, "queue b.q@b 1");
    feed(s, "job 1 0 q a.q");
    EXPECT(s, "1:0>a.q@a");
    feed(s, "started 1 0 a.q@a");
    feed(s, "job 2 0 q a.q l lic=1"); /* waits for the queue */
    EXPECT(s, "");
    feed(s, "job 3 0 q b.q l lic=1");
    EXPECT(s, "3:0>b.q@b");
    feed(s, "started 3 0 b.q@b 1 take lic=1");
    feed(s, "ended 1 0 a.q@a"); /* while the cell has nothing left */
    EXPECT(s, "");
    feed(s, "ended 3 0 b.q@b 1 take lic=1");
    EXPECT(s, "2:0>a.q@a");
    sched_free(s);
}

static void an_order_that_is_confirmed_stays_the_same_stay(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    add_resource(s, "lic", "INT", "YES", "YES", "0");
    one_queue_with(s, "mem=10 lic=10");
    feed(s, "job 1 0-3 l mem=2 l lic=1");
    EXPECT(s, "1:0-3>all.q@a");
    feed(s, "started 1 0-3 all.q@a 1 take lic=1 take mem=2");
    assert_int_equal(HASH_COUNT(s->jobs.stays), 1);
    assert_int_equal(sched_work(s)->stays, 0);
    sched_free(s);
}

static void parallel_tasks_take_for_each_slot_once_a_host_and_once_a_job(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "object 12 mpi slots 99 allocation_rule $round_robin");
    add_memory(s);
    add_resource(s, "node", "INT", "HOST", "YES", "0");
    add_resource(s, "lic", "INT", "JOB", "YES", "0");
    feed(s, "queue all.q@a 8 pes mpi");
    feed(s, "queue all.q@b 8 pes mpi");
    feed(s, "host a mem=4 node=2");
    feed(s, "host b mem=2 node=2");
    feed(s, "host global lic=2");
    feed(s, "job 1 0 pe mpi 5 l mem=1 l node=2 l lic=2");
    feed(s, "job 2 0 pe mpi 1 l lic=1");
    feed(s, "job 3 0 pe mpi 1 l node=1");
    EXPECT(s, "1:0>mpi:all.q@a=3,all.q@b=2");
    feed(s, "started 1 0 pe mpi all.q@a 3 take lic=2 take mem=3 take node=2 all.q@b 2 take mem=2 "
            "take node=2");
    EXPECT(s, "");
    feed(s, "ended 1 0 pe mpi all.q@a 3 take lic=2 take mem=3 take node=2 all.q@b 2 take mem=2 "
            "take node=2");
    EXPECT(s, "2:0>mpi:all.q@a=1 3:0>mpi:all.q@b=1");
    sched_free(s);
}

/* hosts with 8 slots that one task may have alone */
static struct sched *exclusive_hosts(void)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 8 pes mpi");
    feed(s, "queue all.q@b 8 pes mpi");
    feed(s, "object 12 mpi slots 99 allocation_rule $fill_up");
    feed(s, "object 11 excl shortcut excl type BOOL relop EXCL requestable YES consumable YES "
            "default 0 urgency 0");
    feed(s, "host a excl=TRUE");
    return s;
}

#define ALONE "take excl=1099511627776"

static void a_host_is_had_alone_or_shared(void **state SGE_UNUSED)
{
    struct sched *s = exclusive_hosts();
    feed(s, "job 1 0-1 l excl:5=TRUE");
    feed(s, "job 2 0-9");
    EXPECT(s, "1:0>all.q@a 2:0-7>all.q@b");
    feed(s, "started 1 0 all.q@a 1 " ALONE);
    feed(s, "ended 1 0 all.q@a 1 " ALONE);
    EXPECT(s, "1:1>all.q@a");
    feed(s, "started 1 1 all.q@a 1 " ALONE);
    feed(s, "del 1");
    feed(s, "ended 1 1 all.q@a 1 " ALONE);
    EXPECT(s, "2:8-9>all.q@a");
    feed(s, "job 3 0 l excl:5=TRUE");
    feed(s, "started 2 8-9 all.q@a 1 take excl=1");
    feed(s, "ended 2 8 all.q@a 1 take excl=1");
    feed(s, "unready 2 0-9");
    EXPECT(s, "");
    feed(s, "ended 2 9 all.q@a 1 take excl=1");
    EXPECT(s, "3:0>all.q@a");
    sched_free(s);
}

static void a_parallel_task_has_all_its_hosts_alone(void **state SGE_UNUSED)
{
    struct sched *s = exclusive_hosts();
    feed(s, "host b excl=TRUE");
    feed(s, "job 1 0 pe mpi 10 l excl:5=TRUE");
    feed(s, "job 2 0-9");
    EXPECT(s, "1:0>mpi:all.q@a=8,all.q@b=2");
    sched_free(s);
}

static void a_host_that_says_no_is_had_by_nobody_alone(void **state SGE_UNUSED)
{
    struct sched *s = exclusive_hosts();
    feed(s, "host a excl=FALSE");
    feed(s, "job 1 0 l excl:5=TRUE");
    feed(s, "job 2 0-8");
    EXPECT(s, "2:0,2,4,6,8>all.q@a 2:1,3,5,7>all.q@b");
    sched_free(s);
}

static void requests_that_decide_nothing_share_a_need(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 1");
    feed(s, "job 1 0 l h_rt=60");
    feed(s, "job 2 0 l h_rt=61");
    assert_int_equal(HASH_COUNT(s->pending.categories), 2);
    assert_int_equal(HASH_COUNT(s->pending.needs), 1);
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
    assert_int_equal(HASH_COUNT(s->pending.needs), 2);
    EXPECT(s, "2:0>all.q@a");
    feed(s, "queue b.q@a 2"); /* not for job 3 */
    assert_int_equal(HASH_COUNT(s->pending.needs), 3);
    feed(s, "unready 2 0-9");
    EXPECT(s, "3:0>all.q@a 4:0-1>b.q@a");
    feed(s, "queue none.q@b 1"); /* for jobs 1 and 2 */
    assert_int_equal(HASH_COUNT(s->pending.needs), 4);
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
    assert_int_equal(HASH_COUNT(s->pending.needs), 2);
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
        cmocka_unit_test(what_is_asked_for_must_be_offered_and_defaults_need_not),
        cmocka_unit_test(a_queue_has_resources_of_its_own),
        cmocka_unit_test(forced_resources_are_for_those_who_ask),
        cmocka_unit_test(less_than_is_taken_gives_nothing_away),
        cmocka_unit_test(a_resource_that_ceases_to_run_out_limits_nobody),
        cmocka_unit_test(who_waits_for_a_host_while_the_cell_has_nothing_is_not_forgotten),
        cmocka_unit_test(an_order_that_is_confirmed_stays_the_same_stay),
        cmocka_unit_test(parallel_tasks_take_for_each_slot_once_a_host_and_once_a_job),
        cmocka_unit_test(a_host_is_had_alone_or_shared),
        cmocka_unit_test(a_parallel_task_has_all_its_hosts_alone),
        cmocka_unit_test(a_host_that_says_no_is_had_by_nobody_alone),
        cmocka_unit_test(requests_that_decide_nothing_share_a_need),
        cmocka_unit_test(requests_for_the_same_queues_share_a_need_until_a_queue_parts_them),
        cmocka_unit_test(sets_that_become_equal_stay_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
