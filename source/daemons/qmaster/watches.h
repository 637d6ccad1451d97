#ifndef QMASTER_WATCHES_H
#define QMASTER_WATCHES_H

#include "daemons/qmaster/qmaster.h"

/* Clients that wait for the ends of a job's tasks (qsub -sync y). */
struct watches;
struct watches *watches_new(void);
void watches_free(struct watches *w);
void watches_task_ended(struct qmaster *q, const struct task *t, const struct JR_Type *report);
void watches_job_ended(struct qmaster *q, const struct job *job);
void watches_on_closed(struct qmaster *q, uint64_t conn);

#endif
