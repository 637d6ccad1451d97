/* A scheduler that ranks single jobs: those with a deadline (qsub -dl) go before all others, the
 * earliest deadline first, whoever owns them and whatever they request. All else is the default's,
 * and jobs without a deadline cost what they cost there.
 *
 * It has no state: the ranks are in the default's model. */
#include "libs/sched/policy/policy.h"
#include "libs/sched/policy/services.h"
#include "libs/sgeobj/event.h"

/* beyond each deadline, so that all ranks are above those of job groups */
static const int64_t after_all = INT64_C(1) << 62;

static int64_t rank_by(uint64_t deadline_s)
{
    if (deadline_s == 0)
        return 0;
    return deadline_s < (uint64_t)after_all ? after_all - (int64_t)deadline_s : 1;
}

/* too many with a deadline of their own: the others go with their job groups */
static void deadline_apply(struct sched *s, void *own, const struct EV_Type *event)
{
    (void)own;
    if (event->EV_kind != EV_JOB_ADD && event->EV_kind != EV_JOB_MOD)
        return;
    const struct JB_Type *job = &event->EV_jobs.v[0];
    if (cull_has(job, JB_deadline))
        (void)sched_rank_job(s, job->JB_job_number, rank_by(job->JB_deadline));
}

const struct sched_policy ext_deadline = {
    .name = "ext_deadline",
    .needs = SCHED_NEEDS_JOBS,
    .apply = deadline_apply,
};
