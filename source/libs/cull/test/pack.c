/* unpack(pack(x)) == x for random records; malformed bytes are refused with the field's name and
 * leave nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/pack.h"
#include "libs/cull/range_words.h"
#include "libs/cull/test/random_record.h"
#include "libs/cull/test/record_bytes.h"
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

/* a list of jobs has one owner for the most part */
static void equal_texts_of_neighbours_are_one(void **state)
{
    static const char *const names[] = { "one", "one", "on", "one", "oner", "oner" };
    struct T_Type a = { 0 }, b = { 0 };
    struct packer p = { NULL, 0, 0 };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
        struct E_Type *e = cull_append(&a, T_list);
        cull_set(e, E_text, names[i]);
    }
    cull_pack(&p, &cull_T_Type, &a, NULL);
    struct unpacker u = unpacker_over(p.data, p.len);
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &b, NULL), 0);
    for (unsigned i = 0; i < ARRAY_LEN(names); i++)
        assert_string_equal(b.T_list.v[i].E_text, names[i]);
    assert_ptr_equal(b.T_list.v[0].E_text, b.T_list.v[1].E_text);
    assert_ptr_equal(b.T_list.v[4].E_text, b.T_list.v[5].E_text);
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
    struct unpacker u = unpacker_over_own(p.data, p.len);
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &b, NULL), 0);
    assert_true(cull_has(&b, T_number) && !cull_has(&b, T_flag) && !cull_has(&b, T_cache));
    assert_string_equal(b.T_list.v[0].E_text, "kept");
    assert_false(cull_has(&b.T_list.v[0], E_note));
    cull_clear(&cull_T_Type, &a);
    cull_clear(&cull_T_Type, &b);
    packer_free(&p);
}

/* bytes LEN long must be refused with a text that holds WHAT, and leave the record empty */
static void expect_refused(const void *bytes, size_t len, const char *what)
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
    expect_refused("", 0, "T_Type");
    expect_refused("\x01", 1, "T_Type");             /* presence cut off */
    expect_refused("\x03\x00\x00\x00", 4, "T_Type"); /* more presence than fields */
    expect_refused("\x02\x00\x02", 3, "T_Type");     /* a tenth field, which does not exist */
    expect_refused("\x01\x01\xff\xff\xff\xff\x7f", 7, "T_number"); /* 35 bits in a ulong */
    expect_refused("\x01\x08\x02", 3, "T_flag");                   /* a bool of 2 */
    expect_refused("\x01\x10\x09"
                   "abc",
                   6, "T_name"); /* string longer than the rest */
    expect_refused("\x01\x11\x05\x09"
                   "abc",
                   7, "T_name");
    /* second element missing; innermost is named */
    expect_refused("\x01\x40\x02\x01\x01\x05", 6, "E_Type");
    expect_refused("\x01\x40\xff\xff\xff\xff\x0f", 7, "T_list");        /* four billion elements */
    expect_refused("\x01\x80\x01\xff\xff\xff\xff\x0f\x01", 9, "T_ids"); /* beyond the last member */
    expect_refused("\x01\x80\x7f\x01\x01", 5, "T_ids");
}

/* a T_Type whose T_list says it has N elements of the 3 bytes ELEMENT, and has as many as fit into
 * LEN bytes; new: free() */
static uint8_t *make_crowd(size_t len, uint32_t n, const char *element, size_t *used)
{
    struct packer p = { 0 };
    pack_bytes(&p, (const uint8_t[]){ 1, 1u << T_list }, 2);
    pack_varint(&p, n);
    while (p.len + 3 <= len)
        pack_bytes(&p, element, 3);
    *used = p.len;
    return p.data;
}

