/* The urgency of jobs: what is requested, the time they wait, and their deadlines. */
#include "libs/sched/pending/urgency.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/order.h"
#include "libs/sched/test/feed.h"
#include "libs/sgeobj/object_kind.h"

#include <math.h>

enum { START = 1000 };

static void put_urgency(struct sched *s, const char *resource, const char *type,
                        const char *consumable, const char *urgency)
{
    feedf(s,
          "object %d %s shortcut %s type %s relop <= requestable YES consumable %s default 0 "
          "urgency %s",
          OBJECT_COMPLEX, resource, resource, type, consumable, urgency);
}

static struct sched *with_slots(void)
{
    struct sched *s = sched_new();
    put_urgency(s, "slots", "INT", "YES", "1000");
    return s;
}

static struct PF_Type figures_of(struct sched *s, uint32_t number)
{
    const struct sched_job *job = job_find(&s->jobs, number);
    const struct prior_job of = prior_job_of(job->group, job);
    struct PF_Type f = { 0 };
    terms_renew(s);
    prior_figures(&s->prior, &s->prior.terms, &of, s->cell.now_s, &f);
    return f;
}

static void run_at(struct sched *s, uint64_t now_s)
{
    expect_orders(s, now_s, 9, "");
}

#define NEAR(is, expected)                                                                         \
    assert_true(fabs((is) - (double)(expected)) < 1e-4 * (1 + fabs((double)(expected))))

/* policies/override-deadline-urgency of the captures: 5 jobs of one second, seen 4 s later, the
 * default weights; the deadlines are 7 s and 247 s away, and one has passed */
static void deadlines_and_slots_are_those_of_the_capture(void **state SGE_UNUSED)
{
    static const struct {
        uint32_t job;
        double nurg, urg, rrcontr, dlcontr;
    } lines[] = {
        { 31, 1.00000, 3601001, 1000, 3600000 },
        { 30, 0.14286, 515287, 1000, 514286 },
        { 29, 0.00405, 15576, 1000, 14575 },
        { 34, 0.00028, 2001, 2000, 0 },
        { 33, 0, 1001, 1000, 0 },
    };
    struct sched *s = with_slots();
    feedf(s, "object %d mpi slots 9 allocation_rule $fill_up", OBJECT_PE);
    feedf(s, "job 29 0 sub %d dl %d", START, START + 251);
    feedf(s, "job 30 0 sub %d dl %d", START, START + 11);
    feedf(s, "job 31 0 sub %d dl %d", START, START - 120);
    feedf(s, "job 32 0 sub %d at %d dl %d", START, START + 600, START + 251);
    feedf(s, "job 33 0 sub %d", START);
    feedf(s, "job 34 0 sub %d pe mpi 2", START);
    run_at(s, START + 4);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct PF_Type f = figures_of(s, lines[i].job);
        NEAR(f.PF_nurg, lines[i].nurg);
        NEAR(f.PF_rrcontr, lines[i].rrcontr);
        NEAR(f.PF_dlcontr, lines[i].dlcontr);
        NEAR(f.PF_wtcontr, 4 * 0.278);
        assert_true(fabs(f.PF_urg - lines[i].urg) < 0.5);
    }
    sched_free(s);
}

static void the_urgent_go_first(void **state SGE_UNUSED)
{
    struct sched *s = with_slots();
    put_urgency(s, "h_rt", "TIME", "NO", "10");
    feedf(s, "job 1 0 sub %d", START);
    feedf(s, "job 2 0 sub %d l h_rt:3=1000", START + 10);
    feedf(s, "job 3 0 sub %d dl %d", START + 20, START + 60);
    feedf(s, "job 4 0 sub %d dl %d", START + 20, START + 500);
    feed(s, "queue all.q@a 4");
    expect_orders(s, START + 30, 9, "3:0>all.q@a 2:0>all.q@a 4:0>all.q@a 1:0>all.q@a");
    sched_free(s);
}

static void a_deadline_ramps_until_it_has_come(void **state SGE_UNUSED)
{
    struct sched *s = with_slots();
    double before = 0;
    feedf(s, "job 1 0 sub %d dl %d", START, START + 3600);
    feedf(s, "job 2 0 sub %d p 60", START);
    for (uint64_t passed = 1; passed <= 4000; passed++) {
        run_at(s, START + passed);
        struct PF_Type f = figures_of(s, 1);
        double left = passed < 3600 ? 3600.0 - (double)passed : 1;
        NEAR(f.PF_dlcontr, 3600000 / left);
        assert_true(f.PF_dlcontr >= before && f.PF_nurg > 0.99999);
        assert_true(f.PF_prior > figures_of(s, 2).PF_prior);
        before = f.PF_dlcontr;
    }
    assert_true(before == 3600000);
    sched_free(s);
}

/* -p of one against the deadline of the other: which goes first changes in the second in which the
 * weighted terms say so. A third one, whose deadline has passed, is the measure. */
