#ifndef SCHED_POLICY_SERVICES_H
#define SCHED_POLICY_SERVICES_H

#include "libs/sgeobj/rows.h"

/* What schedulers are made of (seed 004, layer 3). */
struct sched;

/* sched_default_run - what the default does in a run */
uint32_t sched_default_run(struct sched *s, uint64_t now_s, uint32_t most,
                           struct OR_Type_list *orders);

/* sched_begin_run - a run that does not call the default's begins with this: jobs whose time (-a)
 * has come may start */
void sched_begin_run(struct sched *s, uint64_t now_s);

/* sched_place - order tasks of a job, in the best queue instance that has room for them
 *
 *   most    at most this many, > 0
 *   placed  which ones, if any
 *
 * Books them in the default's model. Returns how many, consecutive ones in one queue instance; 0 if
 * there is no room, or nothing of the job may start now. O(log) */
uint32_t sched_place(struct sched *s, uint32_t job_number, uint32_t most,
                     struct OR_Type_list *orders, struct range *placed);

/* sched_earliest_start - when a task of a job could start at the earliest, if what is ordered and
 * runs ends as foreseen and nothing else starts (run/forecast.h)
 *
 *   most   looks that it may take, a slice; 0: any number
 *   at_s   that time, the run's if one could start now; TIME_FOREVER: none is foreseen
 *
 * Returns false if the slice was too short: ask again, before or after other events. A policy that
 * asks is charged: the looks count in its run. Without a question a run costs what it did. */
bool sched_earliest_start(struct sched *s, uint32_t job_number, uint64_t most, uint64_t *at_s);

/* sched_each_job - call FN for each job: its number, its -a time and the tasks that may start. FN
 * must not change the scheduler. */
typedef void (*sched_job_fn)(void *ctx, uint32_t number, uint64_t start_at_s,
                             const struct range_set *ready);
void sched_each_job(const struct sched *s, sched_job_fn fn, void *ctx);

/* sched_object - the object of KIND (enum object_kind) called NAME, as administrators have it; NULL
 * if it is not there. Borrowed until the next event. Of kinds that the policy needs. O(1)
 * sched_suspension - why a task of a job is suspended: TASK_SUSPENSIONS bits; 0: it is not. If the
 * policy needs suspensions */
const struct TX_Type *sched_object(const struct sched *s, uint32_t kind, const char *name);
uint32_t sched_suspension(const struct sched *s, uint32_t job_number, uint32_t ordinal);

/* What was used, for the share tree, decayed until the current run; if the policy needs that.
 * sched_usage - of NAME ("cpu", a resource) by USER in PROJECT, or without one: NULL, ""; 0 if
 * nothing was. O(names)
 * sched_each_usage - FN for each pair of a user and a project ("": none) that used something; FN
 * must not change the scheduler. O(pairs) */
double sched_usage(const struct sched *s, const char *user, const char *project, const char *name);
typedef void (*sched_usage_fn)(void *ctx, const char *user, const char *project);
void sched_each_usage(const struct sched *s, sched_usage_fn fn, void *ctx);

/* sched_rank_job - JOB has a rank beside that of its job group: the sum counts. 0: it has none, the
 * default. Void when another policy takes over. Returns false if the job is unknown, or RANKS_MOST
 * jobs (pending/job_group.h) have one: then it goes with its job group. O(log) */
bool sched_rank_job(struct sched *s, uint32_t job_number, int64_t rank);

/* sched_grant - as prior_grant (prior.h): a job, or the jobs of an owner in a project, have
 * tickets or urgency beside what all have. Void when another policy takes over. */
struct answer;
int sched_grant(struct sched *s, const struct PG_Type *grant, struct answer *ans);

/* orders_set_prior - the tasks of ORDERS have their priorities. O(orders) */
void orders_set_prior(struct sched *s, struct OR_Type_list *orders);

/* order_refused - ORDER is void: its job and the policy follow */
void order_refused(struct sched *s, const struct OR_Type *order);

#endif