static void memory_follows_the_bytes_that_came(void **state)
{
    static const size_t lens[] = { 100, 5000, 300000, 6 << 20 };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(lens); i++) {
        struct T_Type t = { 0 };
        size_t len;
        uint32_t n = (uint32_t)(lens[i] - 10) / 3; /* all of them are there */
        uint8_t *bytes = make_crowd(lens[i], n, "\x01\x01\x05", &len);
        struct unpacker u = unpacker_over(bytes, len);
        assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), 0);
        assert_true(record_bytes(&cull_T_Type, &t) <= unpack_budget(len));
        cull_clear(&cull_T_Type, &t);
        free(bytes);
    }
}

static void a_message_that_costs_too_much_names_the_limit(void **state)
{
    struct T_Type t = { 0 };
    struct answer ans = ANSWER_INIT;
    size_t len, bytes = 10 << 20;
    uint8_t *data = make_crowd(bytes, (uint32_t)(bytes - 10) / 3, "\x01\x01\x05", &len);
    struct unpacker u = unpacker_over(data, len);

    (void)state;
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, &ans), -1);
    assert_non_null(strstr(ans.v[0].text, "message too costly: T_Type field T_list"));
    assert_non_null(strstr(ans.v[0].text, "may take no more than 88080"));
    ans_free(&ans);
    free(data);
}

static void a_window_may_be_told_how_many_elements_are_enough(void **state)
{
    struct answer ans = ANSWER_INIT;
    size_t len;
    uint8_t *data = make_crowd(1000, 300, "\x01\x01\x05", &len);

    (void)state;
    for (uint32_t most = 299; most <= 300; most++) {
        struct T_Type t = { 0 };
        struct unpacker u = unpacker_over(data, len);
        u.elements_left = most;
        assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, &ans), most < 300 ? -1 : 0);
        cull_clear(&cull_T_Type, &t);
    }
    assert_int_equal(ans.n, 1);
    assert_non_null(strstr(ans.v[0].text, "T_list: its lists have more than 299 elements"));
    ans_free(&ans);
    free(data);
}

static int unpack_texts(const struct packer *p, size_t text_most, size_t texts_most,
                        size_t long_most, struct answer *ans)
{
    struct T_Type t = { 0 };
    struct unpacker u = unpacker_over(p->data, p->len);
    u.text_most = text_most;
    u.texts_left = texts_most;
    u.long_text_most = long_most;
    int rc = cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, ans);
    cull_clear(&cull_T_Type, &t);
    return rc;
}

static void a_window_may_be_told_how_long_texts_are(void **state)
{
    struct T_Type t = { 0 };
    struct packer p = { 0 };
    struct answer ans = ANSWER_INIT;
    (void)state;
    cull_set(&t, T_name, "12345");
    cull_set((struct E_Type *)cull_append(&t, T_list), E_key, 1u);
    cull_set(&t.T_list.v[0], E_text, "1234567");
    cull_set(&t.T_list.v[0], E_note, "123456789");
    cull_pack(&p, &cull_T_Type, &t, NULL);
    cull_clear(&cull_T_Type, &t);
    assert_int_equal(unpack_texts(&p, 7, 12, 9, &ans), 0);
    assert_int_equal(unpack_texts(&p, 6, 12, 9, &ans), -1);
    assert_int_equal(unpack_texts(&p, 7, 11, 9, &ans), -1);
    assert_int_equal(unpack_texts(&p, 7, 12, 8, &ans), -1);
    assert_int_equal(ans.n, 3);
    assert_non_null(strstr(ans.v[0].text, "E_text: it is a text of more than 6 bytes"));
    assert_non_null(strstr(ans.v[1].text, "E_text: its texts have more than 11 bytes"));
    assert_non_null(strstr(ans.v[2].text, "E_note: it is a text of more than 8 bytes"));
    ans_free(&ans);
    packer_free(&p);
}

enum { LONG_BYTES = 300000 };

