#ifndef QMASTER_SELECT_H
#define QMASTER_SELECT_H

#include "daemons/qmaster/requests.h"

/* Which jobs and tasks a request means: ids, names, patterns, task ranges, users; resolved once, before anything changes. */
struct picked {
    uint32_t job;              /* a number, not a pointer: handling one may end another */
    uint32_t entry;            /* of GR_select, or of GR_users if that is empty */
    bool is_whole;             /* no task range given */
    struct range_set ordinals; /* of the tasks meant; all of the array when is_whole */
    struct TR_Type_list asked; /* borrowed from the request: the task ids as given */
};
/* picked_work - what handling it costs, counted in jobs and task records: at least 1. For handlers that work in steps. */
uint32_t picked_work(struct qmaster *q, const struct picked *p);
/* picked_has_tasks - is there a task that has not ended among those that were asked for of JOB (P's)?
 * If not, that is said in R for each range that was given, and nothing is to be done. */
bool picked_has_tasks(struct request *r, const struct job *job, const struct picked *p);
struct selection {
    struct picked *v;
    uint32_t n, cap;
};
typedef void (*unmatched_fn)(struct request *r, const char *what);
/* select_jobs - resolve GR_select and GR_users of R
 *   whose      owner that names and patterns mean; NULL: anybody's
 *   unmatched  called for each entry (or user) that means no job; NULL: select_unmatched is */
void select_jobs(struct qmaster *q, struct request *r, const char *whose, unmatched_fn unmatched,
                 struct selection *out);
/* select_unmatched - UNMATCHED for each entry (or user) of R that means no job and stands between what CHOSEN has before its element AT
 * and what it has there; AT = n: behind the last. For handlers that answer in the order of the request. */
void select_unmatched(struct request *r, const struct selection *chosen, uint32_t at,
                      unmatched_fn unmatched);
/* select_has_owner - is OWNER one of USERS (names and patterns; none = everybody)? */
bool select_has_owner(const struct ST_Type_list *users, const char *owner);
void selection_free(struct selection *s);

#endif
