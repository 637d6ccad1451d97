/* What parallel environments offer a job, in numbers: for -w and for the reasons of qstat -j. */
#include "daemons/qmaster/requests/explain/pe_room.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/jobs/bookings.h"
#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/requests/explain/verify.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/config/qinstance.h"
#include "libs/sched/why.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/dstr.h"

static void put_pe(struct fixture *f, const char *name, const char *rule, const char *slots)
{
    struct TX_Type tx = { 0 };
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    object_template(rules, name, &tx);
    assert_int_equal(object_set(rules, &tx, "slots", slots, NULL), 0);
    assert_int_equal(object_set(rules, &tx, "allocation_rule", rule, NULL), 0);
    settings_put_text(&f->q.settings, &tx);
}

static struct QU_Type *queue_on(struct fixture *f, const char *host)
{
    struct dstr name = DSTR_INIT;
    dstr_addf(&name, "all.q@%s", host);
    struct qinstance *qi = queues_instance(&f->q.queues, dstr_get(&name));
    dstr_free(&name);
    assert_non_null(qi);
    return &qi->rec;
}

/* all.q has 4 slots on each of node1, node2 and node3, and offers fill, one, two and few */
static int set_up(void **state)
{
    static const char *const hosts[] = { "node1", "node2", "node3" };
    int rc = fixture_setup(state);
    if (rc != 0)
        return rc;
    struct fixture *f = *state;
    for (size_t i = 1; i < ARRAY_LEN(hosts); i++)
        hosts_add(&f->q.hosts, hosts[i])->conn = fixture_queue(f)->host->conn;
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2 node3"));
    assert_true(fixture_set_queue(f, "slots", "4"));
    put_pe(f, "fill", "$fill_up", "999");
    put_pe(f, "one", "$pe_slots", "999");
    put_pe(f, "two", "2", "999");
    put_pe(f, "few", "$round_robin", "5");
    put_pe(f, "nowhere", "$fill_up", "999");
    assert_true(fixture_set_queue(f, "pe_list", "fill one two few"));
    return 0;
}

/* job 1 asks for FIRST to LAST slots of PE */
static struct JB_Type *ask_for(struct fixture *f, const char *pe, uint32_t first, uint32_t last)
{
    if (jobs_find(&f->q.jobs, 1) == NULL)
        submit(f);
    struct JB_Type *rec = &fixture_job(f, 1)->rec;
    job_names_remove(&f->q.jobs.names, rec);
    cull_set(rec, JB_pe, pe);
    job_names_add(&f->q.jobs.names, rec);
    range_set_free(cull_ranges(rec, JB_pe_range));
    range_set_add(cull_ranges(rec, JB_pe_range), first, last);
    return rec;
}

static enum refusal nothing_refuses(struct qmaster *q SGE_UNUSED, struct qinstance *qi SGE_UNUSED,
                                    const struct JB_Type *request SGE_UNUSED,
                                    struct dstr *why SGE_UNUSED)
{
    return REFUSES_NOT;
}

static struct pe_room room_for(struct fixture *f, const struct JB_Type *request, uint32_t most)
{
    return (
        struct pe_room){ .q = &f->q, .request = request, .refuses = nothing_refuses, .left = most };
}

/* what the only environment that is meant says; "" if it has the slots */
static void expect_refusal(struct fixture *f, const struct JB_Type *request, const char *text)
{
    struct dstr why = DSTR_INIT;
    struct pe_room room = room_for(f, request, 100);
    const struct text_object *pe = pe_room_first(&room);
    assert_int_equal(pe_room_refuses(&room, pe, &why), *text != '\0');
    assert_string_equal(dstr_get(&why), text);
    assert_null(pe_room_next(&room, pe));
    assert_false(room.is_cut);
    dstr_free(&why);
}

static void an_environment_offers_what_its_rule_allows(void **state)
{
    struct fixture *f = *state;
    expect_refusal(f, ask_for(f, "fill", 12, 12), "");
    expect_refusal(f, ask_for(f, "fill", 13, 20),
                   "cannot run in PE \"fill\" because it only offers 12 slots");
    expect_refusal(f, ask_for(f, "one", 5, 9),
                   "cannot run in PE \"one\" because it only offers 4 slots");
    expect_refusal(f, ask_for(f, "one", 2, 9), "");
    expect_refusal(f, ask_for(f, "two", 6, 6), "");
    expect_refusal(f, ask_for(f, "two", 7, 9),
                   "cannot run in PE \"two\" because it only offers 6 slots");
    expect_refusal(
        f, ask_for(f, "two", 3, 3),
        "cannot run in PE \"two\" because it offers 6 slots, and only in multiples of 2");
    expect_refusal(f, ask_for(f, "few", 6, 6),
                   "cannot run in PE \"few\" because it only offers 5 slots");
    expect_refusal(f, ask_for(f, "nowhere", 1, 1),
                   "cannot run in PE \"nowhere\" because it only offers 0 slots");
}

