/* Every record type of the cluster; element types before those that hold them. Types of a few rows have them here, others in a row file.
 * Included with CULL_EXPAND naming what is made of the rows: declare.h for the structs (rows.h), define.h for the descriptors (rows.c). A new
 * type that travels or is spooled has its name in SGEOBJ_TYPES (rows.h), too. */

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

/* One entry of an allocation (allocation.h): the slots that a task has in a queue instance. */
#define CULL_TYPE JG_Type
#define CULL_HERE \
    SGE_STRING(JG_qname,     CULL_PRIMARY_KEY | CULL_SPOOL) /* the queue instance: all.q@host */ \
    SGE_STRING(JG_qhostname, CULL_SPOOL) /* not in orders and events: their readers know the instances */ \
    SGE_ULONG (JG_slots,     CULL_SPOOL) \
    SGE_STRING(JG_pe,        CULL_SPOOL) /* in the master's entry: the parallel environment of all of them; absent without one */ \
    SGE_STRING(JG_pe_start,  CULL_SPOOL) /* beside JG_pe, as the environment was when the task started: its start_proc_args, absent: none */ \
    SGE_STRING(JG_pe_stop,   CULL_SPOOL) /* its stop_proc_args */ \
    SGE_BOOL  (JG_control_slaves,     CULL_SPOOL) /* beside JG_pe, too: its hosts start petasks for it */ \
    SGE_BOOL  (JG_job_is_first_task,  CULL_SPOOL) /* the job itself counts as one of them */ \
    SGE_BOOL  (JG_accounting_summary, CULL_SPOOL) /* one record for all of them */ \
    SGE_STRING(JG_binding, CULL_DEFAULT) /* JR_binding of a slave there, as last reported */ \
    SGE_LIST  (JG_taken, TK_Type, CULL_SPOOL) /* of resources that run out; the only truth of what the task took, whatever its job asks for now */
#include CULL_EXPAND

/* How a task saves its state, as its checkpointing environment (CK_Type) and -c were when it started. */
#define CULL_TYPE TC_Type
#define CULL_HERE \
    SGE_STRING(TC_name,          CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN) \
    SGE_ULONG (TC_interface,     CULL_SPOOL)               /* enum checkpoint_interface */ \
    SGE_STRING(TC_ckpt_command,  CULL_SPOOL | CULL_INTERN) /* absent: none; likewise below */ \
    SGE_STRING(TC_migr_command,  CULL_SPOOL | CULL_INTERN) \
    SGE_STRING(TC_rest_command,  CULL_SPOOL | CULL_INTERN) \
    SGE_STRING(TC_clean_command, CULL_SPOOL | CULL_INTERN) \
    SGE_STRING(TC_ckpt_dir,      CULL_SPOOL | CULL_INTERN) \
    SGE_STRING(TC_signal,        CULL_SPOOL | CULL_INTERN) \
    SGE_ULONG (TC_when,          CULL_SPOOL)               /* CHECKPOINT_... bits */ \
    SGE_ULONG (TC_interval,      CULL_SPOOL)               /* seconds, of -c; 0: the queue's min_cpu_interval */
#include CULL_EXPAND

/* one figure of a task's usage: cpu, mem, io, vmem, maxvmem, ru_utime ... as in the accounting file */
#define CULL_TYPE UA_Type
#define CULL_HERE \
    SGE_STRING(UA_name,  CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN) \
    SGE_DOUBLE(UA_value, CULL_SPOOL)
#include CULL_EXPAND

/* What was used of something by a user in a project: decayed until UV_halves halftimes had passed, and in all. Of the kinds
 * themselves: the halftime in seconds, how many had passed and since when that is it. */
#define CULL_TYPE UV_Type
#define CULL_HERE \
    SGE_STRING (UV_name,   CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN) \
    SGE_DOUBLE (UV_used,   CULL_SPOOL) \
    SGE_DOUBLE (UV_halves, CULL_SPOOL) \
    SGE_DOUBLE (UV_total,  CULL_SPOOL) \
    SGE_ULONG64(UV_since,  CULL_SPOOL)
#include CULL_EXPAND

