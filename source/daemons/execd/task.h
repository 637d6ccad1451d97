#ifndef EXECD_TASK_H
#define EXECD_TASK_H

#include "daemons/execd/execd.h"

/* Tasks that this host was ordered to start, from the order until the qmaster has their end in its spool. There is one entry for a
 * task: a newer attempt that was ordered (qmod -f -rj) while an older one lives waits in `next` for the end of that.
 *
 *   PREPARING  waits for its turn, or for its owner's entry  -> RUNNING, ENDED (could not be started, or was deleted)
 *   RUNNING    its shepherd runs                   -> ENDED, or CLEANING if the shepherd left no last word
 *   CLEANING   what a dead shepherd left is ended  -> ENDED
 *   ENDED      `report` is final; directory and report stay until EXEC_END_ACK */
enum task_phase { TASK_PREPARING = 1, TASK_IS_RUNNING, TASK_CLEANING, TASK_ENDED };

struct task_key {
    uint32_t job_number, task_number;
};
struct task_sample { /* what a running task used, as seen from outside */
    double cpu_s, mem_gb_s;
    uint64_t io_bytes, vmem_bytes, vmem_max_bytes;
    uint64_t at_us;   /* monotonic, of the last look; 0 = none */
    uint64_t next_us; /* when to look again */
};
struct task {
    struct task_key key;
    enum task_phase phase;
    uint32_t attempt;
    struct execd *x;
    char *name;             /* directory below active_jobs: "12.3" */
    struct JAT_Type record; /* as ordered; a task found again has only what its files tell */
    struct JAT_Type
        *next; /* owned: a newer attempt, which begins when this one has ended; NULL: none */
    char *tmpdir;
    gid_t additional_gid;
    char *cgroup; /* owned: where its shepherd has made one; NULL: nowhere */
    uint64_t start_s, start_us;
    pid_t shepherd;
    int pidfd; /* -1: none */
    struct loop_watch *watch;
    struct loop_timer *timer; /* CLEANING; RUNNING while its shepherd is not watched yet */
    unsigned cleanings, looks;
    int signal_later; /* asked for before its shepherd was watched; 0: none */
    struct task_sample sample;
    uint64_t kill_us; /* when it was told to end, until that has been said in the log; 0: not */
    struct JR_Type report;    /* ENDED */
    bool is_due, is_starting; /* in the queues of the execd */
    TAILQ_ENTRY(task) next_due, next_starting;
    UT_hash_handle hh;
};

struct task *task_find(struct execd *x, uint32_t job_number, uint32_t task_number);
/* task_new - an entry in the table in phase PREPARING; there must be none of that key */
struct task *task_new(struct execd *x, uint32_t job_number, uint32_t task_number, uint32_t attempt);
void task_delete(struct task *t); /* out of the table; files stay */
/* tasks_mark_gids - the pool of group ids is new: those that tasks have are in use */
void tasks_mark_gids(struct execd *x);
void tasks_free(struct execd *x); /* all of them; their processes run on */

/* task_set_due - its state goes out at the end of this turn of the loop */
void task_set_due(struct task *t);
/* task_fill_report - its state as of now */
void task_fill_report(const struct task *t, struct JR_Type *report);

/* task_drop_next - the attempt that waits for this one's end is not wanted any more */
void task_drop_next(struct task *t);
/* task_order - an order to start: does it once for each attempt, whatever is sent how often */
void task_order(struct execd *x, const struct JAT_Type *record);
void tasks_start_some(struct execd *x); /* what start_timer does */
/* tasks_start_again - something has come back to the host: see whether a start that waits for it can be made now */
void tasks_start_again(struct execd *x);
/* task_watch - the task's shepherd is the process behind PIDFD, which is taken; -1: it cannot be watched now, and is looked for
 * again until it can be, or has gone */
void task_watch(struct task *t, pid_t pid, int pidfd);
/* task_follow - find the shepherd that the task's directory names: watch it, look again later, or see to its end */
void task_follow(struct task *t);
/* task_signal - SIG for the job of one attempt; false if it is not known */
bool task_signal(struct execd *x, uint32_t job_number, uint32_t task_number, uint32_t attempt,
                 int sig);
/* task_begin_next_soon - it has ended: let the attempt that waits for that begin, in another turn of the loop */
void task_begin_next_soon(struct task *t);
/* task_end_unstarted - it never ran: FAILED (enum task_failure) and why */
void task_end_unstarted(struct task *t, uint32_t failed, const char *why);
/* task_shepherd_gone - read its files: ENDED, or CLEANING */
void task_shepherd_gone(struct task *t);
/* task_acknowledge - its end is in the qmaster's spool: directory and entry go */
void task_acknowledge(struct task *t);
/* task_take_sample - what an execd before us had seen of it */
void task_take_sample(struct task *t, int dir_fd);
/* tasks_sample - look at what running tasks use: when they are 1, 2, 4 ... seconds old, then at least every
 * MOST_S, so that short ones cost nothing and long ones little */
void tasks_sample(struct execd *x, uint64_t most_s);

/* tasks_recover - find the tasks of an earlier execd in active_jobs */
void tasks_recover(struct execd *x);

#endif
