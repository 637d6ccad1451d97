/* Counted strings live as long as somebody holds them; a pool shares equal ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "libs/cull/cull.h"

static void a_string_keeps_its_bytes(void **state)
{
    const char *s = cull_string_new("all.q@host and more", 10), *empty = cull_string_new(NULL, 0);

    (void)state;
    assert_string_equal(s, "all.q@host");
    assert_string_equal(empty, "");
    assert_ptr_equal(cull_string_hold(s), s);
    cull_string_drop(s);
    assert_string_equal(s, "all.q@host"); /* one holder is left */
    cull_string_drop(s);
    cull_string_drop(empty);
    cull_string_drop(NULL);
    assert_null(cull_string_hold(NULL));
}

static void a_pool_shares_equal_strings(void **state)
{
    struct cull_pool *p = cull_pool_new();
    const char *a = cull_pool_get(p, "alice", 5), *b = cull_pool_get(p, "alice!", 5),
               *c = cull_pool_get(p, "bob", 3);

    (void)state;
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    cull_pool_free(p);
    assert_string_equal(a, "alice"); /* holders outlive the pool */
    cull_string_drop(a);
    cull_string_drop(b);
    cull_string_drop(c);
    cull_pool_free(NULL);
}

static void a_pool_forgets_what_nobody_holds(void **state)
{
    struct cull_pool *p = cull_pool_new();
    const char *kept = cull_pool_get(p, "kept", 4);

    (void)state;
    for (int i = 0; i < 5000; i++) {
        char name[16];
        int len = snprintf(name, sizeof name, "n%d", i);
        cull_string_drop(cull_pool_get(p, name, (size_t)len));
    }
    const char *again = cull_pool_get(p, "kept", 4);
    assert_ptr_equal(again, kept);
    cull_string_drop(again);
    cull_string_drop(kept);
    cull_pool_free(p);
}

/* long texts are nobody's owner or host; and a client that sent many short ones leaves nothing */
static void a_pool_is_bounded_by_what_is_in_use(void **state)
{
    static char text[CULL_POOL_MOST + 1];
    struct cull_pool *p = cull_pool_new();

    (void)state;
    memset(text, 'x', sizeof text);
    cull_string_drop(cull_pool_get(p, text, sizeof text));
    assert_int_equal(cull_pool_count(p), 0);
    for (int i = 0; i < 10000; i++) {
        int len = snprintf(text, sizeof text, "n%d", i);
        cull_string_drop(cull_pool_get(p, text, (size_t)len));
        assert_true(cull_pool_count(p) <= 2);
    }
    cull_pool_sweep(p, 2);
    assert_int_equal(cull_pool_count(p), 0);
    cull_pool_sweep(p, 1000);
    cull_pool_free(p);
}

static void the_hand_goes_round_over_strings_in_use(void **state)
{
    enum { HELD = 1000 };
    const char *held[HELD];
    char name[16];
    struct cull_pool *p = cull_pool_new();

    (void)state;
    for (int i = 0; i < HELD; i++)
        held[i] = cull_pool_get(p, name, (size_t)snprintf(name, sizeof name, "n%d", i));
    for (int i = 0; i < HELD; i += 2)
        cull_string_drop(held[i]);
    cull_pool_sweep(p, HELD);
    assert_int_equal(cull_pool_count(p), HELD / 2);
    for (int i = 1; i < HELD; i += 2)
        cull_string_drop(held[i]);
    cull_pool_sweep(p, HELD);
    assert_int_equal(cull_pool_count(p), 0);
    cull_pool_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_keeps_its_bytes),
        cmocka_unit_test(a_pool_shares_equal_strings),
        cmocka_unit_test(a_pool_forgets_what_nobody_holds),
        cmocka_unit_test(a_pool_is_bounded_by_what_is_in_use),
        cmocka_unit_test(the_hand_goes_round_over_strings_in_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
