/* Lists of records. A list owns its elements, in memory of its own that has room for `cap` of them.
 * A list that other records have, too (cull_adopt), is shared: it has elements and no room, they
 * stand behind a count, and nobody changes them. Counts are atomic, as those of strings are. */
#include <stdatomic.h>
#include <stdlib.h>

#include "libs/cull/cull.h"
#include "libs/cull/list.h"
#include "libs/uti/assert.h"

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
void cull_list_copy(const struct cull_type *element, struct cull_list *to,
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

bool cull_list_equal(const struct cull_type *element, const struct cull_list *a,
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

void cull_list_adopt_elements(const struct cull_type *element, struct cull_list *l,
                              const struct cull_list *from)
{
    for (uint32_t i = 0; i < l->n && i < from->n; i++)
        cull_adopt(element, element_at(element, l, i), cull_list_at(element, from, i));
}

void cull_list_adopt(const struct cull_type *element, struct cull_list *l,
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
