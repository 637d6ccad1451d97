/* What managers do to the parts of a cell: execution daemons, the scheduler, event clients.
 * qconf(1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sched/subscriber.h"
#include "daemons/qmaster/tables/hosts.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/config/object.h"

/* qconf -ke: N times WHAT */
static bool stop_execds(struct fixture *f, const char *what, unsigned n)
{
    struct GR_Type gr = { 0 };
    for (unsigned i = 0; i < n; i++)
        fixture_name(&gr, what);
    cull_set(&gr, GR_target, (uint32_t)GDI_EXECHOST);
    cull_set(&gr, GR_action, (uint32_t)GDI_ACT_SHUTDOWN);
    return fixture_ask(f, "boss", act_on_cell, &gr);
}

static void an_execd_is_stopped_by_the_name_of_its_host_or_a_pattern(void **state)
{
    struct fixture *f = *state;
    hosts_add(&f->q.hosts, "node2"); /* without an execd */
    static const char *const good[] = { "node1", "*", "node[1-9]", "x|node1" };
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        assert_true(stop_execds(f, good[i], 1));
        assert_non_null(strstr(said(f), "sent shutdown notification to host node1"));
        assert_null(strstr(said(f), "node2"));
    }
    assert_false(stop_execds(f, "node2", 1));
    assert_string_equal(said(f),
                        "denied: execution host \"node2\" is unknown or has no running execd");
    assert_false(stop_execds(f, "nope*", 1));
    assert_string_equal(said(f),
                        "denied: execution host \"nope*\" is unknown or has no running execd");
}

static void a_request_has_64_patterns_of_hosts_at_most_and_stops_nothing_with_more(void **state)
{
    struct fixture *f = *state;
    assert_false(stop_execds(f, "node*", 65));
    assert_string_equal(said(f), "denied: the request names 65 host patterns; the limit is 64");
    assert_true(stop_execds(f, "node*", 64));
    assert_true(stop_execds(f, "node1", 65));
}

/* ---- event clients and the scheduler ---- */
static bool act_as(struct fixture *f, const char *user, enum gdi_target target,
                   enum gdi_action action, const char *what)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    cull_set(&gr, GR_target, (uint32_t)target);
    cull_set(&gr, GR_action, (uint32_t)action);
    return fixture_ask(f, user, act_on_cell, &gr);
}

static void register_client(struct fixture *f, const char *user)
{
    struct EP_Type wish = { 0 };
    struct packer p = { 0 };
    cull_pack(&p, &cull_EP_Type, &wish, NULL);
    struct frame frame = { .kind = GDI_FRAME_EVENT_REGISTER, .body = p.data, .len = p.len };
    events_on_register(&f->q, fixture_connection(f, user), &frame);
    packer_free(&p);
    while (work_step(&f->q)) /* the state goes out */
        ;
}

static bool add_id(void *ctx, struct qmaster *q SGE_UNUSED, struct subscriber *sub)
{
    dstr_addf(ctx, " %u", sub->id);
    return true;
}

/* the ids of all clients; kept till the next call */
static const char *client_ids(struct fixture *f)
{
    static char kept[64];
    struct dstr text = DSTR_INIT;
    events_each(&f->q, add_id, &text);
    snprintf(kept, sizeof kept, "%s", dstr_get(&text));
    dstr_free(&text);
    return kept;
}

static void managers_end_event_clients(void **state)
{
    struct fixture *f = *state;
    register_client(f, "alice");
    register_client(f, "bob");
    assert_string_equal(client_ids(f), " 12 11");
    assert_false(act_as(f, "alice", GDI_EVENTCLIENT, GDI_ACT_SHUTDOWN, "12"));
    assert_string_equal(said(f), "denied: \"alice\" must be manager for this operation");
    assert_false(act_as(f, "boss", GDI_EVENTCLIENT, GDI_ACT_SHUTDOWN, "999"));
    assert_string_equal(said(f), "no event client known with id 999 to shutdown");
    assert_false(act_as(f, "boss", GDI_EVENTCLIENT, GDI_ACT_SHUTDOWN, "0"));
    assert_false(act_as(f, "boss", GDI_EVENTCLIENT, GDI_ACT_SHUTDOWN, "bob"));
    assert_string_equal(client_ids(f), " 12 11");
    uint64_t alice = fixture_connection(f, "alice")->conn;
    fixture_forget_sent(f);
    assert_true(act_as(f, "boss", GDI_EVENTCLIENT, GDI_ACT_SHUTDOWN, "11"));
    assert_non_null(strstr(said(f), "boss@node1 has ended event client 11 ("));
    assert_string_equal(client_ids(f), " 12");
    assert_int_equal(f->last_closed, alice);
    assert_int_equal(fixture_count_sent(f, alice, GDI_FRAME_ANSWER), 1); /* it hears why */
    register_client(f, "alice");
    assert_string_equal(client_ids(f), " 13 12"); /* no id comes again */
}

static void all_event_clients_are_all_but_the_scheduler(void **state)
{
    struct fixture *f = *state;
    fixture_register_scheduler(f);
    assert_true(act_as(f, "boss", GDI_EVENTCLIENT, GDI_ACT_SHUTDOWN, "all")); /* there is none */
    register_client(f, "alice");
    register_client(f, "bob");
    assert_string_equal(client_ids(f), " 1 12 11");
    assert_true(act_as(f, "boss", GDI_EVENTCLIENT, GDI_ACT_SHUTDOWN, "all"));
    assert_string_equal(client_ids(f), " 1");
    assert_true(events_has_scheduler(&f->q));
    assert_true(act_as(f, "boss", GDI_EVENTCLIENT, GDI_ACT_SHUTDOWN, "1"));
    assert_false(events_has_scheduler(&f->q)); /* until its keeper has started another */
}

static void anybody_may_see_event_clients(void **state)
{
    struct fixture *f = *state;
    struct request r = { .from = fixture_connection(f, "bob") };
    register_client(f, "alice");
    event_clients_request(&f->q, &r);
    assert_int_equal(r.ga.GA_texts.n, 1);
    assert_string_equal(object_value(&r.ga.GA_texts.v[0], "id"), "11");
    assert_string_equal(object_value(&r.ga.GA_texts.v[0], "host"), "node1");
    request_clear(&r);
}

static void only_the_scheduler_is_stopped_and_started_by_name(void **state)
{
    struct fixture *f = *state;
    assert_false(act_as(f, "alice", GDI_THREAD, GDI_ACT_SHUTDOWN, "scheduler"));
    assert_string_equal(said(f), "denied: \"alice\" must be manager for this operation");
    assert_false(act_as(f, "boss", GDI_THREAD, GDI_ACT_SHUTDOWN, "jvm"));
    assert_string_equal(said(f),
                        "\"jvm\" is not a thread that can be stopped or started; use: scheduler");
    assert_false(act_as(f, "boss", GDI_THREAD, GDI_ACT_START, "scheduler"));
    assert_string_equal(said(f), "the scheduler is not stopped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup_operator, fixture_teardown)
        TEST(an_execd_is_stopped_by_the_name_of_its_host_or_a_pattern),
        TEST(a_request_has_64_patterns_of_hosts_at_most_and_stops_nothing_with_more),
        TEST(managers_end_event_clients),
        TEST(all_event_clients_are_all_but_the_scheduler),
        TEST(anybody_may_see_event_clients),
        TEST(only_the_scheduler_is_stopped_and_started_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
