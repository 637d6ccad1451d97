/* The picture of a chunk map: which block stands where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/view/predecessors.h"

enum { MOST = 100 };

static void assert_covers(const struct ja_shape *s, const struct chunk_block *v, uint32_t n,
                          int width)
{
    int x = 0;
    uint32_t ordinal = 0;
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(v[i].x, x);
        assert_int_equal(v[i].first, ordinal);
        x += v[i].width;
        ordinal = v[i].last + 1;
    }
    assert_int_equal(x, width);
    assert_int_equal(ordinal, ja_task_count(s));
}

static void a_task_is_as_wide_as_its_step(void **state SGE_UNUSED)
{
    const struct ja_shape s = { 1, 10, 4 }; /* 1 5 9: the last one covers 9 and 10 */
    struct chunk_block v[MOST];
    assert_int_equal(chunk_blocks(&s, 100, 3, v, MOST), 3);
    assert_covers(&s, v, 3, 100);
    assert_int_equal(v[0].width, 40);
    assert_int_equal(v[2].width, 20);
}

static void many_tasks_share_blocks(void **state SGE_UNUSED)
{
    const struct ja_shape s = { 1, 10000000, 1 };
    struct chunk_block v[MOST];
    assert_int_equal(chunk_blocks(&s, 90, 3, v, MOST), 30);
    assert_covers(&s, v, 30, 90);
    assert_int_equal(chunk_blocks(&s, 900, 3, v, MOST), MOST);
    assert_covers(&s, v, MOST, 900);
    assert_int_equal(chunk_blocks(&s, 1, 3, v, MOST), 1);
    assert_covers(&s, v, 1, 1);
}

static void a_block_waits_for_what_its_tasks_wait_for(void **state SGE_UNUSED)
{
    const struct ja_shape a = { 1, 8, 1 }, b = { 1, 8, 4 };
    const struct chunk_block second = { .first = 1, .last = 1 }, both = { .first = 0, .last = 1 };
    struct chunk_block waited = chunk_waited(&a, &b, &second, 80);
    assert_int_equal(waited.first, 4);
    assert_int_equal(waited.last, 7);
    assert_int_equal(waited.x, 40);
    assert_int_equal(waited.width, 40);
    waited = chunk_waited(&a, &b, &both, 80);
    assert_int_equal(waited.first, 0);
    assert_int_equal(waited.last, 7);
}

static void a_place_has_a_block(void **state SGE_UNUSED)
{
    const struct ja_shape s = { 1, 4, 1 };
    struct chunk_block v[MOST];
    uint32_t n = chunk_blocks(&s, 40, 3, v, MOST);
    assert_int_equal(chunk_at(v, n, 0), 0);
    assert_int_equal(chunk_at(v, n, 10), 1);
    assert_int_equal(chunk_at(v, n, 39), 3);
    assert_int_equal(chunk_at(v, n, 40), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_is_as_wide_as_its_step),
        cmocka_unit_test(many_tasks_share_blocks),
        cmocka_unit_test(a_block_waits_for_what_its_tasks_wait_for),
        cmocka_unit_test(a_place_has_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
