#ifndef QMASTER_REQUESTS_STEPS_SELECT_H
#define QMASTER_REQUESTS_STEPS_SELECT_H

#include "daemons/qmaster/change/request.h"

/* Which jobs and tasks a request means: ids, names, patterns, task ranges, users. It is resolved
 * before anything changes, in slices if it takes long, and never means a job that was submitted
 * after the request had come. What several words mean is meant once. */
/* words in GR_select and in GR_users of a request; and ranges of task ids with a name or pattern,
 * while a number may have any number */
enum { SELECT_WORDS_MOST = 10000, SELECT_RANGES_MOST = 64 };
/* jobs of others that a request is denied one by one */
enum { SELECT_OTHERS_MOST = 256 };
typedef void (*unmatched_fn)(struct request *r, const char *what);

/* select_begin - R's words and users are what the step select_jobs is to resolve
 *   whose      owner that names and patterns mean; NULL: anybody's; borrowed until then
 *   unmatched  called for each entry (or user) that means no job; NULL: they are among what is
 *              chosen, as job 0, where the command line has them
 * STEP_NEXT; STEP_LAST with R's texts if they are too many */
enum step_result select_begin(struct qmaster *q, struct request *r, const char *whose,
                              unmatched_fn unmatched);
/* select_begin_to_change - the same for who may change their own jobs alone, unless they are
 * operators: names and patterns mean jobs of others, too, which a later step is to deny. Of very
 * many the first are picked; select_report_others says in R that there are more. */
enum step_result select_begin_to_change(struct qmaster *q, struct request *r);
/* select_jobs - a step: R->chosen becomes what R means; nothing if it was not begun
 * select_report_others - a step: say in R that more jobs belong to others than those listed, if so
 */
step_fn select_jobs, select_report_others;
/* select_add_unmatched - entries that mean no job come in, each as job 0 */
void select_add_unmatched(struct request *r);
/* picked_has_tasks - is there a task that has not ended among those that were asked for of JOB
 * (P's)?
 * If not, R gets a message for each range that was given, and nothing is to be done. */
bool picked_has_tasks(struct request *r, const struct job *job, const struct picked *p);
/* select_has_owner - is OWNER one of USERS (names and patterns; an empty list: everybody)? */
bool select_has_owner(const struct ST_Type_list *users, const char *owner);

#endif
