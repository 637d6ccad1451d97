/* Tests of libs/config/attr_syntax.c: each syntax takes its values, and refuses others naming
 * attribute and limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/attr_syntax.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static const struct attr_rule rules[] = {
    [ATTR_TEXT] = ATTR_ROW("text", ATTR_TEXT, "UNDEFINED"),
    [ATTR_NUMBER] = ATTR_ROW_NUMBER("priority", "0", -20, 20),
    [ATTR_DECIMAL] = ATTR_ROW("weight", ATTR_DECIMAL, "0.5"),
    [ATTR_TIME] = ATTR_ROW("h_rt", ATTR_TIME, "INFINITY"),
    [ATTR_MEMORY] = ATTR_ROW("h_vmem", ATTR_MEMORY, "INFINITY"),
    [ATTR_BOOL] = ATTR_ROW("rerun", ATTR_BOOL, "FALSE"),
    [ATTR_PATH] = ATTR_ROW("shell", ATTR_PATH, "/bin/sh"),
    [ATTR_PATHS] = ATTR_ROW("load_sensor", ATTR_PATHS, "NONE"),
    [ATTR_DIRECTORY] = ATTR_ROW("tmpdir", ATTR_DIRECTORY, "/tmp"),
    [ATTR_COMMAND] = ATTR_ROW("prolog", ATTR_COMMAND, "NONE"),
    [ATTR_METHOD] = ATTR_ROW("suspend_method", ATTR_METHOD, "NONE"),
    [ATTR_NAME] = ATTR_ROW("calendar", ATTR_NAME, "NONE"),
    [ATTR_NAMES] = ATTR_ROW("pe_list", ATTR_NAMES, "NONE"),
    [ATTR_SETTINGS] = ATTR_ROW("load_scaling", ATTR_SETTINGS, "NONE"),
    [ATTR_RESOURCES] = ATTR_ROW("complex_values", ATTR_RESOURCES, "NONE"),
    [ATTR_SUBORDINATES] = ATTR_ROW("subordinate_list", ATTR_SUBORDINATES, "NONE"),
    [ATTR_CHOICE] =
        ATTR_ROW_CHOICE("initial_state", ATTR_CHOICE, "default", "default enabled disabled"),
    [ATTR_CHOICES] = ATTR_ROW_CHOICE("qtype", ATTR_CHOICES, "BATCH", "BATCH INTERACTIVE"),
    [ATTR_AMOUNT] = { "urgency_slots", ATTR_AMOUNT, "min", 1, 9999, "min max avg", false },
    [ATTR_SIGNAL] = ATTR_ROW("signal", ATTR_SIGNAL, "none"),
    [ATTR_LETTERS] = ATTR_ROW_CHOICE("when", ATTR_LETTERS, "sx", "smxr"),
    [ATTR_HOSTS] = ATTR_ROW("hostlist", ATTR_HOSTS, "NONE"),
    [ATTR_PROCESSORS] = ATTR_ROW("processors", ATTR_PROCESSORS, "UNDEFINED"),
    [ATTR_USERS] = ATTR_ROW("entries", ATTR_USERS, "NONE"),
};

static const struct {
    enum attr_syntax syntax;
    const char *value, *kept;
} good_values[] = {
    { ATTR_TEXT, "1-4,8", "1-4,8" },
    { ATTR_TEXT, "\t a  b ", "a  b" },
    { ATTR_NUMBER, "-20", "-20" },
    { ATTR_NUMBER, "007", "7" },
    { ATTR_DECIMAL, "0.250000", "0.250000" },
    { ATTR_TIME, "1:0:0", "1:0:0" },
    { ATTR_TIME, "infinity", "INFINITY" },
    { ATTR_MEMORY, "1.5G", "1.5G" },
    { ATTR_BOOL, "true", "TRUE" },
    { ATTR_BOOL, "0", "FALSE" },
    { ATTR_BOOL, "yes", "TRUE" },
    { ATTR_BOOL, "Y", "TRUE" },
    { ATTR_BOOL, "t", "TRUE" },
    { ATTR_BOOL, "no", "FALSE" },
    { ATTR_BOOL, "n", "FALSE" },
    { ATTR_BOOL, "F", "FALSE" },
    { ATTR_PATH, "/var/tmp", "/var/tmp" },
    { ATTR_PATHS, "/a/b, /c", "/a/b,/c" },
    { ATTR_PATHS, "none", "NONE" },
    { ATTR_DIRECTORY, "/my cells/a, b [x]/'tmp'", "/my cells/a, b [x]/'tmp'" },
    { ATTR_COMMAND, "none", "NONE" },
    { ATTR_COMMAND, "/p $job_id a@b", "/p $job_id a@b" },
    { ATTR_COMMAND, "/bin/x", "/bin/x" },
    { ATTR_COMMAND, "root@/bin/x $job_id", "root@/bin/x $job_id" },
    { ATTR_METHOD, "root@/bin/x $job_pid", "root@/bin/x $job_pid" },
    { ATTR_METHOD, "SIGTERM", "SIGTERM" },
    { ATTR_METHOD, "9", "9" },
    { ATTR_METHOD, "/x $job_pid", "/x $job_pid" },
    { ATTR_NAME, "night", "night" },
    { ATTR_NAME, "none", "NONE" },
    { ATTR_NAMES, "make,smp  mpi", "make smp mpi" },
    { ATTR_NAMES, "NONE", "NONE" },
    { ATTR_SETTINGS, "a=1, b=2G", "a=1,b=2G" },
    { ATTR_RESOURCES, "a=1 b=2G", "a=1,b=2G" },
    { ATTR_RESOURCES, "gpu=4(0  1 2\t3 ), b=2G", "gpu=4(0 1 2 3),b=2G" },
    { ATTR_RESOURCES, "gpu=4( 0-3),fpga=2(left right)", "gpu=4(0-3),fpga=2(left right)" },
    { ATTR_SUBORDINATES, "low.q=5,small.q", "low.q=5,small.q" },
    { ATTR_CHOICE, "ENABLED", "enabled" },
    { ATTR_CHOICES, "interactive,batch", "INTERACTIVE BATCH" },
    { ATTR_CHOICES, "NONE", "NONE" },
    { ATTR_AMOUNT, "AVG", "avg" },
    { ATTR_AMOUNT, "012", "12" },
    { ATTR_SIGNAL, "USR2", "USR2" },
    { ATTR_SIGNAL, "SIGUSR2", "SIGUSR2" },
    { ATTR_SIGNAL, "64", "64" },
    { ATTR_LETTERS, "xs", "xs" },
    { ATTR_HOSTS, "node1,@big  node2", "node1 @big node2" },
    { ATTR_PROCESSORS, "UNDEFINED", "UNDEFINED" },
    { ATTR_PROCESSORS, "0-3,8,1023", "0-3,8,1023" },
    { ATTR_USERS, "alice bob, @staff", "alice,bob,@staff" },
};

static void good_values_are_kept_in_one_form(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(good_values); i++) {
        struct dstr out = DSTR_INIT;
        assert_int_equal(
            attr_value_parse(&rules[good_values[i].syntax], good_values[i].value, &out, NULL), 0);
        assert_string_equal(dstr_get(&out), good_values[i].kept);
        dstr_free(&out);
    }
}

static const struct {
    enum attr_syntax syntax;
    const char *value;
} bad_values[] = {
    { ATTR_TEXT, "" },
    { ATTR_TEXT, " " },
    { ATTR_TEXT, "a\\" },
    { ATTR_NUMBER, "abc" },
    { ATTR_NUMBER, "21" },
    { ATTR_NUMBER, "-21" },
    { ATTR_NUMBER, "" },
    { ATTR_NUMBER, "--1" },
    { ATTR_NUMBER, "99999999999999999999" },
    { ATTR_DECIMAL, "x" },
    { ATTR_TIME, "1:0" },
    { ATTR_MEMORY, "1KB" },
    { ATTR_BOOL, "yess" },
    { ATTR_BOOL, "2" },
    { ATTR_PATH, "tmp" },
    { ATTR_PATH, "NONE" },
    { ATTR_PATH, "/a b" },
    { ATTR_PATHS, "/a,b" },
    { ATTR_PATHS, "none,/a" },
    { ATTR_DIRECTORY, "tmp" },
    { ATTR_DIRECTORY, "NONE" },
    { ATTR_DIRECTORY, "/a, [b=/c]" },
    { ATTR_DIRECTORY, "/a\\" },
    { ATTR_PROCESSORS, "all" },
    { ATTR_PROCESSORS, "3-1" },
    { ATTR_PROCESSORS, "0-1024" },
    { ATTR_PROCESSORS, "0," },
    { ATTR_PROCESSORS, "0 1" },
    { ATTR_COMMAND, "prolog.sh" },
    { ATTR_COMMAND, "root@x" },
    { ATTR_COMMAND, "root@" },
    { ATTR_COMMAND, "-r@/x" },
    { ATTR_COMMAND, "@/x" },
    { ATTR_COMMAND, "a b@/x" },
    { ATTR_COMMAND, "" },
    { ATTR_METHOD, "TERM" },
    { ATTR_METHOD, "root@SIGTERM" },
    { ATTR_METHOD, "SIGNONE" },
    { ATTR_METHOD, "0" },
    { ATTR_METHOD, "65" },
    { ATTR_NAME, "a b" },
    { ATTR_NAMES, "a;b" },
    { ATTR_NAMES, "" },
    { ATTR_NAMES, ", ," },
    { ATTR_SETTINGS, "a" },
    { ATTR_SETTINGS, "=1" },
    { ATTR_SETTINGS, "a=" },
    { ATTR_SETTINGS, "a=b=c" },
    { ATTR_SETTINGS, "gpu=2(0 1)" },
    { ATTR_RESOURCES, "gpu=2(0 1" },
    { ATTR_RESOURCES, "gpu=2(0,1)" },
    { ATTR_RESOURCES, "gpu=3(0 1)" },
    { ATTR_RESOURCES, "gpu=2 (0 1)" },
    { ATTR_RESOURCES, "gpu=2(0 1)x" },
    { ATTR_RESOURCES, "(0 1)" },
    { ATTR_RESOURCES, "gpu=1([)" },
    { ATTR_SUBORDINATES, "q=x" },
    { ATTR_AMOUNT, "most" },
    { ATTR_AMOUNT, "0" },
    { ATTR_AMOUNT, "10000" },
    { ATTR_SIGNAL, "usr2" },
    { ATTR_SIGNAL, "65" },
    { ATTR_LETTERS, "sxs" },
    { ATTR_LETTERS, "a" },
    { ATTR_LETTERS, "" },
    { ATTR_HOSTS, "node1 *" },
    { ATTR_HOSTS, "@" },
    { ATTR_USERS, "a/b" },
    { ATTR_CHOICE, "on" },
    { ATTR_CHOICE, "" },
    { ATTR_CHOICES, "PARALLEL" },
    { ATTR_TEXT, "a\nb" },
    { ATTR_PATH, "/a\x1b" },
};

static void bad_values_are_refused_naming_the_attribute(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(bad_values); i++) {
        struct dstr out = DSTR_INIT;
        struct answer ans = ANSWER_INIT;
        assert_int_equal(
            attr_value_parse(&rules[bad_values[i].syntax], bad_values[i].value, &out, &ans), -1);
        assert_int_equal(ans.n, 1);
        assert_non_null(strstr(ans_first_error(&ans), rules[bad_values[i].syntax].name));
        assert_int_equal(out.len, 0);
        ans_free(&ans);
        dstr_free(&out);
    }
}

static void a_long_value_of_no_settings_is_refused_at_its_first(void **state SGE_UNUSED)
{
    enum { WORDS = 300000 };
    struct dstr value = DSTR_INIT, out = DSTR_INIT;
    for (unsigned i = 0; i < WORDS; i++)
        dstr_add(&value, "a( ");
    assert_int_equal(attr_value_parse(&rules[ATTR_RESOURCES], dstr_get(&value), &out, NULL), -1);
    dstr_free(&value);
    dstr_free(&out);
}

static void a_refusal_names_value_and_limit(void **state SGE_UNUSED)
{
    struct dstr out = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(attr_value_parse(&rules[ATTR_NUMBER], "21", &out, &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "attribute \"priority\": \"21\" is not a number from -20 to 20");
    ans_free(&ans);
    ans = (struct answer)ANSWER_INIT;
    assert_int_equal(attr_value_parse(&rules[ATTR_CHOICE], "on", &out, &ans), -1);
    assert_string_equal(
        ans_first_error(&ans),
        "attribute \"initial_state\": \"on\" is not one of: default enabled disabled");
    ans_free(&ans);
}

static void a_decimal_may_have_limits(void **state SGE_UNUSED)
{
    struct attr_rule rule = ATTR_ROW("weight", ATTR_DECIMAL, "0.5");
    struct answer ans = ANSWER_INIT;
    struct dstr out = DSTR_INIT;
    rule.max = 10;
    assert_int_equal(attr_value_parse(&rule, "9.75", &out, &ans), 0);
    assert_int_equal(attr_value_parse(&rule, "10.5", &out, &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "attribute \"weight\": \"10.5\" is not a decimal number from 0 to 10");
    assert_string_equal(dstr_get(&out), "9.75");
    ans_free(&ans);
    dstr_free(&out);
}

static void words_have_the_case_of_their_attribute(void **state SGE_UNUSED)
{
    const struct attr_rule lower = { "epilog", ATTR_COMMAND, "none", 0, 0, NULL, true };
    struct dstr out = DSTR_INIT;
    assert_int_equal(attr_value_parse(&lower, "NONE", &out, NULL), 0);
    assert_string_equal(dstr_get(&out), "none");
    dstr_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_values_are_kept_in_one_form),
        cmocka_unit_test(bad_values_are_refused_naming_the_attribute),
        cmocka_unit_test(a_long_value_of_no_settings_is_refused_at_its_first),
        cmocka_unit_test(a_refusal_names_value_and_limit),
        cmocka_unit_test(a_decimal_may_have_limits),
        cmocka_unit_test(words_have_the_case_of_their_attribute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
