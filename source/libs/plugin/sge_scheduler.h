#ifndef PLUGIN_SGE_SCHEDULER_H
#define PLUGIN_SGE_SCHEDULER_H

/* The interface for schedulers in shared objects, outside the tree. Manual page: sge_scheduler(3).
 *
 * A plug-in exports one symbol, `sge_scheduler`, a constant struct sge_scheduler. It runs in a
 * process of its own, in one thread: its functions are called one after the other, and each is
 * given a view of the cell that does not change during the call. It ranks jobs, places tasks and
 * announces reservations; the scheduling daemon checks what it decided and the qmaster checks each
 * order again. A plug-in that crashes, hangs or asks for what cannot be ends, and the algorithm
 * `default` takes over.
 *
 * Handles are valid during the call that received them. Texts belong to the view and are valid as
 * long; none is NULL. Times are seconds since 1970. Task ids are those that users see. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. It changes only when what exists changes its meaning; additions come
 * at the ends of the tables and enumerations. */
#define SGE_SCHEDULER_VERSION 1u

/* what a plug-in does, in `does` */
#define SGE_SCHEDULER_RANKS  1u /* it ranks jobs; the default places them, and reserves (-R y) */
#define SGE_SCHEDULER_PLACES 2u /* it places tasks: nothing starts that it does not place */

struct sge_scheduler_run;   /* the cell as it is in one call */
struct sge_scheduler_job;   /* a job that is pending or runs */
struct sge_scheduler_queue; /* a queue instance */
struct sge_scheduler_host;  /* a host with queue instances */

enum sge_scheduler_job_field {
    SGE_JOB_NUMBER = 1,
    SGE_JOB_PRIORITY,    /* -p: -1023 to 1024 */
    SGE_JOB_SUBMIT_TIME, /* seconds */
    SGE_JOB_START_TIME,  /* -a, seconds; 0: none */
    SGE_JOB_RUN_TIME,    /* h_rt or s_rt, seconds; 0: not requested */
    SGE_JOB_SLOTS,       /* of each task; of a parallel one the least */
    SGE_JOB_IS_PARALLEL, /* 0 or 1: with -pe */
    SGE_JOB_PENDING,     /* tasks that may start, from the start time on */
    SGE_JOB_TAKEN,       /* tasks that are being started or run */
    SGE_JOB_RESERVES,    /* 0 or 1: with -R y */
    /* texts */
    SGE_JOB_OWNER = 1000,
    SGE_JOB_PROJECT,   /* "": none */
    SGE_JOB_DEPARTMENT /* "": none */
};
enum sge_scheduler_queue_field {
    SGE_QUEUE_SLOTS = 1,
    SGE_QUEUE_SLOTS_FREE, /* that the queue instance and its host have left */
    SGE_QUEUE_SEQ_NO,
    SGE_QUEUE_IS_OPEN, /* 0 or 1: no state keeps tasks from starting */
    SGE_QUEUE_LOAD,    /* the load formula, in thousandths */
    /* texts */
    SGE_QUEUE_NAME = 1000, /* "all.q@host" */
    SGE_QUEUE_HOST
};
enum sge_scheduler_host_field {
    SGE_HOST_SLOTS = 1,  /* of its queue instances together */
    SGE_HOST_SLOTS_FREE, /* the same */
    SGE_HOST_QUEUES,     /* how many queue instances it has */
    SGE_HOST_LOAD,       /* the highest of its queue instances, in thousandths */
    /* texts */
    SGE_HOST_NAME = 1000
};
enum sge_scheduler_change { SGE_CHANGE_NEW = 1, SGE_CHANGE_MODIFIED, SGE_CHANGE_GONE };

/* What the scheduling daemon offers. `size` says how many bytes of it there are: a function beyond
 * that does not exist in this release. Cost: constant, where no other is given. */
struct sge_scheduler_api {
    uint32_t version; /* SGE_SCHEDULER_VERSION of the daemon */
    uint32_t size;

    /* the time of this run; how many tasks it may order at most */
    uint64_t (*now)(const struct sge_scheduler_run *run);
    uint32_t (*tasks_most)(const struct sge_scheduler_run *run);

