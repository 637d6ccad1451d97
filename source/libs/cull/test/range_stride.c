/* Strides answer and change as a plain array of flags does, or say that they cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "libs/cull/range_shapes.h"

enum { SPAN = 24 };
typedef uint64_t flags; /* of the members 0..SPAN - 1 */

static flags flags_of(const struct range_stride *s)
{
    flags all = 0;

    for (uint32_t m = s->first; s->by != 0 && m <= s->last; m += s->by)
        all |= (flags)1 << m;
    return all;
}

static flags flags_within(uint32_t first, uint32_t last)
{
    return (((flags)1 << (last - first + 1)) - 1) << first;
}

/* S, all zero at first, becomes the next of all strides below SPAN; false after the last */
static bool next_stride(struct range_stride *s)
{
    if (s->by == 0) {
        *s = (struct range_stride){ 0, 0, 2 };
    } else if (s->last + s->by < SPAN) {
        s->last += s->by;
    } else if (++s->first < SPAN) {
        s->last = s->first;
    } else {
        *s = (struct range_stride){ 0, 0, s->by + 1 };
    }
    return s->by < 7;
}

static void each_stride_answers_as_its_members_do(void **state)
{
    struct range_stride s = { 0 };
    struct range r;

    (void)state;
    while (next_stride(&s)) {
        flags all = flags_of(&s);
        assert_int_equal(range_stride_count(&s), __builtin_popcountll(all));
        for (uint32_t m = 0; m < SPAN; m++) {
            assert_int_equal(range_stride_has(&s, m), all >> m & 1);
            assert_int_equal(range_stride_next(&s, m, &r), all >> m != 0);
            if (all >> m != 0)
                assert_true(r.first == r.last &&
                            r.first == m + (uint32_t)__builtin_ctzll(all >> m));
        }
    }
}

/* what a change claims holds; what it does not claim has changed nothing */
static unsigned check_change(bool is_claimed, const struct range_stride *before,
                             const struct range_stride *after, flags wanted)
{
    assert_true(flags_of(after) == (is_claimed ? wanted : flags_of(before)));
    return is_claimed;
}

static void members_that_come_and_go_leave_a_stride_or_it_is_said(void **state)
{
    struct range_stride s = { 0 };
    unsigned claimed = 0;

    (void)state;
    while (next_stride(&s))
        for (uint32_t first = 0; first < SPAN; first++)
            for (uint32_t last = first; last < SPAN; last++) {
                struct range_stride more = s, less = s, part = range_stride_within(&s, first, last);
                flags window = flags_within(first, last);
                bool is_more = range_stride_add(&more, first, last);
                bool is_less = range_stride_remove(&less, first, last);
                claimed += check_change(is_more, &s, &more, flags_of(&s) | window);
                claimed += check_change(is_less, &s, &less, flags_of(&s) & ~window);
                assert_true(flags_of(&part) == (flags_of(&s) & window));
            }
    assert_true(claimed > 10000);
}

static void check_two(const struct range_stride *a, const struct range_stride *b, unsigned *claimed)
{
    struct range_stride sum = *a, shared = *a, left = *a;
    flags x = flags_of(a), y = flags_of(b);
    bool is_sum = range_stride_unite(&sum, b), is_shared = range_stride_intersect(&shared, b);
    bool is_left = range_stride_subtract(&left, b);

    claimed[0] += check_change(is_sum, a, &sum, x | y);
    claimed[1] += check_change(is_shared, a, &shared, x & y);
    claimed[2] += check_change(is_left, a, &left, x & ~y);
    assert_true(a->by != b->by || is_shared);
}

static void two_strides_leave_one_or_it_is_said(void **state)
{
    struct range_stride a = { 0 };
    unsigned claimed[3] = { 0 };

    (void)state;
    while (next_stride(&a)) {
        struct range_stride b = { 0 };
        while (next_stride(&b))
            check_two(&a, &b, claimed);
    }
    assert_true(claimed[0] > 1000 && claimed[1] > 1000 && claimed[2] > 1000);
}

