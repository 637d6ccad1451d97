/* Thresholds of queues: load_thresholds of queue_conf(5). */
#include "libs/config/load_values.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/uti/dstr.h"

static struct CE_Type_list complex_list;

static int complex_setup(void **state)
{
    (void)state;
    complex_template(&complex_list);
    return 0;
}

static int complex_teardown(void **state)
{
    (void)state;
    complex_list_clear(&complex_list);
    return 0;
}

static void add_value(struct EH_Type *host, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(host, EH_load_list);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

/* is it exceeded on a host that reports VALUE as NAME and nothing else? */
static bool is_exceeded_by(const char *thresholds, const char *name, const char *value)
{
    struct EH_Type host = { 0 };
    add_value(&host, name, value);
    struct threshold_source load = { .load = { .host = &host, .complex = &complex_list } };
    bool is = thresholds_exceeded(thresholds, &load, NULL, NULL);
    cull_clear(&cull_EH_Type, &host);
    return is;
}

static void a_load_that_reaches_its_limit_exceeds_it(void **state)
{
    (void)state;
    assert_true(is_exceeded_by("np_load_avg=1.75", "np_load_avg", "1.75"));
    assert_true(is_exceeded_by("np_load_avg=1.75", "np_load_avg", "5.010010"));
    assert_false(is_exceeded_by("np_load_avg=1.75", "np_load_avg", "1.740000"));
}

static void the_relation_of_the_resource_says_which_side_is_too_much(void **state)
{
    (void)state;
    assert_true(is_exceeded_by("mem_free=1G", "mem_free", "512.000M"));
    assert_true(is_exceeded_by("mem_free=1G", "mem_free", "1.000G"));
    assert_false(is_exceeded_by("mem_free=1G", "mem_free", "22.884G"));
    assert_true(is_exceeded_by("mem_used=1G", "mem_used", "22.884G"));
}

static void a_shortcut_names_the_resource_as_well(void **state)
{
    (void)state;
    assert_true(is_exceeded_by("nla=1.75", "np_load_avg", "2"));
    assert_false(is_exceeded_by("nla=1.75", "np_load_avg", "1"));
}

static void one_threshold_of_a_list_is_enough(void **state)
{
    (void)state;
    struct EH_Type host = { 0 };
    struct threshold_source load = { .load = { .host = &host, .complex = &complex_list } };
    add_value(&host, "np_load_avg", "0.100000");
    add_value(&host, "mem_free", "100.000M");
    assert_true(thresholds_exceeded("np_load_avg=1.75,mem_free=1G", &load, NULL, NULL));
    assert_true(thresholds_exceeded("np_load_avg=1.75 mem_free=1G", &load, NULL, NULL));
    assert_false(thresholds_exceeded("np_load_avg=1.75,mem_free=10M", &load, NULL, NULL));
    cull_clear(&cull_EH_Type, &host);
}

static void without_thresholds_nothing_is_exceeded(void **state)
{
    (void)state;
    struct threshold_source nothing = { .load = { .complex = &complex_list } };
    assert_false(thresholds_exceeded("NONE", &nothing, NULL, NULL));
    assert_false(thresholds_exceeded("none", &nothing, NULL, NULL));
    assert_false(thresholds_exceeded(NULL, &nothing, NULL, NULL));
    assert_false(thresholds_exceeded("", &nothing, NULL, NULL));
}

static void what_is_not_a_value_exceeds_every_limit(void **state)
{
    static const char *const values[] = {
        "nan", "-nan", "inf", "infinity", "-Infinity", "1e999",
        "",    "-",    "1,5", "9 9",      "much",      "\x01\xff"
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        assert_true(is_exceeded_by("np_load_avg=1e18", "np_load_avg", values[i]));
    assert_true(is_exceeded_by("np_load_avg=1e18", "np_load_avg", "1e308"));
    assert_false(is_exceeded_by("np_load_avg=1e18", "np_load_avg", "-1e308"));
}

static void a_host_counts_before_what_is_for_all_hosts(void **state)
{
    (void)state;
    struct EH_Type host = { 0 }, global = { 0 };
    struct threshold_source load = { .load = { &host, &global, &complex_list } };
    add_value(&global, "np_load_avg", "9");
    assert_true(thresholds_exceeded("np_load_avg=2", &load, NULL, NULL));
    add_value(&host, "np_load_avg", "1");
    assert_false(thresholds_exceeded("np_load_avg=2", &load, NULL, NULL));
    cull_clear(&cull_EH_Type, &host);
    cull_clear(&cull_EH_Type, &global);
}

static void assert_told(const char *thresholds, const struct threshold_source *load,
                        const char *explained, const char *why)
{
    struct dstr out = DSTR_INIT;
    load_thresholds_explain(thresholds, load, &out);
    assert_string_equal(dstr_get(&out), explained);
    dstr_clear(&out);
    load_thresholds_why(thresholds, load, &out);
    assert_string_equal(dstr_get(&out), why);
    dstr_free(&out);
}

static void it_is_told_in_numbers(void **state)
{
    (void)state;
    struct EH_Type host = { 0 }, global = { 0 };
    struct threshold_source load = { .load = { &host, &global, &complex_list } };
    add_value(&host, "np_load_avg", "5.010010");
    add_value(&global, "mem_free", "1.000M");
    assert_told("nla=1.75,mem_free=1G", &load,
                "alarm hl:np_load_avg=5.010010 load-threshold=1.75\n"
                "alarm gl:mem_free=1.000M load-threshold=1G",
                "np_load_avg=5.010010 (no load adjustment) >= 1.75");
    assert_told("np_load_avg=9", &load, "", "");
    assert_told("cpu=9", &load, "no load value for threshold \"cpu\"",
                "no load value for threshold \"cpu\"");
    assert_told("gone=9", &load, "no complex attribute for threshold gone",
                "no complex attribute for threshold gone");
    load.load.host = NULL;
    assert_told("np_load_avg=9", &load,
                "error: no value for \"np_load_avg\" because execd is in unknown state",
                "error: no value for \"np_load_avg\" because execd is in unknown state");
    cull_clear(&cull_EH_Type, &host);
    cull_clear(&cull_EH_Type, &global);
}

/* LEFT of a resource, or nothing known of it if that is below 0 */
static bool find_left(void *of, const struct CE_Type *ce, struct load_left *out)
{
    const int *left = of;
    (void)ce;
    if (*left < 0)
        return false;
    *out = (struct load_left){ .number = *left, .place = 'h' };
    (void)snprintf(out->exact, sizeof out->exact, "%d", *left);
    (void)snprintf(out->shown, sizeof out->shown, "%d", *left);
    return true;
}

/* Of what runs out, what is left counts, unless a load value is less. */
static void what_is_left_is_a_value_as_well(void **state)
{
    struct EH_Type host = { 0 };
    int left = 3;
    struct threshold_source from = { .load = { &host, NULL, &complex_list },
                                     .left = find_left,
                                     .of = &left };
    (void)state;
    assert_told("slots=2", &from, "", "");
    assert_told("slots=3", &from, "alarm hc:slots=3 load-threshold=3", "slots=3 left <= 3");
    add_value(&host, "slots", "1");
    assert_told("slots=2", &from, "alarm hl:slots=1 load-threshold=2",
                "slots=1 (no load adjustment) <= 2");
    left = 0;
    assert_told("slots=2", &from, "alarm hc:slots=0 load-threshold=2", "slots=0 left <= 2");
    left = -1; /* nothing limits it */
    assert_told("slots=0", &from, "", "");
    assert_told("np_load_avg=1", &from, "no load value for threshold \"np_load_avg\"",
                "no load value for threshold \"np_load_avg\"");
    cull_clear(&cull_EH_Type, &host);
}

/* Slots that were taken lately add to a load, and to no other value; the words are captured. */
static void what_started_lately_is_counted(void **state)
{
    struct EH_Type host = { 0 };
    struct threshold_source from = { .load = { &host, NULL, &complex_list },
                                     .adjustments = "np_load_avg=500,mem_used=1G",
                                     .slots = 1.86 };
    (void)state;
    cull_set(&host, EH_processors, 2u);
    add_value(&host, "np_load_avg", "1.914551");
    add_value(&host, "mem_used", "1.000G");
    add_value(&host, "cpu", "5");
    assert_told("np_load_avg=400", &from, "alarm hl:np_load_avg=466.914551 load-threshold=400",
                "np_load_avg=466.914551 (= 1.914551 + 500 * 1.860000 with nproc=2) >= 400");
    assert_told("np_load_avg=467", &from, "", "");
    assert_told("mem_used=3G", &from, "", "");
    assert_told("mem_used=2G", &from, "alarm hl:mem_used=3070901617 load-threshold=2G",
                "mem_used=3070901617 (= 1073741824 + 1073741824 * 1.860000) >= 2G");
    assert_told("cpu=4", &from, "alarm hl:cpu=5 load-threshold=4",
                "cpu=5 (no load adjustment) >= 4");
    assert_false(suspend_thresholds_exceeded("np_load_avg=400", &from));
    from.slots = 0;
    assert_told("np_load_avg=400", &from, "", "");
    cull_clear(&cull_EH_Type, &host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_reaches_its_limit_exceeds_it),
        cmocka_unit_test(the_relation_of_the_resource_says_which_side_is_too_much),
        cmocka_unit_test(a_shortcut_names_the_resource_as_well),
        cmocka_unit_test(one_threshold_of_a_list_is_enough),
        cmocka_unit_test(without_thresholds_nothing_is_exceeded),
        cmocka_unit_test(what_is_not_a_value_exceeds_every_limit),
        cmocka_unit_test(a_host_counts_before_what_is_for_all_hosts),
        cmocka_unit_test(it_is_told_in_numbers),
        cmocka_unit_test(what_is_left_is_a_value_as_well),
        cmocka_unit_test(what_started_lately_is_counted),
    };
    return cmocka_run_group_tests(tests, complex_setup, complex_teardown);
}
