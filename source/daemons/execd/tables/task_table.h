#ifndef EXECD_TABLES_TASK_TABLE_H
#define EXECD_TABLES_TASK_TABLE_H

#include "common/basis.h"
#include "daemons/execd/host/cores.h"
#include "daemons/execd/tables/execd.h"
#include "libs/sgeobj/exec_task_state.h"
#include "libs/sgeobj/task_key.h"

/* Tasks that this host was ordered to start, from the order until the qmaster has their end in its
 * spool. There is one entry for a task: a newer attempt that was ordered (qmod -f -rj) while an
 * older one lives waits in `next` for the end of that. */
struct task_sample { /* what a running task used, as seen from outside */
    double cpu_s, mem_gb_s;
    uint64_t io_bytes, vmem_bytes, vmem_max_bytes;
    uint64_t at_us;   /* monotonic, of the last sample; 0 = none */
    uint64_t next_us; /* when the next one is due */
};
struct task_checkpoint { /* tasks/checkpoints.c */
    bool is_there;       /* it saves its state */
    bool is_at_shutdown; /* when this execd ends, too */
    bool is_migrating;   /* it was asked to */
    bool is_made;        /* there is a checkpoint */
};
enum summed_limit { SUMMED_CPU, SUMMED_VMEM, SUMMED_RSS, SUMMED_LIMITS };
struct summed_limits { /* of a task with petasks, for all of it on this host; tasks/task_limits.c */
    bool is_set;
    uint64_t soft[SUMMED_LIMITS], hard[SUMMED_LIMITS]; /* ms or bytes; UINT64_MAX: none */
    bool is_soft_told[SUMMED_LIMITS];
    unsigned looks_above[SUMMED_LIMITS]; /* in a row */
    uint64_t ended_cpu_ms;               /* of petasks that have ended */
    const char *reached;                 /* the limit for which it is ended; NULL: it is not */
};
struct exec_task {
    char *name;          /* its key as text: the directory below active_jobs */
    struct task_key key; /* its petask stands in `name` */
    enum exec_task_kind kind;
    enum exec_task_state state; /* task.c alone changes it */
    uint32_t attempt;
    struct execd *x;
    struct JAT_Type record; /* as ordered; a task found again has only the contents of its files */
    struct JAT_Type
        *next; /* owned: a newer attempt, which begins when this one has ended; NULL: none */
    char *tmpdir;
    gid_t additional_gid;
    char *cgroup; /* owned: where its shepherd has made one; NULL: nowhere */
    uint64_t start_s, start_us;
    struct shepherd *shepherd; /* RUNNING: NULL as long as it is not found */
    struct loop_timer *timer;  /* CLEANING; RUNNING while its shepherd is not watched yet */
    unsigned cleanings, searches;
    struct orphan_search *search; /* CLEANING: for processes that are left (orphans.h) */
    int signal_later;             /* asked for before its shepherd was watched; 0: none */
    struct task_sample sample;
    struct task_checkpoint checkpoint;
    struct summed_limits limits;
    struct core_set cores;    /* that it is bound to, until it has ended */
    uint64_t kill_us;         /* when it was signalled to end, until that has been logged; 0: not */
    struct JR_Type report;    /* ENDED */
    bool is_killed;           /* it was signalled to end: it gets no petasks any more */
    bool is_stopped;          /* with its petasks, and so are those that come */
    bool is_acknowledged;     /* ENDED: but ends of its petasks are not yet */
    bool is_due, is_starting; /* in the queues of the execd */
    TAILQ_ENTRY(exec_task) next_due, next_starting;
    RB_ENTRY(exec_task) in_table;
};

struct exec_task *task_find(struct execd *x, const struct task_key *key);
/* task_first, task_next - all of them, ordered by their keys: a task before its petasks. NULL
 * behind the last */
struct exec_task *task_first(const struct execd *x);
struct exec_task *task_next(const struct exec_task *t);
/* task_queue - the queue instance in which T runs, or in which a slave or a petask has its first
 * slots on this host; borrowed, "" if there is none. O(entries of its allocation) */
const char *task_queue(const struct exec_task *t);
/* task_of_petask - that of the task itself; NULL: T is not a petask, or its task is not here
 * petask_first, petask_next - the petasks of T; NULL behind the last
 * petasks_count - how many of them there are, those whose end has still to be acknowledged too if
 * WITH_ENDED. O(petasks) */
struct exec_task *task_of_petask(const struct exec_task *t);
struct exec_task *petask_first(const struct exec_task *t);
struct exec_task *petask_next(const struct exec_task *petask);
uint32_t petasks_count(const struct exec_task *t, bool with_ended);
/* task_first_of - the first entry that has the job and task numbers of KEY, or is behind it */
struct exec_task *task_first_of(const struct execd *x, const struct task_key *key);
/* task_new - an entry in the table, PREPARING; there must be none of that key */
struct exec_task *task_new(struct execd *x, const struct task_key *key, uint32_t attempt);
void task_delete(struct exec_task *t); /* out of the table; files stay */
void tasks_free(struct execd *x);      /* all of them; their processes run on */

/* task_drop_next - the attempt that waits for this one's end is not wanted any more */
void task_drop_next(struct exec_task *t);
/* task_return_place - what it has of the host for a start goes back but for its directories: it
 * was never started */
void task_return_place(struct exec_task *t);
/* task_hold_cores, task_return_cores - T begins to use its cores; it has ended, and has none any
 * more. The load value m_topology_inuse follows within a second */
void task_hold_cores(struct exec_task *t);
void task_return_cores(struct exec_task *t);
/* tasks_mark_gids - the pool of group ids is new: those that tasks have are in use */
void tasks_mark_gids(struct execd *x);

/* Tasks that wait for their turn to be started, and when the next turn is. While the host is
 * short of something the first one is tried for all, at intervals that grow (start_pause_us). */
void start_queue_add(struct exec_task *t);
/* start_queue_next - T has ended: let the attempt that waits for that begin, in another turn of
 * the loop */
void start_queue_next(struct exec_task *t);
/* start_queue_pause - the host was short of something for T: it waits, and all with it, longer
 * each time */
void start_queue_pause(struct exec_task *t);
/* start_queue_retry - something has come back to the host: see at once whether what waits for it
 * can be started now */
void start_queue_retry(struct execd *x);

/* start_queue_take - out of the queue, the first of it; NULL: it is empty */
struct exec_task *start_queue_take(struct execd *x);
/* start_queue_go_on - a turn is over: set the time of the next, if anybody waits */
void start_queue_go_on(struct execd *x);

/* Jobs for which no message to forget them will come. The qmaster remembers for each connection
 * which jobs it has sent and says EXEC_FORGET_JOB for those alone; what came over an earlier
 * connection, or to an earlier execd, goes here. */

/* stale_jobs_begin - a new connection: jobs without tasks go, the others with their last task */
void stale_jobs_begin(struct execd *x);
/* stale_jobs_task_gone - a task of JOB_NUMBER has left the table */
void stale_jobs_task_gone(struct execd *x, uint32_t job_number);
/* stale_jobs_recover - remove the scripts of jobs that have no task in the table: after a
 * restart */
void stale_jobs_recover(struct execd *x);
/* job_forget - cache entry and script of a job go */
void job_forget(struct execd *x, uint32_t job_number);

#endif
