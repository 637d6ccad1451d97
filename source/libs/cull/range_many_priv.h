#ifndef CULL_RANGE_MANY_PRIV_H
#define CULL_RANGE_MANY_PRIV_H

#include <stdatomic.h>

#include "libs/cull/range_many.h"
#include "libs/cull/range_shapes.h"

/* The forms of a fragmented set, for range_forms.c, which decides between them, range_many.c, which
 * answers, and range_combine.c, which changes. One of the three has members, or none has. */
struct range_many {
    atomic_uint holders;
    struct range_stride stride;
    struct range_runs runs;
    struct range_dense dense;
};

static inline bool is_strided(const struct range_many *m)
{
    return m->stride.by != 0;
}

static inline bool is_dense(const struct range_many *m)
{
    return m->dense.room.v != NULL;
}

/* ... of runs, or of nothing */
static inline bool is_vector(const struct range_many *m)
{
    return !is_strided(m) && !is_dense(m);
}

/* how many words FIRST..LAST are */
static inline uint32_t words_within(uint32_t first, uint32_t last)
{
    return last / RANGE_WORD_BITS - first / RANGE_WORD_BITS + 1;
}

/* range_many_copy - new: range_many_free; with memory of its own */
struct range_many *range_many_copy(const struct range_many *m);
/* range_many_clear - M has no members */
void range_many_clear(struct range_many *m);
/* range_many_become_runs, range_many_become_dense - M, dense, is kept as runs, and the other way */
void range_many_become_runs(struct range_many *m);
void range_many_become_dense(struct range_many *m);
/* range_many_become_plain - M, a stride, is kept as runs or words; others stay what they are */
void range_many_become_plain(struct range_many *m);
/* range_many_settle_runs - M, of runs, becomes dense if that fits what the set has become
 * range_many_settle_members - M, dense, becomes runs if it has few members: O(1)
 * range_many_settle_dense - ... or few runs, or the stride that it is: O(words), for what has
 * looked at all of them */
void range_many_settle_runs(struct range_many *m);
void range_many_settle_members(struct range_many *m);
void range_many_settle_dense(struct range_many *m);
/* range_many_stays_dense - is the memory of M, dense, bounded when it stays so and has FIRST..LAST,
 * too? Looks at all words only when it needs more of them. */
bool range_many_stays_dense(const struct range_many *m, uint32_t first, uint32_t last);

#endif
