/* Queues and hosts of the administrator: what is refused and with which words, what follows from a
 * change. qconf(1); captured texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "daemons/qmaster/reports/reports.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/config_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/conf.h"

/* ---- queues ---- */
static void queues_come_change_and_go(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_queue(f, add_config_request, "two.q"),
                        "boss@node1 added \"two.q\" to cluster queue list");
    assert_string_equal(put_queue(f, add_config_request, "two.q"),
                        "cluster queue \"two.q\" already exists");
    assert_string_equal(put_queue(f, mod_config_request, "two.q"),
                        "boss@node1 modified \"two.q\" in cluster queue list");
    assert_string_equal(put_queue(f, mod_config_request, "nope.q"),
                        "denied: cluster queue \"nope.q\" does not exist");
    restart_qmaster(f);
    assert_int_equal(count_objects(f, GDI_CQUEUE, "two.q"), 1);
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "two.q"),
                        "boss@node1 removed \"two.q\" from cluster queue list");
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "two.q"),
                        "denied: cluster queue \"two.q\" does not exist");
    restart_qmaster(f);
    assert_int_equal(count_objects(f, GDI_CQUEUE, "two.q"), 0);
}

static void a_queue_in_use_stays(void **state)
{
    struct fixture *f = *state;
    fixture_start(f, submit(f), 1);
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "all.q"),
                        "cluster queue \"all.q\" has running tasks; it cannot be removed");
    assert_int_equal(count_objects(f, GDI_CQUEUE, NULL), 1);
}

static void a_queue_that_is_not_whole_changes_nothing(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct CQ_Type *cq = cull_append(&gr, GR_cqueues);
    cull_set(cq, CQ_name, "all.q");
    assert_string_equal(ask_as(f, "boss", mod_config_request, GDI_CQUEUE, &gr),
                        "required attribute \"hostlist\" is missing");
    assert_int_equal(fixture_queue(f)->rec.QU_job_slots, 100);
}

static const char *set_queue(struct fixture *f, const char *attr, const char *value)
{
    (void)fixture_set_queue(f, attr, value);
    return dstr_get(&f->said);
}

static void who_sets_what_nothing_obeys_yet_hears_it_once(void **state)
{
    struct fixture *f = *state;
    static const char modified[] = "boss@node1 modified \"all.q\" in cluster queue list";
    assert_string_equal(set_queue(f, "min_cpu_interval", "00:06:00"), modified);
    assert_string_equal(set_queue(f, "slots", "7"), modified);
    assert_string_equal(set_queue(f, "notify", "00:00:60,[node1=00:01:30]"), modified);
    assert_string_equal(set_queue(f, "complex_values", "slots=2"), modified);
    assert_string_equal(set_queue(f, "load_thresholds", "np_load_avg=1.75"), modified);
    assert_string_equal(put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER,
                                 "reprioritize_interval", "0:2:0"),
                        "attribute \"reprioritize_interval\" is stored, but has no effect "
                        "yet\nchanged scheduler configuration");
    assert_string_equal(put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER,
                                 "reprioritize_interval", "0:0:0"),
                        "changed scheduler configuration");
    assert_string_equal(put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_u_jobs", "5"),
                        "boss@node1 modified \"global\" in configuration list");
}

static void names_of_objects_that_do_not_exist_are_refused(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(set_queue(f, "xuser_lists", "crew"), "Userset \"crew\" does not exist");
    assert_string_equal(set_queue(f, "user_lists", "NONE,[node1=crew]"),
                        "Userset \"crew\" does not exist");
    assert_string_equal(set_queue(f, "calendar", "night"), "Calendar \"night\" does not exist");
    assert_string_equal(set_queue(f, "ckpt_list", "blcr"),
                        "Checkpointing environment \"blcr\" does not exist");
    assert_string_equal(set_queue(f, "projects", "film"), "Project \"film\" does not exist");
    assert_string_equal(
        set_queue(f, "subordinate_list", "all.q=1,low.q=2"),
        "Subordinated cluster queue \"low.q\" referenced in \"all.q\" does not exist");
    assert_string_equal(set_queue(f, "complex_values", "lic=1"),
                        "Complex attribute \"lic\" does not exist");
    put_object(f, add_config_request, GDI_USERSET, "crew", NULL, NULL);
    assert_string_equal(set_queue(f, "xuser_lists", "crew"),
                        "boss@node1 modified \"all.q\" in cluster queue list");
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "xuser_lists", "crew gang"),
        "Userset \"gang\" does not exist");
    assert_string_equal(
        conf_get(&settings_conf(&f->q.settings, CONF_GLOBAL)->rec, NULL, "xuser_lists"), "none");
}

