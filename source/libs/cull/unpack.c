/* Unpacking: somebody's bytes to values and records. Everything here is hostile until read.
 *
 * Three bounds hold: no read goes beyond the window; nesting is at most UNPACK_DEPTH_MAX (our own
 * types do not nest deeper, a foreign table might); and every byte of memory is charged to the
 * budget of the window before it is allocated. A list grows as its elements are really read, so
 * that a count that lies costs nothing. */
#include <stdlib.h>
#include <string.h>

#include "libs/cull/map.h"
#include "libs/cull/msg_cull.h"
#include "libs/cull/pack.h"
#include "libs/cull/range_many.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"

enum {
    UNPACK_DEPTH_MAX = 16,
    LIST_FIRST_ROOM = 8, /* elements; then a list doubles, up to the number it said it has */
    HEAP_GRAIN = 16,     /* what an allocation is rounded up to, with its header in front */
    HEAP_HEADER = 8,
    HEAP_LEAST = 32,
    MEMBER_BYTES_MOST = 32, /* of a set in any form (range_forms.c) */
    ELEMENT_GRAIN = 64,     /* so many bytes of an element take as long as a small one */
    PRESENCE_MOST = 64,     /* a record says in so many bytes at most which fields are set */
    /* a shorter text is copied in no time; one that takes the memory of its window wastes no more
     * than a part of it */
    TAKEN_LEAST = 256 * 1024,
    WASTED_PART = 8
};

/* ---- windows and their budgets ---- */
static struct unpacker window_over(const void *data, size_t len, size_t budget_bytes)
{
    static const uint8_t nothing[1];
    const uint8_t *at = data != NULL ? data : nothing;

    return (struct unpacker){ .at = at,
                              .end = at + (data != NULL ? len : 0),
                              .budget_bytes = budget_bytes,
                              .elements_left = UINT32_MAX,
                              .text_most = SIZE_MAX,
                              .texts_left = SIZE_MAX,
                              .long_text_most = SIZE_MAX };
}

size_t unpack_budget(size_t len)
{
    size_t small = UNPACK_BASE_BYTES + UNPACK_FACTOR * len;
    size_t large = UNPACK_LARGE_BYTES + UNPACK_LARGE_FACTOR * len;

    return small < large ? small : large;
}

struct unpacker unpacker_over(const void *data, size_t len)
{
    return window_over(data, len, unpack_budget(len));
}

struct unpacker unpacker_over_own(const void *data, size_t len)
{
    struct unpacker u = window_over(data, len, SIZE_MAX);

    u.is_own = true;
    return u;
}

/* what an allocation of BYTES costs the heap */
static size_t heap_cost(size_t bytes)
{
    size_t cost = (bytes + HEAP_HEADER + HEAP_GRAIN - 1) / HEAP_GRAIN * HEAP_GRAIN;

    return cost > HEAP_LEAST ? cost : HEAP_LEAST;
}

static bool charge_budget(struct unpacker *u, size_t cost)
{
    if (cost > u->budget_bytes) {
        u->excess = UNPACK_COSTLY;
        return false;
    }
    if (!u->is_own)
        u->budget_bytes -= cost;
    return true;
}

/* an element of BYTES is to be read: it counts once for each ELEMENT_GRAIN that it begins */
static bool count_element(struct unpacker *u, size_t bytes)
{
    uint32_t weight = (uint32_t)((bytes + ELEMENT_GRAIN - 1) / ELEMENT_GRAIN);
    if (weight > u->elements_left) {
        u->excess = UNPACK_CROWDED;
        return false;
    }
    u->elements_left -= weight;
    return true;
}

/* a text of LEN bytes is to be read; one that is long by its row counts for itself alone */
static bool count_text(struct unpacker *u, size_t len, bool is_long)
{
    size_t most = is_long ? u->long_text_most : u->text_most;
    if (len > most || (!is_long && len > u->texts_left)) {
        u->excess = len > most ? UNPACK_LONG_TEXT : UNPACK_LONG_TEXTS;
        return false;
    }
    if (!is_long)
        u->texts_left -= len;
    return true;
}

