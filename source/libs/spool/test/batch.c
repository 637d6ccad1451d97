/* Tests of libs/spool/batch.c: what was staged is what is there, in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/spool/spool_priv.h"

static void a_new_batch_is_empty(void **state SGE_UNUSED)
{
    struct spool_batch *b = spool_batch_new();
    assert_true(spool_batch_is_empty(b));
    assert_int_equal(spool_batch_bytes(b), 0);
    spool_batch_free(b);
    spool_batch_free(NULL);
}

static void operations_keep_their_order(void **state SGE_UNUSED)
{
    struct spool_batch *b = spool_batch_new();
    spool_put(b, SPOOL_JOB, "aaaa", 4, "one", 3);
    spool_del(b, SPOOL_TASK, "bb", 2);
    spool_del_prefix(b, SPOOL_ENDED, "c", 1);
    assert_false(spool_batch_is_empty(b));
    assert_int_equal(b->n, 3);
    assert_int_equal(b->ops[0].kind, SPOOL_OP_PUT);
    assert_int_equal(b->ops[1].kind, SPOOL_OP_DEL);
    assert_int_equal(b->ops[2].kind, SPOOL_OP_DEL_PREFIX);
    assert_int_equal(spool_batch_bytes(b), 4 + 3 + 2 + 1);
    spool_batch_free(b);
}

static void bytes_are_copied_and_survive_growth(void **state SGE_UNUSED)
{
    struct spool_batch *b = spool_batch_new();
    char value[100], key[4];
    for (int i = 0; i < 1000; i++) {
        memset(value, i & 0xff, sizeof value);
        memset(key, i & 0xff, sizeof key);
        spool_put(b, SPOOL_JOB, key, sizeof key, value, sizeof value);
    }
    for (uint32_t i = 0; i < 1000; i++) {
        memset(value, (int)(i & 0xff), sizeof value);
        assert_memory_equal(b->ops[i].key, value, 4);
        assert_memory_equal(b->ops[i].value, value, sizeof value);
    }
    spool_batch_free(b);
}

static void an_empty_value_is_a_value(void **state SGE_UNUSED)
{
    struct spool_batch *b = spool_batch_new();
    spool_put(b, SPOOL_META, "k", 1, NULL, 0);
    assert_int_equal(b->n, 1);
    assert_int_equal(b->ops[0].value_len, 0);
    spool_batch_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_batch_is_empty),
        cmocka_unit_test(operations_keep_their_order),
        cmocka_unit_test(bytes_are_copied_and_survive_growth),
        cmocka_unit_test(an_empty_value_is_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
