/* Tests of libs/config/offers.c: complex_values as a list. */
#include "libs/config/offers.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void each_setting_is_an_offer(void **state SGE_UNUSED)
{
    struct CE_Type_list offers = { 0 };
    offers_read("mem=4G,lic=2,gpu=2(0 1)", &offers);
    assert_int_equal(offers.n, 3);
    assert_string_equal(offers_value(&offers, "mem"), "4G");
    assert_string_equal(offers_value(&offers, "lic"), "2");
    assert_string_equal(offers_value(&offers, "gpu"), "2(0 1)");
    assert_null(offers_value(&offers, "me"));
    cull_list_clear(&cull_CE_Type, &offers);
}

static void none_and_nothing_offer_nothing(void **state SGE_UNUSED)
{
    struct CE_Type_list offers = { 0 };
    offers_read("NONE", &offers);
    offers_read(NULL, &offers);
    offers_read("", &offers);
    assert_int_equal(offers.n, 0);
    assert_null(offers_value(&offers, "mem"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_setting_is_an_offer),
        cmocka_unit_test(none_and_nothing_offer_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
