/* Tests of libs/config/reference.c: the names in values. */
#include "libs/config/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_value_has_the_names_that_stand_in_it(void **state SGE_UNUSED)
{
    assert_true(attr_value_has_name("make smp mpi", "smp"));
    assert_true(attr_value_has_name("a.q=1,low.q=2,b.q", "low.q"));
    assert_true(attr_value_has_name("a.q=1,low.q=2,b.q", "b.q"));
    assert_false(attr_value_has_name("make smp mpi", "mp"));
    assert_false(attr_value_has_name("a=smp", "smp"));
    assert_false(attr_value_has_name("NONE", "NONE"));
    assert_false(attr_value_has_name("", "x"));
}

static void an_attribute_names_objects_of_one_kind(void **state SGE_UNUSED)
{
    assert_int_equal(attr_reference_find("calendar")->kind, OBJECT_CALENDAR);
    assert_null(attr_reference_find("slots"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_has_the_names_that_stand_in_it),
        cmocka_unit_test(an_attribute_names_objects_of_one_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
