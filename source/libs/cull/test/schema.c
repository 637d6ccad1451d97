/* Two versions can talk: what we do not know is skipped, what the sender lacks has its default. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/pack.h"
#include "libs/cull/test/random_record.h"
#include "libs/cull/test/types.h"
#include "libs/uti/answer.h"

/* Another version: E_Type has lost E_note, its order changed; T_Type has new fields of every kind,
 * T_share became a text, T_number is wider, and a type N_Type is new. */
struct N_Type {
    uint64_t present[1];
    const char *N_a;
};
static const struct cull_field n_rows[] = { { "N_a", CULL_STRING, 0, offsetof(struct N_Type, N_a),
                                              NULL } };
static const struct cull_type other_N = { "N_Type", sizeof(struct N_Type), 1, n_rows };

struct E_other {
    uint64_t present[1];
    const char *E_text;
    uint32_t E_key;
};
static const struct cull_field e_rows[] = {
    { "E_text", CULL_STRING, CULL_SPOOL, offsetof(struct E_other, E_text), NULL },
    { "E_key", CULL_ULONG, CULL_SPOOL, offsetof(struct E_other, E_key), NULL },
};
static const struct cull_type other_E = { "E_Type", sizeof(struct E_other), 2, e_rows };

struct E_other_list {
    struct E_other *v;
    uint32_t n, cap;
};
struct N_list {
    struct N_Type *v;
    uint32_t n, cap;
};
struct T_other {
    uint64_t present[1];
    struct N_list T_new_list;
    struct range_set T_new_ids;
    const char *T_share;
    uint64_t T_number;
    double T_new_double;
    struct E_other_list T_list;
    const char *T_name;
};
#define ROW(n, k, e)                                                                               \
    {                                                                                              \
#n, k, CULL_SPOOL, offsetof(struct T_other, n), e                                          \
    }
static const struct cull_field t_rows[] = {
    ROW(T_new_list, CULL_LIST, &other_N), ROW(T_new_ids, CULL_RANGES, &cull_RN_Type),
    ROW(T_share, CULL_STRING, NULL),      ROW(T_number, CULL_ULONG64, NULL),
    ROW(T_new_double, CULL_DOUBLE, NULL), ROW(T_list, CULL_LIST, &other_E),
    ROW(T_name, CULL_STRING, NULL),
};
static const struct cull_type other_T = { "T_Type", sizeof(struct T_other), ARRAY_LEN(t_rows),
                                          t_rows };
static const struct cull_type *const other_types[] = { &other_N, &other_E, &other_T };
static const struct cull_schema other = { other_types, 3 };

static const struct cull_type *const our_types[] = { &cull_E_Type, &cull_T_Type };
static const struct cull_schema ours = { our_types, 2 };

static struct cull_map *map_of(const struct cull_schema *theirs, struct answer *ans)
{
    struct packer p = { NULL, 0, 0 };

    cull_schema_pack(&p, theirs);
    struct unpacker u = unpacker_over(p.data, p.len);
    struct cull_map *m = cull_map_new(&u, &ours, ans);
    packer_free(&p);
    return m;
}

static void equal_tables_have_equal_ids(void **state)
{
    (void)state;
    assert_true(cull_schema_id(&ours) == cull_schema_id(&(struct cull_schema){ our_types, 2 }));
    assert_true(cull_schema_id(&ours) != cull_schema_id(&other));
    assert_true(cull_schema_id(&ours) != cull_schema_id(&(struct cull_schema){ our_types, 1 }));
}

static void a_map_of_our_own_table_changes_nothing(void **state)
{
    uint64_t seed = 2;
    struct cull_map *m = map_of(&ours, NULL);

    (void)state;
    assert_non_null(m);
    for (int i = 0; i < 100; i++) {
        struct T_Type a = { 0 }, b = { 0 };
        struct packer p = { NULL, 0, 0 };
        random_record(&seed, &cull_T_Type, &a);
        cull_pack(&p, &cull_T_Type, &a, NULL);
        struct unpacker u = unpacker_over(p.data, p.len);
        assert_int_equal(cull_unpack(&u, &cull_T_Type, m, NULL, &b, NULL), 0);
        assert_true(cull_equal(&cull_T_Type, &a, &b));
        cull_clear(&cull_T_Type, &a);
        cull_clear(&cull_T_Type, &b);
        packer_free(&p);
    }
    cull_map_free(m);
}

