#ifndef GDI_MESSAGE_H
#define GDI_MESSAGE_H

#include "libs/cull/cull.h"
#include "libs/cull/pack.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/rows.h"

/* What travels in frames. Each frame has a kind, a serial number chosen by the sender of a request
 * and repeated in all answers to it, and a body: one packed record.
 *
 *   client -> qmaster   HELLO, then REQUEST (GR_Type)
 *   qmaster -> client   ANSWER (GA_Type), one or more; the last has GA_is_last
 *   schedd -> qmaster   HELLO, EVENT_REGISTER, EVENT_ACK (EP_number, EP_turns), ORDERS (EP_number,
 *                       EP_orders)
 *   qmaster -> schedd   EVENTS (EP_number, EP_events), ORDERS_ACK (EP_number, EP_orders: those
 *                       refused, with OR_reason)
 *   qmaster -> anybody  REFUSED: a text, why there is no room for the connection, which ends
 *   qmaster -> execd    REVOKED: lines of a ledger (tls/ledger.h), the certificates that the cell
 *                       does not accept any more; to hosts over TCP, and only if there are some
 *   execd  <-> qmaster  HELLO, EXEC (XM_Type), both ways, numbered by nothing: each message may
 *                       safely be sent twice
 *
 * HELLO goes first on every connection, without waiting for the other side's: u32be GDI_PROTOCOL,
 * u64 (two u32be) schema id, packed strings program and host name. A peer whose schema id differs
 * sends its table in SCHEMA before anything else. */
enum { GDI_PROTOCOL = 1 };
/* the most bytes of a GR_request_id, which the qmaster keeps while it remembers the request */
enum { GDI_REQUEST_ID_MOST = 64 };
/* the descriptors at which sge_schedd finds its end of the socketpair that the qmaster made for it,
 * and memory that it shares with the qmaster: a uint32_t, the number of the job that it is looking
 * at, 0 without one */
enum { GDI_SCHEDD_FD = 3, GDI_SCHEDD_JOB_FD = 4 };

enum gdi_frame {
    GDI_FRAME_HELLO = 1,
    GDI_FRAME_SCHEMA = 2,
    GDI_FRAME_REQUEST = 3,
    GDI_FRAME_ANSWER = 4,
    GDI_FRAME_EVENT_REGISTER = 5,
    GDI_FRAME_EVENTS = 6,
    GDI_FRAME_EVENT_ACK = 7,
    GDI_FRAME_ORDERS = 8,
    GDI_FRAME_ORDERS_ACK = 9,
    GDI_FRAME_EXEC = 10,
    GDI_FRAME_REFUSED = 11,
    GDI_FRAME_REVOKED = 12,
    GDI_FRAME_KINDS
};

