/* Records and lists of them: setters, and what generic code does with a record and its descriptor.
 *
 * A record owns its strings (one count each), its lists and its range sets. Invariants: a field
 * without its presence bit reads as zero, NULL or empty; a list with n == 0 may keep its memory.
 * Members are reached by offset; the build has -fno-strict-aliasing, since every `struct X_list` is
 * looked at as struct cull_list here.
 *
 * A list owns its elements, in memory of its own that has room for `cap` of them. A list that other
 * records have, too (cull_adopt), is shared: it has elements and no room, they stand behind a
 * count, and nobody changes them. Counts are atomic, as those of strings are. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libs/cull/cull.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

/* ---- lists ---- */

struct shared_elements {
    atomic_uint count; /* lists that have them */
    uint64_t first[];  /* elements are aligned as this is */
};

static bool is_shared(const struct cull_list *l)
{
    return l->cap == 0 && l->n > 0;
}

static struct shared_elements *shared_of(const struct cull_list *l)
{
    return (struct shared_elements *)(void *)((char *)l->v -
                                              offsetof(struct shared_elements, first));
}

static void *element_at(const struct cull_type *element, struct cull_list *l, uint32_t index)
{
    return (char *)l->v + (size_t)index * element->bytes;
}

const void *cull_list_at(const struct cull_type *element, const struct cull_list *l, uint32_t index)
{
    ASSERT(index < l->n);
    return (const char *)l->v + (size_t)index * element->bytes;
}

void *cull_push_element(void *list, size_t bytes)
{
    struct cull_list *l = list;
    ASSERT(!is_shared(l));
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, bytes);
    return memset((char *)l->v + bytes * l->n++, 0, bytes);
}

void cull_room_for(void *list, uint32_t n, size_t bytes)
{
    struct cull_list *l = list;

    ASSERT(!is_shared(l));
    if (n <= l->cap)
        return;
    l->v = uti_realloc(l->v, n * bytes);
    l->cap = n;
}

/* where the primary key of kind KIND is within an element */
static size_t key_offset(const struct cull_type *element, enum cull_kind kind)
{
    unsigned f = 0;

    while (f < element->n_fields && (element->fields[f].flags & CULL_PRIMARY_KEY) == 0)
        f++;
    ASSERT(f < element->n_fields && element->fields[f].kind == kind);
    return element->fields[f].offset;
}

void *cull_find(const struct cull_type *element, const void *list, const char *key)
{
    const struct cull_list *l = list;
    size_t offset = key_offset(element, CULL_STRING);

    for (uint32_t i = 0; i < l->n; i++) {
        char *o = (char *)l->v + (size_t)i * element->bytes;
        const char *name = *(const char **)(o + offset);
        if (name != NULL && strcmp(name, key) == 0)
            return o;
    }
    return NULL;
}

void *cull_find_number(const struct cull_type *element, const void *list, uint32_t key)
{
    const struct cull_list *l = list;
    size_t offset = key_offset(element, CULL_ULONG);

    for (uint32_t i = 0; i < l->n; i++) {
        char *o = (char *)l->v + (size_t)i * element->bytes;
        if (*(uint32_t *)(o + offset) == key)
            return o;
    }
    return NULL;
}

static void free_elements(const struct cull_type *element, struct cull_list *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        cull_clear(element, element_at(element, l, i));
}

void cull_list_clear(const struct cull_type *element, void *list)
{
    struct cull_list *l = list;
    if (!is_shared(l)) {
        free_elements(element, l);
        free(l->v);
    } else if (atomic_fetch_sub_explicit(&shared_of(l)->count, 1, memory_order_acq_rel) == 1) {
        free_elements(element, l);
        free(shared_of(l));
    }
    *l = (struct cull_list){ NULL, 0, 0 };
}

void cull_remove_at(const struct cull_type *element, struct cull_list *l, uint32_t index)
{
    ASSERT(index < l->n && !is_shared(l));
    char *at = element_at(element, l, index);
    cull_clear(element, at);
    memmove(at, at + element->bytes, (size_t)(l->n - index - 1) * element->bytes);
    l->n--;
}

