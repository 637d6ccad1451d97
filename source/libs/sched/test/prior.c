/* Tests of libs/sched/policy/prior.c: the figures of the captures (reference/qstat, policies),
 * and how a book gets to another. */
#include "libs/sched/policy/prior.h"

#include "libs/sched/policy/model.h"
#include "libs/sched/policy/services.h"
#include "libs/sched/test/feed.h"

/* ---- figures ---- */
static struct PT_Type terms_from(uint64_t oldest_s, uint64_t newest_s)
{
    struct PT_Type t = { 0 };
    cull_set(&t, PT_weight_ticket, 0.5);
    cull_set(&t, PT_weight_urgency, 0.5);
    cull_set(&t, PT_weight_waiting_time, 0.278);
    cull_set(&t, PT_lowest_urgency, -0.278 * (double)newest_s);
    cull_set(&t, PT_highest_urgency, -0.278 * (double)oldest_s);
    return t;
}

static void expect_figure(double figure, const char *expected)
{
    char text[32];
    snprintf(text, sizeof text, "%.5f", figure);
    assert_string_equal(text, expected);
}

static void expect_prior(const struct PT_Type *t, uint64_t submitted_s, uint32_t priority,
                         const char *expected)
{
    struct prior_book none;
    const struct prior_job job = { .number = 1, .priority = priority, .submitted_s = submitted_s };
    prior_book_init(&none);
    expect_figure(prior_of(&none, t, &job), expected);
}

static void a_sole_job_has_one_half(void **state SGE_UNUSED)
{
    struct PT_Type t = terms_from(1795164431, 1795164431);
    expect_prior(&t, 1795164431, JOB_PRIORITY_BASE, "0.50000");
}

static void of_two_the_older_has_three_quarters(void **state SGE_UNUSED)
{
    struct PT_Type t = terms_from(1795164431, 1795164436);
    expect_prior(&t, 1795164431, JOB_PRIORITY_BASE, "0.75000");
    expect_prior(&t, 1795164436, JOB_PRIORITY_BASE, "0.25000");
    expect_prior(&t, 1795164434, JOB_PRIORITY_BASE, "0.45000");
    expect_prior(&t, 1795164421, JOB_PRIORITY_BASE, "0.75000"); /* not yet in the terms */
    expect_prior(&t, 1795164521, JOB_PRIORITY_BASE, "0.25000");
}

static void p_counts_only_with_its_weight(void **state SGE_UNUSED)
{
    struct PT_Type t = terms_from(100, 100);
    expect_prior(&t, 100, JOB_PRIORITY_BASE - 1023, "0.50000");
    cull_set(&t, PT_weight_priority, 1);
    expect_prior(&t, 100, JOB_PRIORITY_BASE, "1.00000");
    expect_prior(&t, 100, JOB_PRIORITY_BASE + 1024, "1.50000");
    expect_prior(&t, 100, JOB_PRIORITY_BASE - 1024, "0.50000");
}

static void without_waiting_time_all_are_equal(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "conf weight_waiting_time 0");
    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0 sub 100");
    feed(s, "job 2 0 sub 200");
    struct OR_Type_list orders = { 0 };
    assert_int_equal(sched_run(s, 1000, 10, &orders), 2);
    expect_figure(orders.v[0].OR_prio, "0.55500");
    expect_figure(orders.v[1].OR_prio, "0.55500");
    orders_clear(&orders);
    sched_free(s);
}

static void without_terms_there_is_no_figure(void **state SGE_UNUSED)
{
    struct prior_book b;
    struct PF_Type f = { 0 };
    const struct prior_job job = { .number = 1, .priority = JOB_PRIORITY_BASE };
    prior_book_init(&b);
    expect_figure(prior_of(&b, &b.terms, &job), "0.00000");
    prior_figures(&b, &b.terms, &job, 1000, &f);
    assert_false(cull_has(&f, PF_prior));
}

static void give_tickets(struct prior_book *b, uint32_t job, const char *owner, const char *project,
                         double tickets)
{
    struct PG_Type g = { 0 };
    if (job != 0)
        cull_set(&g, PG_job_number, job);
    if (owner != NULL)
        cull_set(&g, PG_owner, owner);
    if (project != NULL)
        cull_set(&g, PG_project, project);
    if (tickets > 0)
        cull_set(&g, PG_ftickets, tickets);
    assert_int_equal(prior_grant(b, &g, NULL), 0);
    cull_clear(&cull_PG_Type, &g);
}

