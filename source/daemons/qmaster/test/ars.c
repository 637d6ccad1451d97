/* Advance reservations: what is granted beside what runs, the limits, what changes are refused, and
 * what is there after a restart. */
#include "daemons/qmaster/jobs/ar_life.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/ar_books.h"
#include "daemons/qmaster/jobs/bookings.h"
#include "daemons/qmaster/jobs/places.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/config_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_report.h"
#include "libs/uti/alloc.h"

/* ---- what is there ---- */
static void put_host_offers(struct fixture *f, const char *host, const char *offers)
{
    struct GR_Type gr = { 0 };
    struct EH_Type *rec = host_template(host);
    assert_int_equal(host_set(rec, "complex_values", offers, NULL), 0);
    cull_copy(&cull_EH_Type, cull_append(&gr, GR_hosts), rec);
    cull_delete(&cull_EH_Type, rec);
    (void)ask_as(f, "boss",
                 hosts_find(&f->q.hosts, host) != NULL ? mod_config_request : add_config_request,
                 GDI_EXECHOST, &gr);
}

/* the cell has 3 of lic, smp has 4 slots, and boss may reserve as a manager */
static int set_up(void **state)
{
    int rc = fixture_setup(state);
    if (rc != 0)
        return rc;
    struct fixture *f = *state;
    struct TX_Type tx = { 0 };
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    object_template(rules, "lic", &tx);
    static const char *const values[][2] = { { "shortcut", "lic" },   { "type", "INT" },
                                             { "relop", "<=" },       { "consumable", "YES" },
                                             { "default", "0" },      { "urgency", "0" },
                                             { "requestable", "YES" } };
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        assert_int_equal(object_set(rules, &tx, values[i][0], values[i][1], NULL), 0);
    config_stage_text(&f->q, &settings_put_text(&f->q.settings, &tx)->rec);
    put_host_offers(f, "global", "lic=3");
    (void)put_object(f, mod_config_request, GDI_PE, "smp", "slots", "4");
    assert_true(fixture_set_queue(f, "pe_list", "smp"));
    fixture_commit(f);
    return 0;
}

/* ---- what is asked ---- */
struct asked {
    uint64_t in_s, run_s; /* it begins so long from now, and lasts so long (default: 10) */
    const char *lic;      /* -l */
    uint32_t slots;       /* in smp; 0: none */
    const char *pe;       /* default: smp */
    uint32_t n_users;     /* of -u */
    const char *owner;    /* default: boss */
};

static void request_of(struct JB_Type *request, const char *lic, const char *h_rt)
{
    const char *const asked[][2] = { { "lic", lic }, { "h_rt", h_rt } };
    for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
        if (asked[i][1] == NULL)
            continue;
        struct CE_Type *ce = cull_append(request, JB_hard_resource_list);
        cull_set(ce, CE_name, asked[i][0]);
        cull_set(ce, CE_stringval, asked[i][1]);
    }
}

/* the number of what was granted, 0: refused, as said(f) says */
static uint32_t reserve_as(struct fixture *f, struct asked a)
{
    struct GR_Type gr = { 0 };
    struct AR_Type *ar = cull_append(&gr, GR_ars);
    cull_set(ar, AR_start_time, f->q.now_s + a.in_s);
    cull_set(ar, AR_end_time, f->q.now_s + a.in_s + (a.run_s != 0 ? a.run_s : 10));
    for (uint32_t i = 0; i < a.n_users; i++)
        cull_set((struct ST_Type *)cull_append(ar, AR_acl_list), ST_name, "u");
    struct JB_Type *request = cull_append(ar, AR_request);
    request_of(request, a.lic, NULL);
    if (a.slots > 0) {
        cull_set(request, JB_pe, a.pe != NULL ? a.pe : "smp");
        range_set_add(cull_ranges(request, JB_pe_range), a.slots, a.slots);
    }
    uint32_t before = f->q.ars.last_id;
    (void)fixture_ask(f, a.owner != NULL ? a.owner : "boss", add_ar_request, &gr);
    return f->q.ars.last_id > before ? f->q.ars.last_id : 0;
}
#define reserve(f, ...) reserve_as(f, (struct asked){ __VA_ARGS__ })

static const char no_queues[] = "advance_reservation: no suitable queues";

/* a task of a new job runs, with so much; IN_PE: with SLOTS in smp */
static uint32_t run_task(struct fixture *f, const char *lic, const char *h_rt, uint32_t slots)
{
    uint32_t number = submit(f);
    struct job *job = fixture_job(f, number);
    struct places places = { .v = uti_calloc(1, sizeof *places.v), .n = 1 };
    job_names_remove(&f->q.jobs.names, &job->rec);
    request_of(&job->rec, lic, h_rt);
    job_names_add(&f->q.jobs.names, &job->rec);
    places.v[0] = (struct place){ .qi = fixture_queue(f), .slots = slots > 0 ? slots : 1 };
    places.pe = slots > 0 ? settings_text(&f->q.settings, GDI_PE, "smp") : NULL;
    bookings_plan(&f->q, &places, job);
    task_start(&f->q, job, 0, &places, 0);
    places_clear(&places);
    return number;
}

