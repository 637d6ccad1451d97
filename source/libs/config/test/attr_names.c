/* Tests of libs/config/attr_names.c: what may be a name, and the words of lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/config/attr_names.h"
#include "libs/uti/dstr.h"

static void names_have_letters_digits_and_little_else(void **state SGE_UNUSED)
{
    assert_true(object_name_is_valid("all.q"));
    assert_true(object_name_is_valid("gpu_2-x"));
    assert_false(object_name_is_valid(""));
    assert_false(object_name_is_valid("template"));
    assert_false(object_name_is_valid("a@b"));
    assert_false(object_name_is_valid(".q"));
    assert_false(object_name_is_valid("a b"));
    assert_true(host_identifier_is_valid("node01.example"));
    assert_true(host_identifier_is_valid("@allhosts"));
    assert_false(host_identifier_is_valid("@"));
    assert_false(host_identifier_is_valid("a/b"));
    assert_false(host_identifier_is_valid("none"));
}

static void a_user_or_a_group_of_the_system_may_be_in_a_user_set(void **state SGE_UNUSED)
{
    assert_true(userset_entry_is_valid("alice"));
    assert_true(userset_entry_is_valid("@staff"));
    assert_false(userset_entry_is_valid("@"));
    assert_false(userset_entry_is_valid("@none"));
    assert_false(userset_entry_is_valid("a/b"));
}

static void words_stand_between_separators(void **state SGE_UNUSED)
{
    struct dstr word = DSTR_INIT;
    const char *at = " ,a, b ";
    assert_true(attr_next_word(&at, ", ", &word));
    assert_string_equal(dstr_get(&word), "a");
    assert_true(attr_next_word(&at, ", ", &word));
    assert_string_equal(dstr_get(&word), "b");
    assert_false(attr_next_word(&at, ", ", &word));
    dstr_free(&word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_letters_digits_and_little_else),
        cmocka_unit_test(a_user_or_a_group_of_the_system_may_be_in_a_user_set),
        cmocka_unit_test(words_stand_between_separators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
