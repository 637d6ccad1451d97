/* Resource quotas in the scheduler: nothing is ordered beyond them, what they block is tried again
 * when something is given back, and what that costs. quotas_random.c counts by hand. */
#include "libs/sched/policy/model.h"
#include "libs/sched/test/quota_cell.h"

/* ---- what is placed ---- */
static void each_user_has_a_limit_of_his_own(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("users {*} to slots=2");
    feed(s, "job 1 1-9 owner ann");
    feed(s, "job 2 1-9 owner bob");
    EXPECT(s, "1:1-2>all.q@h 2:1-2>all.q@h");
    assert_false(sched_has_work(s));
    feed(s, "started 1 1-2 all.q@h");
    feed(s, "started 2 1-2 all.q@h");
    feed(s, "ended 1 2 all.q@h");
    EXPECT(s, "1:3>all.q@h");
    assert_false(sched_has_work(s));
    sched_free(s);
}

/* the end of a task elsewhere gives back what is needed here */
static void a_quota_is_given_back_in_another_queue(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("users * to slots=1");
    feed(s, "job 1 1 owner ann q *@h");
    feed(s, "job 2 1 owner bob q *@i");
    EXPECT(s, "1:1>all.q@h");
    feed(s, "started 1 1 all.q@h");
    EXPECT(s, "");
    feed(s, "ended 1 1 all.q@h");
    assert_true(sched_has_work(s));
    EXPECT(s, "2:1>all.q@i");
    sched_free(s);
}

static void a_rule_for_a_host_leaves_others_free(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("hosts @rack to slots=1\nusers {*} hosts {*} to slots=2");
    feed(s, "job 1 1-9 owner ann");
    EXPECT(s, "1:1>all.q@h 1:2-3>all.q@i");
    feed(s, "job 2 1-9 owner bob");
    EXPECT(s, "2:1-2>all.q@i");
    sched_free(s);
}

static void users_of_one_class_share_a_need(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("users !ann to slots=3");
    feed(s, "job 1 1 owner ann");
    feed(s, "job 2 1 owner bob");
    feed(s, "job 3 1 owner eve");
    assert_int_equal(HASH_COUNT(s->pending.needs), 2);
    feed_rules(s, "r1", "");
    assert_int_equal(HASH_COUNT(s->pending.needs), 1);
    assert_null(s->cell.quotas);
    sched_free(s);
}

static void consumables_count_as_they_are_taken(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("users {*} to lic=5");
    feed(s, "host global lic=50");
    feed(s, "job 1 1-9 owner ann l lic:1=2");
    feed(s, "job 2 1 owner bob l lic:1=2 pe smp 3");
    feed(s, "job 3 1 owner bob l lic:1=2 pe smp 2");
    EXPECT(s, "1:1-2>all.q@h 3:1>smp:all.q@h=2");
    sched_free(s);
}

static void parallel_tasks_fit_as_a_whole(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("users {*} hosts {*} to slots=3");
    feed(s, "job 1 1 owner ann pe smp 4");
    feed(s, "job 2 1 owner ann pe mpi 4");
    feed(s, "job 3 1 owner bob pe mpi 1-9");
    EXPECT(s, "2:1>mpi:all.q@h=2,all.q@i=2 3:1>mpi:all.q@h=3,all.q@i=3");
    feed(s, "started 2 1 pe mpi all.q@h 2 all.q@i 2");
    feed(s, "job 4 1 owner ann pe mpi 2");
    EXPECT(s, "4:1>mpi:all.q@h=1,all.q@i=1");
    sched_free(s);
}

static void a_parallel_task_waits_for_its_quota(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("pes smp to slots=4");
    feed(s, "job 1 1-2 owner ann pe smp 2");
    feed(s, "job 2 1 owner bob pe smp 4");
    feed(s, "job 3 1 owner bob");
    EXPECT(s, "1:1>smp:all.q@h=2 1:2>smp:all.q@h=2 3:1>all.q@h");
    feed(s, "started 1 1-2 pe smp all.q@h 2");
    feed(s, "ended 1 1 pe smp all.q@h 2");
    EXPECT(s, "");
    feed(s, "ended 1 2 pe smp all.q@h 2");
    EXPECT(s, "2:1>smp:all.q@h=4");
    sched_free(s);
}