/* ---- of two records ---- */
static void cull_list_copy(const struct cull_type *element, struct cull_list *to,
                           const struct cull_list *from)
{
    cull_list_clear(element, to);
    if (from->n == 0)
        return;
    to->v = uti_calloc(from->n, element->bytes);
    to->n = to->cap = from->n;
    for (uint32_t i = 0; i < from->n; i++)
        cull_copy(element, element_at(element, to, i), cull_list_at(element, from, i));
}

static bool cull_list_equal(const struct cull_type *element, const struct cull_list *a,
                            const struct cull_list *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        if (!cull_equal(element, cull_list_at(element, a, i), cull_list_at(element, b, i)))
            return false;
    }
    return true;
}

/* L's elements, which were its own, may be had by others from now on */
static void share_list(const struct cull_type *element, struct cull_list *l)
{
    size_t bytes = l->n * element->bytes;
    struct shared_elements *s = uti_alloc(sizeof *s + bytes);
    atomic_init(&s->count, 1);
    memcpy(s->first, l->v, bytes);
    free(l->v);
    *l = (struct cull_list){ .v = s->first, .n = l->n };
}

static void cull_list_adopt_elements(const struct cull_type *element, struct cull_list *l,
                                     const struct cull_list *from)
{
    for (uint32_t i = 0; i < l->n && i < from->n; i++)
        cull_adopt(element, element_at(element, l, i), cull_list_at(element, from, i));
}

static void cull_list_adopt(const struct cull_type *element, struct cull_list *l,
                            const struct cull_list *from)
{
    if (l->n == 0 || is_shared(l))
        return;
    if (!is_shared(from) || !cull_list_equal(element, l, from)) {
        cull_list_adopt_elements(element, l, from);
        share_list(element, l);
        return;
    }
    cull_list_clear(element, l);
    atomic_fetch_add_explicit(&shared_of(from)->count, 1, memory_order_relaxed);
    *l = *from;
}

/* ---- setters ---- */

/* the member at OFFSET of record O, whose FIELD is present from now on */
static void *place_of(void *o, size_t offset, unsigned field)
{
    uint64_t *present = o;

    present[field / 64] |= UINT64_C(1) << (field % 64);
    return (char *)o + offset;
}

void cull_set_u32(void *o, size_t offset, unsigned field, uint32_t v)
{
    *(uint32_t *)place_of(o, offset, field) = v;
}

void cull_set_u64(void *o, size_t offset, unsigned field, uint64_t v)
{
    *(uint64_t *)place_of(o, offset, field) = v;
}

void cull_set_double(void *o, size_t offset, unsigned field, double v)
{
    *(double *)place_of(o, offset, field) = v;
}

void cull_set_bool(void *o, size_t offset, unsigned field, bool v)
{
    *(bool *)place_of(o, offset, field) = v;
}

/* The new text is made before the old one goes: S may be the old one. */
void cull_put_string(const char **at, const char *s)
{
    const char *next = s == NULL ? NULL : cull_string_new(s, strlen(s));

    cull_string_drop(*at);
    *at = next;
}

void cull_set_string(void *o, size_t offset, unsigned field, const char *s)
{
    cull_put_string(place_of(o, offset, field), s);
}

static void put_shared(const char **at, const char *counted)
{
    const char *next = cull_string_hold(counted);

    cull_string_drop(*at);
    *at = next;
}

void cull_share_string(void *o, size_t offset, unsigned field, const char *counted)
{
    put_shared(place_of(o, offset, field), counted);
}

void *cull_append_element(void *o, size_t offset, unsigned field, size_t bytes)
{
    return cull_push_element(place_of(o, offset, field), bytes);
}

struct range_set *cull_ranges_of(void *o, size_t offset, unsigned field)
{
    return place_of(o, offset, field);
}

/* ---- members by offset ---- */
static void *member_of(const struct cull_type *t, void *o, unsigned field)
{
    ASSERT(field < t->n_fields);
    return (char *)o + t->fields[field].offset;
}

const void *cull_member(const struct cull_type *t, const void *o, unsigned field)
{
    ASSERT(field < t->n_fields);
    return (const char *)o + t->fields[field].offset;
}

bool cull_is_present(const void *o, unsigned field)
{
    const uint64_t *present = o;

    return (present[field / 64] >> (field % 64)) & 1u;
}

