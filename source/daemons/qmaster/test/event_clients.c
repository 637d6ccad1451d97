/* Event clients that are slow, many or gone: they cost the core, and other clients, nothing. */
#include "daemons/qmaster/sched/events.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/sched/stream.h"
#include "daemons/qmaster/sched/subscriber.h"
#include "daemons/qmaster/test/event_asks.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"

enum { MANY = 20000, MEMORY_MOST = 2 << 20 };

static void who_is_slow_is_told_the_state_anew(void **state)
{
    struct fixture *f = *state;
    struct connection *slow = fixture_connection(f, "alice");
    uint32_t a = submit(f);
    register_session(f, slow, (struct wishes){ .kinds = { "job_add", "job_mod" } });
    (void)heard_by(f, slow, false);
    for (int i = 0; i < MANY; i++) {
        events_job_mod(&f->q, fixture_job(f, a));
        run_core(f);
        assert_true(events_find(&f->q, slow->conn)->open_bytes < MEMORY_MOST);
    }
    (void)heard_by(f, slow, false);
    uint64_t sent = events_find(&f->q, slow->conn)->package;
    assert_true(sent < 10);
    acknowledge_package(f, slow, sent);
    assert_non_null(strstr(heard_by(f, slow, false), "anew, "));
    acknowledge_package(f, slow, sent + 1);
    events_job_mod(&f->q, fixture_job(f, a));
    assert_string_equal(heard_by(f, slow, true), "job_mod 1");
}

static void a_long_interval_gathers_no_more_than_a_package(void **state)
{
    struct fixture *f = *state;
    struct connection *patient = fixture_connection(f, "alice");
    uint32_t a = submit(f);
    register_session(
        f, patient,
        (struct wishes){ .kinds = { "job_add", "job_mod" }, .interval_ms = UINT32_MAX });
    (void)heard_by(f, patient, true);
    for (int i = 0; i < MANY; i++) {
        events_job_mod(&f->q, fixture_job(f, a));
        run_core(f);
        assert_true(events_find(&f->q, patient->conn)->open_bytes < MEMORY_MOST);
    }
}

enum { FIGURES_US = FIGURES_MS * 1000 };

static void load_and_slots_come_once_in_a_while_to_those_who_name_hosts(void **state)
{
    struct fixture *f = *state;
    struct qinstance *qi = fixture_queue(f);
    hear(f, "alice", .kinds = { "host", "queue_mod" });
    hear(f, "olga", .wants_all = false);
    (void)text_heard(f, "alice");
    (void)text_heard(f, "olga");
    f->q.now_us += 2 * FIGURES_US;
    for (int i = 0; i < 100; i++) {
        events_host_load(&f->q, qi->host);
        run_core(f);
    }
    assert_string_equal(text_heard(f, "alice"), "host node1");
    assert_string_equal(text_heard(f, "olga"), "");
    f->q.now_us += FIGURES_US - 1;
    submit(f);
    fixture_start(f, 1, 1);
    assert_string_equal(text_heard(f, "alice"), "");
    f->q.now_us += 1;
    assert_string_equal(text_heard(f, "alice"), "queue_mod all.q@node1 used=1, host node1");
    f->q.now_us += 2 * FIGURES_US;
    assert_string_equal(text_heard(f, "alice"), "");
    assert_null(strstr(text_heard(f, "olga"), "host"));
}

static void load_for_who_is_slow_takes_no_room(void **state)
{
    struct fixture *f = *state;
    struct qinstance *qi = fixture_queue(f);
    struct connection *slow = fixture_connection(f, "alice");
    register_session(f, slow, (struct wishes){ .kinds = { "host", "host_del" } });
    (void)heard_by(f, slow, false);
    const struct subscriber *sub = events_find(&f->q, slow->conn);
    for (int i = 0; i < 1000; i++) {
        f->q.now_us += FIGURES_US;
        events_host_load(&f->q, qi->host);
        run_core(f);
        assert_true(sub->open_bytes < 4096);
    }
    assert_true(sub->package < 10);
    fixture_forget_sent(f);
    acknowledge_package(f, slow, sub->package);
    (void)heard_by(f, slow, true);
    f->q.now_us += FIGURES_US;
    events_host_load(&f->q, qi->host);
    assert_string_equal(heard_by(f, slow, true), "host node1");
    register_session(f, slow, (struct wishes){ .kinds = { "host" } });
    events_on_closed(&f->q, slow->conn); /* with figures on their way */
}

static void give_load(struct host *h, unsigned values, size_t len)
{
    char name[16], value[2048];
    assert_true(len < sizeof value);
    memset(value, 'x', len);
    value[len] = '\0';
    for (unsigned i = 0; i < values; i++) {
        struct VA_Type *va = cull_append(&h->rec, EH_load_list);
        (void)snprintf(name, sizeof name, "v%u", i);
        cull_set(va, VA_variable, name);
        cull_set(va, VA_value, value);
    }
}

