/* Attributes that no table has are stored, printed and named. */
#include "libs/config/attr_unknown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka last: it needs the three above */
#include <cmocka.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static const char *known_at(const void *of SGE_UNUSED, size_t i)
{
    static const char *const known[] = { "slots", "pe_list" };
    return i < ARRAY_LEN(known) ? known[i] : NULL;
}

static void assert_refused(const struct VA_Type_list *l, const char *name, const char *value,
                           const char *want)
{
    struct VA_Type_list copy = { 0 };
    struct answer ans = ANSWER_INIT;
    for (uint32_t i = 0; i < l->n; i++)
        cull_copy(&cull_VA_Type, cull_push(&copy), &l->v[i]);
    assert_int_equal(attr_unknown_add(&copy, name, value, &ans), -1);
    assert_string_equal(ans_first_error(&ans), want);
    assert_int_equal(copy.n, l->n);
    cull_list_clear(&cull_VA_Type, &copy);
    ans_free(&ans);
}

static void what_is_added_is_printed_in_its_order(void **state SGE_UNUSED)
{
    struct VA_Type_list l = { 0 };
    struct dstr out = DSTR_INIT;
    assert_int_equal(attr_unknown_add(&l, "d_rt", "100", NULL), 0);
    assert_int_equal(attr_unknown_add(&l, "backfill", "a b", NULL), 0);
    attr_unknown_print(&l, 10, false, &out);
    assert_string_equal(dstr_get(&out), "d_rt      100\nbackfill  a b\n");
    assert_int_equal(attr_unknown_check(&l, known_at, NULL, NULL), 0);
    cull_set(&l.v[0], VA_variable, "slots");
    assert_int_equal(attr_unknown_check(&l, known_at, NULL, NULL), -1);
    dstr_free(&out);
    cull_list_clear(&cull_VA_Type, &l);
}

static void what_cannot_be_an_attribute_is_an_error(void **state SGE_UNUSED)
{
    static const char *const bad[] = { "", "1st", "a-b", "a b", "a\nb", "a{" };
    struct VA_Type_list l = { 0 };
    struct dstr want = DSTR_INIT;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        dstr_clear(&want);
        dstr_addf(&want, "unknown attribute name \"%s\"", bad[i]);
        assert_refused(&l, bad[i], "1", dstr_get(&want));
    }
    assert_refused(&l, "a", "\033[1m", "attribute \"a\": the value contains a control character");
    for (int i = 0; i < ATTR_UNKNOWN_MOST; i++) {
        dstr_clear(&want);
        dstr_addf(&want, "other_%d", i);
        assert_int_equal(attr_unknown_add(&l, dstr_get(&want), "1", NULL), 0);
    }
    assert_refused(&l, "other_0", "2", "attribute \"other_0\" is specified twice");
    assert_refused(&l, "one_more", "2", "more than 64 unknown attributes");
    dstr_free(&want);
    cull_list_clear(&cull_VA_Type, &l);
}

static void what_is_new_is_named_with_the_nearest(void **state SGE_UNUSED)
{
    struct VA_Type_list l = { 0 }, none = { 0 };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(attr_unknown_add(&l, "slotz", "1", NULL), 0);
    assert_int_equal(attr_unknown_add(&l, "backfill", "1", NULL), 0);
    attr_unknown_warn(&l, &none, known_at, NULL, &ans);
    assert_int_equal(ans.n, 2);
    assert_string_equal(ans.v[0].text, "attribute \"slotz\" is unknown: it is stored, but has no "
                                       "effect; did you mean \"slots\"?");
    assert_string_equal(ans.v[1].text,
                        "attribute \"backfill\" is unknown: it is stored, but has no effect");
    attr_unknown_warn(&l, &l, known_at, NULL, &ans);
    assert_int_equal(ans.n, 2);
    ans_free(&ans);
    cull_list_clear(&cull_VA_Type, &l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_added_is_printed_in_its_order),
        cmocka_unit_test(what_cannot_be_an_attribute_is_an_error),
        cmocka_unit_test(what_is_new_is_named_with_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
