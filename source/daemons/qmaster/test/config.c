/* Who may change and read the configuration, how long answers go, names that stand in lists, and
 * configurations. qconf(1); captured texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/config_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/config/conf.h"

/* ---- who ---- */
static void only_managers_change_anything(void **state)
{
    struct fixture *f = *state;
    static const char denied[] = "denied: \"alice\" must be manager for this operation";
    assert_string_equal(add_name(f, "alice", GDI_MANAGER, "alice"), denied);
    assert_string_equal(delete_as(f, "alice", GDI_CQUEUE, "all.q"), denied);
    assert_string_equal(add_name(f, "boss", GDI_OPERATOR, "alice"),
                        "boss@node1 added \"alice\" to operator list");
    assert_string_equal(add_name(f, "alice", GDI_OPERATOR, "bob"), denied); /* nor operators */
    assert_string_equal(add_name(f, "boss", GDI_MANAGER, "alice"),
                        "boss@node1 added \"alice\" to manager list");
    assert_string_equal(add_name(f, "alice", GDI_OPERATOR, "bob"),
                        "alice@node1 added \"bob\" to operator list");
    assert_int_equal(count_objects(f, GDI_OPERATOR, NULL), 2);
}

/* numbers below GDI_TARGETS that no kind has, and kinds that are shown only */
static void a_kind_that_is_not_kept_is_refused_by_its_number(void **state)
{
    struct fixture *f = *state;
    static const unsigned targets[] = { GDI_MASTER, GDI_EVENTCLIENT, GDI_QUOTA + 1,
                                        GDI_TARGETS - 1 };
    for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
        enum gdi_target target = (enum gdi_target)targets[i];
        struct GR_Type empty = { 0 };
        char refusal[64];
        (void)snprintf(refusal, sizeof refusal, "for objects of kind %u is not supported yet",
                       targets[i]);
        assert_non_null(strstr(add_name(f, "boss", target, "a"), refusal));
        assert_non_null(strstr(delete_as(f, "boss", target, "a"), refusal));
        assert_non_null(strstr(delete_as(f, "boss", target, ""), refusal));
        assert_non_null(strstr(ask_as(f, "boss", del_config_request, target, &empty), refusal));
        assert_string_equal(delete_as(f, "alice", target, "a"),
                            "denied: \"alice\" must be manager for this operation");
    }
}

static void everybody_reads(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(count_objects(f, GDI_CQUEUE, NULL), 1);
    assert_int_equal(count_objects(f, GDI_QINSTANCE, "all.q@*"), 1);
    assert_int_equal(count_objects(f, GDI_QINSTANCE, "other*"), 0);
    assert_int_equal(count_objects(f, GDI_MANAGER, NULL), 1);
    assert_int_equal(count_objects(f, GDI_PE, "m*"), 2); /* mpi, make */
    assert_int_equal(count_objects(f, GDI_CONFIG, NULL), 1);
    assert_int_equal(count_objects(f, GDI_SCHEDCONF, NULL), 1);
    assert_int_equal(count_objects(f, GDI_CALENDAR, NULL), 0);
}

static void an_answer_waits_for_what_it_shows_and_for_nothing_else(void **state)
{
    struct fixture *f = *state;
    uint64_t after;
    submit(f);
    fixture_commit(f);
    submit(f); /* something else is not on disk yet */
    struct GA_Type ga = get_objects(f, GDI_MANAGER, NULL, &after);
    cull_clear(&cull_GA_Type, &ga);
    assert_true(after <= change_durable(&f->q));
    add_name(f, "boss", GDI_MANAGER, "bob");
    ga = get_objects(f, GDI_MANAGER, NULL, &after);
    cull_clear(&cull_GA_Type, &ga);
    assert_int_equal(after, change_number(&f->q));
}

/* what has been sent of the answer to alice's request: its names, "." at its end */
static const char *text_heard(struct fixture *f)
{
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct GA_Type ga = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &ga, NULL), 0);
        for (uint32_t k = 0; k < ga.GA_names.n; k++)
            dstr_addf(&f->said, "%s ", ga.GA_names.v[k].NM_name);
        dstr_addf(&f->said, "%s", ga.GA_is_last ? "." : "| ");
        cull_clear(&cull_GA_Type, &ga);
    }
    fixture_forget_sent(f);
    return dstr_get(&f->said);
}

static void begin_reading_operators(struct fixture *f)
{
    struct request r = { .from = fixture_connection(f, "alice") };
    cull_set(&r.gr, GR_target, (uint32_t)GDI_OPERATOR);
    fixture_commit(f);
    fixture_forget_sent(f);
    f->q.slice_until_us = 1; /* each slice is over at once */
    get_config_request(&f->q, &r);
    assert_true(r.is_answered_later);
    request_clear(&r);
}

