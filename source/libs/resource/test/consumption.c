/* Tests of libs/resource/consumption.c: values of complex(5) as whole numbers, and what requests
 * take of resources that run out. */
#include "libs/resource/consumption.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the three above */
#include <cmocka.h>

#include "libs/config/complex.h"
#include "libs/config/offers.h"

/* ---- amounts ---- */
static void each_type_counts_in_units_of_its_own(void **state SGE_UNUSED)
{
    assert_int_equal(amount_asked(COMPLEX_INT, "3"), 3);
    assert_int_equal(amount_asked(COMPLEX_INT, "2K"), 2048);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "1.5G"), UINT64_C(3) << 29);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "4g"), UINT64_C(4000000000));
    assert_int_equal(amount_asked(COMPLEX_TIME, "1:0:1"), 3601);
    assert_int_equal(amount_asked(COMPLEX_BOOL, "TRUE"), AMOUNT_EXCLUSIVE);
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "0.25"), 250000);
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "2"), 2000000);
    assert_int_equal(amount_asked(COMPLEX_RSMAP, "2"), 2);
}

static void names_of_devices_are_no_part_of_an_amount(void **state SGE_UNUSED)
{
    assert_int_equal(amount_offered(COMPLEX_RSMAP, "4(0 1 2 3)"), 4);
    assert_int_equal(amount_offered(COMPLEX_RSMAP, "7"), 7);
    assert_int_equal(amount_offered(COMPLEX_INT, "4(0 1 2 3)"), 0);
    assert_int_equal(amount_asked(COMPLEX_RSMAP, "2(0 1)"), 0);
    assert_int_equal(amount_asked(COMPLEX_RSMAP, "NONE"), 0);
}

static void fractions_that_doubles_cannot_hold_are_what_people_wrote(void **state SGE_UNUSED)
{
    char text[16];
    for (unsigned i = 1; i < 1000; i++) {
        snprintf(text, sizeof text, "0.%03u", i);
        assert_int_equal(amount_asked(COMPLEX_DOUBLE, text), i * 1000);
    }
}

static void the_least_is_not_nothing(void **state SGE_UNUSED)
{
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "0.0000001"), 1);
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "1e-300"), 1);
}

static void what_is_no_amount_takes_nothing(void **state SGE_UNUSED)
{
    static const char *const texts[] = { "",  "0",   "-1",   "-0.5", "nan",
                                         "x", "1 2", "-inf", "1.5.", "-INFINITY" };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (uint32_t type = 0; type <= COMPLEX_RESTRING + 1; type++)
            assert_int_equal(amount_asked(type, texts[i]), 0);
    assert_int_equal(amount_asked(COMPLEX_BOOL, "FALSE"), 0);
    assert_int_equal(amount_asked(COMPLEX_STRING, "7"), 0);
    assert_int_equal(amount_asked(0, "7"), 0);
}

static void nothing_takes_more_than_the_most(void **state SGE_UNUSED)
{
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "INFINITY"), AMOUNT_MOST);
    assert_int_equal(amount_asked(COMPLEX_TIME, "infinity"), AMOUNT_MOST);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "9007199254740991"), AMOUNT_MOST - 1);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "9007199254740992"), AMOUNT_MOST);
    assert_int_equal(amount_asked(COMPLEX_MEMORY, "16000000T"), AMOUNT_MOST);
    assert_int_equal(amount_asked(COMPLEX_DOUBLE, "1e300"), AMOUNT_MOST);
}

static void a_million_digits_are_an_answer_not_an_overflow(void **state SGE_UNUSED)
{
    enum { DIGITS = 1000000 };
    char *text = malloc(DIGITS + 1);
    assert_non_null(text);
    memset(text, '9', DIGITS);
    text[DIGITS] = '\0';
    for (uint32_t type = COMPLEX_INT; type <= COMPLEX_RESTRING; type++) {
        uint64_t amount = amount_asked(type, text);
        assert_true(amount == 0 || amount == AMOUNT_MOST);
    }
    free(text);
}

