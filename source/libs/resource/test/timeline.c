/* Tests of libs/resource/timeline.c: what is taken over time, against a naive one with a number for
 * each second. */
#include "libs/resource/timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { SECONDS = 40, BOOKINGS = 12, STEPS = 20000 };

struct booking {
    struct time_span span;
    uint64_t amount; /* 0: none */
};

static void what_is_taken_for_ever_is_one_number(void **state SGE_UNUSED)
{
    struct timeline t = { 0 };
    for (unsigned i = 0; i < 1000; i++)
        timeline_take(&t, TIME_ALWAYS, 3);
    assert_int_equal(timeline_peak(&t, TIME_ALWAYS), 3000);
    assert_int_equal(t.n, 0);
    assert_null(t.steps);
    for (unsigned i = 0; i < 1000; i++)
        timeline_give(&t, TIME_ALWAYS, 3);
    assert_int_equal(timeline_peak(&t, TIME_ALWAYS), 0);
}

static void a_peak_is_the_most_within_its_span(void **state SGE_UNUSED)
{
    struct timeline t = { 0 };
    timeline_take(&t, (struct time_span){ 10, 20 }, 4);
    timeline_take(&t, (struct time_span){ 15, 30 }, 2);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 0, 10 }), 0);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 0, 11 }), 4);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 19, 20 }), 6);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 20, TIME_FOREVER }), 2);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 30, TIME_FOREVER }), 0);
    assert_int_equal(timeline_peak(&t, TIME_ALWAYS), 6);
    timeline_free(&t);
}

static void an_empty_span_takes_nothing(void **state SGE_UNUSED)
{
    struct timeline t = { 0 };
    timeline_take(&t, (struct time_span){ 7, 7 }, 4);
    timeline_take(&t, (struct time_span){ 9, 8 }, 4);
    assert_int_equal(timeline_peak(&t, TIME_ALWAYS), 0);
    assert_int_equal(t.n, 0);
    timeline_take(&t, TIME_ALWAYS, 4);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 7, 7 }), 0);
}

static uint64_t dice = 88172645463325252u;

static uint64_t roll_dice(uint64_t sides)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice % sides;
}

/* now and then from the first second, or without an end */
static struct time_span some_span(void)
{
    uint64_t from = roll_dice(4) == 0 ? 0 : roll_dice(SECONDS);
    uint64_t until = roll_dice(4) == 0 ? TIME_FOREVER : from + roll_dice(SECONDS - from + 1);
    return (struct time_span){ from, until };
}

static uint64_t naive_peak(const struct booking *bookings, struct time_span span)
{
    uint64_t peak = 0;
    for (uint64_t at = span.from_s; at < span.until_s && at <= SECONDS; at++) {
        uint64_t taken = 0;
        for (unsigned i = 0; i < BOOKINGS; i++)
            if (bookings[i].span.from_s <= at && at < bookings[i].span.until_s)
                taken += bookings[i].amount;
        peak = taken > peak ? taken : peak;
    }
    return peak;
}

static void peaks_equal_those_of_a_number_for_each_second(void **state SGE_UNUSED)
{
    struct booking bookings[BOOKINGS] = { 0 };
    struct timeline t = { 0 };
    for (unsigned step = 0; step < STEPS; step++) {
        struct booking *b = &bookings[roll_dice(BOOKINGS)];
        if (b->amount > 0)
            timeline_give(&t, b->span, b->amount);
        *b = (struct booking){ some_span(), roll_dice(3) };
        timeline_take(&t, b->span, b->amount);
        struct time_span asked = some_span();
        assert_int_equal(timeline_peak(&t, asked), naive_peak(bookings, asked));
    }
    for (unsigned i = 0; i < BOOKINGS; i++)
        timeline_give(&t, bookings[i].span, bookings[i].amount);
    assert_int_equal(t.taken, 0);
    assert_int_equal(t.n, 0);
    timeline_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_for_ever_is_one_number),
        cmocka_unit_test(a_peak_is_the_most_within_its_span),
        cmocka_unit_test(an_empty_span_takes_nothing),
        cmocka_unit_test(peaks_equal_those_of_a_number_for_each_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
