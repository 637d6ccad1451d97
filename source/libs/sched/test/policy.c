/* Tests of libs/sched/policy/policy.h and pending/job_group.c: what a policy may decide, and what
 * it keeps. */
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/services.h"
#include "libs/sched/test/feed.h"

/* ---- a policy that notes what it was asked ---- */
struct notes {
    unsigned applied, ran, refused;
};
static unsigned n_alive; /* states that were made and not freed */
static struct notes *last;

static void *notes_new(struct sched *s)
{
    (void)s;
    n_alive++;
    return last = uti_calloc(1, sizeof *last);
}

static void notes_free(void *own)
{
    n_alive--;
    free(own);
}

static void notes_apply(struct sched *s, void *own, const struct EV_Type *event)
{
    (void)s, (void)event;
    ((struct notes *)own)->applied++;
}

static uint32_t notes_run(struct sched *s, void *own, uint64_t now_s, uint32_t most,
                          struct OR_Type_list *orders)
{
    ((struct notes *)own)->ran++;
    return sched_default_run(s, now_s, most, orders);
}

static void notes_refused(struct sched *s, void *own, const struct OR_Type *order)
{
    (void)s, (void)order;
    ((struct notes *)own)->refused++;
}

static bool notes_has_work(const struct sched *s, const void *own)
{
    (void)s;
    return ((const struct notes *)own)->ran == 0;
}

static uint64_t notes_next_due(const struct sched *s, const void *own)
{
    (void)s;
    return 7000 + ((const struct notes *)own)->ran;
}

static const struct sched_policy with_notes = {
    .name = "with_notes",
    .new = notes_new,
    .free = notes_free,
    .apply = notes_apply,
    .run = notes_run,
    .refused = notes_refused,
    .has_work = notes_has_work,
    .next_due = notes_next_due,
};

/* as EV_CONF does when `algorithm` names it */
static void choose_policy(struct sched *s, const struct sched_policy *policy)
{
    s->conf.policy = policy;
    feed(s, "conf flush_submit_sec 0");
}

static void a_policy_has_state_from_taking_over_to_being_replaced(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    choose_policy(s, &with_notes);
    assert_int_equal(n_alive, 1);
    const struct notes *first = last;
    assert_int_equal(first->applied, 0); /* the event that brought it was the other's */
    feed(s, "queue all.q@a 1");
    feed(s, "job 1 0-1");
    assert_int_equal(first->applied, 2);
    choose_policy(s, &sched_default);
    assert_int_equal(n_alive, 0);
    choose_policy(s, &with_notes);
    assert_int_equal(last->applied, 0);
    sched_free(s);
    assert_int_equal(n_alive, 0);
}

static void jobs_have_ranks_of_their_own_beside_those_of_their_groups(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "job 1 0");
    feed(s, "job 2 0 p 100");
    feed(s, "job 3 0 owner bob");
    assert_true(sched_rank_job(s, 3, 5));
    assert_true(sched_rank_job(s, 2, -5)); /* behind those without */
    assert_true(sched_rank_job(s, 1, 0));
    assert_false(sched_rank_job(s, 4, 1)); /* there is no such job */
    feed(s, "queue all.q@a 9");
    expect_orders(s, 1000, 1, "3:0>all.q@a");
    expect_orders(s, 1000, 1, "1:0>all.q@a");
    expect_orders(s, 1000, 1, "2:0>all.q@a");
    sched_free(s);
}

static void ranks_of_jobs_are_bounded(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    char line[64];
    for (uint32_t i = 1; i <= RANKS_MOST + 1; i++) {
        snprintf(line, sizeof line, "job %u 0", i);
        feed(s, line);
        assert_int_equal(sched_rank_job(s, i, i), i <= RANKS_MOST);
    }
    assert_true(sched_rank_job(s, 7, 8)); /* those that have one may change */
    feed(s, "del 1");
    assert_true(sched_rank_job(s, RANKS_MOST + 1, 1));
    feed(s, "queue all.q@a 2");
    sched_free(s);
}