/* ---- beside what runs ---- */
static void what_tasks_hold_of_the_cell_is_free_when_they_end(void **state)
{
    struct fixture *f = *state;
    uint32_t job = run_task(f, "3", "100", 0);
    assert_int_equal(reserve(f, .in_s = 99, .lic = "1"), 0);
    assert_string_equal(said(f), no_queues);
    assert_int_not_equal(reserve(f, .in_s = 100, .lic = "2"), 0);
    assert_int_equal(reserve(f, .in_s = 105, .lic = "2"), 0);
    assert_int_not_equal(reserve(f, .in_s = 105, .lic = "1"), 0);
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    assert_int_not_equal(reserve(f, .in_s = 1, .lic = "3"), 0);
    assert_true(TAILQ_EMPTY(&f->q.ars.wide));
}

static void what_has_no_end_is_never_free(void **state)
{
    struct fixture *f = *state;
    run_task(f, "3", NULL, 0);
    assert_int_equal(reserve(f, .in_s = 1000000, .lic = "1"), 0);
    assert_int_not_equal(reserve(f, .in_s = 1000000), 0);
}

static void slots_of_environments_are_free_when_tasks_end(void **state)
{
    struct fixture *f = *state;
    run_task(f, NULL, "100", 3);
    run_task(f, NULL, NULL, 0); /* in no environment */
    assert_int_equal(reserve(f, .in_s = 50, .slots = 2), 0);
    assert_int_not_equal(reserve(f, .in_s = 50, .slots = 1), 0);
    assert_int_not_equal(reserve(f, .in_s = 100, .slots = 4), 0);
}

static void a_restart_foresees_the_same_ends(void **state)
{
    struct fixture *f = *state;
    run_task(f, "3", "100", 0);
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(reserve(f, .in_s = 50, .lic = "1"), 0);
    assert_int_not_equal(reserve(f, .in_s = 100, .lic = "3"), 0);
}

/* a request of a pattern tries each environment, in a slice of its own */
static void the_first_environment_with_room_has_it(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < 20; i++) {
        char name[] = { 'a', 'p', (char)('a' + i), '\0' };
        (void)put_object(f, add_config_request, GDI_PE, name, "slots", i < 19 ? "4" : "9");
    }
    assert_true(fixture_set_queue(f, "pe_list", "apa apb apt"));
    uint32_t id = reserve(f, .in_s = 10, .slots = 5, .pe = "ap*");
    assert_int_not_equal(id, 0);
    assert_string_equal(allocation_pe(&ars_find(&f->q.ars, id)->rec.AR_granted), "apt");
    assert_int_equal(reserve(f, .in_s = 10, .slots = 10, .pe = "ap*"), 0);
    assert_string_equal(said(f), no_queues);
    assert_int_equal(reserve(f, .in_s = 10, .slots = 1, .pe = "apz"), 0);
}

/* ---- limits ---- */
static void one_more_than_a_limit_is_refused(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(reserve(f, .n_users = AR_USERS_MOST + 1), 0);
    assert_string_equal(said(f), "denied: -u names 1001 users, the limit is 1000");
    for (uint32_t i = 0; i < AR_CELL_MOST; i++)
        assert_int_not_equal(reserve(f, .in_s = 10 + 20 * i), 0);
    assert_int_equal(reserve(f, .in_s = 10), 0);
    assert_string_equal(said(f),
                        "denied: the cell has 1000 advance reservations, which is the limit");
}

static void a_user_has_a_limit(void **state)
{
    struct fixture *f = *state;
    (void)put_object(f, mod_config_request, GDI_USERSET, "arusers", "entries", "alice");
    for (uint32_t i = 0; i < AR_USER_MOST; i++)
        assert_int_not_equal(reserve(f, .in_s = 10 + 20 * i, .owner = "alice"), 0);
    assert_int_equal(reserve(f, .in_s = 10, .owner = "alice"), 0);
    assert_string_equal(
        said(f), "denied: \"alice\" has 100 advance reservations, which is the limit of a user");
    assert_int_not_equal(reserve(f, .in_s = 10), 0);
}

/* ---- what stays ---- */
static void what_is_reserved_cannot_be_taken_away(void **state)
{
    struct fixture *f = *state;
    assert_int_not_equal(reserve(f, .in_s = 100, .lic = "1", .slots = 3), 0);
    assert_false(fixture_set_queue(f, "slots", "2"));
    assert_string_equal(
        said(f), "denied: 3 slots are already reserved in all.q@node1 by an advance reservation");
    assert_false(fixture_set_queue(f, "pe_list", "NONE"));
    assert_string_equal(said(f),
                        "denied: removing \"smp\" from pe_list would break advance reservation 1");
    put_host_offers(f, "global", "lic=2");
    assert_string_equal(said(f),
                        "denied: more of \"lic\" is already reserved in global by an advance "
                        "reservation");
    assert_string_equal(put_object(f, mod_config_request, GDI_PE, "smp", "slots", "2"),
                        "denied: 3 slots are already reserved in parallel environment \"smp\" by "
                        "an advance reservation");
    assert_int_equal(fixture_queue(f)->rec.QU_job_slots, 100);
    assert_int_equal(reserve(f, .in_s = 100, .slots = 2), 0);
    assert_true(fixture_set_queue(f, "slots", "3"));
}

