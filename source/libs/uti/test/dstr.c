/* Growing strings. */
#include "libs/uti/dstr.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void empty_reads_as_empty_text(void **state)
{
    (void)state;
    struct dstr d = DSTR_INIT;
    assert_string_equal(dstr_get(&d), "");
    dstr_clear(&d);
    dstr_addn(&d, "", 0);
    assert_string_equal(dstr_get(&d), "");
    dstr_free(&d);
    dstr_free(&d);
    dstr_free(NULL);
}

static void pieces_are_put_together(void **state)
{
    (void)state;
    struct dstr d = DSTR_INIT;
    dstr_add(&d, "job ");
    dstr_addf(&d, "%d.%s", 12, "3");
    dstr_addc(&d, '!');
    dstr_addn(&d, "abcdef", 3);
    assert_string_equal(dstr_get(&d), "job 12.3!abc");
    assert_int_equal(d.len, 12);
    dstr_clear(&d);
    assert_string_equal(dstr_get(&d), "");
    dstr_free(&d);
}

static void formats_longer_than_the_room_are_whole(void **state)
{
    (void)state;
    for (int len = 1; len < 300; len++) {
        struct dstr d = DSTR_INIT;
        dstr_add(&d, "<");
        dstr_addf(&d, "%0*d", len, 7);
        dstr_add(&d, ">");
        assert_int_equal(d.len, len + 2);
        assert_int_equal(strlen(d.s), len + 2);
        assert_int_equal(d.s[len], '7');
        dstr_free(&d);
    }
}

static void a_byte_zero_counts_as_a_byte(void **state)
{
    (void)state;
    struct dstr d = DSTR_INIT;
    dstr_addn(&d, "a\0b", 3);
    assert_int_equal(d.len, 3);
    assert_memory_equal(d.s, "a\0b", 4);
    dstr_free(&d);
}

static void what_the_caller_writes_stands_at_the_end(void **state)
{
    struct dstr d = DSTR_INIT;

    (void)state;
    for (int i = 0; i < 100; i++)
        memcpy(dstr_extend(&d, 3), "abc", 3);
    (void)dstr_extend(&d, 0);
    assert_int_equal(d.len, 300);
    assert_int_equal(strlen(dstr_get(&d)), 300);
    assert_string_equal(dstr_get(&d) + 294, "abcabc");
    dstr_free(&d);
}

static void take_hands_over_and_empties(void **state)
{
    (void)state;
    struct dstr d = DSTR_INIT;
    char *s = dstr_take(&d);
    assert_string_equal(s, "");
    free(s);
    dstr_add(&d, "x");
    s = dstr_take(&d);
    assert_string_equal(s, "x");
    assert_null(d.s);
    free(s);
}

static void room_that_was_written_belongs_to_the_text(void **state)
{
    (void)state;
    struct dstr d = DSTR_INIT;
    size_t has;
    for (int i = 0; i < 3; i++) {
        char *room = dstr_room(&d, 100, &has);
        assert_true(has >= 100);
        memset(room, 'x', has);
        dstr_grew(&d, i == 1 ? 0 : 2);
        assert_int_equal(strlen(dstr_get(&d)), d.len);
    }
    assert_string_equal(dstr_get(&d), "xxxx");
    dstr_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_reads_as_empty_text),
        cmocka_unit_test(pieces_are_put_together),
        cmocka_unit_test(formats_longer_than_the_room_are_whole),
        cmocka_unit_test(a_byte_zero_counts_as_a_byte),
        cmocka_unit_test(what_the_caller_writes_stands_at_the_end),
        cmocka_unit_test(take_hands_over_and_empties),
        cmocka_unit_test(room_that_was_written_belongs_to_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