static void a_malformed_event_does_not_reach_the_policy(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    struct EV_Type event = { 0 };
    choose_policy(s, &with_notes);
    cull_set(&event, EV_kind, EV_JOB_ADD);
    assert_int_equal(sched_apply(s, &event, NULL), -1);
    assert_int_equal(last->applied, 0);
    cull_clear(&cull_EV_Type, &event);
    sched_free(s);
}

static void a_policy_answers_for_itself(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    struct OR_Type_list orders = { 0 };
    choose_policy(s, &with_notes);
    assert_true(sched_has_work(s)); /* there is none, but it says so */
    assert_int_equal(sched_next_due(s), 7000);
    feed(s, "queue all.q@a 1");
    feed(s, "job 1 0-1");
    assert_int_equal(sched_run(s, 1000, 10, &orders), 1);
    assert_false(sched_has_work(s));
    assert_int_equal(sched_next_due(s), 7001);
    sched_refused(s, &orders.v[0]);
    assert_int_equal(last->refused, 1);
    EXPECT(s, "1:1>all.q@a"); /* the default's model has undone the order */
    orders_clear(&orders);
    sched_free(s);
}

/* ---- job groups and their ranks ---- */
static int64_t by_project(void *own, const struct job_group *group,
                          const struct sched_job *job SGE_UNUSED)
{
    (void)own;
    return strcmp(group->project, "film") == 0 ? 2 : strcmp(group->project, "") == 0 ? 1 : 0;
}
static const struct sched_policy film_first = { .name = "film_first", .rank = by_project };

static void a_rank_orders_job_groups_and_priority_what_is_in_them(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    choose_policy(s, &film_first);
    feed(s, "queue all.q@a 9");
    feed(s, "job 1 0 project test p 100");
    feed(s, "job 2 0 owner alice");
    feed(s, "job 3 0 owner alice project film");
    feed(s, "job 4 0 owner alice project film p 1");
    feed(s, "job 5 0 owner bob project film");
    assert_int_equal(HASH_COUNT(s->pending.groups), 5); /* job 4 differs in -p */
    assert_int_equal(HASH_COUNT(s->pending.categories),
                     3); /* what a project may use is of the request */
    assert_int_equal(HASH_COUNT(s->pending.needs), 1); /* here each may use the same */
    EXPECT(s, "4:0>all.q@a 3:0>all.q@a 5:0>all.q@a 2:0>all.q@a 1:0>all.q@a");
    sched_free(s);
}

static void ranks_go_across_categories_and_needs(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    choose_policy(s, &film_first);
    feed(s, "queue all.q@a 3");
    feed(s, "queue b.q@a 1");
    feed(s, "job 1 0 l h_rt=60");
    feed(s, "job 2 0 q b.q project film");
    feed(s, "job 3 0 l h_rt=61 project film");
    feed(s, "job 4 0 q b.q");
    EXPECT(s, "2:0>b.q@a 3:0>all.q@a 1:0>all.q@a");
    sched_free(s);
}

static void another_policy_orders_what_waits_anew(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "job 1 0");
    feed(s, "job 2 0 project film");
    choose_policy(s, &film_first);
    feed(s, "queue all.q@a 1");
    EXPECT(s, "2:0>all.q@a");
    feed(s, "job 3 0 project film");
    choose_policy(s, &sched_default);
    feed(s, "queue+ all.q@a 2");
    EXPECT(s, "1:0>all.q@a");
    sched_free(s);
}

