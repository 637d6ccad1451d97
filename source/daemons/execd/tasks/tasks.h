#ifndef EXECD_TASKS_TASKS_H
#define EXECD_TASKS_TASKS_H

#include "daemons/execd/tables/task_table.h"

/* From an order to a shepherd, and from there to the end. */
struct JAT_Type;
struct execd;

/* ---- task_start.c: orders to start tasks ---- */

/* task_order - an order to start: does it once for each attempt, whatever is sent how often */
void task_order(struct execd *x, const struct JAT_Type *record);
/* tasks_start_some - what start_timer does: the orders that wait for their turn */
void tasks_start_some(struct execd *x);

/* ---- task.c: the life of a task ---- */

/* The state changes by the table of libs/sgeobj/exec_task_state.h and in one
 * function; an event that the table refuses is logged and changes nothing. */

/* task_watch - the task has shepherd S, which is taken. One that cannot be watched now is looked
 * for again until it can be, or has gone */
void task_watch(struct exec_task *t, struct shepherd *s);
/* task_over - what its shepherd, once free or gone, has left is read: a shepherd_over_fn */
void task_over(void *task);
/* task_follow - find the shepherd that the task's directory names: watch it, look again later,
 * or see to its end */
void task_follow(struct exec_task *t);
/* task_signal - SIG for the job of one attempt; false if it is not known */
bool task_signal(struct execd *x, const struct task_key *key, uint32_t attempt, int sig);
/* task_signal_parts - SIG for all that runs of T on this host; a slave itself stays, until its task
 * ends on its host */
void task_signal_parts(struct exec_task *t, int sig);
/* task_end_unstarted - it never ran: FAILED (enum task_failure) and why */
void task_end_unstarted(struct exec_task *t, uint32_t failed, const char *why);
/* task_acknowledge - its end is in the qmaster's spool: directory and entry go, with those of its
 * last petask
 * task_drop - it has ended, and a newer attempt takes its place: it goes with all its petasks,
 * which have ended, too */
void task_acknowledge(struct exec_task *t);
void task_drop(struct exec_task *t);
/* task_announced - T, a slave, has what its petasks are made from */
void task_announced(struct exec_task *t);

/* ---- task_limits.c: limits of a task and its petasks together ---- */

/* task_limits_take - those of T, which has or will have petasks, as its file "config" says
 * task_limits_check - the signal that all of T on this host is to get if it uses more, or 0; once a
 * second
 * task_limits_ended - what PETASK has used stays used */
void task_limits_take(struct exec_task *t, const char *config);
int task_limits_check(struct exec_task *t);
void task_limits_ended(const struct exec_task *petask);

/* ---- petasks.c: what a task starts on its hosts (qrsh -inherit) ---- */

/* petask_ask, petask_may_ask - start the petask that a process of a task asks for; may it ask
 * another host? Functions of session_ops */
struct dstr;
struct session_petask;
bool petask_ask(void *execd, const struct session_petask *ask, struct dstr *out);
bool petask_may_ask(void *execd, const struct session_petask *ask, struct dstr *out);

/* ---- checkpoints.c: tasks that save their state (checkpoint(5)) ---- */

/* checkpoint_take_record, checkpoint_take_config - what is to be known of T, from its order, or
 * from its file "config" after a restart */
void checkpoint_take_record(struct exec_task *t);
void checkpoint_take_config(struct exec_task *t, const char *config);
/* checkpoint_take_request - T is to get SIG, which may be an enum task_request; returns the signal
 * that its state table knows */
int checkpoint_take_request(struct exec_task *t, int sig);
/* checkpoint_look - has T, which runs, a new checkpoint, or has its migration failed? True if that
 * has failed */
bool checkpoint_look(struct exec_task *t);
/* checkpoint_fill_end - the same in the report of its end */
void checkpoint_fill_end(struct exec_task *t);

/* ---- task_cores.c: cores that tasks are bound to ---- */

/* task_take_cores - those that the job of T, which starts, asks for, into IN and the entry; a task
 * that cannot have them runs unbound, which is logged
 * task_find_cores - those that T had, from its file "config" after a restart */
void task_take_cores(struct exec_task *t, struct task_text_input *in);
void task_find_cores(struct exec_task *t, const char *config);

/* ---- leave.c: an end that waits for tasks ---- */
/* execd_leave - this execd is to end: at once, or when the tasks have ended that migrate for that;
 * when it is asked for again, at once
 * execd_leave_with_tasks - likewise, and tasks that do not migrate are killed; it ends when the
 * ends of all have been acknowledged
 * execd_leave_if_done - end if that was waited for */
void execd_leave(struct execd *x);
void execd_leave_with_tasks(struct execd *x);
void execd_leave_if_done(struct execd *x);

/* ---- task_sample.c: what running tasks use, as seen from outside ---- */

/* tasks_sample - look at what running tasks use: when they are 1, 2, 4 ... seconds old, then at
 * least every MOST_S, so that short ones cost nothing and long ones little */
void tasks_sample(struct execd *x, uint64_t most_s);
/* task_take_sample - what an execd before us had seen of it */
void task_take_sample(struct exec_task *t, int dir_fd);

/* ---- orphans.c: what a shepherd leaves that was killed itself ---- */

/* orphans_kill - SIGKILL to every process that belongs to the task
 * They are: those in the task's cgroup, if it has one; processes that fell to this execd (it is a
 * child subreaper) and are no shepherds; those with the task's additional group, and those whose
 * environment names the task's directory, if they have no shepherd. A thread reads all of /proc.
 * Returns how many were there, those that fell to us and may be another task's only WITH_UNMARKED:
 * call again, a little later, until the result is 0. */
uint32_t orphans_kill(struct exec_task *t, bool with_unmarked);
/* orphans_forget - no more calls for T: what still looks for them ends by itself */
void orphans_forget(struct exec_task *t);
/* orphans_reap - wait for all children that have ended. Files show how a task ended; the status of
 * its shepherd, or of what fell to us, says nothing more */
void orphans_reap(void);
/* orphans_remove_cgroup - of a task that has no processes any more, and whose shepherd could not do
 * it */
void orphans_remove_cgroup(const struct exec_task *t);

#endif
