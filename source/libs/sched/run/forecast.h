#ifndef SCHED_RUN_FORECAST_H
#define SCHED_RUN_FORECAST_H

#include "libs/sched/run/stay.h"

/* When a task could start at the earliest, if all that is ordered and runs ends as foreseen: at its
 * start plus h_rt, that of the job, else the limit of the queue instance, else default_duration of
 * sched_conf(5), or never. What is late ends in the next second. */

/* forecast_job - when a task of JOB could start, if nothing else started before
 *
 *   most   looks that may be used, 0: any number
 *   at_s   the time, that of the cell if one could start now; TIME_FOREVER: none is foreseen. For a
 *          parallel task whose owner has limits it may be later than the first
 *
 * False: more looks are needed. Asked again, it continues, unless an event has come, a task was
 * placed or another job was asked for. The first question after an event or in another second costs
 * two looks for each end, and a sort; each O(log ends) looks for a place, of which MOST ends none
 * in the middle. Nothing is booked: a run decides as it would without the question. */
bool forecast_job(struct sched_jobs *jobs, struct sched_job *job, uint64_t most, uint64_t *at_s);
/* ---- for rounds of reservations (reserve.h) ---- */
/* forecast_make - the ends of all that is ordered and runs are noted, as of now: two looks for each
 * end, and a sort
 * forecast_is_made - they still are, and what was noted since is as well
 * forecast_note_order - N tasks of JOB, which have just been placed with GRANT, end as foreseen
 * forecast_run_of - how long a task of JOB, a parallel one, is there at most, wherever it goes
 * forecast_times - the N times at which something ends, ascending, each once; valid until the next
 * call of forecast_add_time, which adds one */
void forecast_make(struct sched_jobs *jobs);
bool forecast_is_made(const struct sched_jobs *jobs);
void forecast_note_order(struct sched_jobs *jobs, const struct sched_job *job,
                         const struct grant *grant, uint64_t n);
uint64_t forecast_run_of(const struct sched_jobs *jobs, const struct sched_job *job);
const uint64_t *forecast_times(const struct sched_jobs *jobs, uint32_t *n);
void forecast_add_time(struct sched_jobs *jobs, uint64_t at_s);
void forecast_free(struct sched_jobs *jobs);

#endif
