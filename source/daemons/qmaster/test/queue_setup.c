/* From cluster queues to instances: hosts and host groups of the hostlist, settings per host,
 * orphans. queue_conf(5), hostgroup(5). */
#include "daemons/qmaster/config/queue_setup.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/renewal.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"

/* a second execution host, durable; its execd never comes */
static void add_host(struct fixture *f, const char *name)
{
    struct host *h = hosts_add(&f->q.hosts, name);
    change_record(&f->q, SPOOL_HOST, name, &cull_EH_Type, &h->rec);
    queue_resolve_all(&f->q);
}

static struct qinstance *find_instance(struct fixture *f, const char *name)
{
    return queues_instance(&f->q.queues, name);
}

static uint32_t state_of(struct fixture *f, const char *name)
{
    assert_non_null(find_instance(f, name));
    return find_instance(f, name)->rec.QU_state;
}

static void a_queue_is_on_the_hosts_of_its_list(void **state)
{
    struct fixture *f = *state;
    add_host(f, "node2");
    assert_non_null(find_instance(f, "all.q@node1"));
    assert_null(find_instance(f, "all.q@node2"));
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2"));
    assert_non_null(find_instance(f, "all.q@node2"));
    assert_true(fixture_set_queue(f, "hostlist", "node2"));
    assert_null(find_instance(f, "all.q@node1"));
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    assert_null(find_instance(f, "all.q@node2"));
}

static void groups_mean_their_hosts_through_other_groups(void **state)
{
    struct fixture *f = *state;
    add_host(f, "node2");
    fixture_set_group(f, "@inner", "node2");
    fixture_set_group(f, "@outer", "@inner, node3");
    assert_true(fixture_set_queue(f, "hostlist", "@outer"));
    assert_non_null(find_instance(f, "all.q@node2"));
    assert_null(find_instance(f, "all.q@node1"));
    assert_null(find_instance(f, "all.q@node3")); /* no execution host */
    fixture_set_group(f, "@inner", "node1");
    assert_null(find_instance(f, "all.q@node2"));
    assert_non_null(find_instance(f, "all.q@node1"));
}

static void a_group_that_is_in_itself_is_refused(void **state)
{
    struct fixture *f = *state;
    assert_false(fixture_put_group(f, "@self", "node1 @self @self"));
    assert_string_equal(dstr_get(&f->said),
                        "host group \"@self\" contains itself, directly or through other groups");
    assert_true(fixture_put_group(f, "@b", "node1"));
    assert_true(fixture_put_group(f, "@a", "@b"));
    assert_true(fixture_set_queue(f, "hostlist", "@a"));
    assert_false(fixture_put_group(f, "@b", "@a"));
    assert_non_null(find_instance(f, "all.q@node1"));
}

/* as a spool of before may have them */
static void groups_that_hold_each_other_end(void **state)
{
    struct fixture *f = *state;
    static const char *const groups[][2] = { { "@a", "@b @b" }, { "@b", "@a @a node1" } };
    for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
        struct TX_Type tx = { 0 };
        cull_set(&tx, TX_kind, (uint32_t)GDI_HOSTGROUP);
        cull_set(&tx, TX_name, groups[i][0]);
        struct VA_Type *va = cull_append(&tx, TX_entries);
        cull_set(va, VA_variable, "hostlist");
        cull_set(va, VA_value, groups[i][1]);
        settings_put_text(&f->q.settings, &tx);
    }
    assert_true(fixture_set_queue(f, "hostlist", "@a"));
    assert_non_null(find_instance(f, "all.q@node1"));
}

