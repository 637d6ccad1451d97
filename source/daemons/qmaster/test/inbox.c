/* The core's mailbox: order, whole lists, waiting with a limit, and a thread that waits for
 * another. */
#include "daemons/qmaster/io/inbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>

#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

static void put_number(struct inbox *box, uint64_t number)
{
    struct note *n = note_new(NOTE_DURABLE, 0);
    n->number = number;
    inbox_put(box, n);
}

static uint64_t take_first(struct note_list *l)
{
    struct note *n = STAILQ_FIRST(l);
    assert_non_null(n);
    uint64_t number = n->number;
    STAILQ_REMOVE_HEAD(l, next);
    note_free(n);
    return number;
}

static void notes_come_out_in_order_all_at_once(void **state)
{
    struct inbox *box = inbox_new();
    struct note_list out, many = STAILQ_HEAD_INITIALIZER(many);
    (void)state;
    put_number(box, 1);
    for (uint64_t i = 2; i <= 3; i++) {
        struct note *n = note_new(NOTE_FRAME, 7);
        n->number = i;
        STAILQ_INSERT_TAIL(&many, n, next);
    }
    inbox_put_all(box, &many);
    assert_true(STAILQ_EMPTY(&many));
    put_number(box, 4);
    inbox_take(box, 0, &out);
    for (uint64_t i = 1; i <= 4; i++)
        assert_int_equal(take_first(&out), i);
    assert_true(STAILQ_EMPTY(&out));
    inbox_free(box);
}

static void an_empty_list_wakes_nobody(void **state)
{
    struct inbox *box = inbox_new();
    struct note_list none = STAILQ_HEAD_INITIALIZER(none), out;
    (void)state;
    inbox_put_all(box, &none);
    inbox_take(box, 1, &out); /* a time long past: returns at once */
    assert_true(STAILQ_EMPTY(&out));
    inbox_free(box);
}

static void waiting_ends_at_its_time(void **state)
{
    struct inbox *box = inbox_new();
    struct note_list out;
    (void)state;
    uint64_t until_us = uti_mono_us() + 2000;
    inbox_take(box, until_us, &out);
    assert_true(STAILQ_EMPTY(&out));
    assert_true(uti_mono_us() >= until_us);
    inbox_free(box);
}

enum { NOTES = 2000 };

static void *put_many(void *ctx)
{
    for (uint64_t i = 1; i <= NOTES; i++)
        put_number(ctx, i);
    return NULL;
}

static void one_thread_waits_for_another_and_loses_nothing(void **state)
{
    struct inbox *box = inbox_new();
    pthread_t thread;
    uint64_t seen = 0;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, put_many, box), 0);
    while (seen < NOTES) {
        struct note_list out;
        inbox_take(box, 0, &out);
        while (!STAILQ_EMPTY(&out))
            assert_int_equal(take_first(&out), ++seen);
    }
    pthread_join(thread, NULL);
    inbox_free(box);
}

static void a_note_owns_what_it_carries(void **state) /* for the leak checker */
{
    struct inbox *box = inbox_new();
    struct note *n = note_new(NOTE_OPENED, 3);
    (void)state;
    n->who = identity_new(&(struct comm_peer){ .uid = 4711 }, "node1");
    identity_set_names(&n->who, "alice", "users");
    n->data = uti_strdup("data");
    n->frame.body = uti_calloc(1, 8);
    inbox_put(box, n);
    inbox_free(box);
    inbox_free(NULL);
    note_free(NULL);
}

static void *put_a_lot(void *ctx)
{
    for (uint64_t i = 1; i <= 3; i++) {
        struct note_list one = STAILQ_HEAD_INITIALIZER(one);
        struct note *n = note_new(NOTE_FRAME, 7);
        n->number = i;
        n->frame.len = INBOX_MOST_BYTES; /* of nothing: only the number counts */
        STAILQ_INSERT_TAIL(&one, n, next);
        inbox_put_all(ctx, &one);
    }
    return NULL;
}

static void the_network_waits_for_a_core_that_is_far_behind(void **state)
{
    struct inbox *box = inbox_new();
    struct note_list out;
    pthread_t network;
    (void)state;
    assert_int_equal(pthread_create(&network, NULL, put_a_lot, box), 0);
    for (uint64_t i = 1; i <= 3; i++) {
        inbox_take(box, 0, &out);
        assert_int_equal(take_first(&out), i);
        assert_true(STAILQ_EMPTY(&out)); /* the next comes only when this one is gone */
    }
    pthread_join(network, NULL);
    assert_int_equal(pthread_create(&network, NULL, put_a_lot, box), 0);
    inbox_close(box); /* nobody will take anything: it must not wait */
    pthread_join(network, NULL);
    inbox_free(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_come_out_in_order_all_at_once),
        cmocka_unit_test(an_empty_list_wakes_nobody),
        cmocka_unit_test(the_network_waits_for_a_core_that_is_far_behind),
        cmocka_unit_test(waiting_ends_at_its_time),
        cmocka_unit_test(one_thread_waits_for_another_and_loses_nothing),
        cmocka_unit_test(a_note_owns_what_it_carries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
