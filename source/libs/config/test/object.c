/* Tests of libs/config/object.c and object_kinds.c: what each kind takes, keeps and refuses, and
 * the record that is made of it. The texts are captured. */
#include "libs/config/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* clang-format off */
static const char captured_pe[] =
    "pe_name            smp\n"
    "slots              999\n"
    "user_lists         NONE\n"
    "xuser_lists        NONE\n"
    "start_proc_args    NONE\n"
    "stop_proc_args     NONE\n"
    "allocation_rule    $pe_slots\n"
    "control_slaves     TRUE\n"
    "job_is_first_task  TRUE\n"
    "urgency_slots      min\n"
    "accounting_summary TRUE\n"
    "qsort_args         NONE\n";
/* as qconf shows them, and what -a begins with */
static const struct {
    enum object_kind kind;
    const char *shown, *name, *template;
} captured[] = {
    { OBJECT_PE, captured_pe, "newpe",
      "pe_name            newpe\n"
      "slots              0\n"
      "user_lists         NONE\n"
      "xuser_lists        NONE\n"
      "start_proc_args    NONE\n"
      "stop_proc_args     NONE\n"
      "allocation_rule    $pe_slots\n"
      "control_slaves     FALSE\n"
      "job_is_first_task  TRUE\n"
      "urgency_slots      min\n"
      "accounting_summary FALSE\n"
      "qsort_args         NONE\n" },
    { OBJECT_CKPT,
      "ckpt_name          user_ckpt\n"
      "interface          USERDEFINED\n"
      "ckpt_command       NONE\n"
      "migr_command       NONE\n"
      "restart_command    NONE\n"
      "clean_command      NONE\n"
      "ckpt_dir           /tmp\n"
      "signal             USR2\n"
      "when               xs\n", "newckpt",
      "ckpt_name          newckpt\n"
      "interface          userdefined\n"
      "ckpt_command       none\n"
      "migr_command       none\n"
      "restart_command    none\n"
      "clean_command      none\n"
      "ckpt_dir           /tmp\n"
      "signal             none\n"
      "when               sx\n" },
    { OBJECT_CALENDAR,
      "calendar_name    night\n"
      "year             1.1.2030=off\n"
      "week             mon-fri=6-20=off\n", "newcal",
      "calendar_name    newcal\n"
      "year             NONE\n"
      "week             NONE\n" },
    { OBJECT_USERSET,
      "name    ul1\n"
      "type    ACL\n"
      "fshare  0\n"
      "oticket 0\n"
      "entries alice,bob\n", "newset",
      "name    newset\n"
      "type    ACL\n"
      "fshare  0\n"
      "oticket 0\n"
      "entries NONE\n" },
    { OBJECT_PROJECT,
      "name prj1\n"
      "oticket 0\n"
      "fshare 0\n"
      "acl NONE\n"
      "xacl NONE\n", "x",
      "name x\n"
      "oticket 0\n"
      "fshare 0\n"
      "acl NONE\n"
      "xacl NONE\n" },
    { OBJECT_USER,
      "name alice\n"
      "oticket 0\n"
      "fshare 0\n"
      "delete_time 1795250584\n"
      "default_project NONE\n", "x",
      "name x\n"
      "oticket 0\n"
      "fshare 0\n"
      "delete_time 0\n"
      "default_project NONE\n" },
    { OBJECT_HOSTGROUP,
      "group_name @allhosts\n"
      "hostlist HOST\n", "@new",
      "group_name @new\n"
      "hostlist NONE\n" },
    { OBJECT_RQS,
      "{\n"
      "   name         max2\n"
      "   description  \"two per user\"\n"
      "   enabled      TRUE\n"
      "   limit        users {*} to slots=2\n"
      "   limit        hosts {a, b} to slots=4\n"
      "}\n", "newrqs",
      "{\n"
      "   name         newrqs\n"
      "   description  NONE\n"
      "   enabled      FALSE\n"
      "   limit        to slots=0\n"
      "}\n" },
    { OBJECT_COMPLEX,
      "name        lic\n"
      "shortcut    lic\n"
      "type        INT\n"
      "relop       <=\n"
      "requestable YES\n"
      "consumable  YES\n"
      "default     0\n"
      "urgency     0\n", "gpu",
      "name        gpu\n"
      "shortcut    new\n"
      "type        INT\n"
      "relop       <=\n"
      "requestable YES\n"
      "consumable  NO\n"
      "default     0\n"
      "urgency     0\n" },
};
/* clang-format on */

