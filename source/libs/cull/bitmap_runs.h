#ifndef CULL_BITMAP_RUNS_H
#define CULL_BITMAP_RUNS_H

#include <roaring/roaring.h>

#include "libs/cull/range.h"

/* Runs of members in a bitmap of CRoaring. Private to range_many_bitmap.c. */

/* bitmap_add_range - FIRST..LAST become members, without run containers */
void bitmap_add_range(roaring_bitmap_t *b, uint32_t first, uint32_t last);
/* bitmap_next_run - the first run of members from FROM on, from there; false if there is none
 * O(log(its length)) for long ones */
bool bitmap_next_run(const roaring_bitmap_t *b, uint32_t from, struct range *out);

#endif
