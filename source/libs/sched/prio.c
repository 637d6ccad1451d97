/* The figure that qstat shows as `prior`; how it comes about is told in the header. Pure arithmetic. */
#include "libs/sched/prio.h"

#include "libs/sgeobj/job_state.h"

/* ntckts and nurg of jobs that do not differ */
static const double all_equal = 0.5;

static double waiting_share(const struct sched_weights *w, const struct sched_span *span,
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

double sched_prio(const struct sched_weights *w, const struct sched_span *span,
                  uint64_t submitted_s, uint32_t priority)
{
    double npprior = (double)priority / (2.0 * JOB_PRIORITY_BASE);

    return w->priority * npprior + w->urgency * waiting_share(w, span, submitted_s) +
           w->ticket * all_equal;
}
