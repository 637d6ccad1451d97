/* What can be the name of a host, and which two names mean one. */
#include "libs/uti/host_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_digits_and_three_others_make_a_name),
        cmocka_unit_test(a_name_has_253_characters_at_most),
        cmocka_unit_test(case_and_domain_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
