#ifndef QMASTER_SCHED_PRIORS_H
#define QMASTER_SCHED_PRIORS_H

#include "daemons/qmaster/tables/jobs.h"
#include "libs/sched/policy/prior.h"

/* What priorities of jobs follow from (libs/sched/policy/prior.h), for those who ask for it. */

/* priors_wanted - the fields of PF_Type that NAMES has, as bits; 0: none. O(names) */
uint64_t priors_wanted(const struct ST_Type_list *names);
/* job_is_active - does it run, could it run now, or wait tasks of it again after a start? */
bool job_is_active(const struct job *job, uint64_t now_s);
/* job_prior - `prior` of JOB, which is active, by terms T of B. O(1)
 * job_figures - the FIELDS of its figures; none if it is not active. O(1) */
double job_prior(const struct prior_book *b, const struct PT_Type *t, const struct job *job);
struct PF_Type job_figures(const struct prior_book *b, const struct PT_Type *t,
                           const struct job *job, uint64_t now_s, uint64_t fields);
/* job_figures_equal - do ONE and OTHER, both active, have the same figures, as is clear without
 * evaluating them? Many jobs are submitted in the same second. O(1) */
bool job_figures_equal(const struct prior_book *b, const struct job *one, const struct job *other);

#endif
