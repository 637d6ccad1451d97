#ifndef QMASTER_CHANGE_SHARES_H
#define QMASTER_CHANGE_SHARES_H

#include "daemons/qmaster/io/identity.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/answer.h"

/* Fair shares of what is finite: the memory that jobs take, here and in the scheduler, and the room
 * that records, scripts and environments take in the spool. There is a limit for one user and one
 * for all together, so that managers, whom neither stops, always find something left. */

/* shares_usual - the limits where qmaster_params names none: a quarter of this machine's memory,
 * and of the file system that the spool lies on, for one user, and three quarters of each for
 * all */
void shares_usual(const struct spool *spool, uint64_t limits[SHARE_LIMITS]);
/* share_of - what a job takes whose record REC has PACKED bytes in the spool; its script and
 * environment count for what JB_files_bytes says, or with PACKED if they are still in REC.
 * O(elements of REC). */
struct share share_of(const struct qmaster *q, const struct JB_Type *rec, size_t packed);
/* share_growth - how much more JOB would take with the fields of WANT in the place of its own; 0 if
 * it becomes no larger */
struct share share_growth(const struct qmaster *q, const struct job *job,
                          const struct JB_Type *want);
/* shares_check - may the jobs of OWNER take MORE, as WHO asks? 0, or -1 with ans, which names
 * limit and figure */
int shares_check(const struct qmaster *q, const struct identity *who, const char *owner,
                 const struct share *more, struct answer *ans);

#endif
