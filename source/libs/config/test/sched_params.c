/* Values of scheduler parameters that have a grammar of their own. */
#include "libs/config/sched_params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "common/basis.h"
#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/uti/answer.h"

/* 0 if VALUE is good with the complex that every cell starts with */
static int check_param(const char *param, const char *value, struct answer *ans)
{
    struct CE_Type_list complex = { 0 };
    complex_template(&complex);
    int result = sched_param_check(param, value, &complex, ans);
    complex_list_clear(&complex);
    return result;
}

static void expect_good(const char *param, const char *value)
{
    assert_int_equal(check_param(param, value, NULL), 0);
    assert_int_equal(sched_param_check(param, value, NULL, NULL), 0);
}

static void expect_refused(const char *param, const char *value)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(check_param(param, value, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), value));
    ans_free(&ans);
}

static void a_load_formula_is_a_sum_of_resources_and_numbers(void **state)
{
    (void)state;
    static const char *const formulas[] = { "np_load_avg",  "slots",        "none",
                                            "load_short*2", "la*1.5+nla-3", "5" };
    static const char *const wrong[] = { "nosuch", "slots*", "*2",      "np_load_avg+", "",
                                         "arch",   "a b",    "slots*x", "-slots" };
    for (size_t i = 0; i < ARRAY_LEN(formulas); i++)
        expect_good("load_formula", formulas[i]);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        expect_refused("load_formula", wrong[i]);
}

static void lists_take_what_they_are_for(void **state)
{
    (void)state;
    expect_good("job_load_adjustments", "np_load_avg=0.50,load_short=1");
    expect_refused("job_load_adjustments", "np_load_avg=x");
    expect_refused("job_load_adjustments", "nosuch=1");
    expect_good("usage_weight_list", "cpu=1.000000,mem=0.000000,io=0.000000");
    expect_refused("usage_weight_list", "cpu=x");
    expect_refused("usage_weight_list", "gpu=1");
    expect_good("usage_weight_list", "wallclock=1,slots=2,h_vmem=8");
    expect_refused("usage_weight_list",
                   "cpu=1,mem=1,io=1,slots=1,h_vmem=1,cpu=1,mem=1,io=1,slots=1");
    expect_good("halflife_decay_list", "cpu=60:mem=-1");
    expect_refused("halflife_decay_list", "cpu=-2");
    expect_refused("usage_weight_list", "cpu=-1");
    expect_good("params", "PROFILE=1,MONITOR=true DURATION_OFFSET=60 RECORD=100");
    expect_refused("params", "FOO=1");
    expect_refused("params", "PROFILE");
    expect_good("policy_hierarchy", "OFS");
    expect_good("policy_hierarchy", "S");
    expect_good("policy_hierarchy", "NONE");
    expect_refused("policy_hierarchy", "OFX");
    expect_refused("policy_hierarchy", "OO");
    expect_good("maxujobs", "whatever"); /* somebody else's */
}

static void a_configuration_refuses_them(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    struct CONF_Type *conf = conf_template(CONF_SCHEDULER);
    assert_int_equal(conf_set(conf, "policy_hierarchy", "OFX", &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "attribute \"policy_hierarchy\": \"OFX\" is not NONE or "
                        "some of the letters O, F and S, each once");
    assert_string_equal(conf_get(conf, NULL, "policy_hierarchy"), "OFS");
    ans_free(&ans);
    cull_delete(&cull_CONF_Type, conf);
}

static void without_a_complex_any_name_may_be_a_resource(void **state)
{
    (void)state;
    assert_int_equal(sched_param_check("load_formula", "lic*2", NULL, NULL), 0);
    assert_int_equal(check_param("load_formula", "lic*2", NULL), -1);
    assert_int_equal(sched_param_check("load_formula", "a b", NULL, NULL), -1);
    assert_int_equal(sched_param_check("job_load_adjustments", "lic=1", NULL, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_complex_any_name_may_be_a_resource),
        cmocka_unit_test(a_load_formula_is_a_sum_of_resources_and_numbers),
        cmocka_unit_test(lists_take_what_they_are_for),
        cmocka_unit_test(a_configuration_refuses_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
