#ifndef CULL_RANGE_SET_H
#define CULL_RANGE_SET_H

#include "libs/cull/range.h"

/* struct range_set - a set of uint32_t, made for the ordinals (0..n-1) of array tasks
 *
 * One range in eight bytes until it fragments, then a representation on the heap: a sorted vector
 * of runs while there are few, then words, a bit for each number; or three numbers for every n-th
 * (range_forms.c). All zero is the empty set: `struct range_set s = { 0 };` is ready to use.
 *
 * Copies share that until one of them changes, between threads as well.
 *
 * Cost: O(1) while inline, else O(log) for one member and O(ranges touched) for whole ranges, or
 * O(words touched): for ten million tasks in as many ranges as you like that is 0.1 ms. A set over
 * ten million untouched tasks is 8 bytes.
 * No function here fails on valid arguments; first <= last is asserted. */
struct range_set {
    uint64_t form; /* a range, or where its range_many is: range_set.c alone looks at it */
};

/* range_set_free - S is empty afterwards; NULL is fine */
void range_set_free(struct range_set *s);
/* range_set_copy, range_set_move - replace TO; by move FROM becomes empty. O(1): who changes a copy
 * first pays for it */
void range_set_copy(struct range_set *to, const struct range_set *from);
void range_set_move(struct range_set *to, struct range_set *from);
/* range_set_equal - the same members? */
bool range_set_equal(const struct range_set *a, const struct range_set *b);

/* range_set_is_empty, range_set_has - has it no member? has it this one? */
bool range_set_is_empty(const struct range_set *s);
bool range_set_has(const struct range_set *s, uint32_t member);
/* range_set_count - how many members; O(1) while inline, else O(runs) */
uint64_t range_set_count(const struct range_set *s);
/* range_set_min, range_set_max - the least and the greatest member. Return false if the set is
 * empty. */
bool range_set_min(const struct range_set *s, uint32_t *out);
bool range_set_max(const struct range_set *s, uint32_t *out);
/* range_set_next_run - the first maximal run with a member >= FROM, cut at FROM
 * Iterate: for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(s, at, &r); at =
 * (uint64_t)r.last + 1) */
bool range_set_next_run(const struct range_set *s, uint64_t from, struct range *out);
/* range_set_fill - an empty set becomes the union of N ranges, which ascend and do not overlap;
 * O(N), for readers of packed sets */
void range_set_fill(struct range_set *s, const struct range *v, uint32_t n);
/* range_set_any_in - is a member within FIRST..LAST? */
bool range_set_any_in(const struct range_set *s, uint32_t first, uint32_t last);

/* range_set_add, range_set_remove - all members within FIRST..LAST come in, go */
void range_set_add(struct range_set *s, uint32_t first, uint32_t last);
void range_set_remove(struct range_set *s, uint32_t first, uint32_t last);
/* range_set_add_stride - FIRST, FIRST + STRIDE ... up to LAST come in; STRIDE > 0. O(1) if S was
 * empty, else it costs what the result has in memory, not what it has in members */
void range_set_add_stride(struct range_set *s, uint32_t first, uint32_t last, uint32_t stride);
/* range_set_unite, range_set_intersect, range_set_subtract - s |= other, s &= other, s &= ~other */
void range_set_unite(struct range_set *s, const struct range_set *other);
void range_set_intersect(struct range_set *s, const struct range_set *other);
void range_set_subtract(struct range_set *s, const struct range_set *other);
/* range_set_intersection - OUT, neither A nor B, becomes what they share. Costs what they share,
 * not what one of them has */
void range_set_intersection(struct range_set *out, const struct range_set *a,
                            const struct range_set *b);
/* range_set_meets - have they a member in common? Stops at the first */
bool range_set_meets(const struct range_set *a, const struct range_set *b);

/* range_set_is_progression - are its members, two or more, FIRST, FIRST + STRIDE ... LAST? Fills
 * these in only if they are. O(1) if it is kept as that, else O(runs) or O(words), and stops early
 * if they are not */
bool range_set_is_progression(const struct range_set *s, uint32_t *first, uint32_t *last,
                              uint32_t *stride);

/* range_set_is_stride - the same, but only of a set that is kept as that: O(1) */
bool range_set_is_stride(const struct range_set *s, uint32_t *first, uint32_t *last,
                         uint32_t *stride);

/* range_set_runs_most - it has no more runs than that; about what a walk over it costs. O(1) */
uint64_t range_set_runs_most(const struct range_set *s);

/* struct range_walk - all runs of a set in order; where there are many, several times as fast as
 * range_set_next_run. The set must not change meanwhile. */
struct range_words;
struct range_walk {
    const struct range_set *set;
    uint64_t at;
    uint32_t last;                   /* the walk looks at no member beyond it */
    const struct range_words *words; /* borrowed; NULL: each run comes from the set */
};
/* range_walk_begin - before the first run of S, borrowed
 * range_walk_begin_in - the same for what S has of FIRST..LAST, with runs cut there, at the cost of
 * that part: for those who walk in slices
 * range_walk_next - the next run into OUT; false at the end */
void range_walk_begin(struct range_walk *w, const struct range_set *s);
void range_walk_begin_in(struct range_walk *w, const struct range_set *s, uint32_t first,
                         uint32_t last);
bool range_walk_next(struct range_walk *w, struct range *out);
/* range_set_bits - the members FIRST .. FIRST + 64 * N - 1 as bits of WORDS, least first; FIRST is
 * a multiple of 64. O(N + runs there) */
void range_set_bits(const struct range_set *s, uint32_t first, uint64_t *words, uint32_t n);
/* range_set_fill_bits - an empty set becomes what the bits of WORDS say
 * range_set_take_bits - the same; WORDS, from malloc, are taken */
void range_set_fill_bits(struct range_set *s, uint32_t first, const uint64_t *words, uint32_t n);
void range_set_take_bits(struct range_set *s, uint32_t first, uint64_t *words, uint32_t n);
/* range_set_fill_bytes - the most that a set filled with these has on the heap */
size_t range_set_fill_bytes(const struct range *v, uint32_t n);
/* range_set_bytes - what it has on the heap, for the memory figures */
size_t range_set_bytes(const struct range_set *s);

#endif