    /* The first object (AFTER NULL) or the one behind AFTER, in no particular order; NULL: there
     * are no more. By number or name: NULL if it is unknown. */
    const struct sge_scheduler_job *(*job_next)(const struct sge_scheduler_run *run,
                                                const struct sge_scheduler_job *after);
    const struct sge_scheduler_job *(*job_find)(const struct sge_scheduler_run *run,
                                                uint32_t number);
    const struct sge_scheduler_queue *(*queue_next)(const struct sge_scheduler_run *run,
                                                    const struct sge_scheduler_queue *after);
    const struct sge_scheduler_queue *(*queue_find)(const struct sge_scheduler_run *run,
                                                    const char *name);
    const struct sge_scheduler_host *(*host_next)(const struct sge_scheduler_run *run,
                                                  const struct sge_scheduler_host *after);
    const struct sge_scheduler_host *(*host_find)(const struct sge_scheduler_run *run,
                                                  const char *name);

    /* a number or a text of an object; 0 or "" for a field that this release does not have */
    int64_t (*job_number)(const struct sge_scheduler_job *job, enum sge_scheduler_job_field field);
    const char *(*job_text)(const struct sge_scheduler_job *job,
                            enum sge_scheduler_job_field field);
    int64_t (*queue_number)(const struct sge_scheduler_queue *queue,
                            enum sge_scheduler_queue_field field);
    const char *(*queue_text)(const struct sge_scheduler_queue *queue,
                              enum sge_scheduler_queue_field field);
    int64_t (*host_number)(const struct sge_scheduler_host *host,
                           enum sge_scheduler_host_field field);
    const char *(*host_text)(const struct sge_scheduler_host *host,
                             enum sge_scheduler_host_field field);

    /* The first task with an id of at least FROM that may start: *FIRST, and every step-th up to
     * *LAST, where the step is that of the array. False: there is none. Cost: the ranges. */
    bool (*job_tasks)(const struct sge_scheduler_job *job, uint32_t from, uint32_t *first,
                      uint32_t *last);

    /* Decisions; each returns 0, or -1 if an argument is wrong or the run has too many decisions
     * (then nothing is decided).
     * rank      jobs with a higher rank go first; 0, the default, is between. It lasts until it is
     *           changed. Equal ranks go by priority (-p), then by number. At most 100,000 jobs
     *           have one.
     * place     start up to TASKS pending tasks of JOB, the first ones, in QUEUE, or where NULL in
     *           the best queue instances. Parallel jobs have no QUEUE. It takes effect after the
     *           run; what no longer fits then is left out.
     * reserve   JOB is expected to start at START in QUEUE and run for DURATION seconds (0: no end
     *           is foreseen). Users see it with qstat -j until the next run. The plug-in keeps the
     *           place free by placing nothing there.
     * log       a line of up to 200 bytes in the messages file of the scheduling daemon, ten a run */
    int (*rank)(struct sge_scheduler_run *run, const struct sge_scheduler_job *job, int64_t rank);
    int (*place)(struct sge_scheduler_run *run, const struct sge_scheduler_job *job, uint32_t tasks,
                 const struct sge_scheduler_queue *queue);
    int (*reserve)(struct sge_scheduler_run *run, const struct sge_scheduler_job *job,
                   const struct sge_scheduler_queue *queue, uint64_t start, uint64_t duration);
    int (*log)(struct sge_scheduler_run *run, const char *text);
};

/* What a plug-in is. What is NULL is not called. OWN is what `begin` returned. */
struct sge_scheduler {
    uint32_t version; /* SGE_SCHEDULER_VERSION of the header that it was built with */
    uint32_t size;    /* sizeof(struct sge_scheduler) */
    uint32_t does;    /* SGE_SCHEDULER_RANKS or SGE_SCHEDULER_PLACES, or both */

    /* once, before all others; API stays valid until the process ends. NULL is a value like any
     * other. There is no call at the end: the process ends. */
    void *(*begin)(const struct sge_scheduler_api *api);
    /* an object is new, has changed, or has gone; called before `run`, for all that happened since
     * the last run, each object once; of one that has gone JOB and QUEUE are as they were */
    void (*job_changed)(void *own, const struct sge_scheduler_run *run,
                        const struct sge_scheduler_job *job, enum sge_scheduler_change change);
    void (*queue_changed)(void *own, const struct sge_scheduler_run *run,
                          const struct sge_scheduler_queue *queue,
                          enum sge_scheduler_change change);
    /* decide */
    void (*run)(void *own, struct sge_scheduler_run *run);
};

#ifdef __cplusplus
}
#endif

#endif
