/* Tests of libs/config/attr_text.c: what is printed reads back; the form is that of the captured
 * output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/attr_text.h"
#include "libs/uti/dstr.h"

static void assert_reads(const char *text, const char *want)
{
    struct attr_reader r = ATTR_READER(text);
    struct dstr name = DSTR_INIT, value = DSTR_INIT, got = DSTR_INIT;
    while (attr_read(&r, &name, &value))
        dstr_addf(&got, "%s=<%s>;", dstr_get(&name), dstr_get(&value));
    assert_string_equal(dstr_get(&got), want);
    dstr_free(&name);
    dstr_free(&value);
    dstr_free(&got);
}

static void lines_are_names_and_values(void **state SGE_UNUSED)
{
    assert_reads("qname   all.q\nslots\t4  \r\n\n  # a comment\nempty\nlast x y",
                 "qname=<all.q>;slots=<4>;empty=<>;last=<x y>;");
    assert_reads("", "");
    assert_reads("\n\n#only\n", "");
}

static void a_backslash_joins_lines(void **state SGE_UNUSED)
{
    assert_reads("a one \\\n    two\nb x, \\\n   y,\\\nz\n", "a=<one two>;b=<x,y,z>;");
    assert_reads("a one \\", "a=<one>;");
    assert_reads("a \\\n\nb 1\n", "a=<>;b=<1>;");
    assert_reads("\\\n\\\n", "");
}

static void long_lists_break_as_captured(void **state SGE_UNUSED)
{
    struct dstr out = DSTR_INIT;
    attr_print(&out, 22, "load_values",
               "load_avg=14.139160,load_short=17.532715,load_medium=14.139160,load_long=7.664062,"
               "arch=lx-amd64,num_proc=2",
               false);
    assert_string_equal(
        dstr_get(&out),
        "load_values           load_avg=14.139160,load_short=17.532715, \\\n"
        "                      load_medium=14.139160,load_long=7.664062,arch=lx-amd64, \\\n"
        "                      num_proc=2\n");
    dstr_clear(&out);
    attr_print(&out, 29, "reporting_params",
               "accounting=true reporting=false flush_time=00:00:01 joblog=false sharelog=00:00:00",
               false);
    assert_string_equal(
        dstr_get(&out),
        "reporting_params             accounting=true reporting=false \\\n"
        "                             flush_time=00:00:01 joblog=false sharelog=00:00:00\n");
    dstr_free(&out);
}

static void single_lines_stay_single(void **state SGE_UNUSED)
{
    struct dstr out = DSTR_INIT;
    char value[400];
    memset(value, 'x', sizeof value);
    for (size_t i = 9; i < sizeof value; i += 10)
        value[i] = ',';
    value[sizeof value - 1] = '\0';
    attr_print(&out, 22, "hostlist", value, true);
    assert_null(strchr(out.s, '\\'));
    assert_int_equal(out.len, 22 + strlen(value) + 1);
    dstr_free(&out);
}

static void what_is_printed_reads_back(void **state SGE_UNUSED)
{
    const char *value =
        "1,[hosta=10],[hostb=20],[hostc=30],[hostd=40],[hoste=50],[hostf=60],[hostg=70],[@h=80]";
    struct dstr out = DSTR_INIT, want = DSTR_INIT;
    attr_print(&out, 22, "slots", value, false);
    assert_non_null(strstr(out.s, " \\\n"));
    dstr_addf(&want, "slots=<%s>;", value);
    assert_reads(out.s, want.s);
    dstr_free(&out);
    dstr_free(&want);
}

static void brackets_are_not_torn(void **state SGE_UNUSED)
{
    struct dstr out = DSTR_INIT;
    attr_print(
        &out, 22, "pe_list",
        "make,[hosta=one two three four five six seven eight nine],[hostb=ten eleven twelve]",
        false);
    assert_non_null(strstr(out.s, "\n                      [hostb=ten eleven twelve]\n"));
    dstr_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_names_and_values),   cmocka_unit_test(a_backslash_joins_lines),
        cmocka_unit_test(long_lists_break_as_captured), cmocka_unit_test(single_lines_stay_single),
        cmocka_unit_test(what_is_printed_reads_back),   cmocka_unit_test(brackets_are_not_torn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
