#ifndef QMASTER_TABLES_HEAP_TRIM_H
#define QMASTER_TABLES_HEAP_TRIM_H

#include "common/basis.h"

/* Memory of jobs that have gone goes back to the system while they go. What the C library has free
 * between blocks in use it keeps, and it gives all of that back in one step, which takes 0.1 s for
 * the memory of 100,000 jobs. So that step is made after each JOBS_A_TRIM of them. */
enum { JOBS_A_TRIM = 4096 };
/* all zero: no job has been there yet */
struct heap_trim {
    uint32_t n_most; /* jobs that were there at the last trim, or more that were there since */
};
/* heap_trim_look - N_JOBS are there now: trim if JOBS_A_TRIM have gone. Whoever comes and goes while
 * as many others stay costs nothing. A trim takes a few ms. Returns whether it trimmed. */
bool heap_trim_look(struct heap_trim *t, uint32_t n_jobs);

#endif
