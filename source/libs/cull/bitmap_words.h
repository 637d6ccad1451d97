#ifndef CULL_BITMAP_WORDS_H
#define CULL_BITMAP_WORDS_H

#include <roaring/roaring.h>

#include "libs/cull/range_words.h"

/* A bitmap of CRoaring as plain words, and back. Private to range_many_bitmap.c. */
enum {
    CONTAINER_BITS = 16, /* a container of CRoaring spans this many bits of the members */
    CONTAINER_MEMBERS = 1 << CONTAINER_BITS,
    WORDS_PER_CONTAINER = CONTAINER_MEMBERS / RANGE_WORD_BITS
};

/* bitmap_to_words - set the bits of OUT, all zero before, for the members within its window
 * O(bytes of the bitmap), for a window of few containers O(members in it) */
void bitmap_to_words(const roaring_bitmap_t *b, struct range_words *out);
/* bitmap_of_words - new: roaring_bitmap_free; the bits of W, COUNT in number. O(words) */
roaring_bitmap_t *bitmap_of_words(const struct range_words *w, uint64_t *count);

#endif
