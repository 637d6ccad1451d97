/* What can be the name of a host, and which two names mean one. */
#include "libs/uti/host_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "libs/uti/answer.h"

static void letters_digits_and_three_others_make_a_name(void **state)
{
    static const char *const names[] = { "a", "node1", "Node-1.example.org", "4", "my_host" };
    static const char *const others[] = { "",     ".",     "-n",     "@all",      "a b", "a,b",
                                          "a\nb", "node*", "../etc", "n\xc3\xb6", "a:1" };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        assert_true(host_name_is_valid(names[i]));
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_false(host_name_is_valid(others[i]));
}

static void a_name_has_253_characters_at_most(void **state)
{
    char name[255];
    (void)state;
    memset(name, 'n', sizeof name);
    name[254] = '\0';
    assert_false(host_name_is_valid(name));
    name[253] = '\0';
    assert_true(host_name_is_valid(name));
}

static void case_and_domain_do_not_count(void **state)
{
    (void)state;
    assert_true(host_name_equal("node1", "node1"));
    assert_true(host_name_equal("node1", "NODE1.example.org"));
    assert_true(host_name_equal("Node1.a", "node1.b"));
    assert_false(host_name_equal("node1", "node10"));
    assert_false(host_name_equal("node1.a", "node2.a"));
    assert_false(host_name_equal("", "node1"));
}

static void an_address_counts_whole(void **state)
{
    (void)state;
    assert_true(host_name_equal("10.0.0.1", "10.0.0.1"));
    assert_false(host_name_equal("10.0.0.1", "10.0.0.2"));
    assert_false(host_name_equal("10", "10.0.0.2"));
    assert_true(host_name_equal("10.example", "10"));
}

static const char *unique_name(const char *name)
{
    static char unique[HOST_NAME_BYTES];
    host_name_unique(name, unique);
    return unique;
}

static void use_aliases(const char *text)
{
    struct answer ans = ANSWER_INIT;
    if (host_aliases_use(text, "host_aliases", &ans) != 0)
        fail_msg("%s", ans.v[0].text);
    ans_free(&ans);
}

static void a_host_has_one_unique_name(void **state)
{
    (void)state;
    assert_string_equal(unique_name("NODE1.example.org"), "node1");
    assert_string_equal(unique_name("10.0.0.1"), "10.0.0.1");
    use_aliases(
        "# own name, aliases\n\nNode1.example.org node1-ib,node1-eth\n  node2 10.0.0.2\r\n");
    assert_string_equal(unique_name("node1-IB.other.net"), "node1");
    assert_string_equal(unique_name("node1-eth"), "node1");
    assert_string_equal(unique_name("10.0.0.2"), "node2");
    assert_string_equal(unique_name("node3"), "node3");
    assert_true(host_name_equal("node1-ib", "node1-eth"));
    assert_true(host_name_equal("NODE1", "node1-eth"));
    assert_false(host_name_equal("node2", "node1-eth"));
    use_aliases("");
    assert_false(host_name_equal("node1", "node1-eth"));
}

static void patterns_mean_hosts_in_any_case(void **state)
{
    (void)state;
    use_aliases("node1 node1-ib\n");
    assert_true(host_name_matches("NODE*", "node1"));
    assert_true(host_name_matches("node[1-3]", "Node1"));
    assert_false(host_name_matches("node[2-3]", "Node1"));
    assert_true(host_name_matches("node1-ib.example.org", "node1"));
    assert_false(host_name_matches("*-ib", "node1"));
    assert_false(host_name_matches("!node1", "Node1.example.org"));
    assert_true(host_name_matches("!(node2|node3*)", "node1"));
    assert_true(host_name_matches("node2|node1.example.com", "node1"));
    use_aliases("");
}

static void expect_refusal(const char *text, const char *line)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(host_aliases_use(text, "host_aliases", &ans), -1);
    assert_string_equal(ans.v[0].text, line);
    ans_free(&ans);
    assert_true(host_name_equal("node1", "node1-ib"));
}

static void aliases_that_contradict_each_other_change_nothing(void **state)
{
    (void)state;
    use_aliases("node1 node1-ib\n");
    expect_refusal(
        "node1 other\nnode2 OTHER\n",
        "host_aliases, line 2: the name \"other\" stands for two hosts: node1 and node2");
    expect_refusal(
        "node1 other\nother more\n",
        "host_aliases, line 2: the name \"other\" stands for two hosts: node1 and other");
    expect_refusal("node1 no:de\n", "host_aliases, line 1: \"no:de\" is not a valid host name");
    use_aliases("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_digits_and_three_others_make_a_name),
        cmocka_unit_test(a_name_has_253_characters_at_most),
        cmocka_unit_test(case_and_domain_do_not_count),
        cmocka_unit_test(an_address_counts_whole),
        cmocka_unit_test(a_host_has_one_unique_name),
        cmocka_unit_test(patterns_mean_hosts_in_any_case),
        cmocka_unit_test(aliases_that_contradict_each_other_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