enum gdi_verb {
    GDI_ADD = 1, /* new object: GR_jobs ..., whole */
    GDI_MOD = 2, /* change the selected: only the fields present */
    GDI_DEL = 3,
    GDI_GET = 4, /* stream the selected, with the fields named in GR_fields (empty: all) */
    /* qresub: GR_job_number, changes in GR_jobs[0], holds; the copy comes in GA_jobs */
    GDI_COPY = 5,
    GDI_ACT = 6,   /* qmod, qconf -k..: GR_action on GR_select */
    GDI_WATCH = 7, /* of a session: how tasks ended, see below */
    GDI_WHY = 8,   /* qstat -j JOB.TASK -why */
    /* ADD of a job that is to be GR_owner's: root alone may, over the socket of the qmaster's host.
     * A verb of its own: a release that does not know it refuses, and runs nothing as root */
    GDI_ADD_AS = 9,
    GDI_VERBS
};
/* of an administrator's objects the numbers are those of the kind */
enum gdi_target {
#define OBJECT_KIND(name, ...) GDI_##name = OBJECT_##name,
#include "libs/sgeobj/sge_object_kindsL.h"
#undef OBJECT_KIND
    GDI_JOB = 1,
    GDI_QINSTANCE = 3,
    GDI_ADMINHOST = 5,
    GDI_SUBMITHOST = 6,
    GDI_MANAGER = 7,
    GDI_OPERATOR = 8,
    GDI_EVENTCLIENT = 20,
    GDI_MASTER = 22, /* GET: lines of figures; GR_select: of the execd of that host */
    GDI_SESSION = 23,
    GDI_THREAD = 24, /* GR_select: "scheduler", which is a process here */
    /* GET: the lines of the accounting file in GA_lines, those of the jobs of GR_select (numbers)
     * or all; for hosts that have no such file */
    GDI_ACCOUNTING = 25,
    /* GET: what is taken of resource quotas: in GA_texts a TX_Type for each limited resource of which
     * something is taken; its name is the rule's ("max2/1"), its entries are the filters, each as
     * written or as the value it expands to (then there is `expanded` with its name, too), `place`
     * of the rule among all, `resource`, `limit` and `value`, these also as numbers */
    GDI_QUOTA = 26,
    /* GET: what counts in the share tree: in GA_texts a TX_Type for each pair of a user, its name, and
     * a `project` ("": none), with the `time`, and `used` and `total` "NAME=number", decayed and not.
     * DEL: what the users of GR_select, or all, have used counts no more */
    GDI_SHARE_USAGE = 27,
    /* ADD: GR_ars, with the request of a job; verified alone with JB_verify_suitable_queues
     * VERIFY_ONLY. DEL: GR_select (numbers, names) or GR_users. GET: of GR_users, patterns, or of
     * GR_select; all: of all users */
    GDI_AR = 28,
    GDI_TARGETS = OBJECT_KINDS /* more than any of them */
};
enum gdi_action {
    GDI_ACT_SUSPEND = 1,
    GDI_ACT_UNSUSPEND = 2,
    GDI_ACT_CLEAR_ERROR = 3,
    GDI_ACT_RESCHEDULE = 4,
    GDI_ACT_ENABLE = 5,
    GDI_ACT_DISABLE = 6,
    GDI_ACT_SHUTDOWN = 7,
    GDI_ACT_TRIGGER_SCHEDULING = 8,
    GDI_ACT_TAKE = 9,
    GDI_ACT_CLEAN = 10, /* of queues: tasks there end, without waiting for its host */
    GDI_ACT_START = 11
};
/* GR_options */
enum {
    GDI_FORCE = 1, /* -f */
    /* GET job, with GDI_WITH_ENV: GA_reasons too; WHY of job 0: of the queues alone */
    GDI_WITH_REASONS = 2,
    GDI_JOBS_ONLY = 4,   /* qmod -sj ...: GR_select are jobs */
    GDI_QUEUES_ONLY = 8, /* qmod -sq ... */
    GDI_WITH_TASKS = 16, /* GET job: the JAT records too; of the ID_tasks, if there are any */
    GDI_WITH_ENV = 32,   /* GET job: JB_env_list and JB_script_ptr too */
    GDI_FINISHED = 64,   /* GET job: what finished lately (qstat -s z) */
    /* ADD job: GR_session is made unless it is there, and the answer goes on as that of WATCH of
     * it with this GR_job_number, so that one request does it all */
    GDI_WATCH_TOO = 128,
    /* GET job without GR_select: first the jobs with running tasks, then those that could run, then
     * the others, each by number */
    GDI_RANKED = 256
};

/* ---- sessions: ends of tasks, kept until they are taken ----
 *
 * An ADD of a job that names a GR_session of its user has the ends of the job's tasks kept there,
 * each in the transaction that ends the task. The session and what it keeps survive everything but
 * being taken, GDI_DEL, and being left alone for SESSION_TIMEOUT (sge_conf(5)): neither watched nor
 * asked about. A missing one and one of another user are refused alike (STATUS_EUNKNOWN),
 * at a limit with STATUS_NOTOK_DOAGAIN. With target GDI_SESSION and GR_session:
 *
 * ADD      makes it, or joins the user's own; without GR_session the qmaster makes a key that
 *          cannot be guessed. A key has up to GDI_SESSION_KEY_MOST letters, digits and "._-".
 *          Answer: GA_session, GA_n_ends. GET - the same for one that is there.
 * WATCH    parts with GA_ends: first all that are kept, in steps, in no certain order; a part with
 *          GA_is_synced; then each as it becomes durable, as long as the session and the
 *          connection live. One WATCH says each end once. With GR_job_number only the ends of
 *          that job, also parts with GA_reports, the tasks of it that are in error (JR_state
 *          REPORT_PARKED: those have not ended, and are not kept); and the answer is complete
 *          (GA_is_last) once that job has ended, or if it is not there. Other requests over the
 *          connection wait for GA_is_synced, and then have their answers among the ends. Who does
 *          not read is cut off, and watches again. Entries: EN_Type (sge_endL.h, end.h); one
 *          reports several tasks if these were deleted before they ran.
 * ACT      GDI_ACT_TAKE: the ends of GR_ends (EN_job_number, EN_ordinals as they were sent) are
 *          forgotten; what is not there is no error. The answer comes when that is durable; no
 *          client need wait for it, or even stay connected: the last message of the client is
 *          processed if it is short (GDI_LAST_WORDS_MOST bytes).
 * DEL      the session goes with all it keeps; its jobs keep running, and their ends are not kept.
 *          A manager may do that for the owner, whom GR_users names. As for TAKE no client need
 *          wait for the answer. */
