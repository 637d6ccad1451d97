/* Handles: what is none is noticed without looking at what it points at. */
#include "libs/drmaa/handles.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

static int object, other;

static void a_handle_is_good_until_it_is_removed(void **state)
{
    (void)state;
    struct handles h = { 0 };
    void *handle = handle_add(&h, HANDLE_IDS, &object);
    assert_ptr_equal(handle_find(&h, HANDLE_IDS, handle), &object);
    assert_ptr_equal(handle_remove(&h, HANDLE_IDS, handle), &object);
    assert_null(handle_find(&h, HANDLE_IDS, handle));
    assert_null(handle_remove(&h, HANDLE_IDS, handle));
    handles_free(&h);
}

static void a_handle_does_not_come_back_with_its_place(void **state)
{
    (void)state;
    struct handles h = { 0 };
    void *old = handle_add(&h, HANDLE_IDS, &object);
    handle_remove(&h, HANDLE_IDS, old);
    void *handle = handle_add(&h, HANDLE_IDS, &other);
    assert_int_equal(h.n, 1);
    assert_null(handle_find(&h, HANDLE_IDS, old));
    assert_ptr_equal(handle_find(&h, HANDLE_IDS, handle), &other);
    handles_free(&h);
}

static void a_number_names_a_handle_until_it_is_removed(void **state)
{
    (void)state;
    struct handles h = { 0 };
    void *old = handle_add(&h, HANDLE_TEMPLATE, &object);
    uint32_t number = handle_number(old);
    assert_true(number <= INT32_MAX);
    assert_ptr_equal(handle_of_number(&h, HANDLE_TEMPLATE, number), old);
    assert_null(handle_of_number(&h, HANDLE_IDS, number));
    assert_null(handle_of_number(&h, HANDLE_TEMPLATE, number + 1));
    handle_remove(&h, HANDLE_TEMPLATE, old);
    assert_null(handle_of_number(&h, HANDLE_TEMPLATE, number));
    handle_add(&h, HANDLE_TEMPLATE, &other);
    assert_null(handle_of_number(&h, HANDLE_TEMPLATE, number));
    handles_free(&h);
}

static void another_kind_is_not_meant(void **state)
{
    (void)state;
    struct handles h = { 0 };
    void *handle = handle_add(&h, HANDLE_NAMES, &object);
    assert_null(handle_find(&h, HANDLE_VALUES, handle));
    assert_null(handle_remove(&h, HANDLE_TEMPLATE, handle));
    handles_free(&h);
}

static void foreign_pointers_are_no_handles(void **state)
{
    (void)state;
    struct handles h = { 0 };
    void *memory = malloc(64);
    const void *const foreign[] = { NULL,       memory,           &h,
                                    (void *)-1, (const void *)"", (void *)(uintptr_t)0x13 };
    handle_add(&h, HANDLE_TEMPLATE, &object);
    for (size_t i = 0; i < ARRAY_LEN(foreign); i++)
        for (int kind = HANDLE_TEMPLATE; kind <= HANDLE_IDS; kind++)
            assert_null(handle_find(&h, (enum handle_kind)kind, foreign[i]));
    handles_free(&h);
    free(memory);
}

static void many_come_and_go(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    static int objects[MANY];
    void *all[MANY];
    struct handles h = { 0 };
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++)
            all[i] = handle_add(&h, HANDLE_VALUES, &objects[i]);
        for (int i = 0; i < MANY; i += 2)
            assert_ptr_equal(handle_remove(&h, HANDLE_VALUES, all[i]), &objects[i]);
        for (int i = 1; i < MANY; i += 2)
            assert_ptr_equal(handle_remove(&h, HANDLE_VALUES, all[i]), &objects[i]);
    }
    assert_int_equal(h.n, MANY);
    handles_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_is_good_until_it_is_removed),
        cmocka_unit_test(a_handle_does_not_come_back_with_its_place),
        cmocka_unit_test(a_number_names_a_handle_until_it_is_removed),
        cmocka_unit_test(another_kind_is_not_meant),
        cmocka_unit_test(foreign_pointers_are_no_handles),
        cmocka_unit_test(many_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