static void a_deadline_overtakes_other_claims_in_time(void **state SGE_UNUSED)
{
    struct sched *s = with_slots();
    feedf(s, "job 1 0 sub %d dl %d", START, START + 100);
    feedf(s, "job 2 0 sub %d p 40", START);      /* 40 / 2048 = 0.0195 */
    feedf(s, "job 3 0 sub %d p 90 dl 1", START); /* nurg 1 */
    run_at(s, START + 93);                       /* 0.1 / 7 = 0.0143 */
    assert_true(figures_of(s, 1).PF_prior < figures_of(s, 2).PF_prior);
    run_at(s, START + 95); /* 0.1 / 5 = 0.02 */
    feed(s, "queue all.q@a 3");
    expect_orders(s, START + 95, 9, "3:0>all.q@a 1:0>all.q@a 2:0>all.q@a");
    sched_free(s);
}

static void without_its_weight_urgency_decides_nothing(void **state SGE_UNUSED)
{
    struct sched *s = with_slots();
    feed(s, "conf weight_urgency 0");
    feedf(s, "job 1 0 sub %d", START);
    feedf(s, "job 2 0 sub %d dl %d", START, START + 5);
    run_at(s, START + 1);
    assert_null(s->pending.rank);
    feed(s, "queue all.q@a 2");
    expect_orders(s, START + 2, 9, "1:0>all.q@a 2:0>all.q@a");
    sched_free(s);
}

static void jobs_with_equal_urgencies_are_one_class_and_go_by_age(void **state SGE_UNUSED)
{
    struct sched *s = with_slots();
    for (uint32_t i = 1; i <= 50; i++)
        feedf(s, "job %u 0 sub %u owner u%u l h_rt:3=%u", i, START + i, i % 7, 60 * i);
    run_at(s, START + 100);
    assert_int_equal(HASH_COUNT(s->pending.urgency_classes), 1);
    assert_null(s->pending.rank);
    NEAR(figures_of(s, 1).PF_nurg, 1);
    NEAR(figures_of(s, 50).PF_nurg, 0);
    feed(s, "del 1");
    NEAR(figures_of(s, 2).PF_nurg, 1);
    for (uint32_t i = 2; i <= 50; i++)
        feedf(s, "del %u", i);
    sched_free(s);
}

static void new_urgencies_count_for_jobs_that_are_there(void **state SGE_UNUSED)
{
    struct sched *s = with_slots();
    feedf(s, "object %d mpi slots 9 allocation_rule $fill_up urgency_slots min", OBJECT_PE);
    feedf(s, "job 1 0 sub %d", START);
    feedf(s, "job 2 0 sub %d pe mpi 2-6", START);
    feedf(s, "job 3 0 sub %d l h_rt:3=60", START);
    run_at(s, START);
    NEAR(figures_of(s, 2).PF_rrcontr, 2000);
    feedf(s, "object %d mpi slots 9 allocation_rule $fill_up urgency_slots max", OBJECT_PE);
    NEAR(figures_of(s, 2).PF_rrcontr, 6000);
    put_urgency(s, "h_rt", "TIME", "NO", "200");
    NEAR(figures_of(s, 3).PF_rrcontr, 13000);
    NEAR(figures_of(s, 3).PF_nurg, 1);
    put_urgency(s, "slots", "INT", "YES", "0");
    NEAR(figures_of(s, 1).PF_rrcontr, 0);
    run_at(s, START + 1);
    feed(s, "queue all.q@a 1");
    expect_orders(s, START + 2, 9, "3:0>all.q@a");
    sched_free(s);
}

/* a definition of the span by brute force */
static void the_span_is_that_of_all_active_jobs(void **state SGE_UNUSED)
{
    enum { JOBS = 120 };
    struct sched *s = with_slots();
    uint32_t dice = 7;
    put_urgency(s, "h_rt", "TIME", "NO", "3");
    for (uint32_t step = 0; step < 400; step++) {
        dice = dice * 1664525u + 1013904223u;
        uint32_t number = 1 + (dice >> 8) % JOBS;
        if (job_find(&s->jobs, number) != NULL)
            feedf(s, "del %u", number);
        else if (dice >> 31)
            feedf(s, "job %u 0 sub %u dl %u", number, START + step, START + (dice >> 16) % 900);
        else
            feedf(s, "job %u 0 sub %u l h_rt:3=%u", number, START + step, (dice >> 16) % 20);
        run_at(s, START + 400 + step);
        double lowest = 0, highest = 0;
        bool is_first = true;
        for (uint32_t i = 1; i <= JOBS; i++) {
            if (job_find(&s->jobs, i) == NULL)
                continue;
            struct PF_Type f = figures_of(s, i);
            double urgency = f.PF_urg - 0.278 * (double)s->cell.now_s;
            lowest = is_first || urgency < lowest ? urgency : lowest;
            highest = is_first || urgency > highest ? urgency : highest;
            is_first = false;
        }
        NEAR(s->prior.terms.PT_lowest_urgency, lowest);
        NEAR(s->prior.terms.PT_highest_urgency, highest);
    }
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlines_and_slots_are_those_of_the_capture),
        cmocka_unit_test(the_urgent_go_first),
        cmocka_unit_test(a_deadline_ramps_until_it_has_come),
        cmocka_unit_test(a_deadline_overtakes_other_claims_in_time),
        cmocka_unit_test(without_its_weight_urgency_decides_nothing),
        cmocka_unit_test(jobs_with_equal_urgencies_are_one_class_and_go_by_age),
        cmocka_unit_test(new_urgencies_count_for_jobs_that_are_there),
        cmocka_unit_test(the_span_is_that_of_all_active_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
