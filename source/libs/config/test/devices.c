/* Tests of libs/config/devices.c: AMOUNT(NAMES) and DEVICE_VARIABLES of execd_params, right
 * and wrong (sge_conf(5)). */
#include "libs/config/devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/conf.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void add_name(void *ctx, const char *name)
{
    struct dstr *out = ctx;
    dstr_addf(out, "%s;", name);
}

static void expect_names(const char *value, const char *names)
{
    struct dstr out = DSTR_INIT;
    assert_int_equal(devices_check("gpu", value, NULL), 0);
    devices_each(value, add_name, &out);
    assert_string_equal(dstr_get(&out), names);
    dstr_free(&out);
}

static void expect_refusal(const char *value, const char *why)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(devices_check("gpu", value, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "complex_values, \"gpu\": "));
    assert_non_null(strstr(ans_first_error(&ans), why));
    assert_true(strlen(ans_first_error(&ans)) < 200);
    ans_free(&ans);
}

static void names_and_ranges_are_the_devices(void **state SGE_UNUSED)
{
    expect_names("4(0 1 2 3)", "0;1;2;3;");
    expect_names("4(0-3)", "0;1;2;3;");
    expect_names("5(0-1 7 9-10)", "0;1;7;9;10;");
    expect_names("2(left right)", "left;right;");
    expect_names("3(GPU-4f1c 0000:3b:00.0 MIG-1/0)", "GPU-4f1c;0000:3b:00.0;MIG-1/0;");
    expect_names("3( 0 \t1  x )", "0;1;x;");
    expect_names("1(4294967295)", "4294967295;");
    expect_names("0()", "");
}

static void expect_free(const char *value, const char *taken, const char *free_names)
{
    struct ST_Type_list list = { 0 };
    struct dstr out = DSTR_INIT;
    for (const char *at = taken; *at != '\0'; at++) {
        const char name[] = { *at, '\0' };
        cull_set((struct ST_Type *)cull_push(&list), ST_name, name);
    }
    devices_add_free(value, &list, &out);
    assert_string_equal(dstr_get(&out), free_names);
    dstr_free(&out);
    cull_list_clear(&cull_ST_Type, &list);
}

static void devices_that_nobody_has_are_free(void **state SGE_UNUSED)
{
    expect_free("4(0-3)", "", "(0 1 2 3)");
    expect_free("4(0-3)", "20", "(1 3)");
    expect_free("2(a b)", "7b", "(a)");
    expect_free("2(a b)", "ab", "");
    expect_free("2", "", "");
    expect_free("0()", "", "");
}

static void amount_and_names_must_agree(void **state SGE_UNUSED)
{
    expect_refusal("4(0 1 2)", "the amount is 4, but 3 devices are named");
    expect_refusal("2(0-3)", "the amount is 2, but 4 devices are named");
    expect_refusal("1()", "the amount is 1, but 0 devices are named");
}

static void each_device_is_named_once(void **state SGE_UNUSED)
{
    expect_refusal("2(0 0)", "device \"0\" is named twice");
    expect_refusal("5(0-3 2)", "device \"2\" is named twice");
    expect_refusal("3(a b a)", "device \"a\" is named twice");
}

static void what_is_not_of_the_form_is_refused(void **state SGE_UNUSED)
{
    static const char *const forms[] = { "",      "4",     "(0)",          "x(0)",  "4(0 1",
                                         "4)0(",  "1(0)x", "1(0)(1)",      "-1(0)", "1.0(0)",
                                         "1K(0)", " 1(0)", "4294967296(0)" };
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        expect_refusal(forms[i], "is not of the form AMOUNT(NAMES)");
    expect_refusal("1(a=b)", "\"a=b\" is not the name of a device");
    expect_refusal("1(a(b)", "\"a(b\" is not the name of a device");
    expect_refusal("1(a,b)", "\"a,b\" is not the name of a device");
    expect_refusal("1(\xff\xfe)", "is not the name of a device");
    expect_refusal("1(\"$(id)\")", "is not of the form");
    expect_refusal("2(3-2)", "\"3-2\" is not a range of devices");
    expect_refusal("2(0-4294967296)", "\"0-4294967296\" is not a range of devices");
}

/* an amount of N and as many names, which begin with WORD; new: free() */
static char *with_words(const char *word, unsigned n)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%u(", n);
    for (unsigned i = 0; i < n; i++)
        dstr_addf(&text, "%s%u ", word, i);
    dstr_addc(&text, ')');
    return text.s;
}

static void there_is_a_limit_to_devices_and_to_their_names(void **state SGE_UNUSED)
{
    char *most = with_words("d", DEVICES_MOST), *more = with_words("d", DEVICES_MOST + 1),
         *many = with_words("d", 65536), *name = uti_calloc(1, 1 << 20);
    assert_int_equal(devices_check("gpu", most, NULL), 0);
    expect_refusal(more, "the limit is 1024 devices");
    expect_refusal(many, "the limit is 1024 devices");
    expect_refusal("1000000001(0-1000000000)", "the limit is 1024 devices");
    memset(name, 'n', (1 << 20) - 2);
    memcpy(name, "1(", 2);
    name[(1 << 20) - 2] = ')';
    expect_refusal(name, "up to 63 letters");
    struct answer ans = ANSWER_INIT;
    assert_int_equal(devices_check(name, "1()", &ans), -1);
    assert_true(strlen(ans_first_error(&ans)) < 200);
    ans_free(&ans);
    free(most);
    free(more);
    free(many);
    free(name);
}

static void what_was_never_checked_names_no_more_than_the_most(void **state SGE_UNUSED)
{
    struct dstr out = DSTR_INIT;
    devices_each("7(0-4000000000)", add_name, &out);
    assert_true(out.len < (size_t)DEVICES_MOST * 5);
    dstr_clear(&out);
    devices_each("7", add_name, &out);
    devices_each("7(0", add_name, &out);
    assert_int_equal(out.len, 0);
    dstr_free(&out);
}

/* ---- variables ---- */
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

static void expect_word_refused(const char *list, const char *word)
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
        expect_word_refused(wrong[i], wrong[i]);
    expect_word_refused("gpu:A;fpga;x:B", "fpga");
}

static void variables_of_the_system_are_refused(void **state SGE_UNUSED)
{
    expect_word_refused("gpu:A;gpu:HOME", "gpu:HOME");
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
    expect_word_refused(word, shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_ranges_are_the_devices),
        cmocka_unit_test(devices_that_nobody_has_are_free),
        cmocka_unit_test(amount_and_names_must_agree),
        cmocka_unit_test(each_device_is_named_once),
        cmocka_unit_test(what_is_not_of_the_form_is_refused),
        cmocka_unit_test(there_is_a_limit_to_devices_and_to_their_names),
        cmocka_unit_test(what_was_never_checked_names_no_more_than_the_most),
        cmocka_unit_test(pairs_of_resource_and_variable_are_good),
        cmocka_unit_test(what_is_no_pair_is_refused_by_name),
        cmocka_unit_test(variables_of_the_system_are_refused),
        cmocka_unit_test(what_was_never_checked_is_passed_by),
        cmocka_unit_test(a_long_word_makes_no_long_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
