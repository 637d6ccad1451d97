/* Tests of libs/view/share_form.c: the share tree as rows */
#include "libs/view/share_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

struct tree_of_shares {
    struct object_form *form;
    struct share_form *rows;
};

static const char TREE[] = "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1,3\n"
                           "id=1\nname=film\ntype=1\nshares=30\nchildnodes=2\n"
                           "id=2\nname=alice\ntype=0\nshares=10\nchildnodes=NONE\n"
                           "id=3\nname=bob\ntype=0\nshares=10\nchildnodes=NONE\n";

static int set_up(void **state)
{
    struct tree_of_shares *t = uti_calloc(1, sizeof *t);
    const struct kind *kind = kind_of(GDI_SHARETREE);
    void *object = kind->form->blank(kind, kind_only(kind));
    t->form = object_form_new(kind, object, OBJECT_CREATE);
    cull_delete(kind_type(kind), object);
    assert_int_equal(object_form_take(t->form, TREE, NULL), 0);
    t->rows = share_form_new(t->form);
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    struct tree_of_shares *t = *state;
    share_form_free(t->rows);
    object_form_free(t->form);
    free(t);
    return 0;
}

static void expect_rows(const struct share_form *s, const char *expected)
{
    struct dstr text = DSTR_INIT;
    for (uint32_t row = 0; row < share_form_count(s); row++)
        dstr_addf(&text, "%u %s %u %.1f\n", share_form_depth(s, row), share_form_name(s, row),
                  share_form_shares(s, row), share_form_percent(s, row));
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static void test_nodes_are_rows_with_what_they_are_entitled_to(void **state)
{
    const struct tree_of_shares *t = *state;
    expect_rows(t->rows, "0 Root 1 100.0\n1 film 30 75.0\n2 alice 10 75.0\n1 bob 10 25.0\n");
    assert_int_equal(share_form_key(t->rows, 3), 4);
}

static void test_changes_go_into_the_form(void **state)
{
    const struct tree_of_shares *t = *state;
    struct dstr text = DSTR_INIT;
    assert_true(share_form_set(t->rows, 3, 90));
    assert_true(share_form_add(t->rows, 1, "carol", 30));
    expect_rows(t->rows, "0 Root 1 100.0\n1 film 30 25.0\n2 alice 10 6.2\n2 carol 30 18.8\n"
                         "1 bob 90 75.0\n");
    object_form_text(t->form, &text);
    assert_non_null(strstr(dstr_get(&text), "name=carol\ntype=0\nshares=30\nchildnodes=NONE\n"));
    assert_non_null(strstr(dstr_get(&text), "shares=30\nchildnodes=2,4\n"));
    assert_true(object_form_is_changed(t->form));
    dstr_free(&text);
}

static void test_a_node_goes_with_all_below_it(void **state)
{
    const struct tree_of_shares *t = *state;
    assert_true(share_form_remove(t->rows, 1));
    expect_rows(t->rows, "0 Root 1 100.0\n1 bob 10 100.0\n");
    assert_false(share_form_remove(t->rows, 0));
    assert_false(share_form_remove(t->rows, 2));
}

static void test_a_node_moves_but_not_below_itself(void **state)
{
    const struct tree_of_shares *t = *state;
    assert_false(share_form_move(t->rows, 1, 2));
    assert_false(share_form_move(t->rows, 1, 1));
    assert_false(share_form_move(t->rows, 0, 3));
    assert_true(share_form_move(t->rows, 1, 3));
    expect_rows(t->rows, "0 Root 1 100.0\n1 bob 10 100.0\n2 film 30 100.0\n3 alice 10 100.0\n");
    assert_true(share_form_move(t->rows, 3, 0));
    expect_rows(t->rows, "0 Root 1 100.0\n1 bob 10 50.0\n2 film 30 50.0\n1 alice 10 50.0\n");
}

static void test_what_makes_no_node_changes_nothing(void **state)
{
    const struct tree_of_shares *t = *state;
    assert_false(share_form_add(t->rows, 0, "", 1));
    assert_false(share_form_add(t->rows, 0, "two words", 1));
    assert_false(share_form_add(t->rows, 9, "carol", 1));
    assert_int_equal(share_form_count(t->rows), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nodes_are_rows_with_what_they_are_entitled_to, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_changes_go_into_the_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_node_goes_with_all_below_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_node_moves_but_not_below_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_makes_no_node_changes_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