static void between_every_other_member_lie_the_others(void **state)
{
    struct range_stride s = { 0 };
    unsigned claimed = 0;

    (void)state;
    while (next_stride(&s))
        for (uint32_t first = 0; first <= s.first; first++)
            for (uint32_t last = s.last; last < SPAN; last++) {
                struct range_stride gaps;
                if (!range_stride_between(first, last, &s, &gaps))
                    continue;
                assert_true(flags_of(&gaps) == (flags_within(first, last) & ~flags_of(&s)));
                claimed++;
            }
    assert_true(claimed > 100);
}

static void the_greatest_numbers_are_no_limit(void **state)
{
    const uint32_t most = UINT32_MAX - 1;
    struct range_stride s = { most - 4, most, 2 };
    struct range r;

    (void)state;
    assert_int_equal(range_stride_count(&s), 3);
    assert_true(range_stride_next(&s, most - 1, &r) && r.first == most);
    assert_false(range_stride_next(&s, (uint64_t)most + 1, &r));
    assert_true(range_stride_remove(&s, most, UINT32_MAX));
    assert_int_equal(s.last, most - 2);
    assert_true(range_stride_add(&s, most, most));
    assert_int_equal(range_stride_within(&s, most - 1, UINT32_MAX).first, most);
    s = (struct range_stride){ 1, most, most - 1 };
    assert_int_equal(range_stride_count(&s), 2);
    assert_true(range_stride_next(&s, 2, &r) && r.first == most);
}

/* ---- as bits ---- */
static void bits_are_those_of_the_members_wherever_the_window_lies(void **state)
{
    static const struct range_stride all[] = { { 3, 1003, 2 }, { 64, 640, 64 }, { 100, 900, 100 } };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(all); i++)
        for (uint32_t first = 0; first < 20; first++) {
            uint64_t v[3] = { 0 };
            struct range_words w = { v, first, ARRAY_LEN(v) };
            range_stride_words(&all[i], &w);
            for (uint32_t bit = 0; bit < ARRAY_LEN(v) * 64; bit++)
                assert_int_equal(v[bit / 64] >> bit % 64 & 1,
                                 range_stride_has(&all[i], first * 64 + bit));
        }
}

/* ... and those with a member less in the middle, one more behind, or one that is moved */
static void bits_that_are_a_stride_are_known_for_one(void **state)
{
    (void)state;
    for (uint32_t by = 2; by < 200; by++) {
        struct range_stride s = { 70, 70 + 40 * by, by }, found = { 0 };
        struct range_words w = range_words_new(0, s.last + 2 * by);
        range_stride_words(&s, &w);
        assert_true(range_stride_of_words(&w, 41, &found));
        assert_true(found.first == s.first && found.last == s.last && found.by == by);
        range_words_take_out(&w, 70 + 9 * by, 70 + 9 * by);
        assert_false(range_stride_of_words(&w, 40, &found));
        range_words_put(&w, s.last + by, s.last + by); /* as many as before, one farther away */
        assert_false(range_stride_of_words(&w, 41, &found));
        range_words_take_out(&w, s.last + by, s.last + by);
        range_words_put(&w, 71 + 9 * by, 71 + 9 * by);
        assert_false(range_stride_of_words(&w, 41, &found));
        free(w.v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stride_answers_as_its_members_do),
        cmocka_unit_test(members_that_come_and_go_leave_a_stride_or_it_is_said),
        cmocka_unit_test(two_strides_leave_one_or_it_is_said),
        cmocka_unit_test(between_every_other_member_lie_the_others),
        cmocka_unit_test(the_greatest_numbers_are_no_limit),
        cmocka_unit_test(bits_are_those_of_the_members_wherever_the_window_lies),
        cmocka_unit_test(bits_that_are_a_stride_are_known_for_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
