/* When the heap is trimmed. Invariant after a look: the jobs have shrunk by less than TRIM_BYTES
 * since `bytes_most` was noted. */
#include "daemons/qmaster/tables/heap_trim.h"

#include "libs/uti/os.h"

bool heap_trim_look(struct heap_trim *t, uint64_t bytes)
{
    if (bytes > t->bytes_most)
        t->bytes_most = bytes;
    if (t->bytes_most - bytes < TRIM_BYTES)
        return false;
    os_trim_heap();
    t->bytes_most = bytes;
    return true;
}