static void a_captured_object_prints_as_it_was_read(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(captured); i++) {
        const struct object_rules *rules = object_rules_of(captured[i].kind);
        struct TX_Type_list all = { 0 };
        struct dstr out = DSTR_INIT;
        assert_int_equal(object_parse_all(rules, captured[i].shown, &all, NULL), 0);
        assert_int_equal(all.n, 1);
        assert_int_equal(object_settle(rules, &all.v[0], NULL), 0);
        object_text(rules, &all.v[0], false, &out);
        assert_string_equal(dstr_get(&out), captured[i].shown);
        dstr_free(&out);
        cull_list_clear(&cull_TX_Type, &all);
    }
}

static void a_template_is_the_captured_one(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(captured); i++) {
        const struct object_rules *rules = object_rules_of(captured[i].kind);
        struct TX_Type tx = { 0 };
        struct dstr out = DSTR_INIT;
        object_template(rules, captured[i].name, &tx);
        object_text(rules, &tx, false, &out);
        assert_string_equal(dstr_get(&out), captured[i].template);
        assert_int_equal(object_settle(rules, &tx, NULL), 0);
        dstr_free(&out);
        cull_clear(&cull_TX_Type, &tx);
    }
}

static void every_kind_is_whole_and_its_defaults_are_valid(void **state SGE_UNUSED)
{
    const struct object_rules *rules;
    for (unsigned i = 0; (rules = object_rules_at(i)) != NULL; i++) {
        struct TX_Type tx = { 0 };
        assert_ptr_equal(object_rules_of(rules->kind), rules);
        object_template(rules, rules->kind == OBJECT_HOSTGROUP ? "@x" : "x", &tx);
        assert_int_equal(object_settle(rules, &tx, NULL), 0);
        for (unsigned a = 0; a < rules->attrs_n; a++)
            assert_ptr_equal(object_attr_find(rules, rules->attrs[a].rule.name), &rules->attrs[a]);
        cull_clear(&cull_TX_Type, &tx);
    }
}

static void assert_refused(enum object_kind kind, const char *text, const char *want)
{
    struct TX_Type tx = { 0 };
    struct answer ans = ANSWER_INIT;
    int ret = object_parse(object_rules_of(kind), text, &tx, &ans);
    if (ret == 0)
        ret = object_settle(object_rules_of(kind), &tx, &ans);
    assert_int_equal(ret, -1);
    assert_string_equal(ans_first_error(&ans), want);
    ans_free(&ans);
    cull_clear(&cull_TX_Type, &tx);
}

/* the captured parallel environment with LINE instead of the one that begins with the same word */
static void assert_pe_refused(const char *line, const char *want)
{
    struct dstr text = DSTR_INIT;
    size_t len = strcspn(line, " ");
    const char *old = strstr(captured_pe, line);
    for (old = captured_pe; strncmp(old, line, len) != 0;)
        old = strchr(old, '\n') + 1;
    dstr_addn(&text, captured_pe, (size_t)(old - captured_pe));
    dstr_add(&text, line);
    dstr_add(&text, strchr(old, '\n'));
    assert_refused(OBJECT_PE, dstr_get(&text), want);
    dstr_free(&text);
}