/* however it came about: what is less than reserved already may become more, and anything else */
static void what_takes_nothing_away_is_accepted(void **state)
{
    struct fixture *f = *state;
    assert_int_not_equal(reserve(f, .in_s = 100, .lic = "1", .slots = 3), 0);
    fixture_queue(f)->rec.QU_job_slots = 1;
    assert_true(fixture_set_queue(f, "slots", "2"));
    assert_true(fixture_set_queue(f, "priority", "5"));
    assert_false(fixture_set_queue(f, "slots", "1"));
    struct PE_Type *pe = settings_text(&f->q.settings, GDI_PE, "smp")->record;
    cull_set(pe, PE_slots, 1u);
    assert_string_equal(put_object(f, mod_config_request, GDI_PE, "smp", "slots", "2"),
                        "boss@node1 modified \"smp\" in parallel environment list");
    (void)put_object(f, mod_config_request, GDI_PE, "smp", "slots", "1");
    assert_string_equal(said(f), "denied: 3 slots are already reserved in parallel environment "
                                 "\"smp\" by an advance reservation");
}

/* ---- life ---- */
static uint32_t state_of(struct fixture *f, uint32_t id)
{
    const struct ar *ar = ars_find(&f->q.ars, id);
    return ar != NULL ? ar->rec.AR_state : 0;
}

static void seconds_pass(struct fixture *f, uint64_t seconds)
{
    f->q.now_s += seconds;
    ars_step(&f->q);
    ars_tidy(&f->q);
}

/* kill -9, and a start at the same time */
static void kill_it(struct fixture *f)
{
    uint64_t now_s = f->q.now_s;
    fixture_restart(f);
    f->q.now_s = now_s;
}

/* kill -9 behind each step: what was committed is there, and what is due since is done */
static void it_begins_and_ends_across_restarts(void **state)
{
    struct fixture *f = *state;
    uint32_t lost = reserve(f, .in_s = 10);
    kill_it(f);
    assert_int_equal(state_of(f, lost), 0);
    uint32_t ar = reserve(f, .in_s = 10);
    fixture_commit(f);
    kill_it(f);
    assert_int_equal(state_of(f, ar), AR_WAITING);
    assert_int_equal(ars_slots(&f->q, fixture_queue(f)), 1);
    seconds_pass(f, 10);
    assert_int_equal(state_of(f, ar), AR_RUNNING);
    kill_it(f); /* its begin is not on disk */
    seconds_pass(f, 0);
    assert_int_equal(state_of(f, ar), AR_RUNNING);
    assert_int_equal(ars_slots_now(&f->q, fixture_queue(f)), 1);
    fixture_commit(f);
    kill_it(f);
    assert_int_equal(state_of(f, ar), AR_RUNNING);
    seconds_pass(f, 10);
    assert_int_equal(state_of(f, ar), 0);
    fixture_commit(f);
    kill_it(f);
    assert_int_equal(state_of(f, ar), 0);
    assert_int_equal(ars_slots(&f->q, fixture_queue(f)), 0);
    assert_int_equal(reserve(f, .in_s = 10), ar + 1); /* no number is given twice */
}

static void a_hard_one_is_blocked_while_something_is_wrong(void **state)
{
    struct fixture *f = *state;
    uint32_t id = reserve(f, .run_s = 1000);
    struct ar *ar = ars_find(&f->q.ars, id);
    struct qinstance *qi = fixture_queue(f);
    cull_set(&qi->rec, QU_state, (uint32_t)QI_DISABLED);
    seconds_pass(f, 1);
    assert_false(ar->rec.AR_is_blocked);
    cull_set(&ar->rec.AR_request.v[0], JB_hard_error_handling, true);
    seconds_pass(f, 1);
    assert_true(ar->rec.AR_is_blocked);
    cull_set(&qi->rec, QU_state, 0u);
    seconds_pass(f, 1);
    assert_false(ar->rec.AR_is_blocked);
}

#define OF_CELL(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        OF_CELL(what_tasks_hold_of_the_cell_is_free_when_they_end),
        OF_CELL(what_has_no_end_is_never_free),
        OF_CELL(slots_of_environments_are_free_when_tasks_end),
        OF_CELL(a_restart_foresees_the_same_ends),
        OF_CELL(the_first_environment_with_room_has_it),
        OF_CELL(one_more_than_a_limit_is_refused),
        OF_CELL(a_user_has_a_limit),
        OF_CELL(what_is_reserved_cannot_be_taken_away),
        OF_CELL(what_takes_nothing_away_is_accepted),
        OF_CELL(it_begins_and_ends_across_restarts),
        OF_CELL(a_hard_one_is_blocked_while_something_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
