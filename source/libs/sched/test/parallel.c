/* Tests of libs/sched/place/parallel.c and supply/pe.c: where parallel jobs go, what they wait for.
 * The object lines have the kind of parallel environments, 12. */
#include "libs/sched/test/feed.h"

static struct sched *three_hosts(const char *rule)
{
    struct sched *s = sched_new();
    char line[128];
    snprintf(line, sizeof line, "object 12 mpi slots 100 allocation_rule %s", rule);
    feed(s, line);
    feed(s, "queue all.q@a 4 pes mpi,smp");
    feed(s, "queue all.q@b 4 pes mpi");
    feed(s, "queue all.q@c 2 pes mpi");
    feed(s, "queue other.q@d 64");
    return s;
}

static void all_slots_on_one_host(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$pe_slots");
    feed(s, "job 1 0 pe mpi 3");
    feed(s, "job 2 0 pe mpi 3");
    feed(s, "job 3 0 pe mpi 1-9");
    EXPECT(s, "1:0>mpi:all.q@a=3 2:0>mpi:all.q@b=3 3:0>mpi:all.q@c=2");
    sched_free(s);
}

static void slots_fill_up_hosts(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$fill_up");
    feed(s, "job 1 0 pe mpi 9");
    EXPECT(s, "1:0>mpi:all.q@a=4,all.q@b=4,all.q@c=1");
    sched_free(s);
}

static void slots_go_round(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$round_robin");
    feed(s, "job 1 0 pe mpi 5");
    EXPECT(s, "1:0>mpi:all.q@a=2,all.q@b=2,all.q@c=1");
    sched_free(s);
}

static void so_many_on_each_host(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("3");
    feed(s, "job 1 0 pe mpi 1-100");
    feed(s, "job 2 0 pe mpi 2");
    EXPECT(s, "1:0>mpi:all.q@a=3,all.q@b=3");
    sched_free(s);
}

/* two slots on a host will do, one will not: what is given back elsewhere was what it lacked */
static void what_lacks_a_resource_of_the_cell_is_tried_when_that_comes_back(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "object 11 lic shortcut lic type INT relop <= requestable YES consumable YES default 0 "
            "urgency 0");
    feed(s, "object 12 mpi slots 100 allocation_rule 2");
    feed(s, "host global lic=2");
    feed(s, "queue all.q@a 2 pes mpi");
    feed(s, "queue other.q@b 1");
    feed(s, "job 1 0 q other.q l lic:1=1");
    EXPECT(s, "1:0>other.q@b");
    feed(s, "started 1 0 other.q@b 1 take lic=1");
    feed(s, "job 2 0 pe mpi 1-2 l lic:1=1");
    EXPECT(s, "");
    feed(s, "ended 1 0 other.q@b 1 take lic=1");
    EXPECT(s, "2:0>mpi:all.q@a=2");
    sched_free(s);
}

static void instances_of_a_host_count_together(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "object 12 smp slots 100 allocation_rule $pe_slots");
    feed(s, "queue one.q@a 2 pes smp");
    feed(s, "queue two.q@a 3 pes smp seq 1");
    feed(s, "queue one.q@b 4 pes smp seq 2");
    feed(s, "job 1 0 pe smp 5");
    EXPECT(s, "1:0>smp:one.q@a=2,two.q@a=3");
    sched_free(s);
}

static void an_environment_is_for_the_users_of_its_lists(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$pe_slots user_lists crew,gang xuser_lists gang");
    feed(s, "job 1 0 pe mpi 2");
    feed(s, "job 2 0 pe mpi 2 sets gang");
    feed(s, "job 3 0 pe mpi 2 sets crew");
    EXPECT(s, "3:0>mpi:all.q@a=2");
    feed(s, "object 12 mpi slots 100 allocation_rule $pe_slots xuser_lists gang");
    EXPECT(s, "1:0>mpi:all.q@b=2");
    feed(s, "job 2 0 pe mpi 2 sets none");
    EXPECT(s, "2:0>mpi:all.q@a=2");
    sched_free(s);
}

