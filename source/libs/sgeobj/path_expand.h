#ifndef SGEOBJ_PATH_EXPAND_H
#define SGEOBJ_PATH_EXPAND_H

#include "libs/sgeobj/rows.h"

/* Paths of -i -o -e -S, a path_list of sge_types(1): which entry is meant on a host, and what its
 * variables stand for. Pure. */
struct dstr;

/* what the variables stand for; borrowed. NULL texts are empty. */
struct path_vars {
    const char *home, *user, *host, *job_name;
    uint32_t job_number;
    uint32_t task_id; /* 0 for a non-array job */
};

/* path_for_host - the entry for HOST: the first with that host (case does not count), else the
 * first without any
 * Returns a borrowed entry with a path, or NULL if there is none. */
const struct PN_Type *path_for_host(const struct PN_Type_list *list, const char *host);

/* path_tilde - append what a `~` at the begin of PATH stands for, as shells read it: `~` and `~/x`
 * the home directory, `~user` and `~user/x` that of another user
 *
 *   home     NULL: not known here, and `~` stays as it is
 *   home_of  the home of USER, new: free(), or NULL, which leaves `~user` as it is; may be NULL
 *
 * Returns the rest of PATH. The only place that reads `~`: at the submit, when places are looked
 * for, and at the start. Source: submit(1) -o */
typedef char *home_of_fn(const char *user);
const char *path_tilde(const char *path, const char *home, home_of_fn *home_of, struct dstr *out);

/* path_expand - append PATH with its variables replaced and `~` at its begin made the home
 * directory (path_tilde; that of another user is in the path since the submit)
 *
 *   path  $HOME $USER $JOB_ID $JOB_NAME $HOSTNAME $TASK_ID ($SGE_TASK_ID), also as ${NAME}; a name
 *         ends where it is known ("$JOB_NAME_$JOB_ID" is two variables); other text with `$`
 *         stays as it is; $TASK_ID of a job that is no array is 0
 *   dir   absolute; what a relative path is relative to; NULL: it stays relative
 *
 * Source: qsub(1) -o; captured output files */
void path_expand(const char *path, const struct path_vars *vars, const char *dir, struct dstr *out);

/* path_default_name - append "name.o12" or, for a task of an array, "name.o12.3"
 *   stream  "o", "e", "po", "pe" */
void path_default_name(const struct path_vars *vars, const char *stream, struct dstr *out);

#endif
