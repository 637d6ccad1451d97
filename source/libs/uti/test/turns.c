/* What turns cost: the histogram, and which part of a long turn is named. */
#include "libs/uti/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_bucket_is_a_power_of_two(void **state)
{
    (void)state;
    assert_int_equal(turns_bucket(0), 0);
    assert_int_equal(turns_bucket(1), 1);
    assert_int_equal(turns_bucket(2), 2);
    assert_int_equal(turns_bucket(3), 2);
    assert_int_equal(turns_bucket(1023), 10);
    assert_int_equal(turns_bucket(1024), 11);
    assert_int_equal(turns_bucket(UINT64_MAX), TURN_BUCKETS - 1);
}

static void turns_are_counted_and_the_longest_is_known(void **state)
{
    struct turns t = { 0 };
    (void)state;
    turns_begin(&t, 100);
    turns_end(&t, 103);
    turns_begin(&t, 200);
    turns_end(&t, 210);
    turns_begin(&t, 300);
    turns_end(&t, 303);
    assert_int_equal(t.counts.n, 3);
    assert_int_equal(t.counts.bucket[2], 2);
    assert_int_equal(t.counts.bucket[4], 1);
    assert_int_equal(t.counts.longest_us, 10);
}

static void the_longest_part_of_a_turn_is_named(void **state)
{
    struct turns t = { 0 };
    (void)state;
    turns_begin(&t, 0);
    turns_part(&t, "a GET request", "alice", 10);
    turns_part(&t, "a DEL request", "bob", 40);
    turns_part(&t, "handing over changes", NULL, 60);
    assert_string_equal(t.longest_part.what, "a DEL request");
    assert_string_equal(t.longest_part.who, "bob");
    assert_int_equal(t.longest_part.us, 30);
    turns_begin(&t, 100);
    turns_part(&t, "housekeeping", NULL, 101);
    assert_string_equal(t.longest_part.what, "housekeeping");
    assert_string_equal(t.longest_part.who, "");
}

static void long_turns_are_logged_once_a_second(void **state)
{
    struct turns t = { .counts.thread = "a test" };
    (void)state;
    turns_begin(&t, 10);
    turns_end(&t, 10 + TURN_WARN_US);
    assert_int_equal(t.counts.warned_us, 0); /* exactly the limit is not long */
    uint64_t end = 100 + TURN_WARN_US + 1;
    turns_begin(&t, 99);
    turns_end(&t, end);
    assert_int_equal(t.counts.warned_us, end);
    turns_begin(&t, end);
    turns_end(&t, end + TURN_WARN_US + 1);
    assert_int_equal(t.counts.warned_us, end); /* too soon for another line */
    turns_begin(&t, end + TURN_WARN_PAUSE_US);
    turns_end(&t, end + TURN_WARN_PAUSE_US + TURN_WARN_US + 1);
    assert_int_equal(t.counts.warned_us, end + TURN_WARN_PAUSE_US + TURN_WARN_US + 1);
}

static void nothing_is_logged_of_a_thread_without_a_name(void **state)
{
    struct turn_counts c = { 0 };
    struct turn_part part = { .what = "a question", .us = TURN_WARN_US + 1 };
    (void)state;
    turn_count(&c, part.us, &part, 1);
    assert_int_equal(c.warned_us, 0);
    c.thread = "a test";
    turn_count(&c, part.us, NULL, 1);
    assert_int_equal(c.warned_us, 0);
    turn_count(&c, part.us, &part, 1);
    assert_int_equal(c.warned_us, 1);
    assert_int_equal(c.n, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_is_a_power_of_two),
        cmocka_unit_test(turns_are_counted_and_the_longest_is_known),
        cmocka_unit_test(the_longest_part_of_a_turn_is_named),
        cmocka_unit_test(long_turns_are_logged_once_a_second),
        cmocka_unit_test(nothing_is_logged_of_a_thread_without_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
