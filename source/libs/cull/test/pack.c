/* unpack(pack(x)) == x for random records; malformed bytes are refused with the field's name and
 * leave nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/pack.h"
#include "libs/cull/test/random_record.h"
#include "libs/cull/test/types.h"
#include "libs/uti/answer.h"

static void plain_values_come_back(void **state)
{
    static const uint64_t numbers[] = { 0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX };
    struct packer p = { NULL, 0, 0 };
    size_t len;

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(numbers); i++)
        pack_varint(&p, numbers[i]);
    pack_u32be(&p, 0x01020304);
    pack_string(&p, NULL);
    pack_string(&p, "");
    pack_blob(&p, "a\0b", 3);
    struct unpacker u = unpacker_over(p.data, p.len);
    for (unsigned i = 0; i < ARRAY_LEN(numbers); i++)
        assert_true(unpack_varint(&u) == numbers[i]);
    assert_int_equal(unpack_u32be(&u), 0x01020304);
    assert_null(unpack_string(&u));
    char *empty = unpack_string(&u);
    assert_string_equal(empty, "");
    free(empty);
    const uint8_t *blob = unpack_blob(&u, &len);
    assert_memory_equal(blob, "a\0b", 3);
    assert_false(u.is_bad);
    assert_int_equal(unpack_left(&u), 0);
    unpack_u8(&u);
    assert_true(u.is_bad);
    packer_free(&p);
}

static void runs_and_sets_pack_alike(void **state)
{
    static const struct range runs[] = { { 0, 0 }, { 2, 2 }, { 5, 900 }, { 70000, 4000000000u } };
    struct packer from_runs = { 0 }, from_set = { 0 };
    (void)state;
    for (uint32_t n = 0; n <= ARRAY_LEN(runs); n++) {
        struct range_set set = { 0 };
        range_set_fill(&set, runs, n);
        pack_runs(&from_runs, runs, n);
        pack_ranges(&from_set, &set);
        range_set_free(&set);
    }
    assert_int_equal(from_runs.len, from_set.len);
    assert_memory_equal(from_runs.data, from_set.data, from_set.len);
    packer_free(&from_runs);
    packer_free(&from_set);
}

static void bad_values_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
    } bad[] = {
        { "\x80", 1 },                                          /* cut short */
        { "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10 },     /* 65 bits */
        { "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11 }, /* eleven bytes */
    };
    size_t len;

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(bad); i++) {
        struct unpacker u = unpacker_over(bad[i].bytes, bad[i].len);
        assert_true(unpack_varint(&u) == 0 && u.is_bad && unpack_left(&u) == 0);
    }
    struct unpacker u = unpacker_over("\x05"
                                      "abcd",
                                      5);
    assert_null(unpack_blob(&u, &len));
    u = unpacker_over("\x04"
                      "a\0b",
                      4);
    assert_null(unpack_string(&u));
    assert_true(u.is_bad);
    u = unpacker_over(NULL, 0);
    assert_int_equal(unpack_u32be(&u), 0);
}

static void random_records_come_back(void **state)
{
    uint64_t seed = 5;
    struct cull_pool *pool = cull_pool_new();

    (void)state;
    for (int i = 0; i < 500; i++) {
        struct T_Type a = { 0 }, b = { 0 };
        struct packer p = { NULL, 0, 0 };
        random_record(&seed, &cull_T_Type, &a);
        cull_pack(&p, &cull_T_Type, &a, NULL);
        struct unpacker u = unpacker_over(p.data, p.len);
        assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, i % 2 ? pool : NULL, &b, NULL), 0);
        assert_int_equal(unpack_left(&u), 0);
        assert_true(cull_equal(&cull_T_Type, &a, &b));
        cull_clear(&cull_T_Type, &a);
        cull_clear(&cull_T_Type, &b);
        packer_free(&p);
    }
    cull_pool_free(pool);
}

static void only_chosen_fields_travel(void **state)
{
    struct T_Type a = { 0 }, b = { 0 };
    struct packer p = { NULL, 0, 0 };
    uint64_t only[1] = { UINT64_C(1) << T_name | UINT64_C(1) << T_owner };

    (void)state;
    cull_set(&a, T_number, 9);
    cull_set(&a, T_name, "n");
    cull_pack(&p, &cull_T_Type, &a, only);
    struct unpacker u = unpacker_over(p.data, p.len);
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &b, NULL), 0);
    assert_true(cull_has(&b, T_name) && !cull_has(&b, T_number) && !cull_has(&b, T_owner));
    cull_clear(&cull_T_Type, &a);
    cull_clear(&cull_T_Type, &b);
    packer_free(&p);
}