static void an_altered_project_makes_another_group(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    choose_policy(s, &film_first);
    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0-9");
    feed(s, "job 2 0-9");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "started 1 0-1 all.q@a");
    feed(s, "mod 2 project film");
    feed(s, "mod 1 p 5"); /* what a change does not speak of stays */
    feed(s, "ended 1 0 all.q@a");
    EXPECT(s, "2:0>all.q@a");
    assert_int_equal(job_find(&s->jobs, 1)->group->n_taken, 1);
    feed(s, "mod 1 project film");
    assert_int_equal(job_find(&s->jobs, 1)->group->n_taken, 1);
    feed(s, "mod 2 p 5");
    assert_int_equal(job_find(&s->jobs, 1)->group->n_taken, 2); /* both jobs' */
    sched_free(s);
}

/* alice falls behind with each task that she is given */
static int64_t by_taken(void *own, const struct job_group *group,
                        const struct sched_job *job SGE_UNUSED)
{
    (void)own;
    return -(int64_t)group->n_taken;
}
static const struct sched_policy in_turns = { .name = "in_turns", .rank = by_taken };

static void a_rank_that_falls_is_noticed_when_the_turn_comes(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    choose_policy(s, &in_turns);
    feed(s, "queue all.q@a 4");
    feed(s, "job 1 0 owner alice");
    feed(s, "job 2 0 owner alice");
    feed(s, "job 3 0 owner bob");
    feed(s, "job 4 0 owner bob");
    EXPECT(s, "1:0>all.q@a 3:0>all.q@a 2:0>all.q@a 4:0>all.q@a");
    sched_free(s);
}

/* ---- services ---- */
static void note_job(void *ctx, uint32_t number, uint64_t start_at_s, const struct range_set *ready)
{
    uint64_t *sum = ctx;
    *sum += number * 1000 + start_at_s * 10 + range_set_count(ready);
}

static void a_job_is_placed_where_the_dispatcher_says(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    struct OR_Type_list orders = { 0 };
    struct range placed;
    uint64_t sum = 0;
    feed(s, "queue all.q@a 2");
    feed(s, "queue all.q@b 3 seq 1");
    feed(s, "job 1 0-9");
    feed(s, "job 2 3-9 at 50");
    sched_each_job(s, note_job, &sum);
    assert_int_equal(sum, 1010 + 2507);
    sched_begin_run(s, 10);
    assert_int_equal(sched_place(s, 1, 9, &orders, &placed), 2);
    assert_int_equal(sched_place(s, 1, 2, &orders, &placed), 2);
    assert_true(placed.first == 2 && placed.last == 3);
    assert_int_equal(sched_place(s, 2, 9, &orders, &placed), 0); /* its time has not come */
    assert_int_equal(sched_place(s, 3, 9, &orders, &placed), 0);
    sched_begin_run(s, 50);
    assert_int_equal(sched_place(s, 2, 9, &orders, &placed), 1);
    assert_true(placed.first == 3 && placed.last == 3);
    assert_int_equal(sched_place(s, 2, 9, &orders, &placed), 0);
    assert_int_equal(sched_place(s, 1, 9, &orders, &placed), 0); /* asked again while blocked */
    assert_int_equal(orders.n, 3);
    assert_string_equal(allocation_queue(&orders.v[2].OR_granted), "all.q@b");
    orders_clear(&orders);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_has_state_from_taking_over_to_being_replaced),
        cmocka_unit_test(jobs_have_ranks_of_their_own_beside_those_of_their_groups),
        cmocka_unit_test(ranks_of_jobs_are_bounded),
        cmocka_unit_test(a_malformed_event_does_not_reach_the_policy),
        cmocka_unit_test(a_policy_answers_for_itself),
        cmocka_unit_test(a_rank_orders_job_groups_and_priority_what_is_in_them),
        cmocka_unit_test(ranks_go_across_categories_and_needs),
        cmocka_unit_test(another_policy_orders_what_waits_anew),
        cmocka_unit_test(an_altered_project_makes_another_group),
        cmocka_unit_test(a_rank_that_falls_is_noticed_when_the_turn_comes),
        cmocka_unit_test(a_job_is_placed_where_the_dispatcher_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
