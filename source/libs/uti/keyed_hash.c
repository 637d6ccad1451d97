/* SipHash with one round for each eight bytes and three at the end, which is what hash tables of
 * several languages use. No state. */
#include "libs/uti/keyed_hash.h"

#include "libs/uti/random.h"

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