/* alice's jobs of the capture with functional shares by user alone: 14 has 10000 of 23332 tickets
 * */
static void tickets_are_those_of_the_job_or_else_of_its_owner_in_the_project(
    void **state SGE_UNUSED)
{
    struct prior_book b;
    struct PT_Type t = terms_from(100, 100);
    cull_set(&t, PT_most_tickets, 10000);
    cull_set(&t, PT_all_tickets, 23332);
    prior_book_init(&b);
    give_tickets(&b, 0, "alice", "P1", 2222);
    give_tickets(&b, 0, "alice", NULL, 5000);
    give_tickets(&b, 14, NULL, NULL, 10000);
    const struct prior_job jobs[] = { { 14, JOB_PRIORITY_BASE, 100, 0, 0, "alice", "P1", false },
                                      { 15, JOB_PRIORITY_BASE, 100, 0, 0, "alice", NULL, false },
                                      { 19, JOB_PRIORITY_BASE, 100, 0, 0, "alice", "P1", false },
                                      { 18, JOB_PRIORITY_BASE, 100, 0, 0, "olga", NULL, false } };
    static const char *const ntckts[] = { "1.00000", "0.50000", "0.22220", "0.00000" };
    static const char *const shares[] = { "0.42860", "0.21430", "0.09523", "0.00000" };
    for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
        struct PF_Type f = { 0 };
        prior_figures(&b, &t, &jobs[i], 100, &f);
        expect_figure(f.PF_ntckts, ntckts[i]);
        expect_figure(f.PF_share, shares[i]);
        expect_figure(f.PF_tickets - f.PF_ftickets, "0.00000");
        expect_figure(f.PF_prior, i == 0   ? "0.75000"
                                  : i == 1 ? "0.50000"
                                  : i == 2 ? "0.36110"
                                           : "0.25000");
    }
    prior_forget_job(&b, 14);
    expect_figure(prior_of(&b, &t, &jobs[0]), "0.36110");
    give_tickets(&b, 0, "alice", "P1", 0);
    expect_figure(prior_of(&b, &t, &jobs[0]), "0.25000");
    prior_book_clear(&b);
}

/* urgencies of the capture with deadlines: 3601001, 515287, 2001 and 1001 after about 4 s */
static void urgency_is_normalised_with_all_that_contributes(void **state SGE_UNUSED)
{
    struct prior_book b;
    struct PT_Type t = terms_from(100, 100);
    prior_book_init(&b);
    cull_set(&t, PT_lowest_urgency, -27.8 + 1000);
    cull_set(&t, PT_highest_urgency, -27.8 + 3601000);
    struct PG_Type g = { 0 };
    cull_set(&g, PG_job_number, 30);
    cull_set(&g, PG_rrcontr, 1000);
    cull_set(&g, PG_dlcontr, 514286);
    assert_int_equal(prior_grant(&b, &g, NULL), 0);
    struct PF_Type f = { 0 };
    prior_figures(&b, &t, &(struct prior_job){ .number = 30, .submitted_s = 100 }, 104, &f);
    expect_figure(f.PF_nurg, "0.14286");
    expect_figure(f.PF_urg, "515287.11200");
    expect_figure(f.PF_wtcontr, "1.11200");
    cull_clear(&cull_PG_Type, &g);
    prior_book_clear(&b);
}

/* ---- from book to book ---- */
static uint32_t pass_on(struct prior_book *from, uint64_t now_s, struct prior_book *to)
{
    struct OR_Type_list orders = { 0 };
    uint32_t n = 0;
    while (prior_order(from, now_s, &orders))
        n++;
    for (uint32_t i = 0; i < orders.n; i++)
        assert_int_equal(prior_take(to, &orders.v[i], NULL), 0);
    orders_clear(&orders);
    return n;
}

