/* Scheduler plug-ins that misbehave, one for each FAULT: a name of the table below, given as
 * -DFAULT=crash. Each waits for a job before it does so. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sge_scheduler.h>

#ifndef VERSION
#define VERSION SGE_SCHEDULER_VERSION
#endif
static const struct sge_scheduler_api *sge;

static void *begin(const struct sge_scheduler_api *api)
{
    sge = api;
    return NULL;
}

/* ---- faults ---- */
typedef void fault_fn(struct sge_scheduler_run *run, const struct sge_scheduler_job *job);
fault_fn crash, abort_, exit_, hang, memory, unknown_job, occupied, too_many, garbage, close_;

void crash(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    (void)run, (void)job;
    raise(SIGSEGV);
}

void abort_(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    (void)run, (void)job;
    abort();
}

void exit_(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    (void)run, (void)job;
    exit(0);
}

void hang(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    (void)run, (void)job;
    for (;;)
        pause();
}

/* until there is no more, and then uses what it did not get */
void memory(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    enum { BLOCK = 64 << 20 };
    volatile char *block;
    (void)run, (void)job;
    do {
        block = malloc(BLOCK);
        block[0] = 1;
    } while (block != NULL);
}

/* a handle of its own making: the first field of ours is the number */
void unknown_job(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    const uint32_t made_up[64] = { 4000000 };
    (void)job;
    (void)sge->rank(run, (const struct sge_scheduler_job *)(const void *)made_up, 1);
}

/* the same tasks in the same slot, twice as often as there are slots */
void occupied(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    const struct sge_scheduler_queue *queue = sge->queue_next(run, NULL);
    for (int64_t n = 2 * sge->queue_number(queue, SGE_QUEUE_SLOTS); n > 0; n--)
        (void)sge->place(run, job, 1, queue);
}

void too_many(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    (void)sge->place(run, job, 1000000, sge->queue_next(run, NULL));
}

/* what is behind the interface: the connection */
void garbage(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    (void)run, (void)job;
    for (int i = 0; i < 1000; i++)
        (void)!write(3, "\377\377\377\377\377\377\377\377", 8);
    pause();
}

void close_(struct sge_scheduler_run *run, const struct sge_scheduler_job *job)
{
    (void)run, (void)job;
    close(3);
    pause();
}

static void run(void *own, struct sge_scheduler_run *run)
{
    const struct sge_scheduler_job *job = NULL;
    (void)own;
    while ((job = sge->job_next(run, job)) != NULL)
        if (sge->job_number(job, SGE_JOB_PENDING) > 0)
            break;
    if (job != NULL)
        FAULT(run, job);
}

const struct sge_scheduler sge_scheduler = {
    .version = VERSION,
    .size = sizeof(struct sge_scheduler),
    .does = SGE_SCHEDULER_PLACES,
    .begin = begin,
    .run = run,
};
