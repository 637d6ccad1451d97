#ifndef GDI_MESSAGE_H
#define GDI_MESSAGE_H

#include "libs/cull/cull.h"
#include "libs/cull/pack.h"
#include "libs/sgeobj/rows.h"

/* What travels in frames. Each frame has a kind, a serial number chosen by the sender of a request and repeated in all answers to it,
 * and a body: one packed record.
 *
 *   client -> qmaster   HELLO, then REQUEST (GR_Type)      qmaster -> client   ANSWER (GA_Type), one or more; the last has GA_is_last
 *   schedd -> qmaster   HELLO, EVENT_REGISTER, EVENT_ACK (EP_number), ORDERS (EP_number, EP_orders)
 *   qmaster -> schedd   EVENTS (EP_number, EP_events), ORDERS_ACK (EP_number, EP_orders: those refused, with OR_reason)
 *   execd  <-> qmaster  HELLO, EXEC (XM_Type), both ways, numbered by nothing: each message may safely be sent twice
 *
 * HELLO goes first on every connection, without waiting for the other side's: u32be GDI_PROTOCOL, u64 (two u32be) schema id, packed strings
 * program and host name. A peer whose schema id differs sends its table in SCHEMA before anything else. */
enum { GDI_PROTOCOL = 1 };
/* the most bytes of a GR_request_id: whoever remembers requests keeps it */
enum { GDI_REQUEST_ID_MOST = 64 };
/* the descriptor at which sge_schedd finds its end of the socketpair that the qmaster made for it */
enum { GDI_SCHEDD_FD = 3 };

enum gdi_frame {
    GDI_FRAME_HELLO = 1,
    GDI_FRAME_SCHEMA,
    GDI_FRAME_REQUEST,
    GDI_FRAME_ANSWER,
    GDI_FRAME_EVENT_REGISTER,
    GDI_FRAME_EVENTS,
    GDI_FRAME_EVENT_ACK,
    GDI_FRAME_ORDERS,
    GDI_FRAME_ORDERS_ACK,
    GDI_FRAME_EXEC,
    GDI_FRAME_KINDS
};

enum gdi_verb {
    GDI_ADD = 1, /* new object: GR_jobs ..., whole */
    GDI_MOD,     /* change the selected: only the fields present */
    GDI_DEL,
    GDI_GET,  /* stream the selected, with the fields named in GR_fields (none = all) */
    GDI_COPY, /* qresub: GR_job_number, changes in GR_jobs[0], holds; the copy comes in GA_jobs */
    GDI_ACT,  /* qmod, qconf -k..: GR_action on GR_select */
    GDI_WATCH, /* qsub -sync y: an answer entry for each end of a task of GR_job_number, last when all ended */
    GDI_WHY /* qstat -j JOB.TASK -why */
};
enum gdi_target {
    GDI_JOB = 1,
    GDI_CQUEUE,
    GDI_QINSTANCE,
    GDI_EXECHOST,
    GDI_ADMINHOST,
    GDI_SUBMITHOST,
    GDI_MANAGER,
    GDI_OPERATOR,
    GDI_CONFIG,
    GDI_SCHEDCONF,
    GDI_COMPLEX,
    GDI_PE,
    GDI_CKPT,
    GDI_CALENDAR,
    GDI_USERSET,
    GDI_PROJECT,
    GDI_USER,
    GDI_HOSTGROUP,
    GDI_RQS,
    GDI_EVENTCLIENT,
    GDI_SHARETREE,
    GDI_MASTER
};
enum gdi_action {
    GDI_ACT_SUSPEND = 1,
    GDI_ACT_UNSUSPEND,
    GDI_ACT_CLEAR_ERROR,
    GDI_ACT_RESCHEDULE,
    GDI_ACT_ENABLE,
    GDI_ACT_DISABLE,
    GDI_ACT_SHUTDOWN,
    GDI_ACT_TRIGGER_SCHEDULING
};
/* GR_options */
enum {
    GDI_FORCE = 1, /* -f */
    /* GET job, with GDI_WITH_ENV: GA_reasons too; WHY of job 0: of the queues alone */
    GDI_WITH_REASONS = 2,
    GDI_JOBS_ONLY = 4,   /* qmod -sj ...: GR_select are jobs */
    GDI_QUEUES_ONLY = 8, /* qmod -sq ... */
    GDI_WITH_TASKS = 16, /* GET job: the JAT records too */
    GDI_WITH_ENV = 32,   /* GET job: JB_env_list and JB_script_ptr too */
    GDI_FINISHED = 64,   /* GET job: what finished lately (qstat -s z) */
    /* ADD job: the answer goes on as that of WATCH, so that no end can be missed */
    GDI_WATCH_TOO = 128
};
/* GR_hold_op: what GR_hold_kinds (HOLD_... bits, hold.h) do to the selected tasks */
enum { GDI_HOLD_KEEP = 0, GDI_HOLD_ADD, GDI_HOLD_REMOVE, GDI_HOLD_CLEAR };
enum exec_message {
    /* execd: XM_host; XM_reports = every task it knows, so that both sides agree again */
    EXEC_REGISTER = 1,
    EXEC_LOAD,    /* execd: XM_host with the load values that changed */
    EXEC_REPORTS, /* execd: XM_reports: started, usage, ended */
    EXEC_CONFIG,  /* qmaster: XM_confs */
    /* qmaster: XM_jobs (once per job and host, with env and script) and XM_tasks to start, XM_queues they need */
    EXEC_START,
    EXEC_SIGNAL,     /* qmaster: XM_signal to XM_reports' (job, task, attempt) */
    EXEC_END_ACK,    /* qmaster: these ends are durable; the spool folders may go */
    EXEC_FORGET_JOB, /* qmaster: XM_jobs (numbers): drop what is cached of them */
    EXEC_SHUTDOWN    /* qmaster: end, leaving jobs (XM_signal 0) or killing them (9) */
};

#define CULL_TYPE WT_Type
#define CULL_ROWS "libs/gdi/sge_waitL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE GR_Type
#define CULL_ROWS "libs/gdi/sge_gdi_requestL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE GA_Type
#define CULL_ROWS "libs/gdi/sge_gdi_answerL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE XM_Type
#define CULL_ROWS "libs/gdi/sge_execmsgL.h"
#include "libs/cull/declare.h"
#define CULL_TYPE EP_Type
#define CULL_ROWS "libs/gdi/sge_evpackageL.h"
#include "libs/cull/declare.h"

/* gdi_schema - all types of sgeobj and of this file: what HELLO's schema id and the SCHEMA frame speak of */
const struct cull_schema *gdi_schema(void);

#endif
