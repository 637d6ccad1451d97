/* Records: presence follows every write; copies are deep; merging changes only what differs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/test/random_record.h"
#include "libs/cull/test/record_bytes.h"
#include "libs/cull/test/types.h"

static void a_zero_record_is_empty(void **state)
{
    struct T_Type t = { 0 };

    (void)state;
    for (unsigned f = 0; f < T_Type_FIELDS; f++)
        assert_false(cull_is_present(&t, f));
    cull_clear(&cull_T_Type, &t);
    cull_delete(&cull_T_Type, NULL);
}

static void writing_marks_the_field(void **state)
{
    struct T_Type t = { 0 };

    (void)state;
    cull_set(&t, T_number, 7);
    cull_set(&t, T_large, 1);
    cull_set(&t, T_flag, true);
    cull_set(&t, T_share, 0.5);
    cull_set(&t, T_name, "name");
    cull_append(&t, T_list)->E_key = 3;
    range_set_add(cull_ranges(&t, T_ids), 1, 5);
    assert_true(cull_has(&t, T_number) && cull_has(&t, T_name) && cull_has(&t, T_list) &&
                cull_has(&t, T_ids));
    assert_false(cull_has(&t, T_owner));
    assert_int_equal(t.T_list.n, 1);
    assert_int_equal(t.T_list.v[0].E_key, 3);
    cull_set(&t, T_name, t.T_name); /* onto itself */
    assert_string_equal(t.T_name, "name");
    cull_set(&t, T_name, NULL);
    assert_true(t.T_name == NULL && cull_has(&t, T_name));
    cull_clear(&cull_T_Type, &t);
    assert_true(t.T_number == 0 && t.T_list.v == NULL && range_set_is_empty(&t.T_ids) &&
                t.present[0] == 0);
}

static void writing_evaluates_its_arguments_once(void **state)
{
    struct T_Type t[3], *at = t;
    uint32_t n = 7;

    (void)state;
    memset(t, 0, sizeof t);
    cull_set(at++, T_number, n++);
    cull_append(at++, T_list)->E_key = n++;
    range_set_add(cull_ranges(at++, T_ids), n, n);
    assert_ptr_equal(at, t + 3);
    assert_true(t[0].T_number == 7 && t[1].T_list.v[0].E_key == 8 && range_set_has(&t[2].T_ids, 9));
    for (int i = 0; i < 3; i++)
        cull_clear(&cull_T_Type, &t[i]);
}

static void lists_are_pushed_to_found_in_and_cleared(void **state)
{
    struct E_Type_list l = { 0 };

    (void)state;
    assert_null(cull_find_number(&cull_E_Type, &l, 0));
    for (uint32_t key = 0; key < 100; key++) {
        struct E_Type *e = cull_push(&l);
        assert_true(e->present[0] == 0 && e->E_key == 0 && e->E_text == NULL);
        cull_set(e, E_key, 2 * key);
        cull_set(e, E_text, "text");
    }
    assert_int_equal(l.n, 100);
    assert_ptr_equal(cull_find_number(&cull_E_Type, &l, 198), &l.v[99]);
    assert_null(cull_find_number(&cull_E_Type, &l, 199));
    cull_list_clear(&cull_E_Type, &l);
    assert_true(l.v == NULL && l.n == 0 && l.cap == 0);
}

static void sharing_does_not_copy(void **state)
{
    struct T_Type a = { 0 }, b = { 0 };

    (void)state;
    cull_set(&a, T_name, "shared");
    cull_share(&b, T_name, a.T_name);
    assert_ptr_equal(a.T_name, b.T_name);
    cull_clear(&cull_T_Type, &a);
    assert_string_equal(b.T_name, "shared");
    cull_clear(&cull_T_Type, &b);
}