static void a_long_answer_goes_in_slices(void **state)
{
    struct fixture *f = *state;
    add_name(f, "boss", GDI_OPERATOR, "o1");
    add_name(f, "boss", GDI_OPERATOR, "o2");
    add_name(f, "boss", GDI_OPERATOR, "o3");
    begin_reading_operators(f);
    assert_string_equal(text_heard(f), "o1 | ");
    work_step(&f->q);
    assert_string_equal(text_heard(f), "o2 | ");
    work_step(&f->q);
    assert_string_equal(text_heard(f), "o3 .");
    assert_false(work_is_due(&f->q));
}

static void what_goes_while_it_is_read_is_left_out_when_that_is_durable(void **state)
{
    struct fixture *f = *state;
    add_name(f, "boss", GDI_OPERATOR, "o1");
    add_name(f, "boss", GDI_OPERATOR, "o2");
    add_name(f, "boss", GDI_OPERATOR, "o3");
    begin_reading_operators(f);
    assert_string_equal(text_heard(f), "o1 | ");
    f->q.slice_until_us = 0;
    delete_as(f, "boss", GDI_OPERATOR, "o2");
    add_name(f, "boss", GDI_OPERATOR, "o4");
    fixture_forget_sent(f);
    while (work_step(&f->q))
        ;
    assert_string_equal(text_heard(f), "");
    fixture_commit(f);
    /* what is new comes last */
    assert_non_null(strstr(text_heard(f), "o3 o4 ."));
}

static void who_hangs_up_ends_the_answer(void **state)
{
    struct fixture *f = *state;
    add_name(f, "boss", GDI_OPERATOR, "o1");
    add_name(f, "boss", GDI_OPERATOR, "o2");
    begin_reading_operators(f);
    fixture_hang_up(f, "alice");
    assert_false(work_is_due(&f->q));
    f->q.slice_until_us = 0;
}

/* ---- name lists ---- */
static void names_come_and_go(void **state)
{
    struct fixture *f = *state;
    add_name(f, "boss", GDI_MANAGER, "bob");
    assert_string_equal(add_name(f, "boss", GDI_MANAGER, "bob"), "manager \"bob\" already exists");
    restart_qmaster(f);
    assert_true(settings_has_name(&f->q.settings, NAMES_MANAGER, "bob"));
    assert_string_equal(delete_as(f, "boss", GDI_MANAGER, "bob"),
                        "boss@node1 removed \"bob\" from manager list");
    assert_string_equal(delete_as(f, "boss", GDI_MANAGER, "bob"),
                        "denied: manager \"bob\" does not exist");
    restart_qmaster(f);
    assert_false(settings_has_name(&f->q.settings, NAMES_MANAGER, "bob"));
}

static void root_and_the_masters_host_stay(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(delete_as(f, "boss", GDI_MANAGER, "root"),
                        "may not remove user \"root\" from manager list");
    assert_string_equal(delete_as(f, "boss", GDI_ADMINHOST, "node1"),
                        "denied: can't delete master host \"node1\" from admin host list");
    assert_string_equal(delete_as(f, "boss", GDI_SUBMITHOST, "node1"),
                        "boss@node1 removed \"node1\" from submit host list");
    assert_string_equal(add_name(f, "boss", GDI_SUBMITHOST, "node1"),
                        "node1 added to submit host list");
    assert_string_equal(add_name(f, "boss", GDI_SUBMITHOST, "nowhere"),
                        "can't resolve hostname \"nowhere\"");
}

static void what_has_no_name_is_refused(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(add_name(f, "boss", GDI_MANAGER, ""), "denied: manager without a name");
    assert_string_equal(put_object(f, add_config_request, GDI_PE, "", NULL, NULL),
                        "denied: parallel environment without a name");
    struct GR_Type gr = { 0 };
    assert_string_equal(ask_as(f, "boss", add_config_request, GDI_CQUEUE, &gr),
                        "the request names no cluster queue");
    assert_string_equal(ask_as(f, "boss", del_config_request, GDI_MANAGER, &gr),
                        "the request names no manager");
    assert_int_equal(count_objects(f, GDI_MANAGER, NULL), 1);
}

/* ---- configurations ---- */
static void the_global_configuration_counts_at_once(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_u_jobs", "1"),
                        "boss@node1 modified \"global\" in configuration list");
    assert_int_not_equal(submit(f), 0);
    assert_int_equal(submit(f), 0);
    assert_string_equal(dstr_get(&f->said),
                        "job rejected: only 1 jobs are allowed per user (current job count: 1)");
    restart_qmaster(f);
    assert_int_equal(f->q.settings.max_u_jobs, 1);
}

/* each job was told to it with the limit that was */
static void a_limit_of_array_tasks_reaches_the_scheduler(void **state)
{
    struct fixture *f = *state;
    uint64_t conn = fixture_connection(f, "root")->conn;
    fixture_register_scheduler(f);
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_aj_tasks", "7");
    assert_true(events_is_scheduler(&f->q, conn));
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_aj_instances", "7");
    assert_false(events_is_scheduler(&f->q, conn)); /* it registers again and receives everything */
    assert_int_equal(f->last_closed, conn);
}

