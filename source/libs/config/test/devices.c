/* Tests of libs/config/devices.c: AMOUNT(NAMES), right and wrong. */
#include "libs/config/devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