static void the_slots_of_an_environment_limit_all_its_tasks(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$fill_up");
    feed(s, "object 12 mpi slots 5 allocation_rule $fill_up");
    feed(s, "job 1 0-9 pe mpi 2");
    EXPECT(s, "1:0>mpi:all.q@a=2 1:1>mpi:all.q@b=2");
    assert_false(sched_has_work(s));
    feed(s, "started 1 0 pe mpi all.q@a 2");
    feed(s, "started 1 1 pe mpi all.q@b 2");
    feed(s, "ended 1 0 pe mpi all.q@a 2");
    EXPECT(s, "1:2>mpi:all.q@a=2");
    feed(s, "object 12 mpi slots 6 allocation_rule $fill_up");
    EXPECT(s, "1:3>mpi:all.q@a=2");
    sched_free(s);
}

static void an_unknown_environment_starts_nothing(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$fill_up");
    feed(s, "job 1 0 pe smp 2");
    EXPECT(s, "");
    feed(s, "object 12 smp slots 2 allocation_rule $pe_slots");
    EXPECT(s, "1:0>smp:all.q@a=2");
    feed(s, "delo 12 smp");
    feed(s, "job 2 0 pe smp 1");
    feed(s, "started 1 0 pe smp all.q@a 2");
    feed(s, "ended 1 0 pe smp all.q@a 2");
    EXPECT(s, "");
    sched_free(s);
}

static void a_pattern_takes_the_environment_with_most_slots(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$pe_slots");
    feed(s, "object 12 smp slots 9 allocation_rule $fill_up");
    feed(s, "queue+ all.q@b pes mpi,smp");
    feed(s, "job 1 0 pe *m* 1-9");
    feed(s, "job 2 0 pe * 2");
    EXPECT(s, "1:0>smp:all.q@a=4,all.q@b=4 2:0>mpi:all.q@c=2");
    sched_free(s);
}

static void the_master_goes_to_a_queue_of_its_own(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$fill_up");
    feed(s, "job 1 0 pe mpi 5 masterq *@c");
    feed(s, "job 2 0 pe mpi 1 masterq *@nowhere");
    EXPECT(s, "1:0>mpi:all.q@c=2,all.q@a=3");
    sched_free(s);
}

static void queues_are_left_out_from_the_next_run_on(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$fill_up");
    feed(s, "job 1 0-9 pe mpi 4 q all.q");
    feed(s, "queue+ all.q@a pes NONE");
    EXPECT(s, "1:0>mpi:all.q@b=4");
    feed(s, "queue+ all.q@a pes mpi");
    EXPECT(s, "1:1>mpi:all.q@a=4");
    sched_free(s);
}

/* what started with four slots gives back four, whatever its job asks for meanwhile */
static void a_task_gives_back_what_it_took(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$fill_up");
    feed(s, "object 12 mpi slots 6 allocation_rule $fill_up");
    feed(s, "job 1 0-2 pe mpi 6");
    EXPECT(s, "1:0>mpi:all.q@a=4,all.q@b=2");
    feed(s, "started 1 0 pe mpi all.q@a 4 all.q@b 2");
    feed(s, "mod 1 pe mpi 3");
    EXPECT(s, "");
    feed(s, "ended 1 0 pe mpi all.q@a 4 all.q@b 2");
    EXPECT(s, "1:1>mpi:all.q@a=3 1:2>mpi:all.q@b=3");
    sched_free(s);
}

static void an_order_that_is_refused_gives_all_places_back(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$fill_up");
    struct OR_Type_list orders = { 0 };
    feed(s, "job 1 0 pe mpi 10");
    assert_int_equal(sched_run(s, 1, 10, &orders), 1);
    sched_refused(s, &orders.v[0]);
    orders_clear(&orders);
    feed(s, "ready 1 0");
    EXPECT(s, "1:0>mpi:all.q@a=4,all.q@b=4,all.q@c=2");
    sched_free(s);
}

static void who_does_not_fit_is_in_nobodys_way(void **state SGE_UNUSED)
{
    struct sched *s = three_hosts("$fill_up");
    feed(s, "job 1 0 pe mpi 11 p 100");
    feed(s, "job 2 0-1 pe mpi 5");
    feed(s, "job 3 0 q other.q");
    EXPECT(s, "2:0>mpi:all.q@a=4,all.q@b=1 2:1>mpi:all.q@b=3,all.q@c=2 3:0>other.q@d");
    sched_free(s);
}

/* ---- cost ---- */
enum { HOSTS = 1000, SLOTS = 10 };

