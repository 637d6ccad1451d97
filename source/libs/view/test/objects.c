/* Tests of libs/view/object_form.c, object_list.c and attr_words.c: objects of the administrator as
 * forms and lists */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/attr_example.h"
#include "libs/config/conf.h"
#include "libs/config/object.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/attr_words.h"
#include "libs/view/object_form.h"
#include "libs/view/object_list.h"

static struct object_form *form_of(enum gdi_target target, const char *name, enum object_deed deed)
{
    const struct kind *kind = kind_of(target);
    void *object = kind->form->blank(kind, name);
    struct object_form *f = object_form_new(kind, object, deed);
    cull_delete(kind_type(kind), object);
    return f;
}

static bool set_field(struct object_form *f, const char *name, const char *value)
{
    const struct object_field *field = object_form_find(f, name);
    assert_non_null(field);
    return object_form_set(f, field, value);
}

/* ---- fields ---- */

static void test_every_kind_with_lines_has_a_field_for_each_attribute(void **state)
{
    static const struct {
        enum gdi_target target;
        uint32_t least;
        const char *one;
    } kinds[] = {
        { GDI_CQUEUE, 40, "slots" },      { GDI_EXECHOST, 7, "complex_values" },
        { GDI_PE, 10, "slots" },          { GDI_CKPT, 8, "when" },
        { GDI_CALENDAR, 3, "week" },      { GDI_USERSET, 5, "entries" },
        { GDI_PROJECT, 5, "acl" },        { GDI_USER, 5, "default_project" },
        { GDI_HOSTGROUP, 2, "hostlist" }, { GDI_COMPLEX, 7, "shortcut" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct object_form *f = form_of(kinds[i].target, "x", OBJECT_CREATE);
        assert_in_range(object_form_count(f), kinds[i].least, 1000);
        assert_true(object_form_at(f, 0)->is_name);
        assert_string_equal(object_form_at(f, 0)->value, "x");
        for (uint32_t n = 1; n < object_form_count(f); n++)
            assert_non_null(object_form_at(f, n)->rule);
        assert_non_null(object_form_find(f, kinds[i].one));
        assert_null(object_form_at(f, object_form_count(f)));
        object_form_free(f);
    }
}

static void test_the_scheduler_has_fields_and_no_name(void **state)
{
    (void)state;
    struct CONF_Type *conf = conf_template(CONF_SCHEDULER);
    struct object_form *f = object_form_new(kind_of(GDI_SCHEDCONF), conf, OBJECT_CHANGE);
    assert_false(object_form_at(f, 0)->is_name);
    assert_true(set_field(f, "schedule_interval", "0:0:5"));
    assert_true(object_form_is_changed(f));
    object_form_free(f);
    cull_delete(&cull_CONF_Type, conf);
}

static void test_what_a_rule_refuses_stays_as_it_was_written(void **state)
{
    (void)state;
    struct object_form *f = form_of(GDI_PE, "mpi", OBJECT_CREATE);
    const struct object_field *slots = object_form_find(f, "slots");
    assert_false(object_form_set(f, slots, "many"));
    assert_string_equal(slots->value, "many");
    assert_non_null(strstr(slots->wrong, "slots"));
    assert_ptr_equal(object_form_wrong(f), slots);
    assert_false(object_form_is_changed(f));
    assert_true(object_form_set(f, slots, "64"));
    assert_null(slots->wrong);
    assert_null(object_form_wrong(f));
    assert_true(object_form_is_changed(f));
    object_form_free(f);
}

static void test_a_queue_takes_values_of_hosts(void **state)
{
    (void)state;
    struct object_form *f = form_of(GDI_CQUEUE, "all.q", OBJECT_CREATE);
    assert_true(set_field(f, "slots", "4,[node1=8],[@big=16]"));
    assert_false(set_field(f, "slots", "4,[node1"));
    assert_true(set_field(f, "hostlist", "node1 @big"));
    object_form_free(f);
}

static void expect_field(const struct object_form *f, const char *field, const char *expected)
{
    assert_string_equal(object_form_find(f, field)->value, expected);
}

static void test_values_of_hosts_are_rows(void **state)
{
    (void)state;
    struct object_form *f = form_of(GDI_CQUEUE, "all.q", OBJECT_CREATE);
    const struct object_field *slots = object_form_find(f, "slots");
    assert_true(object_form_set(f, slots, "4,[node1=8]"));
    assert_int_equal(host_settings_count(f, slots), 2);
    assert_string_equal(host_settings_place(f, slots, 0), HOST_SETTINGS_ELSE);
    assert_string_equal(host_settings_value(f, slots, 0), "4");
    assert_string_equal(host_settings_place(f, slots, 1), "node1");
    assert_true(host_settings_set(f, slots, "@big", "16"));
    expect_field(f, "slots", "4,[node1=8],[@big=16]");
    assert_true(host_settings_set(f, slots, "node1", "9"));
    assert_true(host_settings_set(f, slots, HOST_SETTINGS_ELSE, "2"));
    expect_field(f, "slots", "2,[node1=9],[@big=16]");
    assert_true(host_settings_set(f, slots, "node1", NULL));
    assert_true(host_settings_set(f, slots, "node7", NULL));
    expect_field(f, "slots", "2,[@big=16]");
    assert_false(host_settings_set(f, slots, "node1", "many"));
    assert_int_equal(host_settings_count(f, slots), 2);
    object_form_free(f);
}

static void test_only_attributes_of_queues_have_values_of_hosts(void **state)
{
    (void)state;
    struct object_form *f = form_of(GDI_CQUEUE, "all.q", OBJECT_CREATE);
    assert_int_equal(host_settings_count(f, object_form_find(f, "qname")), 0);
    assert_int_equal(host_settings_count(f, object_form_find(f, "hostlist")), 0);
    object_form_free(f);
    f = form_of(GDI_PE, "mpi", OBJECT_CREATE);
    assert_int_equal(host_settings_count(f, object_form_find(f, "slots")), 0);
    object_form_free(f);
}

/* ---- names ---- */

static void test_a_new_object_has_any_name_and_one_that_is_there_keeps_its_own(void **state)
{
    (void)state;
    struct object_form *f = form_of(GDI_CALENDAR, "night", OBJECT_CREATE);
    assert_true(set_field(f, "calendar_name", "day"));
    assert_string_equal(object_form_name(f), "day");
    assert_false(set_field(f, "calendar_name", ""));
    object_form_free(f);
    f = form_of(GDI_CALENDAR, "night", OBJECT_CHANGE);
    assert_false(set_field(f, "calendar_name", "day"));
    assert_true(set_field(f, "calendar_name", "night"));
    object_form_free(f);
}

/* ---- text ---- */

static void test_the_text_of_an_object_can_be_taken_back(void **state)
{
    static const enum gdi_target kinds[] = { GDI_CQUEUE,  GDI_EXECHOST, GDI_PE,   GDI_CALENDAR,
                                             GDI_USERSET, GDI_PROJECT,  GDI_USER, GDI_RQS };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct object_form *f = form_of(kinds[i], "x", OBJECT_CHANGE);
        struct dstr text = DSTR_INIT;
        struct answer ans = ANSWER_INIT;
        object_form_text(f, &text);
        assert_int_equal(object_form_take(f, dstr_get(&text), &ans), 0);
        assert_false(object_form_is_changed(f));
        ans_free(&ans);
        dstr_free(&text);
        object_form_free(f);
    }
}

