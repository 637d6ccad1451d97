#ifndef UTI_SLAB_H
#define UTI_SLAB_H

#include "libs/uti/tree.h"

/* Objects of one size that come and go by the hundred thousand, in blocks of memory that hold
 * nothing else: a block whose objects have all gone returns to the system at once, by one call for
 * SLAB_BLOCK_BYTES, so that giving back never takes longer than that however much there was. With
 * malloc one small neighbour that stays keeps the memory. Owned by one thread. (Under a sanitizer
 * each object is one of malloc's, so that misuse is seen.) */
enum { SLAB_BLOCK_BYTES = 256 * 1024 };

struct slab_block;
struct slab {
    size_t bytes;       /* of an object */
    uint32_t per_block; /* so many in each */
    uint32_t n_blocks;  /* that the system has given, with the spare one */
    LIST_HEAD(, slab_block) roomy;
    struct slab_block *spare; /* an empty one that stays for the next object; NULL: none */
};

/* slab_init - for objects of BYTES, at most a sixteenth of a block. No memory yet. When all objects
 * have gone back: slab_end */
void slab_init(struct slab *s, size_t bytes);
void slab_end(struct slab *s);
/* slab_take - an object of zero bytes; new: slab_give, which NULL is fine for. O(1) */
void *slab_take(struct slab *s);
void slab_give(struct slab *s, void *object);

#endif
