/* SHA-256 over bytes that are in memory: blocks of 64 bytes, the last ones with the length behind a
 * bit of one. Owns no data. Source: FIPS 180-4. */
#include "libs/uti/sha256.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 64, LENGTH_BYTES = 8, WORDS = 8, ROUNDS = 64 };

static const uint32_t round_constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void expand_block(const uint8_t *block, uint32_t w[ROUNDS])
{
    for (unsigned i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < ROUNDS; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) +
               (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
    }
}

static void take_block(uint32_t state[WORDS], const uint8_t *block)
{
    uint32_t w[ROUNDS], s[WORDS];
    expand_block(block, w);
    memcpy(s, state, sizeof s);
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint32_t one = s[7] +
                       (rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25)) +
                       choice + round_constants[i] + w[i];
        uint32_t two =
            (rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22)) + majority;
        memmove(s + 1, s, sizeof s - sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (unsigned i = 0; i < WORDS; i++)
        state[i] += s[i];
}

/* what is behind the last whole block, a bit of one, and the length in bits */
static void take_rest(uint32_t state[WORDS], const uint8_t *rest, size_t n, uint64_t len)
{
    uint8_t last[2 * BLOCK_BYTES] = { 0 };
    size_t end = n + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    if (n > 0)
        memcpy(last, rest, n);
    last[n] = 0x80;
    for (unsigned i = 0; i < LENGTH_BYTES; i++)
        last[end - 1 - i] = (uint8_t)(len * 8 >> 8 * i);
    for (size_t at = 0; at < end; at += BLOCK_BYTES)
        take_block(state, last + at);
}

void sha256_text(const void *data, size_t len, char out[SHA256_TEXT_BYTES])
{
    uint32_t state[WORDS] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    const uint8_t *at = data;
    size_t left = len;
    for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, at += BLOCK_BYTES)
        take_block(state, at);
    take_rest(state, at, left, len);
    for (unsigned i = 0; i < WORDS; i++)
        (void)snprintf(out + (size_t)8 * i, SHA256_TEXT_BYTES - (size_t)8 * i, "%08x", state[i]);
}

bool sha256_text_is(const char *text)
{
    return text != NULL && strlen(text) == SHA256_TEXT_BYTES - 1 &&
           strspn(text, "0123456789abcdef") == SHA256_TEXT_BYTES - 1;
}