static void like_records_hold_one_string(void **state)
{
    struct T_Type a = { 0 }, b = { 0 };
    struct E_Type *e;
    (void)state;
    cull_set(&a, T_name, "like");
    cull_set(&a, T_owner, "one");
    e = cull_append(&a, T_list);
    cull_set(e, E_text, "deep");
    cull_copy(&cull_T_Type, &b, &a);
    cull_set(&b, T_name, "like"); /* a copy of its own, as if it had come from elsewhere */
    cull_set(&b, T_owner, "two");
    cull_set(&b.T_list.v[0], E_text, "deep");
    e = cull_append(&b, T_list); /* one more than A has */
    cull_set(e, E_text, "deep");
    cull_adopt(&cull_T_Type, &b, &a);
    assert_ptr_equal(b.T_name, a.T_name);
    assert_ptr_equal(b.T_list.v[0].E_text, a.T_list.v[0].E_text);
    assert_string_equal(b.T_owner, "two");
    cull_clear(&cull_T_Type, &a);
    assert_string_equal(b.T_name, "like");
    assert_string_equal(b.T_list.v[0].E_text, "deep");
    assert_string_equal(b.T_list.v[1].E_text, "deep");
    cull_adopt(&cull_T_Type, &b, &a); /* now empty: nothing is like it */
    assert_string_equal(b.T_name, "like");
    cull_clear(&cull_T_Type, &b);
}

/* a record whose list of a CULL_INTERN field has one element with TEXT */
static void fill_cache(struct T_Type *t, const char *text)
{
    struct E_Type *e = cull_append(t, T_cache);
    cull_set(e, E_text, text);
}

static void like_lists_of_records_that_are_kept_are_one(void **state)
{
    struct T_Type v[4] = { 0 };
    (void)state;
    for (int i = 0; i < 4; i++)
        fill_cache(&v[i], i < 3 ? "like" : "other");
    for (int i = 1; i < 4; i++)
        cull_adopt(&cull_T_Type, &v[i], &v[i - 1]);
    assert_ptr_equal(v[2].T_cache.v, v[1].T_cache.v); /* the first was not shared yet */
    assert_ptr_not_equal(v[3].T_cache.v, v[2].T_cache.v);
    cull_clear(&cull_T_Type, &v[1]);
    assert_string_equal(v[2].T_cache.v[0].E_text, "like");
    assert_string_equal(v[3].T_cache.v[0].E_text, "other");
    for (int i = 0; i < 4; i++)
        cull_clear(&cull_T_Type, &v[i]);
}

static void a_shared_list_is_replaced_without_those_who_share_it(void **state)
{
    struct T_Type a = { 0 }, b = { 0 }, c = { 0 };
    (void)state;
    fill_cache(&a, "old");
    fill_cache(&b, "old");
    cull_adopt(&cull_T_Type, &a, &c); /* nothing is like it, but it may be had */
    cull_adopt(&cull_T_Type, &b, &a);
    assert_ptr_equal(b.T_cache.v, a.T_cache.v);
    cull_copy(&cull_T_Type, &c, &a); /* a copy is its owner's to change */
    cull_set(&c.T_cache.v[0], E_text, "new");
    fill_cache(&c, "more");
    cull_merge(&cull_T_Type, &b, &c);
    assert_int_equal(b.T_cache.n, 2);
    assert_string_equal(a.T_cache.v[0].E_text, "old");
    cull_clear(&cull_T_Type, &a);
    cull_clear(&cull_T_Type, &b);
    cull_clear(&cull_T_Type, &c);
}

static void copies_are_equal_and_independent(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int i = 0; i < 300; i++) {
        struct T_Type *a = cull_new(&cull_T_Type), *b = cull_new(&cull_T_Type);
        random_record(&seed, &cull_T_Type, a);
        random_record(&seed, &cull_T_Type, b);
        cull_copy(&cull_T_Type, b, a);
        assert_true(cull_equal(&cull_T_Type, a, b));
        cull_append(b, T_list);
        range_set_remove(cull_ranges(b, T_ids), 0, UINT32_MAX);
        range_set_add(cull_ranges(b, T_ids), 4000000000u, 4000000001u);
        assert_false(cull_equal(&cull_T_Type, a, b));
        assert_false(cull_field_equal(&cull_T_Type, a, b, T_ids));
        cull_delete(&cull_T_Type, a);
        cull_delete(&cull_T_Type, b);
    }
}

