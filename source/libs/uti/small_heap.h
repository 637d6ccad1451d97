#ifndef UTI_SMALL_HEAP_H
#define UTI_SMALL_HEAP_H

#include "common/basis.h"

/* The heap of a small program with one thread. Its first SMALL_HEAP_FIRST_BYTES lie in the heap
 * itself, so in the program's zeroed data: no call maps them, they need no page tables of their
 * own, and blocks of all sizes follow each other in them. A program that needs a few kB touches a
 * few pages. After them the system gives regions. A block is rounded up to one of 43 sizes, above
 * 128 bytes a fifth of it in vain at most, and one that was freed serves the next request of its
 * size: memory is bounded by the sum of what each size needed at most. Blocks of more than
 * SMALL_HEAP_LARGE_BYTES are mappings of their own, which return to the system.
 *
 * A heap that is all zero is empty and ready. Blocks are aligned to 16. A block that was freed
 * before, that lies at no such address or whose head was overwritten trips an ASSERT; a large one
 * that was freed before is not there any more (SIGSEGV). Functions are as the C library has them:
 * NULL and errno ENOMEM when the system refuses, or for what is larger than 64 GiB. Not thread
 * safe. O(1) but for copies. */
enum {
    SMALL_HEAP_FIRST_BYTES = 128 * 1024,
    SMALL_HEAP_LARGE_BYTES = 64 * 1024 - 8,
    SMALL_HEAP_CLASSES = 44
};

struct small_heap_block;
struct small_heap {
    char *next, *end; /* of the region: unused memory */
    uint64_t secret;  /* what the heads of blocks are sealed with */
    struct small_heap_block *gone[SMALL_HEAP_CLASSES]; /* freed ones of each size */
    _Alignas(16) char first[SMALL_HEAP_FIRST_BYTES];
};

/* new: small_heap_free; NULL is fine for OLD and BLOCK. After a failed realloc OLD stays good */
void *small_heap_alloc(struct small_heap *h, size_t bytes);
void *small_heap_calloc(struct small_heap *h, size_t count, size_t bytes);
void *small_heap_realloc(struct small_heap *h, void *old, size_t bytes);
void small_heap_free(struct small_heap *h, void *block);
/* small_heap_aligned - ALIGN: a power of two, at most 2^26 (else errno EINVAL); costs ALIGN more */
void *small_heap_aligned(struct small_heap *h, size_t align, size_t bytes);
/* small_heap_usable - how many bytes of BLOCK may be used; 0 for NULL */
size_t small_heap_usable(const struct small_heap *h, void *block);

#endif
