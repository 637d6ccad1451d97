/* Runs of members in a bitmap of CRoaring: adding them, and finding where they end.
 *
 * The library's own calls for ranges are used within one container alone, where those of the
 * releases that systems have work as they should. */
#include "libs/cull/bitmap_runs.h"

#include "libs/cull/bitmap_words.h"

enum { PROBE_MEMBERS = 16 }; /* looked at one by one before the end of a run is searched for */

/* Add FIRST..LAST, all of one container, so that a new container is an array or a bitset: its ends
 * are added one by one, and only what is between them as a range. (The library's function that
 * undoes run containers cannot be used: in 0.2.66 it never ends on a run up to the container's last
 * member.) */
static void add_within_container(roaring_bitmap_t *b, uint32_t first, uint32_t last)
{
    roaring_bitmap_add(b, first);
    if (last > first + 1)
        roaring_bitmap_add_range_closed(b, first + 1, last - 1);
    if (last > first)
        roaring_bitmap_add(b, last);
}

void bitmap_add_range(roaring_bitmap_t *b, uint32_t first, uint32_t last)
{
    uint32_t end_of_container = first | (CONTAINER_MEMBERS - 1);

    while (end_of_container < last) {
        add_within_container(b, first, end_of_container);
        first = end_of_container + 1;
        end_of_container += CONTAINER_MEMBERS;
    }
    add_within_container(b, first, last);
}

/* Are all of FIRST..LAST members, which lie in one container? (Over a container's border the
 * library's function ends the process in 0.2.66 when the next container is not there; its range
 * excludes the end, so the last is asked for alone.) */
static bool has_all_of_container(const roaring_bitmap_t *b, uint32_t first, uint32_t last)
{
    return (first == last || roaring_bitmap_contains_range(b, first, last)) &&
           roaring_bitmap_contains(b, last);
}

/* the last of the members that follow KNOWN in its container: strides that double while they hold,
 * then halve */
static uint32_t run_end_in_container(const roaring_bitmap_t *b, uint32_t known,
                                     uint32_t container_last)
{
    uint32_t stride = PROBE_MEMBERS;

    while (stride <= container_last - known && has_all_of_container(b, known + 1, known + stride)) {
        known += stride;
        stride *= 2;
    }
    for (; stride > 0; stride /= 2) {
        if (stride <= container_last - known && has_all_of_container(b, known + 1, known + stride))
            known += stride;
    }
    return known;
}

static uint32_t run_end(const roaring_bitmap_t *b, uint32_t known)
{
    for (;;) {
        uint32_t last = known | (CONTAINER_MEMBERS - 1);
        if (known < last && !has_all_of_container(b, known + 1, last))
            return run_end_in_container(b, known, last);
        if (last == UINT32_MAX || !roaring_bitmap_contains(b, last + 1))
            return last;
        known = last + 1;
    }
}

bool bitmap_next_run(const roaring_bitmap_t *b, uint32_t from, struct range *out)
{
    roaring_uint32_iterator_t it;

    roaring_init_iterator(b, &it);
    if (!it.has_value || !roaring_move_uint32_iterator_equalorlarger(&it, from))
        return false;
    out->first = out->last = it.current_value;
    for (unsigned i = 0; i < PROBE_MEMBERS; i++) {
        if (!roaring_advance_uint32_iterator(&it) || it.current_value != out->last + 1)
            return true;
        out->last++;
    }
    out->last = run_end(b, out->last);
    return true;
}
