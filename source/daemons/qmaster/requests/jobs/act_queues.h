#ifndef QMASTER_REQUESTS_JOBS_ACT_QUEUES_H
#define QMASTER_REQUESTS_JOBS_ACT_QUEUES_H

#include "daemons/qmaster/change/request.h"

/* Actions on the queue instances that a word means (qmod -d, -e, -sq, -usq, -cq, -rq), in steps:
 * there may be 100,000 instances, and any number of tasks in one. Which instances there are is
 * settled at the start, which tasks one has when its turn comes. What has gone since is passed
 * over. A task is suspended if its queue is so by then: of two requests at a time the later one
 * decides for all. */

/* act_queues_new - a walk over all instances there are, for those that WC_QUEUE means; new: the
 * state of a step
 *   wc_queue  borrowed from the request */
struct step_state *act_queues_new(struct qmaster *q, const char *wc_queue);
/* act_queues_step - a part of what R asks for, whose state is such a walk. Returns true when all is
 * done, false: the rest in another step */
bool act_queues_step(struct qmaster *q, struct request *r);
/* act_queues_found - how many instances the word has meant so far */
uint32_t act_queues_found(const struct request *r);

#endif
