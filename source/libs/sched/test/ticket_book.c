/* Tickets decide whose turn it is, and are seen as they decide. */
#include <time.h>

#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"
#include "libs/sgeobj/object_kind.h"

/* a cell in which tickets decide before all else */
static struct sched *cell_by_tickets(void)
{
    struct sched *s = sched_new();
    feed(s, "conf weight_ticket 1");
    feed(s, "conf weight_priority 0");
    feed(s, "conf weight_urgency 0");
    return s;
}

static void put_object(struct sched *s, enum object_kind kind, const char *name, const char *attrs)
{
    feedf(s, "object %u %s %s", (unsigned)kind, name, attrs);
}

/* what others see of a job */
static struct PF_Type figures_of(struct sched *s, uint32_t number)
{
    const struct sched_job *job = job_find(&s->jobs, number);
    const struct prior_job of = { .number = number,
                                  .priority = job->priority,
                                  .submitted_s = job->submitted_s,
                                  .owner = job->group->owner,
                                  .project = job->group->project,
                                  .runs = range_set_is_empty(&job->ready) };
    struct PF_Type f = { 0 };
    prior_figures(&s->prior, &s->prior.terms, &of, 2000, &f);
    return f;
}

static void expect_tickets(struct sched *s, uint32_t job, int o, int f, int t)
{
    struct PF_Type seen = figures_of(s, job);
    assert_int_equal((int)seen.PF_otickets, o);
    assert_int_equal((int)seen.PF_ftickets, f);
    assert_int_equal((int)seen.PF_stickets, t);
}

static void without_shares_and_tickets_nothing_is_computed(void **state SGE_UNUSED)
{
    struct sched *s = cell_by_tickets();
    put_object(s, OBJECT_USER, "alice", "fshare 100 oticket 0");
    feed(s, "job 1 0 owner alice js 5");
    feed(s, "job 2 0 owner bob");
    EXPECT(s, "");
    assert_int_equal(sched_needs(s), 0);
    assert_false(s->tickets.is_on);
    assert_null(s->pending.rank);
    assert_int_equal(s->prior.n, 0);
    sched_free(s);
}

/* alice's third job is behind both of bob's */
static void functional_shares_divide_what_comes_free(void **state SGE_UNUSED)
{
    struct sched *s = cell_by_tickets();
    feed(s, "conf weight_tickets_functional 10000");
    put_object(s, OBJECT_USER, "alice", "fshare 100");
    put_object(s, OBJECT_USER, "bob", "fshare 100");
    for (int i = 1; i <= 6; i++)
        feedf(s, "job %d 0 owner alice", i);
    for (int i = 7; i <= 9; i++)
        feedf(s, "job %d 0 owner bob", i);
    expect_orders(s, 1000, 9, "");
    expect_tickets(s, 1, 0, 2500, 0);
    expect_tickets(s, 2, 0, 1250, 0);
    expect_tickets(s, 7, 0, 1250, 0);
    feed(s, "queue all.q@a 4");
    expect_orders(s, 1001, 4, "1:0>all.q@a 2:0>all.q@a 7:0>all.q@a 8:0>all.q@a");
    sched_free(s);
}

static void tasks_of_an_array_take_their_turns_as_jobs_do(void **state SGE_UNUSED)
{
    struct sched *s = cell_by_tickets();
    feed(s, "conf weight_tickets_functional 10000");
    feed(s, "conf weight_user 1");
    put_object(s, OBJECT_USER, "alice", "fshare 100");
    put_object(s, OBJECT_USER, "bob", "fshare 300");
    feed(s, "job 1 0-99 owner alice");
    feed(s, "job 2 0-99 owner bob");
    feed(s, "queue all.q@a 80");
    struct OR_Type_list orders = { 0 };
    assert_int_equal(sched_run(s, 1000, 80, &orders), 80);
    orders_clear(&orders);
    assert_in_range(job_find(&s->jobs, 2)->n_taken, 49, 61); /* 50 positions of each job */
    feed(s, "queue+ all.q@a 100");
    assert_int_equal(sched_run(s, 1001, 20, &orders), 20);
    orders_clear(&orders);
    assert_in_range(job_find(&s->jobs, 2)->n_taken, 69, 80);
    sched_free(s);
}