static void a_limit_follows_the_values_of_its_host(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("hosts {*} to slots=$num_proc*2");
    feed(s, "job 1 1-19 owner ann");
    EXPECT(s, "");
    feed(s, "loads h num_proc=1");
    EXPECT(s, "1:1-2>all.q@h");
    feed(s, "loads i num_proc=2");
    EXPECT(s, "1:3-6>all.q@i");
    feed(s, "loads h num_proc=2");
    EXPECT(s, "1:7-8>all.q@h");
    sched_free(s);
}

/* what the cell reports is the value of hosts that report none of their own */
static void a_limit_follows_the_values_of_the_cell(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("hosts {*} to slots=$num_proc*2");
    feed(s, "loads h load_avg=1");
    feed(s, "loads i load_avg=1");
    feed(s, "job 1 1-19 owner ann");
    EXPECT(s, "");
    feed(s, "loads global num_proc=1");
    EXPECT(s, "1:1-2>all.q@h 1:3-4>all.q@i");
    feed(s, "loads global num_proc=2");
    EXPECT(s, "1:5-6>all.q@h 1:7-8>all.q@i");
    sched_free(s);
}

static void rules_that_change_count_what_runs(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("users {*} to slots=4");
    feed(s, "job 1 1-9 owner ann");
    EXPECT(s, "1:1-4>all.q@h");
    feed(s, "started 1 1-4 all.q@h");
    feed_rules(s, "r1", "users {*} to slots=1");
    feed(s, "ended 1 1 all.q@h");
    feed(s, "ended 1 2 all.q@h");
    feed(s, "ended 1 3 all.q@h");
    EXPECT(s, "");
    feed_rules(s, "r2", "to slots=2");
    feed_rules(s, "r1", "users {*} to slots=3");
    EXPECT(s, "1:5>all.q@h");
    feed_rules(s, "r2", "");
    EXPECT(s, "1:6>all.q@h");
    sched_free(s);
}

static void a_queue_instance_changes_its_groups(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts("hosts @rack to slots=1");
    feed(s, "job 1 1-9 owner ann q *@h");
    EXPECT(s, "1:1>all.q@h");
    feed(s, "started 1 1 all.q@h");
    feed(s, "queue+ all.q@h 10 group none");
    EXPECT(s, "1:2-9>all.q@h");
    feed(s, "queue+ all.q@h 10 group @rack");
    feed(s, "job 2 1 owner ann q *@h");
    EXPECT(s, "");
    feed(s, "ended 1 1 all.q@h");
    EXPECT(s, "");
    sched_free(s);
}

/* ---- cost ---- */
/* jobs 1 to N of OWNER on the host i, each with a request that no other has */
static void submit_requests(struct sched *s, const char *owner, int n)
{
    feed(s, "host global lic=100000000");
    for (int i = 1; i <= n; i++)
        feedf(s, "job %d 1 owner %s l lic:1=%d q *@i", i, owner, i);
}

static void run_request(struct sched *s, int job)
{
    feedf(s, "started %d 1 all.q@i 1 take lic=%d", job, job);
    feedf(s, "ended %d 1 all.q@i 1 take lic=%d", job, job);
}

/* 300 users in 200 queue instances, each with all that he may have: the end of a task tries his
 * need alone, and looks for no instance before it is clear that his quota has room */
