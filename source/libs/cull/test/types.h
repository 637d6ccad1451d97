#ifndef CULL_TEST_TYPES_H
#define CULL_TEST_TYPES_H

/* Two types of the room's own for its tests: T_Type has every kind of field and a list of
 * E_Type. */
#include "libs/cull/cull.h"

#define CULL_TYPE E_Type
#define CULL_ROWS "libs/cull/test/sge_elementL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE T_Type
#define CULL_ROWS "libs/cull/test/sge_testL.h"
#include "libs/cull/declare.h"

#define CULL_TYPE E_Type
#define CULL_ROWS "libs/cull/test/sge_elementL.h"
#include "libs/cull/define.h"
#define CULL_TYPE T_Type
#define CULL_ROWS "libs/cull/test/sge_testL.h"
#include "libs/cull/define.h"

#endif
