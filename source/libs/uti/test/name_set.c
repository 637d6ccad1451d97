/* A set knows every name that was added to it and no other, however many there are. */
#include "libs/uti/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

enum { NAMES = 5000 };

static void an_empty_set_has_nothing_and_may_be_freed(void **state)
{
    (void)state;
    struct name_set s = { 0 };
    assert_false(name_set_has(&s, "a"));
    name_set_free(&s);
    name_set_free(&s);
}

static void a_name_is_added_once(void **state)
{
    (void)state;
    struct name_set s = { 0 };
    char again[] = "node1"; /* equal, at another place */
    assert_true(name_set_add(&s, "node1"));
    assert_false(name_set_add(&s, again));
    assert_true(name_set_add(&s, "node"));
    assert_true(name_set_add(&s, ""));
    assert_false(name_set_add(&s, ""));
    assert_int_equal(s.n, 3);
    name_set_free(&s);
    assert_int_equal(s.n, 0);
}

static void a_set_that_grows_keeps_all_names(void **state)
{
    (void)state;
    static char names[NAMES][16];
    struct name_set s = { 0 };
    for (int i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        assert_true(name_set_add(&s, names[i]));
    }
    for (int i = 0; i < NAMES; i++)
        assert_false(name_set_add(&s, names[i]));
    assert_int_equal(s.n, NAMES);
    assert_true(s.room <= 4 * (size_t)NAMES);
    assert_true(name_set_has(&s, "n4999"));
    assert_false(name_set_has(&s, "n5000"));
    name_set_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_set_has_nothing_and_may_be_freed),
        cmocka_unit_test(a_name_is_added_once),
        cmocka_unit_test(a_set_that_grows_keeps_all_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
