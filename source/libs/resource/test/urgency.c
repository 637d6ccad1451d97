/* Tests of libs/resource/urgency.c: what requests add to the urgency of a job. */
#include "libs/resource/urgency.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the three above */
#include <cmocka.h>

#include "libs/config/complex.h"
#include "libs/config/object.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/uti/answer.h"

static bool put_object(struct urgencies *u, enum object_kind kind, const char *name,
                       const char *attr, const char *value, const char *type,
                       const char *consumable)
{
    struct TX_Type tx = { 0 };
    const struct object_rules *rules = object_rules_of(kind);
    object_template(rules, name, &tx);
    if (kind == OBJECT_COMPLEX) {
        assert_int_equal(object_set(rules, &tx, "type", type, NULL), 0);
        assert_int_equal(object_set(rules, &tx, "consumable", consumable, NULL), 0);
    }
    assert_int_equal(object_set(rules, &tx, attr, value, NULL), 0);
    bool changes = urgencies_put(u, &tx);
    cull_clear(&cull_TX_Type, &tx);
    return changes;
}

static bool put_resource(struct urgencies *u, const char *name, const char *urgency,
                         const char *type, const char *consumable)
{
    return put_object(u, OBJECT_COMPLEX, name, "urgency", urgency, type, consumable);
}

static bool put_pe(struct urgencies *u, const char *name, const char *slots)
{
    return put_object(u, OBJECT_PE, name, "urgency_slots", slots, NULL, NULL);
}

static bool drop_object(struct urgencies *u, enum object_kind kind, const char *name)
{
    struct TX_Type tx = { 0 };
    cull_set(&tx, TX_kind, (uint32_t)kind);
    cull_set(&tx, TX_name, name);
    bool changes = urgencies_drop(u, &tx);
    cull_clear(&cull_TX_Type, &tx);
    return changes;
}

static void want_amount(struct JB_Type *job, const char *name, uint32_t type, const char *amount)
{
    struct CE_Type *ce = cull_append(job, JB_hard_resource_list);
    cull_set(ce, CE_name, name);
    cull_set(ce, CE_valtype, type);
    cull_set(ce, CE_stringval, amount);
}

static void want_slots(struct JB_Type *job, const char *pe, uint32_t first, uint32_t last)
{
    cull_set(job, JB_pe, pe);
    range_set_add(cull_ranges(job, JB_pe_range), first, last);
}

static void assert_urgency(const struct urgencies *u, const struct JB_Type *job, double expected)
{
    assert_true(urgency_of(u, job) == expected);
}

static void slots_count_as_many_as_are_asked_for(void **state SGE_UNUSED)
{
    struct urgencies u = { 0 };
    struct JB_Type job = { 0 };
    assert_urgency(&u, &job, 0);
    assert_true(put_resource(&u, "slots", "1000", "INT", "YES"));
    assert_false(put_resource(&u, "slots", "1000", "INT", "YES"));
    assert_urgency(&u, &job, 1000);
    want_slots(&job, "mpi", 2, 2);
    assert_urgency(&u, &job, 2000);
    cull_clear(&cull_JB_Type, &job);
    urgencies_free(&u);
}

static void urgency_slots_decides_how_many_slots_of_a_range_count(void **state SGE_UNUSED)
{
    static const struct {
        const char *rule;
        double slots;
    } rules[] = { { "min", 2 }, { "max", 9 }, { "avg", 5 }, { "7", 7 } };
    struct urgencies u = { 0 };
    struct JB_Type job = { 0 };
    (void)put_resource(&u, "slots", "10", "INT", "YES");
    want_slots(&job, "mpi", 2, 6);
    range_set_add(cull_ranges(&job, JB_pe_range), 9, 9);
    range_set_remove(cull_ranges(&job, JB_pe_range), 3, 3);
    assert_urgency(&u, &job, 20); /* the environment is not known */
    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        (void)put_pe(&u, "mpi", rules[i].rule);
        /* 2 4 5 6 9: their average is 5.2 */
        assert_urgency(&u, &job,
                       strcmp(rules[i].rule, "avg") == 0 ? 10 * (26.0 / 5) : 10 * rules[i].slots);
    }
    assert_false(put_pe(&u, "mpi", "7"));
    assert_true(drop_object(&u, OBJECT_PE, "mpi"));
    assert_urgency(&u, &job, 20);
    cull_clear(&cull_JB_Type, &job);
    urgencies_free(&u);
}