static struct sched *wide_cell(const char *rule)
{
    struct sched *s = sched_new();
    char line[128];
    snprintf(line, sizeof line, "object 12 mpi slots 9999999 allocation_rule %s", rule);
    feed(s, line);
    for (unsigned i = 0; i < HOSTS; i++) {
        snprintf(line, sizeof line, "queue all.q@n%04u %u pes mpi", i, SLOTS);
        feed(s, line);
    }
    return s;
}

static void a_wide_task_costs_its_hosts(void **state SGE_UNUSED)
{
    static const char *const rules[] = { "$fill_up", "$round_robin", "10" };
    for (unsigned i = 0; i < ARRAY_LEN(rules); i++) {
        struct sched *s = wide_cell(rules[i]);
        struct OR_Type_list orders = { 0 };
        feed(s, "job 1 0 pe mpi 10000");
        struct sched_work before = *sched_work(s);
        assert_int_equal(sched_run(s, 1, 10, &orders), 1);
        assert_int_equal(orders.v[0].OR_granted.n, HOSTS);
        assert_int_equal(allocation_slots(&orders.v[0].OR_granted), HOSTS * SLOTS);
        assert_int_equal(sched_work(s)->spots - before.spots, HOSTS);
        assert_true(sched_work(s)->compared - before.compared <= HOSTS * 50);
        orders_clear(&orders);
        sched_free(s);
    }
}

static void who_waits_for_a_whole_cell_costs_nothing_until_it_is_free(void **state SGE_UNUSED)
{
    struct sched *s = wide_cell("$fill_up");
    struct OR_Type_list orders = { 0 };
    feed(s, "job 1 0-99");
    feed(s, "job 2 0 pe mpi 10000");
    assert_int_equal(sched_run(s, 1, 1000, &orders), 100);
    struct sched_work before = *sched_work(s);
    for (uint32_t i = 0; i < orders.n; i++) {
        struct EV_Type e = { 0 };
        assert_false(sched_has_work(s));
        cull_set(&e, EV_kind, EV_TASKS_ENDED);
        cull_set(&e, EV_job_number, 1);
        range_set_copy(cull_ranges(&e, EV_ids), &orders.v[i].OR_ids);
        for (uint32_t k = 0; k < orders.v[i].OR_granted.n; k++)
            cull_copy(&cull_JG_Type, cull_append(&e, EV_granted), &orders.v[i].OR_granted.v[k]);
        assert_int_equal(sched_apply(s, &e, NULL), 0);
        cull_clear(&cull_EV_Type, &e);
    }
    assert_int_equal(sched_work(s)->spots - before.spots, 0);
    assert_true(sched_has_work(s));
    orders_clear(&orders);
    assert_int_equal(sched_run(s, 1, 1000, &orders), 1);
    orders_clear(&orders);
    sched_free(s);
}

static void a_run_is_bounded_by_places_too(void **state SGE_UNUSED)
{
    struct sched *s = wide_cell("1");
    struct OR_Type_list orders = { 0 };
    feed(s, "job 1 0-9 pe mpi 1000");
    assert_int_equal(sched_run(s, 1, 1500, &orders), 2);
    assert_true(sched_has_work(s));
    orders_clear(&orders);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_slots_on_one_host),
        cmocka_unit_test(slots_fill_up_hosts),
        cmocka_unit_test(slots_go_round),
        cmocka_unit_test(so_many_on_each_host),
        cmocka_unit_test(what_lacks_a_resource_of_the_cell_is_tried_when_that_comes_back),
        cmocka_unit_test(instances_of_a_host_count_together),
        cmocka_unit_test(an_environment_is_for_the_users_of_its_lists),
        cmocka_unit_test(the_slots_of_an_environment_limit_all_its_tasks),
        cmocka_unit_test(an_unknown_environment_starts_nothing),
        cmocka_unit_test(a_pattern_takes_the_environment_with_most_slots),
        cmocka_unit_test(the_master_goes_to_a_queue_of_its_own),
        cmocka_unit_test(queues_are_left_out_from_the_next_run_on),
        cmocka_unit_test(a_task_gives_back_what_it_took),
        cmocka_unit_test(an_order_that_is_refused_gives_all_places_back),
        cmocka_unit_test(who_does_not_fit_is_in_nobodys_way),
        cmocka_unit_test(a_wide_task_costs_its_hosts),
        cmocka_unit_test(who_waits_for_a_whole_cell_costs_nothing_until_it_is_free),
        cmocka_unit_test(a_run_is_bounded_by_places_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
