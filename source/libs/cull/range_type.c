/* The descriptor of RN_Type: what a range set looks like from outside (wire, XML, JSON). In memory
 * a list of RN_Type is struct range_set; the struct declared here has no other use than to give the
 * descriptor its offsets. */
#include "libs/cull/cull.h"

#define CULL_TYPE RN_Type
#define CULL_ROWS "libs/cull/sge_rangeL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE RN_Type
#define CULL_ROWS "libs/cull/sge_rangeL.h"
#include "libs/cull/define.h"
