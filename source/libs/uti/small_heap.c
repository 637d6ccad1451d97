/* Blocks with a head of 8 bytes before what their owner sees. The head says what the block is, and
 * seals that with its own address and the heap's secret: an overwritten head is not believed, nor
 * is an address that we never gave. A block is
 *
 *   of a class   the kind is its class; it lies in a region. Its class stays what it is, but the
 *                last block of the region may grow
 *   large        KIND_LARGE with a number of LARGE_STEPs: a mapping that begins 8 bytes before it
 *   inner        KIND_INNER with a number of units: so far behind the block of which it is a part,
 *                because its owner wants it aligned
 *
 * Invariants: heads lie 8 bytes before a multiple of 16. A block that was freed has KIND_GONE in
 * its head and is in the list of its class. Memory from `next` to `end` is zero. */
#include "libs/uti/small_heap.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "libs/uti/assert.h"

/* Classes below CLASSES_EXACT have one unit more than their number says; above them there are four
 * for each doubling. */
enum {
    UNIT = 16,
    HEAD_BYTES = 8,
    REGION_BYTES = 256 * 1024,
    LARGE_STEP = 4096,
    KIND_LARGE = 0x40,
    KIND_INNER = 0x41,
    KIND_GONE = 0x80,
    COUNT_SHIFT = 8,
    COUNT_MAX = (1 << 24) - 1,
    ALIGN_MAX = 1 << 26,
    CLASSES_EXACT = 8
};
struct small_heap_block {
    uint32_t what, seal;
    struct small_heap_block *next_gone; /* where its owner's bytes begin */
};

/* ---- heads ---- */
static uint32_t seal_of(const struct small_heap *h, const struct small_heap_block *b)
{
    uint64_t mixed = ((uintptr_t)b ^ h->secret) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) ^ b->what;
}

static void *seal_as(const struct small_heap *h, struct small_heap_block *b, uint32_t what)
{
    b->what = what;
    b->seal = seal_of(h, b);
    return (char *)b + HEAD_BYTES;
}

static struct small_heap_block *head_of(const struct small_heap *h, void *block)
{
    ASSERT((uintptr_t)block % UNIT == 0);
    struct small_heap_block *b = (struct small_heap_block *)(void *)((char *)block - HEAD_BYTES);
    bool head_is_intact = b->seal == seal_of(h, b);
    ASSERT(head_is_intact);
    return b;
}

static unsigned kind_of(const struct small_heap_block *b)
{
    return b->what & ((1U << COUNT_SHIFT) - 1);
}

static size_t count_of(const struct small_heap_block *b)
{
    return b->what >> COUNT_SHIFT;
}

static struct small_heap_block *live_head_of(const struct small_heap *h, void *block)
{
    struct small_heap_block *b = head_of(h, block);
    bool is_freed_before = (kind_of(b) & KIND_GONE) != 0;
    ASSERT(!is_freed_before);
    return b;
}

/* what callers know as the block of which B is a part */
static void *outer_of(struct small_heap_block *b)
{
    return (char *)b + HEAD_BYTES - count_of(b) * UNIT;
}

/* ---- classes ---- */
/* the smallest for BYTES, which are at most SMALL_HEAP_LARGE_BYTES */
static unsigned class_for(size_t bytes)
{
    size_t units = (bytes + HEAD_BYTES - 1) / UNIT; /* less one: 0 is a block of one unit */
    if (units < CLASSES_EXACT)
        return units > 0 ? (unsigned)units : 1;
    unsigned shift = 61 - (unsigned)__builtin_clzll(units);
    return 4 * shift + (unsigned)(units >> shift);
}

static size_t class_bytes(unsigned class)
{
    if (class < CLASSES_EXACT)
        return (class + 1) * (size_t)UNIT;
    return (size_t)(5 + class % 4) << (class / 4 - 1) << 4;
}

