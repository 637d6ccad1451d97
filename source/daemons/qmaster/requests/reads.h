#ifndef QMASTER_REQUESTS_READS_H
#define QMASTER_REQUESTS_READS_H

#include "daemons/qmaster/tables/qmaster.h"

/* Long answers: jobs are streamed by number in bounded steps, each job as of its visit, so that no client can stop the core. */
struct reads;
struct reads *reads_new(void);
void reads_free(struct reads *r);
void reads_job_files_arrived(struct qmaster *q); /* of some job, or they never will: it has gone */

#endif
