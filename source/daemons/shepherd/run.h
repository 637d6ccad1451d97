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

#endif