static void an_execd_hears_of_its_configuration(void **state)
{
    struct fixture *f = *state;
    uint64_t conn = hosts_find(&f->q.hosts, "node1")->conn;
    fixture_forget_sent(f);
    put_conf(f, add_config_request, GDI_CONFIG, "node1", "load_report_time", "0:0:9");
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_EXEC), 1);
    assert_string_equal(delete_as(f, "boss", GDI_CONFIG, "node1"),
                        "boss@node1 removed \"node1\" from configuration list");
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_EXEC), 2);
}

static void a_host_has_one_configuration(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_CONFIG, "node1", "load_report_time", "0:0:9"),
        "denied: configuration \"node1\" does not exist");
    assert_string_equal(
        put_conf(f, add_config_request, GDI_CONFIG, "node1", "load_report_time", "0:0:9"),
        "boss@node1 added \"node1\" to configuration list");
    assert_string_equal(
        put_conf(f, add_config_request, GDI_CONFIG, "node1", "load_report_time", "0:0:8"),
        "configuration \"node1\" already exists");
    assert_string_equal(
        put_conf(f, add_config_request, GDI_CONFIG, "nowhere", "load_report_time", "0:0:8"),
        "can't resolve hostname \"nowhere\"");
    restart_qmaster(f);
    assert_int_equal(count_objects(f, GDI_CONFIG, "node1"), 1);
    assert_string_equal(delete_as(f, "boss", GDI_CONFIG, "nowhere"),
                        "denied: configuration \"nowhere\" does not exist");
}

static void what_every_cell_has_is_not_removed(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(delete_as(f, "boss", GDI_CONFIG, CONF_GLOBAL),
                        "denied: configuration \"global\" does not exist");
    assert_string_equal(delete_as(f, "boss", GDI_SCHEDCONF, CONF_SCHEDULER),
                        "denied: scheduler configuration \"@scheduler\" does not exist");
    assert_int_equal(count_objects(f, GDI_CONFIG, NULL) + count_objects(f, GDI_SCHEDCONF, NULL), 2);
}

static void a_configuration_that_makes_no_sense_changes_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t version = settings_conf(&f->q.settings, CONF_GLOBAL)->rec.CONF_version;
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_u_jobs", "many");
    assert_non_null(strstr(dstr_get(&f->said), "max_u_jobs"));
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "no such", "1");
    assert_non_null(strstr(dstr_get(&f->said), "no such"));
    assert_int_equal(settings_conf(&f->q.settings, CONF_GLOBAL)->rec.CONF_version, version);
}

static void an_attribute_that_is_not_known_is_kept_and_named(void **state)
{
    struct fixture *f = *state;
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "execd_parms", "1");
    assert_non_null(strstr(dstr_get(&f->said),
                           "attribute \"execd_parms\" is unknown: it is stored, but has no "
                           "effect; did you mean \"execd_params\"?"));
    assert_string_equal(
        conf_get(&settings_conf(&f->q.settings, CONF_GLOBAL)->rec, NULL, "execd_parms"), "1");
}

/* -msconf is for the scheduler's, -mconf for the others */
static void each_configuration_has_its_own_requests(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER,
                                 "schedule_interval", "0:0:9"),
                        "changed scheduler configuration");
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_CONFIG, CONF_SCHEDULER, "schedule_interval", "0:0:8"),
        "denied: configuration \"@scheduler\" does not exist");
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_GLOBAL, "max_u_jobs", "7"),
        "denied: scheduler configuration \"global\" does not exist");
    assert_int_equal(f->q.settings.max_u_jobs, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(only_managers_change_anything),
        TEST(a_kind_that_is_not_kept_is_refused_by_its_number),
        TEST(everybody_reads),
        TEST(an_answer_waits_for_what_it_shows_and_for_nothing_else),
        TEST(a_long_answer_goes_in_slices),
        TEST(what_goes_while_it_is_read_is_left_out_when_that_is_durable),
        TEST(who_hangs_up_ends_the_answer),
        TEST(names_come_and_go),
        TEST(root_and_the_masters_host_stay),
        TEST(what_has_no_name_is_refused),
        TEST(the_global_configuration_counts_at_once),
        TEST(a_limit_of_array_tasks_reaches_the_scheduler),
        TEST(an_execd_hears_of_its_configuration),
        TEST(a_host_has_one_configuration),
        TEST(what_every_cell_has_is_not_removed),
        TEST(a_configuration_that_makes_no_sense_changes_nothing),
        TEST(an_attribute_that_is_not_known_is_kept_and_named),
        TEST(each_configuration_has_its_own_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
