/* Tests of libs/sched/schedule.c: the lines of sched_conf(5) params MONITOR. The first cell is the
 * one whose lines were captured; durations there have a DURATION_OFFSET of 60 seconds. */
#include "libs/sched/schedule.h"

#include "libs/sched/policy/policy.h"
#include "libs/sched/test/feed.h"

/* a run at NOW_S and its interval */
static void expect_interval(struct sched *s, uint64_t now_s, const char *expected)
{
    struct schedule lines = { 0 };
    struct OR_Type_list orders = { 0 };
    struct dstr text = DSTR_INIT;
    (void)sched_run(s, now_s, 1000000, &orders);
    schedule_add_orders(&lines, s, &orders);
    assert_false(schedule_add_interval(&lines, s, &text));
    assert_string_equal(dstr_get(&text), expected);
    assert_int_equal(lines.n, 0);
    schedule_free(&lines);
    orders_clear(&orders);
    dstr_free(&text);
}

static struct sched *four_slots(void)
{
    struct sched *s = sched_new();
    feed(s, "conf max_reservation 10");
    feed(s, "conf default_duration 0:10:0");
    feed(s, "object 12 smp slots 999 allocation_rule $pe_slots");
    feed(s, "queue all.q@h 4 pes smp");
    feed(s, "job 1 0 l h_rt=30");
    feed(s, "job 2 0 l h_rt=50 pe smp 2");
    return s;
}

static void an_interval_has_what_starts_runs_and_is_reserved(void **state SGE_UNUSED)
{
    struct sched *s = four_slots();
    expect_interval(s, 1000,
                    "::::::::\n"
                    "1:1:STARTING:1000:30:Q:all.q@h:slots:1.000000\n"
                    "2:1:STARTING:1000:50:P:smp:slots:2.000000\n"
                    "2:1:STARTING:1000:50:Q:all.q@h:slots:2.000000\n");
    feed(s, "started 1 0 since 1000 all.q@h 1");
    feed(s, "started 2 0 since 1000 pe smp all.q@h 2");
    feed(s, "job 3 0 l h_rt=60 pe smp 4 R y p 10");
    feed(s, "job 4 0 l h_rt=20");
    feed(s, "job 5 0");
    expect_interval(s, 1004,
                    "::::::::\n"
                    "1:1:RUNNING:1000:30:Q:all.q@h:slots:1.000000\n"
                    "2:1:RUNNING:1000:50:P:smp:slots:2.000000\n"
                    "2:1:RUNNING:1000:50:Q:all.q@h:slots:2.000000\n"
                    "4:1:STARTING:1004:20:Q:all.q@h:slots:1.000000\n"
                    "3:1:RESERVING:1050:60:P:smp:slots:4.000000\n"
                    "3:1:RESERVING:1050:60:Q:all.q@h:slots:4.000000\n");
    feed(s, "ended 1 0 all.q@h");
    feed(s, "ended 2 0 pe smp all.q@h 2");
    feed(s, "delq all.q@h"); /* what was reserved there is not */
    struct schedule lines = { 0 };
    struct dstr text = DSTR_INIT;
    assert_false(schedule_add_interval(&lines, s, &text));
    assert_string_equal(dstr_get(&text), "::::::::\n");
    dstr_free(&text);
    sched_free(s);
}

static void consumables_have_lines_where_they_are_limited(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "conf default_duration INFINITY");
    feed(s, "object 11 lic shortcut lic type INT relop <= requestable YES consumable YES default 0 "
            "urgency 0");
    feed(s, "object 11 part shortcut part type DOUBLE relop <= requestable YES consumable YES "
            "default 0 urgency 0");
    feed(s, "host global lic=2");
    feed(s, "host h part=2");
    feed(s, "queue all.q@h 4");
    feed(s, "job 1 0 l lic:1=1 l part:5=0.5");
    expect_interval(s, 1000,
                    "::::::::\n"
                    "1:1:STARTING:1000:4294967295:G:global:lic:1.000000\n"
                    "1:1:STARTING:1000:4294967295:H:h:part:0.500000\n"
                    "1:1:STARTING:1000:4294967295:Q:all.q@h:slots:1.000000\n");
    sched_free(s);
}

/* JOB with -t FIRST-...:STEP; its ordinals are those of LINE */
static void feed_array(struct sched *s, const char *line, uint32_t first, uint32_t step)
{
    struct EV_Type *e = feed_event(line);
    cull_set(&e->EV_jobs.v[0], JB_ja_first, first);
    cull_set(&e->EV_jobs.v[0], JB_ja_step, step);
    assert_int_equal(sched_apply(s, e, NULL), 0);
    cull_delete(&cull_EV_Type, e);
}

static void tasks_have_their_ids_and_say_why_they_do_not_run(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "conf params MONITOR=1");
    assert_int_equal(sched_needs(s), SCHED_NEEDS_SUSPENSIONS);
    feed(s, "queue all.q@h 4");
    feed_array(s, "job 11 0-3 l h_rt=10", 3, 2);
    feed(s, "started 11 0-3 since 900 all.q@h 1");
    feedf(s, "state 11 0 %d %d", TASK_RUNNING, TASK_IS_SUSPENDED);
    feedf(s, "state 11 2 %d %d", TASK_RUNNING, TASK_IS_SUBORDINATE_SUSPENDED);
    expect_interval(s, 1000,
                    "::::::::\n"
                    "11:5:RUNNING:900:10:Q:all.q@h:slots:1.000000\n"
                    "11:9:RUNNING:900:10:Q:all.q@h:slots:1.000000\n"
                    "11:3:SUSPENDED:900:10:Q:all.q@h:slots:1.000000\n"
                    "11:7:PREEMPTING:900:10:Q:all.q@h:slots:1.000000\n");
    feed(s, "conf params NONE");
    assert_int_equal(sched_needs(s), 0);
    sched_free(s);
}

static void an_interval_is_bounded_and_what_starts_is_not_left_out(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    struct schedule lines = { 0 };
    struct OR_Type_list orders = { 0 };
    struct dstr text = DSTR_INIT;
    feed(s, "queue all.q@h 20000");
    feed(s, "job 1 0-9999 l h_rt=10");
    feed(s, "started 1 0-9999 since 900 all.q@h 1");
    feed(s, "job 2 0 l h_rt=10");
    (void)sched_run(s, 1000, 1000, &orders);
    schedule_add_orders(&lines, s, &orders);
    assert_true(schedule_add_interval(&lines, s, &text));
    uint32_t n = 0;
    for (const char *at = dstr_get(&text); *at != '\0'; at++)
        n += *at == '\n';
    assert_int_equal(n, SCHEDULE_LINES_MOST + 1);
    assert_non_null(strstr(dstr_get(&text), "2:1:STARTING:1000:10:Q:all.q@h:slots:1.000000\n"));
    orders_clear(&orders);
    schedule_free(&lines);
    dstr_free(&text);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_has_what_starts_runs_and_is_reserved),
        cmocka_unit_test(consumables_have_lines_where_they_are_limited),
        cmocka_unit_test(tasks_have_their_ids_and_say_why_they_do_not_run),
        cmocka_unit_test(an_interval_is_bounded_and_what_starts_is_not_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