static void expect_refusal(struct object_form *f, const char *text, const char *why)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(object_form_take(f, text, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), why));
    assert_false(object_form_is_changed(f));
    ans_free(&ans);
}

static void test_a_text_that_is_not_this_object_changes_nothing(void **state)
{
    (void)state;
    struct object_form *f = form_of(GDI_CALENDAR, "night", OBJECT_CHANGE);
    expect_refusal(f, "calendar_name day\nyear NONE\nweek NONE\n", "cannot be renamed");
    expect_refusal(f, "calendar_name night\nyear NONE\nday NONE\n", "week");
    expect_refusal(f, "", "calendar_name");
    object_form_free(f);
    f = form_of(GDI_RQS, "limits", OBJECT_CHANGE);
    expect_refusal(f, "{\nname a\nenabled TRUE\n}\n{\nname b\nenabled TRUE\n}\n", "not 2");
    object_form_free(f);
}

static void test_a_text_fills_the_fields(void **state)
{
    (void)state;
    struct object_form *f = form_of(GDI_CALENDAR, "night", OBJECT_CHANGE);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(
        object_form_take(f, "calendar_name night\nyear NONE\nweek mon-fri=6-20=off\n", &ans), 0);
    assert_string_equal(object_form_find(f, "week")->value, "mon-fri=6-20=off");
    object_form_free(f);
}

