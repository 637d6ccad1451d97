/* Resources that run out: what tasks take of queue instances, hosts, the cell and quotas is checked
 * before they start, and known exactly after a restart. */
#include "daemons/qmaster/jobs/bookings.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/explain/lacks.h"
#include "daemons/qmaster/requests/explain/place_search.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/sgeobj/job_report.h"
#include "libs/uti/dstr.h"

static void put_resource_of(struct fixture *f, const char *name, const char *type,
                            const char *consumable, const char *usual)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    struct TX_Type tx = { 0 };
    object_template(rules, name, &tx);
    assert_int_equal(object_set(rules, &tx, "shortcut", name, NULL), 0);
    assert_int_equal(object_set(rules, &tx, "type", type, NULL), 0);
    assert_int_equal(object_set(rules, &tx, "relop", "<=", NULL), 0);
    assert_int_equal(object_set(rules, &tx, "consumable", consumable, NULL), 0);
    assert_int_equal(object_set(rules, &tx, "default", usual, NULL), 0);
    config_stage_text(&f->q, &settings_put_text(&f->q.settings, &tx)->rec);
}

static void put_resource(struct fixture *f, const char *name, const char *consumable,
                         const char *usual)
{
    put_resource_of(f, name, "INT", consumable, usual);
}

static void put_offers(struct fixture *f, const char *host, const char *offers)
{
    struct EH_Type *rec = host_template(host);
    assert_int_equal(host_set(rec, "complex_values", offers, NULL), 0);
    struct host *h = hosts_put(&f->q.hosts, host, rec);
    change_record(&f->q, SPOOL_HOST, host, &cull_EH_Type, &h->rec);
    cull_delete(&cull_EH_Type, rec);
}

/* node1 has 10 of mem, the cell 3 of lic */
static int set_up(void **state)
{
    int rc = fixture_setup(state);
    if (rc != 0)
        return rc;
    struct fixture *f = *state;
    put_resource(f, "mem", "YES", "0");
    put_resource(f, "lic", "YES", "0");
    put_offers(f, "node1", "mem=10");
    put_offers(f, "global", "lic=3");
    fixture_commit(f);
    return 0;
}

/* a job of four tasks that ask for so much; NULL: nothing of that */
static uint32_t submit_with(struct fixture *f, const char *mem, const char *lic)
{
    uint32_t job = submit(f, .tasks = "1-4");
    struct JB_Type *rec = &fixture_job(f, job)->rec;
    const char *const asked[][2] = { { "mem", mem }, { "lic", lic } };
    job_names_remove(&f->q.jobs.names, rec);
    for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
        if (asked[i][1] == NULL)
            continue;
        struct CE_Type *ce = cull_append(rec, JB_hard_resource_list);
        cull_set(ce, CE_name, asked[i][0]);
        cull_set(ce, CE_stringval, asked[i][1]);
    }
    job_names_add(&f->q.jobs.names, rec);
    return job;
}

/* does the next task of the job start in all.q@node1, with SLOTS slots? */
static bool task_starts(struct fixture *f, uint32_t job, uint32_t ordinal, uint32_t slots)
{
    struct places places = { .v = uti_calloc(1, sizeof *places.v), .n = 1 };
    struct shortage lacking;
    places.v[0] = (struct place){ .qi = fixture_queue(f), .slots = slots };
    bookings_plan(&f->q, &places, fixture_job(f, job));
    bool fits = !bookings_missing(&f->q, &places.v[0], fixture_job(f, job)) &&
                bookings_fit(&f->q, &places, &lacking);
    if (fits)
        task_start(&f->q, fixture_job(f, job), ordinal, &places, 0);
    places_clear(&places);
    return fits;
}

static void expect_taken(struct fixture *f, uint64_t mem, uint64_t lic)
{
    uint32_t numbers[] = { resource_name_get(&f->q.resources, "mem")->number,
                           resource_name_get(&f->q.resources, "lic")->number };
    assert_int_equal(supply_booked(&fixture_queue(f)->host->supply, numbers[0]), mem);
    assert_int_equal(supply_booked(&f->q.hosts.cell, numbers[1]), lic);
}

