#ifndef QMASTER_TABLES_HEAP_TRIM_H
#define QMASTER_TABLES_HEAP_TRIM_H

#include "common/basis.h"

/* Memory of jobs that have gone goes back to the system while they go. What the C library has free
 * between blocks in use it keeps, and it gives all of that back in one step, which takes 0.1 s for
 * 100 MB. So that step is made after each TRIM_BYTES of them. */
enum { TRIM_BYTES = 4 * 1024 * 1024 };
/* all zero: no job has been there yet */
struct heap_trim {
    uint64_t bytes_most; /* that jobs had at the last trim, or more that they have had since */
};
/* heap_trim_look - all jobs have BYTES now: trim if that is TRIM_BYTES less than they had. Jobs
 * that come and go while as many others stay cost nothing. A trim takes a few ms. Returns whether
 * it trimmed. */
bool heap_trim_look(struct heap_trim *t, uint64_t bytes);

#endif
