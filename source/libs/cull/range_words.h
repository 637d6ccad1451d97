#ifndef CULL_RANGE_WORDS_H
#define CULL_RANGE_WORDS_H

#include "libs/cull/range.h"

/* A window of a set as bits: bit b of word w stands for member 64 * (first + w) + b. Seen within the room only. Work on a set of many
 * runs costs a fraction of a nanosecond for each member this way. */
enum { RANGE_WORD_BITS = 64 };
struct range_words {
    uint64_t *v; /* owned */
    uint32_t first, n;
};
/* range_words_new - all zero, with room for the members FIRST..LAST; free with free(w.v) */
struct range_words range_words_new(uint32_t first, uint32_t last);
/* range_words_next - the first run with a member >= FROM, cut at FROM */
bool range_words_next(const struct range_words *w, uint64_t from, struct range *out);
/* range_words_runs - how many maximal runs there are */
uint64_t range_words_runs(const struct range_words *w);
/* range_words_stride - set FIRST, FIRST + STRIDE ... up to LAST; W is the window of FIRST..LAST and empty. O(words) */
void range_words_stride(struct range_words *w, uint32_t first, uint32_t last, uint32_t stride);
/* range_words_put - set the members FIRST..LAST, of which some may lie outside W */
void range_words_put(struct range_words *w, uint32_t first, uint32_t last);

#endif
