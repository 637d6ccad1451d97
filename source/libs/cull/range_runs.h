#ifndef CULL_RANGE_RUNS_H
#define CULL_RANGE_RUNS_H

#include "libs/cull/range.h"

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

#endif
