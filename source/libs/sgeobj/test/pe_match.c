/* Tests of libs/sgeobj/pe_match.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/pe_match.h"

static void a_list_names_whole_words(void **state SGE_UNUSED)
{
    assert_true(pe_list_has("make mpi smp", "mpi"));
    assert_true(pe_list_has("make,mpi", "mpi"));
    assert_true(pe_list_has("mpi", "mpi"));
    assert_false(pe_list_has("mpich ompi", "mpi"));
    assert_false(pe_list_has("NONE", "mpi"));
    assert_false(pe_list_has("NONE", "NONE"));
    assert_false(pe_list_has("", "mpi"));
    assert_false(pe_list_has("mpi", ""));
    assert_false(pe_list_has(NULL, "mpi"));
}

static void a_pattern_meets_what_it_matches(void **state SGE_UNUSED)
{
    assert_true(pe_list_meets("make mpi.4 mpi.8", "mpi*"));
    assert_true(pe_list_meets("make mpi", "mpi"));
    assert_true(pe_list_meets("x,,y", "*"));
    assert_false(pe_list_meets("make ompi", "mpi*"));
    assert_false(pe_list_meets("NONE", "*"));
    assert_false(pe_list_meets("", "*"));
    assert_false(pe_list_meets(NULL, "*"));
}

static void the_fewest_slots_are_at_least_one(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };
    assert_int_equal(pe_slots_least(&job), 1);
    range_set_add(&job.JB_pe_range, 0, 0);
    assert_int_equal(pe_slots_least(&job), 1);
    range_set_remove(&job.JB_pe_range, 0, 0);
    range_set_add(&job.JB_pe_range, 8, 12);
    range_set_add(&job.JB_pe_range, 3, 4);
    assert_int_equal(pe_slots_least(&job), 3);
    range_set_free(&job.JB_pe_range);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_names_whole_words),
        cmocka_unit_test(a_pattern_meets_what_it_matches),
        cmocka_unit_test(the_fewest_slots_are_at_least_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
