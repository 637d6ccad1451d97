#ifndef SGEOBJ_JOB_ATTRIBUTE_H
#define SGEOBJ_JOB_ATTRIBUTE_H

#include "libs/sgeobj/rows.h"

/* What users set of a job: the rows of part 2 of sge_optionL.h and the check that reads them. Pure.
 * Source: submit(1) */
struct answer;

/* flags of a row
 *   JOB_FIXED          qalter cannot change it
 *   JOB_ALTERED        qalter changes it and says "modified NOUN of job N"
 *   JOB_ALTERED_ALONG  qalter changes it with another attribute, and speaks of that one
 *   JOB_ALTERED_APART  qalter has to do more for it than to store it
 *   JOB_OF_ARRAYS      only arrays have it: qalter refuses it for another job
 *   JOB_FREE_TEXT      it is the job's own business and may have control characters */
enum {
    JOB_FIXED = 0,
    JOB_ALTERED = 1,
    JOB_ALTERED_ALONG = 2,
    JOB_ALTERED_APART = 4,
    JOB_FREE_TEXT = 8,
    JOB_OF_ARRAYS = 16
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

/* job_attributes_check - does JOB keep to the limits of its rows, without control characters?
 * All texts in all lists are looked at, except the values of variables, which are the job's own
 * business. Returns 0, or -1 with ans (STATUS_ESEMANTIC) naming the limit and the figure, or the
 * character by its code. O(bytes).
 * Source: submit(1) "What texts may hold"; doc/administering/limits 2 */
int job_attributes_check(const struct JB_Type *job, struct answer *ans);

/* job_attributes_keep - clear all fields of JOB, which a client sent, that have no row: what is
 * in them only the qmaster can say */
void job_attributes_keep(struct JB_Type *job);

#endif
