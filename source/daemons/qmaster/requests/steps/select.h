#ifndef QMASTER_REQUESTS_STEPS_SELECT_H
#define QMASTER_REQUESTS_STEPS_SELECT_H

#include "daemons/qmaster/requests/steps/selection.h"

/* Which jobs and tasks a request means: ids, names, patterns, task ranges, users. It is resolved
 * before anything changes, in slices if it takes long, and never means a job that was submitted
 * after the request had come. What several words mean is meant once. */
/* words in GR_select and in GR_users of a request; and ranges of task ids with a name or pattern,
 * while a number may have any number */
enum { SELECT_WORDS_MOST = 10000, SELECT_RANGES_MOST = 64 };
/* jobs of others that a request is denied one by one */
enum { SELECT_OTHERS_MOST = 256 };
typedef void (*unmatched_fn)(struct request *r, const char *what);

/* select_jobs - resolve GR_select and GR_users of R, and go on by THEN with what they mean: now,
 * or, if that takes long, in a later slice
 *   whose      owner that names and patterns mean; NULL: anybody's; borrowed until THEN is called
 *   unmatched  called for each entry (or user) that means no job, before THEN; NULL: they are among
 *              what THEN gets, as job 0 */
void select_jobs(struct qmaster *q, struct request *r, const char *whose, unmatched_fn unmatched,
                 parked_fn *then);
/* select_jobs_to_change - the same for who may change their own jobs alone, unless they are
 * operators: names and patterns mean jobs of others, too, which THEN is to deny. Of very many the
 * first are picked; select_tell_others says in R that there are more. */
void select_jobs_to_change(struct qmaster *q, struct request *r, parked_fn *then);
/* select_tell_others - say in R that more jobs belong to others than those listed, if so */
void select_tell_others(struct request *r, const struct selection *s);
/* select_has_owner - is OWNER one of USERS (names and patterns; an empty list: everybody)? */
bool select_has_owner(const struct ST_Type_list *users, const char *owner);

#endif
