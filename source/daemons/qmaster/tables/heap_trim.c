/* When the heap is trimmed. Invariant after a look: fewer than JOBS_A_TRIM jobs have gone since
 * `n_most` were there. */
#include "daemons/qmaster/tables/heap_trim.h"

#include "libs/uti/os.h"

bool heap_trim_look(struct heap_trim *t, uint32_t n_jobs)
{
    if (n_jobs > t->n_most)
        t->n_most = n_jobs;
    if (t->n_most - n_jobs < JOBS_A_TRIM)
        return false;
    os_trim_heap();
    t->n_most = n_jobs;
    return true;
}
