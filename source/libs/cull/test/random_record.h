#ifndef CULL_TEST_RANDOM_RECORD_H
#define CULL_TEST_RANDOM_RECORD_H

/* Random records of any type, made by walking its descriptor: the test data of every round trip.
 * Fixed seeds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "libs/cull/cull.h"
#include "libs/uti/test/random_text.h"

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

/* NULL one time in eight */
static inline void random_text(uint64_t *seed, void *o, const struct cull_field *field, unsigned f)
{
    char text[32];
    uint32_t len = random_below(seed, sizeof text);

    for (uint32_t i = 0; i < len; i++)
        text[i] = (char)(1 + random_below(seed, 255));
    text[len] = '\0';
    cull_set_string(o, field->offset, f, random_below(seed, 8) == 0 ? NULL : text);
}

static inline void random_mark(void *o, unsigned f)
{
    ((uint64_t *)o)[f / 64] |= UINT64_C(1) << (f % 64);
}

/* an element of a list has its keys */
static inline void random_key(const struct cull_type *t, void *o)
{
    for (unsigned f = 0; f < t->n_fields && (t->fields[f].flags & CULL_PRIMARY_KEY) != 0; f++) {
        const struct cull_field *field = &t->fields[f];
        random_mark(o, f);
        if (field->kind == CULL_STRING && *(const char *const *)cull_member(t, o, f) == NULL)
            cull_set_string(o, field->offset, f, "key");
    }
}

static inline void random_record(uint64_t *seed, const struct cull_type *t, void *o);

static inline void random_field(uint64_t *seed, const struct cull_field *field, unsigned f, void *o)
{
    switch (field->kind) {
    case CULL_ULONG:
        cull_set_u32(o, field->offset, f, random_number(seed));
        break;
    case CULL_ULONG64:
        cull_set_u64(o, field->offset, f, (uint64_t)random_number(seed) << random_below(seed, 33));
        break;
    case CULL_DOUBLE:
        cull_set_double(o, field->offset, f, random_number(seed) / 7.0);
        break;
    case CULL_BOOL:
        cull_set_bool(o, field->offset, f, random_below(seed, 2) != 0);
        break;
    case CULL_STRING:
        random_text(seed, o, field, f);
        break;
    case CULL_RANGES:
        random_ranges(seed, cull_ranges_of(o, field->offset, f));
        break;
    case CULL_LIST:
        random_mark(o, f); /* also if it stays empty */
        for (uint32_t n = random_below(seed, 4); n > 0; n--) {
            void *e = cull_append_element(o, field->offset, f, field->element->bytes);
            random_record(seed, field->element, e);
            random_key(field->element, e);
        }
        break;
    }
}

/* O is empty; about half of the fields get a value */
static inline void random_record(uint64_t *seed, const struct cull_type *t, void *o)
{
    for (unsigned f = 0; f < t->n_fields; f++)
        if (random_below(seed, 2) != 0)
            random_field(seed, &t->fields[f], f, o);
}

#endif