static void tasks_start_while_there_is_enough_and_give_back_what_they_took(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_with(f, "4", "1");
    assert_true(task_starts(f, a, 0, 1));
    assert_true(task_starts(f, a, 1, 1));
    assert_false(task_starts(f, a, 2, 1));
    expect_taken(f, 8, 2);
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    expect_taken(f, 4, 1);
    assert_true(task_starts(f, a, 2, 1));
    assert_true(task_starts(f, submit_with(f, "2", NULL), 0, 1));
    assert_false(task_starts(f, submit_with(f, "1", NULL), 0, 1));
    assert_true(task_starts(f, submit(f), 0, 1));
}

static void the_cell_limits_all_hosts_together(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_with(f, NULL, "2");
    assert_true(task_starts(f, a, 0, 1));
    assert_false(task_starts(f, a, 1, 1));
    put_offers(f, "global", "lic=4");
    assert_true(task_starts(f, a, 1, 1));
    put_offers(f, "global", "lic=1");
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    assert_false(task_starts(f, submit_with(f, NULL, "1"), 0, 1));
    fixture_report(f, a, 2, REPORT_ENDED, 0);
    assert_true(task_starts(f, submit_with(f, NULL, "1"), 0, 1));
}

static void each_slot_takes_it_or_the_job_once(void **state)
{
    struct fixture *f = *state;
    put_resource(f, "lic", "JOB", "0");
    uint32_t a = submit_with(f, "2", "3");
    assert_false(task_starts(f, a, 0, 6));
    assert_true(task_starts(f, a, 0, 5));
    expect_taken(f, 10, 3);
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    expect_taken(f, 0, 0);
}

static void who_asks_for_nothing_takes_the_default(void **state)
{
    struct fixture *f = *state;
    put_resource(f, "mem", "YES", "6");
    uint32_t a = submit(f, .tasks = "1-4");
    assert_true(task_starts(f, a, 0, 1));
    assert_false(task_starts(f, a, 1, 1));
    expect_taken(f, 6, 0);
}

static void what_is_not_there_is_not_given(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_with(f, "1", NULL);
    put_offers(f, "node1", "NONE");
    assert_false(task_starts(f, a, 0, 1));
    put_offers(f, "node1", "mem=1");
    assert_true(task_starts(f, a, 0, 1));
}

/* why does the job not start in all.q@node1? "" if it does */
static void expect_why(struct fixture *f, uint32_t job, const char *expected)
{
    struct dstr why = DSTR_INIT;
    bool lacks = lacks_why(&f->q, fixture_queue(f), &fixture_job(f, job)->rec, false, &why);
    assert_int_equal(lacks, expected[0] != '\0');
    assert_string_equal(dstr_get(&why), expected);
    dstr_free(&why);
}

static void what_a_task_lacks_is_said_in_numbers(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_with(f, "7", "1");
    expect_why(f, a, "");
    assert_true(task_starts(f, a, 0, 1));
    expect_why(f, a, "(-l mem=7) cannot run at host \"node1\" because it offers only hc:mem=3");
    expect_why(f, submit_with(f, "1", "3"),
               "(-l lic=3) cannot run globally because it offers only gc:lic=2");
    put_resource_of(f, "mem", "INT", "YES", "4");
    expect_why(f, submit(f), "cannot run at host \"node1\" because it offers only hc:mem=3");
    put_offers(f, "node1", "slots=1");
    expect_why(f, submit_with(f, NULL, "1"),
               "cannot run at host \"node1\" because it offers only hc:slots=0");
    expect_why(f, submit_with(f, "1", NULL),
               "(-l mem=1) cannot run in queue \"all.q@node1\" because job requests unknown "
               "resource (mem)");
}

