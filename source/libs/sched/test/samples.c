/* Tests of libs/sched/policy/samples: the schedulers that show how a site writes one. Built
 * with -DSCHEDULER_SAMPLES, as a site would. */
#include "libs/sched/policy/conf.h"
#include "libs/sched/test/feed.h"

enum { JOBS = 40, TASKS = 6, QUEUES = 3, SLOTS = 4, STEPS = 3000 };

static struct sched *sched_with(const char *algorithm)
{
    struct sched *s = sched_new();
    char line[64];
    snprintf(line, sizeof line, "conf algorithm %s", algorithm);
    feed(s, line);
    assert_string_equal(sched_conf(s)->policy->name, algorithm);
    return s;
}

/* ---- ext_mysched: who has the fewest tasks goes first ---- */
static void owners_take_turns(void **state SGE_UNUSED)
{
    struct sched *s = sched_with("ext_mysched");
    feed(s, "queue all.q@a 5");
    feed(s, "job 1 0-9 owner alice");
    feed(s, "job 2 0-9 owner alice l h_rt=60");
    feed(s, "job 3 0-9 owner bob");
    expect_orders(s, 1, 2, "1:0>all.q@a 3:0>all.q@a");
    feed(s, "started 1 0 all.q@a");
    feed(s, "ended 1 0 all.q@a");
    expect_orders(s, 1, 9, "1:1-2>all.q@a 3:1>all.q@a 1:3>all.q@a");
    sched_free(s);
}

static void priority_goes_before_turns(void **state SGE_UNUSED)
{
    struct sched *s = sched_with("ext_mysched");
    feed(s, "queue all.q@a 3");
    feed(s, "job 1 0-9 owner bob");
    feed(s, "job 2 0-1 owner alice p 1");
    EXPECT(s, "2:0-1>all.q@a 1:0>all.q@a");
    sched_free(s);
}

/* ---- ext_deadline: the earliest deadline first ---- */
static void a_deadline_goes_before_priority_and_age_across_job_groups(void **state SGE_UNUSED)
{
    struct sched *s = sched_with("ext_deadline");
    feed(s, "queue all.q@a 5");
    feed(s, "job 1 0 owner alice p 1000");
    feed(s, "job 2 0 owner alice");
    feed(s, "job 3 0 owner alice dl 9000");
    feed(s, "job 4 0 owner alice l h_rt=60 dl 8000");
    feed(s, "job 5 0 owner bob dl 8500");
    expect_orders(s, 1, 1, "4:0>all.q@a");
    expect_orders(s, 1, 1, "5:0>all.q@a");
    expect_orders(s, 1, 1, "3:0>all.q@a");
    expect_orders(s, 1, 1, "1:0>all.q@a"); /* the rest as ever */
    expect_orders(s, 1, 1, "2:0>all.q@a");
    sched_free(s);
}

static void a_deadline_may_change_and_go(void **state SGE_UNUSED)
{
    struct sched *s = sched_with("ext_deadline");
    feed(s, "job 1 0 dl 9000");
    feed(s, "job 2 0 dl 8000");
    feed(s, "job 3 0 dl 7000 at 500"); /* waits for its time */
    feed(s, "mod 2 dl 9500");
    feed(s, "mod 1 dl 0");
    feed(s, "queue all.q@a 1");
    EXPECT(s, "3:0>all.q@a");
    feed(s, "queue+ all.q@a 2");
    EXPECT(s, "2:0>all.q@a");
    feed(s, "queue+ all.q@a 3");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "del 1");
    feed(s, "del 2");
    sched_free(s);
}

static void ranks_go_with_the_policy(void **state SGE_UNUSED)
{
    struct sched *s = sched_with("ext_deadline");
    feed(s, "job 1 0");
    feed(s, "job 2 0 dl 8000");
    feed(s, "job 3 0 dl 7000");
    feed(s, "conf algorithm default");
    feed(s, "conf weight_urgency 0"); /* the default counts deadlines, too */
    feed(s, "queue all.q@a 2");
    EXPECT(s, "1:0>all.q@a 2:0>all.q@a");
    sched_free(s);
}

/* ---- ext_mysched2: the smallest job first ---- */
static void the_smallest_job_goes_first(void **state SGE_UNUSED)
{
    struct sched *s = sched_with("ext_mysched2");
    feed(s, "queue all.q@a 4");
    feed(s, "job 1 0-9 p 100");
    feed(s, "job 2 0-2");
    feed(s, "job 3 0-2");
    EXPECT(s, "2:0-2>all.q@a 3:0>all.q@a");
    feed(s, "started 2 0-2 all.q@a");
    feed(s, "unready 1 2-9");
    feed(s, "ended 2 0-1 all.q@a");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "del 3");
    EXPECT(s, "");
    sched_free(s);
}

static void a_job_that_does_not_fit_stops_no_other(void **state SGE_UNUSED)
{
    struct sched *s = sched_with("ext_mysched2");
    feed(s, "queue all.q@a 4");
    feed(s, "job 1 0 q none.q");
    feed(s, "job 2 0-4 tc 2");
    feed(s, "job 3 0-8");
    EXPECT(s, "2:0-1>all.q@a 3:0-1>all.q@a");
    assert_false(sched_has_work(s));
    feed(s, "queue none.q@b 1");
    assert_true(sched_has_work(s));
    EXPECT(s, "1:0>none.q@b");
    sched_free(s);
}

