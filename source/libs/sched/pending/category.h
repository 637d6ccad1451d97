#ifndef SCHED_PENDING_CATEGORY_H
#define SCHED_PENDING_CATEGORY_H

#include "libs/sched/pending/need.h"
#include "libs/sched/supply/queue_request.h"

/* Jobs with equal requests. */
struct category {
    struct sched_pending *pending;
    struct need *need;
    struct queue_request *request;   /* -q, -pe */
    const struct quota_class *quota; /* of the owners of its job groups; NULL: none */
    LIST_HEAD(, job_group) groups;
    LIST_ENTRY(category) of_request;
    uint64_t run_s;         /* how long its tasks may run; 0: they do not ask (request_run_s) */
    double rrcontr;         /* what the requests add to the urgency */
    uint32_t users;         /* job groups */
    bool wants_reservation; /* -R y */
    TAILQ_ENTRY(category) of_idle;
    void *key; /* its requests, packed, and the quota class with its round, if it has one */
    size_t key_bytes, request_bytes;
    UT_hash_handle hh;
};
/* category_depends_on - does the record JOB set a field of the key? */
bool category_depends_on(const struct JB_Type *job);
/* categories_move - find the needs of the categories with REQUEST again, which means another set
 * now; their job groups move with them
 * categories_renew - the same for all of them, whose queues are asked for again, too.
 * O(categories) */
void categories_move(struct queue_request *request);
void categories_renew(struct sched_pending *pending);
/* categories_set_urgencies - their requests have the urgencies that the cell says now; those of job
 * groups are to follow. O(categories) */
void categories_set_urgencies(struct sched_pending *pending);
/* category_get - the category of a job, made if it is new; one job group more: category_drop
 *   base  NULL, or where the fields come from that JOB does not set
 *   by    its owner, for whom queue sets are made; NULL: none
 * O(fields), a new one O(queue instances) */
struct category *category_get(struct sched_pending *pending, const struct category *base,
                              const struct JB_Type *job, struct sched_owner *by);
/* category_drop - one job group less; one without job groups is kept for a while, as the next job
 * may ask for the same */
void category_drop(struct sched_pending *pending, struct category *c);
/* categories_forget_idle - free those that are kept without a job
 * categories_free - free those that are kept, when the jobs have gone */
void categories_forget_idle(struct sched_pending *pending);
void categories_free(struct sched_pending *pending);

#endif
