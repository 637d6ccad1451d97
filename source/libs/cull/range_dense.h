#ifndef CULL_RANGE_DENSE_H
#define CULL_RANGE_DENSE_H

#include "libs/cull/range_words.h"

/* A set of many runs as words, a bit for each number from about its least to about its greatest
 * member: one member costs O(1), whole sets a fraction of a nanosecond for each number. Seen within
 * the room only. Members are below UINT32_MAX. All zero is empty; owned memory:
 * range_dense_free. */
struct range_dense {
    struct range_words words; /* neither its first nor its last word is 0; n 0: no members */
    struct range_words room;  /* owned; `words` lies in it, and what is around them is 0 */
    uint64_t count;           /* members */
};

/* range_dense_free - D is empty afterwards
 * range_dense_take - D, which is empty, becomes what the bits of W say, COUNT of them; W is taken
 * range_dense_copy - TO, which is empty, becomes a copy of FROM */
void range_dense_free(struct range_dense *d);
void range_dense_take(struct range_dense *d, struct range_words *w, uint64_t count);
void range_dense_copy(struct range_dense *to, const struct range_dense *from);
/* range_dense_min, range_dense_max - of a set that has members */
uint32_t range_dense_min(const struct range_dense *d);
uint32_t range_dense_max(const struct range_dense *d);
/* range_dense_room_for - how many words it had to have for FIRST..LAST as well; 0 if it has room */
uint32_t range_dense_room_for(const struct range_dense *d, uint32_t first, uint32_t last);
/* range_dense_add, range_dense_remove - all members within FIRST..LAST come in, go; O(words there),
 * and to add where there is no room O(all words) */
void range_dense_add(struct range_dense *d, uint32_t first, uint32_t last);
void range_dense_remove(struct range_dense *d, uint32_t first, uint32_t last);
/* range_dense_unite, range_dense_intersect, range_dense_subtract - D becomes the result;
 * O(words) */
void range_dense_unite(struct range_dense *d, const struct range_words *other);
void range_dense_intersect(struct range_dense *d, const struct range_words *other);
void range_dense_subtract(struct range_dense *d, const struct range_words *other);

#endif
