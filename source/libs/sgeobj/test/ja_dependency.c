/* The maps of -hold_jid_ad against their definition by frames: B.i, a chunk that covers the frames
 * i..min(i+sb-1, t1), waits for every A.j whose chunk j..min(j+sa-1, t1) shares a frame with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/test/random_record.h"
#include "libs/sgeobj/ja_dependency.h"
#include "libs/uti/time.h"

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* the definition, frame by frame */
static bool waits_for(const struct ja_shape *a, const struct ja_shape *b, uint32_t b_ordinal,
                      uint32_t a_ordinal)
{
    uint32_t i = b->first + b_ordinal * b->step, j = a->first + a_ordinal * a->step;

    for (uint32_t frame = i; frame <= least_of(i + b->step - 1, b->last); frame++) {
        if (frame >= j && frame <= least_of(j + a->step - 1, a->last))
            return true;
    }
    return false;
}

static void check_windows(const struct ja_shape *a, const struct ja_shape *b)
{
    for (uint32_t i = 0; i < ja_task_count(b); i++) {
        struct ja_window w = ja_dep_forward(a, b, i);
        assert_true(w.first <= w.last && w.last < ja_task_count(a));
        for (uint32_t j = 0; j < ja_task_count(a); j++)
            assert_int_equal(waits_for(a, b, i, j), j >= w.first && j <= w.last);
    }
    for (uint32_t j = 0; j < ja_task_count(a); j++) {
        struct ja_window w = ja_dep_backward(a, b, j);
        assert_true(w.first <= w.last && w.last < ja_task_count(b));
        for (uint32_t i = 0; i < ja_task_count(b); i++)
            assert_int_equal(waits_for(a, b, i, j), i >= w.first && i <= w.last);
    }
}

static void check_held(const struct ja_shape *a, const struct ja_shape *b, uint64_t *seed)
{
    struct range_set unfinished = { 0 }, held = { 0 };
    uint32_t kept = random_u32(seed) | random_u32(seed);

    for (uint32_t j = 0; j < ja_task_count(a); j++) {
        if ((kept >> j) & 1u)
            range_set_add(&unfinished, j, j);
    }
    ja_dep_held(a, b, &unfinished, &held);
    for (uint32_t i = 0; i < ja_task_count(b); i++) {
        bool expected = false;
        for (uint32_t j = 0; j < ja_task_count(a); j++)
            expected |= range_set_has(&unfinished, j) && waits_for(a, b, i, j);
        assert_int_equal(range_set_has(&held, i), expected);
    }
    assert_false(range_set_any_in(&held, ja_task_count(b), UINT32_MAX));
    range_set_free(&unfinished);
    range_set_free(&held);
}

static void every_small_range_follows_the_definition(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (uint32_t first = 1; first <= 3; first++) {
        for (uint32_t length = 1; length <= 24; length++) {
            for (uint32_t steps = 0; steps < 81; steps++) {
                struct ja_shape a = { first, first + length - 1, steps / 9 + 1 };
                struct ja_shape b = { first, first + length - 1, steps % 9 + 1 };
                check_windows(&a, &b);
                check_held(&a, &b, &seed);
                check_held(&a, &b, &seed);
            }
        }
    }
}

/* tasks of B that stay held as A's tasks go, first to last: the bits of each line are B's
 * ordinals */
static void releases_happen_when_users_know_them_to(void **state)
{
    static const struct {
        uint32_t first, last, sa, sb;
        uint32_t held[13];
    } rows[] = {
        { 1, 6, 1, 1, { 0x3f, 0x3e, 0x3c, 0x38, 0x30, 0x20, 0 } },
        { 1, 6, 1, 2, { 7, 7, 6, 6, 4, 4, 0 } },
        { 1, 6, 2, 1, { 0x3f, 0x3c, 0x30, 0 } },
        { 1, 6, 3, 2, { 7, 6, 0 } },
        { 1, 6, 2, 3, { 3, 3, 2, 0 } },
        { 1, 7, 3, 1, { 0x7f, 0x78, 0x40, 0 } },
        { 1, 7, 1, 3, { 7, 7, 7, 6, 6, 6, 4, 0 } },
        { 1, 12, 3, 2, { 0x3f, 0x3e, 0x38, 0x30, 0 } },
        { 1, 12, 4, 6, { 3, 3, 2, 0 } },
        { 2, 9, 2, 3, { 7, 7, 6, 4, 0 } },
        { 3, 10, 4, 1, { 0xff, 0xf0, 0 } },
        { 5, 5, 1, 1, { 1, 0 } },
        /* the last chunk of a range that the step does not divide: neither late nor early */
        { 1, 10, 1, 4, { 7, 7, 7, 7, 6, 6, 6, 6, 4, 4, 0 } },
        { 1, 10, 4, 1, { 0x3ff, 0x3f0, 0x300, 0 } },
    };

    (void)state;
    for (unsigned r = 0; r < ARRAY_LEN(rows); r++) {
        struct ja_shape a = { rows[r].first, rows[r].last, rows[r].sa },
                        b = { rows[r].first, rows[r].last, rows[r].sb };
        for (uint32_t gone = 0; gone <= ja_task_count(&a); gone++) {
            struct range_set left = { 0 }, held = { 0 };
            uint32_t bits = 0;
            if (gone < ja_task_count(&a))
                range_set_add(&left, gone, ja_task_count(&a) - 1);
            ja_dep_held(&a, &b, &left, &held);
            for (uint32_t i = 0; i < ja_task_count(&b); i++)
                bits |= (uint32_t)range_set_has(&held, i) << i;
            assert_int_equal(bits, rows[r].held[gone]);
            range_set_free(&held);
        }
    }
}

