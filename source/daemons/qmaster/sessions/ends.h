#ifndef QMASTER_SESSIONS_ENDS_H
#define QMASTER_SESSIONS_ENDS_H

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/sessions/job_sessions.h"

/* What the life of a task means to the session of its job, if it has one. For jobs without one each
 * of these costs a look at a number. */

/* ends_task_ended - T has ended as REPORT says and will not run again
 * ends_task_in_error - T is in error, and stays there until a person does something
 * ends_tasks_unrun - ORDINALS of JOB were deleted while they waited. O(ranges)
 * ends_job_gone - JOB goes, its last task has ended */
void ends_task_ended(struct qmaster *q, const struct task *t, const struct JR_Type *report);
void ends_task_in_error(struct qmaster *q, const struct task *t, const struct JR_Type *report);
void ends_tasks_unrun(struct qmaster *q, const struct job *job, const struct range_set *ordinals);
void ends_job_gone(struct qmaster *q, const struct job *job);

/* ends_drop_session - delete S and its records: watchers are notified, jobs keep running */
void ends_drop_session(struct qmaster *q, struct job_session *s);
/* ends_expire - sessions that have not been watched or queried for SESSION_TIMEOUT go; once in a
 * while. O(what goes) */
void ends_expire(struct qmaster *q);
/* ends_free - all sessions, after the pieces of work that are under way; NULL is fine */
void ends_free(struct job_sessions *all);
/* ends_restored - the jobs and sessions of the spool are all there: what has no session any more
 * goes, sessions know what is still to come */
void ends_restored(struct qmaster *q);

#endif