unsigned cull_next_present(const struct cull_type *t, const void *o, unsigned from)
{
    const uint64_t *present = o;
    unsigned words = (t->n_fields + 63) / 64, w = from / 64;

    if (w >= words)
        return t->n_fields;
    uint64_t left = present[w] & (UINT64_MAX << (from % 64));
    while (left == 0 && ++w < words)
        left = present[w];
    return left != 0 ? 64 * w + (unsigned)__builtin_ctzll(left) : t->n_fields;
}

static void set_present(void *o, unsigned field, bool is_present)
{
    uint64_t *word = (uint64_t *)o + field / 64;
    uint64_t bit = UINT64_C(1) << (field % 64);

    *word = is_present ? *word | bit : *word & ~bit;
}

int cull_field_index(const struct cull_type *t, const char *name)
{
    for (unsigned f = 0; f < t->n_fields; f++) {
        if (strcmp(t->fields[f].name, name) == 0)
            return (int)f;
    }
    return -1;
}

/* ---- new, delete, clear ---- */
void *cull_new(const struct cull_type *t)
{
    return uti_calloc(1, t->bytes);
}

void cull_delete(const struct cull_type *t, void *o)
{
    if (o == NULL)
        return;
    cull_clear(t, o);
    free(o);
}

/* member M of FIELD is as if it had never been set */
static inline void clear_member(const struct cull_field *field, void *m)
{
    switch (field->kind) {
    case CULL_ULONG:
        *(uint32_t *)m = 0;
        break;
    case CULL_ULONG64:
        *(uint64_t *)m = 0;
        break;
    case CULL_DOUBLE:
        *(double *)m = 0;
        break;
    case CULL_BOOL:
        *(bool *)m = false;
        break;
    case CULL_STRING:
        put_shared(m, NULL);
        break;
    case CULL_LIST:
        cull_list_clear(field->element, m);
        break;
    case CULL_RANGES:
        range_set_free(m);
        break;
    }
}

void cull_clear_field(const struct cull_type *t, void *o, unsigned field)
{
    clear_member(&t->fields[field], member_of(t, o, field));
    set_present(o, field, false);
}

void cull_clear(const struct cull_type *t, void *o)
{
    uint64_t *present = o;
    for (unsigned first = 0; first < t->n_fields; first += 64, present++) {
        for (uint64_t left = *present; left != 0; left &= left - 1) {
            const struct cull_field *field = &t->fields[first + (unsigned)__builtin_ctzll(left)];
            clear_member(field, (char *)o + field->offset);
        }
        *present = 0;
    }
}

/* ---- copy ---- */
void cull_copy_field(const struct cull_type *t, void *to, const void *from, unsigned field)
{
    if (to == from)
        return;
    if (!cull_is_present(from, field)) {
        cull_clear_field(t, to, field);
        return;
    }
    void *m = member_of(t, to, field);
    const void *source = cull_member(t, from, field);
    switch (t->fields[field].kind) {
    case CULL_ULONG:
        *(uint32_t *)m = *(const uint32_t *)source;
        break;
    case CULL_ULONG64:
        *(uint64_t *)m = *(const uint64_t *)source;
        break;
    case CULL_DOUBLE:
        *(double *)m = *(const double *)source;
        break;
    case CULL_BOOL:
        *(bool *)m = *(const bool *)source;
        break;
    case CULL_STRING:
        put_shared(m, *(const char *const *)source);
        break;
    case CULL_LIST:
        cull_list_copy(t->fields[field].element, m, source);
        break;
    case CULL_RANGES:
        range_set_copy(m, source);
        break;
    }
    set_present(to, field, true);
}

void cull_copy(const struct cull_type *t, void *to, const void *from)
{
    for (unsigned f = cull_next_present(t, to, 0); f < t->n_fields;
         f = cull_next_present(t, to, f + 1)) {
        if (!cull_is_present(from, f))
            cull_clear_field(t, to, f);
    }
    for (unsigned f = cull_next_present(t, from, 0); f < t->n_fields;
         f = cull_next_present(t, from, f + 1))
        cull_copy_field(t, to, from, f);
}

