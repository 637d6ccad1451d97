/* The published values of FNV-1a. */
#include "libs/uti/hash.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void published_values(void **state)
{
    (void)state;
    assert_true(uti_fnv1a("", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(uti_fnv1a("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(uti_fnv1a("foobar", 6) == UINT64_C(0x85944171f73967e8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