static void the_spool_gets_spool_fields_in_all_levels(void **state)
{
    struct T_Type a = { 0 }, b = { 0 };
    struct packer p = { NULL, 0, 0 };

    (void)state;
    cull_set(&a, T_number, 9);
    cull_set(&a, T_flag, true);
    struct E_Type *e = cull_append(&a, T_list);
    cull_set(e, E_text, "kept");
    cull_set(e, E_note, "not kept");
    cull_append(&a, T_cache);
    cull_pack_spool(&p, &cull_T_Type, &a);
    struct unpacker u = unpacker_over(p.data, p.len);
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &b, NULL), 0);
    assert_true(cull_has(&b, T_number) && !cull_has(&b, T_flag) && !cull_has(&b, T_cache));
    assert_string_equal(b.T_list.v[0].E_text, "kept");
    assert_false(cull_has(&b.T_list.v[0], E_note));
    cull_clear(&cull_T_Type, &a);
    cull_clear(&cull_T_Type, &b);
    packer_free(&p);
}

/* bytes LEN long must be refused with a text that holds WHAT, and leave the record empty */
static void refuse(const void *bytes, size_t len, const char *what)
{
    struct T_Type t = { 0 };
    static const struct T_Type empty;
    struct answer ans = ANSWER_INIT;
    struct unpacker u = unpacker_over(bytes, len);

    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, &ans), -1);
    assert_int_equal(ans.n, 1);
    assert_int_equal(ans.v[0].status, STATUS_EPROTO);
    assert_non_null(strstr(ans.v[0].text, what));
    assert_memory_equal(&t, &empty, sizeof t);
    ans_free(&ans);
}

static void malformed_records_are_refused(void **state)
{
    (void)state;
    refuse("", 0, "T_Type");
    refuse("\x01", 1, "T_Type");                           /* presence cut off */
    refuse("\x03\x00\x00\x00", 4, "T_Type");               /* more presence than fields */
    refuse("\x02\x00\x02", 3, "T_Type");                   /* a tenth field, which does not exist */
    refuse("\x01\x01\xff\xff\xff\xff\x7f", 7, "T_number"); /* 35 bits in a ulong */
    refuse("\x01\x08\x02", 3, "T_flag");                   /* a bool of 2 */
    refuse("\x01\x10\x09"
           "abc",
           6, "T_name"); /* string longer than the rest */
    refuse("\x01\x11\x05\x09"
           "abc",
           7, "T_name");
    refuse("\x01\x40\x02\x01\x01\x05", 6,
           "E_Type"); /* second element missing; innermost is named */
    refuse("\x01\x40\xff\xff\xff\xff\x0f", 7, "T_list");        /* four billion elements */
    refuse("\x01\x80\x01\xff\xff\xff\xff\x0f\x01", 9, "T_ids"); /* beyond the last member */
    refuse("\x01\x80\x7f\x01\x01", 5, "T_ids");
}

static void empty_elements_cannot_ask_for_much_memory(void **state)
{
    uint8_t bytes[300000] = { 1, 1u << T_list, 0x80, 0x80,
                              0x10 }; /* 262144 elements of one byte each */
    struct T_Type t = { 0 };
    struct unpacker u = unpacker_over(bytes, sizeof bytes);

    (void)state; /* E_Type is small enough */
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), 0);
    assert_int_equal(t.T_list.n, 262144);
    cull_clear(&cull_T_Type, &t);
}

/* every cut and many damaged copies of a good record: no crash (the sanitizers look on), no leak */
static void damaged_records_do_no_harm(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int i = 0; i < 60; i++) {
        struct T_Type a = { 0 };
        struct packer p = { NULL, 0, 0 };
        random_record(&seed, &cull_T_Type, &a);
        cull_pack(&p, &cull_T_Type, &a, NULL);
        for (int k = 0; k < 100; k++) {
            struct T_Type b = { 0 };
            if (k % 2 == 0)
                p.data[random_below(&seed, (uint32_t)p.len)] ^=
                    (uint8_t)(1u << random_below(&seed, 8));
            struct unpacker u =
                unpacker_over(p.data, k % 2 ? random_below(&seed, (uint32_t)p.len + 1) : p.len);
            if (cull_unpack(&u, &cull_T_Type, NULL, NULL, &b, NULL) == 0)
                cull_clear(&cull_T_Type, &b);
            assert_int_equal(b.present[0], 0);
        }
        cull_clear(&cull_T_Type, &a);
        packer_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_values_come_back),
        cmocka_unit_test(runs_and_sets_pack_alike),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(random_records_come_back),
        cmocka_unit_test(only_chosen_fields_travel),
        cmocka_unit_test(the_spool_gets_spool_fields_in_all_levels),
        cmocka_unit_test(malformed_records_are_refused),
        cmocka_unit_test(empty_elements_cannot_ask_for_much_memory),
        cmocka_unit_test(damaged_records_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