static size_t usable_bytes(const struct small_heap_block *b)
{
    if (kind_of(b) == KIND_LARGE)
        return count_of(b) * LARGE_STEP - UNIT;
    return class_bytes(kind_of(b)) - HEAD_BYTES;
}

/* ---- regions ---- */
static void use_region(struct small_heap *h, char *begin, size_t bytes)
{
    h->next = begin + UNIT - HEAD_BYTES;
    h->end = begin + bytes;
}

static void begin_heap(struct small_heap *h)
{
    const void *random = (const void *)getauxval(AT_RANDOM);
    if (random != NULL)
        memcpy(&h->secret, (const char *)random + sizeof h->secret, sizeof h->secret);
    use_region(h, h->first, sizeof h->first);
}

static char *map_bytes(size_t bytes)
{
    char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return map != MAP_FAILED ? map : NULL;
}

static bool has_room(const struct small_heap *h, size_t bytes)
{
    return (size_t)(h->end - h->next) >= bytes;
}

/* what is left of the region before is never touched */
static bool find_room(struct small_heap *h, size_t bytes)
{
    if (has_room(h, bytes))
        return true;
    char *region = map_bytes(REGION_BYTES);
    if (region != NULL)
        use_region(h, region, REGION_BYTES);
    return region != NULL;
}

static void *alloc_new(struct small_heap *h, unsigned class)
{
    size_t bytes = class_bytes(class);
    if (!find_room(h, bytes))
        return NULL;
    struct small_heap_block *b = (struct small_heap_block *)(void *)h->next;
    h->next += bytes;
    return seal_as(h, b, class);
}

static void *alloc_class(struct small_heap *h, unsigned class)
{
    struct small_heap_block *b = h->gone[class];
    if (b == NULL)
        return alloc_new(h, class);
    bool was_written_when_gone = b != head_of(h, &b->next_gone) || b->what != (class | KIND_GONE);
    ASSERT(!was_written_when_gone);
    h->gone[class] = b->next_gone;
    return seal_as(h, b, class);
}

/* ---- large ones ---- */
/* 0: too large */
static size_t large_steps(size_t bytes)
{
    size_t steps = bytes / LARGE_STEP + 1 + (bytes % LARGE_STEP > LARGE_STEP - UNIT);
    return steps <= COUNT_MAX ? steps : 0;
}

static void *seal_large(const struct small_heap *h, char *map, size_t steps)
{
    struct small_heap_block *b = (struct small_heap_block *)(void *)(map + UNIT - HEAD_BYTES);
    return seal_as(h, b, (uint32_t)steps << COUNT_SHIFT | KIND_LARGE);
}

static char *map_of(struct small_heap_block *b)
{
    return (char *)b + HEAD_BYTES - UNIT;
}

static void *alloc_large(struct small_heap *h, size_t bytes)
{
    size_t steps = large_steps(bytes);
    char *map = steps > 0 ? map_bytes(steps * LARGE_STEP) : NULL;
    if (map == NULL)
        errno = ENOMEM;
    return map != NULL ? seal_large(h, map, steps) : NULL;
}

/* to another size that is large */
static void *remap_large(struct small_heap *h, struct small_heap_block *b, size_t bytes)
{
    size_t steps = large_steps(bytes);
    if (steps == count_of(b))
        return (char *)b + HEAD_BYTES;
    char *map = MAP_FAILED;
    if (steps > 0)
        map = mremap(map_of(b), count_of(b) * LARGE_STEP, steps * LARGE_STEP, MREMAP_MAYMOVE);
    if (map == MAP_FAILED)
        errno = ENOMEM;
    return map != MAP_FAILED ? seal_large(h, map, steps) : NULL;
}

/* ---- what callers see ---- */
void *small_heap_alloc(struct small_heap *h, size_t bytes)
{
    if (h->end == NULL)
        begin_heap(h);
    if (bytes > SMALL_HEAP_LARGE_BYTES)
        return alloc_large(h, bytes);
    return alloc_class(h, class_for(bytes));
}

