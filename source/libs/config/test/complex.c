/* Tests of libs/config/complex.c: complex(5) and the captured `qconf -sc`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/complex.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* clang-format off */
static const char captured[] =
    "#name               shortcut   type      relop requestable consumable default  urgency \n"
    "#--------------------------------------------------------------------------------------\n"
    "arch                a          STRING    ==    YES         NO         NONE     0\n"
    "calendar            c          STRING    ==    YES         NO         NONE     0\n"
    "cpu                 cpu        DOUBLE    >=    YES         NO         0        0\n"
    "display_win_gui     dwg        BOOL      ==    YES         NO         0        0\n"
    "h_core              h_core     MEMORY    <=    YES         NO         0        0\n"
    "h_cpu               h_cpu      TIME      <=    YES         NO         0:0:0    0\n"
    "h_data              h_data     MEMORY    <=    YES         NO         0        0\n"
    "h_fsize             h_fsize    MEMORY    <=    YES         NO         0        0\n"
    "h_rss               h_rss      MEMORY    <=    YES         NO         0        0\n"
    "h_rt                h_rt       TIME      <=    YES         NO         0:0:0    0\n"
    "h_stack             h_stack    MEMORY    <=    YES         NO         0        0\n"
    "h_vmem              h_vmem     MEMORY    <=    YES         NO         0        0\n"
    "hostname            h          HOST      ==    YES         NO         NONE     0\n"
    "load_avg            la         DOUBLE    >=    NO          NO         0        0\n"
    "load_long           ll         DOUBLE    >=    NO          NO         0        0\n"
    "load_medium         lm         DOUBLE    >=    NO          NO         0        0\n"
    "load_short          ls         DOUBLE    >=    NO          NO         0        0\n"
    "m_core              core       INT       <=    YES         NO         0        0\n"
    "m_socket            socket     INT       <=    YES         NO         0        0\n"
    "m_thread            thread     INT       <=    YES         NO         0        0\n"
    "m_topology          topo       STRING    ==    YES         NO         NONE     0\n"
    "m_topology_inuse    utopo      STRING    ==    YES         NO         NONE     0\n"
    "mem_free            mf         MEMORY    <=    YES         NO         0        0\n"
    "mem_total           mt         MEMORY    <=    YES         NO         0        0\n"
    "mem_used            mu         MEMORY    >=    YES         NO         0        0\n"
    "min_cpu_interval    mci        TIME      <=    NO          NO         0:0:0    0\n"
    "np_load_avg         nla        DOUBLE    >=    NO          NO         0        0\n"
    "np_load_long        nll        DOUBLE    >=    NO          NO         0        0\n"
    "np_load_medium      nlm        DOUBLE    >=    NO          NO         0        0\n"
    "np_load_short       nls        DOUBLE    >=    NO          NO         0        0\n"
    "num_proc            p          INT       ==    YES         NO         0        0\n"
    "qname               q          STRING    ==    YES         NO         NONE     0\n"
    "rerun               re         BOOL      ==    NO          NO         0        0\n"
    "s_core              s_core     MEMORY    <=    YES         NO         0        0\n"
    "s_cpu               s_cpu      TIME      <=    YES         NO         0:0:0    0\n"
    "s_data              s_data     MEMORY    <=    YES         NO         0        0\n"
    "s_fsize             s_fsize    MEMORY    <=    YES         NO         0        0\n"
    "s_rss               s_rss      MEMORY    <=    YES         NO         0        0\n"
    "s_rt                s_rt       TIME      <=    YES         NO         0:0:0    0\n"
    "s_stack             s_stack    MEMORY    <=    YES         NO         0        0\n"
    "s_vmem              s_vmem     MEMORY    <=    YES         NO         0        0\n"
    "seq_no              seq        INT       ==    NO          NO         0        0\n"
    "slots               s          INT       <=    YES         YES        1        1000\n"
    "swap_free           sf         MEMORY    <=    YES         NO         0        0\n"
    "swap_rate           sr         MEMORY    >=    YES         NO         0        0\n"
    "swap_rsvd           srsv       MEMORY    >=    YES         NO         0        0\n"
    "swap_total          st         MEMORY    <=    YES         NO         0        0\n"
    "swap_used           su         MEMORY    >=    YES         NO         0        0\n"
    "tmpdir              tmp        STRING    ==    NO          NO         NONE     0\n"
    "virtual_free        vf         MEMORY    <=    YES         NO         0        0\n"
    "virtual_total       vt         MEMORY    <=    YES         NO         0        0\n"
    "virtual_used        vu         MEMORY    >=    YES         NO         0        0\n"
    "# >#< starts a comment but comments are not saved across edits --------\n";