/* 8 ways from each of 15 groups to the next are 8^14 paths, but 15 groups */
static void groups_cost_no_more_than_their_words_whatever_the_ways_between_them(void **state)
{
    struct fixture *f = *state;
    char name[16], inside[128];
    for (int i = 15; i > 0; i--) {
        size_t len = 0;
        for (int k = 0; k < 8; k++)
            len += (size_t)snprintf(inside + len, sizeof inside - len,
                                    i < 15 ? "@g%d " : "other%d ", i + 1);
        snprintf(name, sizeof name, "@g%d", i);
        assert_true(fixture_put_group(f, name, inside));
    }
    assert_true(fixture_set_queue(f, "hostlist", "@g1"));
    assert_null(find_instance(f, "all.q@node1"));
    assert_true(fixture_put_group(f, "@g15", "node1"));
    assert_non_null(find_instance(f, "all.q@node1"));
    assert_true(fixture_put_group(f, "@h", "node1"));
    assert_true(fixture_put_group(f, "@g15", "@h"));
    assert_false(fixture_put_group(f, "@top1", "@g1"));
    assert_string_equal(dstr_get(&f->said),
                        "host group \"@top1\" is nested more than 16 levels deep");
}

static void a_group_that_changes_concerns_those_who_come_and_go(void **state)
{
    struct fixture *f = *state;
    add_host(f, "node2");
    fixture_commit(f);
    uint64_t before = find_instance(f, "all.q@node1")->changed;
    fixture_set_group(f, "@allhosts", "node2 node1");
    assert_true(find_instance(f, "all.q@node2")->changed > before);
    assert_int_equal(f->q.queues.changed, find_instance(f, "all.q@node2")->changed);
    assert_int_equal(find_instance(f, "all.q@node1")->changed, before);
    uint64_t came = find_instance(f, "all.q@node2")->changed;
    fixture_commit(f);
    fixture_set_group(f, "@others", "node1");
    assert_true(find_instance(f, "all.q@node1")->changed > came); /* it is in one more group */
    assert_int_equal(find_instance(f, "all.q@node2")->changed, came);
}

/* queue_conf(5): what is equal on many hosts is kept once */
static void instances_share_what_is_equal(void **state)
{
    struct fixture *f = *state;
    add_host(f, "node2");
    add_host(f, "node3");
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2 node3"));
    assert_true(fixture_set_queue(f, "slots", "4,[node3=8]"));
    const struct qinstance *a = find_instance(f, "all.q@node2"),
                           *b = find_instance(f, "all.q@node3");
    assert_ptr_equal(a->settings, find_instance(f, "all.q@node1")->settings);
    assert_ptr_not_equal(a->settings, b->settings);
    assert_ptr_equal(a->groups, b->groups);
    assert_ptr_equal(a->rec.QU_qname, b->rec.QU_qname);
    assert_true(sizeof *a + strlen(a->rec.QU_full_name) <= 600);
    fixture_set_group(f, "@some", "node3");
    assert_ptr_not_equal(a->groups, b->groups);
    assert_true(fixture_set_queue(f, "slots", "4"));
    assert_ptr_equal(a->settings, b->settings);
}

/* what -q all.q@@group is compared with */
static void an_instance_knows_the_groups_of_its_host(void **state)
{
    struct fixture *f = *state;
    const struct ST_Type_list *groups = &fixture_queue(f)->rec.QU_hostgroups;
    assert_int_equal(groups->n, 1);
    assert_string_equal(groups->v[0].ST_name, "@allhosts");
    fixture_set_group(f, "@inner", "node1");
    fixture_set_group(f, "@outer", "@inner, node3");
    fixture_set_group(f, "@others", "node3");
    groups = &fixture_queue(f)->rec.QU_hostgroups;
    assert_int_equal(groups->n, 3);
    assert_string_equal(groups->v[2].ST_name, "@outer");
    fixture_set_group(f, "@inner", "node2");
    assert_int_equal(fixture_queue(f)->rec.QU_hostgroups.n, 1);
}

static void a_queue_names_nothing_that_is_not_there(void **state)
{
    struct fixture *f = *state;
    assert_false(fixture_set_queue(f, "hostlist", "@nobody"));
    assert_string_equal(dstr_get(&f->said), "denied: host group \"@nobody\" does not exist");
    assert_false(fixture_set_queue(f, "slots", "4,[@nobody=8]"));
    assert_string_equal(dstr_get(&f->said), "denied: host group \"@nobody\" does not exist");
    assert_false(fixture_set_queue(f, "pe_list", "smp,[node1=smp omp]"));
    assert_string_equal(dstr_get(&f->said), "Parallel environment \"omp\" does not exist");
    assert_true(fixture_set_queue(f, "pe_list", "smp,[node1=mpi smp]"));
    assert_non_null(find_instance(f, "all.q@node1"));
}

