/* Many requests over one connection, against a qmaster of a few lines. */
#include "libs/gdi/channel.h"

#include "libs/gdi/cell.h"
#include "libs/gdi/message.h"
#include "libs/gdi/test/fixture.h"
#include "libs/uti/answer.h"
#include "libs/uti/guard.h"

#include <string.h>

enum { MANY = 200 };

/* what becomes of the requests of a test; under the lock */
struct heard {
    pthread_mutex_t lock;
    pthread_cond_t news;
    uint32_t parts, ended, ends[CHANNEL_BROKEN + 1];
};

static void take_part(void *ctx, const struct GA_Type *part)
{
    struct heard *h = ctx;
    (void)part;
    h->parts++;
}

static void take_end(void *ctx, enum channel_end end, const char *why)
{
    struct heard *h = ctx;
    (void)why;
    h->ends[end]++;
    h->ended++;
    pthread_cond_signal(&h->news);
}

static const struct channel_ops ops = { take_part, take_end };

static void heard_init(struct heard *h)
{
    *h = (struct heard){ .parts = 0 };
    pthread_mutex_init(&h->lock, NULL);
    guard_cond_init(&h->news);
}

static struct channel *open_channel(const struct fixture *t, struct heard *h)
{
    heard_init(h);
    struct channel *c = channel_open(t->cell, "qtest", &h->lock, NULL);
    assert_non_null(c);
    return c;
}

static void send_requests(struct channel *c, struct heard *h, bool is_patient, uint32_t n)
{
    guard_lock(&h->lock);
    for (uint32_t i = 0; i < n; i++) {
        struct GR_Type request = { 0 };
        cull_set(&request, GR_verb, (uint32_t)GDI_GET);
        assert_int_equal(channel_send(c, &request, is_patient, &ops, h, NULL), 0);
        cull_clear(&cull_GR_Type, &request);
    }
    guard_unlock(&h->lock);
}

static void await_ends(struct heard *h, uint32_t n)
{
    guard_lock(&h->lock);
    while (h->ended < n)
        (void)guard_wait(&h->news, &h->lock, UINT64_MAX);
    guard_unlock(&h->lock);
}

static void every_request_has_all_parts_of_its_answer(void **state)
{
    struct fixture *t = *state;
    struct heard h;
    t->parts = 3;
    struct channel *c = open_channel(t, &h);
    send_requests(c, &h, false, MANY);
    await_ends(&h, MANY);
    channel_close(c);
    assert_int_equal(h.ends[CHANNEL_DONE], MANY);
    assert_int_equal(h.parts, 3 * MANY);
}

static void what_was_lost_without_an_answer_is_sent_again_with_its_id(void **state)
{
    struct fixture *t = *state;
    struct heard h;
    t->hang_ups = 2;
    struct channel *c = open_channel(t, &h);
    send_requests(c, &h, false, 1);
    await_ends(&h, 1);
    channel_close(c);
    assert_int_equal(h.ends[CHANNEL_DONE], 1);
    assert_int_equal(t->n_requests, 3);
    assert_string_equal(t->ids[0], t->ids[1]);
    assert_string_equal(t->ids[0], t->ids[2]);
}

static void an_answer_that_was_cut_ends_the_request(void **state)
{
    struct fixture *t = *state;
    struct heard h;
    t->hang_ups = 1;
    t->after = 2;
    struct channel *c = open_channel(t, &h);
    send_requests(c, &h, false, 1);
    await_ends(&h, 1);
    send_requests(c, &h, false, 1); /* the channel goes on */
    await_ends(&h, 2);
    channel_close(c);
    assert_int_equal(h.ends[CHANNEL_CUT], 1);
    assert_int_equal(h.ends[CHANNEL_DONE], 1);
}

static void a_patient_request_is_sent_again_whatever_had_come(void **state)
{
    struct fixture *t = *state;
    struct heard h;
    t->hang_ups = 3;
    t->after = 2;
    struct channel *c = open_channel(t, &h);
    send_requests(c, &h, true, 1);
    await_ends(&h, 1);
    channel_close(c);
    assert_int_equal(h.ends[CHANNEL_DONE], 1);
    assert_int_equal(t->n_requests, 4);
}

static void closing_ends_what_has_no_answer(void **state)
{
    struct fixture *t = *state;
    struct heard h;
    t->parts = 0; /* no answer comes */
    struct channel *c = open_channel(t, &h);
    send_requests(c, &h, false, 5);
    channel_close(c);
    assert_int_equal(h.ended, 5);
    assert_int_equal(h.ends[CHANNEL_CLOSED], 5);
}

static void without_room_the_channel_waits_for_it(void **state)
{
    struct fixture *t = *state;
    struct heard h;
    struct channel *c = open_channel(t, &h);
    send_requests(c, &h, false, 1);
    fixture_make_room(t);
    await_ends(&h, 1);
    channel_close(c);
    assert_int_equal(h.ends[CHANNEL_DONE], 1);
}

static void nobody_there_is_said_at_once(void **state)
{
    const struct fixture *t = *state;
    struct heard h;
    struct answer ans = ANSWER_INIT;
    heard_init(&h);
    assert_null(channel_open(t->cell, "qtest", &h.lock, &ans));
    assert_int_equal(ans.v[ans.n - 1].status, STATUS_ENOCONN);
    ans_free(&ans);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, fixture_served, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(every_request_has_all_parts_of_its_answer),
        SERVED(what_was_lost_without_an_answer_is_sent_again_with_its_id),
        SERVED(an_answer_that_was_cut_ends_the_request),
        SERVED(a_patient_request_is_sent_again_whatever_had_come),
        SERVED(closing_ends_what_has_no_answer),
        cmocka_unit_test_setup_teardown(without_room_the_channel_waits_for_it, fixture_full,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(nobody_there_is_said_at_once, fixture_cell,
                                        fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