/* a record of the other version whose T_number is NUMBER */
static void pack_other(struct packer *p, uint64_t number)
{
    struct T_other o = { .present = { 0x7f }, .T_number = number, .T_new_double = 2.5 };

    o.T_new_list = (struct N_list){ uti_calloc(1, sizeof(struct N_Type)), 1, 1 };
    o.T_new_list.v[0].present[0] = 1;
    cull_put_string(&o.T_new_list.v[0].N_a, "x");
    range_set_add(&o.T_new_ids, 3, 9);
    range_set_add(&o.T_new_ids, 30, 90);
    cull_put_string(&o.T_share, "a third");
    o.T_list = (struct E_other_list){ uti_calloc(1, sizeof(struct E_other)), 1, 1 };
    o.T_list.v[0].present[0] = 3;
    o.T_list.v[0].E_key = 44;
    cull_put_string(&o.T_list.v[0].E_text, "element");
    cull_put_string(&o.T_name, "name");
    cull_pack(p, &other_T, &o, NULL);
    cull_clear(&other_T, &o);
}

static void another_version_is_understood(void **state)
{
    struct cull_map *m = map_of(&other, NULL);
    struct packer p = { NULL, 0, 0 };
    struct T_Type t = { 0 };

    (void)state;
    assert_non_null(m);
    pack_other(&p, 12);
    struct unpacker u = unpacker_over(p.data, p.len);
    assert_int_equal(cull_unpack(&u, &cull_T_Type, m, NULL, &t, NULL), 0);
    assert_int_equal(unpack_left(&u), 0);
    assert_int_equal(t.T_number, 12);
    assert_string_equal(t.T_name, "name");
    assert_false(cull_is_present(&t, T_share)); /* its kind changed: default */
    assert_false(cull_is_present(&t, T_ids));
    assert_int_equal(t.T_list.n, 1);
    assert_int_equal(t.T_list.v[0].E_key, 44);
    assert_string_equal(t.T_list.v[0].E_text, "element");
    assert_null(t.T_list.v[0].E_note);
    cull_clear(&cull_T_Type, &t);
    packer_free(&p);
    cull_map_free(m);
}

static void a_value_that_does_not_fit_is_refused(void **state)
{
    struct cull_map *m = map_of(&other, NULL);
    struct packer p = { NULL, 0, 0 };
    struct T_Type t = { 0 };
    struct answer ans = ANSWER_INIT;

    (void)state;
    pack_other(&p, UINT64_C(1) << 32);
    struct unpacker u = unpacker_over(p.data, p.len);
    assert_int_equal(cull_unpack(&u, &cull_T_Type, m, NULL, &t, &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "malformed T_Type record: cannot read field T_number");
    ans_free(&ans);
    packer_free(&p);
    cull_map_free(m);
}

static void a_type_the_sender_lacks_is_named(void **state)
{
    struct cull_map *m = map_of(&(struct cull_schema){ our_types, 1 }, NULL);
    struct T_Type t = { 0 };
    struct answer ans = ANSWER_INIT;
    struct unpacker u = unpacker_over("\0", 1);

    (void)state;
    assert_int_equal(cull_unpack(&u, &cull_T_Type, m, NULL, &t, &ans), -1);
    assert_string_equal(ans_first_error(&ans), "the sender's tables have no record type T_Type");
    ans_free(&ans);
    cull_map_free(m);
}

static void malformed_tables_are_refused(void **state)
{
    struct packer p = { NULL, 0, 0 };
    struct answer ans = ANSWER_INIT;
    uint64_t seed = 4;

    (void)state;
    cull_schema_pack(&p, &ours);
    for (size_t len = 0; len < p.len; len++) {
        struct unpacker u = unpacker_over(p.data, len);
        assert_null(cull_map_new(&u, &ours, &ans));
    }
    assert_int_equal(ans.n, p.len);
    ans_free(&ans);
    for (int i = 0; i < 2000; i++) {
        p.data[random_below(&seed, (uint32_t)p.len)] = (uint8_t)random_u32(&seed);
        struct unpacker u = unpacker_over(p.data, p.len);
        cull_map_free(cull_map_new(&u, &ours, NULL));
    }
    packer_free(&p);
    cull_map_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_tables_have_equal_ids),
        cmocka_unit_test(a_map_of_our_own_table_changes_nothing),
        cmocka_unit_test(another_version_is_understood),
        cmocka_unit_test(a_value_that_does_not_fit_is_refused),
        cmocka_unit_test(a_type_the_sender_lacks_is_named),
        cmocka_unit_test(malformed_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
