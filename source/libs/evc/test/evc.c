/* Tests of libs/evc: a client on a loop in a thread of its own writes into a pipe what it has
 * received; the test is its qmaster. */
#include "libs/evc/test/peer.h"

#include <pthread.h>

#include "libs/comm/loop.h"
#include "libs/evc/evc.h"
#include "libs/gdi/client.h"

struct fixture {
    struct peer peer;
    struct loop *loop;
    struct evc *evc;
    pthread_t thread;
    int told[2];
    char why[64]; /* the connection was lost */
};

/* ---- the client ---- */
static void tell_what(struct fixture *t, const char *what, uint64_t n)
{
    char line[64];
    int len = snprintf(line, sizeof line, "%s %llu.", what, (unsigned long long)n);

    file_write_all(t->told[1], line, (size_t)len);
}

/* a trigger makes the client send an order; a configuration makes no sense */
static int on_event(void *ctx, const struct EV_Type *event, struct answer *ans)
{
    struct fixture *t = ctx;

    if (event->EV_kind == EV_CONF)
        return ans_fail(ans, STATUS_EPROTO, "no such event");
    if (event->EV_kind == EV_TRIGGER) {
        struct EP_Type p = { 0 };
        struct OR_Type *order = cull_append(&p, EP_orders);
        cull_set(order, OR_job_number, 7);
        tell_what(t, "sent", evc_send_orders(t->evc, &p.EP_orders));
    }
    tell_what(t, "event", event->EV_kind);
    return 0;
}

static void on_synced(void *ctx)
{
    tell_what(ctx, "synced", 0);
}

static void on_package_end(void *ctx)
{
    tell_what(ctx, "end", 0);
}

static void on_orders_ack(void *ctx, uint64_t number, const struct OR_Type_list *refused)
{
    tell_what(ctx, "ack", number);
    tell_what(ctx, "refused", refused->n);
}

static void on_lost(void *ctx, const char *why)
{
    struct fixture *t = ctx;
    strncpy(t->why, why, sizeof t->why - 1);
    tell_what(ctx, "lost", 0);
}

static const struct evc_ops client = { on_event, on_synced, on_package_end, on_orders_ack,
                                       on_lost };

static void *client_run(void *ctx)
{
    struct fixture *t = ctx;

    loop_run(t->loop);
    return NULL;
}

/* ---- the test's side ---- */
static void expect_told(struct fixture *t, const char *expected)
{
    char got[256] = "";
    size_t len = strlen(expected);

    assert_true(len < sizeof got);
    for (size_t at = 0; at < len;) {
        peer_await(t->told[0]);
        ssize_t n = read(t->told[0], got + at, len - at);
        assert_true(n > 0);
        at += (size_t)n;
    }
    assert_string_equal(got, expected);
}

static int set_up(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);

    peer_start(&t->peer);
    assert_int_equal(pipe(t->told), 0);
    t->loop = loop_new(NULL);
    assert_non_null(t->loop);
    t->evc = evc_new(t->loop, t->peer.client_fd, "test_evc", &client, t);
    assert_int_equal(pthread_create(&t->thread, NULL, client_run, t), 0);
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;

    loop_stop(t->loop);
    pthread_join(t->thread, NULL);
    evc_free(t->evc);
    loop_free(t->loop);
    peer_hang_up(&t->peer);
    close(t->told[0]);
    close(t->told[1]);
    free(t);
    return 0;
}

static void send_event(struct fixture *t, uint32_t kind)
{
    struct EP_Type package = { 0 };
    struct EV_Type *event = cull_append(&package, EP_events);

    cull_set(event, EV_kind, kind);
    peer_send_events(&t->peer, &package);
}

static void a_client_greets_registers_and_acknowledges(void **state)
{
    struct fixture *t = *state;
    struct EP_Type package = { 0 };

    peer_take_registration(&t->peer);
    assert_string_equal(gdi_peer_program(t->peer.greeting), "test_evc");
    for (uint32_t kind = EV_JOB_ADD; kind <= EV_TASKS_READY; kind++) {
        struct EV_Type *event = cull_append(&package, EP_events);
        cull_set(event, EV_kind, kind);
    }
    peer_send_events(&t->peer, &package);
    peer_expect_number(&t->peer, GDI_FRAME_EVENT_ACK, 1);
    expect_told(t, "event 2.event 3.event 4.event 5.end 0.");
    send_event(t, EV_SYNCED);
    peer_expect_number(&t->peer, GDI_FRAME_EVENT_ACK, 2);
    expect_told(t, "event 1.synced 0.end 0.");
}

/* the qmaster is woken once for them */
static void many_packages_have_one_acknowledgement(void **state)
{
    enum { TOGETHER = 16 };
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    for (int i = 0; i < TOGETHER; i++)
        send_event(t, EV_KINDS + 7);
    peer_expect_number(&t->peer, GDI_FRAME_EVENT_ACK, TOGETHER);
    for (int i = 0; i < TOGETHER; i++)
        expect_told(t, "end 0.");
}

