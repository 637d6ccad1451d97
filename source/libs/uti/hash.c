/* The hash of all tables of a process. The seed is set before main and never changes: it comes from
 * the random bytes that the kernel gives to each program at its start (getauxval(3) AT_RANDOM),
 * hashed, since other secrets are made of them, too. Numbers are multiplied with it, texts go
 * through SipHash. */
#include "libs/uti/hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "libs/uti/alloc.h"
#include "libs/uti/os.h"

enum { RANDOM_BYTES = 16 };

static struct hash_key table_seed;

__attribute__((constructor)) static void set_seed(void)
{
    const void *bytes = (const void *)getauxval(AT_RANDOM);
    if (bytes == NULL)
        return;
    table_seed.a = uti_keyed_hash((struct hash_key){ 1, 0 }, bytes, RANDOM_BYTES);
    table_seed.b = uti_keyed_hash((struct hash_key){ 2, 0 }, bytes, RANDOM_BYTES) | 1;
}

/* both halves of the product */
static uint64_t mix_numbers(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static unsigned hash_number(uint64_t n)
{
    uint64_t h = mix_numbers(mix_numbers(n ^ table_seed.a, table_seed.b) ^ table_seed.b,
                             UINT64_C(0x9e3779b97f4a7c15));
    return (unsigned)(h ^ h >> 32);
}

unsigned uti_table_hash(const void *key, size_t len)
{
    uint64_t n64;
    uint32_t n32;
    if (len == sizeof n64) {
        memcpy(&n64, key, sizeof n64);
        return hash_number(n64);
    }
    if (len == sizeof n32) {
        memcpy(&n32, key, sizeof n32);
        return hash_number(n32);
    }
    uint64_t h = uti_keyed_hash(table_seed, key, len);
    return (unsigned)(h ^ h >> 32);
}

/* ---- FNV-1a, 64 bits ---- */
uint64_t uti_fnv1a(const void *data, size_t len)
{
    const uint8_t *bytes = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- SipHash ---- */

/* SipHash with one round for each eight bytes and three at the end, which is what hash tables of
 * several languages use. No state. */

enum { WORD = 8, ROUNDS_AT_END = 3 };

struct sip {
    uint64_t v0, v1, v2, v3;
};

static uint64_t rotate_left(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static void sip_round(struct sip *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate_left(s->v1, 13) ^ s->v0;
    s->v3 = rotate_left(s->v3, 16) ^ s->v2;
    s->v0 = rotate_left(s->v0, 32) + s->v3;
    s->v2 += s->v1;
    s->v3 = rotate_left(s->v3, 21) ^ s->v0;
    s->v1 = rotate_left(s->v1, 17) ^ s->v2;
    s->v2 = rotate_left(s->v2, 32);
}

static void sip_word(struct sip *s, uint64_t word)
{
    s->v3 ^= word;
    sip_round(s);
    s->v0 ^= word;
}

/* N bytes, at most a word, the least significant first */
static uint64_t word_of(const uint8_t *at, size_t n)
{
    uint64_t word = 0;
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)at[i] << (8 * i);
    return word;
}

uint64_t uti_keyed_hash(struct hash_key key, const void *data, size_t len)
{
    const uint8_t *at = data;
    struct sip s = { .v0 = key.a ^ UINT64_C(0x736f6d6570736575),
                     .v1 = key.b ^ UINT64_C(0x646f72616e646f6d),
                     .v2 = key.a ^ UINT64_C(0x6c7967656e657261),
                     .v3 = key.b ^ UINT64_C(0x7465646279746573) };
    size_t left = len;
    for (; left >= WORD; left -= WORD, at += WORD)
        sip_word(&s, word_of(at, WORD));
    sip_word(&s, word_of(at, left) | (uint64_t)len << 56);
    s.v2 ^= 0xff;
    for (int i = 0; i < ROUNDS_AT_END; i++)
        sip_round(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

struct hash_key hash_key_new(void)
{
    struct hash_key key = { 0, 0 };
    (void)random_bytes(&key, sizeof key, NULL);
    return key;
}

/* ---- sets of names ---- */
enum { LEAST_ROOM = 16 };

/* the slot of NAME, or the free one where it would be */
static const char **slot_of(const struct name_set *s, const char *name)
{
    size_t i = uti_fnv1a(name, strlen(name)) & (s->room - 1);
    while (s->slots[i] != NULL && strcmp(s->slots[i], name) != 0)
        i = (i + 1) & (s->room - 1);
    return &s->slots[i];
}

static void make_room(struct name_set *s)
{
    struct name_set next = { .n = s->n, .room = s->room > 0 ? 2 * s->room : LEAST_ROOM };
    next.slots = uti_calloc(next.room, sizeof *next.slots);
    for (size_t i = 0; i < s->room; i++)
        if (s->slots[i] != NULL)
            *slot_of(&next, s->slots[i]) = s->slots[i];
    free(s->slots);
    *s = next;
}

bool name_set_add(struct name_set *s, const char *name)
{
    if (2 * (s->n + 1) > s->room)
        make_room(s);
    const char **slot = slot_of(s, name);
    if (*slot != NULL)
        return false;
    *slot = name;
    s->n++;
    return true;
}

bool name_set_has(const struct name_set *s, const char *name)
{
    return s->n > 0 && *slot_of(s, name) != NULL;
}

void name_set_free(struct name_set *s)
{
    free(s->slots);
    *s = (struct name_set){ 0 };
}
