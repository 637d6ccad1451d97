#ifndef SCHED_SUPPLY_QUEUE_REQUEST_H
#define SCHED_SUPPLY_QUEUE_REQUEST_H

#include "libs/sched/supply/queue_set.h"

/* Which set of queue instances a request means. */
struct category;
struct queue_request {
    struct JB_Type
        asked; /* -q, -pe, -ckpt, and what opens doors: the owner's user sets, the project */
    struct queue_set *set;
    LIST_HEAD(, category) categories;
    uint32_t users; /* categories */
    uint64_t looks; /* what asking whether an instance suits it costs */
    bool is_suited; /* while a queue instance joins: by that */
    LIST_ENTRY(queue_request) of_set;
    void *key;
    size_t key_bytes;
    UT_hash_handle hh;
};
/* queue_request_get - where JOB wants to run (-q, -pe, -ckpt) and may (access.h), made if it is
 * new; one category more: queue_request_drop. A new one costs O(queue instances), charged to BY
 * (NULL: none).
 * queue_request_drop - one category less; the last one frees it */
struct queue_request *queue_request_get(struct sched_cell *cell, const struct JB_Type *job,
                                        struct sched_owner *by);
void queue_request_drop(struct sched_cell *cell, struct queue_request *request);
/* queue_request_resolve - find out which set REQUEST means, if that was not done yet: its turn has
 * come, and OWNER's job is the first. Categories may have another need afterwards. O(queue
 * instances) */
void queue_request_resolve(struct sched_cell *cell, struct queue_request *request,
                           struct sched_owner *owner);
/* queue_join_sets - put Q into the sets of all requests that it suits; a set some of whose requests
 * it does not suit is split. O(requests) */
void queue_join_sets(struct sched_cell *cell, struct sched_queue *q);

#endif
