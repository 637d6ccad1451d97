/* Objects of the other kinds: what is refused and with which words, who is named by whom, and that
 * a change is there after a restart. qconf(1); captured texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/config_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/config/object.h"

/* ---- objects of the other kinds ---- */
static void an_object_comes_changes_and_goes(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_object(f, add_config_request, GDI_PE, "omp", "slots", "8"),
                        "boss@node1 added \"omp\" to parallel environment list");
    assert_string_equal(put_object(f, add_config_request, GDI_PE, "omp", "slots", "8"),
                        "parallel environment \"omp\" already exists");
    assert_string_equal(put_object(f, mod_config_request, GDI_PE, "omp", "slots", "9"),
                        "boss@node1 modified \"omp\" in parallel environment list");
    assert_string_equal(put_object(f, mod_config_request, GDI_CALENDAR, "omp", NULL, NULL),
                        "denied: calendar \"omp\" does not exist"); /* names are per kind */
    restart_qmaster(f);
    struct GA_Type ga = get_objects(f, GDI_PE, "omp", NULL);
    assert_int_equal(ga.GA_texts.n, 1);
    assert_string_equal(object_value(&ga.GA_texts.v[0], "slots"), "9");
    cull_clear(&cull_GA_Type, &ga);
    const struct PE_Type *pe = settings_text(&f->q.settings, GDI_PE, "omp")->record;
    assert_int_equal(pe->PE_slots, 9);
    assert_string_equal(delete_as(f, "boss", GDI_PE, "omp"),
                        "boss@node1 removed \"omp\" from parallel environment list");
    restart_qmaster(f);
    assert_string_equal(delete_as(f, "boss", GDI_PE, "omp"),
                        "denied: parallel environment \"omp\" does not exist");
}

/* whoever changes what nothing obeys hears of it, once */
static void attributes_without_effect_are_named(void **state)
{
    struct fixture *f = *state;
    static const char *const idle[][2] = { { "qsort_args", "lib f" } };
    for (size_t i = 0; i < ARRAY_LEN(idle); i++) {
        struct dstr said = DSTR_INIT;
        dstr_addf(&said, "attribute \"%s\" is stored, but has no effect yet\n", idle[i][0]);
        dstr_addf(&said, "boss@node1 added \"pe%u\" to parallel environment list", (unsigned)i);
        char name[8];
        (void)snprintf(name, sizeof name, "pe%u", (unsigned)i);
        assert_string_equal(put_object(f, add_config_request, GDI_PE, name, idle[i][0], idle[i][1]),
                            dstr_get(&said));
        dstr_free(&said);
    }
    assert_string_equal(put_object(f, mod_config_request, GDI_PE, "pe0", "qsort_args", "lib f"),
                        "boss@node1 modified \"pe0\" in parallel environment list");
    assert_string_equal(put_object(f, mod_config_request, GDI_PE, "pe0", "control_slaves", "TRUE"),
                        "boss@node1 modified \"pe0\" in parallel environment list");
    assert_string_equal(
        put_object(f, add_config_request, GDI_PE, "one", "accounting_summary", "TRUE"),
        "boss@node1 added \"one\" to parallel environment list");
}

static void attributes_of_a_user_have_effect(void **state)
{
    struct fixture *f = *state;
    put_object(f, add_config_request, GDI_PROJECT, "film", NULL, NULL);
    assert_string_equal(
        put_object(f, add_config_request, GDI_USER, "alice", "default_project", "film"),
        "boss@node1 added \"alice\" to user list");
    assert_string_equal(put_object(f, mod_config_request, GDI_USER, "alice", "delete_time", "0"),
                        "boss@node1 modified \"alice\" in user list");
    assert_string_equal(put_object(f, mod_config_request, GDI_USER, "alice", "fshare", "3"),
                        "boss@node1 modified \"alice\" in user list");
}

