#ifndef QMASTER_TABLES_JOBS_H
#define QMASTER_TABLES_JOBS_H

#include "common/basis.h"
#include "daemons/qmaster/tables/tight.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/hash.h"
#include "libs/uti/number_map.h"
#include "libs/uti/slab.h"
#include "libs/uti/tree.h"

/* How many jobs name an object of the administrator: a project, a parallel environment, a
 * checkpointing environment, a resource. Counted, so that no search through the jobs is needed. */
struct job_name;
struct job_names {
    struct job_name *of_kind[OBJECT_KINDS]; /* by name */
};

/* job_names_add - REC names what it names from now on; job_names_remove - no longer: call it
 * before what it names changes. O(names in REC) */
void job_names_add(struct job_names *names, const struct JB_Type *rec);
void job_names_remove(struct job_names *names, const struct JB_Type *rec);
/* job_names_count - how many times jobs name the object NAME of KIND. O(1)
 * job_names_count_if - the same of all names and patterns that IS_ONE takes. O(names in use) */
uint64_t job_names_count(const struct job_names *names, enum object_kind kind, const char *name);
typedef bool job_name_fn(void *ctx, const char *name);
uint64_t job_names_count_if(const struct job_names *names, enum object_kind kind,
                            job_name_fn *is_one, void *ctx);

/* All jobs and the tasks that are more than a number, with the indexes that make looking them up
 * cheap. State only: no I/O, no messages; the core's alone. */
struct host;
struct job_files;
struct owner;
struct hold_renewal;
struct sent_job;
struct end_walk;

struct share { /* bytes that jobs take (shares.h) */
    uint64_t memory, spool;
};

struct task { /* a task that runs, waits for another start, or is in error */
    struct JAT_Type rec;
    uint32_t ordinal;
    bool is_reported;  /* while its host registers (exec_reports.c): the host knows it */
    bool is_preempted; /* on its host tasks of other queues have its slots (reports/slotwise.c) */
    bool is_wide;      /* it holds slots of an environment, or something of the cell (ars.h) */
    struct job *job;
    RB_ENTRY(task) in_job;
    struct host *host;         /* where it holds slots; NULL = it holds none */
    TAILQ_ENTRY(task) in_host; /* of that host's tasks */
    TAILQ_ENTRY(task) in_wide; /* if it is wide */
    struct slave_host *slaves; /* owned; n_slaves of them */
    uint32_t n_slaves;
    struct tight *tight;        /* owned; of a task with petasks (tight.h), else NULL */
    struct quota_taken *quotas; /* owned; what it counts in (jobs/quotas.h); NULL: in none */
    struct usage_part *usage; /* owned; what it counts for while it runs (usage.h); NULL: nothing */
    struct delay_tree *delayed_in; /* NULL = it may start at any time */
    RB_ENTRY(task) in_delayed;
};
RB_HEAD(delay_tree, task);
RB_HEAD(task_tree, task);
TAILQ_HEAD(task_list, task);

struct gone_links { /* entries of a job's lists whose jobs have gone (depend.c) */
    uint32_t jid_predecessors, jid_successors, ad_predecessors, ad_successors;
};

struct job_rare {           /* what few jobs have anything of, least of all those that wait */
    struct task_tree tasks; /* by ordinal */
    uint32_t n_records;     /* of them */
    uint32_t n_running;     /* tasks that hold slots: what -tc counts */
    struct gone_links gone;
    LIST_HEAD(, sent_job) sent_to; /* hosts that have it; see hosts.h */
    /* its array holds are being worked out (array_holds.c); NULL: they are right */
    struct hold_renewal *renewal;
    /* its successors are hearing what has ended (depend.c), or NULL */
    struct end_walk *end_walk;
    struct range_set waiting; /* ordinals put back: may start again (TASK_WAITING) */
    struct range_set delayed; /* those of them whose time (JAT_not_before) has not come */
    /* ordinals that a delete has begun to end: they do not start meanwhile; not spooled */
    struct range_set withdrawn;
    /* ordinals of tasks that ended with a failure, and of tasks whose result is unknown, because an
     * older release recorded only that they ended */
    struct range_set failed, unknown;
    size_t ends_bytes; /* of the share of the job, for these two */
    /* the scheduler hung at it: no task starts until the job is changed; not spooled */
    bool is_set_aside;
    uint8_t n_joining; /* lists of predecessors that do not know of it yet (depend.c) */
};
struct job {
    struct JB_Type rec;
    const struct job_rare *rare; /* never NULL; for changes: job_rare */
    uint64_t serial; /* how many jobs had been added before it: numbers are used again */
    struct range_set unfinished; /* ordinals not ended: pending, running, waiting or in error */
    uint64_t changed;   /* number of the batch that last touched it: a read of it waits for that */
    struct share share; /* counted for its owner and in all while it is in the table */
    struct job_files *files; /* environment and script, while in memory (file_cache.h), or NULL */
    bool is_start_awaited;   /* a client waits for its task to start */
    bool is_fetching;        /* they are on their way: what is there of them is not whole */
    /* of its packed record when it was staged last; at least, when it has changed since */
    uint32_t bytes;
    struct named_jobs *named;  /* the jobs of its owner and name */
    TAILQ_ENTRY(job) in_named; /* and when it has left the table, of `finished` */
};
TAILQ_HEAD(job_list, job);

