/* Lists of processors as queues have them. */
#include "libs/task/processors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void numbers_and_ranges_are_read(void **state)
{
    struct processors p;
    (void)state;
    assert_true(processors_from(&p, "0-2,8,1023"));
    assert_true(processors_have(&p, 0) && processors_have(&p, 2) && processors_have(&p, 8));
    assert_true(processors_have(&p, 1023));
    assert_false(processors_have(&p, 3) || processors_have(&p, 1024) || processors_have(&p, 9999));
}

static void what_is_none_or_too_large_is_not(void **state)
{
    static const char *const none[] = {
        NULL, "UNDEFINED", "undefined", "x", "3-1", "1024", "0,,1"
    };
    struct processors p;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        assert_false(processors_from(&p, none[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_ranges_are_read),
        cmocka_unit_test(what_is_none_or_too_large_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
