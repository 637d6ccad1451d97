#ifndef VIEW_CHUNK_PICTURE_H
#define VIEW_CHUNK_PICTURE_H

#include "libs/sgeobj/ja_dependency.h"

/* Where tasks stand in a picture of which tasks of B wait for which of A: both arrays are as wide
 * as the picture, a task as wide as its step. Pure; the cost follows the picture, not the tasks. */
struct chunk_block {
    int x, width;         /* pixels */
    uint32_t first, last; /* ordinals of the tasks that it shows */
};

/* chunk_blocks - the tasks of S side by side over WIDTH pixels (at least 1), into OUT, which has
 * room for MOST (at least 1); tasks that would be narrower than LEAST share a block with those
 * beside them. Returns how many blocks there are. O(blocks) */
uint32_t chunk_blocks(const struct ja_shape *s, int width, int least, struct chunk_block *out,
                      uint32_t most);
/* chunk_waited - the tasks of A that any task of BLOCK, one of B, waits for, as a block over the
 * same WIDTH; O(1) */
struct chunk_block chunk_waited(const struct ja_shape *a, const struct ja_shape *b,
                                const struct chunk_block *block, int width);
/* chunk_at - the first of N blocks that ends right of X; N if there is none. O(n) */
uint32_t chunk_at(const struct chunk_block *v, uint32_t n, int x);

#endif
