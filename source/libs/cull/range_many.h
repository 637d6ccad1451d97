#ifndef CULL_RANGE_MANY_H
#define CULL_RANGE_MANY_H

#include "libs/cull/range_shapes.h"
#include "libs/cull/range_words.h"

/* What a range set becomes when one inline range does not do: runs, words once there are many, or a
 * stride. Several sets may hold one, of several threads too. Private to the room. Members are below
 * UINT32_MAX; first <= last everywhere. */
struct range_many;

/* range_many_from_runs - new: range_many_free; RUNS is taken, empty afterwards */
struct range_many *range_many_from_runs(struct range_runs *runs);
/* range_many_from_words - new: range_many_free; of the bits of W, which stays the caller's
 * range_many_take_words - the same, but W is taken, empty afterwards; COUNT bits of it are set */
struct range_many *range_many_from_words(const struct range_words *w);
struct range_many *range_many_take_words(struct range_words *w, uint64_t count);
/* range_many_from_stride - new: range_many_free; FIRST, FIRST + BY ... up to LAST; BY > 1 */
struct range_many *range_many_from_stride(uint32_t first, uint32_t last, uint32_t by);
/* range_many_stride - the stride that it is kept as, borrowed until it changes; NULL: runs or
 * words */
struct range_stride;
const struct range_stride *range_many_stride(const struct range_many *m);
/* range_many_dense - the words that it is kept in, borrowed until it changes; NULL: no words */
const struct range_words *range_many_dense(const struct range_many *m);
/* range_many_runs_most - it has no more runs than that; O(1) */
uint64_t range_many_runs_most(const struct range_many *m);
/* range_many_words - set the bits of OUT, all zero before, for the members within its window */
void range_many_words(const struct range_many *m, struct range_words *out);
/* range_many_words_bytes - the most that a set of these bits has on the heap */
size_t range_many_words_bytes(const struct range_words *w);
/* range_many_fill_bytes - the most that a set of these N runs has on the heap */
size_t range_many_fill_bytes(const struct range *v, uint32_t n);
/* range_many_intersection, range_many_within - new: range_many_free; what A and B, or M and
 * FIRST..LAST, share. It may be A or M itself, held once more */
struct range_many *range_many_intersection(struct range_many *a, struct range_many *b);
struct range_many *range_many_within(struct range_many *m, uint32_t first, uint32_t last);
/* range_many_meets - have they a member in common? */
bool range_many_meets(const struct range_many *a, const struct range_many *b);
/* range_many_has_stride - is each member one of FIRST, the least of them, FIRST + STRIDE ...?
 * STRIDE > 1 */
bool range_many_has_stride(const struct range_many *m, uint32_t first, uint32_t stride);
/* range_many_is_within - is each of its members one of OTHER's, too? false also if that would take
 * more than a look at words that both have. O(words), and stops at the first that differs */
bool range_many_is_within(const struct range_many *m, const struct range_many *other);
/* range_many_hold - one holder more, who ends with range_many_free; returns M. O(1)
 * range_many_own - before a change: M if it has no other holder, else a copy, new: range_many_free
 * range_many_free - one holder less; the last one frees it. NULL is fine. Counts are atomic. */
struct range_many *range_many_hold(struct range_many *m);
struct range_many *range_many_own(struct range_many *m);
void range_many_free(struct range_many *m);
/* range_many_equal - the same members, whatever the form? */
bool range_many_equal(const struct range_many *a, const struct range_many *b);
/* range_many_runs_up_to_2 - 0 if empty, 1 and ONLY if all members are one run, else 2 */
unsigned range_many_runs_up_to_2(const struct range_many *m, struct range *only);
/* Those below promise what range_set_... of the same name does; they keep the form that fits. What
 * changes has one holder. */
bool range_many_has(const struct range_many *m, uint32_t member);
uint64_t range_many_count(const struct range_many *m);
bool range_many_max(const struct range_many *m, uint32_t *out);
bool range_many_next_run(const struct range_many *m, uint64_t from, struct range *out);
bool range_many_any_in(const struct range_many *m, uint32_t first, uint32_t last);
void range_many_add(struct range_many *m, uint32_t first, uint32_t last);
void range_many_remove(struct range_many *m, uint32_t first, uint32_t last);
void range_many_unite(struct range_many *m, const struct range_many *other);
void range_many_intersect(struct range_many *m, const struct range_many *other);
void range_many_subtract(struct range_many *m, const struct range_many *other);
size_t range_many_bytes(const struct range_many *m);

#endif