static bool strings_equal(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void adopt_field(const struct cull_type *t, void *o, const void *from, unsigned field)
{
    void *m = member_of(t, o, field);
    const void *other = cull_member(t, from, field);
    if (t->fields[field].kind == CULL_STRING &&
        strings_equal(*(const char **)m, *(const char *const *)other))
        put_shared(m, *(const char *const *)other);
    else if (t->fields[field].kind == CULL_LIST && (t->fields[field].flags & CULL_INTERN) != 0)
        cull_list_adopt(t->fields[field].element, m, other);
    else if (t->fields[field].kind == CULL_LIST)
        cull_list_adopt_elements(t->fields[field].element, m, other);
}

void cull_adopt(const struct cull_type *t, void *o, const void *from)
{
    for (unsigned f = cull_next_present(t, o, 0); f < t->n_fields;
         f = cull_next_present(t, o, f + 1))
        adopt_field(t, o, from, f);
}

bool cull_merge(const struct cull_type *t, void *to, const void *from)
{
    bool is_changed = false;

    for (unsigned f = cull_next_present(t, from, 0); f < t->n_fields;
         f = cull_next_present(t, from, f + 1)) {
        is_changed |= !cull_field_equal(t, to, from, f);
        cull_copy_field(t, to, from, f);
    }
    return is_changed;
}

/* ---- compare ---- */
bool cull_field_equal(const struct cull_type *t, const void *a, const void *b, unsigned field)
{
    const void *x = cull_member(t, a, field), *y = cull_member(t, b, field);

    switch (t->fields[field].kind) {
    case CULL_ULONG:
        return *(const uint32_t *)x == *(const uint32_t *)y;
    case CULL_ULONG64:
        return *(const uint64_t *)x == *(const uint64_t *)y;
    case CULL_DOUBLE:
        return memcmp(x, y, sizeof(double)) == 0; /* NaN equals itself: this compares records */
    case CULL_BOOL:
        return *(const bool *)x == *(const bool *)y;
    case CULL_STRING:
        return strings_equal(*(const char *const *)x, *(const char *const *)y);
    case CULL_LIST:
        return cull_list_equal(t->fields[field].element, x, y);
    case CULL_RANGES:
        return range_set_equal(x, y);
    }
    return false;
}

bool cull_equal(const struct cull_type *t, const void *a, const void *b)
{
    size_t words = (t->n_fields + 63) / 64;

    if (memcmp(a, b, words * sizeof(uint64_t)) != 0) /* records begin with what is present */
        return false;
    for (unsigned f = cull_next_present(t, a, 0); f < t->n_fields;
         f = cull_next_present(t, a, f + 1)) {
        if (!cull_field_equal(t, a, b, f))
            return false;
    }
    return true;
}

/* ---- what it costs ---- */
/* BYTES asked for, with what the allocator adds */
static size_t heap_bytes(size_t bytes)
{
    enum { UNIT = 16, LEAST = 32 };
    size_t taken = (bytes + sizeof(size_t) + UNIT - 1) / UNIT * UNIT;
    return bytes == 0 ? 0 : taken > LEAST ? taken : LEAST;
}

static size_t string_heap_bytes(const char *s)
{
    return s != NULL ? heap_bytes(strlen(s) + 1 + CULL_STRING_HEADER) : 0;
}

size_t cull_field_heap_bytes(const struct cull_type *t, const void *o, unsigned field)
{
    const void *m = cull_member(t, o, field);
    const struct cull_type *element = t->fields[field].element;
    if (t->fields[field].kind == CULL_STRING)
        return string_heap_bytes(*(const char *const *)m);
    if (t->fields[field].kind == CULL_RANGES)
        return heap_bytes(range_set_bytes(m));
    if (t->fields[field].kind != CULL_LIST)
        return 0;
    const struct cull_list *l = m;
    size_t bytes = heap_bytes((l->cap > l->n ? l->cap : l->n) * element->bytes);
    for (uint32_t i = 0; i < l->n; i++)
        bytes += cull_heap_bytes(element, cull_list_at(element, l, i));
    return bytes;
}

size_t cull_heap_bytes(const struct cull_type *t, const void *o)
{
    size_t bytes = 0;
    for (unsigned f = 0; f < t->n_fields; f++)
        bytes += cull_field_heap_bytes(t, o, f);
    return bytes;
}