static void held_tasks_are_added_to_those_of_other_predecessors(void **state)
{
    struct ja_shape a = { 1, 10, 1 }, b = { 1, 10, 2 };
    struct range_set left = { 0 }, held = { 0 };

    (void)state;
    range_set_add(&held, 4, 4);
    range_set_add(&left, 0, 0);
    ja_dep_held(&a, &b, &left, &held);
    assert_int_equal(range_set_count(&held), 2);
    ja_dep_held(&a, &a, &left, &held);
    assert_true(range_set_has(&held, 0) && range_set_has(&held, 4));
    range_set_free(&held);
}

static void ranges_are_compared_as_submitted(void **state)
{
    struct ja_shape a = { 1, 10, 1 }, b = { 1, 10, 4 }, c = { 1, 9, 1 }, d = { 1, 9, 3 },
                    e = { 1, 7, 1 };

    (void)state;
    assert_true(ja_same_range(&a, &b));
    assert_false(ja_same_range(&a, &c));
    assert_false(ja_same_range(&d, &e));
}

/* cost goes with the ranges, not with the tasks: ten million untouched tasks, a thousand times */
static void ten_million_tasks_cost_nothing(void **state)
{
    struct ja_shape a = { 1, 10000000, 3 }, b = { 1, 10000000, 2 };
    struct range_set left = { 0 };
    uint64_t started_us = uti_mono_us();

    (void)state;
    range_set_add(&left, 0, ja_task_count(&a) - 1);
    for (int i = 0; i < 1000; i++) {
        struct range_set held = { 0 };
        ja_dep_held(&a, &b, &left, &held);
        assert_int_equal(range_set_count(&held), 5000000);
        ja_dep_held(&a, &a, &left, &held);
        range_set_free(&held);
    }
    assert_true(uti_mono_us() - started_us < 500000);
}

/* a set of many runs, in pieces: what each unended task of A holds, and no more calls than
 * pieces */
static void pieces_are_the_whole(void **state)
{
    static const uint32_t steps[][2] = { { 1, 3 }, { 3, 1 }, { 2, 5 }, { 1, 1 } };
    uint64_t seed = 3;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        struct ja_shape a = { 1, 900000, steps[i][0] }, b = { 1, 900000, steps[i][1] };
        struct range_set left = { 0 }, held = { 0 }, expected = { 0 };
        uint32_t calls = 1;
        uint64_t from = 0;
        for (uint32_t at = 0; at < ja_task_count(&a); at += 1 + random_u32(&seed) % 9) {
            struct ja_window w = ja_dep_backward(&a, &b, at);
            range_set_add(&left, at, at);
            range_set_add(&expected, w.first, w.last);
        }
        while (!ja_dep_held_next(&a, &b, &left, &from, &held))
            calls++;
        assert_in_range(calls, 1, ja_task_count(&a) / (1 << 17) + 1);
        assert_true(a.step == b.step || calls > 1);
        assert_true(range_set_equal(&held, &expected));
        assert_true(ja_dep_held_cost(&a, &b, &left) > 1000);
        range_set_free(&left);
        range_set_free(&held);
        range_set_free(&expected);
    }
}

/* the largest ids: no sum overflows */
static void the_largest_ranges_do_not_overflow(void **state)
{
    struct ja_shape a = { 1, UINT32_MAX - 1, 1 }, b = { 1, UINT32_MAX - 1, UINT32_MAX - 2 };
    struct ja_window w = ja_dep_forward(&a, &b, 0);

    (void)state;
    assert_true(w.first == 0 && w.last == UINT32_MAX - 3);
    w = ja_dep_forward(&a, &b, 1);
    assert_true(w.first == UINT32_MAX - 2 && w.last == UINT32_MAX - 2);
    w = ja_dep_backward(&a, &b, UINT32_MAX - 2);
    assert_true(w.first == 1 && w.last == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_range_follows_the_definition),
        cmocka_unit_test(releases_happen_when_users_know_them_to),
        cmocka_unit_test(held_tasks_are_added_to_those_of_other_predecessors),
        cmocka_unit_test(ranges_are_compared_as_submitted),
        cmocka_unit_test(ten_million_tasks_cost_nothing),
        cmocka_unit_test(pieces_are_the_whole),
        cmocka_unit_test(the_largest_ranges_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