static void sums_stop_at_the_most(void **state SGE_UNUSED)
{
    assert_int_equal(amount_sum(2, 3), 5);
    assert_int_equal(amount_sum(AMOUNT_MOST - 2, 1), AMOUNT_MOST - 1);
    assert_int_equal(amount_sum(AMOUNT_MOST - 2, 2), AMOUNT_MOST);
    assert_int_equal(amount_sum(AMOUNT_MOST, AMOUNT_MOST), AMOUNT_MOST);
    assert_int_equal(amount_sum(0, AMOUNT_MOST), AMOUNT_MOST);
}

/* ---- requests ---- */
/* sorted by name: each, job, of, node */
static void make_rows(struct CE_Type_list *rows)
{
    static const char table[] = "each  e MEMORY <= YES YES  0    0\n"
                                "force f INT    <= FORCED YES 0  0\n"
                                "job   j INT    <= YES JOB  0    0\n"
                                "node  n INT    <= YES HOST 0    0\n"
                                "usual u INT    <= YES YES  3    0\n";
    assert_int_equal(complex_parse(table, rows, NULL), 0);
}

static void ask_for(struct JB_Type *job, const char *name, const char *value)
{
    struct CE_Type *wanted = cull_append(job, JB_hard_resource_list);
    cull_set(wanted, CE_name, name);
    cull_set(wanted, CE_stringval, value);
}

/* "NAME=AMOUNT ..." of what JOB, which is cleared, takes */
static void expect_takes(struct JB_Type *job, const char *expected)
{
    struct CE_Type_list rows = { 0 };
    struct consumption consumptions[5];
    char text[200] = "";
    size_t len = 0;
    make_rows(&rows);
    uint32_t n = consumptions_of(&rows, job, consumptions);
    for (uint32_t i = 0; i < n; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s=%llu", i > 0 ? " " : "",
                                consumptions[i].resource->CE_name,
                                (unsigned long long)consumptions[i].amount);
    assert_string_equal(text, expected);
    complex_list_clear(&rows);
    cull_clear(&cull_JB_Type, job);
}

static void a_request_takes_what_it_says_and_defaults_of_what_it_does_not(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };
    expect_takes(&job, "usual=3");
    ask_for(&job, "each", "2K");
    expect_takes(&job, "each=2048 usual=3");
    ask_for(&job, "usual", "1");
    expect_takes(&job, "usual=1");
    ask_for(&job, "usual", "0");
    expect_takes(&job, "");
}

static void requests_for_the_same_add_up_and_never_overflow(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };
    ask_for(&job, "usual", "1");
    ask_for(&job, "usual", "4");
    expect_takes(&job, "usual=5");
    ask_for(&job, "usual", "1");
    ask_for(&job, "each", "INFINITY");
    ask_for(&job, "each", "INFINITY");
    expect_takes(&job, "each=9007199254740992 usual=1");
    assert_int_equal(amount_times(AMOUNT_MOST, 9999999), AMOUNT_MOST);
    assert_int_equal(amount_times(3, 4), 12);
    assert_int_equal(amount_times(3, 0), 0);
}

static void nonsense_takes_nothing(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };
    ask_for(&job, "each", "-5");
    ask_for(&job, "job", "nan");
    ask_for(&job, "node", "many");
    ask_for(&job, "other", "7");
    ask_for(&job, "usual", "0");
    (void)cull_append(&job, JB_hard_resource_list);
    expect_takes(&job, "");
}

static void what_is_offered_without_limit_is_unlimited(void **state SGE_UNUSED)
{
    assert_int_equal(amount_offered(COMPLEX_MEMORY, "INFINITY"), AMOUNT_UNLIMITED);
    assert_int_equal(amount_offered(COMPLEX_INT, "7"), 7);
    assert_int_equal(amount_offered(COMPLEX_INT, "x"), 0);
    assert_int_equal(amount_offered(COMPLEX_DOUBLE, "0.5"), 500000);
}