static void it_says_itself_when_a_start_time_comes(void **state SGE_UNUSED)
{
    struct sched *s = sched_with("ext_mysched2");
    feed(s, "queue all.q@a 4");
    feed(s, "job 1 0 at 2000");
    feed(s, "job 2 0 at 1500");
    expect_orders(s, 1000, 9, "");
    assert_false(sched_has_work(s));
    assert_int_equal(sched_next_due(s), 1500);
    expect_orders(s, 1500, 9, "2:0>all.q@a");
    assert_int_equal(sched_next_due(s), 2000);
    feed(s, "mod 1 at 0");
    EXPECT(s, "1:0>all.q@a");
    assert_int_equal(sched_next_due(s), 0);
    sched_free(s);
}

static void a_refusal_gives_it_work_again(void **state SGE_UNUSED)
{
    struct sched *s = sched_with("ext_mysched2");
    struct OR_Type_list orders = { 0 };
    feed(s, "queue all.q@a 1");
    feed(s, "job 1 0");
    feed(s, "job 2 0-1");
    assert_int_equal(sched_run(s, 1, 9, &orders), 1);
    assert_false(sched_has_work(s));
    sched_refused(s, &orders.v[0]);
    assert_true(sched_has_work(s));
    EXPECT(s, "2:0>all.q@a");
    orders_clear(&orders);
    sched_free(s);
}

static void it_takes_over_in_the_middle_and_hands_back(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0-9");
    feed(s, "job 2 0-3");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "started 1 0-1 all.q@a");
    feed(s, "conf algorithm ext_mysched2");
    feed(s, "ended 1 0 all.q@a");
    EXPECT(s, "2:0>all.q@a");
    feed(s, "conf algorithm default");
    feed(s, "ended 1 1 all.q@a");
    EXPECT(s, "1:2>all.q@a");
    feed(s, "ended 2 0 all.q@a"); /* an order that was refused and the job with it */
    EXPECT(s, "1:3>all.q@a");
    sched_free(s);
}

/* ---- both: every task runs once, and no slot is used twice ---- */
struct run {
    struct sched *sched;
    uint64_t dice;
    unsigned used[QUEUES], started[JOBS][TASKS], n_done;
    struct running {
        unsigned job, task, queue;
    } running[QUEUES * SLOTS];
    unsigned n_running;
};

static unsigned roll_dice(struct run *r, unsigned sides)
{
    r->dice ^= r->dice << 13;
    r->dice ^= r->dice >> 7;
    r->dice ^= r->dice << 17;
    return (unsigned)(r->dice % sides);
}

static void carry_out(struct run *r, const struct OR_Type *order)
{
    const char *name = allocation_queue(&order->OR_granted);
    unsigned queue = (unsigned)(name[0] - 'a');
    char line[64];
    struct range ids;
    for (uint64_t at = 0; range_set_next_run(&order->OR_ids, at, &ids); at = (uint64_t)ids.last + 1)
        for (uint32_t task = ids.first; task <= ids.last; task++) {
            assert_int_equal(r->started[order->OR_job_number - 1][task]++, 0);
            assert_in_range(++r->used[queue], 1, SLOTS);
            r->running[r->n_running++] = (struct running){ order->OR_job_number, task, queue };
            snprintf(line, sizeof line, "started %u %u %s", order->OR_job_number, task, name);
            feed(r->sched, line);
        }
}

static void run_some(struct run *r)
{
    struct OR_Type_list orders = { 0 };
    sched_run(r->sched, 1, 1 + roll_dice(r, 5), &orders);
    for (uint32_t i = 0; i < orders.n; i++)
        carry_out(r, &orders.v[i]);
    orders_clear(&orders);
}

static void end_one(struct run *r)
{
    char line[64];
    if (r->n_running == 0)
        return;
    unsigned at = roll_dice(r, r->n_running);
    struct running ended = r->running[at];
    r->running[at] = r->running[--r->n_running];
    r->used[ended.queue]--;
    r->n_done++;
    snprintf(line, sizeof line, "ended %u %u %c.q@h", ended.job, ended.task,
             'a' + (int)ended.queue);
    feed(r->sched, line);
}

static void every_task_runs_once_and_no_slot_twice(void **state SGE_UNUSED)
{
    static const char *const algorithms[] = { "ext_deadline", "ext_mysched", "ext_mysched2" };
    char line[96];
    for (size_t a = 0; a < ARRAY_LEN(algorithms); a++) {
        struct run r = { .sched = sched_with(algorithms[a]), .dice = 42 };
        for (char name = 'a'; name < 'a' + QUEUES; name++) {
            snprintf(line, sizeof line, "queue %c.q@h %u", name, SLOTS);
            feed(r.sched, line);
        }
        for (unsigned job = 1; job <= JOBS; job++) {
            snprintf(line, sizeof line, "job %u 0-%u dl %u owner u%u tc %u%s", job, TASKS - 1,
                     roll_dice(&r, 3), roll_dice(&r, 4), roll_dice(&r, 4),
                     roll_dice(&r, 2) == 0 ? " q b.q" : "");
            feed(r.sched, line);
        }
        for (unsigned step = 0; step < STEPS && r.n_done < JOBS * TASKS; step++)
            roll_dice(&r, 2) == 0 ? run_some(&r) : end_one(&r);
        assert_int_equal(r.n_done, JOBS * TASKS);
        sched_free(r.sched);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners_take_turns),
        cmocka_unit_test(priority_goes_before_turns),
        cmocka_unit_test(a_deadline_goes_before_priority_and_age_across_job_groups),
        cmocka_unit_test(a_deadline_may_change_and_go),
        cmocka_unit_test(ranks_go_with_the_policy),
        cmocka_unit_test(the_smallest_job_goes_first),
        cmocka_unit_test(a_job_that_does_not_fit_stops_no_other),
        cmocka_unit_test(it_says_itself_when_a_start_time_comes),
        cmocka_unit_test(a_refusal_gives_it_work_again),
        cmocka_unit_test(it_takes_over_in_the_middle_and_hands_back),
        cmocka_unit_test(every_task_runs_once_and_no_slot_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
