/* What a configuration says that nothing reads is named. */
#include "libs/config/conf_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/config/conf.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* the warnings of a configuration of node1 that says PARAM VALUE, a line each */
static void expect_warnings(const char *param, const char *value, const char *wanted)
{
    struct CONF_Type *conf = conf_template("node1");
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT;
    struct VA_Type *entry = cull_append(conf, CONF_entries);
    cull_set(entry, VA_variable, param);
    cull_set(entry, VA_value, value);
    conf_words_warn(conf, NULL, &ans);
    for (uint32_t i = 0; i < ans.n; i++) {
        assert_int_equal(ans.v[i].quality, ANSWER_QUALITY_WARNING);
        dstr_addf(&text, "%s\n", ans.v[i].text);
    }
    assert_string_equal(dstr_get(&text), wanted);
    ans_free(&ans);
    conf_words_warn(conf, conf, &ans); /* what was there before is not named again */
    assert_int_equal(ans.n, 0);
    dstr_free(&text);
    ans_free(&ans);
    cull_delete(&cull_CONF_Type, conf);
}

#define UNKNOWN " is unknown: it is stored, but has no effect"

static void known_settings_are_silent(void **state)
{
    (void)state;
    expect_warnings("execd_params", "none", "");
    expect_warnings("execd_params", "", "");
    expect_warnings("execd_params", "H_MEMORYLOCKED=INFINITY,S_DESCRIPTORS=1024 keep_active=true",
                    "");
    expect_warnings("execd_params", "ENABLE_ADDGRP_KILL", "");
    expect_warnings("qmaster_params", "FORBID_RESCHEDULE=y,MAX_DYN_EC=100,MAX_USER_BYTES=1G", "");
    expect_warnings("shell_start_mode", "unix_behavior", "");
    expect_warnings("params", "MONITOR=1", "");
}

static void a_typo_is_named_with_what_it_is_near_to(void **state)
{
    (void)state;
    expect_warnings("execd_params", "H_MEMORYLOKED=INFINITY",
                    "execd_params: \"H_MEMORYLOKED\"" UNKNOWN
                    "; did you mean \"H_MEMORYLOCKED\"?\n");
    expect_warnings("qmaster_params", "RESHEDULE_DELAY=5",
                    "qmaster_params: \"RESHEDULE_DELAY\"" UNKNOWN
                    "; did you mean \"RESCHEDULE_DELAY\"?\n");
    expect_warnings("execd_params", "X=1, KEEP_ACTIV=1",
                    "execd_params: \"X\"" UNKNOWN "\n"
                    "execd_params: \"KEEP_ACTIV\"" UNKNOWN "; did you mean \"KEEP_ACTIVE\"?\n");
    expect_warnings("params", "MONITOR=1,PROFILE=1", "params: \"PROFILE\"" UNKNOWN "\n");
    /* known in the other list alone */
    expect_warnings("qmaster_params", "H_DESCRIPTORS=9",
                    "qmaster_params: \"H_DESCRIPTORS\"" UNKNOWN "\n");
}

static void a_value_that_cannot_be_is_named(void **state)
{
    (void)state;
    expect_warnings("execd_params", "H_MAXPROC=many,USE_CGROUPS=perhaps",
                    "execd_params: \"H_MAXPROC\" cannot be \"many\": the default is used\n"
                    "execd_params: \"USE_CGROUPS\" cannot be \"perhaps\": the default is used\n");
}

static void an_unknown_attribute_is_named(void **state)
{
    (void)state;
    expect_warnings("libjvm_path", "/x", "attribute \"libjvm_path\"" UNKNOWN "\n");
    expect_warnings("execd_parms", "/x",
                    "attribute \"execd_parms\"" UNKNOWN "; did you mean \"execd_params\"?\n");
}

/* as many as anybody reads, however many there are */
static void the_first_few_are_named(void **state)
{
    (void)state;
    struct CONF_Type *conf = conf_template("node1");
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT;
    for (int i = 0; i < 20000; i++)
        dstr_addf(&text, "%sUNKNOWN_%d=1", i > 0 ? "," : "", i);
    struct VA_Type *entry = cull_append(conf, CONF_entries);
    cull_set(entry, VA_variable, "execd_params");
    cull_set(entry, VA_value, dstr_get(&text));
    conf_words_warn(conf, NULL, &ans);
    assert_int_equal(ans.n, 8);
    ans_free(&ans);
    dstr_free(&text);
    cull_delete(&cull_CONF_Type, conf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_settings_are_silent),
        cmocka_unit_test(a_typo_is_named_with_what_it_is_near_to),
        cmocka_unit_test(a_value_that_cannot_be_is_named),
        cmocka_unit_test(an_unknown_attribute_is_named),
        cmocka_unit_test(the_first_few_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