/* hosts may report much: a package ends behind the one that fills it, whoever reads it */
static void much_load_is_divided_into_packages(void **state)
{
    enum { HOSTS = 100, VALUES = 50, VALUE_BYTES = 1000, PACKAGE_MOST = 512 << 10 };
    struct fixture *f = *state;
    struct connection *slow = fixture_connection(f, "alice");
    char name[16];
    for (int i = 0; i < HOSTS; i++) {
        (void)snprintf(name, sizeof name, "much%d", i);
        give_load(hosts_add(&f->q.hosts, name), VALUES, VALUE_BYTES);
    }
    fixture_commit(f);
    fixture_forget_sent(f);
    register_session(f, slow, (struct wishes){ .kinds = { "host" } });
    run_core(f);
    fixture_commit(f);
    assert_true(f->n_sent > 1);
    for (uint32_t i = 0; i < f->n_sent; i++)
        assert_true(f->sent[i].len < PACKAGE_MOST);
    const struct subscriber *sub = events_find(&f->q, slow->conn);
    assert_true(cull_heap_bytes(&cull_EP_Type, &sub->open) < MEMORY_MOST);
    for (int i = 0; i < HOSTS; i++) {
        (void)snprintf(name, sizeof name, "much%d", i);
        events_host(&f->q, hosts_find(&f->q.hosts, name));
        run_core(f);
        assert_true(cull_heap_bytes(&cull_EP_Type, &sub->open) < MEMORY_MOST);
    }
}

static void who_is_silent_for_a_minute_is_ended_and_the_scheduler_is_not(void **state)
{
    struct fixture *f = *state;
    struct connection *silent = fixture_connection(f, "alice");
    fixture_register_scheduler(f);
    register_session(f, silent, (struct wishes){ .kinds = { "job_add" } });
    (void)heard_by(f, silent, false);
    acknowledge_package(f, fixture_connection(f, "root"), 1);
    f->q.now_us += 61 * UINT64_C(1000000);
    events_check(&f->q);
    assert_int_equal(f->last_closed, silent->conn);
    assert_null(events_find(&f->q, silent->conn));
    assert_true(events_has_scheduler(&f->q));
}

static void a_user_has_so_many_clients_and_no_more(void **state)
{
    struct fixture *f = *state;
    struct connection *last = NULL;
    for (int i = 0; i <= EVENT_CLIENTS_OF_USER; i++) {
        last = fixture_connect(f, "mallory", 4711);
        register_session(f, last, (struct wishes){ .kinds = { "job_add" } });
    }
    assert_string_equal(text_answered(f, last),
                        "user \"mallory\" has 16 event clients already: no more are accepted");
    assert_null(events_find(&f->q, last->conn));
    hear(f, "alice", .kinds = { "job_add" });
    assert_string_equal(text_heard(f, "alice"), "synced");
}

static void the_cell_has_so_many_clients_and_managers_get_one_more(void **state)
{
    struct fixture *f = *state;
    f->q.settings.max_event_clients = 1;
    hear(f, "bob", .kinds = { "job_add" });
    hear(f, "alice", .kinds = { "job_add" });
    assert_string_equal(text_answered(f, fixture_connection(f, "alice")),
                        "there are 1 event clients already: no more are accepted (MAX_DYN_EC in "
                        "qmaster_params)");
    hear(f, "boss", .kinds = { "job_add" });
    assert_string_equal(text_heard(f, "boss"), "synced");
}

static void who_hangs_up_or_registers_again_while_the_state_comes_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    submit(f);
    hear(f, "alice", .kinds = { "job_add" });
    hear(f, "alice", .kinds = { "job_add" });
    assert_string_equal(text_heard(f, "alice"), "job_add 1, synced");
    hear(f, "alice", .kinds = { "job_add" });
    uint64_t conn = fixture_connection(f, "alice")->conn;
    fixture_hang_up(f, "alice");
    assert_null(events_find(&f->q, conn));
    run_core(f);
    assert_false(work_is_due(&f->q));
}

/* the teardown is what is tried: the qmaster ends with clients that have not got all */
static void the_qmaster_may_end_while_the_state_comes(void **state)
{
    struct fixture *f = *state;
    submit(f);
    hear(f, "alice", .kinds = { "host", "queue_mod" });
    (void)text_heard(f, "alice");
    f->q.now_us += 2 * FIGURES_US;
    events_host_load(&f->q, fixture_queue(f)->host);
    events_flush(&f->q);
    assert_non_null(events_find(&f->q, fixture_connection(f, "alice")->conn)->figures);
    hear(f, "olga", .kinds = { "job_add" });
    assert_non_null(events_find(&f->q, fixture_connection(f, "olga")->conn)->stream);
}

static void an_acknowledge_of_what_was_not_sent_changes_nothing(void **state)
{
    struct fixture *f = *state;
    struct connection *s = fixture_connection(f, "alice");
    acknowledge_package(f, s, 1); /* of nobody */
    register_session(f, s, (struct wishes){ .kinds = { "job_add" } });
    (void)heard_by(f, s, false);
    acknowledge_package(f, s, 99);
    assert_int_equal(events_find(&f->q, s->conn)->acknowledged, 0);
    acknowledge_package(f, s, 1);
    acknowledge_package(f, s, 0);
    assert_int_equal(events_find(&f->q, s->conn)->acknowledged, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup_operator, fixture_teardown)
        TEST(who_is_slow_is_told_the_state_anew),
        TEST(a_long_interval_gathers_no_more_than_a_package),
        TEST(load_and_slots_come_once_in_a_while_to_those_who_name_hosts),
        TEST(load_for_who_is_slow_takes_no_room),
        TEST(much_load_is_divided_into_packages),
        TEST(who_is_silent_for_a_minute_is_ended_and_the_scheduler_is_not),
        TEST(a_user_has_so_many_clients_and_no_more),
        TEST(the_cell_has_so_many_clients_and_managers_get_one_more),
        TEST(who_hangs_up_or_registers_again_while_the_state_comes_leaves_nothing),
        TEST(the_qmaster_may_end_while_the_state_comes),
        TEST(an_acknowledge_of_what_was_not_sent_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
