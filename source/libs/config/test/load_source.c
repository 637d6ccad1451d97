/* Load values with load_scaling of host_conf(5). */
#include "libs/config/load_values.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "libs/config/complex.h"
#include "libs/config/host.h"

static struct CE_Type_list complex_list;

static int complex_setup(void **state)
{
    (void)state;
    complex_template(&complex_list);
    return 0;
}

static int complex_teardown(void **state)
{
    (void)state;
    complex_list_clear(&complex_list);
    return 0;
}

/* a host that reports VALUE as NAME has this value with load_scaling SCALING */
static void assert_value(const char *scaling, const char *name, const char *value,
                         const char *expected)
{
    struct EH_Type *host = host_template("h");
    assert_int_equal(host_set(host, "load_scaling", scaling, NULL), 0);
    struct VA_Type *va = cull_append(host, EH_load_list);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
    struct load_source load = { .host = host };
    struct load_value found;
    assert_true(load_value_find(&load, complex_find(&complex_list, name), &found));
    assert_string_equal(load_value_text(&found), expected);
    cull_delete(&cull_EH_Type, host);
}

static void without_a_factor_it_is_as_reported(void **state)
{
    (void)state;
    assert_value("NONE", "load_avg", "2.5", "2.5");
    assert_value("load_short=2", "load_avg", "2.5", "2.5");
    assert_value("load_avg=1", "load_avg", "2.5", "2.5");
}

static void a_factor_scales_numbers_by_name_or_shortcut(void **state)
{
    (void)state;
    assert_value("load_avg=0.5", "load_avg", "2.5", "1.250000");
    assert_value("load_short=2,la=2", "load_avg", "2.5", "5.000000");
    assert_value("mem_free=0.5", "mem_free", "1.000K", "512");
    assert_value("m_core=3", "m_core", "4", "12");
}

static void texts_have_no_factor(void **state)
{
    (void)state;
    assert_value("arch=2", "arch", "lx-amd64", "lx-amd64");
}

static void what_comes_of_it_has_bounds(void **state)
{
    (void)state;
    assert_value("load_avg=1e300", "load_avg", "1e300", "1000000000000000.000000");
    assert_value("load_avg=-1e300", "load_avg", "1e300", "-1000000000000000.000000");
    assert_value("mem_free=-1", "mem_free", "1G", "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_factor_it_is_as_reported),
        cmocka_unit_test(a_factor_scales_numbers_by_name_or_shortcut),
        cmocka_unit_test(texts_have_no_factor),
        cmocka_unit_test(what_comes_of_it_has_bounds),
    };
    return cmocka_run_group_tests(tests, complex_setup, complex_teardown);
}