static void a_pattern_means_the_first_environment_that_it_matches(void **state SGE_UNUSED)
{
    struct urgencies u = { 0 };
    struct JB_Type job = { 0 };
    (void)put_resource(&u, "slots", "1", "INT", "YES");
    (void)put_pe(&u, "mpj", "max");
    (void)put_pe(&u, "abc", "3");
    want_slots(&job, "mp*", 2, 8);
    assert_urgency(&u, &job, 8);
    (void)put_pe(&u, "mpi", "min");
    assert_urgency(&u, &job, 2);
    assert_true(drop_object(&u, OBJECT_PE, "mpi"));
    assert_urgency(&u, &job, 8);
    cull_clear(&cull_JB_Type, &job);
    urgencies_free(&u);
}

static void amounts_count_each_type_in_its_way(void **state SGE_UNUSED)
{
    struct urgencies u = { 0 };
    struct JB_Type job = { 0 };
    (void)put_resource(&u, "gpu", "100", "INT", "YES");
    (void)put_resource(&u, "lic", "10", "INT", "JOB");
    (void)put_resource(&u, "h_rt", "-0.5", "TIME", "NO");
    (void)put_resource(&u, "load", "4", "DOUBLE", "NO");
    (void)put_resource(&u, "os", "7", "STRING", "NO");
    want_amount(&job, "gpu", COMPLEX_INT, "2");
    assert_urgency(&u, &job, 200);
    want_slots(&job, "mpi", 3, 3);
    assert_urgency(&u, &job, 600);
    want_amount(&job, "lic", COMPLEX_INT, "4"); /* once for the job */
    assert_urgency(&u, &job, 640);
    want_amount(&job, "h_rt", COMPLEX_TIME, "0:1:0"); /* no consumable: once */
    assert_urgency(&u, &job, 610);
    want_amount(&job, "load", COMPLEX_DOUBLE, "0.25");
    assert_urgency(&u, &job, 611);
    want_amount(&job, "os", COMPLEX_STRING, "linux");
    assert_urgency(&u, &job, 618);
    want_amount(&job, "arch", COMPLEX_STRING, "x"); /* has none */
    assert_urgency(&u, &job, 618);
    assert_true(drop_object(&u, OBJECT_COMPLEX, "os"));
    assert_false(drop_object(&u, OBJECT_COMPLEX, "os"));
    assert_urgency(&u, &job, 611);
    cull_clear(&cull_JB_Type, &job);
    urgencies_free(&u);
}

static void the_sum_has_a_bound(void **state SGE_UNUSED)
{
    struct urgencies u = { 0 };
    struct JB_Type job = { 0 };
    (void)put_resource(&u, "mem", "1e300", "MEMORY", "YES");
    want_amount(&job, "mem", COMPLEX_MEMORY, "INFINITY");
    assert_urgency(&u, &job, URGENCY_MOST);
    (void)put_resource(&u, "mem", "-1e300", "MEMORY", "YES");
    assert_urgency(&u, &job, -URGENCY_MOST);
    cull_clear(&cull_JB_Type, &job);
    urgencies_free(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_count_as_many_as_are_asked_for),
        cmocka_unit_test(urgency_slots_decides_how_many_slots_of_a_range_count),
        cmocka_unit_test(a_pattern_means_the_first_environment_that_it_matches),
        cmocka_unit_test(amounts_count_each_type_in_its_way),
        cmocka_unit_test(the_sum_has_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
