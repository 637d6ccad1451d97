/* How the cost of libs/sched grows, in what was looked at (sched_work), not in time. A model of a
 * million jobs and ten thousand queue instances is built once for all tests. */
#include "libs/sched/test/feed.h"

enum { A_MILLION = 1000000, QUEUES = 10000 };

static void add_queue(struct sched *s, unsigned i, uint32_t slots)
{
    struct EV_Type e = { 0 };
    struct QU_Type *q = cull_append(&e, EV_queues);
    char name[32];

    snprintf(name, sizeof name, "%s.q@n%05u", i % 2 == 0 ? "even" : "odd", i);
    cull_set(&e, EV_kind, EV_QUEUE_ADD);
    cull_set(q, QU_full_name, name);
    cull_set(q, QU_job_slots, slots);
    assert_int_equal(sched_apply(s, &e, NULL), 0);
    cull_clear(&cull_EV_Type, &e);
}

/* jobs of three categories by number modulo 3 */
static void add_job(struct sched *s, uint32_t number, uint32_t tasks)
{
    static const char *const wanted[] = { NULL, "even.q", "odd.q" };
    struct EV_Type e = { 0 };
    struct JB_Type *job = cull_append(&e, EV_jobs);

    cull_set(&e, EV_kind, EV_JOB_ADD);
    cull_set(job, JB_job_number, number);
    cull_set(job, JB_submission_time, 1000 + number / 100);
    if (wanted[number % 3] != NULL)
        queue_request(job, wanted[number % 3]);
    range_set_add(cull_ranges(&e, EV_ids), 0, tasks - 1);
    assert_int_equal(sched_apply(s, &e, NULL), 0);
    cull_clear(&cull_EV_Type, &e);
}

static int build_cell(void **state)
{
    struct sched *s = sched_new();

    for (unsigned i = 0; i < QUEUES; i++)
        add_queue(s, i, 4);
    for (uint32_t number = 1; number <= A_MILLION; number++)
        add_job(s, number, 1);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    sched_free(*state);
    return 0;
}

static struct sched_work work_of_a_run(struct sched *s, uint32_t most, uint32_t expected)
{
    struct sched_work before = *sched_work(s), after;
    struct OR_Type_list orders = { 0 };

    assert_int_equal(sched_run(s, 1, most, &orders), expected);
    after = *sched_work(s);
    orders_clear(&orders);
    return (struct sched_work){ .tried = after.tried - before.tried,
                                .compared = after.compared - before.compared,
                                .stays = after.stays - before.stays,
                                .matched = after.matched - before.matched };
}

static void a_run_costs_its_orders_not_the_jobs_or_queues(void **state)
{
    struct sched_work work = work_of_a_run(*state, 64, 64);

    assert_true(work.tried <= 64 + 3);
    assert_true(work.compared <= 64 * 150); /* a few trees of depth 14 to 20 for each task */
    assert_int_equal(work.matched, 0);
}

static void a_run_of_a_full_cell_costs_its_categories_and_then_nothing(void **state)
{
    struct sched *s = *state;
    struct OR_Type_list orders = { 0 };

    while (sched_run(s, 1, 1000, &orders) > 0)
        orders_clear(&orders);
    struct sched_work work = work_of_a_run(s, 1000, 0);
    assert_int_equal(work.tried, 0);
    assert_int_equal(work.compared, 0);
    orders_clear(&orders);
}

static void an_end_in_a_full_cell_costs_one_start(void **state)
{
    struct sched *s = *state;

    feed(s, "queue new.q@x 1");
    struct sched_work work = work_of_a_run(s, 1000, 1);
    assert_true(work.tried <= 4);
    assert_true(work.compared <= 200);
    feed(s, "queue+ odd.q@n00001 5");
    work = work_of_a_run(s, 1000, 1);
    assert_true(work.tried <= 4);
    assert_true(work.compared <= 400);
}

static void an_array_of_ten_million_tasks_costs_as_a_single_job(void **state)
{
    struct sched *s = sched_new();

    (void)state;
    feed(s, "queue all.q@a 64");
    add_job(s, 3, 10000000);
    struct sched_work work = work_of_a_run(s, 1000, 64);
    assert_int_equal(work.tried, 2);
    assert_true(work.compared <= 10);
    feed(s, "started 3 0-63 all.q@a");
    feed(s, "ended 3 7 all.q@a");
    EXPECT(s, "3:64>all.q@a");
    sched_free(s);
}