/* clang-format on */

static void assert_refused(const char *text, const char *want)
{
    struct CE_Type_list list = { 0 };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(complex_parse(text, &list, &ans), -1);
    assert_int_equal(ans.n, 1);
    assert_string_equal(ans_first_error(&ans), want);
    assert_int_equal(list.n, 0);
    ans_free(&ans);
}

static void the_first_table_is_the_captured_one(void **state SGE_UNUSED)
{
    struct CE_Type_list list = { 0 }, again = { 0 };
    struct dstr out = DSTR_INIT;
    complex_template(&list);
    complex_text(&list, &out);
    assert_string_equal(dstr_get(&out), captured);
    assert_int_equal(complex_parse(captured, &again, NULL), 0);
    dstr_clear(&out);
    complex_text(&again, &out);
    assert_string_equal(dstr_get(&out), captured);
    dstr_free(&out);
    complex_list_clear(&list);
    complex_list_clear(&again);
}

static void devices_are_consumable_and_need_no_default(void **state SGE_UNUSED)
{
    struct CE_Type_list list = { 0 };
    struct dstr out = DSTR_INIT;
    assert_int_equal(complex_parse("gpu g RSMAP <= YES YES NONE 0\n", &list, NULL), 0);
    complex_text(&list, &out);
    assert_non_null(strstr(dstr_get(&out), "RSMAP     <=    YES         YES        NONE     0"));
    dstr_free(&out);
    complex_list_clear(&list);
    assert_int_equal(complex_parse("gpu g RSMAP <= FORCED JOB 1 0\n", &list, NULL), 0);
    complex_list_clear(&list);
    const char *why = "complex attribute \"gpu\": the type RSMAP needs the relop <= and consumable "
                      "YES, JOB or HOST";
    assert_refused("gpu g RSMAP <= YES NO NONE 0\n", why);
    assert_refused("gpu g RSMAP >= YES YES NONE 0\n", why);
    assert_refused("gpu g RSMAP <= YES YES 1.5 0\n",
                   "complex attribute \"gpu\": \"1.5\" is not a value of the type RSMAP");
}

static void a_new_resource_is_sorted_in(void **state SGE_UNUSED)
{
    struct CE_Type_list list = { 0 };
    struct dstr out = DSTR_INIT;
    assert_int_equal(
        complex_parse("slots s INT <= YES YES 1 1000\nlic lic INT <= YES YES 0 0 # ours\n", &list,
                      NULL),
        0);
    assert_int_equal(list.n, 2);
    assert_string_equal(list.v[0].CE_name, "lic");
    assert_int_equal(list.v[0].CE_consumable, COMPLEX_CONSUMABLE_YES);
    complex_text(&list, &out);
    assert_non_null(strstr(
        out.s,
        "\nlic                 lic        INT       <=    YES         YES        0        0\n"));
    assert_ptr_equal(complex_find(&list, "s"), &list.v[1]);
    assert_null(complex_find(&list, "slot"));
    dstr_free(&out);
    complex_list_clear(&list);
}

static void consumables_are_shown_in_full_and_read_by_their_first_letter(void **state SGE_UNUSED)
{
    static const struct {
        const char *given, *shown;
        unsigned value;
    } rows[] = {
        { "n", "NO", COMPLEX_CONSUMABLE_NO },     { "Y", "YES", COMPLEX_CONSUMABLE_YES },
        { "job", "JOB", COMPLEX_CONSUMABLE_JOB }, { "J", "JOB", COMPLEX_CONSUMABLE_JOB },
        { "H", "HOST", COMPLEX_CONSUMABLE_HOST }, { "Host", "HOST", COMPLEX_CONSUMABLE_HOST },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct CE_Type ce = { .CE_name = "lic" };
        assert_int_equal(complex_read_consumable(&ce, rows[i].given, NULL), 0);
        assert_int_equal(ce.CE_consumable, rows[i].value);
        assert_string_equal(complex_value(&ce, "consumable"), rows[i].shown);
    }
    assert_refused("lic lic INT <= YES HOSTS 0 0",
                   "complex attribute \"lic\": unknown consumable \"HOSTS\"");
}

