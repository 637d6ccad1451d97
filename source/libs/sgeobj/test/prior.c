/* Tests of libs/sgeobj/prior.c: the figures of the captures (reference/qstat). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/prior.h"

static const struct prior_weights defaults = PRIOR_WEIGHTS_DEFAULT;

static void assert_prio(double prio, const char *expected)
{
    char text[32];

    snprintf(text, sizeof text, "%.5f", prio);
    assert_string_equal(text, expected);
}

static void a_sole_job_has_one_half(void **state SGE_UNUSED)
{
    struct prior_span span = { 1795164431, 1795164431 };
    assert_prio(prior_of_job(&defaults, &span, 1795164431, JOB_PRIORITY_BASE), "0.50000");
}

static void of_two_the_older_has_three_quarters(void **state SGE_UNUSED)
{
    struct prior_span span = { 100, 105 };
    assert_prio(prior_of_job(&defaults, &span, 100, JOB_PRIORITY_BASE), "0.75000");
    assert_prio(prior_of_job(&defaults, &span, 105, JOB_PRIORITY_BASE), "0.25000");
    assert_prio(prior_of_job(&defaults, &span, 103, JOB_PRIORITY_BASE), "0.45000");
    assert_prio(prior_of_job(&defaults, &span, 90, JOB_PRIORITY_BASE), "0.75000");
    assert_prio(prior_of_job(&defaults, &span, 190, JOB_PRIORITY_BASE), "0.25000");
}

static void p_counts_only_with_its_weight(void **state SGE_UNUSED)
{
    struct prior_span span = { 100, 100 };
    struct prior_weights weights = defaults;

    assert_prio(prior_of_job(&defaults, &span, 100, JOB_PRIORITY_BASE - 1023), "0.50000");
    weights.priority = 1.0;
    assert_prio(prior_of_job(&weights, &span, 100, JOB_PRIORITY_BASE), "1.00000");
    assert_prio(prior_of_job(&weights, &span, 100, JOB_PRIORITY_BASE + 1024), "1.50000");
    assert_prio(prior_of_job(&weights, &span, 100, JOB_PRIORITY_BASE - 1024), "0.50000");
}

static void without_waiting_time_all_are_equal(void **state SGE_UNUSED)
{
    struct prior_span span = { 100, 200 };
    struct prior_weights weights = defaults;

    weights.waiting_time = 0;
    assert_prio(prior_of_job(&weights, &span, 100, JOB_PRIORITY_BASE), "0.50000");
    assert_prio(prior_of_job(&weights, &span, 200, JOB_PRIORITY_BASE), "0.50000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sole_job_has_one_half),
        cmocka_unit_test(of_two_the_older_has_three_quarters),
        cmocka_unit_test(p_counts_only_with_its_weight),
        cmocka_unit_test(without_waiting_time_all_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