void *small_heap_calloc(struct small_heap *h, size_t count, size_t bytes)
{
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all))
        all = SIZE_MAX;
    bool is_zero = all > SMALL_HEAP_LARGE_BYTES || h->gone[class_for(all)] == NULL;
    void *block = small_heap_alloc(h, all);
    return is_zero || block == NULL ? block : memset(block, 0, all);
}

void small_heap_free(struct small_heap *h, void *block)
{
    if (block == NULL)
        return;
    struct small_heap_block *b = live_head_of(h, block);
    unsigned kind = kind_of(b);
    if (kind == KIND_LARGE) {
        (void)munmap(map_of(b), count_of(b) * LARGE_STEP);
        return;
    }
    (void)seal_as(h, b, b->what | KIND_GONE);
    if (kind == KIND_INNER) {
        small_heap_free(h, outer_of(b));
        return;
    }
    b->next_gone = h->gone[kind];
    h->gone[kind] = b;
}

size_t small_heap_usable(const struct small_heap *h, void *block)
{
    if (block == NULL)
        return 0;
    struct small_heap_block *b = live_head_of(h, block);
    if (kind_of(b) != KIND_INNER)
        return usable_bytes(b);
    return usable_bytes(live_head_of(h, outer_of(b))) - count_of(b) * UNIT;
}

/* ---- other sizes and addresses ---- */
/* not while there is a block of that size: what grows and is freed again and again would take new
 * memory each time */
static bool grow_last(struct small_heap *h, struct small_heap_block *b, unsigned class)
{
    size_t has = class_bytes(kind_of(b)), wants = class_bytes(class);
    if (h->gone[class] != NULL || (char *)b + has != h->next || wants < has ||
        !has_room(h, wants - has))
        return false;
    h->next += wants - has;
    (void)seal_as(h, b, class);
    return true;
}

/* a block of a class keeps its place when half of it will be used, or when nobody is behind it */
static bool keeps_place(struct small_heap *h, struct small_heap_block *b, size_t bytes)
{
    size_t has = usable_bytes(b);
    return (bytes <= has && bytes >= has / 2) || grow_last(h, b, class_for(bytes));
}

static void *move_block(struct small_heap *h, void *old, size_t bytes)
{
    size_t has = small_heap_usable(h, old);
    void *block = small_heap_alloc(h, bytes);
    if (block == NULL)
        return NULL;
    memcpy(block, old, has < bytes ? has : bytes);
    small_heap_free(h, old);
    return block;
}

void *small_heap_realloc(struct small_heap *h, void *old, size_t bytes)
{
    if (old == NULL)
        return small_heap_alloc(h, bytes);
    struct small_heap_block *b = live_head_of(h, old);
    bool is_large = bytes > SMALL_HEAP_LARGE_BYTES;
    if (is_large && kind_of(b) == KIND_LARGE)
        return remap_large(h, b, bytes);
    if (!is_large && kind_of(b) < KIND_LARGE && keeps_place(h, b, bytes))
        return old;
    return move_block(h, old, bytes);
}

void *small_heap_aligned(struct small_heap *h, size_t align, size_t bytes)
{
    size_t room;
    if (align == 0 || (align & (align - 1)) != 0 || align > ALIGN_MAX) {
        errno = EINVAL;
        return NULL;
    }
    if (__builtin_add_overflow(bytes, align > UNIT ? align : 0, &room))
        room = SIZE_MAX;
    char *block = small_heap_alloc(h, room);
    size_t behind = -(uintptr_t)block & (align - 1);
    if (block == NULL || behind == 0)
        return block;
    struct small_heap_block *inner =
        (struct small_heap_block *)(void *)(block + behind - HEAD_BYTES);
    return seal_as(h, inner, (uint32_t)(behind / UNIT) << COUNT_SHIFT | KIND_INNER);
}
