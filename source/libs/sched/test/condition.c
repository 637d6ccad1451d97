/* Tests of libs/sched/place/condition.c, supply/offer.c and supply/host.c: what is asked for and
 * does not run out */
#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

/* a resource that does not run out */
static void add_resource(struct sched *s, const char *name, const char *type, const char *relop,
                         const char *requestable)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line,
              "object 11 %s shortcut %s type %s relop %s requestable %s consumable NO default NONE "
              "urgency 0",
              name, name, type, relop, requestable);
    feed(s, dstr_get(&line));
    dstr_free(&line);
}

static void add_consumable(struct sched *s, const char *name, const char *type)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line,
              "object 11 %s shortcut %s type %s relop <= requestable YES consumable YES default 0 "
              "urgency 0",
              name, name, type);
    feed(s, dstr_get(&line));
    dstr_free(&line);
}

/* all.q with 4 slots each on a and b, which report their architectures */
static struct sched *two_hosts(void)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 4");
    feed(s, "queue all.q@b 4");
    add_resource(s, "arch", "RESTRING", "==", "YES");
    feed(s, "loads a arch=lx-amd64");
    feed(s, "loads b arch=lx-arm64");
    return s;
}

static void a_text_decides_where_jobs_run(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts();
    feed(s, "job 1 0-9 l arch=lx-arm64");
    feed(s, "job 2 0-1 l arch=*-amd*");
    feed(s, "job 3 0 l arch=sol-*");
    EXPECT(s, "1:0-3>all.q@b 2:0-1>all.q@a");
    assert_false(sched_has_work(s));
    sched_free(s);
}

static void hosts_that_change_their_texts_are_found_and_left(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts();
    feed(s, "job 1 0-9 l arch=lx-riscv");
    EXPECT(s, "");
    feed(s, "loads b arch=lx-riscv");
    EXPECT(s, "1:0-3>all.q@b");
    feed(s, "loads b arch=lx-arm64");
    feed(s, "started 1 0-3 all.q@b");
    feed(s, "ended 1 0 all.q@b");
    EXPECT(s, "");
    feed(s, "loads a");
    EXPECT(s, "");
    feed(s, "loads a arch=lx-riscv");
    EXPECT(s, "1:4-7>all.q@a");
    sched_free(s);
}

static void a_number_is_looked_at_when_a_task_is_placed(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts();
    add_resource(s, "mem_free", "MEMORY", "<=", "YES");
    feed(s, "loads a arch=lx-amd64 mem_free=1G");
    feed(s, "loads b arch=lx-arm64 mem_free=3G");
    feed(s, "job 1 0-9 l mem_free=2G");
    feed(s, "job 2 0 l mem_free=4G");
    EXPECT(s, "1:0-3>all.q@b");
    assert_false(sched_has_work(s));
    feed(s, "loads a arch=lx-amd64 mem_free=2.5G");
    EXPECT(s, "1:4-7>all.q@a");
    feed(s, "started 1 0-7 all.q@b");
    sched_free(s);
}

