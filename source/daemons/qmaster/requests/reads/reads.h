#ifndef QMASTER_REQUESTS_READS_READS_H
#define QMASTER_REQUESTS_READS_READS_H

#include "daemons/qmaster/change/request.h"

/* Requests that change nothing. Long answers go in bounded steps. */
void get_jobs_request(struct qmaster *q, struct request *r);       /* GET of jobs */
void get_config_request(struct qmaster *q, struct request *r);     /* GET of objects */
void statistics_request(struct qmaster *q, struct request *r);     /* GET of the master */
void get_accounting_request(struct qmaster *q, struct request *r); /* GET of accounting */
void get_quotas_request(struct qmaster *q, struct request *r);     /* GET of quotas */
void get_usage_request(struct qmaster *q, struct request *r);      /* GET of share usage */
/* clear_usage_request - DEL of it: what was used by the users of GR_select, or by all, counts no
 * more in the share tree */
void clear_usage_request(struct qmaster *q, struct request *r);

/* Long answers: jobs are streamed by number in bounded steps, each job as of its visit, so that no
 * client can stop the core. */
/* reads_job_files_arrived - environment and script of some job have come, or never will, as it has
 * gone: answers that wait for them go on */
void reads_job_files_arrived(struct qmaster *q);

/* Answers from the accounting file, for hosts that have none: the file is read by a thread of its
 * own (io/account_reader.h), one slice for each part of an answer. */
struct note;

/* accounting_on_slice - N, a NOTE_ACCOUNT, brings a walk back: its answer goes on, unless who asked
 * has gone */
void accounting_on_slice(struct qmaster *q, struct note *n);

#endif
