/* Who may use which queue instance: access lists in the scheduler (queue_conf(5) user_lists,
 * xuser_lists, projects, xprojects), and what they cost. */
#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

static void user_lists_let_in_who_is_of_one_of_them(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 4 acl crew");
    feed(s, "job 1 0-1 owner bob");
    feed(s, "job 2 0-1 owner alice sets crew");
    EXPECT(s, "2:0-1>all.q@a");
    assert_false(sched_has_work(s));
    sched_free(s);
}

static void xuser_lists_and_projects_keep_out(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue a.q@a 4 xacl gang");
    feed(s, "queue b.q@a 4 prj film");
    feed(s, "queue c.q@a 4 xprj film seq 9");
    feed(s, "job 1 0 owner bob sets gang project film q a.q");
    feed(s, "job 2 0 owner bob sets gang project film q b.q");
    feed(s, "job 3 0 owner bob sets gang project film q c.q");
    feed(s, "job 4 0 owner bob sets gang");
    EXPECT(s, "2:0>b.q@a 4:0>c.q@a");
    sched_free(s);
}

static void a_job_starts_when_a_door_opens(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 4 acl crew");
    feed(s, "job 1 0 owner bob");
    EXPECT(s, "");
    feed(s, "queue+ all.q@a acl none");
    EXPECT(s, "1:0>all.q@a");
    feed(s, "queue+ all.q@a acl crew");
    feed(s, "job 2 0 owner bob");
    EXPECT(s, "");
    feed(s, "mod 2 sets crew"); /* he is in the set now */
    EXPECT(s, "2:0>all.q@a");
    sched_free(s);
}

static void a_checkpointing_environment_is_where_ckpt_list_has_it(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue a.q@a 4 ckpts criu,other");
    feed(s, "queue b.q@a 4");
    feed(s, "job 1 0 owner bob ckpt criu");
    feed(s, "job 2 0 owner bob ckpt none_such");
    EXPECT(s, "1:0>a.q@a");
    feed(s, "queue+ b.q@a ckpts none_such"); /* the list changes: the job is asked again */
    EXPECT(s, "2:0>b.q@a");
    sched_free(s);
}

static void what_is_ordered_stays_when_a_door_closes(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 2");
    feed(s, "job 1 0-3 owner bob");
    EXPECT(s, "1:0-1>all.q@a");
    feed(s, "started 1 0-1 all.q@a");
    feed(s, "queue+ all.q@a acl crew");
    feed(s, "job 2 0-3 owner alice sets crew");
    EXPECT(s, "");
    feed(s, "ended 1 0 all.q@a");
    EXPECT(s, "2:0>all.q@a");
    sched_free(s);
}

static void a_change_of_the_project_is_a_change_of_places(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 4 prj film");
    feed(s, "job 1 0 owner bob project game");
    EXPECT(s, "");
    feed(s, "mod 1 project film");
    EXPECT(s, "1:0>all.q@a");
    sched_free(s);
}

enum { USERS = 10000 };

static void add_users_jobs(struct sched *s)
{
    char line[80];
    for (unsigned i = 1; i <= USERS; i++) {
        snprintf(line, sizeof line, "job %u 0 owner u%u sets %s", i, i,
                 i % 2 == 0 ? "crew" : "gang");
        feed(s, line);
    }
}

static void users_with_equal_rights_share_a_need(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 1 acl crew");
    add_users_jobs(s);
    assert_int_equal(HASH_COUNT(s->pending.groups), USERS);
    assert_int_equal(HASH_COUNT(s->cell.requests), 2);
    assert_int_equal(HASH_COUNT(s->pending.needs), 2);
    EXPECT(s, "2:0>all.q@a");
    feed(s, "started 2 0 all.q@a");
    EXPECT(s, "");
    uint64_t tried = sched_work(s)->tried, woken = sched_work(s)->woken;
    feed(s, "ended 2 0 all.q@a");
    EXPECT(s, "4:0>all.q@a");
    assert_int_equal(sched_work(s)->woken - woken, 1); /* not those whom it does not concern */
    assert_true(sched_work(s)->tried - tried <= 2);
    sched_free(s);
}

static void rights_that_make_no_difference_share_a_need(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    feed(s, "queue all.q@a 1");
    add_users_jobs(s);
    assert_int_equal(HASH_COUNT(s->pending.needs), 1);
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(user_lists_let_in_who_is_of_one_of_them),
        cmocka_unit_test(xuser_lists_and_projects_keep_out),
        cmocka_unit_test(a_job_starts_when_a_door_opens),
        cmocka_unit_test(a_checkpointing_environment_is_where_ckpt_list_has_it),
        cmocka_unit_test(what_is_ordered_stays_when_a_door_closes),
        cmocka_unit_test(a_change_of_the_project_is_a_change_of_places),
        cmocka_unit_test(users_with_equal_rights_share_a_need),
        cmocka_unit_test(rights_that_make_no_difference_share_a_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
