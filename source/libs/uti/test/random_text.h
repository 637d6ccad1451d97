#ifndef UTI_TEST_RANDOM_TEXT_H
#define UTI_TEST_RANDOM_TEXT_H

/* Random numbers and texts for tests. Fixed seeds. */
#include <stdint.h>
#include <string.h>

static inline uint32_t random_u32(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

static inline uint32_t random_below(uint64_t *seed, uint32_t n)
{
    return random_u32(seed) % n;
}

/* at most MOST characters of ALPHABET; OUT has room for one more */
static inline void random_text_of(uint64_t *seed, const char *alphabet, uint32_t most, char *out)
{
    uint32_t len = random_below(seed, most + 1);
    for (uint32_t i = 0; i < len; i++)
        out[i] = alphabet[random_below(seed, (uint32_t)strlen(alphabet))];
    out[len] = '\0';
}

#endif
