/* Tests of libs/resource/supply.c and demand.c: vectors of what there is, what is taken and what a
 * task asks for. */
#include "libs/resource/supply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MEMORY = 1, LICENCES = 2 };

/* a queue instance with 8 slots on a host with 10 of memory, in a cell with 3 licences */
struct world {
    struct supply queue, host, cell;
    supply_path path;
    struct demands demands;
};

static void build_world(struct world *w)
{
    *w = (struct world){ 0 };
    w->path[SUPPLY_QUEUE] = &w->queue;
    w->path[SUPPLY_HOST] = &w->host;
    w->path[SUPPLY_CELL] = &w->cell;
    supply_offer(&w->queue, RESOURCE_SLOTS, 8);
    supply_offer(&w->host, MEMORY, 10);
    supply_offer(&w->cell, LICENCES, 3);
}

static void tear_down(struct world *w)
{
    supply_free(&w->queue);
    supply_free(&w->host);
    supply_free(&w->cell);
    assert_null(w->demands.all);
}

/* a demand of one slot, and of memory and licences if they are not 0 */
static struct demand *make_demand(struct world *w, uint64_t memory, uint64_t licences)
{
    struct demand_part parts[3] = { { RESOURCE_SLOTS, 1 } };
    uint32_t n = 1;
    if (memory > 0)
        parts[n++] = (struct demand_part){ MEMORY, memory };
    if (licences > 0)
        parts[n++] = (struct demand_part){ LICENCES, licences };
    return demand_get(&w->demands, parts, n);
}

static void expect_room(struct world *w, uint64_t memory, uint64_t licences, uint64_t room)
{
    struct demand *d = make_demand(w, memory, licences);
    assert_int_equal(path_room(w->path, d, TIME_ALWAYS), room);
    demand_drop(&w->demands, d);
}

static void the_scarcest_of_queue_host_and_cell_decides(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    expect_room(&w, 0, 0, 8);
    expect_room(&w, 2, 0, 5);
    expect_room(&w, 1, 1, 3);
    expect_room(&w, 11, 0, 0);
    supply_offer(&w.host, RESOURCE_SLOTS, 4); /* of all its queue instances together */
    expect_room(&w, 0, 0, 4);
    supply_offer(&w.host, RESOURCE_SLOTS, RESOURCE_UNLIMITED);
    expect_room(&w, 0, 0, 8);
    tear_down(&w);
}

static void what_nobody_limits_is_unlimited(void **state SGE_UNUSED)
{
    struct world w;
    struct supply nothing = { 0 };
    build_world(&w);
    struct demand *d = make_demand(&w, 5, 0);
    assert_int_equal(supply_room(&nothing, d, TIME_ALWAYS), UINT64_MAX);
    assert_int_equal(supply_left(&nothing, MEMORY, TIME_ALWAYS), RESOURCE_UNLIMITED);
    supply_offer(&w.host, MEMORY, RESOURCE_UNLIMITED);
    assert_int_equal(path_room(w.path, d, TIME_ALWAYS), 8);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

static void taking_and_giving_back_count_at_all_three(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *d = make_demand(&w, 2, 1);
    path_take(w.path, d, 3, TIME_ALWAYS);
    assert_int_equal(supply_left(&w.queue, RESOURCE_SLOTS, TIME_ALWAYS), 5);
    assert_int_equal(supply_left(&w.host, MEMORY, TIME_ALWAYS), 4);
    assert_int_equal(supply_left(&w.cell, LICENCES, TIME_ALWAYS), 0);
    assert_int_equal(path_room(w.path, d, TIME_ALWAYS), 0);
    path_give(w.path, d, 2, TIME_ALWAYS);
    assert_int_equal(path_room(w.path, d, TIME_ALWAYS), 2);
    path_give(w.path, d, 1, TIME_ALWAYS);
    assert_int_equal(path_room(w.path, d, TIME_ALWAYS), 3);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

static void a_limit_that_comes_later_finds_what_was_taken(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *d = make_demand(&w, 2, 0);
    path_take(w.path, d, 6, TIME_ALWAYS); /* 12 of 10: whoever starts tasks decides */
    assert_int_equal(supply_left(&w.host, MEMORY, TIME_ALWAYS), 0);
    supply_offer(&w.host, MEMORY, 14);
    assert_int_equal(supply_left(&w.host, MEMORY, TIME_ALWAYS), 2);
    supply_offer(&w.host, RESOURCE_SLOTS, 7);
    assert_int_equal(path_room(w.path, d, TIME_ALWAYS), 1);
    path_give(w.path, d, 6, TIME_ALWAYS);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

/* what reservations and backfill will ask: the same vectors, later */
static void room_is_asked_for_a_span_of_time(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *d = make_demand(&w, 2, 1);
    path_take(w.path, d, 3, (struct time_span){ 100, 200 });
    assert_int_equal(path_room(w.path, d, (struct time_span){ 0, 100 }), 3);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 50, 101 }), 0);
    assert_int_equal(path_room(w.path, d, (struct time_span){ 200, TIME_FOREVER }), 3);
    path_give(w.path, d, 3, (struct time_span){ 100, 200 });
    assert_int_equal(path_room(w.path, d, TIME_ALWAYS), 3);
    demand_drop(&w.demands, d);
    tear_down(&w);
}

static void equal_demands_are_one(void **state SGE_UNUSED)
{
    struct world w;
    build_world(&w);
    struct demand *a = make_demand(&w, 2, 0), *b = make_demand(&w, 2, 0),
                  *c = make_demand(&w, 3, 0);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    struct demand *four = demand_times(&w.demands, a, 4);
    assert_int_equal(demand_slots(four), 4);
    assert_int_equal(four->parts[1].amount, 8); /* each slot takes 2 of memory */
    assert_int_equal(path_room(w.path, four, TIME_ALWAYS), 1);
    struct demand *again = demand_times(&w.demands, a, 1);
    assert_ptr_equal(again, a);
    struct demand *sum = demand_sum(&w.demands, a, c), *alone = demand_sum(&w.demands, NULL, c);
    assert_int_equal(sum->parts[1].amount, 5);
    assert_ptr_equal(alone, c);
    struct demand *all[] = { a, b, c, four, again, sum, alone };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        demand_drop(&w.demands, all[i]);
    tear_down(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scarcest_of_queue_host_and_cell_decides),
        cmocka_unit_test(what_nobody_limits_is_unlimited),
        cmocka_unit_test(taking_and_giving_back_count_at_all_three),
        cmocka_unit_test(a_limit_that_comes_later_finds_what_was_taken),
        cmocka_unit_test(room_is_asked_for_a_span_of_time),
        cmocka_unit_test(equal_demands_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
