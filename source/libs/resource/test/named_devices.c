/* Tests of libs/resource/named_devices.c, and of records as supplies and demands: what texts offer
 * and what tasks have. */
#include "libs/resource/named_devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/complex.h"
#include "libs/config/offers.h"
#include "libs/resource/consumption.h"
#include "libs/resource/supply.h"
#include "libs/uti/dstr.h"

/* a host, and the resources lic, mem and gpu */
struct place {
    struct supply supply;
    struct resource_names names;
};

static void set_up(struct place *place)
{
    *place = (struct place){ .supply = { .kind = SUPPLY_HOST } };
}

static void tear_down(struct place *place)
{
    supply_free(&place->supply);
    resource_names_free(&place->names);
}

static uint32_t number_of(struct place *place, const char *name)
{
    return strcmp(name, "slots") == 0 ? RESOURCE_SLOTS
                                      : resource_name_get(&place->names, name)->number;
}

static void put_offers(struct place *place, const char *offers_text)
{
    struct CE_Type_list rows = { 0 }, offers = { 0 };
    assert_int_equal(complex_parse("gpu g RSMAP <= YES YES NONE 0\n"
                                   "lic l INT <= YES YES 0 0\n"
                                   "mem m MEMORY <= YES YES 0 0\n",
                                   &rows, NULL),
                     0);
    offers_read(offers_text, &offers);
    supply_read(&place->supply, &offers, &rows, &place->names);
    supply_read_devices(&place->supply, &offers, &rows, &place->names);
    cull_list_clear(&cull_CE_Type, &offers);
    complex_list_clear(&rows);
}

static bool has_room(struct place *place, const char *name, uint64_t amount)
{
    return supply_left(&place->supply, number_of(place, name), TIME_NOW) >= amount;
}

/* AMOUNT of NAME is booked, or released */
static void book_amount(struct place *place, const char *name, uint64_t amount, bool is_release)
{
    struct supply *members[] = { &place->supply };
    struct demand_part part = { number_of(place, name), amount };
    struct demand d = { .n = 1, .parts = &part };
    if (is_release)
        path_release((struct path){ members, 1 }, &d, 1);
    else
        path_book((struct path){ members, 1 }, &d, 1);
}

static void what_is_not_offered_is_not_limited(void **state SGE_UNUSED)
{
    struct place place;
    set_up(&place);
    put_offers(&place, "lic=2,other=1,mem=INFINITY");
    assert_true(has_room(&place, "lic", 2));
    assert_false(has_room(&place, "lic", 3));
    assert_true(has_room(&place, "other", AMOUNT_MOST));
    assert_true(has_room(&place, "slots", AMOUNT_MOST));
    assert_true(has_room(&place, "mem", AMOUNT_MOST));
    tear_down(&place);
}

static void slots_of_a_queue_instance_are_no_offer(void **state SGE_UNUSED)
{
    struct place place;
    set_up(&place);
    put_offers(&place, "slots=2");
    assert_false(has_room(&place, "slots", 3));
    supply_free(&place.supply);
    place.supply.kind = SUPPLY_QUEUE;
    supply_offer(&place.supply, RESOURCE_SLOTS, 4);
    put_offers(&place, "slots=2");
    assert_true(has_room(&place, "slots", 4));
    tear_down(&place);
}

static void other_offers_find_what_was_booked(void **state SGE_UNUSED)
{
    struct place place;
    set_up(&place);
    book_amount(&place, "mem", 3, false);
    put_offers(&place, "mem=4,slots=2");
    assert_false(has_room(&place, "mem", 2));
    assert_false(has_room(&place, "slots", 3));
    put_offers(&place, "mem=2");
    assert_false(has_room(&place, "mem", 1));
    put_offers(&place, "NONE");
    assert_true(has_room(&place, "mem", 1));
    assert_int_equal(supply_booked(&place.supply, number_of(&place, "mem")), 3);
    put_offers(&place, "mem=3");
    assert_false(has_room(&place, "mem", 1));
    book_amount(&place, "mem", 3, true);
    assert_true(has_room(&place, "mem", 3));
    tear_down(&place);
}

static void an_allocation_books_its_slots_and_what_it_has_taken(void **state SGE_UNUSED)
{
    struct place place;
    struct TK_Type_list taken = { 0 };
    struct demand_part parts[4];
    static const struct {
        const char *name;
        uint64_t amount;
    } rows[] = { { "mem", 8 }, { "lic", 0 }, { "gpu", 2 } };
    set_up(&place);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct TK_Type *tk = cull_push(&taken);
        cull_set(tk, TK_name, rows[i].name);
        cull_set(tk, TK_amount, rows[i].amount);
    }
    assert_int_equal(allocation_parts(&place.names, 4, &taken, parts), 3);
    assert_string_equal(resource_text(&place.names, (uint32_t)parts[0].resource), "slots");
    assert_int_equal(parts[0].amount, 4);
    assert_string_equal(resource_text(&place.names, (uint32_t)parts[1].resource), "mem");
    assert_int_equal(parts[1].amount, 8);
    assert_string_equal(resource_text(&place.names, (uint32_t)parts[2].resource), "gpu");
    cull_list_clear(&cull_TK_Type, &taken);
    tear_down(&place);
}

