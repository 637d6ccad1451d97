/* Tests of daemons/qmaster/tables/stock.c: what is offered and what is taken. */
#include "daemons/qmaster/tables/stock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "libs/config/amount.h"
#include "libs/config/complex.h"
#include "libs/config/offers.h"

static void put_offers(struct stock *l, const char *offers_text)
{
    struct CE_Type_list rows = { 0 }, offers = { 0 };
    assert_int_equal(complex_parse("lic l INT <= YES YES 0 0\n"
                                   "mem m MEMORY <= YES YES 0 0\n",
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
    stock_take(&l, "mem", 3);
    assert_true(stock_has_room(&l, "mem", 1));
    assert_false(stock_has_room(&l, "mem", 2));
    stock_give(&l, "mem", 3);
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
    stock_take(&l, "mem", 3);
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
    stock_give(&l, "mem", 3);
    assert_true(stock_has_room(&l, "mem", 3));
    stock_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_can_be_taken_and_no_more),
        cmocka_unit_test(what_is_not_offered_is_not_limited),
        cmocka_unit_test(other_offers_find_what_was_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
