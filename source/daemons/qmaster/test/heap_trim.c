/* The heap is trimmed while jobs go, and not while they come and go. */
#include "daemons/qmaster/tables/jobs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { JOB_BYTES = 1024, MANY_BYTES = 10 * TRIM_BYTES };

static void the_heap_is_trimmed_after_each_few_thousand_jobs_that_go(void **state)
{
    struct heap_trim t = { 0 };
    unsigned trims = 0;
    (void)state;
    assert_false(heap_trim_look(&t, 0));
    for (uint64_t bytes = 0; bytes <= MANY_BYTES; bytes += JOB_BYTES)
        assert_false(heap_trim_look(&t, bytes));
    for (uint64_t bytes = MANY_BYTES; bytes > 0; bytes -= JOB_BYTES)
        trims += heap_trim_look(&t, bytes - JOB_BYTES);
    assert_int_equal(trims, 10);
}

static void jobs_that_come_and_go_cost_no_trim(void **state)
{
    struct heap_trim t = { 0 };
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        assert_false(heap_trim_look(&t, MANY_BYTES));
        assert_false(heap_trim_look(&t, MANY_BYTES - TRIM_BYTES + JOB_BYTES));
    }
    assert_true(heap_trim_look(&t, MANY_BYTES - TRIM_BYTES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heap_is_trimmed_after_each_few_thousand_jobs_that_go),
        cmocka_unit_test(jobs_that_come_and_go_cost_no_trim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
