#ifndef QMASTER_SESSIONS_WAITING_CLIENTS_H
#define QMASTER_SESSIONS_WAITING_CLIENTS_H

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/sessions/job_sessions.h"

/* Watchers: clients that receive the ends that a session keeps: first of those that are kept, read
 * from the spool in steps, then of each as it happens. */
enum { SESSION_WATCHERS_MOST = 64 };

/* waiting_clients_add - the answer to R goes on with what S keeps, and what it will keep
 *   only  0, or the job whose ends alone are wanted: the answer is complete when it has ended
 * R counts as taken; its first part, if there is anything in it, leaves now. Returns 0, or -1 with
 * R's texts: S has as many watchers as may be. */
int waiting_clients_add(struct qmaster *q, struct request *r, struct job_session *s, uint32_t only);
/* waiting_clients_send - S keeps END, of the task ORDINAL, or of tasks that never ran (ENDS_UNRUN)
 */
#define ENDS_UNRUN ((uint64_t)UINT32_MAX + 1)
void waiting_clients_send(struct qmaster *q, struct job_session *s, uint64_t ordinal,
                          const struct EN_Type *end);
/* waiting_clients_send_error - REPORT says that a task of a job of S is in error: for those who
 * watch that job alone */
void waiting_clients_send_error(struct qmaster *q, struct job_session *s,
                                const struct JR_Type *report);
/* waiting_clients_job_ended - the last end of JOB has been sent: the answers of those who watch it
 * alone are complete */
void waiting_clients_job_ended(struct qmaster *q, struct job_session *s, uint32_t job);
/* waiting_clients_dismiss - S goes: all answers are complete, and say that */
void waiting_clients_dismiss(struct qmaster *q, struct job_session *s);
/* waiting_clients_on_closed - CONN has gone, with what it watched. O(that) */
void waiting_clients_on_closed(struct qmaster *q, struct connection *conn);
/* waiting_clients_free - the qmaster ends, all connections have gone: S is watched no more */
void waiting_clients_free(struct job_session *s);
/* waiting_clients_on_commit - what was to be durable before it is read may be now */
void waiting_clients_on_commit(struct qmaster *q);
/* waiting_clients_on_fetched - records have come from the spool (fetcher_get_many) */
struct note;
void waiting_clients_on_fetched(struct qmaster *q, const struct note *n);

#endif
