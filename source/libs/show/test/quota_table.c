/* The listing of quotas: the captured lines in text and XML, and numbers in JSON. */
#include "libs/show/quota_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/doc/test/wellformed.h"
#include "libs/uti/answer.h"

static const struct quota_usage of_alice = { .rule = "max2/1",
                                             .resource = "slots",
                                             .limit = "2",
                                             .value = "1",
                                             .limit_number = "2",
                                             .value_number = "1",
                                             .filters = { [QUOTA_USERS] = "alice" } };
static const struct quota_usage of_all = { .rule = "mem/big",
                                           .resource = "h_vmem",
                                           .limit = "4.000G",
                                           .value = "512.000M",
                                           .limit_number = "4294967296",
                                           .value_number = "536870912" };

/* the document of the N lines; new */
static char *listing_text(enum doc_form form, const struct quota_usage *const *lines, size_t n)
{
    char *text = NULL;
    size_t len;
    struct answer ans = ANSWER_INIT;
    FILE *out = open_memstream(&text, &len);
    struct quota_table t = { .doc = doc_open(form, out, NULL, &ans) };
    assert_string_equal(ans_first_error(&ans), "");
    quota_table_begin(&t);
    for (size_t i = 0; i < n; i++)
        quota_table_line(&t, lines[i]);
    quota_table_end(&t);
    assert_int_equal(doc_close(t.doc, &ans), 0);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void a_page_has_a_head_and_a_line_for_each_limit(void **state)
{
    const struct quota_usage *const lines[] = { &of_alice, &of_all };
    char *text = listing_text(DOC_TEXT, lines, 2);
    (void)state;
    assert_string_equal(
        text, "resource quota rule limit                filter\n"
              "--------------------------------------------------------------------------------\n"
              "max2/1             slots=1/2            users alice\n"
              "mem/big            h_vmem=512.000M/4.000G -\n");
    free(text);
}

static void nothing_taken_is_an_empty_page(void **state)
{
    char *text = listing_text(DOC_TEXT, NULL, 0);
    (void)state;
    assert_string_equal(text, "");
    free(text);
}

static void xml_has_records_for_filters_and_the_limit(void **state)
{
    const struct quota_usage *const lines[] = { &of_alice };
    char *text = listing_text(DOC_XML, lines, 1);
    (void)state;
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text, "\n <qquota_rule name='max2/1'>\n"
                                 "   <users>alice</users>\n"
                                 "   <limit resource='slots' limit='2' value='1'/>\n"
                                 " </qquota_rule>\n</qquota_result>"));
    free(text);
}

static void json_has_members_and_bytes_of_memory(void **state)
{
    const struct quota_usage *const lines[] = { &of_alice, &of_all };
    char *text = listing_text(DOC_JSON, lines, 2);
    (void)state;
    assert_true(is_json(text));
    assert_non_null(strstr(text, "\"users\": \"alice\", \"resource\": \"slots\", "
                                 "\"limit\": 2, \"value\": 1}"));
    assert_non_null(strstr(text, "\"limit\": 4294967296, \"value\": 536870912}"));
    free(text);
}

static void a_limit_without_a_number_is_null_in_json_and_a_text_in_xml(void **state)
{
    struct quota_usage any = of_alice;
    const struct quota_usage *const lines[] = { &any };
    (void)state;
    any.limit = "INFINITY";
    any.limit_number = NULL;
    char *json = listing_text(DOC_JSON, lines, 1), *xml = listing_text(DOC_XML, lines, 1);
    assert_non_null(strstr(json, "\"limit\": null, \"value\": 1"));
    assert_non_null(strstr(xml, " limit='INFINITY' value='1'"));
    free(json);
    free(xml);
}

static void add_entry(struct TX_Type *tx, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(tx, TX_entries);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

static void a_record_must_be_complete(void **state)
{
    struct TX_Type tx = { 0 };
    struct quota_usage u;
    (void)state;
    cull_set(&tx, TX_name, "r/1");
    add_entry(&tx, "resource", "slots");
    add_entry(&tx, "limit", "2");
    assert_false(quota_usage_read(&u, &tx, 0));
    add_entry(&tx, "value", "1");
    add_entry(&tx, "hosts", "h1");
    add_entry(&tx, "expanded", "hosts");
    add_entry(&tx, "place", "no number");
    add_entry(&tx, "of a later release", "x");
    assert_true(quota_usage_read(&u, &tx, 3));
    assert_string_equal(u.rule, "r/1");
    assert_string_equal(u.filters[QUOTA_HOSTS], "h1");
    assert_true(u.is_expanded[QUOTA_HOSTS]);
    assert_false(u.is_expanded[QUOTA_USERS]);
    assert_int_equal(u.place, 0);
    assert_int_equal(u.at, 3);
    cull_clear(&cull_TX_Type, &tx);
}

static void rules_come_in_their_order_then_values_then_records(void **state)
{
    struct quota_usage a = of_alice, b = of_alice;
    (void)state;
    a.place = 2;
    b.place = 10;
    assert_true(quota_usage_compare(&a, &b) < 0);
    b.place = 2;
    b.filters[QUOTA_USERS] = "bob";
    assert_true(quota_usage_compare(&a, &b) < 0);
    a.filters[QUOTA_USERS] = NULL;
    assert_true(quota_usage_compare(&a, &b) < 0);
    b.filters[QUOTA_USERS] = NULL;
    a.at = 7;
    assert_true(quota_usage_compare(&a, &b) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_has_a_head_and_a_line_for_each_limit),
        cmocka_unit_test(nothing_taken_is_an_empty_page),
        cmocka_unit_test(xml_has_records_for_filters_and_the_limit),
        cmocka_unit_test(json_has_members_and_bytes_of_memory),
        cmocka_unit_test(a_limit_without_a_number_is_null_in_json_and_a_text_in_xml),
        cmocka_unit_test(a_record_must_be_complete),
        cmocka_unit_test(rules_come_in_their_order_then_values_then_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