/* an element with a text of N bytes, and fields before and behind it */
static void pack_with_text(struct packer *p, uint32_t n)
{
    struct T_Type t = { 0 };
    char *text = uti_alloc(n + 1);
    memset(text, 'x', n);
    text[n] = '\0';
    cull_set(&t, T_number, 7u);
    cull_set(&t, T_name, "before");
    cull_set((struct E_Type *)cull_append(&t, T_list), E_key, 1u);
    cull_set(&t.T_list.v[0], E_text, text);
    cull_set(&t.T_list.v[0], E_note, "behind");
    range_set_add(cull_ranges(&t, T_ids), 5, 9);
    cull_pack(p, &cull_T_Type, &t, NULL);
    cull_clear(&cull_T_Type, &t);
    free(text);
}

static void a_text_that_is_most_of_a_message_keeps_its_memory(void **state)
{
    struct T_Type t = { 0 };
    struct packer p = { 0 };
    (void)state;
    pack_with_text(&p, LONG_BYTES);
    struct unpacker u = unpacker_over(p.data, p.len);
    u.memory = p.data;
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), 0);
    assert_null(u.memory);
    assert_ptr_equal(t.T_list.v[0].E_text, p.data + CULL_STRING_HEADER);
    assert_int_equal(strspn(t.T_list.v[0].E_text, "x"), LONG_BYTES);
    assert_int_equal(strlen(t.T_list.v[0].E_text), LONG_BYTES);
    assert_int_equal(t.T_number, 7);
    assert_string_equal(t.T_name, "before");
    assert_string_equal(t.T_list.v[0].E_note, "behind");
    assert_int_equal(range_set_count(&t.T_ids), 5);
    cull_clear(&cull_T_Type, &t);
}

static void other_texts_are_copied(void **state)
{
    struct T_Type t = { 0 };
    struct packer p = { 0 };
    (void)state;
    pack_with_text(&p, LONG_BYTES);
    pack_with_text(&p, LONG_BYTES);
    struct unpacker u = unpacker_over(p.data, p.len);
    u.memory = p.data; /* twice as long as the text */
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), 0);
    assert_ptr_equal(u.memory, p.data);
    assert_int_equal(strlen(t.T_list.v[0].E_text), LONG_BYTES);
    cull_clear(&cull_T_Type, &t);
    packer_free(&p);
}

/* the record is malformed behind the text that took the memory: it goes with the record */
static void memory_that_was_taken_goes_with_a_record_that_fails(void **state)
{
    struct T_Type t = { 0 };
    struct packer p = { 0 };
    (void)state;
    pack_with_text(&p, LONG_BYTES);
    struct unpacker u = unpacker_over(p.data, p.len - 1);
    u.memory = p.data;
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), -1);
    assert_null(u.memory);
    assert_int_equal(t.T_list.n, 0);
}

/* the spool holds what was accepted when it came with more bytes */
static void our_own_bytes_have_no_budget(void **state)
{
    struct T_Type t = { 0 };
    size_t len, bytes = 10 << 20;
    uint8_t *data = make_crowd(bytes, (uint32_t)(bytes - 10) / 3, "\x01\x02\x00", &len);
    struct unpacker u = unpacker_over(data, len), own = unpacker_over_own(data, len);

    (void)state; /* without E_key, too */
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), -1);
    assert_int_equal(cull_unpack(&own, &cull_T_Type, NULL, NULL, &t, NULL), 0);
    assert_int_equal(t.T_list.n, (bytes - 10) / 3);
    cull_clear(&cull_T_Type, &t);
    free(data);
}

static void a_count_that_lies_costs_nothing(void **state)
{
    struct T_Type t = { 0 };
    size_t len;
    uint8_t *bytes = make_crowd(300000, 290000, "\x01\x01\x05", &len);
    struct unpacker u = unpacker_over(bytes, 300); /* the rest of the elements is missing */

    (void)state;
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), -1);
    u = unpacker_over(bytes, len);
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), -1);
    free(bytes);
}

