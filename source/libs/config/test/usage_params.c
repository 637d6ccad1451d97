/* Tests of usage_params.c: sched_conf(5). */
#include "libs/config/usage_params.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/sgeobj/rows.h"

static bool is_about(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void names_of_both_lists_are_there_once(void **state SGE_UNUSED)
{
    static const struct {
        const char *name;
        double weight;
    } want[] = { { "cpu", 0.5 }, { "mem", 0 }, { "io", 0 }, { "gpu", 8 }, { "wallclock", 0 } };
    const struct usage_params params = { "gpu=8,cpu=0.5", "wallclock=60:cpu=-1", 168 };
    struct UA_Type_list names = { 0 };
    usage_weights_read(&params, &names);
    assert_int_equal(names.n, ARRAY_LEN(want));
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        assert_string_equal(names.v[i].UA_name, want[i].name);
        assert_true(names.v[i].UA_value == want[i].weight);
    }
    assert_true(usage_halftime_s(&params, "wallclock") == 3600);
    assert_true(usage_halftime_s(&params, "cpu") == -60);
    assert_true(usage_halftime_s(&params, "gpu") == 168 * 3600.0);
    cull_list_clear(&cull_UA_Type, &names);
}

static void what_hosts_report_is_always_summed(void **state SGE_UNUSED)
{
    const struct usage_params params = { "NONE", "none", 0 };
    struct UA_Type_list names = { 0 };
    usage_weights_read(&params, &names);
    assert_int_equal(names.n, USAGE_NAMES_ALWAYS);
    assert_true(names.v[0].UA_value == 0 && names.v[1].UA_value == 0);
    assert_true(usage_halftime_s(&params, "cpu") == 0);
    cull_list_clear(&cull_UA_Type, &names);
}

static void lists_of_halftimes_have_limits(void **state SGE_UNUSED)
{
    static const char *const good[] = { "none", "NONE", "cpu=60", "cpu=0:mem=-1:io=5256000" };
    static const char *const bad[] = {
        "cpu",    "cpu=",    "=5",          "cpu=x",
        "cpu=-2", "cpu=nan", "cpu=5256001", "a=1:b=1:c=1:d=1:e=1:f=1:g=1:h=1:i=1"
    };
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        assert_true(usage_decays_are_valid(good[i]));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(usage_decays_are_valid(bad[i]));
}

static void usage_halves_in_its_halftime(void **state SGE_UNUSED)
{
    assert_true(is_about(usage_decayed(8, 10, 10), 4));
    assert_true(is_about(usage_decayed(8, 10, 30), 1));
    assert_true(usage_decayed(8, 0, 1e9) == 8);
    assert_true(usage_decayed(8, -60, 0) == 0);
}

/* in small steps the same comes out as at once */
static void what_is_used_evenly_decays_meanwhile(void **state SGE_UNUSED)
{
    double sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += usage_decayed(1e-3, 10, 100 - (i + 0.5) * 1e-3);
    assert_true(fabs(usage_spread(100, 10, 100) - sum) < 1e-6);
    assert_true(usage_spread(7, 0, 100) == 7);
    assert_true(usage_spread(7, 10, 0) == 7);
    assert_true(usage_spread(7, -60, 50) == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_both_lists_are_there_once),
        cmocka_unit_test(what_hosts_report_is_always_summed),
        cmocka_unit_test(lists_of_halftimes_have_limits),
        cmocka_unit_test(usage_halves_in_its_halftime),
        cmocka_unit_test(what_is_used_evenly_decays_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
