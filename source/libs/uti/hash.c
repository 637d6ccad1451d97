/* The hash of all tables of a process. The seed is set before main and never changes: it comes from
 * the random bytes that the kernel gives to each program at its start (getauxval(3) AT_RANDOM),
 * hashed, since other secrets are made of them, too. Numbers are multiplied with it, texts go
 * through SipHash (keyed_hash.h). */
#include "libs/uti/hash.h"

#include <string.h>
#include <sys/auxv.h>

#include "libs/uti/keyed_hash.h"

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
