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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_come_change_and_go),
        cmocka_unit_test(suspensions_have_their_reasons_until_the_task_goes_on_or_ends),
        cmocka_unit_test(usage_comes_to_the_policy_that_needs_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