static void a_value_that_cannot_be_obeyed_gets_into_no_spool(void **state)
{
    struct fixture *f = *state;
    static const struct {
        enum gdi_target target;
        const char *name, *attr, *value, *refusal;
    } rows[] = {
        { GDI_PE, "p", "slots", "-1",
          "attribute \"slots\": \"-1\" is not a number from 0 to 9999999" },
        { GDI_PE, "p", "user_lists", "gang", "Userset \"gang\" does not exist" },
        { GDI_CKPT, "c", "when", "sq",
          "attribute \"when\": \"sq\" is not NONE or some of the letters smxr" },
        { GDI_CALENDAR, "bad", "week", "foo",
          "error in disabled_week of calendar \"bad\": \"foo\" is not a weekday" },
        { GDI_PROJECT, "film", "acl", "gang", "Userset \"gang\" does not exist" },
        { GDI_USER, "alice", "default_project", "film", "Project \"film\" does not exist" },
        { GDI_USERSET, "u", "type", "X",
          "attribute \"type\": \"X\" is not NONE or a list of: ACL DEPT" },
        { GDI_HOSTGROUP, "@g", "hostlist", "node1 @nobody",
          "denied: host group \"@nobody\" does not exist" },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_string_equal(put_object(f, add_config_request, rows[i].target, rows[i].name,
                                       rows[i].attr, rows[i].value),
                            rows[i].refusal);
        assert_int_equal(count_objects(f, rows[i].target, rows[i].name), 0);
    }
}

static void what_others_name_stays(void **state)
{
    struct fixture *f = *state;
    put_object(f, add_config_request, GDI_CALENDAR, "night", "week", "mon-fri=6-20=off");
    put_object(f, add_config_request, GDI_USERSET, "crew", NULL, NULL);
    put_object(f, add_config_request, GDI_PROJECT, "film", "acl", "crew");
    put_object(f, add_config_request, GDI_USER, "alice", "default_project", "film");
    assert_true(fixture_set_queue(f, "calendar", "NONE,[node1=night]"));
    assert_string_equal(delete_as(f, "boss", GDI_CALENDAR, "night"),
                        "denied: Calendar \"night\" is still referenced in queue \"all.q\"");
    assert_string_equal(delete_as(f, "boss", GDI_PE, "smp"),
                        "denied: Parallel environment \"smp\" is still referenced in queue "
                        "\"all.q\".");
    assert_string_equal(delete_as(f, "boss", GDI_USERSET, "crew"),
                        "denied: Userset \"crew\" is still referenced in project \"film\"");
    put_host(f, mod_config_request, "node1", "film");
    assert_string_equal(delete_as(f, "boss", GDI_PROJECT, "film"),
                        "denied: Project \"film\" is still referenced in exechost \"node1\"");
    put_host(f, mod_config_request, "node1", "NONE");
    assert_string_equal(delete_as(f, "boss", GDI_PROJECT, "film"),
                        "denied: Project \"film\" is still referenced in user \"alice\"");
    put_object(f, mod_config_request, GDI_USER, "alice", NULL, NULL);
    assert_string_equal(delete_as(f, "boss", GDI_PROJECT, "film"),
                        "boss@node1 removed \"film\" from project list");
    assert_true(fixture_set_queue(f, "calendar", "NONE"));
    assert_string_equal(delete_as(f, "boss", GDI_CALENDAR, "night"),
                        "boss@node1 removed \"night\" from calendar list");
}

static void a_host_group_that_others_name_stays(void **state)
{
    struct fixture *f = *state;
    fixture_set_group(f, "@inner", "node1");
    fixture_set_group(f, "@outer", "@inner");
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@inner"),
                        "denied: Host group \"@inner\" is still referenced in host group "
                        "\"@outer\"");
    assert_true(fixture_set_queue(f, "slots", "4,[@outer=8]"));
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@outer"),
                        "denied: Host group \"@outer\" is still referenced in queue \"all.q\"");
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@allhosts"),
                        "denied: Host group \"@allhosts\" is still referenced in queue "
                        "\"all.q\"");
    assert_int_equal(count_objects(f, GDI_QINSTANCE, NULL), 1);
    assert_true(fixture_set_queue(f, "slots", "4"));
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@outer"),
                        "boss@node1 removed \"@outer\" from host group entry list");
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@inner"),
                        "boss@node1 removed \"@inner\" from host group entry list");
}

static void a_queue_that_others_subordinate_stays(void **state)
{
    struct fixture *f = *state;
    put_queue(f, add_config_request, "low.q");
    assert_true(fixture_set_queue(f, "subordinate_list", "low.q=2"));
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "low.q"),
                        "Cluster queue \"low.q\" is referenced in cluster queue \"all.q\" as a "
                        "subordinate. Deletion denied");
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "all.q"),
                        "boss@node1 removed \"all.q\" from cluster queue list");
}

