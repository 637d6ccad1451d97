/* Blocks are aligned to their size, so that an object finds its block. In a block objects that have
 * gone back are a list through their first words, and behind `n_begun` of them nothing has been
 * touched yet. Invariants: a block is in the list `roomy` exactly when it has room and is not the
 * spare one; the spare one has no object. */
#include "libs/uti/slab.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

enum { OBJECTS_LEAST = 15 }; /* a sixteenth of a block has room for its head, too */

struct gone {
    struct gone *next;
};
struct slab_block {
    struct gone *gone;
    uint32_t n, n_begun; /* objects in use; objects that ever were */
    LIST_ENTRY(slab_block) in_roomy;
    max_align_t objects[];
};
void slab_init(struct slab *s, size_t bytes)
{
    size_t unit = _Alignof(max_align_t);
    *s = (struct slab){ .bytes = (bytes + unit - 1) / unit * unit };
    s->per_block = (uint32_t)((SLAB_BLOCK_BYTES - sizeof(struct slab_block)) / s->bytes);
    ASSERT(s->per_block >= OBJECTS_LEAST);
}

/* ---- blocks ---- */
/* as much again as is wanted has an aligned block in it; the rest goes back */
static struct slab_block *map_block(void)
{
    char *all = mmap(NULL, 2 * SLAB_BLOCK_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        uti_alloc_refused(SLAB_BLOCK_BYTES);
    size_t before = (SLAB_BLOCK_BYTES - (uintptr_t)all % SLAB_BLOCK_BYTES) % SLAB_BLOCK_BYTES;
    if (before > 0)
        (void)munmap(all, before);
    (void)munmap(all + before + SLAB_BLOCK_BYTES, SLAB_BLOCK_BYTES - before);
    return (struct slab_block *)(void *)(all + before);
}

static struct slab_block *block_of(void *object)
{
    return (struct slab_block *)((uintptr_t)object / SLAB_BLOCK_BYTES * SLAB_BLOCK_BYTES);
}

static struct slab_block *roomy_block(struct slab *s)
{
    struct slab_block *b = LIST_FIRST(&s->roomy);
    if (b != NULL)
        return b;
    b = s->spare;
    s->spare = NULL;
    if (b == NULL) {
        b = map_block();
        s->n_blocks++;
    }
    LIST_INSERT_HEAD(&s->roomy, b, in_roomy);
    return b;
}

static void drop_block(struct slab *s, struct slab_block *b)
{
    LIST_REMOVE(b, in_roomy);
    if (s->spare == NULL) {
        s->spare = b;
        return;
    }
    (void)munmap(b, SLAB_BLOCK_BYTES);
    s->n_blocks--;
}

void slab_end(struct slab *s)
{
    ASSERT(LIST_EMPTY(&s->roomy));
    if (s->spare != NULL)
        (void)munmap(s->spare, SLAB_BLOCK_BYTES);
    s->spare = NULL;
    s->n_blocks = 0;
}

/* ---- objects ---- */
void *slab_take(struct slab *s)
{
    if (HAS_SANITIZER)
        return uti_calloc(1, s->bytes);
    struct slab_block *b = roomy_block(s);
    void *object = b->gone;
    if (object != NULL)
        b->gone = b->gone->next;
    else
        object = (char *)b->objects + s->bytes * b->n_begun++;
    if (++b->n == s->per_block)
        LIST_REMOVE(b, in_roomy);
    return memset(object, 0, s->bytes);
}

void slab_give(struct slab *s, void *object)
{
    if (HAS_SANITIZER || object == NULL) {
        free(object);
        return;
    }
    struct slab_block *b = block_of(object);
    struct gone *gone = object;
    gone->next = b->gone;
    b->gone = gone;
    if (b->n-- == s->per_block)
        LIST_INSERT_HEAD(&s->roomy, b, in_roomy);
    if (b->n == 0)
        drop_block(s, b);
}
