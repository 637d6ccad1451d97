#ifndef CULL_TEST_RANDOM_RECORD_H
#define CULL_TEST_RANDOM_RECORD_H

/* Random records of any type, made by walking its descriptor: the test data of every round trip.
 * Fixed seeds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "libs/cull/cull.h"

static inline uint32_t random_u32(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

static inline uint32_t random_below(uint64_t *seed, uint32_t n)
{
    return random_u32(seed) % n;
}

static inline uint32_t random_number(uint64_t *seed)
{
    return random_u32(seed) >> random_below(seed, 32);
}

static inline void random_ranges(uint64_t *seed, struct range_set *s)
{
    uint32_t runs = random_below(seed, 5) == 0 ? random_below(seed, 600) : random_below(seed, 4);

    for (uint32_t i = 0; i < runs; i++) {
        uint32_t first = random_number(seed) / 2;
        range_set_add(s, first, first + random_below(seed, 50));
    }
}

static inline void random_text(uint64_t *seed, const char **at)
{
    char text[32];
    uint32_t len = random_below(seed, sizeof text);

    for (uint32_t i = 0; i < len; i++)
        text[i] = (char)(1 + random_below(seed, 255));
    if (random_below(seed, 8) == 0)
        return;
    cull_string_drop(*at);
    *at = cull_string_new(text, len);
}

/* an element of a list has its keys */
static inline void random_key(const struct cull_type *t, void *o)
{
    for (unsigned f = 0; f < t->n_fields && (t->fields[f].flags & CULL_PRIMARY_KEY) != 0; f++) {
        const char **key = (const char **)((char *)o + t->fields[f].offset);
        ((uint64_t *)o)[f / 64] |= UINT64_C(1) << (f % 64);
        if (t->fields[f].kind == CULL_STRING && *key == NULL)
            *key = cull_string_new("key", 3);
    }
}

/* O is empty; about half of the fields get a value */
static inline void random_record(uint64_t *seed, const struct cull_type *t, void *o)
{
    for (unsigned f = 0; f < t->n_fields; f++) {
        void *m = (char *)o + t->fields[f].offset;
        const struct cull_type *element = t->fields[f].element;
        if (random_below(seed, 2) == 0)
            continue;
        ((uint64_t *)o)[f / 64] |= UINT64_C(1) << (f % 64);
        switch (t->fields[f].kind) {
        case CULL_ULONG:
            *(uint32_t *)m = random_number(seed);
            break;
        case CULL_ULONG64:
            *(uint64_t *)m = (uint64_t)random_number(seed) << random_below(seed, 33);
            break;
        case CULL_DOUBLE:
            *(double *)m = random_number(seed) / 7.0;
            break;
        case CULL_BOOL:
            *(bool *)m = random_below(seed, 2) != 0;
            break;
        case CULL_STRING:
            random_text(seed, m);
            break;
        case CULL_RANGES:
            random_ranges(seed, m);
            break;
        case CULL_LIST: {
            struct cull_list *l = m;
            l->n = l->cap = random_below(seed, 4);
            l->v = l->n > 0 ? uti_calloc(l->n, element->bytes) : NULL;
            for (uint32_t i = 0; i < l->n; i++) {
                void *e = (char *)l->v + i * element->bytes;
                random_record(seed, element, e);
                random_key(element, e);
            }
            break;
        }
        }
    }
}

#endif
