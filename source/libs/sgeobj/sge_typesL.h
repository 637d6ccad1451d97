/* Every record type of the cluster; element types before those that hold them. Types of a few rows have them here, the others in a row file.
 * Included with CULL_EXPAND naming what is made of the rows: declare.h for the structs (rows.h), define.h for the descriptors (rows.c). A new
 * type is three lines here, with a row file if it has more than eight rows, and, if it travels or is spooled, its name in SGEOBJ_TYPES
 * (rows.h). */

/* one entry of a dependency list: in request lists 0 and a name or pattern, or an id as text; in resolved lists the id */
#define CULL_TYPE JRE_Type
#define CULL_HERE \
    SGE_ULONG (JRE_job_number, CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_ULONG (JRE_round,      CULL_SPOOL | CULL_OWN) /* JB_round of that job: another job that gets its number is not meant */ \
    SGE_STRING(JRE_job_name,   CULL_SPOOL)
#include CULL_EXPAND

#define CULL_TYPE ST_Type
#define CULL_HERE \
    SGE_STRING(ST_name, CULL_PRIMARY_KEY | CULL_SPOOL)
#include CULL_EXPAND

/* a variable: of the environment, of a context, of a load report */
#define CULL_TYPE VA_Type
#define CULL_HERE \
    SGE_STRING(VA_variable, CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_STRING(VA_value,    CULL_SPOOL)
#include CULL_EXPAND

/* [host:]path */
#define CULL_TYPE PN_Type
#define CULL_HERE \
    SGE_STRING(PN_path,         CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_STRING(PN_host,         CULL_SPOOL) \
    SGE_STRING(PN_file_host,    CULL_SPOOL) \
    SGE_BOOL  (PN_file_staging, CULL_SPOOL)
#include CULL_EXPAND

#define CULL_TYPE MR_Type
#define CULL_HERE \
    SGE_STRING(MR_user, CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_STRING(MR_host, CULL_SPOOL)
#include CULL_EXPAND

/* wc_queue of -q and -masterq */
#define CULL_TYPE QR_Type
#define CULL_HERE \
    SGE_STRING(QR_name, CULL_PRIMARY_KEY | CULL_SPOOL)
#include CULL_EXPAND

#define CULL_TYPE CE_Type
#define CULL_ROWS "libs/sgeobj/sge_complexL.h"
#include CULL_EXPAND

#define CULL_TYPE BN_Type
#define CULL_HERE \
    SGE_STRING(BN_strategy,                CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_ULONG (BN_type,                    CULL_SPOOL) \
    SGE_ULONG (BN_parameter_n,             CULL_SPOOL) \
    SGE_ULONG (BN_parameter_socket_offset, CULL_SPOOL) \
    SGE_ULONG (BN_parameter_core_offset,   CULL_SPOOL) \
    SGE_ULONG (BN_parameter_striding_step_size, CULL_SPOOL) \
    SGE_STRING(BN_parameter_explicit,      CULL_SPOOL)
#include CULL_EXPAND

/* What a task takes of a resource that runs out, in one entry of its allocation: the whole of it, for all slots there. */
#define CULL_TYPE TK_Type
#define CULL_HERE \
    SGE_STRING (TK_name,   CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN) \
    SGE_ULONG64(TK_amount, CULL_SPOOL)               /* as libs/resource/consumption.h counts */ \
    SGE_LIST   (TK_devices, ST_Type, CULL_SPOOL)     /* which ones, of a resource of type RSMAP */
#include CULL_EXPAND

#define CULL_TYPE JG_Type
#define CULL_ROWS "libs/sgeobj/sge_grantedL.h"
#include CULL_EXPAND

/* one figure of a task's usage: cpu, mem, io, vmem, maxvmem, ru_utime ... as in the accounting file */
#define CULL_TYPE UA_Type
#define CULL_HERE \
    SGE_STRING(UA_name,  CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN) \
    SGE_DOUBLE(UA_value, CULL_SPOOL)
#include CULL_EXPAND

#define CULL_TYPE AN_Type
#define CULL_HERE \
    SGE_ULONG (AN_status,  CULL_DEFAULT) \
    SGE_ULONG (AN_quality, CULL_DEFAULT) \
    SGE_STRING(AN_text,    CULL_DEFAULT)
#include CULL_EXPAND

/* a value of a queue attribute: for hosts without one of their own (AT_href "/"), or for a host or host group */
#define CULL_TYPE AT_Type
#define CULL_HERE \
    SGE_STRING(AT_href,  CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN) \
    SGE_STRING(AT_value, CULL_SPOOL | CULL_INTERN)
#include CULL_EXPAND

/* a range of task ids as a user wrote it */
#define CULL_TYPE TR_Type
#define CULL_HERE \
    SGE_ULONG(TR_min,  CULL_DEFAULT) \
    SGE_ULONG(TR_max,  CULL_DEFAULT) \
    SGE_ULONG(TR_step, CULL_DEFAULT)
#include CULL_EXPAND

/* Which jobs and tasks a request means: one entry of `qdel 12.1-3 name 'pat*'`. */
#define CULL_TYPE ID_Type
#define CULL_HERE \
    SGE_STRING(ID_str,          CULL_PRIMARY_KEY)    /* id, name or pattern; without the task part */ \
    SGE_LIST  (ID_tasks, TR_Type, CULL_DEFAULT)      /* task ids as given; empty = all tasks */
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

/* Who may use a place: one door of it, as its lists say (queue_conf(5)). Names of user sets and of projects, with blanks between; NULL: no list. */
#define CULL_TYPE AC_Type
#define CULL_HERE \
    SGE_STRING(AC_user_lists,  CULL_DEFAULT) \
    SGE_STRING(AC_xuser_lists, CULL_DEFAULT) \
    SGE_STRING(AC_projects,    CULL_DEFAULT) \
    SGE_STRING(AC_xprojects,   CULL_DEFAULT)
#include CULL_EXPAND

#define CULL_TYPE QU_Type
#define CULL_ROWS "libs/sgeobj/sge_qinstanceL.h"
#include CULL_EXPAND
#define CULL_TYPE EH_Type
#define CULL_ROWS "libs/sgeobj/sge_hostL.h"
#include CULL_EXPAND

/* a name in a plain list of names: administrative host, submit host, manager, operator */
#define CULL_TYPE NM_Type
#define CULL_HERE \
    SGE_STRING(NM_name, CULL_PRIMARY_KEY | CULL_SPOOL)
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

/* A span of a calendar: on which days, from when to when, and the state of a queue then. */
#define CULL_TYPE CA_Type
#define CULL_HERE \
    SGE_ULONG(CA_first_day, CULL_DEFAULT)   /* of a year: 20301231; 0 in a week */ \
    SGE_ULONG(CA_last_day,  CULL_DEFAULT)   /* that counts, too */ \
    SGE_ULONG(CA_weekdays,  CULL_DEFAULT)   /* of a week: bit 0 is Monday */ \
    SGE_ULONG(CA_from_s,    CULL_DEFAULT)   /* of the day */ \
    SGE_ULONG(CA_to_s,      CULL_DEFAULT)   /* that does not count any more; at most 86400 */ \
    SGE_ULONG(CA_state,     CULL_DEFAULT)   /* enum calendar_state */
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

/* A host group (hostgroup(5)): hosts, and other groups. */
#define CULL_TYPE HGRP_Type
#define CULL_HERE \
    SGE_STRING(HGRP_name,               CULL_PRIMARY_KEY) \
    SGE_LIST  (HGRP_host_list, ST_Type, CULL_DEFAULT)
#include CULL_EXPAND

/* A rule of a resource quota set: whom it concerns, each filter as it was written (NULL: everybody), and how much they may have. */
#define CULL_TYPE RQR_Type
#define CULL_HERE \
    SGE_STRING(RQR_name,            CULL_DEFAULT) \
    SGE_STRING(RQR_users,           CULL_DEFAULT) \
    SGE_STRING(RQR_projects,        CULL_DEFAULT) \
    SGE_STRING(RQR_pes,             CULL_DEFAULT) \
    SGE_STRING(RQR_queues,          CULL_DEFAULT) \
    SGE_STRING(RQR_hosts,           CULL_DEFAULT) \
    SGE_LIST  (RQR_limit, VA_Type,  CULL_DEFAULT)   /* resource and value */
#include CULL_EXPAND

#define CULL_TYPE RQS_Type
#define CULL_ROWS "libs/sgeobj/sge_rqsL.h"
#include CULL_EXPAND

/* The share tree of a cell (sge_share_tree(5)): its nodes, the root first, each as it is kept: `id=1 name=eve type=0 shares=10 childnodes=NONE`. */
#define CULL_TYPE SHT_Type
#define CULL_HERE \
    SGE_STRING(SHT_name,           CULL_PRIMARY_KEY) \
    SGE_LIST  (SHT_nodes, ST_Type, CULL_DEFAULT)
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