static void give_back(struct unpacker *u, size_t cost)
{
    if (!u->is_own)
        u->budget_bytes += cost;
}

/* ---- plain values ---- */

size_t unpack_left(const struct unpacker *u)
{
    return (size_t)(u->end - u->at);
}

/* after an error nothing is left, so that every later read fails too */
static void fail_reads(struct unpacker *u)
{
    u->is_bad = true;
    u->at = u->end;
}

const uint8_t *unpack_bytes(struct unpacker *u, size_t len)
{
    if (u->is_bad || unpack_left(u) < len) {
        fail_reads(u);
        return NULL;
    }
    u->at += len;
    return u->at - len;
}

/* the same of one byte, which is most of what is read */
static inline uint8_t next_byte(struct unpacker *u)
{
    if (u->at < u->end)
        return *u->at++;
    fail_reads(u);
    return 0;
}

uint8_t unpack_u8(struct unpacker *u)
{
    return next_byte(u);
}

uint32_t unpack_u32be(struct unpacker *u)
{
    const uint8_t *b = unpack_bytes(u, 4);

    return b == NULL ? 0 : (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static uint64_t read_varint(struct unpacker *u)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t b = next_byte(u);
        if (shift == 63 && b > 1)
            break;
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80)
            return u->is_bad ? 0 : v;
    }
    fail_reads(u);
    return 0;
}

/* numbers below 128, as most are, have one byte */
static inline uint64_t next_varint(struct unpacker *u)
{
    return u->at < u->end && *u->at < 0x80 ? *u->at++ : read_varint(u);
}

uint64_t unpack_varint(struct unpacker *u)
{
    return next_varint(u);
}

uint32_t unpack_varint32(struct unpacker *u)
{
    uint64_t v = next_varint(u);

    if (v <= UINT32_MAX)
        return (uint32_t)v;
    fail_reads(u);
    return 0;
}

const uint8_t *unpack_blob(struct unpacker *u, size_t *len)
{
    uint64_t n = next_varint(u);

    *len = 0;
    if (n > unpack_left(u))
        fail_reads(u);
    const uint8_t *b = unpack_bytes(u, u->is_bad ? 1 : (size_t)n);
    if (b != NULL)
        *len = (size_t)n;
    return b;
}

/* The length of a packed string, which is there whole; false for a NULL or an error. */
static bool string_length(struct unpacker *u, size_t *len)
{
    uint64_t n = next_varint(u);

    if (n > 0 && n - 1 > unpack_left(u))
        fail_reads(u);
    *len = n > 0 && !u->is_bad ? (size_t)(n - 1) : 0;
    return n > 0 && !u->is_bad;
}

/* Its bytes without a copy; NULL if they are not a string: there is a NUL among them. */
static const char *borrow_text(struct unpacker *u, size_t len)
{
    const char *s = (const char *)unpack_bytes(u, len);

    if (s == NULL || memchr(s, '\0', len) == NULL)
        return s;
    fail_reads(u);
    return NULL;
}

char *unpack_string(struct unpacker *u)
{
    size_t len;
    const char *s = string_length(u, &len) ? borrow_text(u, len) : NULL;

    return s != NULL ? uti_strndup(s, len) : NULL;
}

/* ---- sets ---- */

/* one run behind END; false on an error */
static bool unpack_run(struct unpacker *u, uint64_t end, struct range *out)
{
    uint64_t gap = unpack_varint32(u), more = unpack_varint32(u);

    if (u->is_bad || end + gap + more >= UINT32_MAX) {
        fail_reads(u);
        return false;
    }
    *out = (struct range){ (uint32_t)(end + gap), (uint32_t)(end + gap + more) };
    return true;
}

/* N words from the window, which has them */
static void read_words(struct unpacker *u, uint64_t *words, uint32_t n)
{
    const uint8_t *at = unpack_bytes(u, n * sizeof *words);

    for (uint32_t i = 0; i < n; i++)
        words[i] = range_word_get(at + i * sizeof *words);
}

/* Members are below UINT32_MAX. What a set of bits has on the heap is known when it is there: at
 * most what its runs would have, and the budget has room for that or it is an error. */