static void an_end_costs_what_it_unblocks(void **state SGE_UNUSED)
{
    enum { USERS = 300, QUEUES = 200 };
    struct sched *s = two_hosts("users {*} to slots=1");
    for (int i = 0; i < QUEUES; i++) {
        feedf(s, "queue big.q@n%d 10", i);
    }
    for (int i = 1; i <= USERS; i++) {
        feedf(s, "job %d 1-9 owner u%d q big.q", i, i);
    }
    struct OR_Type_list orders = { 0 };
    assert_int_equal(sched_run(s, 1000, 100000, &orders), USERS);
    for (uint32_t i = 0; i < orders.n; i++) {
        feedf(s, "started %u 1 %s", orders.v[i].OR_job_number,
              allocation_queue(&orders.v[i].OR_granted));
    }
    for (uint32_t i = 0; i < orders.n; i++) {
        struct OR_Type_list next = { 0 };
        uint64_t tried = s->cell.work.tried, looks = s->cell.work.looks;
        feedf(s, "ended %u 1 %s", orders.v[i].OR_job_number,
              allocation_queue(&orders.v[i].OR_granted));
        assert_int_equal(sched_run(s, 1000, 100000, &next), 1);
        assert_true(s->cell.work.tried - tried <= 2);
        assert_true(s->cell.work.looks - looks <= 2 * USERS);
        orders_clear(&next);
    }
    orders_clear(&orders);
    sched_free(s);
}

/* thousands of requests of one user that a quota blocks make no other user's end cost more */
static void blocked_requests_of_others_cost_nothing(void **state SGE_UNUSED)
{
    enum { NEEDS = 3000 };
    struct sched *s = two_hosts("users {*} to slots=1");
    submit_requests(s, "eve", NEEDS);
    feed(s, "job 9000 1-9 owner ann q *@h");
    struct OR_Type_list orders = { 0 };
    (void)sched_run(s, 1000, 100000, &orders);
    orders_clear(&orders);
    feed(s, "started 9000 1 all.q@h");
    uint64_t woken = s->cell.work.woken;
    feed(s, "ended 9000 1 all.q@h");
    EXPECT(s, "9000:2>all.q@h");
    assert_true(s->cell.work.woken - woken <= 20);
    sched_free(s);
}

/* his own end opens all of his requests, but not at once: the event costs a look at his class, and
 * each run opens as many as a slice has time for, those that wait longest first */
static void an_end_opens_the_requests_of_its_owner_in_slices(void **state SGE_UNUSED)
{
    enum { NEEDS = 3000, SLICE = 800 };
    struct sched *s = two_hosts("users {*} to slots=1");
    struct OR_Type_list orders = { 0 };
    uint64_t runs = 0, woken, before;
    submit_requests(s, "eve", NEEDS);
    EXPECT(s, "1:1>all.q@i");
    feed(s, "started 1 1 all.q@i 1 take lic=1");
    sched_set_slice(s, SLICE);
    woken = s->cell.work.woken;
    feed(s, "ended 1 1 all.q@i 1 take lic=1");
    before = s->cell.work.woken;
    assert_true(before - woken <= 20);
    assert_true(sched_has_work(s));
    EXPECT(s, "2:1>all.q@i");
    assert_true(sched_is_cut(s));
    assert_true(s->cell.work.woken - before <= SLICE / 8 + 20);
    while (sched_is_cut(s)) {
        assert_int_equal(sched_run(s, 1000, 100000, &orders), 0);
        assert_true(++runs <= NEEDS);
    }
    assert_true(runs >= NEEDS * 8 / SLICE - 2);
    assert_true(s->cell.work.woken - before <= NEEDS + 100);
    orders_clear(&orders);
    sched_free(s);
}

/* a need whose turn to be opened has not come is not one that finds no room: an immediate job with
 * it waits for that turn */
static void an_immediate_job_waits_until_its_need_is_opened(void **state SGE_UNUSED)
{
    enum { NEEDS = 3000, SLICE = 800 };
    struct sched *s = two_hosts("users {*} to slots=1");
    feed(s, "queue+ all.q@i 10 type 3");
    submit_requests(s, "eve", NEEDS);
    EXPECT(s, "1:1>all.q@i");
    feed(s, "started 1 1 all.q@i 1 take lic=1");
    for (int i = 2; i <= NEEDS; i++) {
        feedf(s, "unready %d 1", i);
    }
    sched_set_slice(s, SLICE);
    feed(s, "ended 1 1 all.q@i 1 take lic=1");
    feedf(s, "job 5000 1 owner eve l lic:1=%d q *@i now y", NEEDS);
    int runs = 0;
    for (; runs < NEEDS && job_find(&s->jobs, 5000)->group->category->need->is_blocked; runs++)
        EXPECT(s, runs < NEEDS * 8 / SLICE - 1 ? "" : "5000:1>all.q@i");
    assert_int_equal(runs, NEEDS * 8 / SLICE);
    feed(s, "job 5001 1 owner eve l lic:1=1 q *@i now y");
    EXPECT(s, "5001 gone");
    sched_free(s);
}