static void an_element_has_its_key_numbers_too(void **state)
{
    (void)state;
    expect_refused("\x01\x40\x01\x00", 4, "E_key");
    expect_refused("\x01\x40\x01\x01\x02\x02"
                   "a",
                   7, "E_key");
    struct T_Type a = { 0 }, b = { 0 };
    struct packer p = { 0 };
    struct E_Type *e = cull_append(&a, T_list); /* nobody sets its number */
    cull_set(e, E_text, "first");
    cull_pack(&p, &cull_T_Type, &a, NULL);
    struct unpacker u = unpacker_over(p.data, p.len);
    assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &b, NULL), 0);
    assert_true(cull_has(&b.T_list.v[0], E_key));
    assert_int_equal(b.T_list.v[0].E_key, 0);
    cull_clear(&cull_T_Type, &a);
    cull_clear(&cull_T_Type, &b);
    packer_free(&p);
}

static void sets_follow_their_bytes_too(void **state)
{
    enum { RUNS = 400000 };
    static struct range runs[RUNS];

    (void)state;
    for (uint32_t gap = 2; gap < 2000; gap *= 3) { /* from one member of two to many long runs */
        struct T_Type t = { 0 };
        struct packer p = { 0 };
        for (uint32_t i = 0; i < RUNS; i++)
            runs[i] = (struct range){ i * gap, i * gap + gap - 2 };
        pack_bytes(&p, (const uint8_t[]){ 1, 1u << T_ids }, 2);
        pack_runs(&p, runs, RUNS);
        struct unpacker u = unpacker_over(p.data, p.len);
        assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), 0);
        assert_true(record_bytes(&cull_T_Type, &t) <= unpack_budget(p.len));
        cull_clear(&cull_T_Type, &t);
        packer_free(&p);
    }
}

/* ... packed as bits: near 0 and far from it, with much or little in each word, with words of 0 */
static void sets_of_bits_follow_their_bytes_too(void **state)
{
    enum { WORDS = 20000 };
    static const uint64_t bits[] = { UINT64_C(0x5555555555555555), UINT64_C(0x0101010101010101), 1,
                                     UINT64_MAX };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(bits) * 2 * 12; i++) {
        struct T_Type t = { 0 };
        struct packer p = { 0 };
        unsigned every = 1u << i % 12;
        pack_bytes(&p, (const uint8_t[]){ 1, 1u << T_ids }, 2);
        pack_varint(&p, PACKED_AS_BITS);
        pack_varint(&p, i / 12 % 2 * (1u << 25));
        pack_varint(&p, WORDS);
        for (unsigned w = 0; w < WORDS; w++) {
            uint8_t at[8];
            range_word_put(at, w % every == every / 2 ? bits[i / 24] : 0);
            pack_bytes(&p, at, sizeof at);
        }
        struct unpacker u = unpacker_over(p.data, p.len);
        assert_int_equal(cull_unpack(&u, &cull_T_Type, NULL, NULL, &t, NULL), 0);
        assert_true(record_bytes(&cull_T_Type, &t) <= unpack_budget(p.len));
        cull_clear(&cull_T_Type, &t);
        packer_free(&p);
    }
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

static void a_set_of_many_runs_is_packed_as_bits(void **state)
{
    uint64_t words[200], back[200];
    struct packer p = { 0 };
    struct range_set set = { 0 };

    (void)state;
    for (unsigned i = 0; i < 200; i++)
        words[i] = UINT64_C(0x5555555555555555) << i % 2;
    pack_bits(&p, 640, words, 200);
    assert_int_equal(p.len, 5 + 1 + 2 + sizeof words); /* the mark, the first word, their number */
    struct unpacker u = unpacker_over(p.data, p.len);
    unpack_ranges(&u, &set);
    assert_true(!u.is_bad && u.at == u.end);
    range_set_bits(&set, 640, back, 200);
    assert_memory_equal(back, words, sizeof words);
    assert_int_equal(range_set_count(&set), 200 * 32);
    range_set_free(&set);
    for (size_t len = 0; len < p.len; len++) { /* cut anywhere it is refused */
        u = unpacker_over(p.data, len);
        unpack_ranges(&u, &set);
        assert_true(u.is_bad && range_set_is_empty(&set));
    }
    packer_free(&p);
}

