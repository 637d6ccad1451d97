#ifndef SGEOBJ_JOB_STATE_H
#define SGEOBJ_JOB_STATE_H

#include "libs/sgeobj/rows.h"

/* States of tasks as records have them, kinds of hold, and sets of tasks as text. Pure.
 * task_state.h has the transitions and the letters. */

/* JAT_status; a task without a JAT record is pending (in JB_ja_pending_ids) or ended */
enum task_status {
    /* put back (exit 99, qmod -rj, lost host): waits for a start again; shown Rq */
    TASK_WAITING = 1,
    TASK_ERROR = 2,        /* exit 100, start failed: waits for qmod -cj; shown Eqw */
    TASK_TRANSFERRING = 3, /* ordered; the execd has not said that it runs; t */
    TASK_RUNNING = 4,      /* r */
    TASK_STATUSES
};
/* JAT_state bits */
enum {
    TASK_IS_DELETED = 1,                /* asked to end: d */
    TASK_IS_SUSPENDED = 2,              /* by qmod -sj: s */
    TASK_IS_QUEUE_SUSPENDED = 4,        /* by its queue: S */
    TASK_IS_RESTARTED = 8,              /* ran before: R */
    TASK_IS_RESCHEDULED = 16,           /* its end puts it back (qmod -rj) */
    TASK_IS_LOAD_SUSPENDED = 32,        /* its host has too much load (suspend_thresholds): T */
    TASK_IS_SUBORDINATE_SUSPENDED = 64, /* by tasks in a queue that its own is subordinate to: S */
    TASK_IS_CALENDAR_SUSPENDED = 128,   /* by the calendar of its queue: S */
    TASK_IS_CHECKPOINT_SUSPENDED = 256, /* for a checkpoint: s */
    TASK_IS_CHECKPOINTING = 512,        /* a checkpoint is being made */
    TASK_IS_MIGRATING = 1024,           /* one is being made, and its end puts it back: R */
    TASK_IS_LOST = 2048,                /* its host is away */
    TASK_WAS_SUSPENDED = 4096,          /* during this start: a SIGCONT may have been lost */
    TASK_IS_CLEANING = 8192,            /* deleted while it waited: only its clean_command runs */
    /* it stands still while any of these is set: a bit for each reason */
    TASK_SUSPENSIONS = TASK_IS_SUSPENDED | TASK_IS_QUEUE_SUSPENDED | TASK_IS_LOAD_SUSPENDED |
                       TASK_IS_SUBORDINATE_SUSPENDED | TASK_IS_CALENDAR_SUSPENDED |
                       TASK_IS_CHECKPOINT_SUSPENDED
};

/* The kinds of hold: the targets of -h, and the system's own. The values are those of the interface
 * (MINUS_H_TGT_...). */
enum {
    MINUS_H_TGT_USER = 1,
    MINUS_H_TGT_OPERATOR = 2,
    MINUS_H_TGT_SYSTEM = 4,
    MINUS_H_TGT_JA_AD = 8, /* array dependency: put and lifted by the system alone */
    MINUS_H_TGT_NONE = 16, /* -h n */
    HOLD_JID = 32          /* -hold_jid: a whole job waits; never in a set of tasks */
};
enum {
    /* interactive: its client is its input and output, or an xterm is (qsh) */
    JOB_TYPE_QSH = 0x2,
    JOB_TYPE_QLOGIN = 0x4,
    JOB_TYPE_QRSH = 0x8,
    JOB_TYPE_QRLOGIN = 0x10, /* qrsh without a command */
    JOB_TYPE_LOGIN = JOB_TYPE_QLOGIN | JOB_TYPE_QRLOGIN,
    JOB_TYPE_SESSION = JOB_TYPE_LOGIN | JOB_TYPE_QRSH,
    JOB_TYPE_INTERACTIVE = JOB_TYPE_SESSION | JOB_TYPE_QSH,
    /* a task that would be parked in error ends instead: DRMAA knows no such state */
    JOB_TYPE_NO_ERROR = 0x20,
    JOB_TYPE_BINARY = 0x40,
    JOB_TYPE_ARRAY = 0x80,
    JOB_TYPE_NO_SHELL = 0x100,
    JOB_TYPE_DETACH = 0x200, /* of a session: the job goes on without its client */
    JOB_TYPE_MOST = 0x3fe
}; /* JB_type, as -xml shows it (64, 192) */
enum {
    JOB_PRIORITY_BASE = 1024,
    JOB_TASK_ID_MAX = INT32_MAX,
    JOB_SCRIPT_MOST = 16 * 1024 * 1024 /* bytes */
};

/* job_task_count - number of tasks of the array as submitted (last task id = first +
 * (count-1)*step). O(1) */
uint32_t job_task_count(const struct JB_Type *job);
/* job_task_id - the id of the task with this ordinal. O(1) */
uint32_t job_task_id(const struct JB_Type *job, uint32_t ordinal);
/* job_task_ordinal - the ordinal of a task id; false if the job has no such task */
bool job_task_ordinal(const struct JB_Type *job, uint32_t task_id, uint32_t *ordinal);
/* job_is_interactive - was it submitted by qrsh, qlogin or qsh?
 * job_has_session - does its task exchange input and output with a client (qrsh, qlogin)?
 * job_is_array - was it submitted with -t? */
bool job_is_interactive(const struct JB_Type *job);
bool job_has_session(const struct JB_Type *job);
bool job_is_array(const struct JB_Type *job);
/* job_session_setting - which setting of sge_conf(5) says how a job with a session is reached: the
 * program of its client (IS_DAEMON false), or that of its host */
const char *job_session_setting(const struct JB_Type *job, bool is_daemon);
/* job_task_holds - which kinds of hold (MINUS_H_TGT_... | HOLD_JID) lie on a task that is not
 * running. O(log) */
unsigned job_task_holds(const struct JB_Type *job, uint32_t ordinal);
/* job_ready_ids - tasks in JB_ja_pending_ids without any hold; empty while a -hold_jid predecessor
 * is left. OUT is replaced. O(ranges) */
void job_ready_ids(const struct JB_Type *job, struct range_set *out);
/* job_has_ready - is there such a task? O(1) for a job without holds, and for one that is held
 * whole and in one piece */
bool job_has_ready(const struct JB_Type *job);

struct dstr;
/* job_ids_text - ordinals as task ids in the form qstat prints: "1-9:2", "1,3", "2,3,7-9:1".
 * Appends. */
void job_ids_text(const struct JB_Type *job, const struct range_set *ids, struct dstr *out);
/* job_ids_text_cut - the same, ended by ",..." once more than MOST_BYTES are written: a person
 * reads it. True if it was cut. */
bool job_ids_text_cut(const struct JB_Type *job, const struct range_set *ids, size_t most_bytes,
                      struct dstr *out);

#endif