/* a user with thousands of requests whose tasks end all the time delays the requests of another by
 * a run at most */
static void an_owner_with_many_requests_keeps_no_other_waiting(void **state SGE_UNUSED)
{
    enum { NEEDS = 1000, SLICE = 400, ROUNDS = 20 };
    for (int is_first = 0; is_first < 2; is_first++) {
        struct sched *s = two_hosts("users {*} to slots=1");
        feed(s, "job 9000 1-2 owner ann q *@h");
        submit_requests(s, "eve", NEEDS);
        EXPECT(s, "1:1>all.q@i 9000:1>all.q@h");
        feed(s, "started 9000 1 all.q@h");
        sched_set_slice(s, SLICE);
        bool has_started = false;
        for (int i = 1; i <= ROUNDS && !has_started; i++) {
            struct OR_Type_list orders = { 0 };
            if (i == 1 && is_first)
                feed(s, "ended 9000 1 all.q@h");
            run_request(s, i);
            if (i == 1 && !is_first)
                feed(s, "ended 9000 1 all.q@h");
            (void)sched_run(s, 1000, 100000, &orders);
            for (uint32_t k = 0; k < orders.n; k++)
                has_started |= orders.v[k].OR_job_number == 9000;
            orders_clear(&orders);
            assert_true(i <= 2);
        }
        assert_true(has_started);
        sched_free(s);
    }
}

/* one quota for all of them: each end lets the first of those that wait start, and a look at each
 * of the others is one at its quota */
static void a_common_quota_costs_a_look_for_each_need(void **state SGE_UNUSED)
{
    enum { NEEDS = 100 };
    struct sched *s = two_hosts("users * to slots=1");
    struct dstr line = DSTR_INIT;
    submit_requests(s, "ann", NEEDS);
    EXPECT(s, "1:1>all.q@i");
    for (int i = 1; i < NEEDS; i++) {
        uint64_t looks = s->cell.work.looks;
        run_request(s, i);
        dstr_clear(&line);
        dstr_addf(&line, "%d:1>all.q@i", i + 1);
        EXPECT(s, dstr_get(&line));
        assert_true(s->cell.work.looks - looks <= 8 * NEEDS);
    }
    dstr_free(&line);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_user_has_a_limit_of_his_own),
        cmocka_unit_test(a_quota_is_given_back_in_another_queue),
        cmocka_unit_test(a_rule_for_a_host_leaves_others_free),
        cmocka_unit_test(users_of_one_class_share_a_need),
        cmocka_unit_test(consumables_count_as_they_are_taken),
        cmocka_unit_test(parallel_tasks_fit_as_a_whole),
        cmocka_unit_test(a_parallel_task_waits_for_its_quota),
        cmocka_unit_test(a_limit_follows_the_values_of_its_host),
        cmocka_unit_test(a_limit_follows_the_values_of_the_cell),
        cmocka_unit_test(rules_that_change_count_what_runs),
        cmocka_unit_test(a_queue_instance_changes_its_groups),
        cmocka_unit_test(an_end_costs_what_it_unblocks),
        cmocka_unit_test(blocked_requests_of_others_cost_nothing),
        cmocka_unit_test(an_end_opens_the_requests_of_its_owner_in_slices),
        cmocka_unit_test(an_immediate_job_waits_until_its_need_is_opened),
        cmocka_unit_test(an_owner_with_many_requests_keeps_no_other_waiting),
        cmocka_unit_test(a_common_quota_costs_a_look_for_each_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
