/* Fields survive a release that does not know them: what its tables lack comes from an earlier
 * state of the record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/pack.h"
#include "libs/cull/test/types.h"

/* the tables of the other release: names and kinds are all that a map needs of them */
static const struct cull_field e_rows[] = {
    { .name = "E_key", .kind = CULL_ULONG },
    { .name = "E_text", .kind = CULL_STRING },
};
static const struct cull_type other_E = { "E_Type", 0, ARRAY_LEN(e_rows), e_rows };
static const struct cull_field t_rows[] = {
    { .name = "T_number", .kind = CULL_ULONG },
    { .name = "T_owner", .kind = CULL_BOOL }, /* a text here */
    { .name = "T_list", .kind = CULL_LIST, .element = &other_E },
    { .name = "T_name", .kind = CULL_STRING },
};
static const struct cull_type other_T = { "T_Type", 0, ARRAY_LEN(t_rows), t_rows };

struct world {
    struct cull_map *map;
    struct T_Type earlier, now;
};

static int set_up(void **state)
{
    static struct world w;
    static const struct cull_type *const theirs[] = { &other_E, &other_T }, *const ours[] = {
        &cull_E_Type, &cull_T_Type
    };
    struct packer p = { NULL, 0, 0 };

    w = (struct world){ 0 };
    cull_schema_pack(&p, &(struct cull_schema){ theirs, 2 });
    struct unpacker u = unpacker_over(p.data, p.len);
    w.map = cull_map_new(&u, &(struct cull_schema){ ours, 2 }, NULL);
    packer_free(&p);
    *state = &w;
    return w.map != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    struct world *w = *state;

    cull_clear(&cull_T_Type, &w->earlier);
    cull_clear(&cull_T_Type, &w->now);
    cull_map_free(w->map);
    return 0;
}

static void add_element(struct T_Type *o, uint32_t key, const char *text, const char *note)
{
    struct E_Type *e = cull_append(o, T_list);

    cull_set(e, E_key, key);
    cull_set(e, E_text, text);
    if (note != NULL)
        cull_set(e, E_note, note);
}

static void fill_world(struct world *w)
{
    cull_fill_gaps(w->map, &cull_T_Type, &w->now, &w->earlier);
}

static void what_the_other_release_has_no_field_for_comes_back(void **state)
{
    struct world *w = *state;

    cull_set(&w->earlier, T_share, 0.5);
    range_set_add(cull_ranges(&w->earlier, T_ids), 3, 9);
    fill_world(w);
    assert_true(w->now.T_share == 0.5);
    assert_true(range_set_has(&w->now.T_ids, 9));
}

static void what_it_has_is_what_it_says(void **state)
{
    struct world *w = *state;

    cull_set(&w->earlier, T_number, 1u);
    cull_set(&w->earlier, T_name, "taken away since");
    cull_set(&w->now, T_number, 2u);
    fill_world(w);
    assert_int_equal(w->now.T_number, 2);
    assert_false(cull_has(&w->now, T_name));
}

static void a_field_of_another_kind_there_comes_back(void **state)
{
    struct world *w = *state;

    cull_set(&w->earlier, T_owner, "alice");
    fill_world(w);
    assert_string_equal(w->now.T_owner, "alice");
}

static void elements_are_found_by_their_keys(void **state)
{
    struct world *w = *state;

    add_element(&w->earlier, 1, "one", "first");
    add_element(&w->earlier, 2, "two", "second");
    add_element(&w->now, 3, "new", NULL);
    add_element(&w->now, 2, "altered", NULL);
    fill_world(w);
    assert_int_equal(w->now.T_list.n, 2);
    assert_null(w->now.T_list.v[0].E_note);
    assert_string_equal(w->now.T_list.v[1].E_text, "altered");
    assert_string_equal(w->now.T_list.v[1].E_note, "second");
}

/* request lists of jobs: the number is 0 in all of them */
static void elements_with_equal_keys_are_told_apart_by_the_rest(void **state)
{
    struct world *w = *state;

    add_element(&w->earlier, 0, "a", "of a");
    add_element(&w->earlier, 0, "b", "of b");
    add_element(&w->now, 0, "b", NULL);
    fill_world(w);
    assert_string_equal(w->now.T_list.v[0].E_note, "of b");
}

static void a_type_that_the_sender_lacks_stays_as_it_is(void **state)
{
    struct world *w = *state;
    struct cull_type stranger = { "S_Type", 0, 0, NULL };

    cull_set(&w->earlier, T_share, 0.5);
    cull_fill_gaps(w->map, &stranger, &w->now, &w->earlier);
    assert_false(cull_has(&w->now, T_share));
}

/* which is how a reader knows that a record holds more than it can read */
static void skipped_fields_are_noticed(void **state)
{
    struct world *w = *state;

    for (unsigned bits = 1; bits <= 2; bits++) { /* T_number, which is ours, and T_owner */
        struct packer p = { NULL, 0, 0 };
        struct T_Type t = { 0 };
        pack_varint(&p, 1);
        pack_u8(&p, (uint8_t)bits);
        pack_varint(&p, 1);
        struct unpacker u = unpacker_over_own(p.data, p.len);
        assert_int_equal(cull_unpack(&u, &cull_T_Type, w->map, NULL, &t, NULL), 0);
        assert_int_equal(u.has_skipped, bits == 2);
        cull_clear(&cull_T_Type, &t);
        packer_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(what_the_other_release_has_no_field_for_comes_back),
        TEST(what_it_has_is_what_it_says),
        TEST(a_field_of_another_kind_there_comes_back),
        TEST(elements_are_found_by_their_keys),
        TEST(elements_with_equal_keys_are_told_apart_by_the_rest),
        TEST(a_type_that_the_sender_lacks_stays_as_it_is),
        TEST(skipped_fields_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