/* ---- requests ---- */

static void test_a_change_says_what_it_began_with(void **state)
{
    (void)state;
    struct object_form *f = form_of(GDI_PE, "mpi", OBJECT_CHANGE);
    struct GR_Type gr = { 0 };
    assert_true(set_field(f, "slots", "64"));
    object_form_request(f, &gr);
    assert_int_equal(gr.GR_verb, GDI_MOD);
    assert_int_equal(gr.GR_target, GDI_PE);
    assert_int_equal(gr.GR_texts.n, 1);
    assert_int_equal(gr.GR_seen.n, 1);
    cull_clear(&cull_GR_Type, &gr);
    object_form_free(f);
    f = form_of(GDI_CQUEUE, "all.q", OBJECT_CREATE);
    object_form_request(f, &gr);
    assert_int_equal(gr.GR_verb, GDI_ADD);
    assert_int_equal(gr.GR_cqueues.n, 1);
    assert_int_equal(gr.GR_seen_cqueues.n, 0);
    cull_clear(&cull_GR_Type, &gr);
    object_form_free(f);
}

static void test_a_refusal_finds_its_field(void **state)
{
    (void)state;
    struct object_form *f = form_of(GDI_CQUEUE, "all.q", OBJECT_CHANGE);
    assert_string_equal(object_form_blame(f, "unknown calendar \"x\"")->name, "calendar");
    assert_null(object_form_blame(f, "calendars are something else"));
    assert_string_equal(object_form_blame(f, "pe_list: there is no \"x\"")->name, "pe_list");
    object_form_free(f);
}

/* ---- lists ---- */

static void fill_list(struct object_list *l, const char *const *names, size_t n)
{
    object_list_begin(l);
    for (size_t i = 0; i < n; i++)
        object_list_add(l, names[i]);
    object_list_end(l);
}

static void test_names_are_sorted_and_keep_their_numbers(void **state)
{
    static const char *const before[] = { "low.q", "all.q", "high.q" };
    static const char *const after[] = { "new.q", "high.q", "low.q" };
    (void)state;
    struct object_list *l = object_list_new();
    fill_list(l, before, ARRAY_LEN(before));
    assert_int_equal(object_list_count(l), 3);
    assert_string_equal(object_list_name(l, 0), "all.q");
    uint32_t all = object_list_key(l, 0), high = object_list_key(l, 1);
    fill_list(l, after, ARRAY_LEN(after));
    assert_int_equal(object_list_count(l), 3);
    assert_null(object_list_find(l, all));
    assert_string_equal(object_list_find(l, high), "high.q");
    assert_string_equal(object_list_name(l, 2), "new.q");
    assert_int_not_equal(object_list_key(l, 2), all);
    object_list_free(l);
}

static void test_words_choose_names(void **state)
{
    static const char *const names[] = { "low.q", "all.q", "high.q" };
    (void)state;
    struct object_list *l = object_list_new();
    fill_list(l, names, ARRAY_LEN(names));
    object_list_words(l, "HIGH lo*");
    assert_int_equal(object_list_count(l), 2);
    object_list_words(l, "nothing");
    assert_int_equal(object_list_count(l), 0);
    object_list_words(l, "");
    assert_int_equal(object_list_count(l), 3);
    object_list_free(l);
}

/* ---- rules ---- */

