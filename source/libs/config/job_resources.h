#ifndef CONFIG_JOB_RESOURCES_H
#define CONFIG_JOB_RESOURCES_H

#include "libs/sgeobj/rows.h"

/* The resources that a job requests (-l), against the complex. Pure. */
struct answer;

/* job_resources_check - are these resources of COMPLEX, with values of their types?
 *
 *   requested  changed on success: shortcuts become names; a boolean without a value becomes TRUE;
 *              of several requests for one resource the last one stays
 *   ans        optional; STATUS_EUNKNOWN or STATUS_ESYNTAX, in the words users know
 *
 * Values of other types may be missing. Returns 0, or -1 with ans and REQUESTED unchanged.
 * O(requested x complex).
 * Source: submit(1) -l; captured messages */
int job_resources_check(const struct CE_Type_list *complex, struct CE_Type_list *requested,
                        struct answer *ans);

/* The resources that are limits of a job: its shepherd keeps them, the lower of what the queue says
 * and what the job requests. */
struct job_limit {
    const char *name; /* as in queue_conf(5) and -l */
    bool is_time;     /* else memory */
};
extern const struct job_limit job_limits[];
extern const unsigned job_limits_n;

/* job_limit_is_one - is the resource NAME such a limit? Pure. */
bool job_limit_is_one(const char *name);

#endif
