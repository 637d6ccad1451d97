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
void watches_task_ended(struct qmaster *q, const struct task *t, const struct JR_Type *report);
void watches_job_ended(struct qmaster *q, const struct job *job);
void watches_on_closed(struct qmaster *q, struct session *s);

#endif