static void unpack_as_bits(struct unpacker *u, struct range_set *s)
{
    uint32_t first = unpack_varint32(u), n = unpack_varint32(u);
    uint64_t *words = NULL;
    size_t cost = heap_cost(n * sizeof *words);

    if (u->is_bad || n == 0 || n > unpack_left(u) / sizeof *words ||
        (uint64_t)first + n > UINT32_MAX / RANGE_WORD_BITS || !charge_budget(u, cost) ||
        (words = uti_try_alloc(n * sizeof *words)) == NULL) {
        fail_reads(u);
        return;
    }
    read_words(u, words, n);
    struct range_words w = { words, first, n };
    if (charge_budget(u, range_many_words_bytes(&w))) {
        range_set_take_bits(s, first * RANGE_WORD_BITS, words, n);
    } else {
        fail_reads(u);
        free(words);
    }
    give_back(u, cost);
}

/* It costs next to nothing until something is done with it, so a peer pays what any form takes at
 * most: neither memory nor a walk over its members is to be had for a few bytes. */
static void unpack_as_stride(struct unpacker *u, struct range_set *s)
{
    uint32_t first = unpack_varint32(u), by = unpack_varint32(u), more = unpack_varint32(u);
    uint64_t last = first + (uint64_t)by * more;

    if (u->is_bad || by < 2 || more == 0 || last >= UINT32_MAX ||
        !charge_budget(
            u, heap_cost(range_set_fill_bytes(NULL, 0) + ((size_t)more + 1) * MEMBER_BYTES_MOST)))
        fail_reads(u);
    else
        range_set_add_stride(s, first, (uint32_t)last, by);
}

/* nearly every set: it needs no memory */
static void unpack_one_run(struct unpacker *u, struct range_set *s)
{
    struct range run;

    if (unpack_run(u, 0, &run))
        range_set_add(s, run.first, run.last);
}

void unpack_ranges(struct unpacker *u, struct range_set *s)
{
    uint32_t n = unpack_varint32(u), got = 0;
    uint64_t end = 0;

    range_set_free(s);
    if (n == 1) {
        unpack_one_run(u, s);
        return;
    }
    if (n == PACKED_AS_BITS) {
        unpack_as_bits(u, s);
        return;
    }
    if (n == PACKED_AS_STRIDE) {
        unpack_as_stride(u, s);
        return;
    }
    if (n > unpack_left(u) / 2)
        fail_reads(u);
    if (n == 0 || u->is_bad)
        return;
    struct range *runs = NULL;
    size_t cost = heap_cost(n * sizeof *runs);
    if (!charge_budget(u, cost) || (runs = uti_try_alloc(n * sizeof *runs)) == NULL) {
        fail_reads(u);
        return;
    }
    while (got < n && unpack_run(u, end, &runs[got]))
        end = (uint64_t)runs[got++].last + 1;
    if (!u->is_bad && charge_budget(u, range_set_fill_bytes(runs, n)))
        range_set_fill(s, runs, n);
    else
        fail_reads(u);
    free(runs);
    give_back(u, cost);
}

static double unpack_double(struct unpacker *u)
{
    uint64_t bits = (uint64_t)unpack_u32be(u) << 32;
    double v;

    bits |= unpack_u32be(u);
    memcpy(&v, &bits, sizeof v);
    return u->is_bad ? 0 : v;
}

/* ---- records ---- */
struct reading {
    struct unpacker *u;
    const struct cull_map *map; /* NULL: the sender's tables are ours */
    struct cull_pool *pool;     /* NULL: no sharing */
    struct answer *ans;
    struct unpacker began; /* the window when the record began: its limits, for messages */
    const char *element,
        *before; /* of the list: the one that is read, and that before it or NULL */
};

static int read_record(struct reading *r, const struct cull_type *t, const struct map_type *theirs,
                       void *o);
static bool skip_record(struct reading *r, const struct map_type *theirs, unsigned depth);

