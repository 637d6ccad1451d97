/* Every record type of the cluster: what is packed comes back, what is spooled keeps its spool
 * fields, damage is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/pack.h"
#include "libs/cull/test/random_record.h"
#include "libs/cull/test/record_bytes.h"
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

/* the limit that cull_pack has for one record */
static void no_type_outgrows_the_packing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sgeobj_types_n; i++)
        assert_true(sgeobj_types[i]->n_fields <= 512);
}

/* the fewest bytes that are an element of T: its keys, which stand first, and each empty */
static void pack_cheapest(struct packer *p, const struct cull_type *t)
{
    uint8_t bits = 0, n = 0;
    while (n < t->n_fields && (t->fields[n].flags & CULL_PRIMARY_KEY) != 0)
        bits |= (uint8_t)(1u << n++);
    pack_blob(p, &bits, n > 0 ? 1 : 0);
    for (unsigned f = 0; f < n; f++)
        if (t->fields[f].kind == CULL_STRING)
            pack_string(p, "");
        else
            pack_varint(p, 0);
}

/* a T with field F alone, a list of as many of the cheapest elements as fit into LEN bytes */
static void pack_crowd(struct packer *p, const struct cull_type *t, unsigned f, size_t len)
{
    const struct cull_type *element = t->fields[f].element;
    uint8_t bits[64] = { 0 };
    struct packer one = { 0 };
    pack_cheapest(&one, element);
    bits[f / 8] |= (uint8_t)(1u << f % 8);
    pack_blob(p, bits, f / 8 + 1);
    size_t n = len / one.len;
    pack_varint(p, n);
    for (; n > 0; n--)
        pack_bytes(p, one.data, one.len);
    packer_free(&one);
}

static void check_crowd(const struct cull_type *t, unsigned f, size_t len)
{
    struct packer p = { 0 };
    struct answer ans = ANSWER_INIT;
    void *o = cull_new(t);
    pack_crowd(&p, t, f, len);
    struct unpacker u = unpacker_over(p.data, p.len);
    if (cull_unpack(&u, t, NULL, NULL, o, &ans) < 0)
        assert_non_null(strstr(ans_first_error(&ans), "message too costly"));
    assert_true(record_bytes(t, o) <= unpack_budget(p.len));
    cull_delete(t, o);
    ans_free(&ans);
    packer_free(&p);
}

static void no_list_of_any_type_takes_more_memory_than_its_bytes_allow(void **state)
{
    static const size_t lens[] = { 3000, 30000, 300000 };
    (void)state;
    for (unsigned i = 0; i < sgeobj_types_n; i++)
        for (unsigned f = 0; f < sgeobj_types[i]->n_fields; f++)
            for (unsigned k = 0; sgeobj_types[i]->fields[f].kind == CULL_LIST && k < 3; k++)
                check_crowd(sgeobj_types[i], f, lens[k]);
}

static void check_passes(const struct JB_Type *a)
{
    struct packer p = { 0 };
    struct JB_Type b = { 0 };
    cull_pack(&p, &cull_JB_Type, a, NULL);
    struct unpacker u = unpacker_over(p.data, p.len);
    struct answer ans = ANSWER_INIT;
    cull_unpack(&u, &cull_JB_Type, NULL, NULL, &b, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    assert_true(cull_equal(&cull_JB_Type, a, &b));
    cull_clear(&cull_JB_Type, &b);
    packer_free(&p);
}

/* the densest lists that people really send */
static void large_honest_lists_pass(void **state)
{
    struct JB_Type job = { 0 };
    char name[16];
    (void)state;
    for (int i = 0; i < 30000; i++) {
        struct VA_Type *va = cull_append(&job, JB_env_list);
        (void)snprintf(name, sizeof name, "v%d", i);
        cull_set(va, VA_variable, name);
        cull_set(va, VA_value, "");
    }
    check_passes(&job);
    cull_clear(&cull_JB_Type, &job);
    for (int i = 0; i < 30000; i++) {
        struct ST_Type *word = cull_append(&job, JB_job_args);
        cull_set(word, ST_name, "x");
        struct JRE_Type *id = cull_append(&job, JB_jid_request_list);
        cull_set(id, JRE_job_number, 0u);
        cull_set(id, JRE_job_name, "4711");
    }
    check_passes(&job);
    cull_clear(&cull_JB_Type, &job);
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
        cmocka_unit_test(no_list_of_any_type_takes_more_memory_than_its_bytes_allow),
        cmocka_unit_test(large_honest_lists_pass),
        cmocka_unit_test(damaged_records_do_no_harm),
        cmocka_unit_test(an_element_without_its_name_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
