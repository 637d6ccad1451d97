/* Slots of tasks with an allocation of two queue instances: taken, kept through a restart, given
 * back. */
#include "daemons/qmaster/jobs/slots.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"

/* all.q is on node1 and node2 */
static int set_up(void **state)
{
    int rc = fixture_setup(state);
    if (rc != 0)
        return rc;
    struct fixture *f = *state;
    hosts_add(&f->q.hosts, "node2");
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2"));
    change_record(&f->q, SPOOL_HOST, "node2", &cull_EH_Type,
                  &hosts_find(&f->q.hosts, "node2")->rec);
    fixture_commit(f);
    return 0;
}

static struct qinstance *other_queue(struct fixture *f)
{
    struct qinstance *qi = queues_instance(&f->q.queues, "all.q@node2");
    assert_non_null(qi);
    return qi;
}

/* task 1 of a new job of two starts with 3 slots on node1, where it runs, and 2 on node2 */
static uint32_t start_on_both(struct fixture *f)
{
    uint32_t job = submit(f, .tasks = "1-2");
    struct place both[] = { { .qi = fixture_queue(f), .slots = 3 },
                            { .qi = other_queue(f), .slots = 2 } };
    task_start(&f->q, fixture_job(f, job), 0, &(struct places){ .v = both, .n = ARRAY_LEN(both) },
               0.5);
    return job;
}

static void expect_used(struct fixture *f, uint32_t on_node1, uint32_t on_node2)
{
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, on_node1);
    assert_int_equal(other_queue(f)->rec.QU_slots_used, on_node2);
}

static void a_task_has_slots_in_all_its_queue_instances_until_it_ends(void **state)
{
    struct fixture *f = *state;
    uint32_t job = start_on_both(f);
    expect_used(f, 3, 2);
    assert_int_equal(fixture_job(f, job)->rare->n_running, 1);
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    expect_used(f, 0, 0);
    assert_int_equal(fixture_job(f, job)->rare->n_running, 0);
}

static void whoever_starts_again_elsewhere_has_only_the_new_slots(void **state)
{
    struct fixture *f = *state;
    uint32_t job = start_on_both(f);
    fixture_report(f, job, 1, REPORT_ENDED, TASK_FAILED_RESCHEDULE);
    expect_used(f, 0, 0);
    fixture_start(f, job, 1);
    expect_used(f, 1, 0);
    assert_int_equal(fixture_task(f, job, 1)->rec.JAT_granted_destin_identifier_list.n, 1);
}

static void slots_outlive_a_restart(void **state)
{
    struct fixture *f = *state;
    uint32_t job = start_on_both(f);
    fixture_commit(f);
    fixture_restart(f);
    expect_used(f, 3, 2);
    const struct JAT_Type *rec = &fixture_task(f, job, 1)->rec;
    assert_string_equal(allocation_queue(&rec->JAT_granted_destin_identifier_list), "all.q@node1");
    assert_int_equal(allocation_slots(&rec->JAT_granted_destin_identifier_list), 5);
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    expect_used(f, 0, 0);
}

static struct text_object *put_pe(struct fixture *f, const char *start, const char *stop)
{
    struct TX_Type tx = { 0 };
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    object_template(rules, "mpi", &tx);
    assert_int_equal(object_set(rules, &tx, "start_proc_args", start, NULL), 0);
    assert_int_equal(object_set(rules, &tx, "stop_proc_args", stop, NULL), 0);
    return settings_put_text(&f->q.settings, &tx);
}

static void what_a_task_starts_with_of_its_environment_stays_with_it(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit(f, .tasks = "1-2");
    struct place place = { .qi = fixture_queue(f), .slots = 1 };
    struct places places = { .v = &place, .n = 1, .pe = put_pe(f, "/pe/start", "NONE") };
    task_start(&f->q, fixture_job(f, job), 0, &places, 0.5);
    fixture_commit(f);
    fixture_restart(f);
    places.pe = put_pe(f, "NONE", "/pe/stop now");
    place.qi = fixture_queue(f);
    task_start(&f->q, fixture_job(f, job), 1, &places, 0.5);
    const struct JG_Type_list *before =
        &fixture_task(f, job, 1)->rec.JAT_granted_destin_identifier_list;
    const struct JG_Type_list *after =
        &fixture_task(f, job, 2)->rec.JAT_granted_destin_identifier_list;
    assert_string_equal(allocation_pe_start(before), "/pe/start");
    assert_null(allocation_pe_stop(before));
    assert_null(allocation_pe_start(after));
    assert_string_equal(allocation_pe_stop(after), "/pe/stop now");
}

static void a_queue_instance_stays_while_a_task_of_another_host_has_slots_in_it(void **state)
{
    struct fixture *f = *state;
    uint32_t job = start_on_both(f);
    assert_true(fixture_set_queue(f, "hostlist", "node1"));
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(other_queue(f)->rec.QU_state, QI_ORPHANED);
    expect_used(f, 3, 2);
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    queue_drop_orphans(&f->q);
    assert_null(queues_instance(&f->q.queues, "all.q@node2"));
}

static void the_first_host_hears_of_the_whole_allocation(void **state)
{
    struct fixture *f = *state;
    uint32_t n = 0;
    start_on_both(f);
    fixture_commit(f);
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct XM_Type m = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].kind != GDI_FRAME_EXEC)
            continue;
        assert_int_equal(f->sent[i].conn, fixture_queue(f)->host->conn);
        assert_int_equal(cull_unpack(&u, &cull_XM_Type, NULL, NULL, &m, NULL), 0);
        const struct JG_Type_list *granted = &m.XM_tasks.v[0].JAT_granted_destin_identifier_list;
        assert_int_equal(granted->n, 2);
        assert_string_equal(granted->v[1].JG_qhostname, "node2");
        assert_int_equal(granted->v[1].JG_slots, 2);
        cull_clear(&cull_XM_Type, &m);
        n++;
    }
    assert_int_equal(n, 1);
}

static void accounting_names_the_first_and_counts_all_slots(void **state)
{
    struct fixture *f = *state;
    uint32_t job = start_on_both(f);
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    fixture_commit(f);
    char *line = fixture_accounting(f), *rest = line, *field = NULL;
    for (int i = 0; i < 35; i++) {
        field = strsep(&rest, ":");
        if (i == 0)
            assert_string_equal(field, "all.q");
        if (i == 1)
            assert_string_equal(field, "node1");
    }
    assert_string_equal(field, "5");
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, fixture_teardown)
        TEST(a_task_has_slots_in_all_its_queue_instances_until_it_ends),
        TEST(whoever_starts_again_elsewhere_has_only_the_new_slots),
        TEST(slots_outlive_a_restart),
        TEST(what_a_task_starts_with_of_its_environment_stays_with_it),
        TEST(a_queue_instance_stays_while_a_task_of_another_host_has_slots_in_it),
        TEST(the_first_host_hears_of_the_whole_allocation),
        TEST(accounting_names_the_first_and_counts_all_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