enum { GDI_SESSION_KEY_MOST = 64, GDI_LAST_WORDS_MOST = 16 * 1024 };
/* GR_hold_op: what GR_hold_kinds (HOLD_... bits, hold.h) do to the selected tasks */
enum { GDI_HOLD_KEEP = 0, GDI_HOLD_ADD = 1, GDI_HOLD_REMOVE = 2, GDI_HOLD_CLEAR = 3 };
enum exec_message {
    /* execd: XM_host; XM_reports = every task it knows, so that both sides agree again */
    EXEC_REGISTER = 1,
    EXEC_LOAD = 2,    /* execd: XM_host with the load values that changed, XM_turns */
    EXEC_REPORTS = 3, /* execd: XM_reports: started, usage, ended */
    EXEC_CONFIG = 4,  /* qmaster: XM_confs */
    /* qmaster: XM_jobs (once per job and host, with env and script) and XM_tasks to start,
     * XM_queues they need */
    EXEC_START = 5,
    EXEC_SIGNAL = 6,     /* qmaster: XM_signal to XM_reports' (job, task, attempt) */
    EXEC_END_ACK = 7,    /* qmaster: these ends are durable; the spool folders may go */
    EXEC_FORGET_JOB = 8, /* qmaster: XM_jobs (numbers): drop what is cached of them */
    EXEC_SHUTDOWN = 9,   /* qmaster: end, leaving jobs (XM_signal 0) or killing them (9) */
    EXEC_LEAVING = 10    /* execd: takes no more tasks, and ends when those that migrate have */
};

/* ---- tasks with petasks: parallel environments with control_slaves ----
 *
 * The hosts of such a task start petasks (task_key.h) for it when the task asks them to.
 *
 * START    goes to every host of its allocation: to the host of the first entry, where the task
 *          itself runs, and to each other host, the slaves, with JAT_is_slave and without
 *          JB_script_ptr. The whole allocation is in both; its first entry has JG_control_slaves. A
 *          slave keeps it as a running task without a process, and reports STARTED once it would
 *          start petasks. The task itself is sent when all slaves have reported that.
 * REPORTS  a slave is reported like a task: STARTED or RUNNING, and ENDED after it was killed or
 *          could not be set up (JR_failed). A petask is reported with JR_pe_task_id "N.HOST":
 *          STARTED, RUNNING with its usage, ENDED. N counts from 1 on each host; an attempt of a
 *          task uses no N of a host twice. A host reports the ends of its petasks before the end of
 *          the task or slave there. REGISTER has all three.
 * SIGNAL   to a slave: for all its petasks; SIGKILL ends them and then the slave. With
 *          JR_pe_task_id for that petask alone: it is refused, and is to end.
 * END_ACK  as for tasks, each by its key. */

#define CULL_EXPAND "libs/cull/declare.h"
#include "libs/gdi/sge_messagesL.h"
#undef CULL_EXPAND

/* gdi_schema - all types of sgeobj and of this file: what HELLO's schema id and the SCHEMA frame
 * speak of */
const struct cull_schema *gdi_schema(void);
/* gdi_schema_id - cull_schema_id of it, which is computed when the room is built. O(1) */
uint64_t gdi_schema_id(void);

/* gather_part - append copies of the objects of PART to ALL, which has those of the parts before:
 * answers in one piece, for what is not endless: queues, hosts, configurations; the last part that
 * has GA_job_number or GA_has_started sets it. Pure. Returns the bytes taken. O(objects) */
size_t gather_part(struct GA_Type *all, const struct GA_Type *part);

struct answer;
/* exec_message_check - can the keys of tasks in M, which came from outside, be keys (task_key.h)?
 *
 * Both sides check a message before they act on it: the host makes directories of these names, the
 * qmaster writes them into the accounting file.
 * Returns 0, or -1 with ans (STATUS_EPROTO) naming the first task whose petask is malformed.
 * O(what is in M) */
int exec_message_check(const struct XM_Type *m, struct answer *ans);

#endif
