/* The figure that qstat shows as `prior`; the header says how it comes about. Pure arithmetic. */
#include "libs/sgeobj/prior.h"

#include "libs/sgeobj/job_state.h"

/* ntckts and nurg of jobs that do not differ */
static const double all_equal = 0.5;

double prior_nurg(const struct prior_weights *w, const struct prior_span *span,
                  uint64_t submitted_s)
{
    if (w->waiting_time <= 0 || span->newest_s <= span->oldest_s)
        return all_equal;
    if (submitted_s <= span->oldest_s)
        return 1.0;
    if (submitted_s >= span->newest_s)
        return 0.0;
    return (double)(span->newest_s - submitted_s) / (double)(span->newest_s - span->oldest_s);
}

double prior_of_job(const struct prior_weights *w, const struct prior_span *span,
                    uint64_t submitted_s, uint32_t priority)
{
    double npprior = (double)priority / (2.0 * JOB_PRIORITY_BASE);

    return w->priority * npprior + w->urgency * prior_nurg(w, span, submitted_s) +
           w->ticket * all_equal;
}