static void relations_hold_as_the_complex_says(void **state SGE_UNUSED)
{
    static const struct {
        const char *relop, *request, *orders;
    } cases[] = {
        { "<=", "x=3", "1:0>all.q@a" }, { "<=", "x=5", "" }, { "<", "x=4", "" },
        { "==", "x=4", "1:0>all.q@a" }, { "==", "x=3", "" }, { "!=", "x=3", "1:0>all.q@a" },
        { ">=", "x=5", "1:0>all.q@a" }, { ">", "x=4", "" },  { ">=", "x=3", "" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sched *s = sched_new();
        struct dstr job = DSTR_INIT;
        feed(s, "queue all.q@a 4");
        add_resource(s, "x", "INT", cases[i].relop, "YES");
        feed(s, "host a x=4");
        dstr_addf(&job, "job 1 0 l %s", cases[i].request);
        feed(s, dstr_get(&job));
        EXPECT(s, cases[i].orders);
        dstr_free(&job);
        sched_free(s);
    }
}

static void what_nobody_has_meets_no_request(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts();
    add_resource(s, "rack", "INT", "==", "YES");
    add_resource(s, "site", "STRING", "==", "YES");
    feed(s, "job 1 0 l rack=7");
    feed(s, "job 2 0 l site=north");
    EXPECT(s, "");
    feed(s, "host a rack=7");
    feed(s, "host b site=north");
    EXPECT(s, "1:0>all.q@a 2:0>all.q@b");
    sched_free(s);
}

static void limits_of_queues_are_asked_for_too(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    add_resource(s, "h_rt", "TIME", "<=", "YES");
    add_resource(s, "qname", "RESTRING", "==", "YES");
    feed(s, "queue long.q@a 1");
    feed(s, "queue short.q@a 4 set h_rt=1:0:0");
    feed(s, "job 1 0-4 l h_rt=3600");
    feed(s, "job 2 0 l h_rt=3601");
    EXPECT(s, "1:0-2,4>short.q@a 1:3>long.q@a");
    feed(s, "unready 1 0-4");
    feed(s, "queue+ short.q@a 4 set h_rt=2:0:0");
    EXPECT(s, "2:0>short.q@a");
    sched_free(s);
}

static void a_hundred_run_times_share_a_need(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    add_resource(s, "h_rt", "TIME", "<=", "YES");
    feed(s, "queue all.q@a 1 set h_rt=1:0:0");
    feed(s, "queue all.q@b 1");
    for (int i = 1; i <= 100; i++) {
        struct dstr job = DSTR_INIT;
        dstr_addf(&job, "job %d 0 l h_rt=%d", i, i);
        feed(s, dstr_get(&job));
        dstr_free(&job);
    }
    assert_int_equal(HASH_COUNT(s->pending.needs), 1);
    feed(s, "job 101 0 l h_rt=9999");
    assert_int_equal(HASH_COUNT(s->pending.needs), 2);
    sched_free(s);
}

static void forced_resources_keep_out_who_does_not_ask(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts();
    add_resource(s, "gpu_node", "BOOL", "==", "FORCED");
    feed(s, "host a gpu_node=TRUE");
    feed(s, "job 1 0-9");
    feed(s, "job 2 0 l gpu_node=1");
    EXPECT(s, "1:0-3>all.q@b 2:0>all.q@a");
    add_resource(s, "gpu_node", "BOOL", "==", "YES");
    EXPECT(s, "1:4-6>all.q@a");
    sched_free(s);
}

static void of_capacity_and_report_the_stricter_counts(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts();
    add_consumable(s, "mem", "MEMORY");
    feed(s, "host a mem=8G");
    feed(s, "host b mem=1G");
    feed(s, "job 1 0-9 l mem=2G");
    feed(s, "unready 1 3-9");
    feed(s, "loads a arch=lx-amd64 mem=1.9G"); /* somebody else uses it */
    EXPECT(s, "");
    assert_false(sched_has_work(s));
    feed(s, "loads a arch=lx-amd64 mem=5G");
    EXPECT(s, "1:0-2>all.q@a");
    feed(s, "started 1 0-2 all.q@a 1 take mem=2147483648");
    feed(s, "ready 1 3-9");
    feed(s, "loads a arch=lx-amd64 mem=100G"); /* what is promised to others is not there */
    EXPECT(s, "1:3>all.q@a");
    feed(s, "loads a arch=lx-amd64"); /* no host reports it any more */
    feed(s, "ended 1 0-2 all.q@a 1 take mem=2147483648");
    EXPECT(s, "1:4-6>all.q@a");
    sched_free(s);
}

static void parallel_tasks_have_their_slots_where_conditions_hold(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "object 12 mpi slots 99 allocation_rule $fill_up");
    feed(s, "queue all.q@a 4 pes mpi");
    feed(s, "queue all.q@b 4 pes mpi");
    feed(s, "queue all.q@c 4 pes mpi");
    add_resource(s, "load", "DOUBLE", ">=", "YES");
    feed(s, "loads a load=0.5");
    feed(s, "loads b load=3.5");
    feed(s, "loads c load=0.5");
    feed(s, "job 1 0 pe mpi 6 l load:8=1");
    feed(s, "job 2 0 pe mpi 9 l load:8=1");
    EXPECT(s, "1:0>mpi:all.q@a=4,all.q@c=2");
    feed(s, "unready 1 0");
    feed(s, "loads b load=0.9");
    EXPECT(s, "2:0>mpi:all.q@a=4,all.q@b=4,all.q@c=1");
    sched_free(s);
}

static void reports_that_concern_nobody_wake_nobody(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts();
    add_resource(s, "mem_free", "MEMORY", "<=", "YES");
    feed(s, "queue+ all.q@a 1");
    feed(s, "queue+ all.q@b 1");
    feed(s, "job 1 0-9");
    feed(s, "job 2 0 l mem_free=1G");
    EXPECT(s, "1:0>all.q@a 1:1>all.q@b");
    uint64_t tried = sched_work(s)->tried, matched = sched_work(s)->matched;
    for (int i = 0; i < 100; i++) {
        feed(s, i % 2 == 0 ? "loads a mem_free=1M arch=lx-amd64"
                           : "loads a mem_free=2M arch=lx-amd64");
        EXPECT(s, "");
    }
    assert_int_equal(sched_work(s)->tried, tried);
    assert_true(sched_work(s)->matched - matched <= 2);
    sched_free(s);
}

static void conditions_that_go_leave_nothing(void **state SGE_UNUSED)
{
    struct sched *s = two_hosts();
    add_resource(s, "mem_free", "MEMORY", "<=", "YES");
    feed(s, "job 1 0 l mem_free=1G");
    EXPECT(s, "");
    feed(s, "mod 1 l mem_free=2G");
    EXPECT(s, "");
    feed(s, "delo 11 mem_free");
    EXPECT(s, "1:0>all.q@a");
    assert_int_equal(HASH_COUNT(s->finder.conditions), 0);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_decides_where_jobs_run),
        cmocka_unit_test(hosts_that_change_their_texts_are_found_and_left),
        cmocka_unit_test(a_number_is_looked_at_when_a_task_is_placed),
        cmocka_unit_test(relations_hold_as_the_complex_says),
        cmocka_unit_test(what_nobody_has_meets_no_request),
        cmocka_unit_test(limits_of_queues_are_asked_for_too),
        cmocka_unit_test(a_hundred_run_times_share_a_need),
        cmocka_unit_test(forced_resources_keep_out_who_does_not_ask),
        cmocka_unit_test(of_capacity_and_report_the_stricter_counts),
        cmocka_unit_test(parallel_tasks_have_their_slots_where_conditions_hold),
        cmocka_unit_test(reports_that_concern_nobody_wake_nobody),
        cmocka_unit_test(conditions_that_go_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
