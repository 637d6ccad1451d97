#ifndef EXECD_REPORT_REPORT_H
#define EXECD_REPORT_REPORT_H

#include "libs/sgeobj/rows.h"

/* What goes to the qmaster. Reports are gathered during a turn of the loop and go out in one
 * message at its end. */
struct execd;
struct exec_task;
struct task_key;

/* report_register - who we are and every task we know: the first message of a connection */
void report_register(struct execd *x);
/* report_soon - the task's state goes out at the end of this turn of the loop */
void report_soon(struct exec_task *t);
void report_flush(struct execd *x); /* what flush_timer does: send what is due */
/* report_unknown - at once: this start of a task is not known here */
void report_unknown(struct execd *x, const struct task_key *key, uint32_t attempt);
/* report_load_news - load values that changed, if any
 * report_load - the same, and if none did a sign of life */
void report_load_news(struct execd *x);
void report_load(struct execd *x);

/* report_leaving - this execd takes no more tasks, and ends soon */
void report_leaving(struct execd *x);

/* report_one - one report, at once; REPORT is taken, and empty afterwards */
void report_one(struct execd *x, struct JR_Type *report);

/* What a report says of a task. */

/* task_fill_report - its state as of now */
void task_fill_report(const struct exec_task *t, struct JR_Type *report);
/* task_fill_waiting - the state of the attempt that waits for an older one's end: who forced it
 * has received the last report of the older */
void task_fill_waiting(const struct exec_task *t, struct JR_Type *report);
/* task_fill_key - which task, attempt and queue instance */
void task_fill_key(const struct exec_task *t, struct JR_Type *report);
/* task_fill_sample - what it used, as far as anybody has looked; figures that are there and
 * larger stay */
void task_fill_sample(const struct exec_task *t, struct JR_Type *report);
/* task_fill_least - REPORT of an end: what the kernel has counted of processes that have ended is
 * the least that the task has used, even if they were not sampled while they ran. A task at
 * which was never sampled had its largest resident memory for as long as it ran. Pure. */
void task_fill_least(struct JR_Type *report);

#endif
