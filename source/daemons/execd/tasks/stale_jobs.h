#ifndef EXECD_TASKS_STALE_JOBS_H
#define EXECD_TASKS_STALE_JOBS_H

#include "common/basis.h"

/* Jobs for which no message to forget them will come. The qmaster remembers for each connection
 * which jobs it has sent and says
 * EXEC_FORGET_JOB for those alone; what came over an earlier connection, or to an earlier execd,
 * goes here. */
struct execd;

/* stale_jobs_begin - a new connection: jobs without tasks go, the others with their last task */
void stale_jobs_begin(struct execd *x);
/* stale_jobs_task_gone - a task of JOB_NUMBER has left the table */
void stale_jobs_task_gone(struct execd *x, uint32_t job_number);
/* stale_jobs_recover - remove the scripts of jobs that have no task in the table: after a
 * restart */
void stale_jobs_recover(struct execd *x);
/* job_forget - cache entry and script of a job go */
void job_forget(struct execd *x, uint32_t job_number);

#endif
