#ifndef QMASTER_REQUESTS_STEPS_PARKED_H
#define QMASTER_REQUESTS_STEPS_PARKED_H

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/requests/steps/selection.h"
#include "daemons/qmaster/tables/slice.h"

/* Requests that go on later: when the environment and script of a job have been read from the spool
 * (job_files.h), or, if they mean many jobs, in bounded steps, one in each batch, so that neither
 * the core nor a batch grows with the size of a request. They wait in the lane of their connection
 * (work.h); when that has gone, what was not done yet is not done. */
struct parked_list;

/* parked_new - none; new: parked_free, after the lanes, which own the requests */
struct parked_list *parked_new(void);
void parked_free(struct parked_list *all);

/* request_answer - the last part of its answer, unless it is taken, leaves when it is durable; R is
 * empty afterwards */
void request_answer(struct qmaster *q, struct request *r);
/* park - R goes on by FN when the files of JOB have arrived, which job_files_get has asked for, or
 * its script in the spool (scripts.h), or when the job has ended or was deleted
 *   r       its parts and texts are moved out; it counts as taken
 *   chosen  moved; may be empty */
void park(struct qmaster *q, struct request *r, uint32_t job, parked_fn *fn,
          struct selection *chosen, uint32_t at);
/* park_for_a_slice - R goes on by FN when its turn comes again, whether a batch has been handed
 * over or not. Nothing is changed yet of entry AT and those after it. */
void park_for_a_slice(struct qmaster *q, struct request *r, parked_fn *fn, struct selection *chosen,
                      uint32_t at);
/* park_for_owner - R goes on by FN when it is known who the user UID is (parked_on_owner):
 * R->owner is filled, or it is empty if the id does not exist or cannot be looked up now */
void park_for_owner(struct qmaster *q, struct request *r, parked_fn *fn, uid_t uid);
/* park_for_groups - the same when it is known in which groups the user UID is (parked_on_groups),
 * or that the lookup failed */
void park_for_groups(struct qmaster *q, struct request *r, parked_fn *fn, uid_t uid);
void parked_on_groups(struct qmaster *q, uid_t uid);
/* parked_on_owner - N, a NOTE_OWNER, says who a user is: requests that wait for that go on */
void parked_on_owner(struct qmaster *q, const struct note *n);
/* parked_on_files - the files of JOB have arrived, or it has gone: requests that wait for them go
 * on */
void parked_on_files(struct qmaster *q, uint32_t job);
/* park_if_enough - ask before each entry of CHOSEN: has this step done its work?
 *
 *   work  what the step has done so far, in jobs and task records; starts with 0; entry AT is added
 *         (picked_work)
 *
 * True once STEP_WORK is reached or the time of the slice is over (work.h): R goes on by FN in the
 * next batch, and what it has said so far leaves with this one, as a part of its answer; the caller
 * returns. False: handle entry AT. The other arguments as of park. */
bool park_if_enough(struct qmaster *q, struct request *r, parked_fn *fn, struct selection *chosen,
                    uint32_t at, uint32_t *work);
/* park_with_rest - entry AT itself has more to do than a step: the same, without asking */
void park_with_rest(struct qmaster *q, struct request *r, parked_fn *fn, struct selection *chosen,
                    uint32_t at);
/* parked_on_commit - a batch may have been handed over: what made its last step in it may go on */
void parked_on_commit(struct qmaster *q);

#endif