static void what_the_cell_lacks_is_said_once_for_all_places(void **state)
{
    static const char *const more[] = { "node2", "node3" };
    struct fixture *f = *state;
    struct place_search s = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(more); i++)
        hosts_add(&f->q.hosts, more[i])->conn = fixture_queue(f)->host->conn;
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2 node3"));
    uint32_t job = submit_with(f, NULL, "5");
    assert_true(place_search_step(&f->q, &s, &fixture_job(f, job)->rec));
    assert_int_equal(s.dropped, 3);
    assert_int_equal(s.found.n, 2);
    assert_string_equal(s.found.v[0].ST_name,
                        "(-l lic=5) cannot run globally because it offers only gc:lic=3");
    place_search_end(&s);
}

static void the_most_that_a_place_has_is_said_as_if_nothing_ran(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_with(f, "7", NULL), b = submit_with(f, "12", NULL);
    struct dstr why = DSTR_INIT;
    assert_true(task_starts(f, a, 0, 1));
    assert_false(lacks_why(&f->q, fixture_queue(f), &fixture_job(f, a)->rec, true, &why));
    assert_true(lacks_why(&f->q, fixture_queue(f), &fixture_job(f, b)->rec, true, &why));
    assert_string_equal(
        dstr_get(&why),
        "(-l mem=12) cannot run at host \"node1\" because it offers only hc:mem=10");
    dstr_free(&why);
}

static void slots_of_a_host_are_for_all_its_queues(void **state)
{
    struct fixture *f = *state;
    put_offers(f, "node1", "slots=2");
    uint32_t a = submit(f, .tasks = "1-4");
    assert_true(task_starts(f, a, 0, 1));
    assert_true(task_starts(f, a, 1, 1));
    assert_false(task_starts(f, a, 2, 1));
}

static void what_tasks_took_outlives_a_restart_whatever_their_job_asks_for(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_with(f, "4", "1");
    assert_true(task_starts(f, a, 0, 1));
    assert_true(task_starts(f, a, 1, 1));
    struct JB_Type *rec = &fixture_job(f, a)->rec;
    job_names_remove(&f->q.jobs.names, rec);
    cull_clear_field(&cull_JB_Type, rec, JB_hard_resource_list);
    job_names_add(&f->q.jobs.names, rec);
    fixture_commit(f);
    fixture_restart(f);
    expect_taken(f, 8, 2);
    assert_false(task_starts(f, submit_with(f, "4", NULL), 0, 1));
    assert_false(task_starts(f, submit_with(f, NULL, "2"), 0, 1));
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    fixture_report(f, a, 2, REPORT_ENDED, 0);
    expect_taken(f, 0, 0);
}

static void places_of_one_task_share_host_and_cell(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_with(f, "3", NULL);
    struct places places = { .v = uti_calloc(2, sizeof *places.v), .n = 2 };
    struct shortage lacking;
    for (uint32_t i = 0; i < 2; i++)
        places.v[i] = (struct place){ .qi = fixture_queue(f), .slots = 2 };
    bookings_plan(&f->q, &places, fixture_job(f, a));
    assert_false(bookings_fit(&f->q, &places, &lacking)); /* each fits alone */
    expect_taken(f, 0, 0);
    put_offers(f, "node1", "mem=12");
    assert_true(bookings_fit(&f->q, &places, &lacking));
    expect_taken(f, 0, 0);
    places_clear(&places);
}

static void what_was_taken_is_given_back_however_it_is_counted_by_then(void **state)
{
    static const char *const kinds[] = { "JOB", "HOST", "NO", "YES" };
    struct fixture *f = *state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        uint32_t a = submit_with(f, "2", NULL);
        assert_true(task_starts(f, a, 0, 5));
        put_resource(f, "mem", kinds[i], "0");
        expect_taken(f, 10, 0);
        fixture_report(f, a, 1, REPORT_ENDED, 0);
        expect_taken(f, 0, 0);
        put_resource(f, "mem", "YES", "0");
    }
}

/* ---- devices ---- */

static void put_devices(struct fixture *f, const char *consumable, const char *of_node,
                        const char *of_cell)
{
    put_resource_of(f, "mem", "RSMAP", consumable, "NONE");
    put_offers(f, "node1", of_node);
    put_offers(f, "global", of_cell);
}

