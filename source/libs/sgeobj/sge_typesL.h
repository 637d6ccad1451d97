/* Every record type of the cluster and its row file; element types before those that hold them. Included with CULL_EXPAND naming what is
 * made of the rows: declare.h for the structs (rows.h), define.h for the descriptors (rows.c). A new type is a row file, three lines here,
 * and, if it travels or is spooled, its name in SGEOBJ_TYPES (rows.h). */
#define CULL_TYPE JRE_Type
#define CULL_ROWS "libs/sgeobj/sge_jreL.h"
#include CULL_EXPAND
#define CULL_TYPE ST_Type
#define CULL_ROWS "libs/sgeobj/sge_strL.h"
#include CULL_EXPAND
#define CULL_TYPE VA_Type
#define CULL_ROWS "libs/sgeobj/sge_varL.h"
#include CULL_EXPAND
#define CULL_TYPE PN_Type
#define CULL_ROWS "libs/sgeobj/sge_pathL.h"
#include CULL_EXPAND
#define CULL_TYPE MR_Type
#define CULL_ROWS "libs/sgeobj/sge_mailrecL.h"
#include CULL_EXPAND
#define CULL_TYPE QR_Type
#define CULL_ROWS "libs/sgeobj/sge_qrefL.h"
#include CULL_EXPAND
#define CULL_TYPE CE_Type
#define CULL_ROWS "libs/sgeobj/sge_complexL.h"
#include CULL_EXPAND
#define CULL_TYPE BN_Type
#define CULL_ROWS "libs/sgeobj/sge_bindingL.h"
#include CULL_EXPAND
#define CULL_TYPE TK_Type
#define CULL_ROWS "libs/sgeobj/sge_takenL.h"
#include CULL_EXPAND
#define CULL_TYPE JG_Type
#define CULL_ROWS "libs/sgeobj/sge_grantedL.h"
#include CULL_EXPAND
#define CULL_TYPE UA_Type
#define CULL_ROWS "libs/sgeobj/sge_usageL.h"
#include CULL_EXPAND
#define CULL_TYPE AN_Type
#define CULL_ROWS "libs/sgeobj/sge_answerL.h"
#include CULL_EXPAND
#define CULL_TYPE AT_Type
#define CULL_ROWS "libs/sgeobj/sge_attrL.h"
#include CULL_EXPAND
#define CULL_TYPE TR_Type
#define CULL_ROWS "libs/sgeobj/sge_taskrangeL.h"
#include CULL_EXPAND
#define CULL_TYPE ID_Type
#define CULL_ROWS "libs/sgeobj/sge_jobselL.h"
#include CULL_EXPAND
#define CULL_TYPE JB_Type
#define CULL_ROWS "libs/sgeobj/sge_jobL.h"
#include CULL_EXPAND
#define CULL_TYPE JAT_Type
#define CULL_ROWS "libs/sgeobj/sge_ja_taskL.h"
#include CULL_EXPAND
#define CULL_TYPE CQ_Type
#define CULL_ROWS "libs/sgeobj/sge_cqueueL.h"
#include CULL_EXPAND
#define CULL_TYPE AC_Type
#define CULL_ROWS "libs/sgeobj/sge_accessL.h"
#include CULL_EXPAND
#define CULL_TYPE QU_Type
#define CULL_ROWS "libs/sgeobj/sge_qinstanceL.h"
#include CULL_EXPAND
#define CULL_TYPE EH_Type
#define CULL_ROWS "libs/sgeobj/sge_hostL.h"
#include CULL_EXPAND
#define CULL_TYPE NM_Type
#define CULL_ROWS "libs/sgeobj/sge_nameL.h"
#include CULL_EXPAND
#define CULL_TYPE CONF_Type
#define CULL_ROWS "libs/sgeobj/sge_confL.h"
#include CULL_EXPAND
#define CULL_TYPE TX_Type
#define CULL_ROWS "libs/sgeobj/sge_textobjL.h"
#include CULL_EXPAND
#define CULL_TYPE PE_Type
#define CULL_ROWS "libs/sgeobj/sge_peL.h"
#include CULL_EXPAND
#define CULL_TYPE CK_Type
#define CULL_ROWS "libs/sgeobj/sge_ckptL.h"
#include CULL_EXPAND
#define CULL_TYPE CA_Type
#define CULL_ROWS "libs/sgeobj/sge_calentryL.h"
#include CULL_EXPAND
#define CULL_TYPE CAL_Type
#define CULL_ROWS "libs/sgeobj/sge_calendarL.h"
#include CULL_EXPAND
#define CULL_TYPE US_Type
#define CULL_ROWS "libs/sgeobj/sge_usersetL.h"
#include CULL_EXPAND
#define CULL_TYPE PR_Type
#define CULL_ROWS "libs/sgeobj/sge_projectL.h"
#include CULL_EXPAND
#define CULL_TYPE UU_Type
#define CULL_ROWS "libs/sgeobj/sge_userL.h"
#include CULL_EXPAND
#define CULL_TYPE HGRP_Type
#define CULL_ROWS "libs/sgeobj/sge_hgroupL.h"
#include CULL_EXPAND
#define CULL_TYPE RQR_Type
#define CULL_ROWS "libs/sgeobj/sge_rqruleL.h"
#include CULL_EXPAND
#define CULL_TYPE RQS_Type
#define CULL_ROWS "libs/sgeobj/sge_rqsL.h"
#include CULL_EXPAND
#define CULL_TYPE SHT_Type
#define CULL_ROWS "libs/sgeobj/sge_sharetreeL.h"
#include CULL_EXPAND
#define CULL_TYPE EV_Type
#define CULL_ROWS "libs/sgeobj/sge_eventL.h"
#include CULL_EXPAND
#define CULL_TYPE OR_Type
#define CULL_ROWS "libs/sgeobj/sge_orderL.h"
#include CULL_EXPAND
#define CULL_TYPE JR_Type
#define CULL_ROWS "libs/sgeobj/sge_jobreportL.h"
#include CULL_EXPAND
#define CULL_TYPE EN_Type
#define CULL_ROWS "libs/sgeobj/sge_endL.h"
#include CULL_EXPAND
#define CULL_TYPE SN_Type
#define CULL_ROWS "libs/sgeobj/sge_sessionL.h"
#include CULL_EXPAND
