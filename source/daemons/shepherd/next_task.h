#ifndef SHEPHERD_NEXT_TASK_H
#define SHEPHERD_NEXT_TASK_H

#include "common/basis.h"

/* A shepherd that has seen to a task waits for another of the same user: to start a process costs
 * more than most of what a shepherd does for a short task. The execd has given it a line for that
 * (libs/task/task_line.h). */
struct shepherd;
/* next_task_wait - let go of the task and take another; S is cleared, as for a new process
 * Its directory is then the working directory, its locked file "pid" TASK_PID_FD. Returns false
 * when this process has to end: there is no line, the execd has no task or has gone, or a signal
 * came that no task was there for. */
bool next_task_wait(struct shepherd *s);

#endif
