#ifndef QMASTER_REQUESTS_READS_READS_H
#define QMASTER_REQUESTS_READS_READS_H

#include "daemons/qmaster/tables/qmaster.h"

/* Long answers: jobs are streamed by number in bounded steps, each job as of its visit, so that no
 * client can stop the core. */
struct reads;
/* reads_new - none is under way; new: reads_free */
struct reads *reads_new(void);
void reads_free(struct reads *r);
/* reads_job_files_arrived - environment and script of some job have come, or never will, as it has
 * gone: answers that wait for them go on */
void reads_job_files_arrived(struct qmaster *q);

#endif
