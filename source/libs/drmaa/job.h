#ifndef DRMAA_JOB_H
#define DRMAA_JOB_H

#include "libs/sgeobj/rows.h"

/* What a job template means as a job. */
struct answer;
struct cell;
struct submitter;
struct template;

/* the tasks of a bulk job; step 0: the job is no array */
struct job_tasks {
    uint32_t first, last, step;
};
/* job_of_template - the job that T describes
 *
 *   cell  where request files and categories (qtask) are
 *   by    who submits, and when
 *   out   in: empty; cull_clear it whatever comes back
 *
 * Reads those files, and the script if the job is no binary. Returns DRMAA_ERRNO_SUCCESS, or the
 * number of the error with ans. Source: drmaa_attributes(3) */
int job_of_template(const struct template *t, const struct job_tasks *tasks,
                    const struct cell *cell, const struct submitter *by, struct JB_Type *out,
                    struct answer *ans);
/* job_path - append PATH ([host]:path or a directory) with the placeholders of DRMAA as the
 * variables of job paths
 *   home  what the home directory is written as: "$HOME", or the directory */
struct dstr;
void job_path(const char *path, const char *home, struct dstr *out);

#endif