static void settings_in_brackets_are_for_their_host(void **state)
{
    struct fixture *f = *state;
    add_host(f, "node2");
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2"));
    assert_true(fixture_set_queue(f, "slots", "4,[node2=8]"));
    assert_int_equal(find_instance(f, "all.q@node1")->rec.QU_job_slots, 4);
    assert_int_equal(find_instance(f, "all.q@node2")->rec.QU_job_slots, 8);
    fixture_set_group(f, "@big", "node1");
    assert_true(fixture_set_queue(f, "slots", "4,[@big=16]"));
    assert_int_equal(find_instance(f, "all.q@node1")->rec.QU_job_slots, 16);
    assert_int_equal(find_instance(f, "all.q@node2")->rec.QU_job_slots, 4);
}

/* "c" in qstat -f, and why in qstat -explain c */
static void groups_that_contradict_each_other_are_told_while_they_do(void **state)
{
    struct fixture *f = *state;
    fixture_set_group(f, "@a", "node1");
    fixture_set_group(f, "@b", "node1");
    assert_true(fixture_set_queue(f, "slots", "4,[@a=5],[@b=6]"));
    assert_true(state_of(f, "all.q@node1") & QI_AMBIGUOUS);
    assert_non_null(strstr(fixture_queue(f)->rec.QU_message, "\"slots\""));
    assert_true(fixture_set_queue(f, "slots", "4,[@a=5]"));
    assert_int_equal(state_of(f, "all.q@node1"), 0);
    assert_null(fixture_queue(f)->rec.QU_message);
}

static void what_people_did_to_an_instance_outlives_a_change(void **state)
{
    struct fixture *f = *state;
    struct qinstance *qi = fixture_queue(f);
    uint32_t a = submit(f);
    fixture_start(f, a, 1);
    cull_set(&qi->rec, QU_state, (uint32_t)(QI_DISABLED | QI_ERROR));
    cull_set(&qi->rec, QU_message, "prolog failed");
    assert_true(fixture_set_queue(f, "slots", "7"));
    qi = fixture_queue(f);
    assert_int_equal(qi->rec.QU_state, QI_DISABLED | QI_ERROR);
    assert_string_equal(qi->rec.QU_message, "prolog failed");
    assert_int_equal(qi->rec.QU_slots_used, 1);
    assert_int_equal(qi->rec.QU_job_slots, 7);
}

static void an_instance_with_tasks_stays_as_an_orphan_until_they_end(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    fixture_start(f, a, 1);
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    assert_int_equal(state_of(f, "all.q@node1"), QI_ORPHANED);
    assert_false(qinstance_may_start(fixture_queue(f)));
    queue_drop_orphans(&f->q);
    assert_non_null(find_instance(f, "all.q@node1"));
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    queue_drop_orphans(&f->q);
    assert_null(find_instance(f, "all.q@node1"));
}

/* whatever other instances there are */
static void only_orphans_that_their_last_task_has_left_are_looked_at(void **state)
{
    struct fixture *f = *state;
    add_host(f, "node2");
    uint32_t a = submit(f, .tasks = "1-2");
    fixture_start(f, a, 1);
    assert_true(fixture_set_queue(f, "hostlist", "node2"));
    assert_null(LIST_FIRST(&f->q.queues.emptied));
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    const struct qinstance *emptied = LIST_FIRST(&f->q.queues.emptied);
    assert_ptr_equal(emptied, find_instance(f, "all.q@node1"));
    assert_null(LIST_NEXT(emptied, in_emptied));
    queue_drop_orphans(&f->q);
    assert_null(LIST_FIRST(&f->q.queues.emptied));
    assert_non_null(find_instance(f, "all.q@node2"));
}