static void a_resource_comes_is_named_and_goes(void **state)
{
    struct fixture *f = *state;
    uint32_t builtin = count_objects(f, GDI_COMPLEX, NULL);
    assert_true(builtin > 50);
    assert_string_equal(
        put_object(f, add_config_request, GDI_COMPLEX, "lic", "shortcut", "s"),
        "complex attribute \"lic\": \"s\" is already the name or shortcut of \"slots\"");
    assert_string_equal(put_object(f, add_config_request, GDI_COMPLEX, "lic", "type", "FOO"),
                        "unknown complex attribute type \"FOO\"");
    assert_false(fixture_set_queue(f, "complex_values", "lic=5"));
    assert_string_equal(put_object(f, add_config_request, GDI_COMPLEX, "lic", "shortcut", "l"),
                        "boss@node1 added \"lic\" to complex entry list");
    assert_non_null(complex_find(settings_complex(&f->q.settings), "l"));
    assert_true(fixture_set_queue(f, "complex_values", "l=5"));
    restart_qmaster(f);
    assert_int_equal(count_objects(f, GDI_COMPLEX, NULL), builtin + 1);
    assert_string_equal(delete_as(f, "boss", GDI_COMPLEX, "lic"),
                        "denied: Complex attribute \"lic\" is still referenced in queue \"all.q\"");
    assert_true(fixture_set_queue(f, "complex_values", "NONE"));
    put_object(f, add_config_request, GDI_RQS, "max2", "limit", "users {*} to slots=2,lic=1");
    assert_string_equal(delete_as(f, "boss", GDI_COMPLEX, "lic"),
                        "denied: Complex attribute \"lic\" is still referenced in resource quota "
                        "set \"max2\"");
    delete_as(f, "boss", GDI_RQS, "max2");
    assert_string_equal(delete_as(f, "boss", GDI_COMPLEX, "lic"),
                        "boss@node1 removed \"lic\" from complex list");
    assert_null(complex_find(settings_complex(&f->q.settings), "l"));
    assert_string_equal(delete_as(f, "boss", GDI_COMPLEX, "slots"),
                        "denied: complex attribute \"slots\" is built in and cannot be removed");
}

/* ---- devices ---- */

/* the resource NAME, of TYPE, is made or changed */
static const char *put_resource(struct fixture *f, fixture_handler_fn handler, const char *name,
                                const char *type)
{
    const char *const row[][2] = {
        { "shortcut", name }, { "type", type }, { "relop", "<=" }, { "consumable", "YES" }
    };
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    struct GR_Type gr = { 0 };
    struct TX_Type *tx = cull_append(&gr, GR_texts);
    object_template(rules, name, tx);
    for (size_t i = 0; i < ARRAY_LEN(row); i++)
        assert_int_equal(object_set(rules, tx, row[i][0], row[i][1], NULL), 0);
    return ask_as(f, "boss", handler, GDI_COMPLEX, &gr);
}

static void devices_are_offered_of_the_type_rsmap_alone(void **state)
{
    struct fixture *f = *state;
    put_resource(f, add_config_request, "gpu", "RSMAP");
    put_resource(f, add_config_request, "lic", "INT");
    assert_true(fixture_set_queue(f, "complex_values", "gpu=2(0 1),lic=2"));
    assert_true(fixture_set_queue(f, "complex_values", "gpu=2,lic=2"));
    assert_false(fixture_set_queue(f, "complex_values", "lic=2(0 1)"));
    assert_string_equal(
        dstr_get(&f->said),
        "cluster queue \"all.q\": attribute \"complex_values\" names devices of \"lic\", "
        "which is not of the type RSMAP");
    assert_false(fixture_set_queue(f, "complex_values", "gpu=two"));
    assert_false(fixture_set_queue(f, "complex_values", "gpu=-1"));
}

static void what_is_offered_is_of_the_type_of_its_resource(void **state)
{
    struct fixture *f = *state;
    put_resource(f, add_config_request, "lic", "INT");
    put_resource(f, add_config_request, "mem", "MEMORY");
    assert_true(fixture_set_queue(f, "complex_values", "lic=2,mem=1.5G"));
    assert_true(fixture_set_queue(f, "complex_values", "lic=INFINITY,mem=INFINITY"));
    assert_false(fixture_set_queue(f, "complex_values", "lic=two"));
    assert_false(fixture_set_queue(f, "complex_values", "lic=2,mem=abc"));
}

/* CHANGE the bookings of a task that takes so much of the cell */
static void book_in_cell(struct fixture *f, const char *name, uint64_t amount,
                         void (*change)(struct path path, const struct demand *d, uint64_t tasks))
{
    struct supply *members[] = { &f->q.hosts.cell };
    struct demand_part part = { resource_name_get(&f->q.resources, name)->number, amount };
    struct demand d = { .n = 1, .parts = &part };
    change((struct path){ members, 1 }, &d, 1);
}

