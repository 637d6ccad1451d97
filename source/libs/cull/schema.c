/* Tables of descriptors: what two programs compare, the map from another version's table onto
 * ours, and records that a program wrote whose tables lack some of our fields: an earlier state
 * that has them completes them, so that a field survives a release that does not have it.
 *
 * A packed table is: varint number of types; for each blob name, varint number of fields; for each
 * field blob name, u8 kind, varint index of the element type + 1 (0 = none). */
#include <stdlib.h>
#include <string.h>

#include "libs/cull/map.h"
#include "libs/cull/msg_cull.h"
#include "libs/cull/pack.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/hash.h"

enum {
    TYPES_MAX = 512,
    FIELDS_MAX = 512
}; /* of a foreign table: several times what any version has */

/* ---- ours ---- */
/* number of a list's element type in the table, counted from 1; 0 for a field that is not a list */
static uint32_t element_number(const struct cull_schema *s, const struct cull_field *f)
{
    if (f->kind != CULL_LIST)
        return 0;
    for (unsigned i = 0; i < s->n; i++) {
        if (s->types[i] == f->element)
            return i + 1;
    }
    ASSERT(!"the element type of a list is in no table");
    return 0;
}

void cull_schema_pack(struct packer *p, const struct cull_schema *s)
{
    pack_varint(p, s->n);
    for (unsigned i = 0; i < s->n; i++) {
        const struct cull_type *t = s->types[i];
        pack_blob(p, t->name, strlen(t->name));
        pack_varint(p, t->n_fields);
        for (unsigned f = 0; f < t->n_fields; f++) {
            pack_blob(p, t->fields[f].name, strlen(t->fields[f].name));
            pack_u8(p, (uint8_t)t->fields[f].kind);
            pack_varint(p, element_number(s, &t->fields[f]));
        }
    }
}

uint64_t cull_schema_id(const struct cull_schema *s)
{
    struct packer p = { NULL, 0, 0 };

    cull_schema_pack(&p, s);
    uint64_t hash = uti_fnv1a(p.data, p.len);
    packer_free(&p);
    return hash;
}

/* ---- a foreign one ---- */
static bool name_is(const char *ours, const uint8_t *theirs, size_t len)
{
    return strlen(ours) == len && memcmp(ours, theirs, len) == 0;
}

static bool is_number(enum cull_kind k)
{
    return k == CULL_ULONG || k == CULL_ULONG64 || k == CULL_BOOL;
}

/* our field of that name, if it can take a value of that kind and no earlier field of theirs has
 * it */
static int our_field(const struct map_type *mt, uint32_t so_far, const uint8_t *name, size_t len,
                     enum cull_kind kind)
{
    for (unsigned f = 0; mt->ours != NULL && f < mt->ours->n_fields; f++) {
        if (!name_is(mt->ours->fields[f].name, name, len))
            continue;
        enum cull_kind own = mt->ours->fields[f].kind;
        if (own != kind && !(is_number(own) && is_number(kind)))
            return -1;
        for (uint32_t i = 0; i < so_far; i++) {
            if (mt->fields[i].ours == (int)f)
                return -1;
        }
        return (int)f;
    }
    return -1;
}

static const struct cull_type *our_type(const struct cull_map *m, uint32_t so_far,
                                        const struct cull_schema *ours, const uint8_t *name,
                                        size_t len)
{
    for (unsigned i = 0; i < ours->n; i++) {
        if (!name_is(ours->types[i]->name, name, len))
            continue;
        for (uint32_t k = 0; k < so_far; k++) {
            if (m->types[k].ours == ours->types[i])
                return NULL;
        }
        return ours->types[i];
    }
    return NULL;
}

/* element numbers are checked by link_elements, when all types are there */
static bool read_field_row(struct unpacker *u, struct map_type *mt, uint32_t index)
{
    size_t len;
    const uint8_t *name = unpack_blob(u, &len);
    uint8_t kind = unpack_u8(u);
    uint32_t element = unpack_varint32(u);

    if (u->is_bad || kind > CULL_RANGES || (kind == CULL_LIST) != (element != 0))
        return false;
    mt->fields[index] = (struct map_field){ kind, element == 0 ? 0 : element - 1,
                                            our_field(mt, index, name, len, kind) };
    return true;
}

static bool read_type(struct unpacker *u, struct cull_map *m, uint32_t index,
                      const struct cull_schema *ours)
{
    struct map_type *mt = &m->types[index];
    size_t len;
    const uint8_t *name = unpack_blob(u, &len);
    uint32_t n = unpack_varint32(u);

    if (u->is_bad || n > FIELDS_MAX)
        return false;
    mt->ours = our_type(m, index, ours, name, len);
    mt->fields = uti_calloc(n + 1, sizeof *mt->fields);
    for (; mt->n_fields < n; mt->n_fields++) {
        if (!read_field_row(u, mt, mt->n_fields))
            return false;
    }
    return true;
}

/* A list here takes elements only if the peer's elements have the type that this list's have. */
static bool link_elements(const struct cull_map *m, struct map_type *mt)
{
    for (uint32_t f = 0; f < mt->n_fields; f++) {
        struct map_field *mf = &mt->fields[f];
        if (mf->kind != CULL_LIST)
            continue;
        if (mf->element >= m->n)
            return false;
        if (mf->ours >= 0 && m->types[mf->element].ours != mt->ours->fields[mf->ours].element)
            mf->ours = -1;
    }
    return true;
}

