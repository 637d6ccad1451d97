/* Bytes that nobody can guess. */
#include "libs/uti/os.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#include "libs/uti/dstr.h"

static void a_text_has_two_digits_for_each_byte(void **state)
{
    struct dstr text = DSTR_INIT;
    (void)state;
    assert_int_equal(random_text(&text, 16, NULL), 0);
    assert_int_equal(text.len, 32);
    assert_int_equal(strspn(dstr_get(&text), "0123456789abcdef"), 32);
    dstr_free(&text);
}

static void no_two_are_alike(void **state)
{
    uint64_t a[2] = { 0 }, b[2] = { 0 };
    (void)state;
    assert_int_equal(random_bytes(a, sizeof a, NULL), 0);
    assert_int_equal(random_bytes(b, sizeof b, NULL), 0);
    assert_memory_not_equal(a, b, sizeof a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_has_two_digits_for_each_byte),
        cmocka_unit_test(no_two_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
