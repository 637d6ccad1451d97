#ifndef QMASTER_CHANGE_JOB_FILES_H
#define QMASTER_CHANGE_JOB_FILES_H

#include "daemons/qmaster/tables/qmaster.h"

struct note;

/* The environment and the script of a job: large, rarely needed, so spool records of their own.
 * Those of the jobs used last stay in memory up to a bound; others are read by the fetcher when a
 * start or `qstat -j` asks. */

/* job_files_take - move JB_env_list and JB_script_ptr of a new job's record out into its files
 * (kept in memory) */
void job_files_take(struct qmaster *q, struct job *job);
/* job_files_stage - put them into the batch that is being collected */
void job_files_stage(struct qmaster *q, struct job *job);
/* job_files_get - put them into REC (a copy of the job for a start or an answer)
 * Returns true if they are there now; false when they are being read: job_files_on_fetched brings
 * them. */
bool job_files_get(struct qmaster *q, struct job *job, struct JB_Type *rec);
/* job_files_on_fetched - a NOTE_FETCHED; returns the job whose files are here now, NULL if more is
 * to come or it is gone */
struct job *job_files_on_fetched(struct qmaster *q, struct note *n);
/* job_files_drop - forget what is in memory of them, unless they are being read */
void job_files_drop(struct job *job);
/* job_files_bytes - how much is in memory of them */
size_t job_files_bytes(const struct job *job);

#endif