static void slots_of_running_tasks_are_not_offered(void **state)
{
    struct fixture *f = *state;
    fixture_use_slots(f, "all.q@node2", 3);
    bookings_add_slots(settings_text(&f->q.settings, GDI_PE, "few"), 3);
    expect_refusal(f, ask_for(f, "fill", 10, 10),
                   "cannot run in PE \"fill\" because it only offers 9 slots");
    expect_refusal(f, ask_for(f, "few", 3, 3),
                   "cannot run in PE \"few\" because it only offers 2 slots");
}

static void the_master_needs_a_queue_too(void **state)
{
    struct fixture *f = *state;
    struct JB_Type *rec = ask_for(f, "fill", 2, 2);
    struct QR_Type *master = cull_append(rec, JB_master_hard_queue_list);
    cull_set(master, QR_name, "all.q@node2");
    expect_refusal(f, rec, "");
    fixture_use_slots(f, "all.q@node2", 4);
    expect_refusal(f, rec,
                   "cannot run in PE \"fill\" because no queue for its master (-masterq) has "
                   "enough slots");
}

static void a_search_that_was_cut_refuses_nothing(void **state)
{
    struct fixture *f = *state;
    struct dstr why = DSTR_INIT;
    struct pe_room room = room_for(f, ask_for(f, "fill", 13, 13), 2);
    assert_false(pe_room_refuses(&room, pe_room_first(&room), &why));
    assert_true(room.is_cut);
    assert_string_equal(dstr_get(&why), "");
}

/* ---- resources ---- */
static void put_resource(struct fixture *f, const char *name, const char *consumable)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    struct TX_Type tx = { 0 };
    object_template(rules, name, &tx);
    assert_int_equal(object_set(rules, &tx, "shortcut", name, NULL), 0);
    assert_int_equal(object_set(rules, &tx, "type", "INT", NULL), 0);
    assert_int_equal(object_set(rules, &tx, "relop", "<=", NULL), 0);
    assert_int_equal(object_set(rules, &tx, "consumable", consumable, NULL), 0);
    config_stage_text(&f->q, &settings_put_text(&f->q.settings, &tx)->rec);
}

static void put_offers(struct fixture *f, const char *host, const char *offers)
{
    struct EH_Type *rec = host_template(host);
    assert_int_equal(host_set(rec, "complex_values", offers, NULL), 0);
    hosts_put(&f->q.hosts, host, rec);
    cull_delete(&cull_EH_Type, rec);
}

static void add_request(struct fixture *f, const char *name, const char *amount)
{
    struct JB_Type *rec = &fixture_job(f, 1)->rec;
    job_names_remove(&f->q.jobs.names, rec);
    struct CE_Type *ce = cull_append(rec, JB_hard_resource_list);
    cull_set(ce, CE_name, name);
    cull_set(ce, CE_stringval, amount);
    job_names_add(&f->q.jobs.names, rec);
}

static void a_host_gives_no_more_slots_than_its_resources_last_for(void **state)
{
    struct fixture *f = *state;
    put_resource(f, "mem", "YES");
    put_offers(f, "node1", "mem=5");
    put_offers(f, "node2", "mem=8");
    put_offers(f, "node3", "mem=100");
    struct JB_Type *rec = ask_for(f, "fill", 10, 10);
    add_request(f, "mem", "2");
    expect_refusal(f, rec, "");
    rec = ask_for(f, "fill", 11, 11);
    expect_refusal(f, rec, "cannot run in PE \"fill\" because it only offers 10 slots");
    put_offers(f, "node1", "mem=5,slots=1");
    expect_refusal(f, rec, "cannot run in PE \"fill\" because it only offers 9 slots");
}