/* in kinds with a line for each attribute; in the others a word is part of their syntax */
static void an_unknown_attribute_is_kept_shown_and_named(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(captured); i++) {
        const struct object_rules *rules = object_rules_of(captured[i].kind);
        struct TX_Type tx = { 0 };
        struct dstr out = DSTR_INIT;
        struct answer ans = ANSWER_INIT;
        object_template(rules, captured[i].name, &tx);
        struct VA_Type *va = cull_append(&tx, TX_entries);
        cull_set(va, VA_variable, "ign_sreq_on_mhost");
        cull_set(va, VA_value, "FALSE");
        assert_int_equal(object_settle(rules, &tx, &ans), rules->own->is_closed ? -1 : 0);
        if (rules->own->is_closed) {
            assert_string_equal(ans_first_error(&ans),
                                "unknown attribute name \"ign_sreq_on_mhost\"");
        } else {
            object_warn_unknown(rules, &tx, NULL, &ans);
            assert_int_equal(ans.n, 1);
            object_text(rules, &tx, false, &out);
            assert_non_null(strstr(dstr_get(&out), "\nign_sreq_on_mhost "));
            /* another attribute of it can be changed */
            const char *attr = rules->attrs[0].rule.name, *value = object_value(&tx, attr);
            assert_int_equal(object_set(rules, &tx, attr, value, NULL), 0);
            assert_string_equal(object_value(&tx, "ign_sreq_on_mhost"), "FALSE");
        }
        dstr_free(&out);
        ans_free(&ans);
        cull_clear(&cull_TX_Type, &tx);
    }
}

static void what_is_wrong_is_named(void **state SGE_UNUSED)
{
    struct dstr text = DSTR_INIT;
    assert_pe_refused("slots abc",
                      "attribute \"slots\": \"abc\" is not a number from 0 to 9999999");
    assert_pe_refused("allocation_rule 0",
                      "attribute \"allocation_rule\": \"0\" is neither one of $pe_slots $fill_up "
                      "$round_robin nor a number from 1 to 9999999");
    assert_pe_refused("pe_name a@b", "parallel environment name \"a@b\" is not valid");
    assert_pe_refused("pe_name template", "parallel environment name \"template\" is not valid");
    assert_refused(OBJECT_PE, "pe_name x\nslots 1\n",
                   "required attribute \"user_lists\" is missing");
    assert_refused(OBJECT_PE, "slots 1\n", "required attribute \"pe_name\" is missing");
    assert_refused(OBJECT_PE, "pe_name x\nslotz 1\n", "required attribute \"slots\" is missing");
    assert_refused(OBJECT_PE, "pe_name x\nslots 1\nslots 2\n",
                   "attribute \"slots\" is specified twice");
    assert_refused(OBJECT_HOSTGROUP, "group_name g\nhostlist NONE\n",
                   "host group name \"g\" is not valid");
    assert_refused(OBJECT_CALENDAR, "calendar_name bad\nyear NONE\nweek foo\n",
                   "error in disabled_week of calendar \"bad\": \"foo\" is not a weekday");
    dstr_addf(&text, "pe_name x\nqsort_args %0*d\n", (int)OBJECT_VALUE_MOST + 1, 0);
    assert_refused(OBJECT_PE, dstr_get(&text),
                   "attribute \"qsort_args\": the value is longer than 1048576 bytes");
    dstr_clear(&text);
    dstr_add(&text, "pe_name x\nuser_lists ");
    for (int i = 0; i <= OBJECT_LIST_MOST; i++)
        dstr_add(&text, "a ");
    dstr_add(&text, "\n");
    assert_refused(OBJECT_PE, dstr_get(&text),
                   "attribute \"user_lists\": the list has more than 32768 elements");
    dstr_free(&text);
}

static void objects_in_braces_may_be_several(void **state SGE_UNUSED)
{
    const struct object_rules *rules = object_rules_of(OBJECT_RQS);
    struct TX_Type_list all = { 0 };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(
        object_parse_all(rules, "# two\n{ name a\n limit to slots=1 }\n{\nname b\n}", &all, NULL),
        0);
    assert_int_equal(all.n, 2);
    assert_string_equal(all.v[1].TX_name, "b");
    assert_string_equal(object_value(&all.v[0], "limit"), "to slots=1");
    cull_list_clear(&cull_TX_Type, &all);
    assert_int_equal(object_parse_all(rules, "{ name a\n limit users {x} to slots=1", &all, &ans),
                     -1);
    assert_string_equal(ans_first_error(&ans),
                        "resource quota set: a set begins with { and ends with }");
    assert_int_equal(all.n, 0);
    ans_free(&ans);
    assert_refused(OBJECT_RQS, "name a\ndescription }{\n",
                   "attribute \"description\": braces must stand in pairs");
}

