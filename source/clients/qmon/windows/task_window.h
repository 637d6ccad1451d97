#ifndef CLIENTS_QMON_WINDOWS_TASK_WINDOW_H
#define CLIENTS_QMON_WINDOWS_TASK_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* Task: what one task does, its accounting record, and the end of what it wrote. */

/* task_window_open - of the task ORDINAL of JOB; made when it is opened first
 * task_window_refresh - show it anew if the task does something else now; NULL is fine */
void task_window_open(struct qmon *q, uint32_t job, uint32_t ordinal);
void task_window_refresh(struct task_window *w);
void task_window_free(struct task_window *w);

#endif
