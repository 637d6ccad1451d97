/* Tests of sge_share_mon: what its lines say, with hand-made answers. */
#include "clients/sge_share_mon/share_mon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/answer.h"

/* the tree of the documentation: P1 60 (alice 3, bob 1), P2 40, default 10 */
static const char *const nodes_of_tree[] = {
    "id=0 name=Root type=0 shares=1 childnodes=1,4,5",
    "id=1 name=P1 type=1 shares=60 childnodes=2,3",
    "id=2 name=alice type=0 shares=3 childnodes=NONE",
    "id=3 name=bob type=0 shares=1 childnodes=NONE",
    "id=4 name=P2 type=1 shares=40 childnodes=NONE",
    "id=5 name=default type=0 shares=10 childnodes=NONE",
};

static void add_entry(struct TX_Type *tx, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(tx, TX_entries);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

static void add_usage(struct TX_Type_list *l, const char *user, const char *project,
                      const char *used, const char *total)
{
    struct TX_Type *tx = cull_push(l);
    cull_set(tx, TX_name, user);
    add_entry(tx, "project", project);
    add_entry(tx, "time", "77");
    add_entry(tx, "used", used);
    add_entry(tx, "total", total);
}

struct fixture {
    struct TX_Type tree;
    struct TX_Type_list users, usage;
    struct UA_Type_list jobs;
    struct share_tree read;
    struct mon_nodes nodes;
};

static int set_up(void **state)
{
    static const char *const users[] = { "olga", "bob", "alice" };
    struct fixture *f = calloc(1, sizeof *f);
    for (size_t i = 0; i < ARRAY_LEN(nodes_of_tree); i++)
        add_entry(&f->tree, "node", nodes_of_tree[i]);
    for (size_t i = 0; i < ARRAY_LEN(users); i++)
        cull_set((struct TX_Type *)cull_push(&f->users), TX_name, users[i]);
    add_usage(&f->usage, "alice", "P1", "cpu=10.000000", "cpu=20.500000");
    add_usage(&f->usage, "bob", "P1", "cpu=5.000000", "cpu=5.000000");
    add_usage(&f->usage, "bob", "P2", "cpu=5.000000", "cpu=6.000000");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    mon_clear(&f->nodes);
    share_tree_clear(&f->read);
    cull_clear(&cull_TX_Type, &f->tree);
    cull_list_clear(&cull_TX_Type, &f->users);
    cull_list_clear(&cull_TX_Type, &f->usage);
    cull_list_clear(&cull_UA_Type, &f->jobs);
    free(f);
    return 0;
}

static void collect_lines(struct fixture *f)
{
    const struct mon_cell cell = {
        .tree = &f->tree, .users = &f->users, .usage = &f->usage, .jobs = &f->jobs, .now_s = 99
    };
    f->read = share_tree_read(&f->tree);
    mon_collect(&cell, &f->read, &f->nodes);
}

static const struct mon_node *line_of(const struct fixture *f, const char *path)
{
    for (uint32_t i = 0; i < f->nodes.n; i++)
        if (strcmp(f->nodes.v[i].path, path) == 0)
            return &f->nodes.v[i];
    fail_msg("no line of %s", path);
    return NULL;
}

static bool is_about(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

static void lines_are_in_the_order_of_the_tree_and_default_is_all_other_users(void **state)
{
    static const char *const paths[] = { "/",
                                         "/P1",
                                         "/P1/alice",
                                         "/P1/bob",
                                         "/P2",
                                         "/default",
                                         "/default/alice",
                                         "/default/bob",
                                         "/default/olga" };
    struct fixture *f = *state;
    collect_lines(f);
    assert_int_equal(f->nodes.n, ARRAY_LEN(paths));
    for (size_t i = 0; i < ARRAY_LEN(paths); i++)
        assert_string_equal(f->nodes.v[i].path, paths[i]);
    assert_true(is_about(line_of(f, "/P1")->level, 0.545455));
    assert_true(is_about(line_of(f, "/P1/alice")->total, 0.409091));
    assert_true(is_about(line_of(f, "/default/olga")->level, 0.333333));
    assert_true(is_about(line_of(f, "/default/olga")->total, 0.030303));
    assert_int_equal(line_of(f, "/default/olga")->shares, 10);
}

static void usage_counts_for_users_within_a_project_and_for_the_project(void **state)
{
    struct fixture *f = *state;
    collect_lines(f);
    assert_true(line_of(f, "/P1")->usage == 15 && line_of(f, "/P1")->used[0] == 15);
    assert_true(line_of(f, "/P1/alice")->in_all[0] == 20.5);
    assert_true(line_of(f, "/P2")->usage == 5);
    assert_true(line_of(f, "/default/bob")->usage == 0);
    assert_true(line_of(f, "/")->usage == 20 && line_of(f, "/")->used[0] == 0);
    assert_true(is_about(line_of(f, "/P1")->actual, 0.75));
    assert_int_equal(line_of(f, "/P1/alice")->usage_s, 77);
    assert_int_equal(line_of(f, "/P1")->usage_s, 0);
}

static void targets_are_of_those_who_have_jobs(void **state)
{
    struct fixture *f = *state;
    struct UA_Type *jobs = cull_push(&f->jobs);
    cull_set(jobs, UA_name, "bob/P2");
    cull_set(jobs, UA_value, 2);
    jobs = cull_push(&f->jobs);
    cull_set(jobs, UA_name, "olga/");
    cull_set(jobs, UA_value, 1);
    collect_lines(f);
    assert_int_equal(line_of(f, "/")->n_jobs, 3);
    assert_int_equal(line_of(f, "/P2")->n_jobs, 2);
    assert_int_equal(line_of(f, "/P1")->n_jobs, 0);
    assert_true(line_of(f, "/P1")->long_target == 0);
    assert_true(is_about(line_of(f, "/P2")->long_target, 0.8));
    assert_true(is_about(line_of(f, "/default/olga")->long_target, 0.2));
    /* P2 has had a quarter, so that it is due 0.8 x 3.2, and default, which has had nothing, the most
     * that compensation_factor grants: 0.2 x 5 */
    assert_true(is_about(line_of(f, "/P2")->short_target, 2.56 / 3.56));
    assert_true(is_about(line_of(f, "/default")->short_target, 1 / 3.56));
}

/* ---- printing ---- */
static char *printed_text(const struct mon_options *o, const struct fixture *f, bool is_header)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    if (is_header)
        mon_print_header(o, out);
    else
        mon_print(o, &f->nodes, 99, out);
    fclose(out);
    return text;
}

static void expect_printed(const struct fixture *f, const char *expected, char *const *args, int n)
{
    struct mon_options o = {
        .field_delimiter = "\t", .line_delimiter = "\n", .record_delimiter = "\n", .strings = "%s"
    };
    bool shows_usage = false;
    assert_int_equal(mon_parse(n, args, &o, &shows_usage, NULL), 0);
    char *text = printed_text(&o, f, o.has_header);
    assert_string_equal(text, expected);
    free(text);
}
#define EXPECT(f, expected, ...)                                                                   \
    expect_printed(f, expected, (char *const[]){ __VA_ARGS__, NULL },                              \
                   (int)(sizeof((char *const[]){ __VA_ARGS__ }) / sizeof(char *)))

static void lines_are_printed_as_known(void **state)
{
    struct fixture *f = *state;
    collect_lines(f);
    EXPECT(f,
           "99\t77\t/P1/alice\talice\tP1\t3\t0\t0.750000\t0.409091\t0.000000\t0.000000\t0.500000\t"
           "10.000000\t10.000000\t0.000000\t0.000000\t20.500000\t0.000000\t0.000000\t\n\n",
           "/P1/alice");
    EXPECT(
        f,
        "curr_time\tusage_time\tnode_name\tuser_name\tproject_name\tshares\tjob_count\tlevel%\t"
        "total%\tlong_target_share\tshort_target_share\tactual_share\tusage\tcpu\tmem\tio\tltcpu\t"
        "ltmem\tltio\t\n\n",
        "-h");
    EXPECT(f, "node_name=/P2;shares=40;|", "-n", "-d", ";", "-l", "|", "-r", "",
           "-fnode_name,shares", "/P2");
    EXPECT(f, "<     alice>,<        P1>,\n<       bob>,<        P1>,\n\n", "-xf",
           "user_name,project_name", "-s", "<%10s>", "-d,", "/P1", "/P1/alice", "/P1/bob");
    EXPECT(f, "al  .,\n\n", "-f", "user_name", "-s", "%-4.2s.", "-d,", "/P1/alice");
}

static void what_makes_no_sense_is_refused(void **state SGE_UNUSED)
{
    static char *const wrong[][2] = { { "-q", NULL },    { "-c", NULL },     { "-c", "x" },
                                      { "-i", "0" },     { "-f", "cup" },    { "-f", "," },
                                      { "-m", "r" },     { "-s", "%d" },     { "-s", "%s%s" },
                                      { "-s", "plain" }, { "-s", "%1000s" }, { "-s", "%n" } };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct mon_options o = { 0 };
        struct answer ans = ANSWER_INIT;
        bool shows_usage = false;
        assert_int_equal(mon_parse(wrong[i][1] != NULL ? 2 : 1, wrong[i], &o, &shows_usage, &ans),
                         -1);
        assert_true(ans_has_error(&ans));
        ans_free(&ans);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lines_are_in_the_order_of_the_tree_and_default_is_all_other_users),
        TEST(usage_counts_for_users_within_a_project_and_for_the_project),
        TEST(targets_are_of_those_who_have_jobs),
        TEST(lines_are_printed_as_known),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
