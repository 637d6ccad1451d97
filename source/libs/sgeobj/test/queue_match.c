/* Which queue instances -q means (sge_types(1) wc_queue_list). */
#include "libs/sgeobj/queue_match.h"

#include "libs/sgeobj/test/event_lines.h"

static void a_cluster_queue_means_all_its_instances(void **state SGE_UNUSED)
{
    assert_true(queue_match("all.q", "all.q@a", NULL));
    assert_true(queue_match("all.q", "all.q@b", NULL));
    assert_false(queue_match("all.q", "small.q@a", NULL));
    assert_false(queue_match("all", "all.q@a", NULL));
    assert_false(queue_match("all.q@", "all.q@a", NULL));
}

static void patterns_match_cluster_queue_and_host_apart(void **state SGE_UNUSED)
{
    assert_true(queue_match("*", "all.q@a", NULL));
    assert_true(queue_match("a*.q", "all.q@a", NULL));
    assert_true(queue_match("all.q@node[12]", "all.q@node2", NULL));
    assert_false(queue_match("all.q@node[12]", "all.q@node3", NULL));
    assert_true(queue_match("*@node?", "x.q@node3", NULL));
    assert_true(queue_match("a.q|b.q@h", "b.q@h", NULL));
    assert_false(queue_match("*@h", "b.q@hh", NULL));
    assert_false(queue_match("b*h", "b.q@hh", NULL));
}

static void a_host_group_means_the_queues_on_its_hosts(void **state SGE_UNUSED)
{
    struct QU_Type queue = { 0 };
    struct ST_Type *in = cull_append(&queue, QU_hostgroups);
    cull_set(in, ST_name, "@big");
    in = cull_append(&queue, QU_hostgroups);
    cull_set(in, ST_name, "@allhosts");
    const struct ST_Type_list *groups = &queue.QU_hostgroups;
    assert_true(queue_match("all.q@@allhosts", "all.q@a", groups));
    assert_true(queue_match("*@@b*", "all.q@a", groups));
    assert_true(queue_match("all.q@@small|@big", "all.q@a", groups));
    assert_false(queue_match("b.q@@big", "all.q@a", groups));
    assert_false(queue_match("all.q@@small", "all.q@a", groups));
    assert_false(queue_match("all.q@big", "all.q@a", groups)); /* a host of that name */
    assert_false(queue_match("all.q@@a", "all.q@a", groups));
    assert_false(queue_match("*@@*", "all.q@a", NULL));
    cull_clear(&cull_QU_Type, &queue);
}

static void queue_and_host_are_expressions_apart(void **state SGE_UNUSED)
{
    struct QU_Type queue = { 0 };
    cull_set(cull_append(&queue, QU_hostgroups), ST_name, "@slow");
    cull_set(cull_append(&queue, QU_hostgroups), ST_name, "@allhosts");
    const struct ST_Type_list *groups = &queue.QU_hostgroups;
    assert_true(queue_match("*@!(bad*|old*)", "all.q@new1", NULL));
    assert_false(queue_match("*@!(bad*|old*)", "all.q@old1", NULL));
    assert_true(queue_match("(a.q|b.q)&!b.q@h*&!h2", "a.q@h1", NULL));
    assert_false(queue_match("(a.q|b.q)&!b.q@h*&!h2", "b.q@h1", NULL));
    assert_false(queue_match("(a.q|b.q)&!b.q@h*&!h2", "a.q@h2", NULL));
    assert_true(queue_match("!a.q", "b.q@h", NULL));
    assert_false(queue_match("*@!NODE1", "all.q@node1.example.org", NULL)); /* host names */
    assert_true(queue_match("*@!@fast", "all.q@h", groups));
    assert_false(queue_match("*@!@slow", "all.q@h", groups));
    assert_false(queue_match("*@!(@slow|h)", "all.q@h", groups));
    assert_true(queue_match("*@h&@slow", "all.q@h", groups));
    assert_true(queue_match("*@@!fast", "all.q@h", groups));    /* of another group */
    assert_true(queue_match("*@@s*&!fast", "all.q@h", groups)); /* of one such group */
    cull_clear(&cull_QU_Type, &queue);
}

static void an_empty_list_means_every_queue(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };

    assert_true(queue_match_any(&job.JB_hard_queue_list, "all.q@a", NULL));
    queue_request(&job, "b.q");
    assert_false(queue_match_any(&job.JB_hard_queue_list, "all.q@a", NULL));
    queue_request(&job, "*@a");
    assert_true(queue_match_any(&job.JB_hard_queue_list, "all.q@a", NULL));
    cull_clear(&cull_JB_Type, &job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cluster_queue_means_all_its_instances),
        cmocka_unit_test(patterns_match_cluster_queue_and_host_apart),
        cmocka_unit_test(a_host_group_means_the_queues_on_its_hosts),
        cmocka_unit_test(queue_and_host_are_expressions_apart),
        cmocka_unit_test(an_empty_list_means_every_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
