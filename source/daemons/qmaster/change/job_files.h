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

/* Long scripts on their way to the spool, and out of it. A batch takes as long as its bytes, for
 * everybody in it; so a long script comes in pieces, one in each batch, before the batch with its
 * job, and its pieces leave in the same way after the job. Only who submits it waits for it. Pieces
 * without a job, because the client disconnected or the qmaster ended, are removed. */
struct scripts;

/* scripts_new - none is under way; new: scripts_free. scripts_free - NULL is fine */
struct scripts *scripts_new(void);
void scripts_free(struct scripts *all);

/* scripts_is_long - does TEXT (NULL: no script) come in pieces? O(its bytes) */
bool scripts_is_long(const char *text);
/* scripts_begin - TEXT, a counted string, goes to the spool as the script of JOB, a number that is
 * kept for it, for the user UID; scripts_stage says when it is there */
void scripts_begin(struct qmaster *q, uint32_t job, uint32_t uid, const char *text);
/* scripts_is_there - has all of it been staged? */
bool scripts_is_there(const struct qmaster *q, uint32_t job);
/* scripts_keep - its job is staged, too: it stays */
void scripts_keep(struct qmaster *q, uint32_t job);
/* scripts_abandon - there will be no such job: what has come leaves again */
void scripts_abandon(struct qmaster *q, uint32_t job);
/* scripts_remove - JOB, whose script and environment have FILES_BYTES, has gone: the pieces of its
 * script, if it had any, leave */
void scripts_remove(struct qmaster *q, uint32_t job, uint64_t files_bytes);
/* scripts_remove_orphans - at the start: pieces whose jobs are not there leave. Returns 0, or -1
 * with ans */
struct answer;
int scripts_remove_orphans(struct qmaster *q, struct answer *ans);
/* scripts_has - is a script of JOB coming or leaving? Its number is in use. */
bool scripts_has(const struct qmaster *q, uint32_t job);
/* scripts_are_enough - has user UID as many scripts under way as a user may have at a time? */
bool scripts_are_enough(const struct qmaster *q, uint32_t uid);
/* scripts_stage - the next piece that comes and the next that leaves, once in each batch. Returns
 * the job whose script is there now, or 0 */
uint32_t scripts_stage(struct qmaster *q);

#endif
