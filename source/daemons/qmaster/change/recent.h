#ifndef QMASTER_CHANGE_RECENT_H
#define QMASTER_CHANGE_RECENT_H

#include "daemons/qmaster/change/request.h"

/* Requests of the last minutes, by user and request id: a client that lost the answer asks again with the same id, and gets what it got
 * before; nothing is done twice. Of a submit the job number is kept: while the job lives its record carries the id, for one that ended
 * sooner than clients retry the id is spooled by itself. Of every other request that changes something the answer is kept, in the spool
 * as well, in the batch of the change. */
struct recent;
struct recent *recent_new(void);
void recent_free(struct recent *r);
/* recent_add - a submit of user UID, SUBMITTED_S seconds since 1970. Ids of different users have nothing to do with each other. */
void recent_add(struct qmaster *q, uint32_t uid, const char *request_id, uint32_t job_number,
                uint64_t submitted_s);
/* recent_restore - a record of the spool, by its key; ANSWER, LEN bytes, is copied */
void recent_restore(struct qmaster *q, const char *key, uint32_t job_number, uint64_t submitted_s,
                    const void *answer, size_t len);
/* recent_restored - that was the last of them: the spool has them by their keys, and they are forgotten by their age */
void recent_restored(struct qmaster *q);
/* recent_find - the job of a submit; 0 if it is unknown */
uint32_t recent_find(const struct qmaster *q, uint32_t uid, const char *request_id);
void recent_job_ended(struct qmaster *q, const struct job *job);
void recent_expire(struct qmaster *q); /* once in a while */

/* recent_answer_again - was R seen before? Then its answer is put into R, or, if the connection was lost before there was a whole one,
 * that some of it has been done. */
bool recent_answer_again(struct qmaster *q, struct request *r);
/* recent_begin - R has changed something and goes on later: should its connection go, it is not begun again
 * recent_keep - the answer in R is whole */
void recent_begin(struct qmaster *q, const struct request *r);
void recent_keep(struct qmaster *q, const struct request *r);

#endif
