/* Bytes as operations on two range sets, copies of each other at times, and two arrays of flags,
 * which must stay equal. */
#include <string.h>

#include "libs/cull/range_set.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { SPAN = 1 << 17, OPERATION_BYTES = 6 };
struct pair {
    struct range_set set;
    uint8_t model[SPAN];
};

/* every STRIDE-th of FIRST..LAST */
static void change_both(struct pair *p, bool add, uint32_t first, uint32_t last, uint32_t stride)
{
    for (uint32_t m = first; m <= last; m += stride) {
        uint32_t end = stride == 1 ? last : m;
        memset(p->model + m, add, end - m + 1);
        (add ? range_set_add : range_set_remove)(&p->set, m, end);
        if (stride == 1)
            return;
    }
}

/* the same as one set, which is a stride */
static void change_both_at_once(struct pair *p, bool add, uint32_t first, uint32_t last,
                                uint32_t stride)
{
    struct range_set strided = { 0 };

    range_set_add_stride(&strided, first, last, stride);
    for (uint32_t m = first; m <= last; m += stride)
        p->model[m] = add;
    (add ? range_set_unite : range_set_subtract)(&p->set, &strided);
    range_set_free(&strided);
}

static void combine_pairs(struct pair *a, const struct pair *b, unsigned how)
{
    for (uint32_t i = 0; i < SPAN; i++)
        a->model[i] = how == 0 ? a->model[i] | b->model[i]
                               : a->model[i] & (how == 1 ? b->model[i] : !b->model[i]);
    (how == 0   ? range_set_unite
     : how == 1 ? range_set_intersect
                : range_set_subtract)(&a->set, &b->set);
}

/* the members are the same until one of the two changes */
static void copy_pair(struct pair *to, const struct pair *from)
{
    range_set_copy(&to->set, &from->set);
    memcpy(to->model, from->model, SPAN);
}

static void check_pair(const struct pair *p)
{
    uint64_t at = 0, count = 0;
    struct range r;

    while (range_set_next_run(&p->set, at, &r)) {
        ASSERT(r.last < SPAN && memchr(p->model + r.first, 0, r.last - r.first + 1) == NULL);
        ASSERT(memchr(p->model + at, 1, r.first - at) == NULL);
        at = (uint64_t)r.last + 1;
        count += r.last - r.first + 1;
    }
    ASSERT(memchr(p->model + at, 1, SPAN - at) == NULL && count == range_set_count(&p->set));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct pair p[2];

    memset(p, 0, sizeof p);
    for (; len >= OPERATION_BYTES && len < 60 * OPERATION_BYTES;
         data += OPERATION_BYTES, len -= OPERATION_BYTES) {
        struct pair *a = &p[data[0] & 1], *other = &p[!(data[0] & 1)];
        uint32_t first = ((uint32_t)data[1] << 9 | data[2]) % SPAN,
                 width = (uint32_t)data[3] << 8 | data[4];
        uint32_t last = first + width < SPAN ? first + width : SPAN - 1;
        if ((data[0] & 24) == 24)
            copy_pair(a, other);
        if ((data[0] & 6) == 6)
            combine_pairs(a, other, data[5] % 3);
        else if ((data[0] & 32) != 0)
            change_both_at_once(a, (data[0] & 2) != 0, first, last, 1u + data[5] % 8);
        else
            change_both(a, (data[0] & 2) != 0, first, last, 1u + data[5] % 8);
        check_pair(a);
        check_pair(other);
    }
    range_set_free(&p[0].set);
    range_set_free(&p[1].set);
    return 0;
}
