#ifndef SCHEDD_TEST_DAEMON_H
#define SCHEDD_TEST_DAEMON_H

/* The scheduling daemon in a thread; the test is its qmaster. Events are lines (feed.h). */
#include "libs/evc/test/peer.h"
#include "libs/sched/test/feed.h"

#include <pthread.h>

#include "daemons/schedd/protocol.h"
#include "libs/comm/loop.h"
#include "libs/uti/time.h"

struct fixture {
    struct peer peer;
    struct loop *loop;
    struct schedd *schedd;
    pthread_t thread;
    uint64_t numbers[16]; /* of the packages with tasks, as they came */
    uint32_t n_priors;    /* orders about priorities so far */
};

static inline void *daemon_run(void *ctx)
{
    struct fixture *t = ctx;

    loop_run(t->loop);
    return NULL;
}

/* the daemon does not run yet */
static inline int set_up_stopped(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);

    peer_start(&t->peer);
    t->loop = loop_new(NULL);
    assert_non_null(t->loop);
    static const struct schedd_files no_files;
    t->schedd = schedd_new(t->loop, t->peer.client_fd, NULL, &no_files);
    *state = t;
    return 0;
}

static inline void start_daemon(struct fixture *t)
{
    assert_int_equal(pthread_create(&t->thread, NULL, daemon_run, t), 0);
}

static inline int set_up(void **state)
{
    set_up_stopped(state);
    start_daemon(*state);
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *t = *state;

    loop_stop(t->loop);
    pthread_join(t->thread, NULL);
    schedd_free(t->schedd);
    loop_free(t->loop);
    peer_hang_up(&t->peer);
    free(t);
    return 0;
}

/* send a package with the events of LINES, parted by ';'; "synced" is EV_SYNCED,
 * "anew" EV_ANEW */
static inline void send_lines(struct fixture *t, const char *lines)
{
    struct EP_Type package = { 0 };
    char *copy = uti_strdup(lines), *at = copy, *line;

    while ((line = strsep(&at, ";")) != NULL) {
        struct EV_Type *event = cull_append(&package, EP_events);
        bool is_synced = strcmp(line, "synced") == 0;
        if (is_synced || strcmp(line, "anew") == 0) {
            cull_set(event, EV_kind, (uint32_t)(is_synced ? EV_SYNCED : EV_ANEW));
            continue;
        }
        struct EV_Type *fed = feed_event(line);
        cull_copy(&cull_EV_Type, event, fed);
        cull_delete(&cull_EV_Type, fed);
    }
    free(copy);
    peer_send_events(&t->peer, &package);
}

static inline void answer_orders(struct fixture *t, uint64_t number)
{
    struct EP_Type package = { 0 };

    cull_set(&package, EP_number, number);
    peer_send(&t->peer, GDI_FRAME_ORDERS_ACK, &package);
    cull_clear(&cull_EP_Type, &package);
}

/* the next frame, of KIND; packages that are about priorities alone may come at any time: they are
 * counted and answered */
static inline void expect_frame(struct fixture *t, uint8_t kind, struct EP_Type *package)
{
    struct frame f;
    for (;;) {
        bool is_about_tasks = false;
        assert_true(peer_next(&t->peer, &f));
        struct unpacker u = unpacker_over(f.body, f.len);
        assert_int_equal(
            cull_unpack(&u, &cull_EP_Type, gdi_peer_map(t->peer.greeting), NULL, package, NULL), 0);
        free(f.body);
        for (uint32_t i = 0; i < package->EP_orders.n; i++) {
            bool is_prior = package->EP_orders.v[i].OR_kind == ORDER_PRIOR;
            t->n_priors += is_prior;
            is_about_tasks = is_about_tasks || !is_prior;
        }
        if (f.kind != GDI_FRAME_ORDERS || is_about_tasks)
            break;
        answer_orders(t, package->EP_number);
        cull_clear(&cull_EP_Type, package);
    }
    assert_int_equal(f.kind, kind);
}

/* acknowledgements of all packages up to PACKAGE, one for several or each its own */
static inline void expect_acks_until(struct fixture *t, uint64_t last_package)
{
    for (uint64_t number = 0; number != last_package;) {
        struct EP_Type package = { 0 };
        expect_frame(t, GDI_FRAME_EVENT_ACK, &package);
        number = package.EP_number;
        cull_clear(&cull_EP_Type, &package);
    }
}

/* the same, and take the acknowledge */
static inline void tell_events(struct fixture *t, const char *lines)
{
    struct EP_Type package = { 0 };
    send_lines(t, lines);
    expect_frame(t, GDI_FRAME_EVENT_ACK, &package);
    assert_int_equal(package.EP_number, t->peer.package);
    cull_clear(&cull_EP_Type, &package);
}

static inline void expect_package(struct fixture *t, uint64_t package_number, const char *expected)
{
    struct EP_Type package = { 0 };
    struct dstr text = DSTR_INIT;

    expect_frame(t, GDI_FRAME_ORDERS, &package);
    assert_true(package_number < ARRAY_LEN(t->numbers));
    t->numbers[package_number] = package.EP_number;
    for (uint32_t i = 0; i < package.EP_orders.n; i++)
        if (package.EP_orders.v[i].OR_kind != ORDER_PRIOR)
            order_text(&package.EP_orders.v[i], &text);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
    cull_clear(&cull_EP_Type, &package);
}

/* answer orders NUMBER; REFUSED is "JOB IDS" or NULL */
static inline void send_answer(struct fixture *t, uint64_t package_number, uint32_t job,
                               uint32_t first, uint32_t last)
{
    struct EP_Type package = { 0 };

    cull_set(&package, EP_number, t->numbers[package_number]);
    if (job != 0) {
        struct OR_Type *order = cull_append(&package, EP_orders);
        cull_set(order, OR_job_number, job);
        cull_set(order, OR_reason, "for the test");
        range_set_add(cull_ranges(order, OR_ids), first, last);
    }
    peer_send(&t->peer, GDI_FRAME_ORDERS_ACK, &package);
    cull_clear(&cull_EP_Type, &package);
}

#endif