static void few_runs_are_packed_as_runs_whoever_has_them_as_bits(void **state)
{
    uint64_t words[200] = { 0 };
    struct packer bits = { 0 }, runs = { 0 };
    struct range r = { 70, 9000 };

    (void)state;
    struct range_set set = { 0 };
    range_set_add(&set, r.first, r.last);
    range_set_bits(&set, 0, words, 200);
    pack_bits(&bits, 0, words, 200);
    pack_runs(&runs, &r, 1);
    assert_int_equal(bits.len, runs.len);
    assert_memory_equal(bits.data, runs.data, runs.len);
    range_set_free(&set);
    packer_free(&bits);
    packer_free(&runs);
}

static void bits_that_lie_are_refused(void **state)
{
    static const uint32_t lies[][2] = {
        { 0, 0 }, { 0, 100 }, { UINT32_MAX, 1 }, { UINT32_MAX / 64, 1 }, { 0, UINT32_MAX }
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(lies); i++) {
        struct packer p = { 0 };
        struct range_set set = { 0 };
        pack_varint(&p, PACKED_AS_BITS);
        pack_varint(&p, lies[i][0]);
        pack_varint(&p, lies[i][1]);
        pack_bytes(&p, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
        struct unpacker u = unpacker_over(p.data, p.len);
        unpack_ranges(&u, &set);
        assert_true(u.is_bad && range_set_is_empty(&set));
        packer_free(&p);
    }
}

static void every_other_task_is_packed_in_a_few_bytes(void **state)
{
    enum { LAST = 9999999, FEW_BYTES = 16 };
    struct packer p = { 0 };
    struct range_set set = { 0 }, back = { 0 };

    (void)state;
    range_set_add_stride(&set, 1, LAST, 2);
    pack_ranges(&p, &set);
    assert_true(p.len < FEW_BYTES);
    struct unpacker u = unpacker_over_own(p.data, p.len);
    unpack_ranges(&u, &back);
    assert_true(!u.is_bad && u.at == u.end && range_set_equal(&back, &set));
    for (size_t len = 0; len < p.len; len++) { /* cut anywhere it is refused */
        u = unpacker_over_own(p.data, len);
        unpack_ranges(&u, &back);
        assert_true(u.is_bad && range_set_is_empty(&back));
    }
    u = unpacker_over(p.data, p.len); /* a peer pays what they may become */
    unpack_ranges(&u, &back);
    assert_true(u.is_bad && u.excess == UNPACK_COSTLY && range_set_is_empty(&back));
    range_set_free(&set);
    packer_free(&p);
}

static void a_stride_is_packed_alike_whoever_has_it_as_bits(void **state)
{
    uint64_t words[200];
    struct packer from_bits = { 0 }, from_set = { 0 };
    struct range_set set = { 0 };

    (void)state;
    for (unsigned by = 2; by < 80; by++) {
        from_bits.len = from_set.len = 0;
        range_set_add_stride(&set, 70, 70 + 130 * by, by);
        range_set_bits(&set, 0, words, ARRAY_LEN(words));
        pack_bits(&from_bits, 0, words, ARRAY_LEN(words));
        pack_ranges(&from_set, &set);
        assert_int_equal(from_bits.len, from_set.len);
        assert_memory_equal(from_bits.data, from_set.data, from_set.len);
        range_set_free(&set);
    }
    packer_free(&from_bits);
    packer_free(&from_set);
}

/* as the scheduler puts them together in an order, which the qmaster reads with a budget */
static void members_that_came_one_by_one_cost_a_reader_what_they_always_did(void **state)
{
    (void)state;
    for (uint32_t by = 2; by < 1000; by *= 3) {
        struct packer p = { 0 };
        struct range_set set = { 0 }, back = { 0 };
        for (uint32_t i = 0; i < 100000; i++)
            range_set_add(&set, i * by, i * by);
        pack_ranges(&p, &set);
        struct unpacker u = unpacker_over(p.data, p.len);
        unpack_ranges(&u, &back);
        assert_true(!u.is_bad && range_set_equal(&back, &set));
        range_set_free(&set);
        range_set_free(&back);
        packer_free(&p);
    }
}

static void strides_that_lie_are_refused(void **state)
{
    static const struct {
        uint32_t first, by, more;
    } lies[] = { { 0, 0, 100 },
                 { 0, 1, 100 },
                 { 5, 2, 0 },
                 { 2, UINT32_MAX, 1 },
                 { 0, 1u << 31, 2 },
                 { UINT32_MAX, 2, 1 },
                 { 0, UINT32_MAX, UINT32_MAX } };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(lies); i++) {
        struct packer p = { 0 };
        struct range_set set = { 0 };
        pack_varint(&p, PACKED_AS_STRIDE);
        pack_varint(&p, lies[i].first);
        pack_varint(&p, lies[i].by);
        pack_varint(&p, lies[i].more);
        struct unpacker u = unpacker_over_own(p.data, p.len);
        unpack_ranges(&u, &set);
        assert_true(u.is_bad && range_set_is_empty(&set));
        packer_free(&p);
    }
}

