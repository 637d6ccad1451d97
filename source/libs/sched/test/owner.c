/* How many tasks of each owner run at once (maxujobs), and who goes next when one of his has
 * ended. */
#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

static struct sched *two_queues(const char *limit)
{
    struct sched *s = sched_new();
    struct dstr line = DSTR_INIT;
    feed(s, "queue a.q@h 100");
    feed(s, "queue b.q@i 2");
    dstr_addf(&line, "conf maxujobs %s", limit);
    feed(s, dstr_get(&line));
    dstr_free(&line);
    return s;
}

static void an_owner_has_so_many_tasks_and_others_go_by(void **state SGE_UNUSED)
{
    struct sched *s = two_queues("3");
    feed(s, "job 1 1-9 owner ann q a.q");
    feed(s, "job 2 1-9 owner bob q a.q");
    EXPECT(s, "1:1-3>a.q@h 2:1-3>a.q@h");
    assert_false(sched_has_work(s));
    feed(s, "started 1 1-3 a.q@h");
    feed(s, "ended 1 2 a.q@h");
    assert_true(sched_has_work(s));
    EXPECT(s, "1:4>a.q@h");
    assert_false(sched_has_work(s));
    sched_free(s);
}

static void all_his_jobs_count_together(void **state SGE_UNUSED)
{
    struct sched *s = two_queues("3");
    feed(s, "job 1 1-2 owner ann q a.q");
    feed(s, "job 2 1-2 owner ann project p q a.q");
    feed(s, "job 3 1-2 owner ann q b.q");
    EXPECT(s, "1:1-2>a.q@h 2:1>a.q@h");
    feed(s, "started 1 1-2 a.q@h");
    feed(s, "ended 1 1-2 a.q@h");
    EXPECT(s, "2:2>a.q@h 3:1>b.q@i");
    sched_free(s);
}

static void the_most_important_of_what_waits_goes_first(void **state SGE_UNUSED)
{
    struct sched *s = two_queues("1");
    feed(s, "job 1 1 owner ann q a.q");
    EXPECT(s, "1:1>a.q@h");
    feed(s, "job 2 1 owner ann q a.q");
    feed(s, "job 3 1 owner ann q b.q p 100");
    EXPECT(s, "");
    feed(s, "started 1 1 a.q@h");
    feed(s, "ended 1 1 a.q@h");
    EXPECT(s, "3:1>b.q@i");
    sched_free(s);
}

/* the owner's next job finds no room: his others do not wait for it, and others not for him */
static void what_is_blocked_keeps_nobody_waiting(void **state SGE_UNUSED)
{
    struct sched *s = two_queues("2");
    feed(s, "job 1 1-2 owner bob q b.q");
    feed(s, "job 2 1-2 owner ann q a.q");
    EXPECT(s, "1:1-2>b.q@i 2:1-2>a.q@h");
    feed(s, "job 3 1 owner ann q b.q p 10");
    feed(s, "job 4 1-2 owner ann project p q a.q");
    feed(s, "job 5 1 owner eve q b.q");
    EXPECT(s, "");
    feed(s, "started 2 1-2 a.q@h");
    feed(s, "ended 2 1 a.q@h");
    EXPECT(s, "4:1>a.q@h");
    feed(s, "started 1 1-2 b.q@i");
    feed(s, "ended 1 1 b.q@i"); /* ann has her two: eve is next */
    EXPECT(s, "5:1>b.q@i");
    feed(s, "ended 2 2 a.q@h");
    feed(s, "ended 1 2 b.q@i");
    EXPECT(s, "3:1>b.q@i");
    sched_free(s);
}

static void a_refused_order_makes_room(void **state SGE_UNUSED)
{
    struct sched *s = two_queues("1");
    struct OR_Type_list orders = { 0 };
    feed(s, "job 1 1 owner ann q a.q");
    feed(s, "job 2 1 owner ann q a.q");
    assert_int_equal(sched_run(s, 1000, 10, &orders), 1);
    EXPECT(s, "");
    sched_refused(s, &orders.v[0]);
    EXPECT(s, "2:1>a.q@h");
    orders_clear(&orders);
    sched_free(s);
}