/* A user, and a project or none; user "": of the kinds. */
#define CULL_TYPE UP_Type
#define CULL_HERE \
    SGE_STRING(UP_user,    CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_STRING(UP_project, CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_LIST  (UP_values, UV_Type, CULL_SPOOL)
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
#define CULL_TYPE JR_Type
#define CULL_ROWS "libs/sgeobj/sge_jobreportL.h"
#include CULL_EXPAND

/* A petask that runs, or, without a name, its task itself, as `qstat -t` shows it. */
#define CULL_TYPE PS_Type
#define CULL_HERE \
    SGE_STRING(PS_id,   CULL_PRIMARY_KEY) \
    SGE_STRING(PS_host, CULL_DEFAULT) \
    SGE_LIST  (PS_usage, UA_Type, CULL_DEFAULT)
#include CULL_EXPAND

/* Of a task with petasks: the numbers of those on a host that have ended. */
#define CULL_TYPE PD_Type
#define CULL_HERE \
    SGE_STRING(PD_host, CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_LIST  (PD_numbers, RN_Type, CULL_SPOOL)
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

/* A configuration (sge_conf(5)): of all hosts ("global") or of one host. The scheduler's (sched_conf(5)) is "@scheduler". */
#define CULL_TYPE CONF_Type
#define CULL_HERE \
    SGE_STRING(CONF_name,    CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_ULONG (CONF_version, CULL_SPOOL) \
    SGE_LIST  (CONF_entries, VA_Type, CULL_SPOOL)
#include CULL_EXPAND

/* An object whose meaning later parts use, kept as its attributes in order: pe, ckpt, calendar, userset, project ... */
#define CULL_TYPE TX_Type
#define CULL_HERE \
    SGE_ULONG (TX_kind,    CULL_PRIMARY_KEY | CULL_SPOOL)   /* enum gdi_target */ \
    SGE_STRING(TX_name,    CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_LIST  (TX_entries, VA_Type, CULL_SPOOL)
#include CULL_EXPAND

#include "libs/sgeobj/sge_object_typesL.h"

/* By what `prior` and its parts follow from what is known of a job: of the cell (libs/sched/policy/prior.h). */
#define CULL_TYPE PT_Type
#define CULL_HERE \
    SGE_DOUBLE(PT_weight_ticket,       CULL_DEFAULT) \
    SGE_DOUBLE(PT_weight_urgency,      CULL_DEFAULT) \
    SGE_DOUBLE(PT_weight_priority,     CULL_DEFAULT) \
    SGE_DOUBLE(PT_weight_waiting_time, CULL_DEFAULT) \
    SGE_DOUBLE(PT_lowest_urgency,      CULL_DEFAULT) /* of the active jobs, as if it were second 0: it rises equally for all */ \
    SGE_DOUBLE(PT_highest_urgency,     CULL_DEFAULT) \
    SGE_DOUBLE(PT_weight_deadline,     CULL_DEFAULT) \
    SGE_ULONG64(PT_deadlines_at,       CULL_DEFAULT) /* the second by which urgency for a deadline is counted; absent: no job has a deadline */ \
    SGE_DOUBLE(PT_most_tickets,        CULL_DEFAULT) /* that a job has; 0: none has any */ \
    SGE_DOUBLE(PT_all_tickets,         CULL_DEFAULT)   /* of all pending jobs together */ \
    SGE_DOUBLE(PT_running_tickets,     CULL_DEFAULT)   /* of all tasks that run */
#include CULL_EXPAND

/* What a policy has granted: to a job, or, without a number, to the jobs of an owner in a project that have no grant of their own. */
#define CULL_TYPE PG_Type
#define CULL_HERE \
    SGE_ULONG (PG_job_number, CULL_DEFAULT) \
    SGE_STRING(PG_owner,      CULL_DEFAULT) \
    SGE_STRING(PG_project,    CULL_DEFAULT)          /* absent: the jobs without one */ \
    SGE_DOUBLE(PG_otickets,   CULL_DEFAULT)          /* tickets by policy: override, functional, share tree; no field of these: no grant any more */ \
    SGE_DOUBLE(PG_ftickets,   CULL_DEFAULT) \
    SGE_DOUBLE(PG_stickets,   CULL_DEFAULT) \
    SGE_DOUBLE(PG_rrcontr,    CULL_DEFAULT)          /* urgency for what is requested, for a deadline */ \
    SGE_DOUBLE(PG_dlcontr,    CULL_DEFAULT)
#include CULL_EXPAND

/* What is reserved for a pending task: when it can start, for how long, and where. */
#define CULL_TYPE RV_Type
#define CULL_HERE \
    SGE_ULONG  (RV_job_number, CULL_DEFAULT) \
    SGE_ULONG  (RV_ordinal,    CULL_DEFAULT) \
    SGE_ULONG64(RV_start_time, CULL_DEFAULT) \
    SGE_ULONG64(RV_duration,   CULL_DEFAULT)         /* seconds; absent: no end is foreseen */ \
    SGE_ULONG  (RV_places,     CULL_DEFAULT)         /* queue instances, of which the first are in RV_granted */ \
    SGE_LIST   (RV_granted,    JG_Type, CULL_DEFAULT)
#include CULL_EXPAND

/* `prior` of a job and what it is made of, for those who show it; an empty one: the job could not run now. */
#define CULL_TYPE PF_Type
#define CULL_ROWS "libs/sgeobj/sge_priorL.h"
#include CULL_EXPAND

/* An advance reservation. Without a request it is one of the scheduler's copies. */
#define CULL_TYPE AR_Type
#define CULL_HERE \
    SGE_ULONG  (AR_id,              CULL_PRIMARY_KEY | CULL_SPOOL) \
    SGE_STRING (AR_owner,           CULL_SPOOL | CULL_INTERN) \
    SGE_ULONG  (AR_uid,             CULL_SPOOL) \
    SGE_STRING (AR_group,           CULL_SPOOL | CULL_INTERN) \
    SGE_ULONG64(AR_submission_time, CULL_SPOOL) \
    SGE_ULONG64(AR_start_time,      CULL_SPOOL) \
    SGE_ULONG64(AR_end_time,        CULL_SPOOL) \
    SGE_ULONG64(AR_duration,        CULL_DEFAULT)          /* of a request alone: seconds */ \
    SGE_ULONG  (AR_state,           CULL_SPOOL)            /* enum ar_state (ar.h) */ \
    SGE_LIST   (AR_acl_list, ST_Type, CULL_SPOOL)          /* -u: who may use it; empty: all users */ \
    SGE_LIST   (AR_granted,  JG_Type, CULL_SPOOL)          /* what it has, as a task would */ \
    SGE_LIST   (AR_request,  JB_Type, CULL_SPOOL)          /* what was asked for, as of a job */ \
    SGE_BOOL   (AR_is_blocked,      CULL_DEFAULT)          /* -he y, and something is wrong: no task starts in it */ \
    SGE_LIST   (AR_messages, ST_Type, CULL_DEFAULT)        /* GET: what is wrong with its queue instances */
#include CULL_EXPAND

#define CULL_TYPE EV_Type
#define CULL_ROWS "libs/sgeobj/sge_eventL.h"
#include CULL_EXPAND
#define CULL_TYPE OR_Type
#define CULL_ROWS "libs/sgeobj/sge_orderL.h"
#include CULL_EXPAND
#define CULL_TYPE EN_Type
#define CULL_ROWS "libs/sgeobj/sge_endL.h"
#include CULL_EXPAND

/* A session: it keeps the ends of its jobs' tasks until a client takes them. */
#define CULL_TYPE SN_Type
#define CULL_HERE \
    SGE_STRING (SN_key,     CULL_PRIMARY_KEY | CULL_SPOOL)   /* who knows it and is the owner may ask */ \
    SGE_STRING (SN_owner,   CULL_SPOOL | CULL_INTERN) \
    SGE_ULONG  (SN_uid,     CULL_SPOOL) \
    SGE_ULONG64(SN_number,  CULL_SPOOL)                      /* random, never used again: jobs and ends name the session by it */
#include CULL_EXPAND
