/* Tests of policy/depth_first.c: pipelines of arrays in virtual time. */
#include "libs/sched/test/feed.h"

static struct sched *depth_first(const char *frames)
{
    struct sched *s = sched_new();
    feed(s, "conf algorithm depth_first");
    if (frames != NULL)
        feedf(s, "conf params DEPTH_FIRST_FRAMES=%s", frames);
    return s;
}

static void later_stages_go_first(void **state)
{
    struct sched *s = depth_first(NULL);
    (void)state;
    feed(s, "job 1 0-9");
    feed(s, "job 2 ad 1");
    feed(s, "job 3 ad 2");
    feed(s, "job 4 0 p 1024"); /* no pipeline: before the first stage, behind the others */
    feed(s, "ready 2 3");
    feed(s, "ready 3 2");
    feed(s, "queue all.q@a 4");
    EXPECT(s, "3:2>all.q@a 2:3>all.q@a 4:0>all.q@a 1:0>all.q@a");
    sched_free(s);
}

static void a_frame_in_flight_counts_in_all_stages(void **state)
{
    struct sched *s = depth_first("2");
    (void)state;
    feed(s, "queue all.q@a 10");
    feed(s, "job 1 0-9");
    feed(s, "job 2 ad 1");
    feed(s, "job 3 ad 2");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "started 1 0-1 all.q@a");
    EXPECT(s, "");
    feed(s, "ended 1 0 all.q@a");
    feed(s, "ready 2 0");
    EXPECT(s, "2:0>all.q@a"); /* its frame is in flight still */
    feed(s, "started 2 0 all.q@a");
    feed(s, "ended 2 0 all.q@a");
    feed(s, "ready 3 0");
    EXPECT(s, "3:0>all.q@a");
    feed(s, "started 3 0 all.q@a");
    feed(s, "ended 3 0 all.q@a"); /* it is complete */
    EXPECT(s, "1:2>all.q@a");
    sched_free(s);
}

static void what_cannot_go_on_holds_up_no_others(void **state)
{
    struct sched *s = depth_first("1");
    (void)state;
    feed(s, "queue all.q@a 10");
    feed(s, "job 1 0-9");
    feed(s, "job 2 ad 1");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "started 1 0 all.q@a");
    feed(s, "ended 1 0 all.q@a");
    feed(s, "ready 2 0");
    feed(s, "unready 2 0"); /* held */
    EXPECT(s, "1:1>all.q@a");
    feed(s, "started 1 1 all.q@a");
    feed(s, "del 2");
    EXPECT(s, "1:2-9>all.q@a"); /* no pipeline any more */
    sched_free(s);
}

static void a_stage_of_chunks_has_all_their_frames(void **state)
{
    struct sched *s = depth_first("4");
    (void)state;
    feed(s, "queue all.q@a 10");
    feed(s, "job 1 0-9 ja 1 1");
    feed(s, "job 2 ja 1 4 ad 1");
    EXPECT(s, "1:0-3>all.q@a");
    feed(s, "started 1 0-3 all.q@a");
    feed(s, "ended 1 0-3 all.q@a");
    feed(s, "ready 2 0");
    EXPECT(s, "2:0>all.q@a");
    feed(s, "started 2 0 all.q@a");
    EXPECT(s, "");
    feed(s, "ended 2 0 all.q@a");
    EXPECT(s, "1:4-7>all.q@a");
    sched_free(s);
}

static void the_lesser_of_both_limits_counts(void **state)
{
    struct sched *s = depth_first("3");
    (void)state;
    feed(s, "queue all.q@a 10");
    feed(s, "job 1 0-9 tc 2");
    feed(s, "job 2 ad 1");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "mod 1 tc 5");
    EXPECT(s, "1:2>all.q@a");
    feed(s, "conf params NONE");
    EXPECT(s, "1:3-4>all.q@a");
    feed(s, "conf params DEPTH_FIRST_FRAMES=1");
    feed(s, "mod 1 tc 0");
    EXPECT(s, "");
    feed(s, "conf algorithm default");
    EXPECT(s, "1:5-9>all.q@a");
    sched_free(s);
}

static void a_long_pipeline_is_looked_at_in_part(void **state)
{
    struct sched *s = depth_first("1");
    (void)state;
    feed(s, "job 1 0-1");
    for (unsigned n = 2; n <= 200; n++)
        feedf(s, "job %u ad %u", n, n - 1);
    feed(s, "queue all.q@a 10");
    feed(s, "ready 200 1"); /* too far away from the first stage */
    EXPECT(s, "200:1>all.q@a 1:0>all.q@a");
    for (unsigned n = 1; n <= 200; n += 2)
        feedf(s, "del %u", n);
    sched_free(s);
}