/* ... once something is done with them that leaves no stride */
static void strides_follow_their_bytes_too(void **state)
{
    (void)state;
    for (uint32_t by = 2; by < 5000; by += 1 + by / 3)
        for (uint32_t more = 1; more < 10000000 / by; more *= 3) {
            struct packer p = { 0 };
            struct range_set set = { 0 };
            pack_varint(&p, PACKED_AS_STRIDE);
            pack_varint(&p, 5);
            pack_varint(&p, by);
            pack_varint(&p, more);
            struct unpacker u = unpacker_over(p.data, p.len);
            unpack_ranges(&u, &set);
            if (!u.is_bad && more > 2)
                range_set_remove(&set, 5 + by, 5 + by);
            assert_true(range_set_bytes(&set) <= unpack_budget(p.len));
            range_set_free(&set);
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
        cmocka_unit_test(equal_texts_of_neighbours_are_one),
        cmocka_unit_test(the_spool_gets_spool_fields_in_all_levels),
        cmocka_unit_test(malformed_records_are_refused),
        cmocka_unit_test(memory_follows_the_bytes_that_came),
        cmocka_unit_test(a_message_that_costs_too_much_names_the_limit),
        cmocka_unit_test(a_window_may_be_told_how_many_elements_are_enough),
        cmocka_unit_test(a_window_may_be_told_how_long_texts_are),
        cmocka_unit_test(a_text_that_is_most_of_a_message_keeps_its_memory),
        cmocka_unit_test(other_texts_are_copied),
        cmocka_unit_test(memory_that_was_taken_goes_with_a_record_that_fails),
        cmocka_unit_test(our_own_bytes_have_no_budget),
        cmocka_unit_test(a_count_that_lies_costs_nothing),
        cmocka_unit_test(an_element_has_its_key_numbers_too),
        cmocka_unit_test(sets_follow_their_bytes_too),
        cmocka_unit_test(sets_of_bits_follow_their_bytes_too),
        cmocka_unit_test(a_set_of_many_runs_is_packed_as_bits),
        cmocka_unit_test(few_runs_are_packed_as_runs_whoever_has_them_as_bits),
        cmocka_unit_test(bits_that_lie_are_refused),
        cmocka_unit_test(every_other_task_is_packed_in_a_few_bytes),
        cmocka_unit_test(a_stride_is_packed_alike_whoever_has_it_as_bits),
        cmocka_unit_test(members_that_came_one_by_one_cost_a_reader_what_they_always_did),
        cmocka_unit_test(strides_that_lie_are_refused),
        cmocka_unit_test(strides_follow_their_bytes_too),
        cmocka_unit_test(damaged_records_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
