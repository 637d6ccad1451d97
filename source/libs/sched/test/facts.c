/* Tests of libs/sched/policy/facts.c through the events that bring them, and of what policies
 * need. */
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/services.h"
#include "libs/sched/test/feed.h"
#include "libs/sgeobj/object_kind.h"

enum { QUEUE = TASK_IS_QUEUE_SUSPENDED, USER = TASK_IS_SUSPENDED };

static void feed_object(struct sched *s, enum event_kind kind, uint32_t of, const char *name,
                        const char *value)
{
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, (uint32_t)kind);
    struct TX_Type *object = cull_append(&event, EV_texts);
    cull_set(object, TX_kind, of);
    cull_set(object, TX_name, name);
    struct VA_Type *entry = cull_append(object, TX_entries);
    cull_set(entry, VA_variable, "fshare");
    cull_set(entry, VA_value, value);
    assert_int_equal(sched_apply(s, &event, NULL), 0);
    cull_clear(&cull_EV_Type, &event);
}

static void objects_come_change_and_go(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed_object(s, EV_OBJECT, OBJECT_USER, "alice", "10");
    feed_object(s, EV_OBJECT, OBJECT_PROJECT, "alice", "20"); /* a name in two kinds */
    feed_object(s, EV_OBJECT, OBJECT_USER, "alice", "30");
    assert_string_equal(sched_object(s, OBJECT_USER, "alice")->TX_entries.v[0].VA_value, "30");
    assert_string_equal(sched_object(s, OBJECT_PROJECT, "alice")->TX_entries.v[0].VA_value, "20");
    feed_object(s, EV_OBJECT_DEL, OBJECT_USER, "alice", "");
    feed_object(s, EV_OBJECT_DEL, OBJECT_USER, "bob", ""); /* was never there */
    assert_null(sched_object(s, OBJECT_USER, "alice"));
    assert_non_null(sched_object(s, OBJECT_PROJECT, "alice"));
    feed_object(s, EV_OBJECT, OBJECT_CKPT, "kept_by_nobody", "1");
    assert_null(sched_object(s, OBJECT_CKPT, "kept_by_nobody"));
    sched_free(s);
}

static void suspensions_have_their_reasons_until_the_task_goes_on_or_ends(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 9");
    feed(s, "job 1 0-9");
    feed(s, "started 1 0-4 all.q@a");
    feedf(s, "state 1 0-3 3 %u", QUEUE);
    feedf(s, "state 1 2 3 %u", QUEUE | USER);
    assert_int_equal(sched_suspension(s, 1, 0), QUEUE);
    assert_int_equal(sched_suspension(s, 1, 2), QUEUE | USER);
    assert_int_equal(sched_suspension(s, 1, 4), 0);
    assert_int_equal(sched_suspension(s, 2, 0), 0);
    feed(s, "state 1 0 3 0");
    feed(s, "ended 1 1 all.q@a");
    assert_int_equal(sched_suspension(s, 1, 0), 0);
    assert_int_equal(sched_suspension(s, 1, 1), 0);
    assert_int_equal(sched_suspension(s, 1, 3), QUEUE);
    feed(s, "del 1");
    assert_int_equal(sched_suspension(s, 1, 3), 0);
    assert_null(s->facts.suspensions);
    sched_free(s);
}

/* ---- usage goes to the policy, which sums it ---- */
static double seen_cpu;

static void sum_usage(struct sched *s, void *own, const struct EV_Type *event)
{
    (void)s, (void)own;
    if (event->EV_kind == EV_USAGE && strcmp(event->EV_owner, "alice") == 0)
        seen_cpu += event->EV_usage.v[0].UA_value;
}

static void usage_comes_to_the_policy_that_needs_it(void **state SGE_UNUSED)
{
    static const struct sched_policy usage = { .name = "usage",
                                               .needs = SCHED_NEEDS_USAGE | SCHED_NEEDS_USERS,
                                               .apply = sum_usage };
    struct sched *s = sched_new();
    struct EV_Type event = { 0 };
    assert_int_equal(sched_needs(s), 0);
    s->conf.policy = &usage;
    feed(s, "conf flush_submit_sec 0");
    assert_int_equal(sched_needs(s), SCHED_NEEDS_USAGE | SCHED_NEEDS_USERS);
    cull_set(&event, EV_kind, (uint32_t)EV_USAGE);
    cull_set(&event, EV_job_number, 1u);
    assert_int_equal(sched_apply(s, &event, NULL), -1); /* whose? */
    cull_set(&event, EV_owner, "alice");
    struct UA_Type *cpu = cull_append(&event, EV_usage);
    cull_set(cpu, UA_name, "cpu");
    cull_set(cpu, UA_value, 2.5);
    for (int i = 0; i < 2; i++)
        assert_int_equal(sched_apply(s, &event, NULL), 0);
    assert_true(seen_cpu == 5);
    cull_clear(&cull_EV_Type, &event);
    sched_free(s);
}

/* ---- usage that the qmaster has summed ---- */
static void feed_used(struct sched *s, const char *user, const char *project, uint64_t at_s,
                      double cpu)
{
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, (uint32_t)EV_SHARE_USAGE);
    cull_set(&event, EV_owner, user);
    cull_set(&event, EV_start_time, at_s);
    if (project != NULL)
        cull_set(&event, EV_project, project);
    if (cpu >= 0) {
        struct UA_Type *figure = cull_append(&event, EV_usage);
        cull_set(figure, UA_name, "cpu");
        cull_set(figure, UA_value, cpu);
    }
    assert_int_equal(sched_apply(s, &event, NULL), 0);
    cull_clear(&cull_EV_Type, &event);
}

static void count_pair(void *ctx, const char *user, const char *project)
{
    if (strcmp(user, "alice") == 0)
        *(unsigned *)ctx += *project != '\0' ? 10 : 1;
}

static void summed_usage_decays_until_the_run(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    unsigned pairs = 0;
    feed_used(s, "alice", NULL, 7200, 64);
    feed_used(s, "alice", "P", 7200, 32);
    feed_used(s, "bob", "P", 7200, 16);
    feed(s, "conf halftime 1");
    s->cell.now_s = 7200 + 2 * 3600;
    assert_true(sched_usage(s, "alice", NULL, "cpu") == 16);
    assert_true(sched_usage(s, "alice", "P", "cpu") == 8);
    assert_true(sched_usage(s, "alice", "P", "mem") == 0);
    assert_true(sched_usage(s, "carol", "P", "cpu") == 0);
    feed_used(s, "alice", "", s->cell.now_s, 100);
    assert_true(sched_usage(s, "alice", "", "cpu") == 100);
    sched_each_usage(s, count_pair, &pairs);
    assert_int_equal(pairs, 11);
    feed_used(s, "alice", "P", s->cell.now_s, -1);
    assert_true(sched_usage(s, "alice", "P", "cpu") == 0);
    feed(s, "conf halftime 0");
    s->cell.now_s += 3600;
    assert_true(sched_usage(s, "alice", NULL, "cpu") == 100);
    s->cell.now_s = 10; /* a clock that was set back */
    assert_true(sched_usage(s, "alice", NULL, "cpu") == 100);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_come_change_and_go),
        cmocka_unit_test(suspensions_have_their_reasons_until_the_task_goes_on_or_ends),
        cmocka_unit_test(usage_comes_to_the_policy_that_needs_it),
        cmocka_unit_test(summed_usage_decays_until_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