/* ---- 4 stages of 1,000 frames in virtual time ---- */
enum { STAGES = 4, FRAMES = 1000, SLOTS = 50 };
static const uint64_t stage_s[STAGES] = { 60, 120, 90, 30 };
struct figures {
    uint64_t first_s, hundredth_s, total_s;
    uint32_t most_in_flight;
};
struct render {
    struct sched *s;
    uint64_t now_s, end_s[STAGES][FRAMES]; /* 0: it does not run */
    uint32_t begun, done;
    struct figures figures;
};

static void start_ordered(struct render *r)
{
    struct OR_Type_list orders = { 0 };
    (void)sched_run(r->s, r->now_s, 1000, &orders);
    for (uint32_t i = 0; i < orders.n; i++) {
        uint32_t stage = orders.v[i].OR_job_number - 1;
        struct range run;
        for (uint64_t at = 0; range_set_next_run(&orders.v[i].OR_ids, at, &run);
             at = (uint64_t)run.last + 1) {
            feedf(r->s, "started %u %u-%u all.q@a", stage + 1, run.first, run.last);
            for (uint32_t frame = run.first; frame <= run.last; frame++)
                r->end_s[stage][frame] = r->now_s + stage_s[stage];
            r->begun += stage == 0 ? run.last - run.first + 1 : 0;
        }
    }
    if (r->begun - r->done > r->figures.most_in_flight)
        r->figures.most_in_flight = r->begun - r->done;
    orders_clear(&orders);
}

static void end_task(struct render *r, uint32_t stage, uint32_t frame)
{
    r->end_s[stage][frame] = 0;
    feedf(r->s, "ended %u %u all.q@a", stage + 1, frame);
    if (stage + 1 < STAGES) {
        feedf(r->s, "ready %u %u", stage + 2, frame);
        return;
    }
    r->done++;
    if (r->done == 1)
        r->figures.first_s = r->now_s;
    if (r->done == 100)
        r->figures.hundredth_s = r->now_s;
    r->figures.total_s = r->now_s;
}

static struct figures figures_of(const char *algorithm, const char *params)
{
    struct render *r = uti_calloc(1, sizeof *r);
    r->s = sched_new();
    feedf(r->s, "conf algorithm %s", algorithm);
    feedf(r->s, "conf params %s", params);
    feedf(r->s, "queue all.q@a %u", (unsigned)SLOTS);
    feedf(r->s, "job 1 0-%u", FRAMES - 1u);
    for (unsigned n = 2; n <= STAGES; n++)
        feedf(r->s, "job %u ad %u", n, n - 1);
    for (r->now_s = 1; r->done < FRAMES; r->now_s++) {
        for (uint32_t stage = 0; stage < STAGES; stage++)
            for (uint32_t frame = 0; frame < FRAMES; frame++)
                if (r->end_s[stage][frame] == r->now_s)
                    end_task(r, stage, frame);
        start_ordered(r);
        assert_true(r->now_s < 100000);
    }
    sched_free(r->s);
    struct figures figures = r->figures;
    free(r);
    print_message("%s %s: first %llu, 100th %llu, total %llu, in flight %u\n", algorithm, params,
                  (unsigned long long)figures.first_s, (unsigned long long)figures.hundredth_s,
                  (unsigned long long)figures.total_s, figures.most_in_flight);
    return figures;
}

/* the table of doc/using/array-pipelines.md */
static void the_first_frames_are_complete_long_before(void **state)
{
    struct figures by_age = figures_of("default", "NONE"),
                   by_depth = figures_of("depth_first", "NONE"),
                   limited = figures_of("depth_first", "DEPTH_FIRST_FRAMES=40");
    (void)state;
    assert_true(by_depth.first_s < by_age.first_s / 4);
    assert_true(by_depth.hundredth_s < by_age.hundredth_s / 4);
    assert_true(by_depth.total_s <= by_age.total_s + by_age.total_s / 20);
    assert_true(limited.most_in_flight <= 40);
    assert_true(limited.hundredth_s < by_age.hundredth_s / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_stages_go_first),
        cmocka_unit_test(a_frame_in_flight_counts_in_all_stages),
        cmocka_unit_test(what_cannot_go_on_holds_up_no_others),
        cmocka_unit_test(a_stage_of_chunks_has_all_their_frames),
        cmocka_unit_test(the_lesser_of_both_limits_counts),
        cmocka_unit_test(a_long_pipeline_is_looked_at_in_part),
        cmocka_unit_test(the_first_frames_are_complete_long_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
