#ifndef SCHED_SUPPLY_WORK_H
#define SCHED_SUPPLY_WORK_H

#include <stdint.h>

/* struct sched_work - what was looked at since sched_new: the cost in something that a test can
 * compare */
struct sched_work {
    uint64_t runs, tasks, orders;
    uint64_t places;   /* of tasks in queue instances, ordered */
    uint64_t spots;    /* queue instances, looked at for slots of a parallel task */
    uint64_t tried;    /* needs, by runs */
    uint64_t woken;    /* blocked needs, looked at because something was given back */
    uint64_t compared; /* of jobs, job groups, needs, queues in ordered trees */
    uint64_t stays;    /* places where a job has tasks, looked at to undo an order */
    uint64_t matched;  /* queue names against patterns */
    /* the cost of requests: queue instances looked at for one, with each name, resource and
     * condition that it has */
    uint64_t looks;
};

#endif
