/* Tests of libs/cull/shared.c: equal records are one, which goes with its last holder. */
#include "libs/cull/shared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/test/types.h"

static struct T_Type a_record(const char *name, uint32_t key)
{
    struct T_Type t = { 0 };
    cull_set(&t, T_name, name);
    struct E_Type *e = cull_append(&t, T_list);
    cull_set(e, E_key, key);
    return t;
}

static void equal_records_are_one(void **state SGE_UNUSED)
{
    struct shared_records *s = shared_records_new(&cull_T_Type);
    struct T_Type first = a_record("x", 1), second = a_record("x", 1), other = a_record("x", 2);
    const struct T_Type *a = shared_records_get(s, &first), *b = shared_records_get(s, &second),
                        *c = shared_records_get(s, &other);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    assert_string_equal(a->T_name, "x");
    assert_int_equal(c->T_list.v[0].E_key, 2);
    assert_int_equal(shared_records_count(s), 2);
    assert_null(first.T_name); /* moved */
    assert_null(second.T_list.v);
    shared_records_drop(s, a);
    shared_records_drop(s, b);
    shared_records_drop(s, c);
    shared_records_free(s);
}

/* a field that is there and empty is not one that is missing */
static void presence_counts(void **state SGE_UNUSED)
{
    struct shared_records *s = shared_records_new(&cull_T_Type);
    struct T_Type missing = { 0 }, empty = { 0 };
    cull_mark(&empty, T_list);
    const struct T_Type *a = shared_records_get(s, &missing), *b = shared_records_get(s, &empty);
    assert_ptr_not_equal(a, b);
    shared_records_drop(s, a);
    shared_records_drop(s, b);
    shared_records_free(s);
}

static void the_last_holder_frees_it(void **state SGE_UNUSED)
{
    struct shared_records *s = shared_records_new(&cull_T_Type);
    struct T_Type first = a_record("x", 1), second = a_record("x", 1);
    const struct T_Type *a = shared_records_get(s, &first);
    (void)shared_records_get(s, &second);
    shared_records_drop(s, a);
    assert_int_equal(shared_records_count(s), 1);
    shared_records_drop(s, a);
    assert_int_equal(shared_records_count(s), 0);
    shared_records_drop(s, NULL);
    shared_records_free(s);
    shared_records_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_records_are_one),
        cmocka_unit_test(presence_counts),
        cmocka_unit_test(the_last_holder_frees_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
