/* Tests of libs/sched/supply/spread.c: sentences of sge_pe(5) about allocation_rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sched/supply/spread.h"
#include "libs/sgeobj/pe_match.h"

enum { HOSTS = 4 };
static struct spread_site sites[HOSTS];

/* HOSTS hosts with these rooms, of which each may lead */
static void set_rooms(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t room[HOSTS] = { a, b, c, d };
    for (uint32_t i = 0; i < HOSTS; i++)
        sites[i] = (struct spread_site){ .room = room[i], .may_lead = true, .at = i };
}

static uint32_t spread_by(const char *rule, uint64_t most, uint32_t from, uint32_t to)
{
    struct range_set wanted = { 0 };
    range_set_add(&wanted, from, to);
    uint32_t n = spread_slots(spread_rule_read(rule), sites, HOSTS, most, &wanted);
    range_set_free(&wanted);
    return n;
}

/* by the order that the hosts were in */
static void expect_slots(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t expected[HOSTS] = { a, b, c, d };
    for (uint32_t i = 0; i < HOSTS; i++)
        assert_int_equal(sites[i].n_slots, expected[sites[i].at]);
}

static void pe_slots_puts_all_on_one_host(void **state SGE_UNUSED)
{
    set_rooms(3, 8, 8, 1);
    assert_int_equal(spread_by("$pe_slots", 100, 4, 4), 4);
    expect_slots(0, 4, 0, 0);
    assert_int_equal(spread_by("$pe_slots", 100, 1, 100), 8);
    assert_int_equal(spread_by("$pe_slots", 5, 1, 100), 5);
    assert_int_equal(spread_by("$pe_slots", 100, 9, 100), 0);
    expect_slots(0, 0, 0, 0);
}

static void fill_up_takes_host_after_host(void **state SGE_UNUSED)
{
    set_rooms(3, 8, 2, 1);
    assert_int_equal(spread_by("$fill_up", 100, 12, 12), 12);
    expect_slots(3, 8, 1, 0);
    assert_int_equal(spread_by("$fill_up", 100, 1, 9999999), 14);
    assert_int_equal(spread_by("$fill_up", 100, 15, 15), 0);
}

static void round_robin_gives_one_to_each_in_turn(void **state SGE_UNUSED)
{
    set_rooms(3, 8, 2, 1);
    assert_int_equal(spread_by("$round_robin", 100, 3, 3), 3);
    expect_slots(1, 1, 1, 0);
    assert_int_equal(spread_by("$round_robin", 100, 7, 7), 7);
    expect_slots(2, 2, 2, 1);
    assert_int_equal(spread_by("$round_robin", 100, 9, 9), 9);
    expect_slots(3, 3, 2, 1);
    assert_int_equal(spread_by("$round_robin", 100, 1, 100), 14);
    expect_slots(3, 8, 2, 1);
}

static void a_number_is_so_many_on_each_host(void **state SGE_UNUSED)
{
    set_rooms(3, 8, 2, 5);
    assert_int_equal(spread_by("3", 100, 6, 6), 6);
    expect_slots(3, 3, 0, 0);
    assert_int_equal(spread_by("3", 100, 1, 100), 9);
    expect_slots(3, 3, 0, 3);
    assert_int_equal(spread_by("3", 8, 1, 100), 6);
    assert_int_equal(spread_by("3", 100, 4, 5), 0);
    assert_int_equal(spread_by("9", 100, 9, 9), 0);
}

static void the_master_goes_where_it_may(void **state SGE_UNUSED)
{
    set_rooms(4, 4, 4, 4);
    sites[0].may_lead = sites[1].may_lead = sites[2].may_lead = false;
    assert_int_equal(spread_by("$fill_up", 100, 6, 6), 6);
    assert_int_equal(sites[0].at, 3);
    expect_slots(2, 0, 0, 4);
    set_rooms(4, 4, 4, 2);
    sites[0].may_lead = sites[1].may_lead = sites[2].may_lead = false;
    assert_int_equal(spread_by("$pe_slots", 100, 1, 4), 2);
    expect_slots(0, 0, 0, 2);
    assert_int_equal(spread_by("3", 100, 3, 3), 0);
    sites[0].may_lead = sites[1].may_lead = sites[2].may_lead = sites[3].may_lead = false;
    assert_int_equal(spread_by("$round_robin", 100, 1, 4), 0);
}

static void the_greatest_wanted_number_that_fits_counts(void **state SGE_UNUSED)
{
    struct range_set wanted = { 0 };
    set_rooms(10, 10, 10, 7);
    range_set_add_stride(&wanted, 1, 64, 21); /* 1, 22, 43, 64 */
    range_set_add(&wanted, 30, 33);
    assert_int_equal(spread_slots(spread_rule_read("$fill_up"), sites, HOSTS, 100, &wanted), 33);
    assert_int_equal(spread_slots(spread_rule_read("$fill_up"), sites, HOSTS, 29, &wanted), 22);
    assert_int_equal(spread_slots(spread_rule_read("10"), sites, HOSTS, 100, &wanted), 30);
    range_set_free(&wanted);
}

static void numbers_beyond_all_measure_do_no_harm(void **state SGE_UNUSED)
{
    set_rooms(UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX);
    assert_int_equal(spread_by("$round_robin", UINT64_MAX, 1, SLOTS_OF_TASK_MOST),
                     SLOTS_OF_TASK_MOST);
    expect_slots(2500000, 2500000, 2500000, 2499999);
    assert_int_equal(spread_by("$pe_slots", UINT64_MAX, 1, SLOTS_OF_TASK_MOST), SLOTS_OF_TASK_MOST);
    assert_int_equal(spread_by("9999999", SLOTS_OF_TASK_MOST, 1, UINT32_MAX - 1),
                     SLOTS_OF_TASK_MOST);
    assert_int_equal(spread_by("$fill_up", 0, 1, UINT32_MAX - 1), 0);
    assert_int_equal(spread_by("rubbish", 7, 1, 9), 7);
    struct range_set none = { 0 };
    assert_int_equal(spread_slots(spread_rule_read("1"), NULL, 0, 10, &none), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pe_slots_puts_all_on_one_host),
        cmocka_unit_test(fill_up_takes_host_after_host),
        cmocka_unit_test(round_robin_gives_one_to_each_in_turn),
        cmocka_unit_test(a_number_is_so_many_on_each_host),
        cmocka_unit_test(the_master_goes_where_it_may),
        cmocka_unit_test(the_greatest_wanted_number_that_fits_counts),
        cmocka_unit_test(numbers_beyond_all_measure_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