/* ---- hosts ---- */
static void hosts_come_change_and_go(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_host(f, add_config_request, "node9", "NONE"),
                        "can't resolve hostname \"node9\"");
    assert_string_equal(put_host(f, mod_config_request, "node9", "NONE"),
                        "denied: exechost \"node9\" does not exist");
    assert_string_equal(put_host(f, add_config_request, "node1", "NONE"),
                        "exechost \"node1\" already exists");
    assert_string_equal(put_host(f, mod_config_request, "node1", "render"),
                        "Project \"render\" does not exist");
    put_object(f, add_config_request, GDI_PROJECT, "render", NULL, NULL);
    assert_string_equal(put_host(f, mod_config_request, "node1", "render"),
                        "boss@node1 modified \"node1\" in exechost list");
    assert_string_equal(put_host(f, mod_config_request, "node1", "render"),
                        "boss@node1 modified \"node1\" in exechost list");
    restart_qmaster(f);
    assert_string_equal(hosts_find(&f->q.hosts, "node1")->rec.EH_text_projects, "render");
    assert_string_equal(delete_as(f, "boss", GDI_EXECHOST, "node1"),
                        "Host object \"node1\" is still referenced in cluster queue \"all.q\".");
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    assert_string_equal(delete_as(f, "boss", GDI_EXECHOST, "node1"),
                        "Host object \"node1\" is still referenced in host group \"@allhosts\".");
    put_object(f, mod_config_request, GDI_HOSTGROUP, "@allhosts", "hostlist", "NONE");
    assert_string_equal(delete_as(f, "boss", GDI_EXECHOST, "node1"),
                        "boss@node1 removed \"node1\" from exechost list");
    assert_string_equal(delete_as(f, "boss", GDI_EXECHOST, "node1"),
                        "denied: exechost \"node1\" does not exist");
    assert_string_equal(put_host(f, add_config_request, "node1", "NONE"),
                        "boss@node1 added \"node1\" to exechost list");
}

static void the_execd_of_a_host_that_goes_is_sent_away(void **state)
{
    struct fixture *f = *state;
    struct connection *execd = fixture_connection(f, "root");
    struct XM_Type load = { 0 };
    struct packer p = { 0 };
    assert_ptr_equal(execd->execd_of, hosts_find(&f->q.hosts, "node1"));
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    put_object(f, mod_config_request, GDI_HOSTGROUP, "@allhosts", "hostlist", "NONE");
    delete_as(f, "boss", GDI_EXECHOST, "node1");
    assert_int_equal(f->last_closed, execd->conn);
    assert_null(execd->execd_of);
    cull_set(&load, XM_kind, (uint32_t)EXEC_LOAD); /* it does not know yet */
    cull_pack(&p, &cull_XM_Type, &load, NULL);
    struct frame frame = { .kind = GDI_FRAME_EXEC, .body = p.data, .len = p.len };
    exec_handle(&f->q, execd, &frame);
    exec_on_closed(&f->q, execd);
    packer_free(&p);
    cull_clear(&cull_XM_Type, &load);
    assert_int_equal(count_objects(f, GDI_EXECHOST, NULL), 0);
}

static void a_host_shows_whether_its_execd_is_here(void **state)
{
    struct fixture *f = *state;
    struct GA_Type ga = get_objects(f, GDI_EXECHOST, "node1", NULL);
    assert_true(ga.GA_hosts.v[0].EH_is_connected);
    cull_clear(&cull_GA_Type, &ga);
    exec_on_closed(&f->q, fixture_connection(f, "root"));
    ga = get_objects(f, GDI_EXECHOST, "node1", NULL);
    assert_false(ga.GA_hosts.v[0].EH_is_connected);
    cull_clear(&cull_GA_Type, &ga);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(queues_come_change_and_go),
        TEST(a_queue_in_use_stays),
        TEST(a_queue_that_is_not_whole_changes_nothing),
        TEST(who_sets_what_nothing_obeys_yet_hears_it_once),
        TEST(names_of_objects_that_do_not_exist_are_refused),
        TEST(hosts_come_change_and_go),
        TEST(the_execd_of_a_host_that_goes_is_sent_away),
        TEST(a_host_shows_whether_its_execd_is_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
