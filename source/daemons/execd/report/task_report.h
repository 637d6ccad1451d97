#ifndef EXECD_REPORT_TASK_REPORT_H
#define EXECD_REPORT_TASK_REPORT_H

#include "libs/sgeobj/rows.h"

/* What a report says of a task. */
struct exec_task;

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
