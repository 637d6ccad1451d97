#ifndef QMASTER_SELECT_H
#define QMASTER_SELECT_H

#include "daemons/qmaster/request.h"

/* Which jobs and tasks a request means: ids, names, patterns, task ranges, users. It is resolved before anything changes, in slices if it
 * takes long, and never means a job that was submitted after the request had come. What several words mean is meant once. */
struct picked {
    uint32_t job;   /* a number, not a pointer: handling one may end another */
    uint32_t entry; /* of GR_select, or of GR_users if that is empty: the first that means it */
    bool is_whole;  /* no task range given */
    struct range_set ordinals; /* of the tasks meant; all of the array when is_whole */
    struct TR_Type_list asked; /* borrowed from the request: the task ids as given */
    /* of a job with many task records, which is done in steps: */
    uint64_t
        from; /* the next record to be looked at has this ordinal or a higher one; 0: not begun */
    uint32_t n_found;      /* what the steps so far have found, for the answer */
    struct range_set done; /* which tasks they have ended */
};
/* picked_work - what handling it costs, counted in jobs and task records: at least 1. For handlers that work in steps. */
uint32_t picked_work(struct qmaster *q, const struct picked *p);
/* picked_word - the word of R that P stands for */
const char *picked_word(const struct request *r, const struct picked *p);
/* picked_has_tasks - is there a task that has not ended among those that were asked for of JOB (P's)?
 * If not, that is said in R for each range that was given, and nothing is to be done. */
bool picked_has_tasks(struct request *r, const struct job *job, const struct picked *p);
/* words in GR_select and in GR_users of a request; and ranges of task ids with a name or pattern, while a number may have any number */
enum { SELECT_WORDS_MOST = 10000, SELECT_RANGES_MOST = 64 };
/* jobs of others that a request is denied one by one */
enum { SELECT_OTHERS_MOST = 256 };
struct select_scan;
struct selection {
    struct picked *v; /* by entry, then by number */
    uint32_t n, cap;
    uint32_t n_jobs;      /* of them, when it is resolved; the others are words that mean none */
    bool *is_matched;     /* of each entry: does it mean any job? */
    uint32_t n_others;    /* picked jobs of others, by select_jobs_to_change */
    bool has_more_others; /* it found more of them than SELECT_OTHERS_MOST */
    uint32_t n_withdrawn; /* tasks of the first so many do not start any more: a delete has begun */
    struct select_scan *scan; /* while it is being resolved */
};
typedef void (*unmatched_fn)(struct request *r, const char *what);
/* how a request goes on: with CHOSEN, whose entries before AT are done with; it may be parked again */
typedef void parked_fn(struct qmaster *q, struct request *r, struct selection *chosen, uint32_t at);
/* select_jobs - resolve GR_select and GR_users of R, and go on by THEN with what they mean: now, or, if that takes long, in a later slice
 *   whose      owner that names and patterns mean; NULL: anybody's; borrowed until THEN is called
 *   unmatched  called for each entry (or user) that means no job, before THEN; NULL: they are among what THEN gets, as job 0 */
void select_jobs(struct qmaster *q, struct request *r, const char *whose, unmatched_fn unmatched,
                 parked_fn *then);
/* select_jobs_to_change - the same for who may change their own jobs alone, unless they are operators: names and patterns mean jobs of
 * others, too, which THEN is to deny. Of very many the first are picked; selection_tell_others says in R that there are more. */
void select_jobs_to_change(struct qmaster *q, struct request *r, parked_fn *then);
void selection_tell_others(struct request *r, const struct selection *s);
/* selection_add_unmatched - entries that mean no job come in, each as job 0, where the command line has them */
void selection_add_unmatched(struct selection *s, uint32_t n_entries);
/* select_has_owner - is OWNER one of USERS (names and patterns; none = everybody)? */
bool select_has_owner(const struct ST_Type_list *users, const char *owner);
void selection_free(struct selection *s);

#endif