static uint64_t times_of(const struct CE_Type *ce, uint32_t slots, bool is_first, bool is_master)
{
    struct consumption consumption = { ce, ce->CE_consumable, 1 };
    return consumption_times(&consumption, slots, is_first, is_master);
}

static void some_are_taken_for_each_slot_some_once(void **state SGE_UNUSED)
{
    struct CE_Type_list rows = { 0 };
    make_rows(&rows);
    const struct CE_Type *each = consumables_find(&rows, "each");
    const struct CE_Type *job = consumables_find(&rows, "job");
    const struct CE_Type *node = consumables_find(&rows, "node");
    assert_int_equal(times_of(each, 4, false, false), 4);
    assert_int_equal(times_of(job, 4, true, true), 1);
    assert_int_equal(times_of(job, 4, true, false), 0);
    assert_int_equal(times_of(node, 4, true, false), 1);
    assert_int_equal(times_of(node, 4, false, false), 0);
    assert_null(consumables_find(&rows, "nodes"));
    complex_list_clear(&rows);
}

static const char *name_missed(const char *offers_text, const char *asked)
{
    struct CE_Type_list rows = { 0 }, offers = { 0 }, none = { 0 };
    struct JB_Type job = { 0 };
    static char found[20];
    make_rows(&rows);
    offers_read(offers_text, &offers);
    if (asked != NULL)
        ask_for(&job, asked, "1");
    const struct CE_Type_list *const lists[] = { &none, &offers };
    const char *name = consumables_missed(&rows, &job.JB_hard_resource_list, lists, 2);
    (void)snprintf(found, sizeof found, "%s", name != NULL ? name : "");
    cull_clear(&cull_JB_Type, &job);
    cull_list_clear(&cull_CE_Type, &offers);
    complex_list_clear(&rows);
    return found;
}

static void what_nobody_offers_cannot_be_had_and_forced_must_be_asked_for(void **state SGE_UNUSED)
{
    assert_string_equal(name_missed("each=1G", "each"), "");
    assert_string_equal(name_missed("each=1G", "job"), "job");
    assert_string_equal(name_missed("NONE", "each"), "each");
    assert_string_equal(name_missed("NONE", "arch"), "");
    assert_string_equal(name_missed("each=1G,force=1", NULL), "force");
    assert_string_equal(name_missed("force=1", "force"), "");
    assert_string_equal(name_missed("each=1G", NULL), "");
}

static void slots_are_counted_apart(void **state SGE_UNUSED)
{
    struct CE_Type_list all = { 0 };
    complex_template(&all);
    for (uint32_t i = 0; i < all.n; i++)
        assert_false(consumable_counts(&all.v[i]));
    complex_list_clear(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_type_counts_in_units_of_its_own),
        cmocka_unit_test(names_of_devices_are_no_part_of_an_amount),
        cmocka_unit_test(fractions_that_doubles_cannot_hold_are_what_people_wrote),
        cmocka_unit_test(the_least_is_not_nothing),
        cmocka_unit_test(what_is_no_amount_takes_nothing),
        cmocka_unit_test(nothing_takes_more_than_the_most),
        cmocka_unit_test(a_million_digits_are_an_answer_not_an_overflow),
        cmocka_unit_test(sums_stop_at_the_most),
        cmocka_unit_test(a_request_takes_what_it_says_and_defaults_of_what_it_does_not),
        cmocka_unit_test(requests_for_the_same_add_up_and_never_overflow),
        cmocka_unit_test(nonsense_takes_nothing),
        cmocka_unit_test(what_is_offered_without_limit_is_unlimited),
        cmocka_unit_test(some_are_taken_for_each_slot_some_once),
        cmocka_unit_test(what_nobody_offers_cannot_be_had_and_forced_must_be_asked_for),
        cmocka_unit_test(slots_are_counted_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
