/* Blocks of objects go back to the system as they empty. Under a sanitizer objects are malloc's,
 * and only what callers see is looked at. */
#include "libs/uti/slab.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

enum { BYTES = 1000, MANY = 5000 };

static bool is_zero(const char *o)
{
    static const char zero[BYTES];
    return memcmp(o, zero, BYTES) == 0;
}

static void objects_are_zero_and_apart(void **state)
{
    static char *objects[MANY];
    struct slab s;
    (void)state;
    slab_init(&s, BYTES);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            objects[i] = slab_take(&s);
            assert_int_equal((uintptr_t)objects[i] % _Alignof(max_align_t), 0);
            assert_true(is_zero(objects[i]));
            memset(objects[i], 1 + i % 100, BYTES);
        }
        for (int i = 0; i < MANY; i++) {
            for (int at = 0; at < BYTES; at += BYTES - 1)
                assert_int_equal(objects[i][at], 1 + i % 100);
            slab_give(&s, objects[i]);
        }
        assert_in_range(s.n_blocks, 0, 1);
    }
    slab_end(&s);
}

/* S, for objects of BYTES, has given MANY */
static void take_many(struct slab *s, char *objects[MANY])
{
    slab_init(s, BYTES);
    for (int i = 0; i < MANY; i++)
        objects[i] = slab_take(s);
}

/* in whatever order the others go */
static void a_block_goes_when_its_last_object_goes(void **state)
{
    static char *objects[MANY];
    struct slab s;
    (void)state;
    take_many(&s, objects);
    uint32_t full = s.n_blocks;
    assert_true(full == 0 || full == MANY / s.per_block + 1);
    for (int i = 1; i < MANY; i += 2)
        slab_give(&s, objects[i]);
    assert_int_equal(s.n_blocks, full);
    for (int i = 0; i < MANY / 2; i += 2)
        slab_give(&s, objects[i]);
    assert_in_range(s.n_blocks, full / 2, full / 2 + 2);
    for (int i = MANY / 2; i < MANY; i += 2)
        slab_give(&s, objects[i]);
    assert_in_range(s.n_blocks, 0, 1);
    slab_end(&s);
}

static void room_that_is_there_is_used_first(void **state)
{
    static char *objects[MANY];
    struct slab s;
    (void)state;
    take_many(&s, objects);
    uint32_t full = s.n_blocks;
    for (int i = 0; i < MANY; i += 7)
        slab_give(&s, objects[i]);
    for (int i = 0; i < MANY; i += 7)
        objects[i] = slab_take(&s);
    assert_int_equal(s.n_blocks, full);
    for (int i = 0; i < MANY; i++)
        slab_give(&s, objects[i]);
    slab_end(&s);
}

static void one_object_that_comes_and_goes_asks_the_system_once(void **state)
{
    struct slab s;
    (void)state;
    slab_init(&s, BYTES);
    void *first = slab_take(&s);
    slab_give(&s, first);
    uint32_t n = s.n_blocks;
    for (int i = 0; i < MANY; i++) {
        void *next = slab_take(&s);
        assert_true(n == 0 || next == first);
        slab_give(&s, next);
    }
    slab_give(&s, NULL);
    assert_int_equal(s.n_blocks, n);
    slab_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_zero_and_apart),
        cmocka_unit_test(a_block_goes_when_its_last_object_goes),
        cmocka_unit_test(room_that_is_there_is_used_first),
        cmocka_unit_test(one_object_that_comes_and_goes_asks_the_system_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
