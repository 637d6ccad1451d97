/* The table behind the handles. A handle has, from its lowest bit: 1, the kind (3 bits), the slot
 * (24 bits), the count of uses (32 bits). Invariant: free slots hang together from first_free. */
#include "libs/drmaa/handles.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"

enum { KIND_SHIFT = 1, SLOT_SHIFT = 4, USED_SHIFT = 28 };
enum { NUMBER_USED_SHIFT = 24, NUMBER_USED_MASK = 0x7f };
_Static_assert(sizeof(uintptr_t) >= 8, "a handle has 60 bits");
_Static_assert(HANDLES_MOST == 1 << (USED_SHIFT - SLOT_SHIFT), "a slot fits into its bits");

static uint32_t take_slot(struct handles *h)
{
    if (h->n_free > 0) {
        uint32_t slot = h->first_free;
        h->first_free = h->v[slot].next;
        h->n_free--;
        return slot;
    }
    h->v = uti_vec_grow(h->v, &h->cap, h->n + 1, sizeof *h->v);
    h->v[h->n] = (struct handle_slot){ .object = NULL };
    return h->n++;
}

static void *handle_of_slot(const struct handles *h, uint32_t slot)
{
    const struct handle_slot *s = &h->v[slot];
    uintptr_t bits = 1 | (uintptr_t)s->kind << KIND_SHIFT | (uintptr_t)slot << SLOT_SHIFT |
                     (uintptr_t)s->used << USED_SHIFT;
    return (void *)bits;
}

void *handle_add(struct handles *h, enum handle_kind kind, void *object)
{
    if (h->n_free == 0 && h->n == HANDLES_MOST)
        return NULL;
    uint32_t slot = take_slot(h);
    struct handle_slot *s = &h->v[slot];
    s->object = object;
    s->kind = kind;
    s->used++;
    return handle_of_slot(h, slot);
}

static struct handle_slot *find_slot(const struct handles *h, enum handle_kind kind,
                                     const void *handle)
{
    uintptr_t bits = (uintptr_t)handle;
    uint32_t slot = (uint32_t)(bits >> SLOT_SHIFT) & (HANDLES_MOST - 1);
    uintptr_t kind_bits = bits & ((1 << SLOT_SHIFT) - 1);
    if (kind_bits != (1 | (uintptr_t)kind << KIND_SHIFT) || slot >= h->n)
        return NULL;
    struct handle_slot *s = &h->v[slot];
    return s->object != NULL && s->kind == kind && bits >> USED_SHIFT == s->used ? s : NULL;
}

void *handle_find(const struct handles *h, enum handle_kind kind, const void *handle)
{
    const struct handle_slot *s = find_slot(h, kind, handle);
    return s != NULL ? s->object : NULL;
}

void *handle_remove(struct handles *h, enum handle_kind kind, const void *handle)
{
    struct handle_slot *s = find_slot(h, kind, handle);
    if (s == NULL)
        return NULL;
    void *object = s->object;
    s->object = NULL;
    s->next = h->n_free > 0 ? h->first_free : HANDLES_MOST;
    h->first_free = (uint32_t)(s - h->v);
    h->n_free++;
    return object;
}

static uint32_t number_of_slot(uint32_t slot, uint32_t used)
{
    return (used & NUMBER_USED_MASK) << NUMBER_USED_SHIFT | slot;
}

uint32_t handle_number(const void *handle)
{
    uintptr_t bits = (uintptr_t)handle;
    uint32_t slot = (uint32_t)(bits >> SLOT_SHIFT) & (HANDLES_MOST - 1);
    return number_of_slot(slot, (uint32_t)(bits >> USED_SHIFT));
}

void *handle_of_number(const struct handles *h, enum handle_kind kind, uint32_t number)
{
    uint32_t slot = number & (HANDLES_MOST - 1);
    if (slot >= h->n || h->v[slot].object == NULL || h->v[slot].kind != kind ||
        number != number_of_slot(slot, h->v[slot].used))
        return NULL;
    return handle_of_slot(h, slot);
}

void handles_free(struct handles *h)
{
    free(h->v);
    *h = (struct handles){ 0 };
}