/* the devices of mem that a task has where it runs are those of WHICH */
static void expect_devices(struct fixture *f, uint32_t job, uint32_t task, const char *which)
{
    const struct task *t = job_task(fixture_job(f, job), task - 1);
    const struct JG_Type *entry = &t->rec.JAT_granted_destin_identifier_list.v[0];
    struct dstr names = DSTR_INIT;
    assert_int_equal(entry->JG_taken.n, 1);
    for (uint32_t i = 0; i < entry->JG_taken.v[0].TK_devices.n; i++)
        dstr_addf(&names, "%s%s", i > 0 ? " " : "", entry->JG_taken.v[0].TK_devices.v[i].ST_name);
    assert_string_equal(dstr_get(&names), which);
    dstr_free(&names);
}

static void tasks_are_given_devices_by_name(void **state)
{
    struct fixture *f = *state;
    put_devices(f, "YES", "mem=5(a b c d e)", "NONE");
    uint32_t a = submit_with(f, "1", NULL);
    assert_true(task_starts(f, a, 0, 2));
    assert_true(task_starts(f, a, 1, 1));
    expect_devices(f, a, 1, "a b");
    expect_devices(f, a, 2, "c");
    assert_false(task_starts(f, a, 2, 3));
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    assert_true(task_starts(f, a, 2, 3));
    expect_devices(f, a, 3, "a b d");
}

static void a_job_or_a_host_takes_devices_once(void **state)
{
    struct fixture *f = *state;
    put_devices(f, "JOB", "mem=3(a b c)", "NONE");
    uint32_t a = submit_with(f, "1", NULL);
    assert_true(task_starts(f, a, 0, 4));
    expect_devices(f, a, 1, "a");
    put_resource_of(f, "mem", "RSMAP", "HOST", "NONE");
    assert_true(task_starts(f, a, 1, 4));
    expect_devices(f, a, 2, "b");
}

static void the_host_names_devices_before_the_cell(void **state)
{
    struct fixture *f = *state;
    put_devices(f, "YES", "mem=2(a b)", "mem=3(x y z)");
    uint32_t a = submit_with(f, "1", NULL);
    assert_true(task_starts(f, a, 0, 1));
    expect_devices(f, a, 1, "a");
    put_offers(f, "node1", "mem=3");
    assert_true(task_starts(f, a, 1, 1));
    expect_devices(f, a, 2, "x");
    put_offers(f, "global", "NONE");
    assert_true(task_starts(f, a, 2, 1));
    expect_devices(f, a, 3, "");
}

static void no_device_is_given_twice_after_a_restart(void **state)
{
    struct fixture *f = *state;
    put_devices(f, "YES", "mem=3(a b c)", "NONE");
    uint32_t a = submit_with(f, "1", NULL);
    assert_true(task_starts(f, a, 0, 1));
    assert_true(task_starts(f, a, 1, 1));
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    put_offers(f, "node1", "mem=2(b a)");
    fixture_commit(f);
    fixture_restart(f);
    expect_devices(f, a, 2, "b");
    assert_true(task_starts(f, a, 2, 1));
    expect_devices(f, a, 3, "a");
    assert_false(task_starts(f, a, 3, 1));
}

static void places_of_one_task_share_no_device(void **state)
{
    struct fixture *f = *state;
    put_devices(f, "YES", "mem=4(0-3)", "NONE");
    uint32_t a = submit_with(f, "1", NULL);
    struct places places = { .v = uti_calloc(2, sizeof *places.v), .n = 2 };
    struct shortage lacking;
    for (uint32_t i = 0; i < 2; i++)
        places.v[i] = (struct place){ .qi = fixture_queue(f), .slots = 2 };
    bookings_plan(&f->q, &places, fixture_job(f, a));
    for (int again = 0; again < 2; again++) {
        assert_true(bookings_fit(&f->q, &places, &lacking));
        assert_string_equal(places.v[0].taken.v[0].TK_devices.v[1].ST_name, "1");
        assert_int_equal(places.v[1].taken.v[0].TK_devices.n, 2);
        assert_string_equal(places.v[1].taken.v[0].TK_devices.v[0].ST_name, "2");
    }
    places_clear(&places);
}

