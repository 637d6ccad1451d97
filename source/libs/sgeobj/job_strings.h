#ifndef SGEOBJ_JOB_STRINGS_H
#define SGEOBJ_JOB_STRINGS_H

#include "libs/sgeobj/rows.h"

/* What may stand in the texts of a job. Pure. */
struct answer;

/* job_strings_check - has no text of JOB a control character?
 * All texts in all lists are looked at, also those of fields that are yet to come; but for the environment, arguments, the command, the
 * script and the values of the context, which are the job's own business and may have newlines.
 * Returns 0, or -1 with ans (STATUS_ESEMANTIC) naming the character by its code and what it stands in. O(bytes).
 * Source: submit(1) "What texts may hold" */
int job_strings_check(const struct JB_Type *job, struct answer *ans);

#endif
