#ifndef SCHED_RUN_DISPATCH_H
#define SCHED_RUN_DISPATCH_H

#include "libs/sched/run/jobs.h"

/* Where tasks go, and the orders for them. */

/* dispatch_job - order consecutive tasks of JOB, which has one to start, in its best queue
 * instance; of a parallel one a single task, in all the instances that it gets
 *   most  at most so many, > 0; fewer if another queue instance is better for the rest
 * Books them. Returns how many, 0 if there is no room: then the need is blocked. */
uint32_t dispatch_job(struct sched_jobs *jobs, struct sched_job *job, uint32_t most,
                      struct OR_Type_list *orders);
/* dispatch_job_in - the same for a job that is not parallel, in queue instance Q alone */
uint32_t dispatch_job_in(struct sched_jobs *jobs, struct sched_job *job,
                         const struct sched_queue *q, uint32_t most, struct OR_Type_list *orders);

#endif