static void a_copy_learns_what_has_changed_once_a_second(void **state SGE_UNUSED)
{
    struct prior_book a, b;
    const struct prior_job job = { 7, JOB_PRIORITY_BASE, 100, 0, 0, "alice", NULL, false };
    prior_book_init(&a);
    prior_book_init(&b);
    assert_int_equal(pass_on(&a, 50, &b), 0); /* nothing is known yet */
    a.terms = terms_from(100, 100);
    cull_set(&a.terms, PT_most_tickets, 4);
    assert_int_equal(prior_order_due(&a), 1); /* at once */
    assert_int_equal(pass_on(&a, 50, &b), 1);
    assert_int_equal(prior_order_due(&a), 0);
    give_tickets(&a, 7, NULL, NULL, 2);
    assert_int_equal(prior_order_due(&a), 51);
    assert_int_equal(pass_on(&a, 50, &b), 1); /* grants do not wait for the next second ... */
    expect_figure(prior_of(&b, &b.terms, &job), "0.50000");
    cull_set(&a.terms, PT_most_tickets, 8); /* ... terms do */
    assert_int_equal(pass_on(&a, 50, &b), 0);
    assert_int_equal(pass_on(&a, 51, &b), 1);
    expect_figure(prior_of(&b, &b.terms, &job), "0.37500");
    assert_int_equal(pass_on(&a, 52, &b), 0);
    give_tickets(&a, 7, NULL, NULL, 0);
    assert_int_equal(pass_on(&a, 52, &b), 1);
    assert_int_equal(a.n, 0);
    assert_int_equal(b.n, 0);
    prior_book_clear(&a);
    prior_book_clear(&b);
}

static void a_book_that_begins_replaces_what_the_copy_had(void **state SGE_UNUSED)
{
    struct prior_book a, b;
    prior_book_init(&a);
    prior_book_init(&b);
    give_tickets(&b, 7, NULL, NULL, 2);
    give_tickets(&b, 0, "alice", NULL, 2);
    a.terms = terms_from(100, 100);
    assert_int_equal(pass_on(&a, 50, &b), 1);
    assert_int_equal(b.n, 0);
    give_tickets(&a, 8, NULL, NULL, 2);
    assert_int_equal(pass_on(&a, 51, &b), 1);
    assert_int_equal(b.n, 1);
    prior_book_clear(&a);
    prior_book_clear(&b);
}

static void many_grants_travel_a_thousand_at_a_time(void **state SGE_UNUSED)
{
    struct prior_book a, b;
    prior_book_init(&a);
    prior_book_init(&b);
    a.terms = terms_from(100, 100);
    for (uint32_t job = 1; job <= 2 * GRANTS_OF_ORDER + 1; job++)
        give_tickets(&a, job, NULL, NULL, job);
    assert_int_equal(pass_on(&a, 50, &b), 3);
    assert_int_equal(b.n, 2 * GRANTS_OF_ORDER + 1);
    prior_book_clear(&a);
    prior_book_clear(&b);
}

static void a_book_is_bounded(void **state SGE_UNUSED)
{
    struct prior_book b;
    struct PG_Type g = { 0 };
    struct answer ans = ANSWER_INIT;
    prior_book_init(&b);
    for (uint32_t job = 1; job <= GRANTS_MOST; job++)
        give_tickets(&b, job, NULL, NULL, 1);
    cull_set(&g, PG_job_number, (uint32_t)GRANTS_MOST + 1);
    cull_set(&g, PG_stickets, 1);
    assert_int_equal(prior_grant(&b, &g, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "100000"));
    give_tickets(&b, GRANTS_MOST, NULL, NULL, 2); /* those that are there may change */
    prior_forget_job(&b, 1);
    assert_int_equal(prior_grant(&b, &g, NULL), 0);
    ans_free(&ans);
    cull_clear(&cull_PG_Type, &g);
    prior_book_clear(&b);
}

static void an_order_that_makes_no_sense_changes_nothing(void **state SGE_UNUSED)
{
    struct prior_book b;
    struct OR_Type order = { 0 };
    struct answer ans = ANSWER_INIT;
    prior_book_init(&b);
    give_tickets(&b, 7, NULL, NULL, 2);
    cull_set(&order, OR_begins, true);
    cull_set(cull_append(&order, OR_granted_by_policy), PG_ftickets, 1); /* to whom? */
    assert_int_equal(prior_take(&b, &order, &ans), -1);
    assert_int_equal(b.n, 1);
    for (uint32_t job = 1; job <= GRANTS_OF_ORDER; job++)
        cull_set(cull_append(&order, OR_granted_by_policy), PG_job_number, job);
    ans_free(&ans);
    assert_int_equal(prior_take(&b, &order, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "1001"));
    assert_int_equal(b.n, 1);
    ans_free(&ans);
    cull_clear(&cull_OR_Type, &order);
    prior_book_clear(&b);
}

/* ---- the scheduler's ---- */
static bool has_prior_order(struct sched *s, uint64_t now_s)
{
    struct OR_Type_list orders = { 0 };
    bool has = sched_prior_order(s, now_s, &orders);
    assert_int_equal(orders.n, has);
    orders_clear(&orders);
    return has;
}

