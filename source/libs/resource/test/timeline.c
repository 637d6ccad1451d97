/* Tests of libs/resource/timeline.c: what is booked over time, against a naive one with a number
 * for each second. */
#include "libs/resource/timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ALWAYS ((struct time_span){ 0, TIME_FOREVER })
enum { SECONDS = 40, BOOKINGS = 12, STEPS = 20000 };

struct booking {
    struct time_span span;
    uint64_t amount; /* 0: none */
};

static struct timeline timed_one(void)
{
    struct timeline t = { 0 };
    timeline_time(&t);
    return t;
}

static void what_is_untimed_is_one_number(void **state SGE_UNUSED)
{
    struct timeline t = { 0 };
    for (unsigned i = 0; i < 1000; i++)
        timeline_book(&t, ALWAYS, 3);
    assert_int_equal(timeline_peak(&t, ALWAYS), 3000);
    assert_int_equal(timeline_peak(&t, TIME_NOW), 3000);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 500, 600 }), 3000);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 500, 500 }), 0);
    assert_null(t.steps);
    for (unsigned i = 0; i < 1000; i++)
        assert_true(timeline_release(&t, ALWAYS, 3));
    assert_int_equal(timeline_peak(&t, ALWAYS), 0);
}

static void a_peak_is_the_most_within_its_span(void **state SGE_UNUSED)
{
    struct timeline t = timed_one();
    timeline_book(&t, (struct time_span){ 10, 20 }, 4);
    timeline_book(&t, (struct time_span){ 15, 30 }, 2);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 0, 10 }), 0);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 0, 11 }), 4);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 19, 20 }), 6);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 20, TIME_FOREVER }), 2);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 30, TIME_FOREVER }), 0);
    assert_int_equal(timeline_peak(&t, ALWAYS), 6);
    timeline_free(&t);
}

static void an_empty_span_takes_nothing(void **state SGE_UNUSED)
{
    struct timeline t = timed_one();
    timeline_book(&t, (struct time_span){ 7, 7 }, 4);
    timeline_book(&t, (struct time_span){ 9, 8 }, 4);
    assert_int_equal(timeline_peak(&t, ALWAYS), 0);
    assert_int_equal(t.n, 0);
    timeline_book(&t, ALWAYS, 4);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 7, 7 }), 0);
    timeline_free(&t);
}

static void releasing_what_is_not_booked_is_noticed(void **state SGE_UNUSED)
{
    struct timeline t = timed_one();
    timeline_book(&t, ALWAYS, 3);
    assert_false(timeline_release(&t, ALWAYS, 4));
    timeline_free(&t);
    t = timed_one();
    timeline_book(&t, (struct time_span){ 10, 20 }, 3);
    assert_false(timeline_release(&t, (struct time_span){ 10, 21 }, 3));
    timeline_free(&t);
}

static void what_is_held_stays_when_a_timeline_becomes_untimed(void **state SGE_UNUSED)
{
    struct timeline t = { 0 };
    timeline_book(&t, ALWAYS, 5);
    timeline_time(&t);
    assert_true(timeline_release(&t, (struct time_span){ 10, TIME_FOREVER }, 3));
    assert_true(timeline_release(&t, (struct time_span){ 20, TIME_FOREVER }, 2));
    assert_int_equal(timeline_peak(&t, TIME_NOW), 5);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 10, 12 }), 2);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 20, TIME_FOREVER }), 0);
    timeline_untime(&t);
    assert_int_equal(timeline_peak(&t, (struct time_span){ 20, TIME_FOREVER }), 5);
    assert_null(t.steps);
    assert_true(timeline_release(&t, ALWAYS, 5));
    assert_int_equal(t.booked, 0);
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
    for (uint64_t at = span.from_s; at < span.until_s && (at <= SECONDS || at == span.from_s);
         at++) {
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
    struct timeline t = timed_one();
    for (unsigned step = 0; step < STEPS; step++) {
        struct booking *b = &bookings[roll_dice(BOOKINGS)];
        if (b->amount > 0)
            assert_true(timeline_release(&t, b->span, b->amount));
        *b = (struct booking){ some_span(), roll_dice(3) };
        timeline_book(&t, b->span, b->amount);
        struct time_span asked = some_span();
        assert_int_equal(timeline_peak(&t, asked), naive_peak(bookings, asked));
    }
    for (unsigned i = 0; i < BOOKINGS; i++)
        assert_true(timeline_release(&t, bookings[i].span, bookings[i].amount));
    assert_int_equal(t.booked, 0);
    assert_int_equal(t.n, 0);
    timeline_free(&t);
}

/* the first second from FROM_S from which no more than MOST is booked, for so long */
static uint64_t naive_from(const struct booking *bookings, uint64_t most, uint64_t from_s,
                           uint64_t duration_s)
{
    for (uint64_t at = from_s; at <= from_s + SECONDS + 1; at++) {
        uint64_t until = duration_s == TIME_FOREVER ? TIME_FOREVER : at + duration_s;
        if (naive_peak(bookings, (struct time_span){ at, until }) <= most)
            return at;
    }
    return TIME_FOREVER;
}

static void the_first_time_with_room_equals_that_of_a_search_second_by_second(
    void **state SGE_UNUSED)
{
    struct booking bookings[BOOKINGS] = { 0 };
    struct timeline t = timed_one();
    for (unsigned step = 0; step < STEPS; step++) {
        struct booking *b = &bookings[roll_dice(BOOKINGS)];
        assert_true(timeline_release(&t, b->span, b->amount));
        *b = (struct booking){ some_span(), roll_dice(3) };
        timeline_book(&t, b->span, b->amount);
        uint64_t most = roll_dice(6), from = roll_dice(SECONDS);
        uint64_t duration = roll_dice(4) == 0 ? TIME_FOREVER : roll_dice(SECONDS);
        assert_int_equal(timeline_from(&t, most, from, duration),
                         naive_from(bookings, most, from, duration));
    }
    timeline_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_untimed_is_one_number),
        cmocka_unit_test(a_peak_is_the_most_within_its_span),
        cmocka_unit_test(an_empty_span_takes_nothing),
        cmocka_unit_test(releasing_what_is_not_booked_is_noticed),
        cmocka_unit_test(what_is_held_stays_when_a_timeline_becomes_untimed),
        cmocka_unit_test(peaks_equal_those_of_a_number_for_each_second),
        cmocka_unit_test(the_first_time_with_room_equals_that_of_a_search_second_by_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
