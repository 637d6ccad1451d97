/* The record types of messages, as in libs/sgeobj/sge_typesL.h: element types before those that hold them. */

/* How many turns were shorter than 2^TU_bucket microseconds, and not shorter than half of that. */
#define CULL_TYPE TU_Type
#define CULL_HERE \
    SGE_ULONG  (TU_bucket, CULL_DEFAULT) \
    SGE_ULONG64(TU_n,      CULL_DEFAULT)
#include CULL_EXPAND

/* What the turns of a thread of a daemon have cost (libs/uti/turns.h), as the daemon reports it. */
#define CULL_TYPE TN_Type
#define CULL_HERE \
    SGE_STRING (TN_thread,     CULL_DEFAULT) \
    SGE_ULONG64(TN_n,          CULL_DEFAULT) \
    SGE_ULONG64(TN_longest_us, CULL_DEFAULT) \
    SGE_LIST   (TN_lengths, TU_Type, CULL_DEFAULT)
#include CULL_EXPAND

/* -why: one task that a pending task still waits for */
#define CULL_TYPE WT_Type
#define CULL_HERE \
    SGE_ULONG (WT_job_number,  CULL_DEFAULT) \
    SGE_STRING(WT_job_name,    CULL_DEFAULT) \
    SGE_ULONG (WT_task_number, CULL_DEFAULT) \
    SGE_STRING(WT_kind,        CULL_DEFAULT)   /* hold_jid, hold_jid_ad */ \
    SGE_STRING(WT_state,       CULL_DEFAULT)   /* as qstat prints it: qw, hqw, r, Eqw ... */
#include CULL_EXPAND

#define CULL_TYPE GR_Type
#define CULL_ROWS "libs/gdi/sge_gdi_requestL.h"
#include CULL_EXPAND
#define CULL_TYPE GA_Type
#define CULL_ROWS "libs/gdi/sge_gdi_answerL.h"
#include CULL_EXPAND

/* A message between qmaster and execd */
#define CULL_TYPE XM_Type
#define CULL_HERE \
    SGE_ULONG (XM_kind,     CULL_DEFAULT) \
    SGE_LIST  (XM_hosts,   EH_Type,   CULL_DEFAULT) \
    SGE_LIST  (XM_reports, JR_Type,   CULL_DEFAULT) \
    SGE_LIST  (XM_jobs,    JB_Type,   CULL_DEFAULT) \
    SGE_LIST  (XM_tasks,   JAT_Type,  CULL_DEFAULT) \
    SGE_LIST  (XM_queues,  QU_Type,   CULL_DEFAULT) \
    SGE_LIST  (XM_confs,   CONF_Type, CULL_DEFAULT) \
    SGE_LIST  (XM_turns,   TN_Type,   CULL_DEFAULT)     /* LOAD: what the turns of its threads have cost */ \
    SGE_STRING(XM_spool_dir, CULL_DEFAULT)              /* CONFIG: execd_spool_dir; absent: the host's directory in the cell's spool */ \
    SGE_ULONG (XM_signal,   CULL_DEFAULT) \
    SGE_BOOL  (XM_is_first, CULL_DEFAULT)               /* REGISTER: no qmaster has answered this execd since it started */
#include CULL_EXPAND

/* A package of events or of orders, numbered from 1 on each connection; the acknowledge repeats the number. */
#define CULL_TYPE EP_Type
#define CULL_HERE \
    SGE_ULONG64(EP_number, CULL_DEFAULT) \
    SGE_ULONG(EP_interval_ms, CULL_DEFAULT)   /* REGISTER: not more often than this */ \
    SGE_LIST(EP_kinds, ST_Type, CULL_DEFAULT) /* REGISTER: names of the kinds wanted; empty: all */ \
    SGE_LIST(EP_fields, ST_Type, CULL_DEFAULT) /* REGISTER: names of the fields of jobs that are wanted; empty: the usual */ \
    SGE_LIST(EP_objects, ST_Type, CULL_DEFAULT) /* REGISTER: names of the kinds of objects wanted (object_kind.h); empty: all */ \
    SGE_BOOL(EP_wants_all, CULL_DEFAULT) /* REGISTER: jobs of all users, not the client's alone */ \
    SGE_LIST(EP_events, EV_Type, CULL_DEFAULT) \
    SGE_LIST(EP_orders, OR_Type, CULL_DEFAULT) \
    SGE_LIST(EP_turns, TN_Type, CULL_DEFAULT) /* EVENT_ACK of the scheduler: what its turns have cost */
#include CULL_EXPAND
