#ifndef TASK_TASK_LINE_H
#define TASK_TASK_LINE_H

#include "common/basis.h"

/* The line between an execd and a shepherd that it has started: a pair of sockets, of which the
 * shepherd has one end as its standard input. A shepherd whose task ended normally releases
 * the file "pid", says that it is free, and may be given the next task: its directory, and the
 * locked file "pid" in it (task_dir.h). A shepherd whose line is at its end ends. */
enum { TASK_LINE_FD = 0 };

/* task_line_new - both ends, close-on-exec; OWN never blocks. Returns 0, or -1 with errno. */
int task_line_new(int *own, int *shepherds);
/* task_line_say_free - as the shepherd: free for another task. Returns 0, or -1: no listener.
 * task_line_hear_free - as the execd, when OWN can be read: has the shepherd said so? False too if
 * the line is at its end. */
int task_line_say_free(int shepherds);
bool task_line_hear_free(int own);
/* task_line_give - as the execd: the next task; both descriptors stay the caller's. Returns 0, or
 * -1 with errno (EPIPE: the shepherd has gone).
 * task_line_take - as the shepherd, when its end can be read. Both are the caller's, close-on-exec.
 * Returns 0, or -1: the line is at its end, or what came is no task. */
int task_line_give(int own, int dir_fd, int pid_fd);
int task_line_take(int shepherds, int *dir_fd, int *pid_fd);

#endif
