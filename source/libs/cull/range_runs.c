/* Sets as sorted vectors of runs. Invariant after every function: v[i].first <= v[i].last, and
 * v[i].last + 1 < v[i + 1].first, so that equal sets have equal vectors. */
#include <stdlib.h>
#include <string.h>

#include "libs/cull/range_shapes.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

void range_runs_free(struct range_runs *r)
{
    free(r->v);
    *r = (struct range_runs){ NULL, 0, 0 };
}

void range_runs_copy(struct range_runs *to, const struct range_runs *from)
{
    *to = (struct range_runs){ NULL, 0, 0 };
    if (from->n == 0)
        return;
    to->v = uti_alloc(from->n * sizeof *to->v);
    memcpy(to->v, from->v, from->n * sizeof *to->v);
    to->n = to->cap = from->n;
}

bool range_runs_equal(const struct range_runs *a, const struct range_runs *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->v, b->v, a->n * sizeof *a->v) == 0);
}

uint32_t range_runs_find(const struct range_runs *r, uint64_t member)
{
    uint32_t low = 0, high = r->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->v[middle].last < member)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool range_runs_has(const struct range_runs *r, uint32_t member)
{
    uint32_t i = range_runs_find(r, member);

    return i < r->n && r->v[i].first <= member;
}

uint64_t range_runs_count(const struct range_runs *r)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < r->n; i++)
        count += (uint64_t)r->v[i].last - r->v[i].first + 1;
    return count;
}

bool range_runs_next(const struct range_runs *r, uint64_t from, struct range *out)
{
    uint32_t i = range_runs_find(r, from);

    if (i == r->n)
        return false;
    *out = r->v[i];
    if (out->first < from)
        out->first = (uint32_t)from;
    return true;
}

void range_runs_push(struct range_runs *r, uint32_t first, uint32_t last)
{
    if (r->n > 0 && (uint64_t)r->v[r->n - 1].last + 1 >= first) {
        ASSERT(r->v[r->n - 1].first <= first);
        if (r->v[r->n - 1].last < last)
            r->v[r->n - 1].last = last;
        return;
    }
    r->v = uti_vec_grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
    r->v[r->n++] = (struct range){ first, last };
}

/* runs low..high-1 give way to N runs of WITH */
static void splice_runs(struct range_runs *r, uint32_t low, uint32_t high, const struct range *with,
                        uint32_t n)
{
    uint32_t next = r->n - (high - low) + n;

    r->v = uti_vec_grow(r->v, &r->cap, next, sizeof *r->v);
    memmove(&r->v[low + n], &r->v[high], (r->n - high) * sizeof *r->v);
    for (uint32_t i = 0; i < n; i++)
        r->v[low + i] = with[i];
    r->n = next;
}

void range_runs_add(struct range_runs *r, uint32_t first, uint32_t last)
{
    uint32_t low = range_runs_find(r, first == 0 ? 0 : first - 1);
    uint32_t high = low;
    struct range merged = { first, last };

    while (high < r->n && r->v[high].first <= (uint64_t)last + 1)
        high++;
    if (low < high) {
        if (r->v[low].first < first)
            merged.first = r->v[low].first;
        if (r->v[high - 1].last > last)
            merged.last = r->v[high - 1].last;
    }
    splice_runs(r, low, high, &merged, 1);
}

void range_runs_remove(struct range_runs *r, uint32_t first, uint32_t last)
{
    uint32_t low = range_runs_find(r, first);
    uint32_t high = low, n = 0;
    struct range rest[2];

    while (high < r->n && r->v[high].first <= last)
        high++;
    if (low == high)
        return;
    if (r->v[low].first < first)
        rest[n++] = (struct range){ r->v[low].first, first - 1 };
    if (r->v[high - 1].last > last)
        rest[n++] = (struct range){ last + 1, r->v[high - 1].last };
    splice_runs(r, low, high, rest, n);
}

void range_runs_unite(struct range_runs *a, const struct range_runs *b)
{
    struct range_runs out = { NULL, 0, 0 };
    uint32_t i = 0, j = 0;

    while (i < a->n || j < b->n) {
        bool take_a = j == b->n || (i < a->n && a->v[i].first <= b->v[j].first);
        const struct range *next = take_a ? &a->v[i++] : &b->v[j++];
        range_runs_push(&out, next->first, next->last);
    }
    range_runs_free(a);
    *a = out;
}

void range_runs_intersect(struct range_runs *a, const struct range_runs *b)
{
    struct range_runs out = { NULL, 0, 0 };
    uint32_t i = 0, j = 0;

    while (i < a->n && j < b->n) {
        uint32_t first = a->v[i].first > b->v[j].first ? a->v[i].first : b->v[j].first;
        uint32_t last = a->v[i].last < b->v[j].last ? a->v[i].last : b->v[j].last;
        if (first <= last)
            range_runs_push(&out, first, last);
        if (a->v[i].last < b->v[j].last)
            i++;
        else
            j++;
    }
    range_runs_free(a);
    *a = out;
}

/* what is left of ONE after the runs of B from index *J on; *J moves past runs that end within
 * ONE */
static void subtract_one(struct range one, const struct range_runs *b, uint32_t *j,
                         struct range_runs *out)
{
    while (*j < b->n && b->v[*j].last < one.first)
        (*j)++;
    for (; *j < b->n && b->v[*j].first <= one.last; (*j)++) {
        if (b->v[*j].first > one.first)
            range_runs_push(out, one.first, b->v[*j].first - 1);
        if (b->v[*j].last >= one.last)
            return;
        one.first = b->v[*j].last + 1;
    }
    range_runs_push(out, one.first, one.last);
}

void range_runs_subtract(struct range_runs *a, const struct range_runs *b)
{
    struct range_runs out = { NULL, 0, 0 };
    uint32_t j = 0;

    for (uint32_t i = 0; i < a->n; i++)
        subtract_one(a->v[i], b, &j, &out);
    range_runs_free(a);
    *a = out;
}
