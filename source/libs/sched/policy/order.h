#ifndef SCHED_POLICY_ORDER_H
#define SCHED_POLICY_ORDER_H

#include "libs/sched/policy/prior.h"

/* The order of jobs by their priorities, as prior.h defines them: of the default, and of policies
 * without ranks of their own. */
struct job_group;
struct sched;
struct sched_job;
/* prior_job_of - what figures of JOB, which is of GROUP, follow from */
struct prior_job prior_job_of(const struct job_group *group, const struct sched_job *job);
/* terms_renew - what priorities follow from, as the model is now. O(log) */
void terms_renew(struct sched *s);

/* order_settle - at the beginning of a run: ranks follow from what priorities follow from now,
 * which is looked at once a second. O(1) while jobs differ in age alone and have no tickets; else a
 * slice of the job groups. While order.is_due the next run is to continue, and nothing is placed
 * before. */
void order_settle(struct sched *s);
/* order_end - another policy takes over */
void order_end(struct sched *s);

#endif