static void an_emptied_orphan_may_go_by_another_way_first(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    fixture_start(f, a, 1);
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    assert_true(remove_queue(&f->q, 0, queues_cqueue(&f->q.queues, "all.q")));
    assert_null(LIST_FIRST(&f->q.queues.emptied));
    queue_drop_orphans(&f->q);
}

static void an_orphan_that_is_wanted_again_is_none(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    fixture_start(f, a, 1);
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    assert_true(fixture_set_queue(f, "hostlist", "@allhosts"));
    assert_int_equal(state_of(f, "all.q@node1"), 0);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1);
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    queue_drop_orphans(&f->q);
    assert_non_null(find_instance(f, "all.q@node1"));
}

static void a_task_in_an_orphan_ends_well_after_a_restart(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    fixture_start(f, a, 1);
    fixture_report(f, a, 1, REPORT_STARTED, 0);
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    cull_set(&fixture_queue(f)->rec, QU_state, (uint32_t)(QI_ORPHANED | QI_SUSPENDED));
    change_record(&f->q, SPOOL_QINSTANCE, "all.q@node1", &cull_QU_Type, &fixture_queue(f)->rec);
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(state_of(f, "all.q@node1"), QI_ORPHANED | QI_SUSPENDED);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1);
    assert_int_equal(fixture_job(f, a)->rare->n_running, 1);
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    assert_int_equal(fixture_job(f, a)->rare->n_running, 0);
    queue_drop_orphans(&f->q);
    assert_null(find_instance(f, "all.q@node1"));
    fixture_commit(f);
    char *text = fixture_accounting(f);
    assert_non_null(strstr(text, "all.q:node1:"));
    free(text);
}

/* the spool is damaged beyond what we write; but the qmaster starts and the task can be ended */
static void a_task_whose_queue_is_nowhere_holds_no_slots(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    fixture_start(f, a, 1);
    change_record_gone(&f->q, SPOOL_CQUEUE, "all.q");
    fixture_commit(f);
    fixture_restart(f);
    assert_null(find_instance(f, "all.q@node1"));
    assert_int_equal(fixture_job(f, a)->rare->n_running, 0);
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    assert_null(jobs_find(&f->q.jobs, a));
}

static void a_queue_in_use_is_not_dropped(void **state)
{
    struct fixture *f = *state;
    struct cqueue *cq = queues_cqueue(&f->q.queues, "all.q");
    uint32_t a = submit(f);
    fixture_start(f, a, 1);
    assert_false(remove_queue(&f->q, 0, cq));
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    assert_false(
        remove_queue(&f->q, 0, queues_cqueue(&f->q.queues, "all.q"))); /* nor as an orphan */
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    assert_true(remove_queue(&f->q, 0, queues_cqueue(&f->q.queues, "all.q")));
    assert_null(find_instance(f, "all.q@node1"));
    fixture_commit(f);
    fixture_restart(f);
    assert_null(queues_cqueue(&f->q.queues, "all.q"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_queue_is_on_the_hosts_of_its_list),
        TEST(groups_mean_their_hosts_through_other_groups),
        TEST(a_group_that_is_in_itself_is_refused),
        TEST(groups_that_hold_each_other_end),
        TEST(groups_cost_no_more_than_their_words_whatever_the_ways_between_them),
        TEST(a_group_that_changes_concerns_those_who_come_and_go),
        TEST(instances_share_what_is_equal),
        TEST(an_instance_knows_the_groups_of_its_host),
        TEST(a_queue_names_nothing_that_is_not_there),
        TEST(settings_in_brackets_are_for_their_host),
        TEST(groups_that_contradict_each_other_are_told_while_they_do),
        TEST(what_people_did_to_an_instance_outlives_a_change),
        TEST(an_instance_with_tasks_stays_as_an_orphan_until_they_end),
        TEST(only_orphans_that_their_last_task_has_left_are_looked_at),
        TEST(an_emptied_orphan_may_go_by_another_way_first),
        TEST(an_orphan_that_is_wanted_again_is_none),
        TEST(a_task_in_an_orphan_ends_well_after_a_restart),
        TEST(a_task_whose_queue_is_nowhere_holds_no_slots),
        TEST(a_queue_in_use_is_not_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