/* the presence bits of a record with N_FIELDS; NULL if they are not there or name other fields */
static const uint8_t *read_presence(struct unpacker *u, uint32_t n_fields, size_t *len)
{
    const uint8_t *bits = unpack_blob(u, len);

    if (bits == NULL || *len > (n_fields + 7) / 8)
        return NULL;
    if (*len == (n_fields + 7) / 8 && n_fields % 8 != 0 && bits[*len - 1] >> (n_fields % 8) != 0)
        return NULL;
    return bits;
}

static bool has_bit(const uint8_t *bits, size_t len, uint32_t field)
{
    return field / 8 < len && ((bits[field / 8] >> (field % 8)) & 1u);
}

static bool read_number(struct reading *r, enum cull_kind kind, void *m)
{
    uint64_t v = next_varint(r->u);

    if (kind == CULL_ULONG64) {
        *(uint64_t *)m = v;
        return true;
    }
    if (v > (kind == CULL_BOOL ? 1 : UINT32_MAX))
        return false;
    if (kind == CULL_BOOL)
        *(bool *)m = v != 0;
    else
        *(uint32_t *)m = (uint32_t)v;
    return true;
}

/* is the text of LEN bytes most of the memory that the window is? */
static bool may_take_memory(const struct reading *r, size_t len)
{
    size_t bytes = unpack_left(&r->began);

    return r->u->memory != NULL && r->map == NULL && len >= TAKEN_LEAST &&
           len >= bytes - bytes / WASTED_PART;
}

/* The bytes before S are overwritten, those behind it are still to be read. */
static const char *take_memory(struct reading *r, const char *s, size_t len)
{
    void *memory = r->u->memory;

    r->u->memory = NULL;
    return cull_string_take(memory, s, len);
}

/* the text of the element before in the place of M, if it is this one, or NULL: in a list of jobs
 * most owners and names are */
static const char *same_as_before(const struct reading *r, const char *const *m, const char *s,
                                  size_t len)
{
    if (r->before == NULL)
        return NULL;
    const char *was = *(const char *const *)(r->before + ((const char *)m - r->element));
    bool is_same = was != NULL && strncmp(was, s, len) == 0 && was[len] == '\0';
    return is_same ? cull_string_hold(was) : NULL;
}

/* its length is looked at before its bytes are: what is too long costs nothing */
static bool read_string(struct reading *r, unsigned flags, const char **m)
{
    size_t len;

    if (!string_length(r->u, &len))
        return true;
    if (!count_text(r->u, len, (flags & CULL_LONG) != 0) ||
        !charge_budget(r->u, heap_cost(CULL_STRING_HEADER + len + 1)))
        return false;
    const char *s = borrow_text(r->u, len);
    if (s == NULL)
        return false;
    if (may_take_memory(r, len))
        *m = take_memory(r, s, len);
    else if ((*m = same_as_before(r, m, s, len)) != NULL)
        return true;
    else if ((flags & CULL_INTERN) != 0 && r->pool != NULL)
        *m = cull_pool_get(r->pool, s, len);
    else
        *m = cull_string_try_new(s, len);
    return *m != NULL;
}

/* Lookups compare the keys of elements, so an element without one is malformed. Our own records of
 * earlier releases may lack numbers, which read as 0. Keys stand first in their rows. */
static bool has_keys(struct reading *r, const struct cull_type *t, const void *o)
{
    for (unsigned f = 0; f < t->n_fields && (t->fields[f].flags & CULL_PRIMARY_KEY) != 0; f++) {
        const char *const *text = cull_member(t, o, f);
        if (t->fields[f].kind == CULL_STRING ? *text != NULL
                                             : r->u->is_own || cull_is_present(o, f))
            continue;
        ans_fail(r->ans, STATUS_EPROTO, MSG_CULL_NO_KEY_SS, t->name, t->fields[f].name);
        return false;
    }
    return true;
}

/* room for one more element of a list that will have N; false if the budget or the memory is used
 * up */
