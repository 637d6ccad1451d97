/* Jobs that start at once or not at all (-now y), in queues for interactive work. */
#include "libs/config/qinstance.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

/* three slots in a queue for both kinds of work */
static struct sched *one_queue(void)
{
    struct sched *s = sched_new();
    feed(s, "queue a.q@h 3 type 3");
    return s;
}

static void all_tasks_start_or_the_job_goes(void **state SGE_UNUSED)
{
    struct sched *s = one_queue();
    feed(s, "job 1 1-2 now y");
    EXPECT(s, "1:1-2>a.q@h");
    feed(s, "job 2 1-2 now y");
    assert_true(sched_has_work(s));
    EXPECT(s, "2 gone");
    assert_false(sched_has_work(s));
    feed(s, "job 3 1 now y");
    EXPECT(s, "3:1>a.q@h");
    sched_free(s);
}

static void what_one_that_goes_had_is_free_for_others(void **state SGE_UNUSED)
{
    struct sched *s = one_queue();
    feed(s, "job 1 1-9 now y p 10");
    feed(s, "job 2 1-9");
    EXPECT(s, "1 gone");
    EXPECT(s, "2:1-3>a.q@h");
    feed(s, "del 1");
    sched_free(s);
}

static void a_job_that_may_not_start_yet_goes(void **state SGE_UNUSED)
{
    struct sched *s = one_queue();
    feed(s, "job 1 1 now y at 5000");
    feed(s, "job 2 1 now y q b.q");
    feed(s, "job 3 1-3 now y tc 2");
    EXPECT(s, "3 gone 2 gone 1 gone");
    sched_free(s);
}

static void only_the_first_run_decides(void **state SGE_UNUSED)
{
    struct sched *s = one_queue();
    feed(s, "job 1 1-2 now y");
    EXPECT(s, "1:1-2>a.q@h");
    feed(s, "started 1 1-2 a.q@h");
    feed(s, "ended 1 1 a.q@h");
    feed(s, "queue+ a.q@h 1");
    feed(s, "ready 1 1"); /* it was put back */
    EXPECT(s, "");
    sched_free(s);
}

/* a run orders so many tasks at most: who has not had his turn by then has it in the next one */
static void a_run_that_ends_early_does_not_decide(void **state SGE_UNUSED)
{
    struct sched *s = one_queue();
    feed(s, "job 1 1-2 p 10");
    feed(s, "job 2 1 now y");
    expect_orders(s, 1000, 2, "1:1-2>a.q@h");
    assert_true(sched_has_work(s));
    expect_orders(s, 1000, 2, "2:1>a.q@h");
    sched_free(s);
}

static void a_job_that_such_an_end_cuts_has_its_turn_again(void **state SGE_UNUSED)
{
    struct sched *s = one_queue();
    feed(s, "job 1 1 p 10");
    feed(s, "job 2 1-2 now y");
    expect_orders(s, 1000, 2, "1:1>a.q@h");
    expect_orders(s, 1000, 2, "2:1-2>a.q@h");
    assert_false(sched_has_work(s));
    sched_free(s);
}

static void one_that_no_run_can_order_goes(void **state SGE_UNUSED)
{
    struct sched *s = one_queue();
    feed(s, "job 1 1-3 now y");
    expect_orders(s, 1000, 2, "1 gone");
    assert_false(sched_has_work(s));
    sched_free(s);
}

/* however long others keep the runs full */
static void one_that_does_not_fit_goes_although_the_run_is_full(void **state SGE_UNUSED)
{
    struct sched *s = one_queue();
    feed(s, "queue b.q@i 100");
    feed(s, "job 1 1-4 now y q a.q p 10");
    feed(s, "job 2 1-50 q b.q");
    expect_orders(s, 1000, 10, "2:1-7>b.q@i 1 gone");
    sched_free(s);
}

static void a_refused_order_is_decided_anew(void **state SGE_UNUSED)
{
    struct sched *s = one_queue();
    struct OR_Type_list orders = { 0 };
    feed(s, "job 1 1-2 now y");
    assert_int_equal(sched_run(s, 1000, 10, &orders), 2);
    feed(s, "queue+ a.q@h 1");
    feed(s, "ready 1 1-2");
    sched_refused(s, &orders.v[0]);
    EXPECT(s, "1 gone");
    orders_clear(&orders);
    sched_free(s);
}

static void queues_are_for_one_kind_of_work_or_both(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue batch.q@h 1 type 1");
    feed(s, "queue inter.q@h 1 type 2");
    feed(s, "job 1 1-2");
    EXPECT(s, "1:1>batch.q@h");
    feed(s, "job 2 1 now y");
    EXPECT(s, "2:1>inter.q@h");
    feed(s, "queue both.q@h 1 type 2");
    feed(s, "queue+ both.q@h 1 type 3");
    EXPECT(s, "1:2>both.q@h");
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_tasks_start_or_the_job_goes),
        cmocka_unit_test(what_one_that_goes_had_is_free_for_others),
        cmocka_unit_test(a_job_that_may_not_start_yet_goes),
        cmocka_unit_test(only_the_first_run_decides),
        cmocka_unit_test(a_run_that_ends_early_does_not_decide),
        cmocka_unit_test(a_job_that_such_an_end_cuts_has_its_turn_again),
        cmocka_unit_test(one_that_no_run_can_order_goes),
        cmocka_unit_test(one_that_does_not_fit_goes_although_the_run_is_full),
        cmocka_unit_test(a_refused_order_is_decided_anew),
        cmocka_unit_test(queues_are_for_one_kind_of_work_or_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