static void expect_words(const struct attr_rule *rule, const char *expected)
{
    struct dstr text = DSTR_INIT;
    rule_words(rule, &text);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static void test_rules_are_told_in_words(void **state)
{
    static const struct attr_rule number = ATTR_ROW_NUMBER("slots", "1", 0, 99);
    static const struct attr_rule truth = ATTR_ROW("rerun", ATTR_BOOL, "FALSE");
    static const struct attr_rule choice = ATTR_ROW_CHOICE("a", ATTR_CHOICE, "one", "one two");
    static const struct attr_rule amount = ATTR_ROW_AMOUNT("b", "auto", 1, 8, "auto");
    (void)state;
    expect_words(&number, "a number from 0 to 99; default: 1");
    expect_words(&truth, "one of: TRUE FALSE; default: FALSE");
    expect_words(&choice, "one of: one two; default: one");
    expect_words(&amount, "one of: auto, or a number from 1 to 8; default: auto");
    assert_string_equal(rule_choices(&truth), "TRUE FALSE");
    assert_string_equal(rule_choices(&choice), "one two");
    assert_null(rule_choices(&amount));
}

static void test_every_attribute_has_words(void **state)
{
    static const enum gdi_target kinds[] = { GDI_CQUEUE, GDI_EXECHOST, GDI_PE,     GDI_CKPT,
                                             GDI_USER,   GDI_USERSET,  GDI_COMPLEX };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct object_form *f = form_of(kinds[i], "x", OBJECT_CREATE);
        for (uint32_t n = 1; n < object_form_count(f); n++) {
            struct dstr text = DSTR_INIT;
            rule_words(object_form_at(f, n)->rule, &text);
            assert_in_range(text.len, 3, 300);
            dstr_free(&text);
        }
        object_form_free(f);
    }
}

/* are there values of this syntax that its words alone do not show? */
static bool needs_example(const struct attr_rule *rule)
{
    return rule->choices == NULL && rule->syntax != ATTR_NUMBER && rule->syntax != ATTR_DECIMAL &&
           rule->syntax != ATTR_BOOL;
}

static void expect_valid_examples(struct object_form *f)
{
    for (uint32_t n = 0; n < object_form_count(f); n++) {
        const struct object_field *field = object_form_at(f, n);
        const struct attr_example *example =
            field->rule != NULL ? attr_example_of(field->rule) : NULL;
        struct dstr help = DSTR_INIT;
        if (field->rule == NULL)
            continue;
        if (example == NULL && needs_example(field->rule))
            fail_msg("%s has no example", field->name);
        if (example != NULL && !object_form_set(f, field, example->value))
            fail_msg("%s: %s", field->name, field->wrong);
        rule_help(field->rule, &help);
        assert_true(example == NULL || strstr(dstr_get(&help), example->meaning) != NULL);
        dstr_free(&help);
    }
    object_form_free(f);
}

static void test_every_attribute_with_a_syntax_has_a_valid_example(void **state)
{
    static const enum gdi_target kinds[] = { GDI_CQUEUE, GDI_EXECHOST, GDI_PE,
                                             GDI_CKPT,   GDI_USERSET,  GDI_PROJECT,
                                             GDI_USER,   GDI_CALENDAR, GDI_COMPLEX };
    static const char *const confs[] = { CONF_GLOBAL, CONF_SCHEDULER };
    static const enum gdi_target conf_kinds[] = { GDI_CONFIG, GDI_SCHEDCONF };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        expect_valid_examples(form_of(kinds[i], "x", OBJECT_CREATE));
    expect_valid_examples(form_of(GDI_HOSTGROUP, "@x", OBJECT_CREATE));
    for (size_t i = 0; i < ARRAY_LEN(confs); i++) {
        struct CONF_Type *conf = conf_template(confs[i]);
        expect_valid_examples(object_form_new(kind_of(conf_kinds[i]), conf, OBJECT_CHANGE));
        cull_delete(&cull_CONF_Type, conf);
    }
}

static void test_the_example_of_a_limit_is_a_valid_quota(void **state)
{
    static const struct attr_rule limit = ATTR_ROW("limit", ATTR_TEXT, "to slots=0");
    struct object_form *f = form_of(GDI_RQS, "x", OBJECT_CREATE);
    struct dstr text = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    (void)state;
    dstr_addf(&text, "{\nname x\nlimit %s\n}\n", attr_example_of(&limit)->value);
    if (object_form_take(f, dstr_get(&text), &ans) != 0)
        fail_msg("%s", ans_first_error(&ans));
    object_form_free(f);
    dstr_free(&text);
}

static void test_hints_show_the_example_and_the_default(void **state)
{
    static const struct attr_rule pes = ATTR_ROW("pe_list", ATTR_NAMES, "NONE");
    static const struct attr_rule slots = ATTR_ROW_NUMBER("slots", "1", 0, 99);
    struct dstr text = DSTR_INIT;
    (void)state;
    rule_hint(&pes, &text);
    assert_string_equal(dstr_get(&text), "for example smp mpi; default: NONE");
    dstr_clear(&text);
    rule_hint(&slots, &text);
    assert_string_equal(dstr_get(&text), "a number from 0 to 99; default: 1");
    dstr_free(&text);
}