static void a_type_stays_while_something_counts_on_it(void **state)
{
    struct fixture *f = *state;
    put_resource(f, add_config_request, "gpu", "RSMAP");
    put_resource(f, add_config_request, "mem", "MEMORY");
    assert_true(fixture_set_queue(f, "complex_values", "gpu=2(0 1),mem=2G"));
    assert_string_equal(put_resource(f, mod_config_request, "gpu", "INT"),
                        "denied: Complex attribute \"gpu\" is still referenced in queue \"all.q\"");
    assert_string_equal(put_resource(f, mod_config_request, "mem", "RSMAP"),
                        "denied: Complex attribute \"mem\" is still referenced in queue \"all.q\"");
    assert_true(fixture_set_queue(f, "complex_values", "mem=2G"));
    assert_string_equal(put_resource(f, mod_config_request, "mem", "INT"),
                        "boss@node1 modified \"mem\" in complex entry list");
    book_in_cell(f, "mem", 7, path_book);
    assert_string_equal(put_resource(f, mod_config_request, "mem", "DOUBLE"),
                        "denied: running tasks use 7 of complex attribute \"mem\": its type cannot "
                        "change now");
    assert_true(fixture_set_queue(f, "complex_values", "NONE"));
    delete_as(f, "boss", GDI_COMPLEX, "mem");
    assert_string_equal(put_resource(f, add_config_request, "mem", "DOUBLE"),
                        "denied: running tasks use 7 of complex attribute \"mem\": its type cannot "
                        "change now");
    book_in_cell(f, "mem", 7, path_release);
    put_resource(f, add_config_request, "mem", "INT");
    assert_string_equal(put_resource(f, mod_config_request, "mem", "DOUBLE"),
                        "boss@node1 modified \"mem\" in complex entry list");
    assert_string_equal(put_resource(f, mod_config_request, "gpu", "INT"),
                        "boss@node1 modified \"gpu\" in complex entry list");
}

static void a_load_formula_has_resources_of_the_cell_and_they_stay(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER, "load_formula", "license*2"),
        "attribute \"load_formula\": \"license*2\" is not a sum of resources and "
        "numbers, each with *factor if wanted: np_load_avg*2+load_short-1");
    put_object(f, add_config_request, GDI_COMPLEX, "license", "shortcut", "lic");
    assert_non_null(strstr(
        put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER, "load_formula", "lic*2"),
        "changed scheduler configuration"));
    assert_string_equal(delete_as(f, "boss", GDI_COMPLEX, "license"),
                        "denied: Complex attribute \"license\" is still referenced in "
                        "configuration \"@scheduler\"");
}

static void what_cannot_be_changed_is_said(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    assert_string_equal(ask_as(f, "boss", add_config_request, GDI_QINSTANCE, &gr),
                        "request 1 for objects of kind 3 is not supported yet");
}

static void a_new_object_s_name_means_no_other(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_object(f, add_config_request, GDI_PE, "no[such", NULL, NULL),
                        "Bracket ('[') not allowed in objectname");
    assert_string_equal(put_object(f, add_config_request, GDI_PROJECT, "such*", NULL, NULL),
                        "Asterisk ('*') not allowed in objectname");
    assert_string_equal(put_object(f, add_config_request, GDI_CKPT, "a/b", NULL, NULL),
                        "Slash ('/') not allowed in objectname");
    assert_int_equal(count_objects(f, GDI_PE, "no*"), 0);
    assert_null(strstr(
        put_object(f, add_config_request, GDI_HOSTGROUP, "@blades", "hostlist", "node1"), "not "));
    assert_null(strstr(add_name(f, "boss", GDI_MANAGER, "ann@realm"), "not "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(an_object_comes_changes_and_goes),
        TEST(attributes_without_effect_are_named),
        TEST(attributes_of_a_user_have_effect),
        TEST(a_value_that_cannot_be_obeyed_gets_into_no_spool),
        TEST(what_others_name_stays),
        TEST(a_host_group_that_others_name_stays),
        TEST(a_queue_that_others_subordinate_stays),
        TEST(a_resource_comes_is_named_and_goes),
        TEST(devices_are_offered_of_the_type_rsmap_alone),
        TEST(what_is_offered_is_of_the_type_of_its_resource),
        TEST(a_type_stays_while_something_counts_on_it),
        TEST(a_load_formula_has_resources_of_the_cell_and_they_stay),
        TEST(what_cannot_be_changed_is_said),
        TEST(a_new_object_s_name_means_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