static void override_tickets_of_each_kind_count(void **state SGE_UNUSED)
{
    struct sched *s = cell_by_tickets();
    put_object(s, OBJECT_USER, "alice", "oticket 100");
    put_object(s, OBJECT_PROJECT, "P2", "oticket 50");
    put_object(s, OBJECT_USERSET, "deptB", "oticket 20");
    feed(s, "job 21 0 owner alice project P1 dep deptA");
    feed(s, "job 22 0 owner alice project P2 dep deptA");
    feed(s, "job 24 0 owner bob project P2 dep deptB");
    feed(s, "job 25 0 owner olga ot 300 dep deptB");
    expect_orders(s, 1000, 9, "");
    expect_tickets(s, 25, 320, 0, 0);
    expect_tickets(s, 22, 150, 0, 0);
    expect_tickets(s, 21, 50, 0, 0);
    expect_tickets(s, 24, 35, 0, 0);
    feed(s, "queue all.q@a 9");
    expect_orders(s, 1001, 9, "25:0>all.q@a 22:0>all.q@a 21:0>all.q@a 24:0>all.q@a");
    feed(s, "started 25 0 all.q@a");
    expect_orders(s, 1002, 9, "");
    expect_tickets(s, 25, 310, 0, 0); /* its department has two that run */
    feed(s, "mod 25 ot 0");
    put_object(s, OBJECT_USER, "alice", "oticket 0");
    put_object(s, OBJECT_PROJECT, "P2", "oticket 0");
    put_object(s, OBJECT_USERSET, "deptB", "oticket 0");
    expect_orders(s, 1003, 9, "");
    assert_false(s->tickets.is_on);
    expect_tickets(s, 25, 0, 0, 0);
    assert_int_equal(figures_of(s, 25).PF_ntckts * 10, 5);
    sched_free(s);
}

static const char *const tree[] = { "id=0 name=Root type=0 shares=1 childnodes=1,4,5",
                                    "id=1 name=P1 type=1 shares=60 childnodes=2,3",
                                    "id=2 name=alice type=0 shares=3 childnodes=NONE",
                                    "id=3 name=bob type=0 shares=1 childnodes=NONE",
                                    "id=4 name=P2 type=1 shares=40 childnodes=NONE",
                                    "id=5 name=default type=0 shares=10 childnodes=NONE" };

static void a_share_tree_has_projects_users_and_others(void **state SGE_UNUSED)
{
    struct sched *s = cell_by_tickets();
    feed(s, "conf weight_tickets_share 10000");
    feed(s, "job 1 0 owner alice project P1");
    expect_orders(s, 999, 9, "");
    assert_false(s->tickets.is_on); /* there is no tree */
    assert_int_equal(sched_needs(s), SCHED_NEEDS_SHARE_USAGE);
    feed_share_tree(s, tree, ARRAY_LEN(tree));
    feed(s, "job 2 0 owner alice project P2");
    feed(s, "job 3 0 owner bob project P1");
    feed(s, "job 4 0 owner bob project P2");
    feed(s, "job 5 0 owner alice project P1");
    feed(s, "job 9 0 owner olga");
    feed(s, "job 10 0 owner alice");
    expect_orders(s, 1000, 9, "");
    expect_tickets(s, 1, 0, 0, 5000);
    expect_tickets(s, 2, 0, 0, 3333);
    expect_tickets(s, 5, 0, 0, 2500);
    expect_tickets(s, 3, 0, 0, 1666);
    expect_tickets(s, 4, 0, 0, 1666);
    expect_tickets(s, 9, 0, 0, 833);
    expect_tickets(s, 10, 0, 0, 833);
    feed_share_usage(s, "alice", "P1", 1000, 14.9035);
    feed_share_usage(s, "olga", "P2", 1000, 4.8908);
    feed(s, "queue all.q@a 1");
    expect_orders(s, 1000, 1, "1:0>all.q@a"); /* the second is not over */
    feed(s, "queue+ all.q@a 2");
    expect_orders(s, 1001, 1, "9:0>all.q@a"); /* who used nothing comes first */
    sched_free(s);
}

