#ifndef SGEOBJ_JOB_ATTRIBUTE_H
#define SGEOBJ_JOB_ATTRIBUTE_H

#include "libs/sgeobj/rows.h"

/* What of a job users set: the rows of part 2 of sge_optionL.h, and the check that reads them. Pure.
 * Source: submit(1) */
struct answer;

/* flags of a row */
enum {
    JOB_FIXED = 0,         /* qalter cannot change it */
    JOB_ALTERED = 1,       /* qalter changes it and says "modified NOUN of job N" */
    JOB_ALTERED_ALONG = 2, /* qalter changes it together with another, and says that of the other */
    JOB_ALTERED_APART = 4, /* qalter has to do more for it than to store it */
    JOB_FREE_TEXT = 8      /* it is the job's own business and may have control characters */
};

struct job_attribute {
    unsigned field;   /* JB_... */
    const char *noun; /* "working directory" */
    unsigned flags;
    uint64_t most;     /* of a number, of the bytes of a text, of those of each text in a list */
    uint32_t entries;  /* of a list, at most */
    const char *entry; /* and what they are called: "arguments" */
};
extern const struct job_attribute job_attributes[]; /* in the order of qalter's answers */
extern const unsigned job_attributes_n;

/* job_attributes_check - is what JOB has within the limits of its rows, and has no text of it a control character?
 * All texts in all lists are looked at, except the values of variables, which are the job's own business.
 * Returns 0, or -1 with ans (STATUS_ESEMANTIC) naming the limit and the figure, or the character by its code. O(bytes).
 * Source: submit(1) "What texts may hold"; doc/administering/limits 2 */
int job_attributes_check(const struct JB_Type *job, struct answer *ans);

/* job_attributes_keep - take from JOB, which came from a client, all fields that have no row: they are the qmaster's to say */
void job_attributes_keep(struct JB_Type *job);

#endif
