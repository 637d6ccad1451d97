#ifndef QMASTER_REQUESTS_JOBS_JOB_CHECK_H
#define QMASTER_REQUESTS_JOBS_JOB_CHECK_H

#include "daemons/qmaster/io/identity.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/answer.h"

/* What a job must be to be taken; who may do what to it is in rights.h. Nothing here changes
 * state. */

/* job_check_new - a job as submitted for WHO, by a peer that may send anything; 0, or -1 with ans.
 * Missing fields with defaults are set. */
int job_check_new(struct qmaster *q, const struct identity *who, struct JB_Type *rec,
                  struct answer *ans);
/* job_check_lists - the lists of WANT, a change of jobs: each thing stands in them once, and of
 * resources (-l) shortcuts become names. Returns 0, or -1 with ans */
int job_check_lists(struct qmaster *q, struct JB_Type *want, struct answer *ans);
/* job_check_altered - the fields present in WANT, for a job that exists */
int job_check_altered(struct qmaster *q, const struct identity *who, const struct job *job,
                      const struct JB_Type *want, struct answer *ans);
/* job_check_reservation - REC is what an advance reservation for WHO asks for */
int job_check_reservation(struct qmaster *q, const struct identity *who, struct JB_Type *rec,
                          struct answer *ans);
/* job_check_bytes - is a job with REC no larger than a job may be, if a RECORD and FILES of so many
 * bytes are there already? Messages and batches hold several jobs, and each has its limit; what is
 * not script is written in one batch whenever the job is altered, and no program can be started
 * with as much. Returns how large REC is, or 0 with ans. */
enum { JOB_BYTES_MOST = 32 * 1024 * 1024 };
size_t job_check_bytes(const struct JB_Type *rec, size_t record, size_t files, struct answer *ans);

#endif