struct cull_map *cull_map_new(struct unpacker *foreign, const struct cull_schema *ours,
                              struct answer *ans)
{
    struct cull_map *m = uti_calloc(1, sizeof *m);
    uint32_t n = unpack_varint32(foreign), at = 0;

    if (n <= TYPES_MAX)
        m->types = uti_calloc(n + 1, sizeof *m->types);
    else
        foreign->is_bad = true;
    for (; !foreign->is_bad && m->n < n; m->n++) {
        if (!read_type(foreign, m, m->n, ours))
            break;
    }
    bool is_good = !foreign->is_bad && m->n == n;
    for (at = 0; is_good && at < m->n; at++)
        is_good = link_elements(m, &m->types[at]);
    if (is_good)
        return m;
    ans_fail(ans, STATUS_EPROTO, MSG_CULL_TABLE_MALFORMED_U, m->n < n ? m->n + 1 : at);
    cull_map_free(m);
    return NULL;
}

void cull_map_free(struct cull_map *m)
{
    if (m == NULL)
        return;
    /* calloc'ed with one to spare: the type whose rows were cut short has fields as well */
    for (uint32_t i = 0; m->types != NULL && i <= m->n; i++)
        free(m->types[i].fields);
    free(m->types);
    free(m);
}

/* ---- fields that the sender lacks ---- */
/* the sender's form of FIELD; NULL if the sender has none, or one that we cannot read */
static const struct map_field *their_field(const struct map_type *theirs, unsigned field)
{
    for (uint32_t i = 0; i < theirs->n_fields; i++) {
        if (theirs->fields[i].ours == (int)field)
            return &theirs->fields[i];
    }
    return NULL;
}

/* have both elements the same keys, or the same of everything that the sender knows? */
static bool is_alike(const struct map_type *theirs, const void *a, const void *b, bool only_keys)
{
    const struct cull_type *t = theirs->ours;

    for (unsigned f = 0; f < t->n_fields; f++) {
        bool counts = only_keys ? (t->fields[f].flags & CULL_PRIMARY_KEY) != 0
                                : their_field(theirs, f) != NULL;
        if (counts && !cull_field_equal(t, a, b, f))
            return false;
    }
    return true;
}

/* what element O, which is or was number AT, was in FROM; NULL if it is new */
static const void *earlier_element(const struct map_type *theirs, const struct cull_list *from,
                                   const void *o, uint32_t at)
{
    if (at < from->n && is_alike(theirs, cull_list_at(theirs->ours, from, at), o, false))
        return cull_list_at(theirs->ours, from, at);
    for (int only_keys = 0; only_keys <= 1; only_keys++) {
        for (uint32_t i = 0; i < from->n; i++) {
            const void *e = cull_list_at(theirs->ours, from, i);
            if (is_alike(theirs, e, o, only_keys))
                return e;
        }
    }
    return NULL;
}

static void fill_record(const struct cull_map *m, const struct map_type *theirs, void *to,
                        const void *from);

static void fill_list(const struct cull_map *m, const struct map_type *theirs, struct cull_list *to,
                      const struct cull_list *from)
{
    for (uint32_t i = 0; i < to->n; i++) {
        void *o = (char *)to->v + (size_t)i * theirs->ours->bytes;
        const void *earlier = earlier_element(theirs, from, o, i);
        if (earlier != NULL)
            fill_record(m, theirs, o, earlier);
    }
}

static void fill_record(const struct cull_map *m, const struct map_type *theirs, void *to,
                        const void *from)
{
    const struct cull_type *t = theirs->ours;

    for (unsigned f = 0; f < t->n_fields; f++) {
        const struct map_field *known = their_field(theirs, f);
        if (known == NULL && cull_is_present(from, f))
            cull_copy_field(t, to, from, f);
        else if (known != NULL && t->fields[f].kind == CULL_LIST)
            fill_list(m, &m->types[known->element],
                      (struct cull_list *)(void *)((char *)to + t->fields[f].offset),
                      cull_member(t, from, f));
    }
}

void cull_fill_gaps(const struct cull_map *map, const struct cull_type *t, void *to,
                    const void *from)
{
    const struct map_type *theirs = cull_map_find(map, t);

    if (theirs != NULL)
        fill_record(map, theirs, to, from);
}

/* ---- RN_Type ---- */
/* What a range set looks like from outside (wire, XML, JSON). In memory a list of RN_Type is
 * struct range_set; the struct declared here has no other use than to give the descriptor its
 * offsets. */
/* clang-format off */
#define RANGE_ROWS                                                                                 \
    SGE_ULONG(RN_min, CULL_PRIMARY_KEY | CULL_SPOOL)                                               \
    SGE_ULONG(RN_max, CULL_SPOOL)                                                                  \
    SGE_ULONG(RN_step, CULL_SPOOL)
/* clang-format on */
#define CULL_TYPE RN_Type
#define CULL_HERE RANGE_ROWS
#include "libs/cull/declare.h"
#define CULL_TYPE RN_Type
#define CULL_HERE RANGE_ROWS
#include "libs/cull/define.h"