static bool list_grow(struct reading *r, const struct cull_type *element, struct cull_list *l,
                      uint32_t n)
{
    if (l->n < l->cap)
        return true;
    uint32_t cap = l->cap == 0 ? LIST_FIRST_ROOM : l->cap <= n / 2 ? 2 * l->cap : n;
    if (cap > n)
        cap = n;
    size_t had = l->cap * element->bytes, wanted = cap * element->bytes;
    if (!charge_budget(r->u, heap_cost(wanted) - (had > 0 ? heap_cost(had) : 0)))
        return false;
    void *v = uti_try_realloc(l->v, wanted);
    if (v == NULL)
        return false;
    memset((char *)v + had, 0, wanted - had);
    l->v = v;
    l->cap = cap;
    return true;
}

/* the next of L, which has room */
static bool read_element(struct reading *r, const struct cull_type *element,
                         const struct map_type *theirs, struct cull_list *l)
{
    const char *outer = r->element, *outer_before = r->before;
    char *o = (char *)l->v + (size_t)l->n++ * element->bytes;

    r->element = o;
    r->before = l->n > 1 ? o - element->bytes : NULL;
    bool is_read = read_record(r, element, theirs, o) == 0 && has_keys(r, element, o);
    r->element = outer;
    r->before = outer_before;
    return is_read;
}

static bool read_list(struct reading *r, const struct cull_type *element,
                      const struct map_type *theirs, struct cull_list *l)
{
    uint32_t n = unpack_varint32(r->u);

    if (n > unpack_left(r->u)) {
        fail_reads(r->u);
        return false;
    }
    while (l->n < n) {
        if (!list_grow(r, element, l, n) || !count_element(r->u, element->bytes))
            return false;
        if (!read_element(r, element, theirs, l))
            return false;
    }
    return true;
}

/* one value of FIELD; THEIRS is the sender's form of the element type of a list */
static bool read_value(struct reading *r, const struct cull_field *field,
                       const struct map_type *theirs, void *m)
{
    switch (field->kind) {
    case CULL_ULONG:
    case CULL_ULONG64:
    case CULL_BOOL:
        return read_number(r, field->kind, m);
    case CULL_DOUBLE:
        *(double *)m = unpack_double(r->u);
        return true;
    case CULL_STRING:
        return read_string(r, field->flags, m);
    case CULL_LIST:
        return read_list(r, field->element, theirs, m);
    case CULL_RANGES:
        unpack_ranges(r->u, m);
        return true;
    }
    return false;
}

/* why a value of FIELD could not be read */
static int say_unread(const struct reading *r, const struct cull_type *t,
                      const struct cull_field *field)
{
    const struct unpacker *began = &r->began;
    size_t len = unpack_left(began);

    switch (r->u->excess) {
    case UNPACK_WITHIN:
        break;
    case UNPACK_COSTLY:
        return ans_fail(r->ans, STATUS_EPROTO, MSG_CULL_TOO_COSTLY_SSUU, t->name, field->name, len,
                        unpack_budget(len));
    case UNPACK_CROWDED:
        return ans_fail(r->ans, STATUS_EPROTO, MSG_CULL_TOO_MANY_SSU, t->name, field->name,
                        began->elements_left);
    case UNPACK_LONG_TEXT:
        return ans_fail(r->ans, STATUS_EPROTO, MSG_CULL_LONG_TEXT_SSU, t->name, field->name,
                        (field->flags & CULL_LONG) != 0 ? began->long_text_most : began->text_most);
    case UNPACK_LONG_TEXTS:
        return ans_fail(r->ans, STATUS_EPROTO, MSG_CULL_LONG_TEXTS_SSU, t->name, field->name,
                        began->texts_left);
    }
    return ans_fail(r->ans, STATUS_EPROTO, MSG_CULL_MALFORMED_SS, t->name, field->name);
}

static int read_field(struct reading *r, const struct cull_type *t, unsigned field,
                      const struct map_type *theirs, void *o)
{
    uint64_t *present = o;
    bool is_read;

    present[field / 64] |= UINT64_C(1) << (field % 64);
    is_read = read_value(r, &t->fields[field], theirs, (char *)o + t->fields[field].offset);
    if (is_read && !r->u->is_bad)
        return 0;
    fail_reads(r->u);
    /* the innermost field is named; the levels above it stay silent */
    if (ans_has_error(r->ans))
        return -1;
    return say_unread(r, t, &t->fields[field]);
}