struct named_jobs { /* jobs of one owner with one name, by submission */
    char *name;
    struct owner *owner;
    struct job_list jobs;
    uint32_t n; /* of them */
    UT_hash_handle hh;
};
struct owner {
    char *name;
    uint32_t n_jobs, n_claims;
    uint64_t n_running; /* tasks of its jobs that hold slots: what maxujobs counts */
    uint64_t
        last_until_s; /* its jobs come last for what they cost the scheduler, as far as is known */
    struct share share; /* of its jobs and claims */
    struct named_jobs *names;
    struct range_set numbers; /* of its jobs */
    UT_hash_handle hh;
};

/* Notified of a job that is about to leave the list of its name: walks (walk.h). */
struct jobs_watcher {
    void (*on_leaving)(struct jobs_watcher *w, const struct job *job);
    LIST_ENTRY(jobs_watcher) in_jobs;
};

struct jobs {
    struct slab slab;      /* what jobs are made of */
    struct number_map all; /* by number */
    uint32_t n;
    struct share share;       /* of all of them */
    uint64_t n_added;         /* ever, since the start */
    struct range_set running; /* numbers of those with tasks that hold slots */
    struct owner *owners;
    struct job_names names; /* of objects, in the jobs of the table */
    LIST_HEAD(, jobs_watcher) watchers;
    /* put back tasks that wait for their time; the first to come first */
    struct delay_tree delayed;
    struct tight_tasks tight;
    /* the next id, and how often ids have begun again from 1: the two together are used once */
    uint32_t next_number, round;
    /* number of the batch that last removed a job: a read that missed one waits for it */
    uint64_t removed;
    struct cull_pool *pool;   /* strings with few values */
    struct job_list finished; /* the last few that ended, for qstat -s z; newest last */
    uint32_t n_finished;
};

/* jobs_init - no jobs; end with jobs_clear, which frees all of them */
void jobs_init(struct jobs *jobs);
void jobs_clear(struct jobs *jobs);

/* job_set_defaults - of the fields that every job has, those that REC lacks: one task, priority
 * 0 */
void job_set_defaults(struct JB_Type *rec);
/* job_new - a job of REC, which is moved in, for the table JOBS; all its tasks are unfinished and
 * pending; new: job_free */
struct job *job_new(struct jobs *jobs, struct JB_Type *rec);
/* job_rare - JOB's own, which is made if all of it was empty; valid while JOB is */
struct job_rare *job_rare(struct job *job);
/* job_has_rare - was it ever made? */
bool job_has_rare(const struct job *job);
/* job_free - a job that was made for the table and is not in it */
void job_free(struct jobs *jobs, struct job *job);
/* jobs_add - JOB, taken, is in the table, under a number that no other has. O(log) */
void jobs_add(struct jobs *jobs, struct job *job);
/* jobs_remove - out of all indexes; the job is the caller's again */
void jobs_remove(struct jobs *jobs, struct job *job);
/* jobs_rename - JOB, which is in the table, is called NAME from now on */
void jobs_rename(struct jobs *jobs, struct job *job, const char *name);
/* jobs_find - the job of that number; jobs_at_or_after - or else that with the next higher one
 * jobs_next - the one after JOB; jobs_owner - what the user NAME has. NULL without one; O(log) */
