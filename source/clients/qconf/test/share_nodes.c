/* The nodes of the share tree, shown and changed one by one. */
#include "clients/qconf/test/played_cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

static void set_tree(struct played_cell *cell, const char *const *nodes)
{
    cull_set(&cell->tree, TX_name, "sharetree");
    for (; *nodes != NULL; nodes++) {
        struct VA_Type *va = cull_append(&cell->tree, TX_entries);
        cull_set(va, VA_variable, "node");
        cull_set(va, VA_value, *nodes);
    }
}

static const char *const groups_tree[] = {
    "id=0 name=Root type=0 shares=1 childnodes=3,1",
    "id=1 name=dept type=0 shares=10 childnodes=2",
    "id=2 name=eve.smith type=0 shares=5 childnodes=NONE",
    "id=3 name=default type=0 shares=7 childnodes=NONE",
    NULL,
};

static void expect_nodes(const struct played_cell *cell, const char *const *nodes)
{
    uint32_t n = 0;
    for (; nodes[n] != NULL; n++) {
        assert_true(n < cell->tree.TX_entries.n);
        assert_string_equal(cell->tree.TX_entries.v[n].VA_value, nodes[n]);
    }
    assert_int_equal(cell->tree.TX_entries.n, n);
}

static void nodes_of_the_share_tree_are_shown_by_path(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    struct page p = RUN(&cell, "-sstnode", "/");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "No sharetree\n");
    page_free(&p);
    set_tree(&cell, groups_tree);
    expect_shown(&cell, "-sstnode", "/", "/=1\n");
    expect_shown(&cell, "-sstnode", "default,/dept", "/default=7\n/dept=10\n");
    expect_shown(&cell, "-sstnode", "dept.eve.smith", "/dept/eve.smith=5\n");
    expect_shown(&cell, "-rsstnode", "dept", "/dept=10\n/dept/eve.smith=5\n");
    expect_shown(&cell, "-rsstnode", "/", "/=1\n/default=7\n/dept=10\n/dept/eve.smith=5\n");
    p = RUN(&cell, "-sstnode", "/dept/eve,/dept");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "/dept=10\n");
    assert_string_equal(p.err, "Unable to locate \"/dept/eve\" in sharetree\n");
    page_free(&p);
    played_cell_free(&cell);
}

static void nodes_of_the_share_tree_come_change_and_go(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    set_tree(&cell, groups_tree);
    struct page p = RUN(&cell, "-astnode", "/dept/bob=3,prj1=4,/prj1/eve.smith=2");
    assert_string_equal(p.err, "done\n");
    page_free(&p);
    static const char *const added[] = {
        "id=0 name=Root type=0 shares=1 childnodes=3,1,5",
        "id=1 name=dept type=0 shares=10 childnodes=2,4",
        "id=2 name=eve.smith type=0 shares=5 childnodes=NONE",
        "id=3 name=default type=0 shares=7 childnodes=NONE",
        "id=4 name=bob type=0 shares=3 childnodes=NONE",
        "id=5 name=prj1 type=1 shares=4 childnodes=6",
        "id=6 name=eve.smith type=0 shares=2 childnodes=NONE",
        NULL,
    };
    expect_nodes(&cell, added);
    p = RUN(&cell, "-dstnode", "/prj1/eve.smith,prj1,dept.bob", "-mstnode", "/=9,default=0");
    assert_string_equal(p.err, "done\ndone\n");
    page_free(&p);
    static const char *const modified[] = {
        "id=0 name=Root type=0 shares=9 childnodes=3,1",
        "id=1 name=dept type=0 shares=10 childnodes=2",
        "id=2 name=eve.smith type=0 shares=5 childnodes=NONE",
        "id=3 name=default type=0 shares=0 childnodes=NONE",
        NULL,
    };
    expect_nodes(&cell, modified);
    played_cell_free(&cell);
}

static void who_changes_nodes_says_which_tree_he_saw(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    set_tree(&cell, groups_tree);
    struct page p = RUN(&cell, "-mstnode", "default=8");
    page_free(&p);
    assert_int_equal(cell.sent.GR_seen.n, 1);
    assert_string_equal(cell.sent.GR_seen.v[0].TX_entries.v[3].VA_value, groups_tree[3]);
    assert_string_equal(cell.sent.GR_texts.v[0].TX_entries.v[3].VA_value,
                        "id=3 name=default type=0 shares=8 childnodes=NONE");
    played_cell_free(&cell);
}

static void wrong_changes_of_nodes_change_none(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        { { "-mstnode", "default=8,/dept/bob=1" },
          "Unable to locate \"/dept/bob=1\" in sharetree\n" },
        { { "-astnode", "/a=1,/a=2" }, "\"/a=2\" is already in sharetree\n" },
        { { "-astnode", "/b/c=1" }, "Unable to locate \"/b/c=1\" in sharetree\n" },
        { { "-astnode", "/a" }, "\"/a\" is not of the form NODE_PATH=SHARES\n" },
        { { "-mstnode", "/dept=many" }, "\"/dept=many\" is not of the form NODE_PATH=SHARES\n" },
        { { "-dstnode", "/dept" }, "sharetree node \"/dept\" has nodes below it\n" },
        { { "-dstnode", "/" },
          "the root is removed only with the whole sharetree: qconf -dstree\n" },
        { { "-dstnode", "," }, "error: no option argument provided to \"-dstnode\"\n" },
    };
    struct played_cell cell;
    played_cell_init(&cell);
    static const struct wrong none = { { "-astnode", "/a=1" }, "No sharetree\n" };
    expect_refused(&cell, &none, 1);
    set_tree(&cell, groups_tree);
    expect_refused(&cell, wrong, ARRAY_LEN(wrong));
    expect_nodes(&cell, groups_tree);
    played_cell_free(&cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_the_share_tree_are_shown_by_path),
        cmocka_unit_test(nodes_of_the_share_tree_come_change_and_go),
        cmocka_unit_test(who_changes_nodes_says_which_tree_he_saw),
        cmocka_unit_test(wrong_changes_of_nodes_change_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
