/* Tests of libs/sgeobj/allocation.c: a task's slots, over queue instances and hosts. */
#include "libs/sgeobj/allocation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void add_slots(struct JG_Type_list *a, const char *queue, const char *host, uint32_t slots)
{
    struct JG_Type entry = { 0 };
    cull_set(&entry, JG_qname, queue);
    cull_set(&entry, JG_qhostname, host);
    allocation_add(a, entry.JG_qname, entry.JG_qhostname, slots);
    cull_clear(&cull_JG_Type, &entry);
}

static struct JG_Type_list on_two_hosts(void)
{
    struct JG_Type_list a = { 0 };
    add_slots(&a, "all.q@b", "b", 2);
    add_slots(&a, "big.q@b", "b", 3);
    add_slots(&a, "all.q@a", "a", 4);
    return a;
}

static void the_first_entry_is_the_masters(void **state SGE_UNUSED)
{
    struct JG_Type_list a = on_two_hosts();
    assert_string_equal(allocation_queue(&a), "all.q@b");
    assert_string_equal(allocation_host(&a), "b");
    cull_list_clear(&cull_JG_Type, &a);
}

static void slots_are_counted_in_all_and_on_a_host(void **state SGE_UNUSED)
{
    struct JG_Type_list a = on_two_hosts();
    assert_int_equal(allocation_slots(&a), 9);
    assert_int_equal(allocation_slots_on(&a, "b"), 5);
    assert_int_equal(allocation_slots_on(&a, "c"), 0);
    assert_int_equal(allocation_hosts(&a), 2);
    add_slots(&a, "all.q@c", "c", UINT32_MAX);
    assert_int_equal(allocation_slots(&a), UINT32_MAX);
    cull_list_clear(&cull_JG_Type, &a);
}

static void nothing_is_nowhere(void **state SGE_UNUSED)
{
    struct JG_Type_list none = { 0 };
    assert_string_equal(allocation_queue(&none), "");
    assert_string_equal(allocation_host(&none), "");
    assert_int_equal(allocation_slots(&none), 0);
    assert_int_equal(allocation_hosts(&none), 0);
    assert_false(allocation_is_whole(&none));
    assert_true(allocation_equal(&none, &none));
}

/* entries as they come from outside */
static void what_entries_lack_is_seen(void **state SGE_UNUSED)
{
    struct JG_Type_list a = { 0 };
    (void)cull_push(&a);
    assert_string_equal(allocation_queue(&a), "");
    assert_string_equal(allocation_host(&a), "");
    assert_false(allocation_is_whole(&a));
    cull_list_clear(&cull_JG_Type, &a);
    a = on_two_hosts();
    assert_true(allocation_is_whole(&a));
    add_slots(&a, "all.q@b", "b", 1);
    assert_false(allocation_is_whole(&a));
    cull_list_clear(&cull_JG_Type, &a);
}

static void equal_ones_have_the_same_entries_in_the_same_order(void **state SGE_UNUSED)
{
    struct JG_Type_list a = on_two_hosts(), b = on_two_hosts(), other = { 0 };
    assert_true(allocation_equal(&a, &b));
    cull_set(&b.v[1], JG_slots, 4);
    assert_false(allocation_equal(&a, &b));
    cull_set(&b.v[1], JG_slots, 3);
    cull_set(&b.v[1], JG_qname, "all.q@c");
    assert_false(allocation_equal(&a, &b));
    add_slots(&other, "all.q@b", "b", 2);
    assert_false(allocation_equal(&a, &other));
    cull_list_clear(&cull_JG_Type, &a);
    cull_list_clear(&cull_JG_Type, &b);
    cull_list_clear(&cull_JG_Type, &other);
}

static void it_keeps_what_its_environment_says_of_petasks(void **state SGE_UNUSED)
{
    struct JAT_Type task = { 0 };
    struct PE_Type pe = { 0 };
    struct JG_Type_list *granted = &task.JAT_granted_destin_identifier_list;
    cull_set(cull_append(&task, JAT_granted_destin_identifier_list), JG_qname, "all.q@a");
    cull_set(&pe, PE_accounting_summary, true);
    allocation_keep_pe(granted, &pe); /* without control_slaves there are none */
    assert_false(allocation_controls_slaves(granted));
    assert_false(cull_has(&granted->v[0], JG_accounting_summary));
    cull_set(&pe, PE_control_slaves, true);
    allocation_keep_pe(granted, &pe);
    assert_true(allocation_controls_slaves(granted));
    assert_true(granted->v[0].JG_accounting_summary);
    assert_false(granted->v[0].JG_job_is_first_task);
    cull_clear(&cull_PE_Type, &pe);
    cull_clear(&cull_JAT_Type, &task);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_entry_is_the_masters),
        cmocka_unit_test(slots_are_counted_in_all_and_on_a_host),
        cmocka_unit_test(nothing_is_nowhere),
        cmocka_unit_test(what_entries_lack_is_seen),
        cmocka_unit_test(it_keeps_what_its_environment_says_of_petasks),
        cmocka_unit_test(equal_ones_have_the_same_entries_in_the_same_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
