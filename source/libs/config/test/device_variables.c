/* DEVICE_VARIABLES of execd_params, right and wrong (sge_conf(5)). */
#include "libs/config/conf_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/conf.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static bool is_home(const char *name)
{
    return strcmp(name, "HOME") == 0;
}

static struct CONF_Type *conf_with(const char *params)
{
    struct CONF_Type *conf = conf_template(CONF_GLOBAL);
    assert_int_equal(conf_set(conf, "execd_params", params, NULL), 0);
    return conf;
}

/* "resource=variable;" of each pair */
static void expect_pairs(const char *params, const char *pairs)
{
    struct CONF_Type *conf = conf_with(params);
    char *list = device_variables(conf, NULL);
    const char *at = list, *variable;
    struct dstr pair = DSTR_INIT, said = DSTR_INIT;
    while (list != NULL && (variable = device_variables_next(&at, is_home, &pair)) != NULL)
        dstr_addf(&said, "%s=%s;", dstr_get(&pair), variable);
    assert_string_equal(dstr_get(&said), pairs);
    dstr_free(&pair);
    dstr_free(&said);
    free(list);
    cull_delete(&cull_CONF_Type, conf);
}

static void expect_refusal(const char *list, const char *word)
{
    struct dstr params = DSTR_INIT, text = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    dstr_addf(&params, "KEEP_ACTIVE=true,DEVICE_VARIABLES=%s", list);
    dstr_addf(&text, "execd_params, DEVICE_VARIABLES: \"%s\" is not", word);
    struct CONF_Type *conf = conf_with(dstr_get(&params));
    assert_int_equal(device_variables_check(conf, is_home, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), dstr_get(&text)));
    assert_true(strlen(ans_first_error(&ans)) < 250);
    ans_free(&ans);
    dstr_free(&params);
    dstr_free(&text);
    cull_delete(&cull_CONF_Type, conf);
}

static void expect_good(const char *params)
{
    struct CONF_Type *conf = conf_with(params);
    assert_int_equal(device_variables_check(conf, is_home, NULL), 0);
    cull_delete(&cull_CONF_Type, conf);
}

static void pairs_of_resource_and_variable_are_good(void **state SGE_UNUSED)
{
    expect_good("none");
    expect_good("DEVICE_VARIABLES=gpu:CUDA_VISIBLE_DEVICES");
    expect_good("DEVICE_VARIABLES=gpu:CUDA_VISIBLE_DEVICES;amd:_R1;");
    expect_good("DEVICE_VARIABLES=");
    expect_pairs("DEVICE_VARIABLES=gpu:A;fpga:B2", "gpu=A;fpga=B2;");
    expect_pairs("none", "");
}

static void what_is_no_pair_is_refused_by_name(void **state SGE_UNUSED)
{
    static const char *const wrong[] = { "gpu",    ":",       ":A",      "gpu:",
                                         "gpu:1X", "gpu:A-B", "gpu:A:B", "gpu:A=1" };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        expect_refusal(wrong[i], wrong[i]);
    expect_refusal("gpu:A;fpga;x:B", "fpga");
}

static void variables_of_the_system_are_refused(void **state SGE_UNUSED)
{
    expect_refusal("gpu:A;gpu:HOME", "gpu:HOME");
}

static void what_was_never_checked_is_passed_by(void **state SGE_UNUSED)
{
    expect_pairs("DEVICE_VARIABLES=gpu;:;gpu:;gpu:1X;gpu:HOME;;gpu:A", "gpu=A;");
}

static void a_long_word_makes_no_long_line(void **state SGE_UNUSED)
{
    char word[301], shown[81];
    memset(word, 'w', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    memcpy(shown, word, sizeof shown - 1);
    shown[sizeof shown - 1] = '\0';
    expect_refusal(word, shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_resource_and_variable_are_good),
        cmocka_unit_test(what_is_no_pair_is_refused_by_name),
        cmocka_unit_test(variables_of_the_system_are_refused),
        cmocka_unit_test(what_was_never_checked_is_passed_by),
        cmocka_unit_test(a_long_word_makes_no_long_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
