#ifndef QMASTER_CHANGE_RECENT_H
#define QMASTER_CHANGE_RECENT_H

#include "daemons/qmaster/change/request.h"

/* Requests of the last minutes, by user and request id: a client that lost the answer asks again
 * with the same id, and gets what it got before; nothing is done twice. Of a submit the job is
 * known: while it lives its record carries the id, as long as clients retry; for one that ended
 * sooner the id is spooled by itself, with its number. Of every other request that changes
 * something the answer is kept, in the spool as well, in the batch of the change. */
struct recent;
/* recent_new - nothing is remembered; new: recent_free. recent_free - NULL is fine */
struct recent *recent_new(void);
void recent_free(struct recent *r);
/* recent_add - the submit that JOB came of, if its submitter may still retry; otherwise its record
 * loses the request id. Ids of different users have nothing to do with each other. */
void recent_add(struct qmaster *q, struct job *job);
/* recent_restore - a record of the spool, by its key; ANSWER, LEN bytes, is copied */
void recent_restore(struct qmaster *q, const char *key, uint32_t job_number, uint64_t submitted_s,
                    const void *answer, size_t len);
/* recent_restored - that was the last record: from now on the oldest are forgotten first */
void recent_restored(struct qmaster *q);
/* recent_find - the job of a submit; 0 if it is unknown */
uint32_t recent_find(const struct qmaster *q, uint32_t uid, const char *request_id);
/* recent_has_started - of a submit whose job has gone and had to start at once: did it? */
bool recent_has_started(const struct qmaster *q, uint32_t uid, const char *request_id);
/* recent_job_ended - JOB goes: if its submitter may still retry, its request id is spooled by
 * itself
 * recent_expire - forget what is older than clients retry; once a second. O(what is forgotten),
 * and little enough not to delay others */
void recent_job_ended(struct qmaster *q, const struct job *job);
void recent_expire(struct qmaster *q);

/* recent_answer_again - did this request come before? Then R gets the answer that it got, or, if
 * the connection was lost before that was whole, one that says that some of it has been done. */
bool recent_answer_again(struct qmaster *q, struct request *r);
/* recent_begin - R has changed something and goes on later: a retry must not begin it again
 * recent_keep - the answer in R is whole: remember it */
void recent_begin(struct qmaster *q, const struct request *r);
void recent_keep(struct qmaster *q, const struct request *r);

#endif