static void what_a_foreign_sender_left_out_is_missed(void **state SGE_UNUSED)
{
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    struct TX_Type tx = { 0 };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(object_settle(rules, &tx, &ans), -1);
    cull_set(&tx, TX_name, "x");
    struct VA_Type *va = cull_append(&tx, TX_entries);
    cull_set(va, VA_variable, "slots");
    assert_int_equal(object_settle(rules, &tx, &ans), -1);
    assert_int_equal(tx.TX_entries.n, 1); /* as it was */
    ans_free(&ans);
    cull_clear(&cull_TX_Type, &tx);
}

static void a_value_is_set_or_nothing_is(void **state SGE_UNUSED)
{
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    struct TX_Type tx = { 0 };
    assert_int_equal(object_parse(rules, captured_pe, &tx, NULL), 0);
    assert_int_equal(object_set(rules, &tx, "slots", "abc", NULL), -1);
    assert_int_equal(object_set(rules, &tx, "nosuch", "1", NULL), -1);
    assert_string_equal(object_value(&tx, "slots"), "999");
    assert_int_equal(object_set(rules, &tx, "slots", "12", NULL), 0);
    assert_string_equal(object_value(&tx, "slots"), "12");
    cull_clear(&cull_TX_Type, &tx);
}

static void the_record_has_the_values_with_their_types(void **state SGE_UNUSED)
{
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    struct TX_Type tx = { 0 };
    assert_int_equal(object_parse(rules, captured_pe, &tx, NULL), 0);
    assert_int_equal(object_set(rules, &tx, "user_lists", "crew,staff", NULL), 0);
    struct PE_Type *pe = object_record(rules, &tx);
    assert_string_equal(pe->PE_name, "smp");
    assert_int_equal(pe->PE_slots, 999);
    assert_int_equal(pe->PE_user_list.n, 2);
    assert_string_equal(pe->PE_user_list.v[1].ST_name, "staff");
    assert_null(pe->PE_start_proc_args);
    assert_true(pe->PE_control_slaves);
    cull_delete(rules->type, pe);
    cull_clear(&cull_TX_Type, &tx);
}

/* another release may have taken what this one refuses */
static void of_a_wrong_value_the_default_counts(void **state SGE_UNUSED)
{
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    struct TX_Type tx = { 0 };
    static const char *const entries[][2] = { { "slots", "7" },
                                              { "control_slaves", "perhaps" },
                                              { "of_later_releases", "1" } };
    cull_set(&tx, TX_name, "odd");
    for (size_t i = 0; i < ARRAY_LEN(entries); i++) {
        struct VA_Type *va = cull_append(&tx, TX_entries);
        cull_set(va, VA_variable, entries[i][0]);
        cull_set(va, VA_value, entries[i][1]);
    }
    struct PE_Type *pe = object_record(rules, &tx);
    assert_string_equal(pe->PE_name, "odd");
    assert_int_equal(pe->PE_slots, 7);
    assert_false(pe->PE_control_slaves);
    assert_true(pe->PE_job_is_first_task);
    cull_delete(rules->type, pe);
    cull_clear(&cull_TX_Type, &tx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_captured_object_prints_as_it_was_read),
        cmocka_unit_test(a_template_is_the_captured_one),
        cmocka_unit_test(every_kind_is_whole_and_its_defaults_are_valid),
        cmocka_unit_test(an_unknown_attribute_is_kept_shown_and_named),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(objects_in_braces_may_be_several),
        cmocka_unit_test(what_a_foreign_sender_left_out_is_missed),
        cmocka_unit_test(a_value_is_set_or_nothing_is),
        cmocka_unit_test(the_record_has_the_values_with_their_types),
        cmocka_unit_test(of_a_wrong_value_the_default_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