static void report_pjob_tickets_hides_those_of_pending_jobs_alone(void **state SGE_UNUSED)
{
    struct sched *s = cell_by_tickets();
    feed(s, "conf report_pjob_tickets FALSE");
    put_object(s, OBJECT_USER, "bob", "oticket 100");
    feed(s, "job 1 0 owner alice");
    feed(s, "job 2 0 owner bob");
    feed(s, "queue all.q@a 1");
    expect_orders(s, 1000, 9, "2:0>all.q@a");
    expect_orders(s, 1001, 9, "");
    expect_tickets(s, 2, 100, 0, 0);
    feed(s, "job 3 0 owner bob");
    expect_orders(s, 1002, 9, "");
    expect_tickets(s, 3, 0, 0, 0);
    sched_free(s);
}

static void the_next_policy_knows_no_tickets(void **state SGE_UNUSED)
{
    static const struct sched_policy other = { .name = "other", .rank = NULL };
    struct sched *s = cell_by_tickets();
    put_object(s, OBJECT_USER, "bob", "oticket 100");
    feed(s, "job 1 0 owner alice");
    feed(s, "job 2 0 owner bob");
    expect_orders(s, 1000, 9, "");
    assert_int_equal(s->prior.n, 1);
    s->conf.policy = &other;
    feed(s, "conf flush_submit_sec 0");
    assert_int_equal(s->prior.n, 0);
    assert_false(s->tickets.is_on);
    sched_free(s);
}

/* one user's jobs, each with a share of its own, take nothing from another's first one */
static void a_user_with_many_jobs_delays_nobody(void **state SGE_UNUSED)
{
    enum { MANY = 20000 };
    struct sched *s = cell_by_tickets();
    feed(s, "conf weight_tickets_functional 10000");
    feed(s, "conf weight_job 0");
    put_object(s, OBJECT_USER, "eve", "fshare 100");
    put_object(s, OBJECT_USER, "bob", "fshare 100");
    for (uint32_t i = 1; i <= MANY; i++)
        feedf(s, "job %u 0 owner eve js %u", i, i);
    feedf(s, "job %u 0 owner bob", MANY + 1);
    feed(s, "queue all.q@a 3");
    struct OR_Type_list orders = { 0 };
    assert_int_equal(sched_run(s, 1000, 9, &orders), 0); /* not all job groups fit in a slice */
    assert_true(sched_is_cut(s));
    assert_int_equal(sched_run(s, 1001, 9, &orders), 3);
    assert_int_equal(orders.v[2].OR_job_number, MANY + 1); /* the older of equal ones first */
    orders_clear(&orders);
    sched_free(s);
}

