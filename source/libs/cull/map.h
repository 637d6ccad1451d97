#ifndef CULL_MAP_H
#define CULL_MAP_H

#include "libs/cull/pack.h"

/* A foreign table of record types as it reads onto ours; made and used by schema.c and unpack.c,
 * private to the room. Invariant: `element` of a list names a type of this map; `ours` of a field
 * is a field of a kind that can take its value. */
struct map_field {
    enum cull_kind kind; /* as the sender packs it */
    uint32_t element;    /* index into types, of a list */
    int ours;            /* index of our field; -1: skip the value */
};
struct map_type {
    const struct cull_type *ours; /* NULL: we do not know it */
    struct map_field *fields;
    uint32_t n_fields;
};
struct cull_map {
    struct map_type *types;
    uint32_t n;
};

/* cull_map_find - the sender's form of our type T; NULL if it has none */
const struct map_type *cull_map_find(const struct cull_map *m, const struct cull_type *t);

#endif
