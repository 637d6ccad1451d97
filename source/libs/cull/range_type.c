/* The descriptor of RN_Type: what a range set looks like from outside (wire, XML, JSON). In memory
 * a list of RN_Type is struct range_set; the struct declared here has no other use than to give the
 * descriptor its offsets. */
#include "libs/cull/cull.h"

/* clang-format off */
#define RANGE_ROWS                                                                                 \
    SGE_ULONG(RN_min, CULL_PRIMARY_KEY | CULL_SPOOL)                                               \
    SGE_ULONG(RN_max, CULL_SPOOL)                                                                  \
    SGE_ULONG(RN_step, CULL_SPOOL)
/* clang-format on */
#define CULL_TYPE RN_Type
#define CULL_HERE RANGE_ROWS
#include "libs/cull/declare.h"
#define CULL_TYPE RN_Type
#define CULL_HERE RANGE_ROWS
#include "libs/cull/define.h"
