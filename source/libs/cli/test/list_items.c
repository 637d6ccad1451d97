/* Comma-separated lists: values that begin with a quote keep their commas and lose the quotes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cli/list_items.h"
#include "libs/uti/dstr.h"

/* EXPECTED: the items, each followed by ';' */
static void check_items(const char *text, const char *expected)
{
    struct list_reader r = list_reader_over(text);
    struct dstr item = DSTR_INIT, all = DSTR_INIT;
    while (list_next(&r, &item))
        dstr_addf(&all, "%s;", dstr_get(&item));
    assert_string_equal(dstr_get(&all), expected);
    dstr_free(&item);
    dstr_free(&all);
}

static void commas_separate(void **state)
{
    (void)state;
    check_items("", "");
    check_items("a", "a;");
    check_items("a,b,c", "a;b;c;");
    check_items("a,,b", "a;;b;");
    check_items("a,", "a;;");
    check_items(",", ";;");
    check_items("A=1,B=2", "A=1;B=2;");
}

static void quoted_values_keep_their_commas(void **state)
{
    (void)state;
    check_items("A='x,y',B", "A=x,y;B;");
    check_items("A=\"x,y\",B", "A=x,y;B;");
    check_items("'a,b',c", "a,b;c;");
    check_items("A='it'\"'\"'s',B", "A=it's;B;");
    check_items("A='',B=", "A=;B=;");
    check_items("A=x='y,z'", "A=x='y;z';");
}

static void other_quotes_and_backslash_are_ordinary(void **state)
{
    (void)state;
    check_items("A=it's,B=that's", "A=it's;B=that's;");
    check_items("A='open,B", "A='open;B;");
    check_items("A=a\\,b", "A=a\\;b;");
    check_items("don't", "don't;");
}

static void blanks_around_an_item_do_not_count(void **state)
{
    (void)state;
    check_items("a, b", "a;b;");
    check_items("  a b\t, c ", "a b;c;");
    check_items("' a ' ,b", " a ;b;");
    check_items(" ", ";");
    struct list_reader r = list_reader_over_values(" A=x , B=y ");
    struct dstr item = DSTR_INIT;
    assert_true(list_next(&r, &item));
    assert_string_equal(dstr_get(&item), "A=x ");
    assert_true(list_next(&r, &item));
    assert_string_equal(dstr_get(&item), "B=y ");
    assert_false(list_next(&r, &item));
    dstr_free(&item);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_separate),
        cmocka_unit_test(quoted_values_keep_their_commas),
        cmocka_unit_test(other_quotes_and_backslash_are_ordinary),
        cmocka_unit_test(blanks_around_an_item_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
