#ifndef SGEOBJ_PRIOR_H
#define SGEOBJ_PRIOR_H

#include "libs/sgeobj/rows.h"

/* The figure in qstat's column `prior` (JAT_prio, OR_prio); pure. It is a display of urgency, not
 * what orders the queue: that is -p, then the job number.
 *
 *   prior   = weight_priority * npprior + weight_urgency * nurg + weight_ticket * ntckts
 *   npprior = (-p + 1024) / 2048
 *   nurg    = (urg - lowest urg) / (highest urg - lowest urg) over the active jobs, 0.5 when all
 *           are equal
 *   urg     = weight_waiting_time * seconds since submission
 *   ntckts  = 0.5: no policy hands out tickets, so all jobs have equally many
 *
 * Active is a job that runs or could run now. One that waits for a hold, a predecessor or its -a
 * time has 0.00000. Reproduces the captures: 0.50000 for a sole job, and for several that were
 * submitted in the same second; 0.75000 and 0.25000 for two of different age. */
struct prior_weights {
    double ticket, urgency, priority, waiting_time;
};
#define PRIOR_WEIGHTS_DEFAULT                                                                      \
    {                                                                                              \
        0.5, 0.5, 0.0, 0.278                                                                       \
    }

struct prior_span {
    uint64_t oldest_s, newest_s;
}; /* submission times of the active jobs */
#define PRIOR_SPAN_EMPTY                                                                           \
    {                                                                                              \
        .oldest_s = UINT64_MAX                                                                     \
    }

/* prior_nurg - the share of an active job by its age, from 0 to 1. O(1) */
double prior_nurg(const struct prior_weights *w, const struct prior_span *span,
                  uint64_t submitted_s);

/* prior_of_job - `prior` of an active job
 *   priority  JB_priority: -p + 1024
 * O(1). Source: reference/qstat running, schedd-job-info, lifecycle */
double prior_of_job(const struct prior_weights *w, const struct prior_span *span,
                    uint64_t submitted_s, uint32_t priority);

#endif