struct job *jobs_find(const struct jobs *jobs, uint32_t number);
struct job *jobs_at_or_after(const struct jobs *jobs, uint32_t number);
struct job *jobs_next(const struct jobs *jobs, const struct job *job);
struct owner *jobs_owner(const struct jobs *jobs, const char *name);
/* jobs_set_share - JOB, which is in the table, takes as much as SHARE says, and what its sets of
 * how tasks ended take */
void jobs_set_share(struct jobs *jobs, struct job *job, struct share share);
/* jobs_charge_ends - the share of JOB, which is in the table, has what the sets of how its tasks
 * ended take now */
void jobs_charge_ends(struct jobs *jobs, struct job *job);

/* jobs_count_running - BY tasks more, or less, of JOB hold slots */
void jobs_count_running(struct jobs *jobs, struct job *job, int by);

/* jobs_claim, jobs_unclaim - BYTES of memory count, or no longer, for OWNER and in all, for a job
 * that is still being made */
void jobs_claim(struct jobs *jobs, const char *owner, uint64_t bytes);
void jobs_unclaim(struct jobs *jobs, const char *owner, uint64_t bytes);

/* task_holds_slots - was it ordered to start, and has not ended? */
bool task_holds_slots(const struct task *t);
/* task_has_ended - has its own end been reported, while its slaves are still to end? */
bool task_has_ended(const struct task *t);
/* task_queue, task_host - where it runs, or ran last: those of the first entry of its allocation */
const char *task_queue(const struct task *t);
const char *task_host(const struct task *t);
/* task_has_slots_in - of QUEUE, a queue instance. O(entries of its allocation) */
bool task_has_slots_in(const struct task *t, const char *queue);
/* job_task - the record of task ORDINAL; job_task_first - the first record from that ordinal on
 * job_task_next - the record after T. NULL without one; O(log) */
struct task *job_task(struct job *job, uint32_t ordinal);
struct task *job_task_first(struct job *job, uint32_t from_ordinal);
struct task *job_task_next(struct task *t);
/* job_task_add - a record for ORDINAL, which leaves JB_ja_pending_ids */
struct task *job_task_add(struct job *job, uint32_t ordinal);
/* job_task_remove - the record goes; UNFINISHED and WAITING are the caller's to change */
void job_task_remove(struct job *job, struct task *t);
/* jobs_delay - a task that was put back does not start before its JAT_not_before */
void jobs_delay(struct jobs *jobs, struct task *t);
/* jobs_end_delay - the first task whose time has come, which waits for it no longer; NULL if none
 * has. O(log) */
struct task *jobs_end_delay(struct jobs *jobs, uint64_t now_s);
/* job_startable - of ORDINALS those that may start now: pending or put back, no hold, no -hold_jid
 * left, and the job is not set aside. OUT is replaced */
void job_startable(struct job *job, const struct range_set *ordinals, struct range_set *out);
/* job_is_startable - the same of one task */
bool job_is_startable(struct job *job, uint32_t ordinal);

/* job_record_bytes - what its records have in the spool, of a long script one piece (job_files.h):
 * what comes into a batch with it */
size_t job_record_bytes(const struct job *job);
/* All of a job but its script goes into one batch whenever the job is altered; a script of more
 * than SCRIPT_PIECE_BYTES comes in pieces. */
enum { JOB_RECORD_MOST = 4 * 1024 * 1024, SCRIPT_PIECE_BYTES = 128 * 1024 };

/* Memory of jobs that have gone goes back to the system while they go. What the C library has free
 * between blocks in use it keeps, and it gives all of that back in one step, which takes 0.1 s for
 * 100 MB. So that step is made after each TRIM_BYTES of them. */
enum { TRIM_BYTES = 4 * 1024 * 1024 };
/* all zero: no job has been there yet */
struct heap_trim {
    uint64_t bytes_most; /* that jobs had at the last trim, or more that they have had since */
};
/* heap_trim_look - all jobs have BYTES now: trim if that is TRIM_BYTES less than they had. Jobs
 * that come and go while as many others stay cost nothing. A trim takes a few ms. Returns whether
 * it trimmed. */
bool heap_trim_look(struct heap_trim *t, uint64_t bytes);

#endif
