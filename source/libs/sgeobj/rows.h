#ifndef SGEOBJ_ROWS_H
#define SGEOBJ_ROWS_H

#include "libs/cull/cull.h"

/* Every record type of the cluster, declared from its row file; element types before those that hold them. A new type is
 * a row file, three lines here, three in rows.c and its name in SGEOBJ_TYPES. */
#define CULL_TYPE JRE_Type
#define CULL_ROWS "libs/sgeobj/sge_jreL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE ST_Type
#define CULL_ROWS "libs/sgeobj/sge_strL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE VA_Type
#define CULL_ROWS "libs/sgeobj/sge_varL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE PN_Type
#define CULL_ROWS "libs/sgeobj/sge_pathL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE MR_Type
#define CULL_ROWS "libs/sgeobj/sge_mailrecL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE QR_Type
#define CULL_ROWS "libs/sgeobj/sge_qrefL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE CE_Type
#define CULL_ROWS "libs/sgeobj/sge_complexL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE BN_Type
#define CULL_ROWS "libs/sgeobj/sge_bindingL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE UA_Type
#define CULL_ROWS "libs/sgeobj/sge_usageL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE AN_Type
#define CULL_ROWS "libs/sgeobj/sge_answerL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE AT_Type
#define CULL_ROWS "libs/sgeobj/sge_attrL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE TR_Type
#define CULL_ROWS "libs/sgeobj/sge_taskrangeL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE ID_Type
#define CULL_ROWS "libs/sgeobj/sge_jobselL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE JB_Type
#define CULL_ROWS "libs/sgeobj/sge_jobL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE JAT_Type
#define CULL_ROWS "libs/sgeobj/sge_ja_taskL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE CQ_Type
#define CULL_ROWS "libs/sgeobj/sge_cqueueL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE QU_Type
#define CULL_ROWS "libs/sgeobj/sge_qinstanceL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE EH_Type
#define CULL_ROWS "libs/sgeobj/sge_hostL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE NM_Type
#define CULL_ROWS "libs/sgeobj/sge_nameL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE CONF_Type
#define CULL_ROWS "libs/sgeobj/sge_confL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE TX_Type
#define CULL_ROWS "libs/sgeobj/sge_textobjL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE EV_Type
#define CULL_ROWS "libs/sgeobj/sge_eventL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE OR_Type
#define CULL_ROWS "libs/sgeobj/sge_orderL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE JR_Type
#define CULL_ROWS "libs/sgeobj/sge_jobreportL.h"
#include "libs/cull/declare.h"

/* all of them, in this order: part of the tables two programs compare (cull_schema_id). gdi adds its own to the same list. */
#define SGEOBJ_TYPES(X)                                                                            \
    X(JRE_Type)                                                                                    \
    X(ST_Type)                                                                                     \
    X(VA_Type)                                                                                     \
    X(PN_Type)                                                                                     \
    X(MR_Type)                                                                                     \
    X(QR_Type)                                                                                     \
    X(CE_Type)                                                                                     \
    X(BN_Type)                                                                                     \
    X(UA_Type)                                                                                     \
    X(AN_Type)                                                                                     \
    X(AT_Type)                                                                                     \
    X(TR_Type)                                                                                     \
    X(ID_Type)                                                                                     \
    X(JB_Type)                                                                                     \
    X(JAT_Type)                                                                                    \
    X(CQ_Type)                                                                                     \
    X(QU_Type)                                                                                     \
    X(EH_Type)                                                                                     \
    X(NM_Type)                                                                                     \
    X(CONF_Type)                                                                                   \
    X(TX_Type)                                                                                     \
    X(EV_Type)                                                                                     \
    X(OR_Type)                                                                                     \
    X(JR_Type)
extern const struct cull_type *const sgeobj_types[];
extern const unsigned sgeobj_types_n;

#endif
