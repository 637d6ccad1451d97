#ifndef SCHED_RUN_JOBS_H
#define SCHED_RUN_JOBS_H

#include "libs/sched/run/stay.h"

/* Jobs and their tasks: what may start, what was ordered, what runs. */

/* job_find - the job of that number, NULL if it is unknown */
struct sched_job *job_find(const struct sched_jobs *jobs, uint32_t number);
/* job_new - begin to know a job; job_update must follow
 * job_update - JOB has what RECORD sets, and READY may start as well */
struct sched_job *job_new(struct sched_jobs *jobs, const struct JB_Type *record);
void job_update(struct sched_jobs *jobs, struct sched_job *job, const struct JB_Type *record,
                const struct range_set *ready);
/* job_forget - JOB was deleted: nothing of it starts any more. It goes when its last task has
 * ended, which may be now. */
void job_forget(struct sched_jobs *jobs, struct sched_job *job);
/* job_ready - IDS may start, but for those that run; orders for them are void
 * job_unready - IDS may not start; orders for them are void */
void job_ready(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids);
void job_unready(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids);
/* job_started - IDS run since AT_S with the allocation GRANTED each; those that ran already do not
 * count twice
 * job_ended - those of IDS that ran so have ended; a deleted job may be gone afterwards */
void job_started(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids,
                 const struct JG_Type_list *granted, uint64_t at_s);
void job_ended(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids,
               const struct JG_Type_list *granted);
/* job_book - TASKS, which may start, are ordered, each with GRANT
 * job_refused - orders for IDS are void; they start again only when job_ready says so */
void job_book(struct sched_jobs *jobs, struct sched_job *job, const struct grant *grant,
              struct range tasks);
void job_refused(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids);
/* job_rank_to - the policy ranks JOB beside its job group; 0: no longer. As job_set_rank. O(log)
 * jobs_unrank - no job has a rank of its own any more. O(jobs that had x log) */
bool job_rank_to(struct sched_jobs *jobs, struct sched_job *job, int64_t rank);
void jobs_unrank(struct sched_jobs *jobs);
/* job_cap - at most MOST tasks of JOB may be ordered or run, whatever -tc says; job_uncap - -tc is
 * TC again, 0: any number. O(log) */
void job_cap(struct sched_jobs *jobs, struct sched_job *job, uint32_t most);
void job_uncap(struct sched_jobs *jobs, struct sched_job *job, uint32_t tc);
/* jobs_wake - jobs whose -a time has come by jobs->cell->now_s may start. O(those jobs x log)
 * jobs_next_due - the next -a time, 0 if no job waits for one */
void jobs_wake(struct sched_jobs *jobs);
uint64_t jobs_next_due(const struct sched_jobs *jobs);
/* jobs_look_at - JOB is what is looked at from now on; 0: none is */
void jobs_look_at(struct sched_jobs *jobs, uint32_t job);
/* job_decided - JOB, an immediate one, has started or goes: no run decides about it any more */
void job_decided(struct sched_job *job);
/* jobs_set_urgencies - requests have the urgencies that the cell says now. O(jobs x log) */
void jobs_set_urgencies(struct sched_jobs *jobs);
/* jobs_free - forget all jobs, with the tasks that run */
void jobs_free(struct sched_jobs *jobs);

#endif
