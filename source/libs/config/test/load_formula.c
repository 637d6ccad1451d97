/* load_formula and job_load_adjustments of sched_conf(5). */
#include "libs/config/load_values.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "libs/config/complex.h"

static struct CE_Type_list complex_list;
static struct EH_Type busy_host;

static void add_value(const char *name, const char *value)
{
    struct VA_Type *va = cull_append(&busy_host, EH_load_list);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

static int host_setup(void **state)
{
    (void)state;
    complex_template(&complex_list);
    add_value("np_load_avg", "2.500000");
    add_value("load_short", "10");
    add_value("mem_used", "1.000K");
    add_value("load_long", "nan");
    add_value("load_medium", "1e308");
    cull_set(&busy_host, EH_processors, 4u);
    return 0;
}

static int host_teardown(void **state)
{
    (void)state;
    complex_list_clear(&complex_list);
    cull_clear(&cull_EH_Type, &busy_host);
    return 0;
}

static double value_of(const char *text)
{
    struct load_formula f = { 0 };
    struct load_source load = { &busy_host, NULL, &complex_list };
    load_formula_read(&f, text);
    double value = load_formula_value(&f, &load);
    load_formula_clear(&f);
    return value;
}

static double step_of(const char *text, const char *adjustments)
{
    struct load_formula f = { 0 };
    struct load_source load = { &busy_host, NULL, &complex_list };
    load_formula_read(&f, text);
    double step = load_formula_step(&f, adjustments, &load);
    load_formula_clear(&f);
    return step;
}

#define assert_double(a, b) assert_true((a) == (b))

static void it_sums_up_resources_and_numbers_with_their_factors(void **state)
{
    (void)state;
    assert_double(value_of("np_load_avg"), 2.5);
    assert_double(value_of("np_load_avg*2+load_short-1"), 14);
    assert_double(value_of("load_short-np_load_avg*2"), 5);
    assert_double(value_of("nla+3*2"), 8.5);
    assert_double(value_of("-np_load_avg"), -2.5);
    assert_double(value_of("mem_used"), 1024);
}

static void none_is_nothing_whatever_the_load(void **state)
{
    (void)state;
    assert_double(value_of("NONE"), 0);
    assert_double(value_of("none"), 0);
    assert_double(value_of(NULL), 0);
}

static void what_is_not_known_makes_it_unknown(void **state)
{
    (void)state;
    assert_double(value_of("cpu"), LOAD_UNKNOWN);
    assert_double(value_of("np_load_avg+cpu"), LOAD_UNKNOWN);
    assert_double(value_of("load_long"), LOAD_UNKNOWN);
    assert_double(value_of("nosuch"), LOAD_UNKNOWN);
    assert_double(value_of("load_medium*10"), LOAD_UNKNOWN);
    assert_double(value_of("load_medium*10-load_medium*10"), LOAD_UNKNOWN);
}

static void a_slot_adds_its_adjustment_by_the_factor_of_the_formula(void **state)
{
    (void)state;
    assert_double(step_of("load_short*2", "load_short=0.5"), 1);
    assert_double(step_of("load_short+mem_used", "load_short=0.5,mem_used=1K"), 1024.5);
    assert_double(step_of("load_short", "mem_used=1K"), 0);
    assert_double(step_of("load_short", "NONE"), 0);
    assert_double(step_of("NONE", "load_short=0.5"), 0);
}

static void what_is_meant_for_a_processor_is_divided_by_their_number(void **state)
{
    (void)state;
    assert_double(step_of("np_load_avg", "np_load_avg=0.50"), 0.125);
    assert_double(step_of("nla*2", "nla=0.50"), 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_sums_up_resources_and_numbers_with_their_factors),
        cmocka_unit_test(none_is_nothing_whatever_the_load),
        cmocka_unit_test(what_is_not_known_makes_it_unknown),
        cmocka_unit_test(a_slot_adds_its_adjustment_by_the_factor_of_the_formula),
        cmocka_unit_test(what_is_meant_for_a_processor_is_divided_by_their_number),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
