#ifndef CULL_RANGE_SET_H
#define CULL_RANGE_SET_H

#include "common/basis.h"

/* struct range_set - a set of uint32_t, made for the ordinals (0..n-1) of array tasks
 *
 * One inline range until it fragments, then a representation behind `many`: a compressed bitmap in daemons
 * (CRoaring, range_many_bitmap.c), a sorted vector of runs in clients (range_many_runs.c), chosen at link time so that
 * clients load no library for it. All zero is the empty set: `struct range_set s = { 0 };` is ready to use.
 *
 * Cost: O(1) while inline, else O(log) for one member and O(ranges touched) for whole ranges; a set over
 * ten million tasks that nobody touched is 24 bytes.
 * No function here fails on valid arguments; first <= last is asserted. */
struct range_many;
struct range_set {
    uint32_t first,
        end; /* inline: members first..end-1; empty when first == end. 0,0 while `many` is used */
    struct range_many *many; /* owned; NULL while inline */
};
struct range {
    uint32_t first, last;
}; /* inclusive */

void range_set_free(struct range_set *s);                                /* empties; NULL is fine */
void range_set_copy(struct range_set *to, const struct range_set *from); /* TO is replaced */
void range_set_move(struct range_set *to, struct range_set *from); /* FROM is empty afterwards */
bool range_set_equal(const struct range_set *a, const struct range_set *b);

bool range_set_is_empty(const struct range_set *s);
bool range_set_has(const struct range_set *s, uint32_t member);
uint64_t range_set_count(const struct range_set *s);          /* O(1) inline, O(containers) else */
bool range_set_min(const struct range_set *s, uint32_t *out); /* false if empty */
bool range_set_max(const struct range_set *s, uint32_t *out);
/* range_set_next_run - the first maximal run with a member >= FROM, cut at FROM
 * Iterate: for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(s, at, &r); at = (uint64_t)r.last + 1) */
bool range_set_next_run(const struct range_set *s, uint64_t from, struct range *out);
/* range_set_fill - an empty set becomes the union of N ranges, which ascend and do not overlap; O(N), for readers of packed sets */
void range_set_fill(struct range_set *s, const struct range *v, uint32_t n);
/* range_set_any_in - is a member within FIRST..LAST? */
bool range_set_any_in(const struct range_set *s, uint32_t first, uint32_t last);

void range_set_add(struct range_set *s, uint32_t first, uint32_t last);
void range_set_remove(struct range_set *s, uint32_t first, uint32_t last);
void range_set_unite(struct range_set *s, const struct range_set *other);     /* s |= other */
void range_set_intersect(struct range_set *s, const struct range_set *other); /* s &= other */
void range_set_subtract(struct range_set *s, const struct range_set *other);  /* s &= ~other */
size_t range_set_bytes(const struct range_set *s); /* heap bytes, for the memory figures */

#endif
