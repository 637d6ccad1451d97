/* sge_conf(5) gid_range. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/execd/host/task_groups.h"

static void test_take_and_return(void **state)
{
    (void)state;
    struct gid_pool p = { 0 };
    assert_int_equal(gid_pool_take(&p), 0); /* no range */
    gid_pool_range(&p, "1000-1002");
    assert_int_equal(gid_pool_take(&p), 1000);
    assert_int_equal(gid_pool_take(&p), 1001);
    gid_pool_set(&p, 1000, false);
    assert_int_equal(gid_pool_take(&p), 1002); /* one that came back rests first */
    assert_int_equal(gid_pool_take(&p), 1000);
    assert_int_equal(gid_pool_take(&p), 0);
    gid_pool_set(&p, 999, false); /* not in the range */
    gid_pool_set(&p, 0, false);
    assert_int_equal(gid_pool_take(&p), 0);
    gid_pool_free(&p);
}

static void test_new_range_keeps_what_is_used(void **state)
{
    (void)state;
    struct gid_pool p = { 0 };
    gid_pool_range(&p, "1000-1001");
    assert_int_equal(gid_pool_take(&p), 1000);
    gid_pool_range(&p, "1000-1002,2000-3000");
    assert_int_equal(gid_pool_take(&p), 1001);
    assert_int_equal(gid_pool_take(&p), 1002);
    assert_int_equal(gid_pool_take(&p), 0);
    gid_pool_free(&p);
}

static void test_what_is_no_range(void **state)
{
    (void)state;
    static const char *const texts[] = { "",           "none",
                                         "1005-1001",  "0-5",
                                         "6",          "999-2000",
                                         "1000-",      "-5",
                                         "1001-1002x", "1000-4294967295",
                                         "4294967295", "4294967294-4294967295" };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct gid_pool p = { 0 };
        gid_pool_range(&p, texts[i]);
        assert_int_equal(gid_pool_take(&p), 0);
        gid_pool_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take_and_return),
        cmocka_unit_test(test_new_range_keeps_what_is_used),
        cmocka_unit_test(test_what_is_no_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
