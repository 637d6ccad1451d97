#ifndef QMASTER_WATCHES_H
#define QMASTER_WATCHES_H

#include "daemons/qmaster/qmaster.h"

struct request;
/* Clients that wait for the ends of a job's tasks (qsub -sync y). */
struct session;
struct watches;
struct watches *watches_new(void);
void watches_free(struct watches *w);
/* watches_submitted - the answer of a submit that wants to watch (GDI_WATCH_TOO): its first part leaves now, the ends follow */
void watches_submitted(struct qmaster *q, struct request *r);
/* watches_task_ended - T has ended for good as REPORT says
 * watches_task_parked - T is in error, and stays there until a person does something */
void watches_task_ended(struct qmaster *q, const struct task *t, const struct JR_Type *report);
void watches_task_parked(struct qmaster *q, const struct task *t, const struct JR_Type *report);
void watches_job_ended(struct qmaster *q, const struct job *job);
void watches_on_closed(struct qmaster *q, struct session *s);

#endif
