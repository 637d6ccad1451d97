#ifndef VIEW_JOB_HOLDS_H
#define VIEW_JOB_HOLDS_H

#include "libs/mir/board.h"

/* Kinds of hold. Events say which tasks are held, not why: a record of the qmaster with the fields
 * of job_holds_fields does. Pure. */
struct dstr;

/* job_holds_fields - the fields of a job that the functions below need, ended by NULL */
extern const char *const job_holds_fields[];
/* job_holds_letters - append KINDS (MINUS_H_TGT_..., HOLD_JID) as qstat(1) -s has them behind its
 * h: "uj"
 * job_holds_text - append which tasks have which, a line for each kind; a line, too, if none has
 * any. Lists of tasks are cut after a readable length. O(ranges that are shown) */
void job_holds_letters(unsigned kinds, struct dstr *out);
void job_holds_text(const struct JB_Type *rec, struct dstr *out);

/* job_holds_take - the board shows what REC, borrowed, says of its job
 * job_holds_ask - up to MOST jobs with held tasks that have not been queried since they changed
 * replace OUT, and count as asked about. O(jobs) */
void job_holds_take(struct board *b, const struct JB_Type *rec);
void job_holds_ask(struct board *b, uint32_t most, struct range_set *out);

#endif