static void another_limit_counts_at_once(void **state SGE_UNUSED)
{
    struct sched *s = two_queues("1");
    feed(s, "job 1 1-9 owner ann q a.q");
    EXPECT(s, "1:1>a.q@h");
    feed(s, "conf maxujobs 3");
    EXPECT(s, "1:2-3>a.q@h");
    feed(s, "conf maxujobs 2");
    EXPECT(s, "");
    feed(s, "conf maxujobs 0");
    EXPECT(s, "1:4-9>a.q@h");
    sched_free(s);
}

static void a_parallel_task_is_one_task(void **state SGE_UNUSED)
{
    struct sched *s = two_queues("2");
    feed(s, "queue+ a.q@h 100 pes smp");
    feed(s, "object 12 smp slots 50 allocation_rule $pe_slots");
    feed(s, "job 1 1-9 owner ann q a.q pe smp 4");
    EXPECT(s, "1:1>smp:a.q@h=4 1:2>smp:a.q@h=4");
    sched_free(s);
}

/* jobs that come, change, and go while they are parked */
static void what_is_parked_may_change_and_go(void **state SGE_UNUSED)
{
    struct sched *s = two_queues("1");
    feed(s, "job 1 1-2 owner ann q a.q");
    feed(s, "job 2 1 owner ann project p q a.q");
    feed(s, "job 3 1 owner ann q b.q");
    EXPECT(s, "1:1>a.q@h");
    feed(s, "mod 3 p 5");
    feed(s, "unready 1 2");
    feed(s, "del 2");
    feed(s, "started 1 1 a.q@h");
    feed(s, "ended 1 1 a.q@h");
    EXPECT(s, "3:1>b.q@i");
    feed(s, "started 3 1 b.q@i");
    feed(s, "del 3");
    feed(s, "ready 1 2");
    EXPECT(s, ""); /* a deleted job counts as long as it runs */
    feed(s, "ended 3 1 b.q@i");
    EXPECT(s, "1:2>a.q@h");
    sched_free(s);
}

/* 10,000 kinds of jobs wait for one owner: an end costs what it starts */
static void what_waits_for_its_owner_costs_nothing(void **state SGE_UNUSED)
{
    struct sched *s = two_queues("1");
    for (unsigned i = 1; i <= 10000; i++) {
        char line[80];
        (void)snprintf(line, sizeof line, "job %u 1 owner ann project p%u q a.q", i, i);
        feed(s, line);
    }
    EXPECT(s, "1:1>a.q@h");
    for (unsigned i = 1; i <= 100; i++) {
        char started[40], ended[40], expected[40];
        (void)snprintf(started, sizeof started, "started %u 1 a.q@h", i);
        (void)snprintf(ended, sizeof ended, "ended %u 1 a.q@h", i);
        (void)snprintf(expected, sizeof expected, "%u:1>a.q@h", i + 1);
        uint64_t before = sched_work(s)->compared;
        feed(s, started);
        feed(s, ended);
        EXPECT(s, expected);
        assert_true(i == 1 || sched_work(s)->compared - before < 400);
    }
    sched_free(s);
}

/* ---- what requests cost ---- */
enum { HOSTS = 1000, COSTLY = 300 };

/* hosts whose slots are free, and jobs of anna's that each look at all of them in vain */
static struct sched *with_costly_jobs(void)
{
    struct sched *s = sched_new();
    feed(s, "object 12 mpi slots 99999 allocation_rule $fill_up");
    for (int i = 0; i < HOSTS; i++) {
        feedf(s, "queue all.q@h%d 4 pes mpi", i);
    }
    for (int i = 0; i < COSTLY; i++) {
        feedf(s, "job %d 0 owner anna pe mpi %d", 1 + i, 5000 + i);
    }
    return s;
}

