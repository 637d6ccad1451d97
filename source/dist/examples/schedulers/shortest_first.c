/* An example of a scheduler in a shared object: jobs that request less run time (-l h_rt) go first.
 *
 * It ranks jobs and leaves the rest to the scheduling daemon: where they go, reservations, quotas.
 * Build it outside the source tree, and install it:
 *
 *   cc -shared -fPIC $(pkg-config --cflags sge_scheduler) -o shortest_first.so shortest_first.c
 *   install -D -t "$(pkg-config --variable=plugindir sge_scheduler)" shortest_first.so
 *
 * and name it in sched_conf(5): algorithm shortest_first.so. See sge_scheduler(3). */
#include <stddef.h>

#include <sge_scheduler.h>

/* a job without a request goes behind all that have one */
static const int64_t no_request_s = INT64_C(1) << 40;

static const struct sge_scheduler_api *sge;

static void *begin_here(const struct sge_scheduler_api *api)
{
    sge = api;
    return NULL;
}

static void decide_order(void *own, struct sge_scheduler_run *run)
{
    const struct sge_scheduler_job *job = NULL;
    (void)own;
    while ((job = sge->job_next(run, job)) != NULL) {
        int64_t run_time_s = sge->job_number(job, SGE_JOB_RUN_TIME);
        if (sge->job_number(job, SGE_JOB_PENDING) > 0)
            (void)sge->rank(run, job, -(run_time_s > 0 ? run_time_s : no_request_s));
    }
}

const struct sge_scheduler sge_scheduler = {
    .version = SGE_SCHEDULER_VERSION,
    .size = sizeof(struct sge_scheduler),
    .does = SGE_SCHEDULER_RANKS,
    .begin = begin_here,
    .run = decide_order,
};