static void orders_take_the_acknowledgement_along(void **state)
{
    struct fixture *t = *state;
    struct EP_Type package = { 0 };

    peer_take_registration(&t->peer);
    send_event(t, EV_KINDS + 7);
    send_event(t, EV_TRIGGER);
    peer_expect_number(&t->peer, GDI_FRAME_EVENT_ACK, 1);
    peer_expect(&t->peer, GDI_FRAME_ORDERS, &package);
    peer_expect_number(&t->peer, GDI_FRAME_EVENT_ACK, 2);
    cull_clear(&cull_EP_Type, &package);
}

static void kinds_of_a_newer_qmaster_are_passed_over(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    send_event(t, EV_KINDS + 7);
    peer_expect_number(&t->peer, GDI_FRAME_EVENT_ACK, 1);
    expect_told(t, "end 0.");
}

/* each takes a record of a few hundred bytes and came in ten */
static void a_package_of_many_small_events_is_taken(void **state)
{
    enum { MANY = 20000 };
    struct fixture *t = *state;
    struct EP_Type package = { 0 };

    peer_take_registration(&t->peer);
    for (int i = 0; i < MANY; i++)
        cull_set(cull_append(&package, EP_events), EV_kind, EV_KINDS + 7);
    peer_send_events(&t->peer, &package);
    peer_expect_number(&t->peer, GDI_FRAME_EVENT_ACK, 1);
    expect_told(t, "end 0.");
}

static void a_refusal_is_told(void **state)
{
    struct fixture *t = *state;
    struct GA_Type ga = { 0 };
    struct answer why = ANSWER_INIT;
    struct packer p = { 0 };

    peer_take_registration(&t->peer);
    ans_fail(&why, STATUS_DENIED, "too many");
    gdi_answers_put(&ga, &why);
    cull_pack(&p, &cull_GA_Type, &ga, NULL);
    peer_write(&t->peer, GDI_FRAME_ANSWER, 0, p.data, p.len);
    expect_told(t, "lost 0.");
    assert_string_equal(t->why, "too many");
    cull_clear(&cull_GA_Type, &ga);
    ans_free(&why);
}

static void orders_are_numbered_and_their_refusals_handed_on(void **state)
{
    struct fixture *t = *state;
    struct EP_Type package = { 0 };

    peer_take_registration(&t->peer);
    send_event(t, EV_TRIGGER);
    peer_expect(&t->peer, GDI_FRAME_ORDERS, &package);
    assert_int_equal(package.EP_number, 1);
    assert_int_equal(package.EP_orders.n, 1);
    assert_int_equal(package.EP_orders.v[0].OR_job_number, 7);
    peer_expect_number(&t->peer, GDI_FRAME_EVENT_ACK, 1);
    expect_told(t, "sent 1.event 13.end 0.");
    peer_send(&t->peer, GDI_FRAME_ORDERS_ACK, &package);
    expect_told(t, "ack 1.refused 1.");
    cull_clear(&cull_EP_Type, &package);
    send_event(t, EV_TRIGGER);
    expect_told(t, "sent 2.event 13.end 0.");
}

static void a_lost_connection_is_told(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    send_event(t, EV_TRIGGER);
    expect_told(t, "sent 1.event 13.end 0.");
    peer_hang_up(&t->peer);
    expect_told(t, "lost 0.");
}

/* after what the test has sent the client hangs up and tells it */
static void expect_end(struct fixture *t)
{
    expect_told(t, "lost 0.");
    peer_expect_end(&t->peer);
}

static void a_gap_in_the_packages_ends_the_connection(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    t->peer.package = 1;
    send_event(t, EV_SYNCED);
    expect_end(t);
}

static void an_event_the_caller_refuses_ends_the_connection(void **state)
{
    struct fixture *t = *state;

    peer_take_registration(&t->peer);
    send_event(t, EV_CONF);
    expect_end(t);
}

static void expect_end_after(struct fixture *t, uint8_t kind, const uint8_t *bytes, size_t len)
{
    uint8_t *body = uti_alloc(len + 1);

    memcpy(body, bytes, len);
    peer_take_registration(&t->peer);
    peer_write(&t->peer, kind, 0, body, len);
    expect_end(t);
}

static void malformed_bytes_end_the_connection(void **state)
{
    expect_end_after(*state, GDI_FRAME_EVENTS, (const uint8_t[]){ 0xff, 0xff, 0xff, 0xff }, 4);
}

static void bytes_behind_a_package_end_the_connection(void **state)
{
    expect_end_after(*state, GDI_FRAME_EVENTS, (const uint8_t[]){ 1, 1, 1, 9 }, 4);
}

static void a_frame_for_others_ends_the_connection(void **state)
{
    expect_end_after(*state, GDI_FRAME_ANSWER, (const uint8_t[]){ 0 }, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(a_client_greets_registers_and_acknowledges),
        TEST(many_packages_have_one_acknowledgement),
        TEST(orders_take_the_acknowledgement_along),
        TEST(kinds_of_a_newer_qmaster_are_passed_over),
        TEST(a_package_of_many_small_events_is_taken),
        TEST(a_refusal_is_told),
        TEST(orders_are_numbered_and_their_refusals_handed_on),
        TEST(a_lost_connection_is_told),
        TEST(a_gap_in_the_packages_ends_the_connection),
        TEST(an_event_the_caller_refuses_ends_the_connection),
        TEST(malformed_bytes_end_the_connection),
        TEST(bytes_behind_a_package_end_the_connection),
        TEST(a_frame_for_others_ends_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
