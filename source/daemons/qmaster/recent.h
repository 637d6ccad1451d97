#ifndef QMASTER_RECENT_H
#define QMASTER_RECENT_H

#include "daemons/qmaster/qmaster.h"

/* Request ids of submits of the last minutes: a client that lost the answer asks again with the same id and gets the same job. While a
 * job lives its record carries the id; for one that ended sooner than clients retry the id is spooled by itself. */
struct recent;
struct recent *recent_new(void);
void recent_free(struct recent *r);
/* recent_add - a submit of user UID, SUBMITTED_S seconds since 1970. Ids of different users have nothing to do with each other. */
void recent_add(struct qmaster *q, uint32_t uid, const char *request_id, uint32_t job_number,
                uint64_t submitted_s);
/* recent_restore - a record of the spool, by its key */
void recent_restore(struct qmaster *q, const char *key, uint32_t job_number, uint64_t submitted_s);
uint32_t recent_find(const struct qmaster *q, uint32_t uid,
                     const char *request_id); /* job number, 0 if unknown */
void recent_job_ended(struct qmaster *q, const struct job *job);
void recent_expire(struct qmaster *q); /* once in a while */

#endif
