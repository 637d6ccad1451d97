/* Tests of libs/config/host.c: host_conf(5) and the captured `qconf -se`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/host.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* clang-format off */
static const char captured_global[] =
    "hostname              global\n"
    "load_scaling          NONE\n"
    "complex_values        lic=5\n"
    "load_values           NONE\n"
    "processors            0\n"
    "user_lists            NONE\n"
    "xuser_lists           NONE\n"
    "projects              NONE\n"
    "xprojects             NONE\n"
    "usage_scaling         NONE\n"
    "report_variables      NONE\n";
static const char captured_load[] =
    "load_values           load_avg=14.139160,load_short=17.532715, \\\n"
    "                      load_medium=14.139160,load_long=7.664062,arch=lx-amd64, \\\n"
    "                      num_proc=2,mem_free=23656.808594M,swap_free=0.000000M, \\\n"
    "                      virtual_free=23656.808594M,mem_total=24105.550781M, \\\n"
    "                      swap_total=0.000000M,virtual_total=24105.550781M, \\\n"
    "                      mem_used=448.742188M,swap_used=0.000000M, \\\n"
    "                      virtual_used=448.742188M,cpu=73.400000,m_topology=SCC, \\\n"
    "                      m_topology_inuse=SCC,m_socket=1,m_core=2,m_thread=2, \\\n"
    "                      np_load_avg=7.069580,np_load_short=8.766357, \\\n"
    "                      np_load_medium=7.069580,np_load_long=3.832031\n";
/* clang-format on */

static void assert_refused(const char *text, const char *want)
{
    struct EH_Type *host = cull_new(&cull_EH_Type);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(host_parse(text, host, &ans), -1);
    assert_string_equal(ans_first_error(&ans), want);
    assert_null(host->EH_name);
    ans_free(&ans);
    cull_delete(&cull_EH_Type, host);
}

static void a_captured_host_prints_as_it_was_read(void **state SGE_UNUSED)
{
    struct EH_Type *host = cull_new(&cull_EH_Type);
    struct dstr out = DSTR_INIT;
    assert_int_equal(host_parse(captured_global, host, NULL), 0);
    assert_int_equal(host_check(host, NULL), 0);
    assert_string_equal(host->EH_consumable_config_list.v[0].CE_name, "lic");
    host_text(host, false, false, &out);
    assert_string_equal(dstr_get(&out), captured_global);
    dstr_free(&out);
    cull_delete(&cull_EH_Type, host);
}

/* what an execd reported when the text was captured */
static const struct {
    const char *name, *value;
} reported[] = {
    { "load_avg", "14.139160" },
    { "load_short", "17.532715" },
    { "load_medium", "14.139160" },
    { "load_long", "7.664062" },
    { "arch", "lx-amd64" },
    { "num_proc", "2" },
    { "mem_free", "23656.808594M" },
    { "swap_free", "0.000000M" },
    { "virtual_free", "23656.808594M" },
    { "mem_total", "24105.550781M" },
    { "swap_total", "0.000000M" },
    { "virtual_total", "24105.550781M" },
    { "mem_used", "448.742188M" },
    { "swap_used", "0.000000M" },
    { "virtual_used", "448.742188M" },
    { "cpu", "73.400000" },
    { "m_topology", "SCC" },
    { "m_topology_inuse", "SCC" },
    { "m_socket", "1" },
    { "m_core", "2" },
    { "m_thread", "2" },
    { "np_load_avg", "7.069580" },
    { "np_load_short", "8.766357" },
    { "np_load_medium", "7.069580" },
    { "np_load_long", "3.832031" },
};

static void load_values_break_as_captured(void **state SGE_UNUSED)
{
    struct EH_Type *host = host_template("node1");
    struct dstr out = DSTR_INIT;
    for (size_t i = 0; i < ARRAY_LEN(reported); i++) {
        struct VA_Type *va = cull_append(host, EH_load_list);
        cull_set(va, VA_variable, reported[i].name);
        cull_set(va, VA_value, reported[i].value);
    }
    host_text(host, false, false, &out);
    assert_non_null(strstr(out.s, captured_load));
    assert_string_equal(host_load_value(host, "arch"), "lx-amd64");
    assert_null(host_load_value(host, "nosuch"));
    dstr_free(&out);
    cull_delete(&cull_EH_Type, host);
}

static void a_template_shows_what_people_set(void **state SGE_UNUSED)
{
    struct EH_Type *host = host_template("template");
    struct dstr out = DSTR_INIT;
    assert_int_equal(host_check(host, NULL), 0);
    host_text(host, true, false, &out);
    assert_string_equal(
        dstr_get(&out),
        "hostname              template\nload_scaling          NONE\ncomplex_values        NONE\n"
        "user_lists            NONE\nxuser_lists           NONE\nprojects              NONE\n"
        "xprojects             NONE\nusage_scaling         NONE\nreport_variables      NONE\n");
    dstr_free(&out);
    cull_delete(&cull_EH_Type, host);
}

static void an_unknown_attribute_is_kept_shown_and_named(void **state SGE_UNUSED)
{
    struct EH_Type *host = cull_new(&cull_EH_Type);
    struct dstr text = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    dstr_addf(&text, "%slicense_constraints NONE\n", captured_global);
    assert_int_equal(host_parse(dstr_get(&text), host, NULL), 0);
    assert_int_equal(host_check(host, NULL), 0);
    host_warn_unknown(host, NULL, &ans);
    assert_int_equal(ans.n, 1);
    assert_string_equal(
        ans.v[0].text,
        "attribute \"license_constraints\" is unknown: it is stored, but has no effect");
    dstr_clear(&text);
    host_text(host, false, false, &text);
    assert_non_null(strstr(dstr_get(&text), "\nlicense_constraints   NONE\n"));
    cull_set(&host->EH_unknown.v[0], VA_variable, "processors");
    assert_int_equal(host_check(host, NULL), -1);
    dstr_free(&text);
    ans_free(&ans);
    cull_delete(&cull_EH_Type, host);
}

static void what_is_wrong_is_named(void **state SGE_UNUSED)
{
    assert_refused("hostname a\nju-nk 1\n", "unknown attribute name \"ju-nk\"");
    assert_refused("hostname a\n", "required attribute \"load_scaling\" is missing");
    assert_refused("", "required attribute \"hostname\" is missing");
    assert_refused("hostname @g\n", "execution host \"@g\" is not valid");
    assert_refused("hostname a\nhostname b\n", "attribute \"hostname\" is specified twice");
    assert_refused("complex_values lic\n",
                   "attribute \"complex_values\": \"lic\" is not NONE or a list of name=value");
}

static void a_foreign_host_is_checked(void **state SGE_UNUSED)
{
    struct EH_Type *host = host_template("node1");
    struct CE_Type *ce = cull_append(host, EH_consumable_config_list);
    assert_int_equal(host_check(host, NULL), -1);
    cull_set(ce, CE_name, "lic");
    cull_set(ce, CE_stringval, "5");
    assert_int_equal(host_check(host, NULL), 0);
    cull_set(ce, CE_stringval, "5,x");
    assert_int_equal(host_check(host, NULL), -1);
    cull_set(ce, CE_stringval, "5");
    cull_set(host, EH_name, "a b");
    assert_int_equal(host_check(host, NULL), -1);
    cull_delete(&cull_EH_Type, host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_captured_host_prints_as_it_was_read),
        cmocka_unit_test(load_values_break_as_captured),
        cmocka_unit_test(a_template_shows_what_people_set),
        cmocka_unit_test(an_unknown_attribute_is_kept_shown_and_named),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_foreign_host_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
