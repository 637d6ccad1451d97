/* A bitmap of CRoaring as words, and back.
 *
 * The library gives and takes whole bitmaps as bytes, in its portable format: a cookie and the
 * number of containers, the key and the number of members - 1 of each (16 bits each), where each
 * begins, and the containers: bits, sorted members, or runs. Numbers are little-endian. */
#include "libs/cull/bitmap_words.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

enum {
    COOKIE_WITHOUT_RUNS = 12346,
    COOKIE_WITH_RUNS = 12347,
    OFFSETS_FROM = 4,                          /* with runs, fewer containers have no offsets */
    ARRAY_MEMBERS_MOST = 4096,                 /* with more a container is bits */
    WORDS_OF_A_LOOK = 2 * WORDS_PER_CONTAINER, /* a window of more is taken from the bytes */
    MEMBERS_OF_A_LOOK = 256
};

static uint32_t read_le16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static uint32_t read_le32(const uint8_t *at)
{
    return read_le16(at) | read_le16(at + 2) << 16;
}

static void put_le16(uint8_t *at, uint32_t v)
{
    at[0] = (uint8_t)v;
    at[1] = (uint8_t)(v >> 8);
}

static void put_le32(uint8_t *at, uint32_t v)
{
    put_le16(at, v);
    put_le16(at + 2, v >> 16);
}

/* the bits of container KEY at AT, as far as they are in the window */
static void bits_to_words(const uint8_t *at, uint32_t key, struct range_words *out)
{
    uint32_t base = key * WORDS_PER_CONTAINER;

    for (uint32_t i = 0; i < WORDS_PER_CONTAINER; i++, at += sizeof(uint64_t)) {
        if (base + i >= out->first && base + i - out->first < out->n)
            out->v[base + i - out->first] = range_word_get(at);
    }
}

/* one container into the words; returns what follows it */
static const uint8_t *container_to_words(const uint8_t *at, uint32_t key, uint32_t members,
                                         bool is_run, struct range_words *out)
{
    uint32_t base = key << CONTAINER_BITS;

    if (is_run) {
        uint32_t n = read_le16(at);
        for (at += 2; n > 0; n--, at += 4)
            range_words_put(out, base + read_le16(at), base + read_le16(at) + read_le16(at + 2));
        return at;
    }
    if (members > ARRAY_MEMBERS_MOST) {
        bits_to_words(at, key, out);
        return at + CONTAINER_MEMBERS / 8;
    }
    for (uint32_t i = 0; i < members; i++, at += 2)
        range_words_put(out, base + read_le16(at), base + read_le16(at));
    return at;
}

static void bytes_to_words(const uint8_t *bytes, struct range_words *out)
{
    uint32_t cookie = read_le16(bytes), n;
    const uint8_t *run_flags = NULL, *keys;
    if (cookie == COOKIE_WITH_RUNS) {
        n = read_le16(bytes + 2) + 1;
        run_flags = bytes + 4;
        keys = run_flags + (n + 7) / 8;
    } else {
        n = read_le32(bytes + 4);
        keys = bytes + 8;
    }
    const uint8_t *at = keys + 4 * (size_t)n;
    if (run_flags == NULL || n >= OFFSETS_FROM)
        at += 4 * (size_t)n;
    for (uint32_t i = 0; i < n; i++) {
        bool is_run = run_flags != NULL && ((run_flags[i / 8] >> (i % 8)) & 1) != 0;
        at = container_to_words(at, read_le16(keys + 4 * (size_t)i),
                                read_le16(keys + 4 * (size_t)i + 2) + 1, is_run, out);
    }
}

static void all_to_words(const roaring_bitmap_t *b, struct range_words *out)
{
    uint8_t *bytes = uti_alloc(roaring_bitmap_portable_size_in_bytes(b));

    roaring_bitmap_portable_serialize(b, (char *)bytes);
    bytes_to_words(bytes, out);
    free(bytes);
}

/* a small window: its members one by one */
static void look_at_words(const roaring_bitmap_t *b, struct range_words *out)
{
    uint64_t base = (uint64_t)out->first * RANGE_WORD_BITS,
             end = base + (uint64_t)out->n * RANGE_WORD_BITS;
    uint32_t members[MEMBERS_OF_A_LOOK], n;
    roaring_uint32_iterator_t it;

    roaring_init_iterator(b, &it);
    if (!it.has_value || !roaring_move_uint32_iterator_equalorlarger(&it, (uint32_t)base))
        return;
    while ((n = roaring_read_uint32_iterator(&it, members, MEMBERS_OF_A_LOOK)) > 0)
        for (uint32_t i = 0; i < n; i++) {
            if (members[i] >= end)
                return;
            uint64_t bit = members[i] - base;
            out->v[bit / RANGE_WORD_BITS] |= UINT64_C(1) << bit % RANGE_WORD_BITS;
        }
}

void bitmap_to_words(const roaring_bitmap_t *b, struct range_words *out)
{
    if (out->n > WORDS_OF_A_LOOK)
        all_to_words(b, out);
    else
        look_at_words(b, out);
}

/* the members of one container, from word I on, at AT: bits or sorted members; returns what
 * follows */
static uint8_t *container_of_words(const struct range_words *w, uint32_t key, uint32_t members,
                                   uint8_t *at)
{
    for (uint32_t i = 0; i < WORDS_PER_CONTAINER; i++) {
        uint32_t place = key * WORDS_PER_CONTAINER + i - w->first;
        uint64_t word = place < w->n ? w->v[place] : 0;
        if (members > ARRAY_MEMBERS_MOST) {
            range_word_put(at, word);
            at += sizeof word;
            continue;
        }
        for (; word != 0; word &= word - 1, at += 2)
            put_le16(at, i * RANGE_WORD_BITS + (unsigned)__builtin_ctzll(word));
    }
    return at;
}

static uint32_t members_of(const struct range_words *w, uint32_t key)
{
    uint32_t members = 0;

    for (uint32_t i = 0; i < WORDS_PER_CONTAINER; i++) {
        uint32_t place = key * WORDS_PER_CONTAINER + i - w->first;
        members += place < w->n ? range_word_count(w->v[place]) : 0;
    }
    return members;
}

roaring_bitmap_t *bitmap_of_words(const struct range_words *w, uint64_t *count)
{
    uint32_t key_first = w->first / WORDS_PER_CONTAINER,
             keys = (w->first + w->n - 1) / WORDS_PER_CONTAINER - key_first + 1, n = 0;
    uint32_t *members = uti_alloc(keys * sizeof *members);
    for (uint32_t i = 0; i < keys; i++) {
        members[i] = members_of(w, key_first + i);
        n += members[i] > 0;
    }
    uint8_t *bytes = uti_alloc(8 + (size_t)n * (8 + CONTAINER_MEMBERS / 8));
    uint8_t *head = bytes + 8, *offset = head + 4 * (size_t)n, *at = offset + 4 * (size_t)n;
    put_le32(bytes, COOKIE_WITHOUT_RUNS);
    put_le32(bytes + 4, n);
    *count = 0;
    for (uint32_t i = 0; i < keys; i++) {
        if (members[i] == 0)
            continue;
        put_le16(head, key_first + i);
        put_le16(head + 2, members[i] - 1);
        put_le32(offset, (uint32_t)(at - bytes));
        head += 4;
        offset += 4;
        *count += members[i];
        at = container_of_words(w, key_first + i, members[i], at);
    }
    roaring_bitmap_t *b =
        roaring_bitmap_portable_deserialize_safe((const char *)bytes, (size_t)(at - bytes));
    ASSERT(b != NULL);
    free(bytes);
    free(members);
    return b;
}
