/* A map gives for each number what was added under it, finds the next higher one, and has no memory
 * when it has no values. */
#include "libs/uti/number_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

enum { RANDOM_STEPS = 20000, RANDOM_NUMBERS = 5000 };

static const uint32_t spread[] = {
    0, 1, 63, 64, 4095, 4096, 9999999, 16777215, 16777216, UINT32_MAX
};
enum { SPREAD = sizeof spread / sizeof spread[0] };

/* under each of these numbers its place in `spread` */
static struct number_map spread_map(void)
{
    struct number_map m = { 0 };
    for (unsigned i = 0; i < SPREAD; i++)
        number_map_add(&m, spread[i], (void *)(uintptr_t)&spread[i]);
    return m;
}

static void an_empty_map_has_nothing_and_may_be_freed(void **state)
{
    (void)state;
    struct number_map m = { 0 };
    assert_null(number_map_get(&m, 0));
    assert_null(number_map_at_or_after(&m, 0));
    assert_null(number_map_remove(&m, 7));
    number_map_free(&m);
    number_map_free(&m);
}

static void a_value_is_found_under_its_number_and_no_other(void **state)
{
    (void)state;
    struct number_map m = spread_map();
    for (unsigned i = 0; i < SPREAD; i++)
        assert_ptr_equal(number_map_get(&m, spread[i]), &spread[i]);
    assert_null(number_map_get(&m, 2));
    assert_null(number_map_get(&m, 4097));
    assert_null(number_map_get(&m, UINT32_MAX - 1));
    number_map_free(&m);
}

static void a_number_beyond_all_that_were_added_has_nothing(void **state)
{
    (void)state;
    struct number_map m = { 0 };
    int value;
    number_map_add(&m, 3, &value);
    assert_null(number_map_get(&m, 64 + 3)); /* the same place, one level up */
    assert_null(number_map_get(&m, UINT32_MAX));
    assert_null(number_map_at_or_after(&m, 4));
    assert_null(number_map_at_or_after(&m, 64));
    assert_null(number_map_remove(&m, 64 + 3));
    assert_ptr_equal(number_map_get(&m, 3), &value);
    number_map_free(&m);
}

static void the_next_number_is_found_across_all_levels(void **state)
{
    (void)state;
    struct number_map m = spread_map();
    for (unsigned i = 0; i < SPREAD; i++) {
        assert_ptr_equal(number_map_at_or_after(&m, spread[i]), &spread[i]);
        assert_ptr_equal(number_map_at_or_after(&m, (uint64_t)spread[i] + 1),
                         i + 1 < SPREAD ? &spread[i + 1] : NULL);
    }
    number_map_free(&m);
}

static void what_was_removed_is_gone_and_the_last_one_leaves_nothing(void **state)
{
    (void)state;
    struct number_map m = spread_map();
    for (unsigned i = 0; i < SPREAD; i++) {
        assert_ptr_equal(number_map_remove(&m, spread[i]), &spread[i]);
        assert_null(number_map_remove(&m, spread[i]));
        assert_null(number_map_get(&m, spread[i]));
    }
    assert_null(m.root);
    int value;
    number_map_add(&m, 5, &value);
    assert_ptr_equal(number_map_at_or_after(&m, 0), &value);
    number_map_free(&m);
}

/* Numbers are places of PLAIN, which says the same the slow way. */
static void compare_with_array(const struct number_map *m, char *const *plain, uint32_t from)
{
    uint32_t next = from;
    while (next < RANDOM_NUMBERS && plain[next] == NULL)
        next++;
    assert_ptr_equal(number_map_get(m, from), plain[from]);
    assert_ptr_equal(number_map_at_or_after(m, from), next < RANDOM_NUMBERS ? plain[next] : NULL);
}

static void random_maps_agree_with_an_array(void **state)
{
    (void)state;
    static char values[RANDOM_NUMBERS], *plain[RANDOM_NUMBERS];
    struct number_map m = { 0 };
    unsigned short seed[3] = { 1, 2, 3 };
    for (int i = 0; i < RANDOM_STEPS; i++) {
        uint32_t number = (uint32_t)(nrand48(seed) % RANDOM_NUMBERS);
        if (plain[number] == NULL)
            number_map_add(&m, number, plain[number] = &values[number]);
        else if (nrand48(seed) % 4 > 0) /* mostly sparse, so that nodes come and go */
            plain[number] = number_map_remove(&m, number) == plain[number] ? NULL : values;
        compare_with_array(&m, plain, (uint32_t)(nrand48(seed) % RANDOM_NUMBERS));
    }
    number_map_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_nothing_and_may_be_freed),
        cmocka_unit_test(a_value_is_found_under_its_number_and_no_other),
        cmocka_unit_test(a_number_beyond_all_that_were_added_has_nothing),
        cmocka_unit_test(the_next_number_is_found_across_all_levels),
        cmocka_unit_test(what_was_removed_is_gone_and_the_last_one_leaves_nothing),
        cmocka_unit_test(random_maps_agree_with_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
