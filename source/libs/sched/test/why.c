/* Tests of libs/sched/why.c: what stands under `scheduling info:` (reference/qstat schedd-job-info). */
#include "libs/sched/test/feed.h"

/* the reasons of a job, parted by '|' */
static void expect_reasons(const struct sched *s, uint32_t job, const char *expected)
{
    struct ST_Type_list reasons = { 0 };
    struct dstr text = DSTR_INIT;

    sched_why_not(s, job, 1000, &reasons);
    for (uint32_t i = 0; i < reasons.n; i++) {
        dstr_addf(&text, "%s%s", i > 0 ? "|" : "", reasons.v[i].ST_name);
        cull_clear(&cull_ST_Type, &reasons.v[i]);
    }
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
    free(reasons.v);
}

static void a_disabled_queue_is_named_as_captured(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@HOST 64 state 4");
    feed(s, "job 355 0");
    expect_reasons(s, 355,
                   "queue instance \"all.q@HOST\" dropped because it is disabled|"
                   "All queues dropped because of overload or full");
    sched_free(s);
}

static void each_queue_has_its_own_reason(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue a.q@h 1");
    feed(s, "queue b.q@h 1");
    feed(s, "queue c.q@h 1 state 128");
    feed(s, "queue d.q@h 1 state 256");
    feed(s, "queue e.q@h 1 state 8");
    feed(s, "queue f.q@h 1 type 2");
    feed(s, "job 1 0-5 q [!b]*");
    feed(s, "job 2 0");
    EXPECT(s, "1:0>a.q@h 2:0>b.q@h");
    expect_reasons(s, 1,
                   "queue instance \"a.q@h\" dropped because it is full|"
                   "cannot run in queue instance \"b.q@h\" because it is not contained in its hard "
                   "queue list (-q)|"
                   "queue instance \"c.q@h\" dropped because it is temporarily not available|"
                   "queue instance \"d.q@h\" dropped because it is in error state|"
                   "queue instance \"e.q@h\" dropped because it is suspended|"
                   "queue instance \"f.q@h\" dropped because it is no batch queue|"
                   "All queues dropped because of overload or full");
    sched_free(s);
}

static void what_is_not_a_queue_s_fault_is_told(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    feed(s, "queue all.q@a 9");
    feed(s, "job 1");
    feed(s, "job 2 0-9 tc 2");
    feed(s, "job 3 0 at 2000");
    EXPECT(s, "2:0-1>all.q@a");
    expect_reasons(s, 1, "job dropped because of hold state or job dependencies");
    expect_reasons(s, 2,
                   "job dropped because it has reached its limit of 2 concurrent tasks (-tc)");
    expect_reasons(s, 3, "job dropped because its start time (-a) has not come");
    expect_reasons(s, 99, "");
    sched_free(s);
}

static void many_queues_are_counted_not_listed(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    struct ST_Type_list reasons = { 0 };
    char line[64];

    for (unsigned i = 0; i < 100; i++) {
        snprintf(line, sizeof line, "queue all.q@n%u 1 state 4", i);
        feed(s, line);
    }
    feed(s, "job 1 0");
    sched_why_not(s, 1, 1000, &reasons);
    assert_int_equal(reasons.n, 22);
    assert_string_equal(reasons.v[20].ST_name, "80 more queue instances dropped");
    for (uint32_t i = 0; i < reasons.n; i++)
        cull_clear(&cull_ST_Type, &reasons.v[i]);
    free(reasons.v);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disabled_queue_is_named_as_captured),
        cmocka_unit_test(each_queue_has_its_own_reason),
        cmocka_unit_test(what_is_not_a_queue_s_fault_is_told),
        cmocka_unit_test(many_queues_are_counted_not_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
