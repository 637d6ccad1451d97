/* An example of a scheduler in a shared object that places tasks itself: jobs go in the order of
 * their numbers, each task to the host that is fullest, so that whole hosts stay free for large
 * jobs. The first job for which there is no slot is announced as the next one (qstat -j).
 *
 * It knows nothing of requests, quotas and parallel environments: what it places and does not fit
 * is left out by the scheduling daemon. Build and install it as shortest_first.c; see
 * sge_scheduler(3). */
#include <stddef.h>

#include <sge_scheduler.h>

static const struct sge_scheduler_api *sge;

static void *begin_here(const struct sge_scheduler_api *api)
{
    sge = api;
    return NULL;
}

/* the number of the first pending job behind AFTER; 0: none */
static uint32_t next_job(const struct sge_scheduler_run *run, uint32_t after)
{
    const struct sge_scheduler_job *job = NULL;
    uint32_t least = 0;
    while ((job = sge->job_next(run, job)) != NULL) {
        uint32_t number = (uint32_t)sge->job_number(job, SGE_JOB_NUMBER);
        bool is_due = sge->job_number(job, SGE_JOB_START_TIME) <= (int64_t)sge->now(run);
        if (number > after && (least == 0 || number < least) && is_due &&
            sge->job_number(job, SGE_JOB_PENDING) > 0)
            least = number;
    }
    return least;
}

/* the open queue instance with the fewest free slots, but at least one; NULL: all are full */
static const struct sge_scheduler_queue *fullest_queue(const struct sge_scheduler_run *run)
{
    const struct sge_scheduler_queue *queue = NULL, *best = NULL;
    int64_t least = 0;
    while ((queue = sge->queue_next(run, queue)) != NULL) {
        int64_t left = sge->queue_number(queue, SGE_QUEUE_SLOTS_FREE);
        if (left > 0 && sge->queue_number(queue, SGE_QUEUE_IS_OPEN) &&
            (best == NULL || left < least)) {
            best = queue;
            least = left;
        }
    }
    return best;
}

/* One queue instance for each run: the view does not change when tasks are placed, and there is
 * another run when they have started. */
static void decide_order(void *own, struct sge_scheduler_run *run)
{
    const struct sge_scheduler_queue *queue = fullest_queue(run);
    int64_t left = queue != NULL ? sge->queue_number(queue, SGE_QUEUE_SLOTS_FREE) : 0;
    (void)own;
    for (uint32_t number = next_job(run, 0); number != 0; number = next_job(run, number)) {
        const struct sge_scheduler_job *job = sge->job_find(run, number);
        int64_t pending = sge->job_number(job, SGE_JOB_PENDING);
        if (sge->job_number(job, SGE_JOB_IS_PARALLEL)) {
            (void)sge->place(run, job, (uint32_t)pending, NULL);
            continue;
        }
        if (left == 0) {
            if ((queue = sge->queue_next(run, NULL)) != NULL)
                (void)sge->reserve(run, job, queue, sge->now(run) + 1, 0);
            return;
        }
        int64_t tasks = pending < left ? pending : left;
        (void)sge->place(run, job, (uint32_t)tasks, queue);
        left -= tasks;
    }
}

const struct sge_scheduler sge_scheduler = {
    .version = SGE_SCHEDULER_VERSION,
    .size = sizeof(struct sge_scheduler),
    .does = SGE_SCHEDULER_PLACES,
    .begin = begin_here,
    .run = decide_order,
};