static void another_owners_job_is_placed_after_an_allowance(void **state SGE_UNUSED)
{
    struct sched *s = with_costly_jobs();
    feed(s, "job 1000 0 owner bert");
    EXPECT(s, "anna last 1000:0>all.q@h0");
    sched_free(s);
}

/* how many runs it takes until all has been looked at */
static uint32_t slices_of(struct sched *s, uint64_t looks, const char *orders_in_last)
{
    uint32_t n = 1;
    sched_set_slice(s, looks);
    for (; n < 1000; n++) {
        struct OR_Type_list orders = { 0 };
        uint64_t before = sched_work(s)->looks;
        sched_run(s, 1000, 1000000, &orders);
        assert_in_range(sched_work(s)->looks - before, 0, looks + 3 * HOSTS);
        orders_clear(&orders);
        if (!sched_is_cut(s))
            break;
    }
    EXPECT(s, orders_in_last);
    return n;
}

static void a_run_is_done_in_slices(void **state SGE_UNUSED)
{
    struct sched *s = with_costly_jobs();
    assert_in_range(slices_of(s, 10000, ""), 20, 100);
    assert_int_equal(sched_work(s)->tried, COSTLY);
    sched_free(s);
}

/* a job that comes between two slices of a run that would last long waits for an allowance at
 * most */
static void what_comes_between_slices_goes_first(void **state SGE_UNUSED)
{
    struct sched *s = with_costly_jobs();
    sched_set_slice(s, FAIR_LOOKS);
    EXPECT(s, "anna last");
    assert_true(sched_is_cut(s));
    feed(s, "job 1000 0 owner bert");
    uint64_t looks = sched_work(s)->looks;
    sched_set_slice(s, 1);
    EXPECT(s, "1000:0>all.q@h0");
    assert_in_range(sched_work(s)->looks - looks, 1, 10);
    sched_free(s);
}

static void the_owner_who_has_cost_least_goes_on_first(void **state SGE_UNUSED)
{
    struct sched *s = with_costly_jobs();
    feed(s, "job 400 0 owner carl pe mpi 6000");
    sched_set_slice(s, FAIR_LOOKS);
    EXPECT(s, "anna last");
    sched_set_slice(s, 1);
    EXPECT(s, "");
    assert_true(job_find(&s->jobs, 400)->group->category->need->is_blocked);
    sched_free(s);
}

static void nobody_is_last_for_ever(void **state SGE_UNUSED)
{
    struct sched *s = with_costly_jobs();
    feed(s, "job 500 0 owner anna");
    EXPECT(s, "anna last 500:0>all.q@h0");
    assert_true(job_find(&s->jobs, 1)->group->of->is_exhausted ||
                job_find(&s->jobs, 1)->group->of->cost > 0);
    expect_orders(s, 1064, 1000000, "");
    assert_false(job_find(&s->jobs, 1)->group->of->is_exhausted);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_owner_has_so_many_tasks_and_others_go_by),
        cmocka_unit_test(all_his_jobs_count_together),
        cmocka_unit_test(the_most_important_of_what_waits_goes_first),
        cmocka_unit_test(what_is_blocked_keeps_nobody_waiting),
        cmocka_unit_test(a_refused_order_makes_room),
        cmocka_unit_test(another_limit_counts_at_once),
        cmocka_unit_test(a_parallel_task_is_one_task),
        cmocka_unit_test(what_is_parked_may_change_and_go),
        cmocka_unit_test(what_waits_for_its_owner_costs_nothing),
        cmocka_unit_test(another_owners_job_is_placed_after_an_allowance),
        cmocka_unit_test(a_run_is_done_in_slices),
        cmocka_unit_test(what_comes_between_slices_goes_first),
        cmocka_unit_test(the_owner_who_has_cost_least_goes_on_first),
        cmocka_unit_test(nobody_is_last_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
