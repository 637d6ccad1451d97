/* Tests of daemons/qmaster/tables/stock.c: what is offered and what is taken. */
#include "daemons/qmaster/tables/stock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "libs/config/complex.h"
#include "libs/config/offers.h"
#include "libs/resource/consumption.h"
#include "libs/uti/dstr.h"

static void put_offers(struct stock *l, const char *offers_text)
{
    struct CE_Type_list rows = { 0 }, offers = { 0 };
    assert_int_equal(complex_parse("lic l INT <= YES YES 0 0\n"
                                   "mem m MEMORY <= YES YES 0 0\n"
                                   "gpu g RSMAP <= YES YES NONE 0\n",
                                   &rows, NULL),
                     0);
    offers_read(offers_text, &offers);
    stock_offer(l, &offers, &rows, true);
    cull_list_clear(&cull_CE_Type, &offers);
    complex_list_clear(&rows);
}

static void what_is_left_can_be_taken_and_no_more(void **state SGE_UNUSED)
{
    struct stock l = { 0 };
    put_offers(&l, "mem=4,lic=2");
    assert_true(stock_has_room(&l, "mem", 4));
    assert_false(stock_has_room(&l, "mem", 5));
    stock_take(&l, "mem", 3, NULL);
    assert_true(stock_has_room(&l, "mem", 1));
    assert_false(stock_has_room(&l, "mem", 2));
    stock_give(&l, "mem", 3, NULL);
    assert_true(stock_has_room(&l, "mem", 4));
    assert_int_equal(stock_taken(&l, "mem"), 0);
    stock_free(&l);
}

static void what_is_not_offered_is_not_limited(void **state SGE_UNUSED)
{
    struct stock l = { 0 };
    put_offers(&l, "lic=2,other=1,mem=INFINITY");
    assert_true(stock_has_room(&l, "other", AMOUNT_MOST));
    assert_true(stock_has_room(&l, "slots", AMOUNT_MOST));
    assert_true(stock_has_room(&l, "mem", AMOUNT_MOST));
    stock_free(&l);
}

static void other_offers_find_what_was_taken(void **state SGE_UNUSED)
{
    struct stock l = { 0 };
    stock_take(&l, "mem", 3, NULL);
    put_offers(&l, "mem=4,slots=2");
    assert_false(stock_has_room(&l, "mem", 2));
    assert_false(stock_has_room(&l, "slots", 3));
    put_offers(&l, "mem=2");
    assert_false(stock_has_room(&l, "mem", 1));
    assert_false(stock_has_room(&l, "mem", 0));
    put_offers(&l, "NONE");
    assert_true(stock_has_room(&l, "mem", 1));
    assert_int_equal(stock_taken(&l, "mem"), 3);
    put_offers(&l, "mem=3");
    assert_false(stock_has_room(&l, "mem", 1));
    stock_give(&l, "mem", 3, NULL);
    assert_true(stock_has_room(&l, "mem", 3));
    stock_free(&l);
}

/* ---- devices ---- */

/* AMOUNT devices of gpu are taken, and they are those of WHICH; NULL: there are too few */
static void expect_choice(struct stock *l, uint64_t amount, const char *which)
{
    struct ST_Type_list chosen = { 0 };
    struct dstr names = DSTR_INIT;
    assert_int_equal(stock_choose(l, "gpu", amount, &chosen), which != NULL);
    for (uint32_t i = 0; which != NULL && i < chosen.n; i++)
        dstr_addf(&names, "%s%s", i > 0 ? " " : "", chosen.v[i].ST_name);
    if (which != NULL) {
        assert_string_equal(dstr_get(&names), which);
        stock_take(l, "gpu", amount, &chosen);
    }
    cull_list_clear(&cull_ST_Type, &chosen);
    dstr_free(&names);
}

/* a task gives back the device NAME */
static void give_device(struct stock *l, const char *name)
{
    struct ST_Type_list one = { 0 };
    cull_set((struct ST_Type *)cull_push(&one), ST_name, name);
    stock_give(l, "gpu", 1, &one);
    cull_list_clear(&cull_ST_Type, &one);
}

static void each_device_is_given_once_the_first_that_is_free(void **state SGE_UNUSED)
{
    struct stock l = { 0 };
    put_offers(&l, "gpu=4(0-3)");
    assert_true(stock_names_devices(&l, "gpu"));
    expect_choice(&l, 2, "0 1");
    expect_choice(&l, 1, "2");
    expect_choice(&l, 2, NULL);
    give_device(&l, "0");
    expect_choice(&l, 2, "0 3");
    expect_choice(&l, 1, NULL);
    stock_free(&l);
}

static void an_amount_without_names_names_nothing(void **state SGE_UNUSED)
{
    struct stock l = { 0 };
    put_offers(&l, "gpu=4,lic=2");
    assert_false(stock_names_devices(&l, "gpu"));
    assert_false(stock_names_devices(&l, "lic"));
    assert_false(stock_names_devices(&l, "mem"));
    assert_false(stock_has_room(&l, "gpu", 5));
    expect_choice(&l, 1, NULL);
    stock_free(&l);
}

static void a_device_that_left_the_list_stays_with_who_has_it(void **state SGE_UNUSED)
{
    struct stock l = { 0 };
    put_offers(&l, "gpu=3(a b c)");
    expect_choice(&l, 2, "a b");
    put_offers(&l, "gpu=1(c)");
    assert_false(stock_has_room(&l, "gpu", 1));
    put_offers(&l, "NONE");
    assert_false(stock_names_devices(&l, "gpu"));
    put_offers(&l, "gpu=4(d b a c)");
    assert_true(stock_has_room(&l, "gpu", 2));
    expect_choice(&l, 2, "d c");
    give_device(&l, "a");
    expect_choice(&l, 1, "a");
    stock_free(&l);
}

static void a_device_that_went_and_was_given_back_is_gone(void **state SGE_UNUSED)
{
    struct stock l = { 0 };
    put_offers(&l, "gpu=2(a b)");
    expect_choice(&l, 1, "a");
    put_offers(&l, "gpu=1(b)");
    give_device(&l, "a");
    assert_true(stock_has_room(&l, "gpu", 1));
    expect_choice(&l, 1, "b");
    expect_choice(&l, 1, NULL);
    stock_free(&l);
}

static void what_was_taken_before_the_first_offer_is_not_given_again(void **state SGE_UNUSED)
{
    struct stock l = { 0 };
    struct ST_Type_list one = { 0 };
    cull_set((struct ST_Type *)cull_push(&one), ST_name, "0");
    stock_take(&l, "gpu", 1, &one);
    put_offers(&l, "gpu=2(0 1)");
    expect_choice(&l, 1, "1");
    stock_give(&l, "gpu", 1, &one);
    expect_choice(&l, 1, "0");
    cull_list_clear(&cull_ST_Type, &one);
    stock_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_can_be_taken_and_no_more),
        cmocka_unit_test(what_is_not_offered_is_not_limited),
        cmocka_unit_test(other_offers_find_what_was_taken),
        cmocka_unit_test(each_device_is_given_once_the_first_that_is_free),
        cmocka_unit_test(an_amount_without_names_names_nothing),
        cmocka_unit_test(a_device_that_left_the_list_stays_with_who_has_it),
        cmocka_unit_test(a_device_that_went_and_was_given_back_is_gone),
        cmocka_unit_test(what_was_taken_before_the_first_offer_is_not_given_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
