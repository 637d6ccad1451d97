/* Packing: records and plain values to bytes. The format is described in pack.h; unpack.c is the
 * other direction. */
#include <stdlib.h>
#include <string.h>

#include "libs/cull/pack.h"
#include "libs/cull/range_shapes.h"
#include "libs/uti/assert.h"

enum {
    PACKER_FIRST_BYTES = 256,
    RUN_BYTES_LEAST = 2,
    STRIDE_MEMBERS_LEAST = 16, /* with fewer, runs are as short */
    VARINT_BYTES_MOST = 10
};

void packer_free(struct packer *p)
{
    free(p->data);
    *p = (struct packer){ NULL, 0, 0 };
}

/* room for LEN more bytes; the caller writes them and they count as there */
static uint8_t *packer_extend(struct packer *p, size_t len)
{
    if (p->cap - p->len < len) {
        size_t cap = p->cap < PACKER_FIRST_BYTES ? PACKER_FIRST_BYTES : p->cap;
        while (cap - p->len < len)
            cap *= 2;
        p->data = uti_realloc(p->data, cap);
        p->cap = cap;
    }
    p->len += len;
    return p->data + p->len - len;
}

void pack_u8(struct packer *p, uint8_t v)
{
    *packer_extend(p, 1) = v;
}

void pack_u32be(struct packer *p, uint32_t v)
{
    uint8_t *at = packer_extend(p, 4);

    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> (24 - 8 * i));
}

/* returns what follows it */
static uint8_t *put_varint(uint8_t *at, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *at++ = (uint8_t)(v | 0x80);
    *at++ = (uint8_t)v;
    return at;
}

void pack_varint(struct packer *p, uint64_t v)
{
    uint8_t *begin = packer_extend(p, VARINT_BYTES_MOST), *end = put_varint(begin, v);

    p->len -= VARINT_BYTES_MOST - (size_t)(end - begin);
}

void pack_bytes(struct packer *p, const void *data, size_t len)
{
    if (len > 0)
        memcpy(packer_extend(p, len), data, len);
}

/* 8 bytes each, the least significant first */
static void pack_words(struct packer *p, const uint64_t *v, uint32_t n)
{
    uint8_t *at = packer_extend(p, n * sizeof *v);

    for (uint32_t i = 0; i < n; i++, at += sizeof *v)
        range_word_put(at, v[i]);
}

void pack_blob(struct packer *p, const void *data, size_t len)
{
    pack_varint(p, len);
    pack_bytes(p, data, len);
}

void pack_string(struct packer *p, const char *s)
{
    if (s == NULL) {
        pack_varint(p, 0);
        return;
    }
    size_t len = strlen(s);
    pack_varint(p, len + 1);
    pack_bytes(p, s, len);
}

static void pack_double(struct packer *p, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    pack_u32be(p, (uint32_t)(bits >> 32));
    pack_u32be(p, (uint32_t)bits);
}

/* What every other task of an array is: a few bytes, however many there are. A set that only
 * happens to be one is packed as what it is kept as: the tasks of an order, say, whose reader has a
 * budget that follows bytes. */
static bool pack_as_stride(struct packer *p, uint32_t first, uint32_t last, uint32_t by)
{
    if (by == 1 || (last - first) / by < STRIDE_MEMBERS_LEAST)
        return false;
    pack_varint(p, PACKED_AS_STRIDE);
    pack_varint(p, first);
    pack_varint(p, by);
    pack_varint(p, (last - first) / by);
    return true;
}

/* A fragmented set takes fewer bytes as bits than as runs, and no time for each run: it is in words
 * already. */
static bool pack_as_bits(struct packer *p, const struct range_words *w)
{
    uint64_t bytes = (uint64_t)w->n * sizeof *w->v;

    if (!range_words_has_more_runs(w, bytes / RUN_BYTES_LEAST))
        return false;
    pack_varint(p, PACKED_AS_BITS);
    pack_varint(p, w->first);
    pack_varint(p, w->n);
    pack_words(p, w->v, w->n);
    return true;
}

/* The number of runs stands in front but is known last: the runs go into a packer of their own, so
 * that a set is walked once. */
static void pack_as_runs(struct packer *p, struct range_walk *walk)
{
    struct packer runs = { NULL, 0, 0 };
    struct range r;
    uint64_t end = 0, n = 0;

    while (range_walk_next(walk, &r)) {
        uint8_t *begin = packer_extend(&runs, 2 * VARINT_BYTES_MOST);
        uint8_t *behind = put_varint(put_varint(begin, r.first - end), r.last - r.first);
        runs.len -= 2 * VARINT_BYTES_MOST - (size_t)(behind - begin);
        end = (uint64_t)r.last + 1;
        n++;
    }
    pack_varint(p, n);
    pack_bytes(p, runs.data, runs.len);
    packer_free(&runs);
}

void pack_ranges(struct packer *p, const struct range_set *s)
{
    struct range_walk walk;
    uint32_t first, last, by;

    if (range_set_is_stride(s, &first, &last, &by) && pack_as_stride(p, first, last, by))
        return;
    range_walk_begin(&walk, s);
    if (walk.words == NULL || !pack_as_bits(p, walk.words))
        pack_as_runs(p, &walk);
}

