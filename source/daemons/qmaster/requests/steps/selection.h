#ifndef QMASTER_REQUESTS_STEPS_SELECTION_H
#define QMASTER_REQUESTS_STEPS_SELECTION_H

#include "daemons/qmaster/change/request.h"

/* What a request means, once it is resolved (select.h): jobs, each with its tasks, in the order of
 * the command line. */
struct picked {
    uint32_t job;   /* a number, not a pointer: handling one may end another */
    uint32_t entry; /* of GR_select, or of GR_users if that is empty: the first that means it */
    bool is_whole;  /* no task range given */
    struct range_set ordinals; /* of the tasks meant; all of the array when is_whole */
    struct TR_Type_list asked; /* borrowed from the request: the task ids as given */
    /* of a job with many task records, which is done in steps: */
    /* the next record to be looked at has this ordinal or a higher one; 0: not begun */
    uint64_t from;
    uint32_t n_found;      /* what the steps so far have found, for the answer */
    struct range_set done; /* which tasks they have ended */
};
/* picked_work - what handling it costs, counted in jobs and task records: at least 1. For handlers
 * that work in steps. */
uint32_t picked_work(struct qmaster *q, const struct picked *p);
/* picked_word - the word of R that P stands for */
const char *picked_word(const struct request *r, const struct picked *p);
/* picked_has_tasks - is there a task that has not ended among those that were asked for of JOB
 * (P's)?
 * If not, R gets a message for each range that was given, and nothing is to be done. */
bool picked_has_tasks(struct request *r, const struct job *job, const struct picked *p);
struct select_scan;
struct selection {
    struct picked *v; /* by entry, then by number */
    uint32_t n, cap;
    uint32_t n_jobs;      /* of them, when it is resolved; the others are words that mean none */
    bool *is_matched;     /* of each entry: does it mean any job? */
    uint32_t n_others;    /* picked jobs of others, by select_jobs_to_change */
    bool has_more_others; /* it found more of them than SELECT_OTHERS_MOST */
    uint32_t n_withdrawn; /* tasks of the first so many do not start any more: a delete has begun */
    struct select_scan *scan; /* while it is being resolved; freed by scan_free */
    void (*scan_free)(struct select_scan *scan);
    struct kept *kept; /* owned: what the handler keeps of the entry under way; NULL: nothing */
};
/* how a request goes on: with CHOSEN, whose entries before AT are done with; it may be parked
 * again */
typedef void parked_fn(struct qmaster *q, struct request *r, struct selection *chosen, uint32_t at);

/* selection_add_unmatched - entries that mean no job come in, each as job 0, where the command line
 * has them */
void selection_add_unmatched(struct selection *s, uint32_t n_entries);
/* selection_sort - by entry, then by number */
void selection_sort(struct selection *s);
/* selection_free - S is empty afterwards */
void selection_free(struct selection *s);

#endif