static void terms_change_with_the_oldest_and_the_newest_job_and_not_with_time(
    void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    assert_true(has_prior_order(s, 1000)); /* the weights */
    feed(s, "job 1 0 sub 100");
    assert_int_equal(sched_prior_due(s), 1001);
    assert_false(has_prior_order(s, 1000));
    assert_true(has_prior_order(s, 1001));
    assert_int_equal(sched_prior_due(s), 0);
    assert_false(has_prior_order(s, 5000));
    feed(s, "job 2 0 sub 200");
    assert_true(has_prior_order(s, 5000));
    feed(s, "job 3 0 sub 150"); /* between the two */
    assert_false(has_prior_order(s, 5001));
    feed(s, "conf weight_urgency 1");
    assert_true(has_prior_order(s, 5001));
    feed(s, "del 1");
    assert_true(has_prior_order(s, 5002));
    sched_free(s);
}

static void what_one_policy_granted_is_void_for_the_next(void **state SGE_UNUSED)
{
    static const struct sched_policy other = { .name = "other" };
    struct sched *s = sched_new();
    struct PG_Type g = { 0 };
    struct OR_Type_list orders = { 0 };
    cull_set(&g, PG_job_number, 1u);
    cull_set(&g, PG_otickets, 1);
    feed(s, "job 1 0");
    assert_int_equal(sched_grant(s, &g, NULL), 0);
    assert_true(has_prior_order(s, 1000));
    s->conf.policy = &other;
    feed(s, "conf flush_submit_sec 0");
    assert_int_equal(s->prior.n, 0);
    assert_true(sched_prior_order(s, 1000, &orders));
    assert_true(orders.v[0].OR_begins);
    orders_clear(&orders);
    assert_int_equal(sched_grant(s, &g, NULL), 0);
    feed(s, "del 1");
    assert_int_equal(s->prior.n, 0);
    cull_clear(&cull_PG_Type, &g);
    sched_free(s);
}

static void all_job_1_tickets(void *own, struct PT_Type *terms)
{
    (void)own;
    cull_set(terms, PT_most_tickets, 100);
    cull_set(terms, PT_all_tickets, 100);
}

static void an_order_to_start_has_the_priority_by_the_grants(void **state SGE_UNUSED)
{
    static const struct sched_policy with_tickets = { .name = "tickets",
                                                      .terms = all_job_1_tickets };
    struct sched *s = sched_new();
    struct PG_Type g = { 0 };
    struct OR_Type_list orders = { 0 };
    s->conf.policy = &with_tickets;
    feed(s, "queue all.q@a 5");
    feed(s, "job 1 0 sub 100");
    feed(s, "job 2 0 sub 100");
    cull_set(&g, PG_job_number, 1u);
    cull_set(&g, PG_otickets, 100);
    assert_int_equal(sched_grant(s, &g, NULL), 0);
    assert_int_equal(sched_run(s, 1000, 10, &orders), 2);
    expect_figure(orders.v[0].OR_prio, "0.56000");
    expect_figure(orders.v[1].OR_prio, "0.55000");
    orders_clear(&orders);
    cull_clear(&cull_PG_Type, &g);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sole_job_has_one_half),
        cmocka_unit_test(of_two_the_older_has_three_quarters),
        cmocka_unit_test(p_counts_only_with_its_weight),
        cmocka_unit_test(without_waiting_time_all_are_equal),
        cmocka_unit_test(without_terms_there_is_no_figure),
        cmocka_unit_test(tickets_are_those_of_the_job_or_else_of_its_owner_in_the_project),
        cmocka_unit_test(urgency_is_normalised_with_all_that_contributes),
        cmocka_unit_test(a_copy_learns_what_has_changed_once_a_second),
        cmocka_unit_test(a_book_that_begins_replaces_what_the_copy_had),
        cmocka_unit_test(many_grants_travel_a_thousand_at_a_time),
        cmocka_unit_test(a_book_is_bounded),
        cmocka_unit_test(an_order_that_makes_no_sense_changes_nothing),
        cmocka_unit_test(terms_change_with_the_oldest_and_the_newest_job_and_not_with_time),
        cmocka_unit_test(what_one_policy_granted_is_void_for_the_next),
        cmocka_unit_test(an_order_to_start_has_the_priority_by_the_grants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
