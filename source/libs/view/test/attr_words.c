/* Tests of libs/view/attr_words.c: what the manual says of an attribute */
#include "libs/view/attr_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/uti/dstr.h"

static const char page[] = ".Ss Attributes\n"
                           ".Bl -tag -width Ds\n"
                           ".It Sy slots\n"
                           "How many slots it has: see\n"
                           ".Xr qconf 1 ,\n"
                           "option\n"
                           ".Fl mattr .\n"
                           ".Pp\n"
                           "A host\n"
                           ".Pq Xr host_conf 5\n"
                           ".Pq Fl h\n"
                           ".Ql x\n"
                           "has others.\n"
                           ".It Sy s_rt , h_rt\n"
                           "One of\n"
                           ".Bl -tag -width Ds\n"
                           ".It Cm INFINITY\n"
                           "no limit,\n"
                           ".It Li 0:0:1\n"
                           "a second.\n"
                           ".El\n"
                           "That is all.\n"
                           ".El\n"
                           ".Sh SEE ALSO\n"
                           "others\n";

static void expect_words(const char *attr, const char *expected)
{
    struct dstr text = DSTR_INIT;
    man_words_of(page, attr, &text);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static void test_an_attribute_has_its_sentences(void **state)
{
    (void)state;
    expect_words("slots", "How many slots it has: see qconf(1), option -mattr.\n"
                          "A host (host_conf(5)) (-h) \"x\" has others.");
}

static void test_several_share_theirs_with_the_lists_in_it(void **state)
{
    (void)state;
    expect_words("h_rt", "One of\nINFINITY: no limit,\n0:0:1: a second. That is all.");
    expect_words("s_rt", "One of\nINFINITY: no limit,\n0:0:1: a second. That is all.");
}

static void test_what_is_not_there_has_none(void **state)
{
    struct dstr text = DSTR_INIT;
    (void)state;
    expect_words("slot", "");
    expect_words("INFINITY", "no limit,");
    man_words("/nonexistent", "queue_conf", "slots", &text);
    assert_int_equal(text.len, 0);
    man_words_of("", "slots", &text);
    man_words_of(".It Sy slots", "slots", &text);
    man_words_of(".It Sy slots\n.", "slots", &text);
    assert_int_equal(text.len, 0);
    dstr_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_attribute_has_its_sentences),
        cmocka_unit_test(test_several_share_theirs_with_the_lists_in_it),
        cmocka_unit_test(test_what_is_not_there_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
