#ifndef CULL_RANGE_STRIDE_H
#define CULL_RANGE_STRIDE_H

#include "libs/cull/range_words.h"

/* A set as every BY-th number: FIRST, FIRST + BY ... LAST. However many members it has, each of
 * these functions takes a few instructions. Those that change S return whether the result is a
 * stride; if not, S is unchanged. Seen within the room only. All zero is the empty set; members are
 * below UINT32_MAX. */
struct range_stride {
    uint32_t first, last, by; /* by 0: none; else it is 2 or more, and divides last - first */
};

/* range_stride_count, range_stride_has, range_stride_next - as range_set_count, _has, _next_run */
uint64_t range_stride_count(const struct range_stride *s);
bool range_stride_has(const struct range_stride *s, uint32_t member);
bool range_stride_next(const struct range_stride *s, uint64_t from, struct range *out);
/* range_stride_within - what S has of FIRST..LAST; by is 0 if that is nothing */
struct range_stride range_stride_within(const struct range_stride *s, uint32_t first,
                                        uint32_t last);
/* range_stride_between - what the run FIRST..LAST has beside S, which lies in it: false if that is
 * no stride */
bool range_stride_between(uint32_t first, uint32_t last, const struct range_stride *s,
                          struct range_stride *out);
/* range_stride_add, range_stride_remove - all members within FIRST..LAST come in, go
 * range_stride_unite, range_stride_intersect, range_stride_subtract - S becomes the result */
bool range_stride_add(struct range_stride *s, uint32_t first, uint32_t last);
bool range_stride_remove(struct range_stride *s, uint32_t first, uint32_t last);
bool range_stride_unite(struct range_stride *s, const struct range_stride *other);
bool range_stride_intersect(struct range_stride *s, const struct range_stride *other);
bool range_stride_subtract(struct range_stride *s, const struct range_stride *other);
/* range_stride_words - set its bits in W, a window of which some may lie outside S. O(words) */
void range_stride_words(const struct range_stride *s, struct range_words *w);
/* range_stride_of_words - OUT becomes the stride that the bits of W are, COUNT of them; false, and
 * OUT unchanged, if they are not one. Usually O(1) then, else O(words) */
bool range_stride_of_words(const struct range_words *w, uint64_t count, struct range_stride *out);

#endif
