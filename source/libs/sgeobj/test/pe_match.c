/* Tests of libs/sgeobj/pe_match.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/pe_match.h"
#include "libs/uti/dstr.h"

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

static void numbers_of_slots_are_written_as_pe_takes_them(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };
    struct dstr text = DSTR_INIT;
    range_set_add_stride(cull_ranges(&job, JB_pe_range), 4, 19, 5); /* 4 9 14 19 */
    range_set_add(&job.JB_pe_range, 2, 2);
    range_set_add(&job.JB_pe_range, 30, 32);
    range_set_add(&job.JB_pe_range, 40, 40);
    range_set_add(&job.JB_pe_range, 44, 44);
    pe_slots_text(&job, &text);
    assert_string_equal(dstr_get(&text), "2,4-19:5,30-32,40,44");
    assert_int_equal(pe_slots_ranges(&job), 8);
    dstr_free(&text);
    range_set_free(&job.JB_pe_range);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_names_whole_words),
        cmocka_unit_test(a_pattern_meets_what_it_matches),
        cmocka_unit_test(the_fewest_slots_are_at_least_one),
        cmocka_unit_test(numbers_of_slots_are_written_as_pe_takes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
