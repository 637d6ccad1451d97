/* Tests of libs/config/share_tree.c: what sge_share_tree(5) says of a tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/object.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static const char captured[] = "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1\n"
                               "id=1\nname=default\ntype=0\nshares=10\nchildnodes=NONE\n";

static const struct object_rules *tree_rules(void)
{
    return object_rules_of(OBJECT_SHARETREE);
}

/* NODES: `id name type children;...` */
static void add_tree(struct dstr *out, const char *nodes)
{
    char name[64], children[64];
    unsigned id, type;
    for (int len = 0; sscanf(nodes, "%u %63s %u %63[^;];%n", &id, name, &type, children, &len) == 4;
         nodes += len)
        dstr_addf(out, "id=%u\nname=%s\ntype=%u\nshares=1\nchildnodes=%s\n", id, name, type,
                  children);
}

static int read_tree(const char *text, struct TX_Type *tx, struct answer *ans)
{
    return object_parse(tree_rules(), text, tx, ans) == 0 ? object_settle(tree_rules(), tx, ans)
                                                          : -1;
}

static void assert_text_refused(const char *text, const char *want)
{
    struct TX_Type tx = { 0 };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(read_tree(text, &tx, &ans), -1);
    assert_string_equal(ans_first_error(&ans), want);
    ans_free(&ans);
    cull_clear(&cull_TX_Type, &tx);
}

static void assert_tree(const char *nodes, const char *refusal)
{
    struct dstr text = DSTR_INIT;
    struct TX_Type tx = { 0 };
    add_tree(&text, nodes);
    if (refusal != NULL)
        assert_text_refused(dstr_get(&text), refusal);
    else
        assert_int_equal(read_tree(dstr_get(&text), &tx, NULL), 0);
    cull_clear(&cull_TX_Type, &tx);
    dstr_free(&text);
}

static void a_tree_is_shown_as_it_was_given(void **state SGE_UNUSED)
{
    struct TX_Type tx = { 0 };
    struct dstr text = DSTR_INIT;
    assert_int_equal(read_tree(captured, &tx, NULL), 0);
    assert_string_equal(tx.TX_name, "sharetree");
    object_text(tree_rules(), &tx, false, &text);
    assert_string_equal(dstr_get(&text), captured);
    cull_clear(&cull_TX_Type, &tx);
    dstr_free(&text);
}

static void a_new_tree_begins_with_a_root(void **state SGE_UNUSED)
{
    static const char template[] = "id=0\nname=template\ntype=0\nshares=0\nchildnodes=NONE\n";
    struct TX_Type tx = { 0 };
    struct dstr text = DSTR_INIT;
    object_template(tree_rules(), "sharetree", &tx);
    object_text(tree_rules(), &tx, false, &text);
    assert_string_equal(dstr_get(&text), template);
    cull_clear(&cull_TX_Type, &tx);
    dstr_free(&text);
}

static void words_of_a_node_come_in_any_order_after_its_id(void **state SGE_UNUSED)
{
    struct TX_Type tx = { 0 };
    assert_int_equal(
        read_tree("# a comment\nid=0\nshares=007\nchildnodes=none\nname=Root\ntype=0\n", &tx, NULL),
        0);
    assert_string_equal(object_value(&tx, "node"),
                        "id=0 name=Root type=0 shares=7 childnodes=NONE");
    cull_clear(&cull_TX_Type, &tx);
}

static void the_first_wrong_line_is_named(void **state SGE_UNUSED)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        { "", "required attribute \"id\" is missing" },
        { "id=0\nname=R\ntype=0\nshares=1\n", "required attribute \"childnodes\" is missing" },
        { "id=0\nname=R\nid=1\n", "required attribute \"type\" is missing" },
        { "id=0\nname=R\nname=S\n", "attribute \"name\" is specified twice" },
        { "id=0\njunk 1\n", "unknown attribute name \"junk 1\"" },
        { "id=-1\n", "attribute \"id\": \"-1\" is not a number from 0 to 2147483647" },
        { "id=0\ntype=2\n", "attribute \"type\": \"2\" is not a number from 0 to 1" },
        { "id=0\nname=a/b\n", "error in share tree: \"a/b\" is not a valid name" },
        { "id=0\nname=a b\n", "error in share tree: \"a b\" is not a valid name" },
        { "id=0\nname=\x01\n", "attribute \"name\": the value contains a control character" },
        { "id=0\nname=\n", "attribute \"name\": \"\" is not a text" },
        { "id=0\nchildnodes=1;2\n",
          "error in share tree: \"1;2\" is not a list of ids with commas between them" },
        { "id=0\nchildnodes=,\n",
          "error in share tree: \",\" is not a list of ids with commas between them" },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_text_refused(rows[i].text, rows[i].want);
}

static void every_node_is_the_child_of_one(void **state SGE_UNUSED)
{
    assert_tree("0 Root 0 1,2;1 a 0 3;2 b 0 NONE;3 c 0 NONE;", NULL);
    assert_tree("0 Root 0 1;1 a 0 NONE;1 b 0 NONE;",
                "error in share tree: \"id=1\" is there twice");
    assert_tree("0 Root 0 1;", "error in share tree: \"id=1\" is a child and does not exist");
    assert_tree("0 Root 0 1,1;1 a 0 NONE;", "error in share tree: \"id=1\" is a child twice");
    assert_tree("0 Root 0 1;1 a 0 0;",
                "error in share tree: \"id=0\" stands first and is the root, "
                "so that it cannot be a child");
    assert_tree("0 Root 0 NONE;1 a 0 NONE;", "error in share tree: \"a\" is not below the root");
    assert_tree("0 Root 0 NONE;1 a 0 2;2 b 0 1;",
                "error in share tree: \"a\" is more than 100 levels below the root");
}

