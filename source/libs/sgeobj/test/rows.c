/* Every record type of the cluster: what is packed comes back, what is spooled keeps its spool
 * fields, damage is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/pack.h"
#include "libs/cull/test/random_record.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/answer.h"

static void every_type_survives_a_round_trip(void **state)
{
    uint64_t seed = 17;
    struct cull_pool *pool = cull_pool_new();

    (void)state;
    for (unsigned i = 0; i < 40 * sgeobj_types_n; i++) {
        const struct cull_type *t = sgeobj_types[i % sgeobj_types_n];
        void *a = cull_new(t), *b = cull_new(t);
        struct packer p = { NULL, 0, 0 };
        random_record(&seed, t, a);
        cull_pack(&p, t, a, NULL);
        struct unpacker u = unpacker_over(p.data, p.len);
        assert_int_equal(cull_unpack(&u, t, NULL, pool, b, NULL), 0);
        assert_int_equal(unpack_left(&u), 0);
        assert_true(cull_equal(t, a, b));
        cull_delete(t, a);
        cull_delete(t, b);
        packer_free(&p);
    }
    cull_pool_free(pool);
}

static void the_spool_keeps_exactly_the_spool_fields(void **state)
{
    uint64_t seed = 18;

    (void)state;
    for (unsigned i = 0; i < 20 * sgeobj_types_n; i++) {
        const struct cull_type *t = sgeobj_types[i % sgeobj_types_n];
        void *a = cull_new(t), *b = cull_new(t);
        struct packer p = { NULL, 0, 0 };
        random_record(&seed, t, a);
        cull_pack_spool(&p, t, a);
        struct unpacker u = unpacker_over(p.data, p.len);
        assert_int_equal(cull_unpack(&u, t, NULL, NULL, b, NULL), 0);
        for (unsigned f = 0; f < t->n_fields; f++)
            assert_int_equal(cull_is_present(b, f),
                             cull_is_present(a, f) && (t->fields[f].flags & CULL_SPOOL) != 0);
        cull_delete(t, a);
        cull_delete(t, b);
        packer_free(&p);
    }
}

/* the limits that cull_unpack and cull_pack have for one record */
static void no_type_outgrows_the_packing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sgeobj_types_n; i++) {
        assert_true(sgeobj_types[i]->n_fields <= 512);
        assert_true(sgeobj_types[i]->bytes <=
                    3 * 512); /* one field of one byte needs three bytes of input */
    }
}

static void damaged_records_do_no_harm(void **state)
{
    uint64_t seed = 19;

    (void)state;
    for (unsigned i = 0; i < 20 * sgeobj_types_n; i++) {
        const struct cull_type *t = sgeobj_types[i % sgeobj_types_n];
        void *a = cull_new(t), *b = cull_new(t);
        struct packer p = { NULL, 0, 0 };
        random_record(&seed, t, a);
        cull_pack(&p, t, a, NULL);
        p.data[random_below(&seed, (uint32_t)p.len)] ^= (uint8_t)(1 + random_below(&seed, 255));
        struct unpacker u = unpacker_over(p.data, p.len);
        if (cull_unpack(&u, t, NULL, NULL, b, NULL) < 0)
            assert_int_equal(*(uint64_t *)b, 0);
        cull_delete(t, a);
        cull_delete(t, b);
        packer_free(&p);
    }
}

/* who looks for a variable by its name must find one in every element */
static void an_element_without_its_name_is_refused(void **state)
{
    struct JB_Type a = { 0 }, b = { 0 };
    struct packer p = { NULL, 0, 0 };
    struct answer ans = ANSWER_INIT;

    (void)state;
    struct VA_Type *va = cull_append(&a, JB_env_list);
    cull_set(va, VA_variable, "A");
    va = cull_append(&a, JB_env_list);
    cull_set(va, VA_value, "nameless");
    cull_pack(&p, &cull_JB_Type, &a, NULL);
    struct unpacker u = unpacker_over(p.data, p.len);
    assert_int_equal(cull_unpack(&u, &cull_JB_Type, NULL, NULL, &b, &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "malformed VA_Type record: an element of a list has no VA_variable");
    assert_false(cull_has(&b, JB_env_list));
    cull_clear(&cull_JB_Type, &a);
    ans_free(&ans);
    packer_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_survives_a_round_trip),
        cmocka_unit_test(the_spool_keeps_exactly_the_spool_fields),
        cmocka_unit_test(no_type_outgrows_the_packing),
        cmocka_unit_test(damaged_records_do_no_harm),
        cmocka_unit_test(an_element_without_its_name_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
