#ifndef SHEPHERD_RUN_H
#define SHEPHERD_RUN_H

#include "common/basis.h"

/* One task, from the files execd wrote to the files execd reads. The working directory is the
 * task's. */

struct shepherd;
/* shepherd_run - do all of it
 *
 *   s           all zero, or as shepherd_clear leaves it; the caller's to clear. Every signal is
 *               blocked, orphans are ours (os.h)
 *   has_pid_fd  execd gave us the task: TASK_PID_FD is the locked file "pid"
 *
 * Returns an enum task_failure, which is also in the files. */
unsigned shepherd_run(struct shepherd *s, bool has_pid_fd);

/* A shepherd that has seen to a task waits for another of the same user: to start a process costs
 * more than most of what a shepherd does for a short task. The execd has given it a line for that
 * (libs/task/task_line.h). */
/* next_task_wait - let go of the task and take another; S is cleared, as for a new process
 * Its directory is then the working directory, its locked file "pid" TASK_PID_FD. Returns false
 * when this process has to end: there is no line, the execd has no task or has gone, or a signal
 * came that no task was there for. */
bool next_task_wait(struct shepherd *s);

#endif