static void a_start_and_a_release_cost_nothing_for_tasks_that_run_elsewhere(void **state)
{
    struct sched *s = sched_new();
    char line[64];

    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        add_queue(s, i, 1);
    add_job(s, 3, 2000);
    assert_int_equal(work_of_a_run(s, 1000, 1000).stays, 0);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(line, sizeof line, "started 3 %u %s.q@n%05u", i, i < 500 ? "even" : "odd",
                 i < 500 ? 2 * i : 2 * i - 999);
        feed(s, line);
        snprintf(line, sizeof line, "ready 3 %u", 3000 + i);
        feed(s, line);
    }
    assert_int_equal(sched_work(s)->stays, 0);
    feed(s, "ended 3 500 odd.q@n00001");
    EXPECT(s, "3:1000>odd.q@n00001");
    sched_free(s);
}

/* 100,000 single jobs wait for 64 slots that are full, each with its number behind the words OWN */
static void expect_cheap_ends(const char *own)
{
    enum { CATEGORIES = 100000, SLOTS = 64, ENDS = 100 };
    struct sched *s = sched_new();
    char line[64];
    feed(s, "queue all.q@a 64");
    for (unsigned i = 1; i <= CATEGORIES + SLOTS; i++) {
        snprintf(line, sizeof line, "job %u 0 %s%u", i, own, i);
        feed(s, line);
    }
    work_of_a_run(s, 1000, SLOTS);
    for (unsigned i = 1; i <= ENDS; i++) {
        struct sched_work before = *sched_work(s);
        snprintf(line, sizeof line, "started %u 0 all.q@a", i);
        feed(s, line);
        snprintf(line, sizeof line, "ended %u 0 all.q@a", i);
        feed(s, line);
        assert_true(work_of_a_run(s, 1000, 1).tried <= 2);
        assert_true(sched_work(s)->woken - before.woken <= 2);
        assert_true(sched_work(s)->compared - before.compared <= 200);
    }
    sched_free(s);
}

static void an_end_costs_what_it_unblocks_not_the_categories_that_wait(void **state SGE_UNUSED)
{
    expect_cheap_ends("l h_rt=");
}

static void nor_the_ways_to_ask_for_the_same_queues(void **state SGE_UNUSED)
{
    expect_cheap_ends("q all.q q other.q@h");
}

static void nor_the_owners_of_the_jobs_that_wait(void **state SGE_UNUSED)
{
    expect_cheap_ends("owner user");
}

/* job 1 gets 10 slots on each of 1,000 hosts by RULE; job 2, which is like it, waits */
static void place_wide_task(const char *rule)
{
    enum { HOSTS = 1000, EACH = 10 };
    struct sched *s = sched_new();
    struct OR_Type_list orders = { 0 };
    char line[96];
    uint32_t slots = 0;
    snprintf(line, sizeof line, "object 12 mpi slots 999999 allocation_rule %s", rule);
    feed(s, line);
    for (unsigned i = 0; i < HOSTS; i++) {
        snprintf(line, sizeof line, "queue all.q@n%u %d pes mpi", i, EACH);
        feed(s, line);
    }
    feed(s, "job 1 0 pe mpi 10000");
    feed(s, "job 2 0 pe mpi 10000");
    struct sched_work before = *sched_work(s);
    assert_int_equal(sched_run(s, 1, 1000, &orders), 1);
    assert_true(sched_work(s)->spots - before.spots <= 2 * HOSTS); /* each once for each job */
    assert_true(sched_work(s)->compared - before.compared <= HOSTS * 40);
    assert_int_equal(orders.v[0].OR_granted.n, HOSTS);
    for (uint32_t i = 0; i < HOSTS; i++)
        slots += orders.v[0].OR_granted.v[i].JG_slots;
    assert_int_equal(slots, HOSTS * EACH);
    orders_clear(&orders);
    before = *sched_work(s);
    assert_int_equal(sched_run(s, 1, 1000, &orders), 0);
    assert_int_equal(sched_work(s)->spots, before.spots); /* what waits costs nothing */
    orders_clear(&orders);
    sched_free(s);
}

static void a_wide_task_costs_a_look_at_each_of_its_hosts(void **state SGE_UNUSED)
{
    place_wide_task("$fill_up");
    place_wide_task("$round_robin");
    place_wide_task("10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_costs_its_orders_not_the_jobs_or_queues),
        cmocka_unit_test(a_run_of_a_full_cell_costs_its_categories_and_then_nothing),
        cmocka_unit_test(an_end_in_a_full_cell_costs_one_start),
        cmocka_unit_test(a_start_and_a_release_cost_nothing_for_tasks_that_run_elsewhere),
        cmocka_unit_test(an_end_costs_what_it_unblocks_not_the_categories_that_wait),
        cmocka_unit_test(nor_the_ways_to_ask_for_the_same_queues),
        cmocka_unit_test(nor_the_owners_of_the_jobs_that_wait),
        cmocka_unit_test(a_wide_task_costs_a_look_at_each_of_its_hosts),
        cmocka_unit_test(an_array_of_ten_million_tasks_costs_as_a_single_job),
    };
    return cmocka_run_group_tests(tests, build_cell, tear_down);
}