/* ---- devices ---- */
/* AMOUNT devices of gpu are booked, and they are those of WHICH; NULL: there are too few */
static void expect_choice(struct place *place, uint64_t amount, const char *which)
{
    struct ST_Type_list chosen = { 0 };
    struct dstr names = DSTR_INIT;
    uint32_t gpu = number_of(place, "gpu");
    assert_int_equal(devices_choose(place->supply.devices, gpu, amount, &chosen), which != NULL);
    for (uint32_t i = 0; which != NULL && i < chosen.n; i++)
        dstr_addf(&names, "%s%s", i > 0 ? " " : "", chosen.v[i].ST_name);
    if (which != NULL) {
        assert_string_equal(dstr_get(&names), which);
        devices_book(&place->supply.devices, gpu, &chosen);
    }
    cull_list_clear(&cull_ST_Type, &chosen);
    dstr_free(&names);
}

/* a task gets the device NAME, or gives it back */
static void move_device(struct place *place, const char *name, bool is_release)
{
    struct ST_Type_list one = { 0 };
    cull_set((struct ST_Type *)cull_push(&one), ST_name, name);
    if (is_release)
        devices_release(place->supply.devices, number_of(place, "gpu"), &one);
    else
        devices_book(&place->supply.devices, number_of(place, "gpu"), &one);
    cull_list_clear(&cull_ST_Type, &one);
}

static void each_device_is_given_once_the_first_that_is_free(void **state SGE_UNUSED)
{
    struct place place;
    struct ST_Type_list booked = { 0 };
    set_up(&place);
    put_offers(&place, "gpu=4(0-3)");
    assert_true(devices_are_offered(place.supply.devices, number_of(&place, "gpu")));
    expect_choice(&place, 2, "0 1");
    expect_choice(&place, 1, "2");
    expect_choice(&place, 2, NULL);
    move_device(&place, "0", true);
    devices_add_booked(place.supply.devices, number_of(&place, "gpu"), &booked);
    assert_int_equal(booked.n, 2);
    assert_string_equal(booked.v[0].ST_name, "1");
    expect_choice(&place, 2, "0 3");
    expect_choice(&place, 1, NULL);
    cull_list_clear(&cull_ST_Type, &booked);
    tear_down(&place);
}

static void an_amount_without_names_names_nothing(void **state SGE_UNUSED)
{
    struct place place;
    set_up(&place);
    put_offers(&place, "gpu=4,lic=2");
    assert_false(devices_are_offered(place.supply.devices, number_of(&place, "gpu")));
    assert_false(devices_are_offered(place.supply.devices, number_of(&place, "lic")));
    assert_false(devices_are_offered(place.supply.devices, number_of(&place, "mem")));
    assert_false(has_room(&place, "gpu", 5));
    expect_choice(&place, 1, NULL);
    tear_down(&place);
}

static void a_device_that_left_the_list_stays_with_the_task_that_has_it(void **state SGE_UNUSED)
{
    struct place place;
    set_up(&place);
    put_offers(&place, "gpu=3(a b c)");
    expect_choice(&place, 2, "a b");
    put_offers(&place, "gpu=1(c)");
    put_offers(&place, "NONE");
    assert_false(devices_are_offered(place.supply.devices, number_of(&place, "gpu")));
    put_offers(&place, "gpu=4(d b a c)");
    expect_choice(&place, 2, "d c");
    move_device(&place, "a", true);
    expect_choice(&place, 1, "a");
    tear_down(&place);
}

static void a_device_that_went_and_was_given_back_is_gone(void **state SGE_UNUSED)
{
    struct place place;
    set_up(&place);
    put_offers(&place, "gpu=2(a b)");
    expect_choice(&place, 1, "a");
    put_offers(&place, "gpu=1(b)");
    move_device(&place, "a", true);
    expect_choice(&place, 1, "b");
    expect_choice(&place, 1, NULL);
    tear_down(&place);
}

static void what_was_taken_before_the_first_offer_is_not_given_again(void **state SGE_UNUSED)
{
    struct place place;
    set_up(&place);
    move_device(&place, "0", false);
    put_offers(&place, "gpu=2(0 1)");
    expect_choice(&place, 1, "1");
    move_device(&place, "0", true);
    expect_choice(&place, 1, "0");
    tear_down(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_offered_is_not_limited),
        cmocka_unit_test(slots_of_a_queue_instance_are_no_offer),
        cmocka_unit_test(other_offers_find_what_was_booked),
        cmocka_unit_test(an_allocation_books_its_slots_and_what_it_has_taken),
        cmocka_unit_test(each_device_is_given_once_the_first_that_is_free),
        cmocka_unit_test(an_amount_without_names_names_nothing),
        cmocka_unit_test(a_device_that_left_the_list_stays_with_the_task_that_has_it),
        cmocka_unit_test(a_device_that_went_and_was_given_back_is_gone),
        cmocka_unit_test(what_was_taken_before_the_first_offer_is_not_given_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