void pack_bits(struct packer *p, uint32_t first, const uint64_t *words, uint32_t n)
{
    struct range_words w = { (uint64_t *)(uintptr_t)words, first / RANGE_WORD_BITS, n };
    struct range_stride s;
    struct range r;
    uint64_t end = 0;

    ASSERT(first % RANGE_WORD_BITS == 0);
    if (range_stride_of_words(&w, range_words_count(&w), &s) &&
        pack_as_stride(p, s.first, s.last, s.by))
        return;
    if (pack_as_bits(p, &w))
        return;
    pack_varint(p, range_words_runs(&w));
    while (range_words_next(&w, end, &r)) {
        pack_varint(p, r.first - end);
        pack_varint(p, r.last - r.first);
        end = (uint64_t)r.last + 1;
    }
}

void pack_runs(struct packer *p, const struct range *v, uint32_t n)
{
    uint64_t end = 0;

    pack_varint(p, n);
    for (uint32_t i = 0; i < n; i++) {
        ASSERT(v[i].first >= end && v[i].first <= v[i].last);
        pack_varint(p, v[i].first - end);
        pack_varint(p, v[i].last - v[i].first);
        end = (uint64_t)v[i].last + 1;
    }
}

/* ---- records ---- */
enum { FIELDS_MOST = 512, FIELD_WORDS = FIELDS_MOST / 64 };

/* What goes into the bytes: a choice of top-level fields, or the spool fields of all levels. */
struct choice {
    const uint64_t *only;
    bool is_spool, is_element;
};

/* The other side wants the keys of an element: a number nobody has set travels as the 0 that it
 * reads as. Keys stand first in their rows. */
static uint64_t number_keys(const struct cull_type *t)
{
    uint64_t keys = 0;
    for (unsigned f = 0; f < t->n_fields && (t->fields[f].flags & CULL_PRIMARY_KEY) != 0; f++)
        if (t->fields[f].kind != CULL_STRING)
            keys |= UINT64_C(1) << f;
    return keys;
}

/* CHOSEN gets a bit for each field of O that goes into the bytes, as a record has for those that
 * are present. */
static void choose_fields(const struct cull_type *t, const void *o, struct choice c,
                          uint64_t chosen[FIELD_WORDS])
{
    const uint64_t *present = o;
    unsigned words = (t->n_fields + 63) / 64;

    ASSERT(t->n_fields <= FIELDS_MOST);
    for (unsigned w = 0; w < words; w++)
        chosen[w] = c.only != NULL ? present[w] & c.only[w] : present[w];
    if (c.is_element && !c.is_spool)
        chosen[0] |= number_keys(t);
    for (unsigned f = cull_next_present(t, o, 0); c.is_spool && f < t->n_fields;
         f = cull_next_present(t, o, f + 1)) {
        if ((t->fields[f].flags & CULL_SPOOL) == 0)
            chosen[f / 64] &= ~(UINT64_C(1) << (f % 64));
    }
}

static void pack_presence(struct packer *p, const struct cull_type *t, const uint64_t *chosen)
{
    uint8_t bits[FIELDS_MOST / 8];
    size_t n = (t->n_fields + 7) / 8;

    for (size_t i = 0; i < n; i++)
        bits[i] = (uint8_t)(chosen[i / 8] >> (8 * (i % 8)));
    while (n > 0 && bits[n - 1] == 0)
        n--;
    pack_blob(p, bits, n);
}

static void pack_record(struct packer *p, const struct cull_type *t, const void *o,
                        struct choice c);

static void pack_list(struct packer *p, const struct cull_type *element, const struct cull_list *l,
                      bool is_spool)
{
    pack_varint(p, l->n);
    for (uint32_t i = 0; i < l->n; i++)
        pack_record(p, element, cull_list_at(element, l, i),
                    (struct choice){ .is_spool = is_spool, .is_element = true });
}

static void pack_field(struct packer *p, const struct cull_field *f, const void *m, bool is_spool)
{
    switch (f->kind) {
    case CULL_ULONG:
        pack_varint(p, *(const uint32_t *)m);
        break;
    case CULL_ULONG64:
        pack_varint(p, *(const uint64_t *)m);
        break;
    case CULL_DOUBLE:
        pack_double(p, *(const double *)m);
        break;
    case CULL_BOOL:
        pack_varint(p, *(const bool *)m);
        break;
    case CULL_STRING:
        pack_string(p, *(const char *const *)m);
        break;
    case CULL_LIST:
        pack_list(p, f->element, m, is_spool);
        break;
    case CULL_RANGES:
        pack_ranges(p, m);
        break;
    }
}

static void pack_record(struct packer *p, const struct cull_type *t, const void *o, struct choice c)
{
    uint64_t chosen[FIELD_WORDS];

    choose_fields(t, o, c, chosen);
    pack_presence(p, t, chosen);
    for (unsigned f = cull_next_present(t, chosen, 0); f < t->n_fields;
         f = cull_next_present(t, chosen, f + 1))
        pack_field(p, &t->fields[f], cull_member(t, o, f), c.is_spool);
}

void cull_pack(struct packer *p, const struct cull_type *t, const void *o, const uint64_t *only)
{
    pack_record(p, t, o, (struct choice){ .only = only });
}

void cull_pack_spool(struct packer *p, const struct cull_type *t, const void *o)
{
    pack_record(p, t, o, (struct choice){ .is_spool = true });
}
