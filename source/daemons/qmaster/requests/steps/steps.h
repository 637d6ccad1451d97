#ifndef QMASTER_REQUESTS_STEPS_STEPS_H
#define QMASTER_REQUESTS_STEPS_STEPS_H

#include "daemons/qmaster/change/request.h"

/* Requests in steps (struct request): a handler has a table of steps, in their order, and each
 * request knows the one that it is in. A step does a bounded part, so that neither the core nor a
 * batch grows with the size of a request, and may wait for files, names, or a batch. Requests wait
 * in the lane of their connection (work.h); when that has gone, what was not done yet is not
 * done. */
struct note;

/* request_run - carry out STEPS, which end with NULL, from the first one on. When R must wait it is
 * moved out, and counts as answered later. */
void request_run(struct qmaster *q, struct request *r, step_fn *const *steps);
/* request_answer - the last part of its answer, unless it is answered later, leaves when it is
 * durable; R is empty afterwards */
void request_answer(struct qmaster *q, struct request *r);
/* request_is_enough - ask before each entry of R's selection: has this step done its work?
 *
 *   work  what the step has done so far, in jobs and task records; starts with 0; entry R->at is
 *         added (picked_work)
 *
 * True once STEP_WORK is reached or the time of the slice is over (work.h): the step returns
 * STEP_WAIT_PART. False: handle entry R->at. */
bool request_is_enough(struct qmaster *q, struct request *r, uint32_t *work);

/* waiting_on_files - the files of JOB have arrived, or it has gone
 * waiting_on_owner - N, a NOTE_OWNER, says who a user is: R->owner is filled, or it is empty if the
 * id does not exist or cannot be looked up now
 * waiting_on_groups - it is known in which groups the user UID is, or that the lookup failed
 * waiting_on_starts - the jobs of q->starts have started, are in error, or have gone; it is empty
 *     afterwards
 * waiting_on_commit - a batch may have been handed over
 * Requests that wait for that go on. */
void waiting_on_files(struct qmaster *q, uint32_t job);
void waiting_on_owner(struct qmaster *q, const struct note *n);
void waiting_on_groups(struct qmaster *q, uid_t uid);
void waiting_on_starts(struct qmaster *q);
void waiting_on_commit(struct qmaster *q);

#endif