static void what_is_wrong_is_named(void **state SGE_UNUSED)
{
    assert_refused("bad bad FOO <= YES YES 0 0", "unknown complex attribute type \"FOO\"");
    assert_refused("bad bad INT =< YES YES 0 0", "complex attribute \"bad\": unknown relop \"=<\"");
    assert_refused("bad bad INT <= MAYBE YES 0 0",
                   "complex attribute \"bad\": unknown requestable \"MAYBE\"");
    assert_refused("bad bad INT <= YES MAYBE 0 0",
                   "complex attribute \"bad\": unknown consumable \"MAYBE\"");
    assert_refused("bad bad INT <= YES YES 0", "complex attribute \"bad\": 7 columns instead of 8");
    assert_refused("bad bad INT <= YES YES 0 0 0",
                   "complex attribute \"bad\": 9 columns instead of 8");
    assert_refused("bad bad INT <= YES YES x 0",
                   "complex attribute \"bad\": \"x\" is not a value of the type INT");
    assert_refused("bad bad INT <= YES YES 0 x",
                   "complex attribute \"bad\": urgency \"x\" is not a number");
    assert_refused("bad bad STRING <= YES NO NONE 0",
                   "complex attribute \"bad\": relop \"<=\" cannot compare the type STRING");
    assert_refused("bad bad STRING == YES YES NONE 0",
                   "complex attribute \"bad\": the type STRING cannot be consumable");
    assert_refused("b,d bad INT <= YES YES 0 0",
                   "complex attribute \"b,d\" with the shortcut \"bad\": not a valid name");
    assert_refused(
        "a x INT <= YES YES 0 0\nb x INT <= YES YES 0 0\n",
        "complex attribute \"b\" with the shortcut \"x\": name or shortcut exists already");
}

static void values_are_read_by_type(void **state SGE_UNUSED)
{
    struct CE_Type_list list = { 0 };
    double number = 7;
    complex_template(&list);
    assert_int_equal(complex_value_parse(complex_find(&list, "h_rt"), "1:0:0", &number, NULL), 0);
    assert_float_equal(number, 3600, 0);
    assert_int_equal(complex_value_parse(complex_find(&list, "h_vmem"), "2K", &number, NULL), 0);
    assert_float_equal(number, 2048, 0);
    assert_int_equal(complex_value_parse(complex_find(&list, "dwg"), "true", &number, NULL), 0);
    assert_float_equal(number, 1, 0);
    assert_int_equal(complex_value_parse(complex_find(&list, "load_avg"), "1.75", &number, NULL),
                     0);
    assert_float_equal(number, 1.75, 0);
    assert_int_equal(complex_value_parse(complex_find(&list, "arch"), "lx-*", &number, NULL), 0);
    assert_float_equal(number, 0, 0);
    assert_int_equal(complex_value_parse(complex_find(&list, "h_rt"), "soon", &number, NULL), -1);
    assert_float_equal(number, 0, 0);
    complex_list_clear(&list);
}

static void a_foreign_table_is_checked(void **state SGE_UNUSED)
{
    struct CE_Type_list list = { 0 };
    complex_template(&list);
    assert_int_equal(complex_check(&list, NULL), 0);
    cull_set(&list.v[3], CE_shortcut, "a");
    assert_int_equal(complex_check(&list, NULL), -1);
    cull_set(&list.v[3], CE_shortcut, NULL);
    assert_int_equal(complex_check(&list, NULL), -1);
    cull_set(&list.v[3], CE_shortcut, "free");
    assert_int_equal(complex_check(&list, NULL), 0);
    cull_set(&list.v[3], CE_relop, 99);
    assert_int_equal(complex_check(&list, NULL), -1);
    complex_list_clear(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_table_is_the_captured_one),
        cmocka_unit_test(devices_are_consumable_and_need_no_default),
        cmocka_unit_test(a_new_resource_is_sorted_in),
        cmocka_unit_test(consumables_are_shown_in_full_and_read_by_their_first_letter),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(values_are_read_by_type),
        cmocka_unit_test(a_foreign_table_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