static void nobody_has_two_shares(void **state SGE_UNUSED)
{
    assert_tree("0 Root 0 1,2;1 p 1 3;2 q 1 4;3 eve 0 NONE;4 eve 0 NONE;", NULL);
    assert_tree("0 Root 0 1,2;1 g 0 3;2 h 0 4;3 eve 0 NONE;4 eve 0 NONE;",
                "error in share tree: \"eve\" has more than one share");
    assert_tree("0 Root 0 1,2;1 p 1 NONE;2 h 0 3;3 p 1 NONE;",
                "error in share tree: \"p\" has more than one share");
    assert_tree("0 Root 0 1,2;1 g 0 3;2 g 0 4;3 eve 0 NONE;4 bob 0 NONE;",
                "error in share tree: \"g\" is there twice below one node");
    assert_tree("0 Root 0 1;1 p 1 2;2 g 0 3;3 q 1 NONE;",
                "error in share tree: \"q\" is a project within a project");
}

static bool add_name(void *ctx, const struct reference *to)
{
    dstr_addf(ctx, "%s %s;", to->kind == OBJECT_PROJECT ? "project" : "user", to->name);
    return true;
}

static void leaves_are_users_and_projects(void **state SGE_UNUSED)
{
    struct dstr text = DSTR_INIT, names = DSTR_INIT;
    struct TX_Type tx = { 0 };
    add_tree(&text, "0 Root 0 1,2,5;1 p 1 3;2 group 0 4;3 eve 0 NONE;4 bob 0 NONE;"
                    "5 default 0 NONE;");
    assert_int_equal(read_tree(dstr_get(&text), &tx, NULL), 0);
    void *record = object_record(tree_rules(), &tx);
    assert_true(object_references(tree_rules(), &tx, record, add_name, &names));
    assert_string_equal(dstr_get(&names), "project p;user eve;user bob;");
    cull_delete(tree_rules()->type, record);
    cull_clear(&cull_TX_Type, &tx);
    dstr_free(&text);
    dstr_free(&names);
}

/* a chain of N nodes below the root */
static void add_chain(struct dstr *out, int n)
{
    dstr_add(out, "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1\n");
    for (int i = 1; i < n; i++)
        dstr_addf(out, "id=%d\nname=n%d\ntype=0\nshares=1\nchildnodes=%d\n", i, i, i + 1);
    dstr_addf(out, "id=%d\nname=n%d\ntype=0\nshares=1\nchildnodes=NONE\n", n, n);
}

static void a_tree_has_at_most_100_levels_and_10000_entries(void **state SGE_UNUSED)
{
    static const struct {
        int n;
        const char *want;
    } rows[] = {
        { 100, NULL },
        { 101, "error in share tree: \"n101\" is more than 100 levels below the root" },
        { 9998, "error in share tree: \"n101\" is more than 100 levels below the root" },
        { 10000, "share tree \"sharetree\": more than 10000 entries" },
        { 100000, "share tree \"sharetree\": more than 10000 entries" },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct dstr text = DSTR_INIT;
        struct TX_Type tx = { 0 };
        add_chain(&text, rows[i].n);
        if (rows[i].want != NULL)
            assert_text_refused(dstr_get(&text), rows[i].want);
        else
            assert_int_equal(read_tree(dstr_get(&text), &tx, NULL), 0);
        cull_clear(&cull_TX_Type, &tx);
        dstr_free(&text);
    }
}

static void a_foreign_sender_cannot_bring_another_tree(void **state SGE_UNUSED)
{
    static const char *const nodes[] = { "", "id=0",
                                         "id=0 name=R type=0 shares=1 childnodes=NONE x",
                                         "name=R id=0 type=0 shares=1 childnodes=NONE",
                                         "id=0 name=R type=0 shares=01 childnodes=NONE" };
    for (size_t i = 0; i < ARRAY_LEN(nodes); i++) {
        struct TX_Type tx = { 0 };
        cull_set(&tx, TX_name, "sharetree");
        struct VA_Type *va = cull_append(&tx, TX_entries);
        cull_set(va, VA_variable, "node");
        cull_set(va, VA_value, nodes[i]);
        assert_int_equal(object_settle(tree_rules(), &tx, NULL), -1);
        cull_clear(&cull_TX_Type, &tx);
    }
    struct TX_Type none = { 0 };
    cull_set(&none, TX_name, "sharetree");
    assert_int_equal(object_settle(tree_rules(), &none, NULL), -1);
    cull_clear(&cull_TX_Type, &none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_shown_as_it_was_given),
        cmocka_unit_test(a_new_tree_begins_with_a_root),
        cmocka_unit_test(words_of_a_node_come_in_any_order_after_its_id),
        cmocka_unit_test(the_first_wrong_line_is_named),
        cmocka_unit_test(every_node_is_the_child_of_one),
        cmocka_unit_test(nobody_has_two_shares),
        cmocka_unit_test(leaves_are_users_and_projects),
        cmocka_unit_test(a_tree_has_at_most_100_levels_and_10000_entries),
        cmocka_unit_test(a_foreign_sender_cannot_bring_another_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
