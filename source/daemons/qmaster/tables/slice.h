#ifndef QMASTER_TABLES_SLICE_H
#define QMASTER_TABLES_SLICE_H

#include "daemons/qmaster/tables/qmaster.h"

/* How much a step of the core does (work.h): so many jobs, links or records of tasks, in so much
 * time. */
enum { STEP_WORK = 400 };
/* slice_is_over - asked by a step between two of its jobs: is its time over? Where nothing
 * measures, never. */
bool slice_is_over(const struct qmaster *q);

#endif