/* ---- host groups ---- */

static void put_group(struct TX_Type_list *groups, const char *name, const char *hosts)
{
    struct TX_Type *tx = cull_push(groups);
    object_template(object_rules_of(OBJECT_HOSTGROUP), name, tx);
    assert_int_equal(object_set(object_rules_of(OBJECT_HOSTGROUP), tx, "hostlist", hosts, NULL), 0);
}

static void test_groups_are_in_groups(void **state)
{
    struct TX_Type_list groups = { 0 };
    struct dstr text = DSTR_INIT;
    (void)state;
    put_group(&groups, "@all", "node1 @big");
    put_group(&groups, "@big", "node2,node3");
    put_group(&groups, "@empty", "NONE");
    group_tree_words(&groups, "@all", &text);
    assert_string_equal(dstr_get(&text), "    node1\n    @big\n        node2\n        node3\n");
    dstr_clear(&text);
    group_tree_words(&groups, "@empty", &text);
    group_tree_words(&groups, "@unknown", &text);
    assert_int_equal(text.len, 0);
    put_group(&groups, "@one", "@one");
    group_tree_words(&groups, "@one", &text);
    assert_in_range(text.len, 10, 10000);
    dstr_free(&text);
    cull_list_clear(&cull_TX_Type, (struct cull_list *)&groups);
}

/* ---- weights ---- */

static void expect_weight(const struct attr_rule *rule, int place, double range,
                          const char *expected)
{
    struct dstr value = DSTR_INIT;
    weight_scale_value(rule, place, range, &value);
    assert_string_equal(dstr_get(&value), expected);
    dstr_free(&value);
}

static void test_weights_have_sliders_whose_range_grows(void **state)
{
    const struct attr_rule *ticket = conf_rule("weight_ticket");
    const struct attr_rule *share = conf_rule("weight_tickets_share");
    (void)state;
    assert_true(weight_scale_has(ticket) && weight_scale_has(share));
    assert_false(weight_scale_has(conf_rule("schedule_interval")) || weight_scale_has(NULL));
    assert_true(weight_scale_range(ticket, "0.5") == 1 && weight_scale_range(ticket, "70") == 100);
    assert_true(weight_scale_range(share, "0") == 1000 && weight_scale_range(ticket, "x") == 1);
    assert_int_equal(weight_scale_place("0.25", 1), 250);
    assert_int_equal(weight_scale_place("5", 1), WEIGHT_SCALE_MOST);
    assert_int_equal(weight_scale_place("-1", 1), 0);
    expect_weight(ticket, 250, 1, "0.250000");
    expect_weight(share, 500, 1000, "500");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_with_lines_has_a_field_for_each_attribute),
        cmocka_unit_test(test_the_scheduler_has_fields_and_no_name),
        cmocka_unit_test(test_what_a_rule_refuses_stays_as_it_was_written),
        cmocka_unit_test(test_a_queue_takes_values_of_hosts),
        cmocka_unit_test(test_values_of_hosts_are_rows),
        cmocka_unit_test(test_only_attributes_of_queues_have_values_of_hosts),
        cmocka_unit_test(test_a_new_object_has_any_name_and_one_that_is_there_keeps_its_own),
        cmocka_unit_test(test_the_text_of_an_object_can_be_taken_back),
        cmocka_unit_test(test_a_text_that_is_not_this_object_changes_nothing),
        cmocka_unit_test(test_a_text_fills_the_fields),
        cmocka_unit_test(test_a_change_says_what_it_began_with),
        cmocka_unit_test(test_a_refusal_finds_its_field),
        cmocka_unit_test(test_names_are_sorted_and_keep_their_numbers),
        cmocka_unit_test(test_words_choose_names),
        cmocka_unit_test(test_groups_are_in_groups),
        cmocka_unit_test(test_weights_have_sliders_whose_range_grows),
        cmocka_unit_test(test_rules_are_told_in_words),
        cmocka_unit_test(test_every_attribute_has_words),
        cmocka_unit_test(test_every_attribute_with_a_syntax_has_a_valid_example),
        cmocka_unit_test(test_the_example_of_a_limit_is_a_valid_quota),
        cmocka_unit_test(test_hints_show_the_example_and_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
