#ifndef QMASTER_READS_H
#define QMASTER_READS_H

#include "daemons/qmaster/qmaster.h"

/* Long answers: jobs are streamed by number in bounded steps, each job as of its visit, so that no client can stop the core. */
struct reads;
struct reads *reads_new(void);
void reads_free(struct reads *r);
bool reads_step(struct qmaster *q); /* one part for each read that may go on; true while one may */
void reads_on_drained(struct qmaster *q, uint64_t conn);
void reads_on_closed(struct qmaster *q, uint64_t conn);
void reads_job_files_arrived(struct qmaster *q); /* of some job, or they never will: it has gone */

#endif
