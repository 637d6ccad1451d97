#ifndef CULL_RANGE_SHAPES_H
#define CULL_RANGE_SHAPES_H

#include "libs/cull/range.h"
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

/* A set as a sorted vector of maximal runs: no two touch or overlap. Seen within the room only.
 * Members are below UINT32_MAX. All zero is empty; owned memory: range_runs_free. One member costs
 * O(log runs) to find, O(runs) to move. */
struct range_runs {
    struct range *v;
    uint32_t n, cap;
};

/* range_runs_free - R is empty afterwards
 * range_runs_copy - TO, which is empty, becomes a copy of FROM
 * range_runs_equal - the same members? */
void range_runs_free(struct range_runs *r);
void range_runs_copy(struct range_runs *to, const struct range_runs *from);
bool range_runs_equal(const struct range_runs *a, const struct range_runs *b);
/* range_runs_find - index of the first run that ends at or after MEMBER; n if there is none */
uint32_t range_runs_find(const struct range_runs *r, uint64_t member);
/* range_runs_has, range_runs_count, range_runs_next, range_runs_add, range_runs_remove - as
 * range_set_has, _count, _next_run, _add and _remove */
bool range_runs_has(const struct range_runs *r, uint32_t member);
uint64_t range_runs_count(const struct range_runs *r);
bool range_runs_next(const struct range_runs *r, uint64_t from, struct range *out);
void range_runs_add(struct range_runs *r, uint32_t first, uint32_t last);
void range_runs_remove(struct range_runs *r, uint32_t first, uint32_t last);
/* range_runs_push - add a run behind all others; O(1) amortised */
void range_runs_push(struct range_runs *r, uint32_t first, uint32_t last);
/* range_runs_unite, range_runs_intersect, range_runs_subtract - A becomes the result; O(runs of
 * both) */
void range_runs_unite(struct range_runs *a, const struct range_runs *b);
void range_runs_intersect(struct range_runs *a, const struct range_runs *b);
void range_runs_subtract(struct range_runs *a, const struct range_runs *b);

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
