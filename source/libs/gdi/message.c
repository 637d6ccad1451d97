/* The descriptors of the message records and the table of everything that travels. */
#include "libs/gdi/message.h"

#define CULL_TYPE TU_Type
#define CULL_ROWS "libs/gdi/sge_turn_lengthL.h"
#include "libs/cull/define.h"
#define CULL_TYPE TN_Type
#define CULL_ROWS "libs/gdi/sge_turnsL.h"
#include "libs/cull/define.h"
#define CULL_TYPE WT_Type
#define CULL_ROWS "libs/gdi/sge_waitL.h"
#include "libs/cull/define.h"
#define CULL_TYPE GR_Type
#define CULL_ROWS "libs/gdi/sge_gdi_requestL.h"
#include "libs/cull/define.h"
#define CULL_TYPE GA_Type
#define CULL_ROWS "libs/gdi/sge_gdi_answerL.h"
#include "libs/cull/define.h"
#define CULL_TYPE XM_Type
#define CULL_ROWS "libs/gdi/sge_execmsgL.h"
#include "libs/cull/define.h"
#define CULL_TYPE EP_Type
#define CULL_ROWS "libs/gdi/sge_evpackageL.h"
#include "libs/cull/define.h"

#define TYPE(t) &cull_##t,
static const struct cull_type *const gdi_types[] = { SGEOBJ_TYPES(TYPE) TYPE(WT_Type) TYPE(
    GR_Type) TYPE(GA_Type) TYPE(XM_Type) TYPE(EP_Type) TYPE(TN_Type) TYPE(TU_Type) };

const struct cull_schema *gdi_schema(void)
{
    static const struct cull_schema schema = { gdi_types, ARRAY_LEN(gdi_types) };
    return &schema;
}
