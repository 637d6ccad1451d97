/* Tests of libs/sched/match.c: which queue instances -q means (sge_types(1) wc_queue_list). */
#include "libs/sched/test/feed.h"

#include "libs/sched/match.h"

static void a_cluster_queue_means_all_its_instances(void **state SGE_UNUSED)
{
    assert_true(queue_request_match("all.q", "all.q@a"));
    assert_true(queue_request_match("all.q", "all.q@b"));
    assert_false(queue_request_match("all.q", "small.q@a"));
    assert_false(queue_request_match("all", "all.q@a"));
    assert_false(queue_request_match("all.q@", "all.q@a"));
}

static void patterns_match_cluster_queue_and_host_apart(void **state SGE_UNUSED)
{
    assert_true(queue_request_match("*", "all.q@a"));
    assert_true(queue_request_match("a*.q", "all.q@a"));
    assert_true(queue_request_match("all.q@node[12]", "all.q@node2"));
    assert_false(queue_request_match("all.q@node[12]", "all.q@node3"));
    assert_true(queue_request_match("*@node?", "x.q@node3"));
    assert_true(queue_request_match("a.q|b.q@h", "b.q@h"));
    assert_false(queue_request_match("*@h", "b.q@hh"));
    assert_false(queue_request_match("b*h", "b.q@hh"));
}

static void a_host_group_matches_nothing_yet(void **state SGE_UNUSED)
{
    assert_false(queue_request_match("all.q@@group", "all.q@a"));
    assert_false(queue_request_match("*@@*", "all.q@a"));
}

static void an_empty_list_means_every_queue(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };

    assert_true(queue_requests_match(&job.JB_hard_queue_list, "all.q@a"));
    queue_request(&job, "b.q");
    assert_false(queue_requests_match(&job.JB_hard_queue_list, "all.q@a"));
    queue_request(&job, "*@a");
    assert_true(queue_requests_match(&job.JB_hard_queue_list, "all.q@a"));
    cull_clear(&cull_JB_Type, &job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cluster_queue_means_all_its_instances),
        cmocka_unit_test(patterns_match_cluster_queue_and_host_apart),
        cmocka_unit_test(a_host_group_matches_nothing_yet),
        cmocka_unit_test(an_empty_list_means_every_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