static void merge_says_whether_a_value_changed(void **state)
{
    struct T_Type a = { 0 }, b = { 0 };

    (void)state;
    cull_set(&a, T_number, 1);
    cull_set(&a, T_name, "x");
    cull_set(&b, T_name, "x");
    assert_false(cull_merge(&cull_T_Type, &a, &b));
    cull_set(&b, T_name, "y");
    assert_true(cull_merge(&cull_T_Type, &a, &b));
    assert_string_equal(a.T_name, "y");
    assert_int_equal(a.T_number, 1); /* not present in b: kept */
    cull_clear(&cull_T_Type, &a);
    cull_clear(&cull_T_Type, &b);
}

static void elements_are_removed_in_place(void **state)
{
    struct T_Type t = { 0 };

    (void)state;
    for (uint32_t i = 0; i < 5; i++)
        cull_append(&t, T_list)->E_key = i;
    cull_set(&t.T_list.v[1], E_text, "gone");
    cull_remove_at(&cull_E_Type, (struct cull_list *)&t.T_list, 1);
    cull_remove_at(&cull_E_Type, (struct cull_list *)&t.T_list, 3);
    assert_int_equal(t.T_list.n, 3);
    assert_int_equal(t.T_list.v[0].E_key, 0);
    assert_int_equal(t.T_list.v[1].E_key, 2);
    assert_int_equal(t.T_list.v[2].E_key, 3);
    cull_clear(&cull_T_Type, &t);
}

static void fields_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(cull_field_index(&cull_T_Type, "T_ids"), T_ids);
    assert_int_equal(cull_field_index(&cull_T_Type, "T_none"), -1);
    assert_string_equal(cull_T_Type.fields[T_list].element->name, "E_Type");
    assert_ptr_equal(cull_T_Type.fields[T_ids].element, &cull_RN_Type);
    assert_int_equal(cull_T_Type.fields[T_ids].kind, CULL_RANGES);
    assert_string_equal(cull_RN_Type.fields[2].name, "RN_step");
}

/* lists in one another, strings, a set: not less than the allocator says, and what it adds to small
 * strings */
static void the_heap_of_a_record_is_what_the_allocator_gave(void **state)
{
    uint64_t seed = 12;

    (void)state;
    for (int i = 0; i < 300; i++) {
        struct T_Type t = { 0 };
        random_record(&seed, &cull_T_Type, &t);
        size_t given = record_bytes(&cull_T_Type, &t), said = cull_heap_bytes(&cull_T_Type, &t);
        assert_in_range(said, given, 6 * given);
        cull_clear(&cull_T_Type, &t);
        assert_int_equal(cull_heap_bytes(&cull_T_Type, &t), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zero_record_is_empty),
        cmocka_unit_test(writing_marks_the_field),
        cmocka_unit_test(writing_evaluates_its_arguments_once),
        cmocka_unit_test(lists_are_pushed_to_found_in_and_cleared),
        cmocka_unit_test(sharing_does_not_copy),
        cmocka_unit_test(like_records_hold_one_string),
        cmocka_unit_test(like_lists_of_records_that_are_kept_are_one),
        cmocka_unit_test(a_shared_list_is_replaced_without_those_who_share_it),
        cmocka_unit_test(copies_are_equal_and_independent),
        cmocka_unit_test(merge_says_whether_a_value_changed),
        cmocka_unit_test(elements_are_removed_in_place),
        cmocka_unit_test(fields_are_found_by_name),
        cmocka_unit_test(the_heap_of_a_record_is_what_the_allocator_gave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