static void what_the_cell_has_bounds_the_slots_of_all_hosts(void **state)
{
    struct fixture *f = *state;
    put_resource(f, "lic", "YES");
    put_offers(f, "global", "lic=7");
    struct JB_Type *rec = ask_for(f, "fill", 7, 7);
    add_request(f, "lic", "1");
    expect_refusal(f, rec, "");
    expect_refusal(f, ask_for(f, "fill", 8, 8),
                   "cannot run in PE \"fill\" because it only offers 7 slots");
}

static void what_is_taken_once_does_not_bound_the_slots(void **state)
{
    struct fixture *f = *state;
    put_resource(f, "disk", "HOST");
    put_resource(f, "seat", "JOB");
    put_offers(f, "node1", "disk=1,seat=1");
    struct JB_Type *rec = ask_for(f, "fill", 4, 4);
    add_request(f, "disk", "1");
    add_request(f, "seat", "1");
    expect_refusal(f, rec, "");
}

static bool verify_as(struct fixture *f, struct JB_Type *rec, uint32_t mode)
{
    struct answer ans = ANSWER_INIT;
    cull_set(rec, JB_verify_suitable_queues, mode);
    bool is_fine = verify_queues(&f->q, rec, 1, "alice", &ans) == 0;
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < ans.n; i++)
        dstr_addf(&f->said, "%s%s", i > 0 ? "\n" : "", ans.v[i].text);
    ans_free(&ans);
    return is_fine;
}

static void verification_asks_the_environments(void **state)
{
    struct fixture *f = *state;
    struct JB_Type *rec = ask_for(f, "fill", 12, 12);
    assert_true(verify_as(f, rec, VERIFY_ONLY));
    assert_string_equal(said(f), "verification: found suitable queue(s)");
    fixture_use_slots(f, "all.q@node3", 1);
    assert_true(verify_as(f, rec, VERIFY_ERROR)); /* it may wait */
    assert_false(verify_as(f, rec, VERIFY_POKE));
    assert_string_equal(said(f), "Job 1 cannot run in PE \"fill\" because it only offers 11 slots\n"
                                 "verification: no suitable queues");
    rec = ask_for(f, "[fo][ei]*", 13, 13);
    assert_false(verify_as(f, rec, VERIFY_ERROR));
    assert_string_equal(said(f), "error: no suitable queues");
    assert_true(verify_as(f, rec, VERIFY_WARN));
    assert_string_equal(said(f), "warning: no suitable queues");
}

static void expect_reasons(struct fixture *f, const char *expected)
{
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    dstr_clear(&f->said);
    assert_true(reasons_of_job(&f->q, fixture_job(f, 1), &search, &reasons));
    for (uint32_t i = 0; i < reasons.n; i++)
        dstr_addf(&f->said, "%s%s", i > 0 ? "|" : "", reasons.v[i].ST_name);
    cull_list_clear(&cull_ST_Type, &reasons);
    assert_string_equal(said(f), expected);
}

static void a_parallel_job_says_in_numbers_why_it_waits(void **state)
{
    struct fixture *f = *state;
    ask_for(f, "fill", 9, 12);
    expect_reasons(f, "");
    cull_set(queue_on(f, "node1"), QU_state, (uint32_t)QI_DISABLED);
    expect_reasons(f, "queue instance \"all.q@node1\" dropped because it is disabled|"
                      "cannot run in PE \"fill\" because it only offers 8 slots");
    ask_for(f, "nowhere", 1, 1);
    cull_set(queue_on(f, "node1"), QU_state, 0u);
    expect_reasons(
        f, "cannot run in queue instance \"all.q@node1\" because PE \"nowhere\" is not in pe list|"
           "cannot run in queue instance \"all.q@node2\" because PE \"nowhere\" is not in pe list|"
           "cannot run in queue instance \"all.q@node3\" because PE \"nowhere\" is not in pe list|"
           "All queues dropped because of overload or full");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, fixture_teardown)
        TEST(an_environment_offers_what_its_rule_allows),
        TEST(slots_of_running_tasks_are_not_offered),
        TEST(the_master_needs_a_queue_too),
        TEST(a_search_that_was_cut_refuses_nothing),
        TEST(a_host_gives_no_more_slots_than_its_resources_last_for),
        TEST(what_the_cell_has_bounds_the_slots_of_all_hosts),
        TEST(what_is_taken_once_does_not_bound_the_slots),
        TEST(verification_asks_the_environments),
        TEST(a_parallel_job_says_in_numbers_why_it_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
