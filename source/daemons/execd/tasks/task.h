#ifndef EXECD_TASKS_TASK_H
#define EXECD_TASKS_TASK_H

#include "daemons/execd/tables/task_table.h"

/* The life of a task: the state changes by the table of libs/sgeobj/exec_task_state.h and in one
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
/* task_end_unstarted - it never ran: FAILED (enum task_failure) and why */
void task_end_unstarted(struct exec_task *t, uint32_t failed, const char *why);
/* task_acknowledge - its end is in the qmaster's spool: directory and entry go */
void task_acknowledge(struct exec_task *t);

#endif