static double processor_ms(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* The bound is twenty times what an idle machine takes: this finds a cost that grows with the
 * square of the number of users. */
static void ten_thousand_users_are_computed_in_milliseconds(void **state SGE_UNUSED)
{
    enum { USERS = 10000, BOUND_MS = 1000 };
    static const char *const flat[] = { "id=0 name=Root type=0 shares=1 childnodes=1",
                                        "id=1 name=default type=0 shares=10 childnodes=NONE" };
    struct sched *s = cell_by_tickets();
    char name[16];
    feed(s, "conf weight_tickets_share 1000000");
    feed_share_tree(s, flat, ARRAY_LEN(flat));
    for (uint32_t i = 1; i <= USERS; i++) {
        snprintf(name, sizeof name, "u%u", i);
        feed_share_usage(s, name, NULL, 1000, i);
        feedf(s, "job %u 0-2 owner %s", i, name);
    }
    expect_orders(s, 1000, 9, "");
    double began = processor_ms();
    expect_orders(s, 1001, 9, "");
    double took = processor_ms() - began;
    print_message("10,000 users: %.1f ms\n", took);
    assert_true(took < BOUND_MS);
    assert_int_equal(s->prior.n, USERS);
    sched_free(s);
}

/* how many tickets of jobs are in the orders that follow */
static uint32_t tickets_sent(struct sched *s, uint64_t now_s)
{
    uint32_t n = 0;
    for (bool goes_on = true; goes_on;) {
        struct OR_Type_list orders = { 0 };
        goes_on = sched_prior_order(s, now_s, &orders) && orders.v[0].OR_granted_by_policy.n > 0;
        n += orders.n > 0 ? orders.v[0].OR_granted_by_policy.n : 0;
        orders_clear(&orders);
    }
    return n;
}

static void usage_that_decays_alone_sends_no_tickets(void **state SGE_UNUSED)
{
    struct sched *s = cell_by_tickets();
    feed(s, "conf weight_tickets_share 10000");
    feed_share_tree(s, tree, ARRAY_LEN(tree));
    feed_share_usage(s, "alice", "P1", 1000, 12345.678);
    feed_share_usage(s, "bob", "P1", 1000, 7654.321);
    feed_share_usage(s, "olga", NULL, 1000, 33333.333);
    feed(s, "job 1 0 owner alice project P1");
    feed(s, "job 2 0 owner bob project P1");
    feed(s, "job 3 0 owner olga");
    expect_orders(s, 1000, 9, "");
    assert_int_equal(tickets_sent(s, 1000), 3);
    for (uint64_t now_s = 1001; now_s < 100000; now_s += 997) {
        expect_orders(s, now_s, 9, "");
        assert_int_equal(tickets_sent(s, now_s), 0);
    }
    feed_share_usage(s, "bob", "P1", 1000, 99999);
    expect_orders(s, 200000, 9, "");
    assert_true(tickets_sent(s, 200000) > 0);
    sched_free(s);
}

static void a_deleted_job_has_tickets_until_its_tasks_have_ended(void **state SGE_UNUSED)
{
    struct sched *s = cell_by_tickets();
    put_object(s, OBJECT_USER, "bob", "oticket 100");
    feed(s, "job 1 0-1 owner bob");
    feed(s, "queue all.q@a 1");
    expect_orders(s, 1000, 9, "1:0>all.q@a");
    feed(s, "started 1 0 all.q@a");
    expect_orders(s, 1001, 9, "");
    expect_tickets(s, 1, 50, 0, 0); /* of two tasks */
    feed(s, "del 1");
    expect_tickets(s, 1, 0, 0, 0); /* until the next second */
    expect_orders(s, 1002, 9, "");
    expect_tickets(s, 1, 100, 0, 0);
    put_object(s, OBJECT_USER, "bob", "oticket 200");
    feed(s, "job 2 0 owner bob");
    feed(s, "del 2");
    expect_orders(s, 1003, 9, "");
    expect_tickets(s, 1, 200, 0, 0);
    sched_free(s);
}

static void a_number_that_is_used_again_has_tickets(void **state SGE_UNUSED)
{
    struct sched *s = cell_by_tickets();
    put_object(s, OBJECT_USER, "bob", "oticket 100");
    feed(s, "job 1 0 owner bob");
    expect_orders(s, 1000, 9, "");
    feed(s, "del 1");
    feed(s, "job 1 0 owner bob");
    expect_orders(s, 1001, 9, "");
    expect_tickets(s, 1, 100, 0, 0);
    sched_free(s);
}

/* events have their turn between the tickets and the ranks that follow from them */
static void many_tickets_are_a_slice_of_their_own(void **state SGE_UNUSED)
{
    enum { JOBS = 6000 };
    struct sched *s = cell_by_tickets();
    feed(s, "conf weight_tickets_functional 10000");
    put_object(s, OBJECT_USER, "bob", "fshare 100");
    for (uint32_t i = 1; i <= JOBS; i++)
        feedf(s, "job %u 0 owner u%u", i, i);
    feedf(s, "job %u 0 owner bob", JOBS + 1);
    feed(s, "queue all.q@a 1");
    expect_orders(s, 1000, 1, "");
    assert_true(sched_is_cut(s));
    feedf(s, "del %u", JOBS);
    expect_orders(s, 1000, 1, "6001:0>all.q@a"); /* bob alone has a share */
    assert_false(sched_is_cut(s));
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_shares_and_tickets_nothing_is_computed),
        cmocka_unit_test(functional_shares_divide_what_comes_free),
        cmocka_unit_test(tasks_of_an_array_take_their_turns_as_jobs_do),
        cmocka_unit_test(override_tickets_of_each_kind_count),
        cmocka_unit_test(a_share_tree_has_projects_users_and_others),
        cmocka_unit_test(report_pjob_tickets_hides_those_of_pending_jobs_alone),
        cmocka_unit_test(the_next_policy_knows_no_tickets),
        cmocka_unit_test(a_user_with_many_jobs_delays_nobody),
        cmocka_unit_test(ten_thousand_users_are_computed_in_milliseconds),
        cmocka_unit_test(usage_that_decays_alone_sends_no_tickets),
        cmocka_unit_test(many_tickets_are_a_slice_of_their_own),
        cmocka_unit_test(a_deleted_job_has_tickets_until_its_tasks_have_ended),
        cmocka_unit_test(a_number_that_is_used_again_has_tickets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
