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

/* Job categories: names for options, which the administrator keeps in common/qtask of the cell and
 * users in ~/.qtask. Source: qtask(5) */
struct job_category {
    char *options; /* owned; NULL: none */
};
/* category_find - what NAME (NULL: no category) stands for
 *
 *   home  the user's: an entry of theirs overrides one of the cell, unless that is marked by a `+`
 *         before its name
 *   out   in: { NULL }; options stay NULL if neither file has NAME
 *
 * Returns 0, or -1 with ans: a file cannot be read. */
int category_find(const struct cell *cell, const char *home, const char *name,
                  struct job_category *out, struct answer *ans);
/* category_parse - the same of one text: the options of NAME, new: free(); NULL: it has none.
 *   is_fixed  is there a `+` before it? */
char *category_parse(const char *text, const char *name, bool *is_fixed);

#endif