/* skip a value of a field that we do not have */
static bool skip_value(struct reading *r, const struct map_field *f, unsigned depth)
{
    struct range_set no_set = { 0 };
    size_t len;

    switch (f->kind) {
    case CULL_ULONG:
    case CULL_ULONG64:
    case CULL_BOOL:
        unpack_varint(r->u);
        break;
    case CULL_DOUBLE:
        unpack_double(r->u);
        break;
    case CULL_STRING:
        if (string_length(r->u, &len))
            borrow_text(r->u, len);
        break;
    case CULL_LIST: {
        uint32_t n = unpack_varint32(r->u);
        if (n > unpack_left(r->u))
            return false;
        for (; n > 0; n--) {
            if (!skip_record(r, &r->map->types[f->element], depth + 1))
                return false;
        }
        break;
    }
    case CULL_RANGES:
        unpack_ranges(r->u, &no_set);
        range_set_free(&no_set);
        break;
    }
    return !r->u->is_bad;
}

static bool skip_record(struct reading *r, const struct map_type *theirs, unsigned depth)
{
    size_t len;
    const uint8_t *bits = read_presence(r->u, theirs->n_fields, &len);

    if (bits == NULL || depth > UNPACK_DEPTH_MAX)
        return false;
    for (uint32_t f = 0; f < theirs->n_fields && f < 8 * len; f++) {
        if (has_bit(bits, len, f) && !skip_value(r, &theirs->fields[f], depth))
            return false;
    }
    return true;
}

/* one field of the sender's: into ours, or past it */
static int read_foreign_field(struct reading *r, const struct cull_type *t,
                              const struct map_field *f, void *o)
{
    if (f->ours >= 0)
        return read_field(r, t, (unsigned)f->ours,
                          f->kind == CULL_LIST ? &r->map->types[f->element] : NULL, o);
    r->u->has_skipped = true;
    if (skip_value(r, f, 0))
        return 0;
    fail_reads(r->u);
    return ans_fail(r->ans, STATUS_EPROTO, MSG_CULL_MALFORMED_SS, t->name, "unknown here");
}

static int read_record(struct reading *r, const struct cull_type *t, const struct map_type *theirs,
                       void *o)
{
    uint32_t n = theirs != NULL ? theirs->n_fields : t->n_fields;
    uint8_t kept[PRESENCE_MOST];
    size_t len;
    const uint8_t *bits = read_presence(r->u, n, &len);

    if (bits == NULL) {
        fail_reads(r->u);
        return ans_fail(r->ans, STATUS_EPROTO, MSG_CULL_MALFORMED_HEAD_S, t->name);
    }
    if (theirs == NULL)
        bits = memcpy(kept, bits, len); /* a text may take the memory where they were */
    for (size_t i = 0; i < len; i++) {
        for (unsigned left = bits[i]; left != 0; left &= left - 1) {
            unsigned f = 8 * (unsigned)i + (unsigned)__builtin_ctz(left);
            if ((theirs != NULL ? read_foreign_field(r, t, &theirs->fields[f], o)
                                : read_field(r, t, f, NULL, o)) < 0)
                return -1;
        }
    }
    return 0;
}

const struct map_type *cull_map_find(const struct cull_map *m, const struct cull_type *t)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->types[i].ours == t)
            return &m->types[i];
    }
    return NULL;
}

int cull_unpack(struct unpacker *u, const struct cull_type *t, const struct cull_map *map,
                struct cull_pool *pool, void *o, struct answer *ans)
{
    struct answer own = ANSWER_INIT; /* so that what ANS held before does not silence us */
    struct reading r = { .u = u, .map = map, .pool = pool, .ans = &own, .began = *u };
    const struct map_type *theirs = map != NULL ? cull_map_find(map, t) : NULL;

    if (map != NULL && theirs == NULL) {
        fail_reads(u);
        return ans_fail(ans, STATUS_EPROTO, MSG_CULL_TYPE_UNKNOWN_S, t->name);
    }
    if (read_record(&r, t, theirs, o) == 0)
        return 0;
    cull_clear(t, o);
    if (ans != NULL)
        ans_move(ans, &own);
    ans_free(&own);
    return -1;
}
