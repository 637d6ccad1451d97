/* How long a step may take. */
#include "daemons/qmaster/tables/slice.h"

#include "libs/uti/time.h"

bool slice_is_over(const struct qmaster *q)
{
    return q->slice_until_us != 0 && uti_mono_us() >= q->slice_until_us;
}
