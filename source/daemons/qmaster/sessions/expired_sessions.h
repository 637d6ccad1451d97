#ifndef QMASTER_SESSIONS_EXPIRED_SESSIONS_H
#define QMASTER_SESSIONS_EXPIRED_SESSIONS_H

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/sessions/job_sessions.h"

/* Records of ends on their way out of the spool, so many in a step, since a session may keep
 * millions. A client that is notified of the removal must not find them again: the answer waits
 * for the last. */
struct leaving;

/* leaving_new - nothing yet, of the session S; new: leaving_start or leaving_drop takes it */
struct leaving *leaving_new(const struct job_session *s);
/* leaving_add - the records of the ordinals RAN of JOB; RAN is emptied */
void leaving_add(struct leaving *l, uint32_t job, struct range_set *ran);
/* leaving_start - the first step is made; if there is more, the rest is work of FROM's user, and
 * the last part of the answer to R leaves when it is done: R counts as taken */
void leaving_start(struct qmaster *q, struct leaving *l, struct request *r);
/* leaving_drop - delete S, which has no watchers, and its records, in steps */
void leaving_drop(struct qmaster *q, struct job_session *s);
/* leaving_on_commit - a batch may have been handed over: there is room for more */
void leaving_on_commit(struct qmaster *q);

#endif