/* ---- quotas ---- */
static void places_of_one_task_share_quotas(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_with(f, NULL, NULL);
    struct places places = { .v = uti_calloc(2, sizeof *places.v), .n = 2 };
    struct shortage lacking;
    for (uint32_t i = 0; i < 2; i++)
        places.v[i] = (struct place){ .qi = fixture_queue(f), .slots = 2 };
    bookings_plan(&f->q, &places, fixture_job(f, a));
    fixture_put_quota(f, "users {*} to slots=3");
    for (int again = 0; again < 2; again++) { /* nothing stays booked */
        assert_false(bookings_fit(&f->q, &places, &lacking));
        assert_int_equal(lacking.supply->kind, SUPPLY_QUOTA);
        assert_int_equal(lacking.asked, 2);
        assert_int_equal(lacking.left, 1);
    }
    fixture_put_quota(f, "users {*} to slots=4");
    assert_true(bookings_fit(&f->q, &places, &lacking));
    assert_true(bookings_fit(&f->q, &places, &lacking));
    places_clear(&places);
}

static void expect_refusal(struct fixture *f, uint32_t job, enum refusal refusal, const char *text)
{
    struct dstr why = DSTR_INIT;
    const struct JB_Type *rec = &fixture_job(f, job)->rec;
    assert_int_equal(lacks_why(&f->q, fixture_queue(f), rec, false, &why), refusal);
    if (refusal == REFUSES_BY_LIMIT)
        lacks_limit_numbers(&f->q, fixture_queue(f), rec, &why);
    assert_string_equal(dstr_get(&why), text);
    dstr_free(&why);
}

static void a_quota_is_the_reason_where_there_is_no_other(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_with(f, "4", NULL);
    fixture_put_quota(f, "users {*} to mem=9");
    assert_true(task_starts(f, a, 0, 1));
    expect_refusal(f, a, REFUSES_NOT, "");
    assert_true(task_starts(f, a, 1, 1));
    put_offers(f, "node1", "mem=12");
    expect_refusal(
        f, a, REFUSES_BY_LIMIT,
        "cannot run because it exceeds limit \"alice/////\" in rule \"r1/1\" (mem=8 of 9 "
        "used, 4 wanted)");
    assert_false(task_starts(f, a, 2, 1));
    fixture_put_quota(f, "users {*} to slots=2,mem=9"); /* both are short: the first one is named */
    expect_refusal(
        f, a, REFUSES_BY_LIMIT,
        "cannot run because it exceeds limit \"alice/////\" in rule \"r1/1\" (slots=2 of 2 "
        "used, 1 wanted)");
    put_offers(f, "node1", "mem=11");
    expect_refusal(f, a, REFUSES,
                   "(-l mem=4) cannot run at host \"node1\" because it offers only hc:mem=3");
    put_offers(f, "node1", "mem=12");
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    expect_refusal(f, a, REFUSES_NOT, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tasks_start_while_there_is_enough_and_give_back_what_they_took),
        TEST(the_cell_limits_all_hosts_together),
        TEST(each_slot_takes_it_or_the_job_once),
        TEST(who_asks_for_nothing_takes_the_default),
        TEST(what_is_not_there_is_not_given),
        TEST(what_a_task_lacks_is_said_in_numbers),
        TEST(what_the_cell_lacks_is_said_once_for_all_places),
        TEST(the_most_that_a_place_has_is_said_as_if_nothing_ran),
        TEST(slots_of_a_host_are_for_all_its_queues),
        TEST(what_tasks_took_outlives_a_restart_whatever_their_job_asks_for),
        TEST(places_of_one_task_share_host_and_cell),
        TEST(what_was_taken_is_given_back_however_it_is_counted_by_then),
        TEST(tasks_are_given_devices_by_name),
        TEST(a_job_or_a_host_takes_devices_once),
        TEST(the_host_names_devices_before_the_cell),
        TEST(no_device_is_given_twice_after_a_restart),
        TEST(places_of_one_task_share_no_device),
        TEST(places_of_one_task_share_quotas),
        TEST(a_quota_is_the_reason_where_there_is_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
