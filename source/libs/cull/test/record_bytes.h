#ifndef CULL_TEST_RECORD_BYTES_H
#define CULL_TEST_RECORD_BYTES_H

/* What a record has on the heap, asked of the allocator: the tests and fuzz targets hold it against
 * unpack_budget. The record itself is not counted. */
#include <malloc.h>
#include <string.h>

#include "libs/cull/cull.h"

static inline size_t string_bytes(const char *s)
{
    return s != NULL ? strlen(s) + 1 + CULL_STRING_HEADER : 0;
}

static inline size_t record_bytes(const struct cull_type *t, const void *o)
{
    size_t bytes = 0;

    for (unsigned f = 0; f < t->n_fields; f++) {
        const void *m = cull_member(t, o, f);
        if (t->fields[f].kind == CULL_STRING)
            bytes += string_bytes(*(const char *const *)m);
        if (t->fields[f].kind == CULL_RANGES)
            bytes += range_set_bytes(m);
        if (t->fields[f].kind != CULL_LIST)
            continue;
        const struct cull_list *l = m;
        bytes += malloc_usable_size(l->v);
        for (uint32_t i = 0; i < l->n; i++)
            bytes += record_bytes(t->fields[f].element, cull_list_at(t->fields[f].element, l, i));
    }
    return bytes;
}

#endif
