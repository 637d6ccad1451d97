#ifndef SCHED_JOB_BYTES_H
#define SCHED_JOB_BYTES_H

#include "libs/sgeobj/rows.h"

/* How much memory a scheduler takes for a job: for the qmaster, which has no scheduler in it. */

/* sched_job_bytes - about how much memory a scheduler that has N_QUEUES queue instances takes for
 * JOB, whose requests it shares with no other job: at least what it takes, and not three times as
 * much (test/job_bytes.c). What the places of an owner in ordinary sets take (supply/queue_set.h),
 * and what tasks that run take, is not in it.
 * sched_field_bytes - the part that is for FIELD of it; 0 of one that decides nothing */
size_t sched_job_bytes(const struct JB_Type *job, uint32_t n_queues);
size_t sched_field_bytes(const struct JB_Type *job, unsigned field, uint32_t n_queues);

#endif
