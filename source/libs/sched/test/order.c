/* The order in which jobs start is that of the priorities that are shown. */
#include "libs/sched/policy/order.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

/* jobs of any -p, age and owner; each run starts one of them */
enum { JOBS = 200, OWNERS = 7, AGES = 5000 };

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void set_weights(struct sched *s, const char *priority, const char *urgency)
{
    feedf(s, "conf weight_priority %s", priority);
    feedf(s, "conf weight_urgency %s", urgency);
}

static void a_small_p_is_outweighed_by_age_as_the_weights_say(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "job 1 0 sub 100");
    feed(s, "job 2 0 sub 200 p 100"); /* 0.05 for -p, 0.1 for age */
    feed(s, "job 3 0 sub 200 p 300");
    feed(s, "queue all.q@a 3");
    EXPECT(s, "3:0>all.q@a 1:0>all.q@a 2:0>all.q@a");
    sched_free(s);
}

static void without_its_weight_p_decides_nothing(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    set_weights(s, "0", "0.1");
    feed(s, "job 1 0 sub 100 owner alice");
    feed(s, "job 2 0 sub 100 p 1000 owner bob");
    feed(s, "queue all.q@a 2");
    EXPECT(s, "1:0>all.q@a 2:0>all.q@a");
    sched_free(s);
}

static void with_the_weight_of_p_alone_age_decides_between_equals(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    set_weights(s, "1", "0");
    feed(s, "job 1 0 sub 100");
    feed(s, "job 2 0 sub 200 p 1");
    feed(s, "job 3 0 sub 300 p 1 owner bob");
    feed(s, "queue all.q@a 3");
    EXPECT(s, "2:0>all.q@a 3:0>all.q@a 1:0>all.q@a");
    sched_free(s);
}

static void new_weights_count_for_what_waits(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    set_weights(s, "0", "1");
    feed(s, "job 1 0 sub 100");
    feed(s, "job 2 0 sub 200 p 1000");
    feed(s, "queue all.q@a 1");
    expect_orders(s, 1000, 1, "1:0>all.q@a");
    feed(s, "job 3 0 sub 150");
    set_weights(s, "1", "0");
    feed(s, "queue+ all.q@a 2");
    expect_orders(s, 1001, 1, "2:0>all.q@a");
    sched_free(s);
}

static void when_only_age_differs_nothing_is_ranked(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "job 1 0 p 5");
    feed(s, "job 2 0");
    expect_orders(s, 1000, 9, "");
    assert_non_null(s->pending.rank);
    feed(s, "mod 1 p 0");
    expect_orders(s, 1000, 9, "");
    assert_null(s->pending.rank);
    sched_free(s);
}

static double prior_of_job(const struct sched *s, uint32_t number)
{
    const struct sched_job *job = job_find(&s->jobs, number);
    const struct prior_job of = prior_job_of(job->group, job);
    return prior_of(&s->prior, &s->prior.terms, &of);
}

/* of those that wait; of equal ones the oldest */
static uint32_t best_waiting(struct sched *s)
{
    uint32_t best = 0;
    for (uint32_t number = 1; number <= JOBS; number++) {
        const struct sched_job *job = job_find(&s->jobs, number);
        if (!range_set_is_empty(&job->ready) &&
            (best == 0 || prior_of_job(s, number) > prior_of_job(s, best) + 1e-8))
            best = number;
    }
    return best;
}

static void the_job_with_the_highest_priority_starts_first(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    uint32_t seed = 1;
    for (uint32_t i = 1; i <= JOBS; i++)
        feedf(s, "job %u 0 sub %u p %d owner u%u l h_rt:3=%u", i, next_random(&seed) % AGES,
              (int)(next_random(&seed) % 400) - 200, next_random(&seed) % OWNERS,
              60 + next_random(&seed) % 5);
    for (uint32_t i = 1; i <= JOBS; i++) {
        struct OR_Type_list none = { 0 };
        assert_int_equal(sched_run(s, 10000 + i, 1, &none), 0);
        uint32_t best = best_waiting(s);
        char expected[64];
        snprintf(expected, sizeof expected, "%u:0>all.q@a", best);
        feedf(s, "queue%s all.q@a %u", i > 1 ? "+" : "", i);
        expect_orders(s, 10000 + i, 1, expected);
    }
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_p_is_outweighed_by_age_as_the_weights_say),
        cmocka_unit_test(without_its_weight_p_decides_nothing),
        cmocka_unit_test(with_the_weight_of_p_alone_age_decides_between_equals),
        cmocka_unit_test(new_weights_count_for_what_waits),
        cmocka_unit_test(when_only_age_differs_nothing_is_ranked),
        cmocka_unit_test(the_job_with_the_highest_priority_starts_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
