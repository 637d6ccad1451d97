#ifndef QMASTER_JOBS_WATCHES_H
#define QMASTER_JOBS_WATCHES_H

#include "daemons/qmaster/tables/qmaster.h"

/* Clients that wait for the ends of a job's tasks (qsub -sync y). */
struct job;
struct session;
struct watches;
/* watches_new - nobody waits; new: watches_free. watches_free - NULL is fine */
struct watches *watches_new(void);
void watches_free(struct watches *w);
/* watches_add - S hears what happens to tasks of JOB from now on, as parts of the answer to its
 * request SERIAL */
void watches_add(struct qmaster *q, struct session *s, uint32_t serial, uint32_t job);
/* watches_tell_parked - tell S which tasks of JOB are in error already: it was away when they got
 * there. At most 100, of the first 10,000 tasks that have run. */
void watches_tell_parked(struct qmaster *q, const struct session *s, uint32_t serial,
                         struct job *job);
/* watches_task_ended - T has ended for good as REPORT says
 * watches_task_parked - T is in error, and stays there until a person does something */
void watches_task_ended(struct qmaster *q, const struct task *t, const struct JR_Type *report);
void watches_task_parked(struct qmaster *q, const struct task *t, const struct JR_Type *report);
/* watches_job_ended - JOB goes: who waits for it gets the last part of the answer
 * watches_on_closed - S waits for nothing any more */
void watches_job_ended(struct qmaster *q, const struct job *job);
void watches_on_closed(struct qmaster *q, struct session *s);

#endif
