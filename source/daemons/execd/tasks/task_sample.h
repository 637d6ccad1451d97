#ifndef EXECD_TASKS_TASK_SAMPLE_H
#define EXECD_TASKS_TASK_SAMPLE_H

#include "common/basis.h"

/* What running tasks use, as seen from outside. */
struct execd;
struct exec_task;

/* tasks_sample - look at what running tasks use: when they are 1, 2, 4 ... seconds old, then at
 * least every MOST_S, so that short ones cost nothing and long ones little */
void tasks_sample(struct execd *x, uint64_t most_s);
/* task_take_sample - what an execd before us had seen of it */
void task_take_sample(struct exec_task *t, int dir_fd);

#endif
