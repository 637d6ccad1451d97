/* The records of the kinds of objects (sge_object_kindsL.h): made of the text of an object, never sent and never spooled, so that their rows may
 * change. A part of sge_typesL.h. */

/* A parallel environment (sge_pe(5)): how a task may have more than one slot. */
#define CULL_TYPE PE_Type
#define CULL_HERE \
    SGE_STRING(PE_name,               CULL_PRIMARY_KEY) \
    SGE_ULONG (PE_slots,              CULL_DEFAULT) \
    SGE_LIST  (PE_user_list, ST_Type, CULL_DEFAULT) \
    SGE_LIST  (PE_xuser_list, ST_Type, CULL_DEFAULT) \
    SGE_STRING(PE_start_proc_args,    CULL_DEFAULT) \
    SGE_STRING(PE_stop_proc_args,     CULL_DEFAULT) \
    SGE_STRING(PE_allocation_rule,    CULL_DEFAULT)   /* $pe_slots, $fill_up, $round_robin, or how many on a host */ \
    SGE_BOOL  (PE_control_slaves,     CULL_DEFAULT) \
    SGE_BOOL  (PE_job_is_first_task,  CULL_DEFAULT) \
    SGE_STRING(PE_urgency_slots,      CULL_DEFAULT)   /* min, max, avg, or a number */ \
    SGE_BOOL  (PE_accounting_summary, CULL_DEFAULT) \
    SGE_STRING(PE_qsort_args,         CULL_DEFAULT)
#include CULL_EXPAND

/* A checkpointing environment (checkpoint(5)): how jobs save what they have done, and go on from there. */
#define CULL_TYPE CK_Type
#define CULL_HERE \
    SGE_STRING(CK_name,            CULL_PRIMARY_KEY) \
    SGE_STRING(CK_interface,       CULL_DEFAULT) \
    SGE_STRING(CK_ckpt_command,    CULL_DEFAULT) \
    SGE_STRING(CK_migr_command,    CULL_DEFAULT) \
    SGE_STRING(CK_rest_command,    CULL_DEFAULT) \
    SGE_STRING(CK_clean_command,   CULL_DEFAULT) \
    SGE_STRING(CK_ckpt_dir,        CULL_DEFAULT) \
    SGE_STRING(CK_signal,          CULL_DEFAULT) \
    SGE_STRING(CK_when,            CULL_DEFAULT)   /* letters: s m x r */
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

/* A calendar (calendar_conf(5)): when queues are off or suspended. Days of the year go before those of the week. */
#define CULL_TYPE CAL_Type
#define CULL_HERE \
    SGE_STRING(CAL_name,                   CULL_PRIMARY_KEY) \
    SGE_LIST  (CAL_year_calendar, CA_Type, CULL_DEFAULT) \
    SGE_LIST  (CAL_week_calendar, CA_Type, CULL_DEFAULT)
#include CULL_EXPAND

/* A user set (access_list(5)): users who may, or may not, or are counted together. */
#define CULL_TYPE US_Type
#define CULL_HERE \
    SGE_STRING(US_name,             CULL_PRIMARY_KEY) \
    SGE_STRING(US_type,             CULL_DEFAULT)   /* ACL, DEPT, or both */ \
    SGE_ULONG (US_fshare,           CULL_DEFAULT) \
    SGE_ULONG (US_oticket,          CULL_DEFAULT) \
    SGE_LIST  (US_entries, ST_Type, CULL_DEFAULT)   /* users, and "@group" for those of a group of the system */
#include CULL_EXPAND

/* A project (project(5)): jobs that count together, and who may submit them. */
#define CULL_TYPE PR_Type
#define CULL_HERE \
    SGE_STRING(PR_name,          CULL_PRIMARY_KEY) \
    SGE_ULONG (PR_oticket,       CULL_DEFAULT) \
    SGE_ULONG (PR_fshare,        CULL_DEFAULT) \
    SGE_LIST  (PR_acl, ST_Type,  CULL_DEFAULT) \
    SGE_LIST  (PR_xacl, ST_Type, CULL_DEFAULT)
#include CULL_EXPAND

/* A user as the share policies know one (user(5)). */
#define CULL_TYPE UU_Type
#define CULL_HERE \
    SGE_STRING (UU_name,            CULL_PRIMARY_KEY) \
    SGE_ULONG  (UU_oticket,         CULL_DEFAULT) \
    SGE_ULONG  (UU_fshare,          CULL_DEFAULT) \
    SGE_ULONG64(UU_delete_time,     CULL_DEFAULT)   /* seconds; 0: stays until it is removed */ \
    SGE_STRING (UU_default_project, CULL_DEFAULT)
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

/* A resource quota set (resource_quota(5)): limits; the first rule that concerns a job and a place counts. */
#define CULL_TYPE RQS_Type
#define CULL_HERE \
    SGE_STRING(RQS_name,          CULL_PRIMARY_KEY) \
    SGE_STRING(RQS_description,   CULL_DEFAULT) \
    SGE_BOOL  (RQS_enabled,       CULL_DEFAULT) \
    SGE_LIST  (RQS_rule, RQR_Type, CULL_DEFAULT)
#include CULL_EXPAND

/* The share tree of a cell (sge_share_tree(5)): its nodes, the root first, each as it is kept: `id=1 name=eve type=0 shares=10 childnodes=NONE`. */
#define CULL_TYPE SHT_Type
#define CULL_HERE \
    SGE_STRING(SHT_name,           CULL_PRIMARY_KEY) \
    SGE_LIST  (SHT_nodes, ST_Type, CULL_DEFAULT)
#include CULL_EXPAND
