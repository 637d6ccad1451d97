/* Comma-separated lists: values that begin with a quote keep their commas and lose the quotes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/uti/test/random_text.h"

/* EXPECTED: the items, each followed by ';' */
static void check_reader(struct list_reader r, const char *expected)
{
    struct dstr item = DSTR_INIT, all = DSTR_INIT;
    while (list_next(&r, &item))
        dstr_addf(&all, "%s;", dstr_get(&item));
    assert_string_equal(dstr_get(&all), expected);
    dstr_free(&item);
    dstr_free(&all);
}

static void check_items(const char *text, const char *expected)
{
    check_reader(list_reader_over(text), expected);
}

static void commas_separate(void **state)
{
    (void)state;
    check_items("", "");
    check_items("a", "a;");
    check_items("a,b,c", "a;b;c;");
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
    check_reader(list_reader_over_values(" A=x , B=y "), "A=x ;B=y ;");
}

static void empty_items_do_not_count(void **state)
{
    (void)state;
    check_items(",", "");
    check_items(" ", "");
    check_items("a,", "a;");
    check_items(",,a, ,b,\t,", "a;b;");
    check_items("'',a", "a;");
    check_reader(list_reader_over_values("A=, ,B"), "A=;B;");
}

static void blanks_separate_requests(void **state)
{
    (void)state;
    check_reader(list_reader_over_requests("a=1 b=2"), "a=1;b=2;");
    check_reader(list_reader_over_requests(" a = 1 , b\t=2  c,d=  "), "a=1;b=2;c;d=;");
    check_reader(list_reader_over_requests("a=\"x y\" b= 'p q'r s"), "a=x y;b=p qr;s;");
}

static void quotes_in_names_are_ordinary(void **state)
{
    (void)state;
    check_reader(list_reader_over_names("'a,b',\"c d\""), "'a;b';\"c d\";");
}

/* what stands between commas, without the blanks around it, if something is left */
static void split_simply(const char *text, struct dstr *out)
{
    for (const char *at = text, *end;; at = end + 1) {
        end = at + strcspn(at, ",");
        const char *first = at + strspn(at, " \t"), *last = end;
        while (last > first && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        if (last > first) {
            dstr_addn(out, first, (size_t)(last - first));
            dstr_addc(out, ';');
        }
        if (*end == '\0')
            return;
    }
}

static void random_lists_split_as_defined(void **state)
{
    uint64_t seed = 1;
    char text[25];
    (void)state;
    for (int i = 0; i < 200000; i++) {
        struct dstr expected = DSTR_INIT;
        random_text_of(&seed, "ab=, ,\t'\"", sizeof text - 1, text);
        split_simply(text, &expected);
        check_reader(list_reader_over_names(text), dstr_get(&expected));
        if (strpbrk(text, "'\"") == NULL)
            check_items(text, dstr_get(&expected));
        dstr_free(&expected);
    }
}

static void a_list_of_names_keeps_its_order_and_takes_more(void **state)
{
    struct name_list list = { 0 };
    (void)state;
    name_list_split(&list, "beta, 'alpha'");
    name_list_split_requests(&list, "mem=1G cpu");
    name_list_add(&list, "gamma.7", strlen("gamma"));
    assert_int_equal(list.n, 5);
    assert_string_equal(list.v[0], "beta");
    assert_string_equal(list.v[1], "'alpha'");
    assert_string_equal(list.v[2], "mem=1G");
    assert_string_equal(list.v[3], "cpu");
    assert_string_equal(list.v[4], "gamma");
    assert_true(name_list_has(&list, "gamma"));
    assert_false(name_list_has(&list, "gamma.7"));
    assert_false(name_list_has(&list, "Gamma"));
    name_list_free(&list);
    assert_int_equal(list.n, 0);
    assert_false(name_list_has(&list, "gamma"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_separate),
        cmocka_unit_test(quoted_values_keep_their_commas),
        cmocka_unit_test(other_quotes_and_backslash_are_ordinary),
        cmocka_unit_test(blanks_around_an_item_do_not_count),
        cmocka_unit_test(empty_items_do_not_count),
        cmocka_unit_test(blanks_separate_requests),
        cmocka_unit_test(quotes_in_names_are_ordinary),
        cmocka_unit_test(random_lists_split_as_defined),
        cmocka_unit_test(a_list_of_names_keeps_its_order_and_takes_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
