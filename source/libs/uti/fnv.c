/* FNV-1a, 64 bits. */
#include "libs/uti/fnv.h"

uint64_t uti_fnv1a(const void *data, size_t len)
{
    const uint8_t *bytes = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}
