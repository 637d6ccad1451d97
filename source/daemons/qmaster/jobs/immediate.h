#ifndef QMASTER_JOBS_IMMEDIATE_H
#define QMASTER_JOBS_IMMEDIATE_H

#include "daemons/qmaster/tables/qmaster.h"

/* Jobs that start at once or not at all (-now y). Until the scheduler has decided, JB_is_immediate
 * says so; afterwards such a job is one like others, or it has gone. */

/* immediate_can_start - could all tasks of JOB start now, were there room? */
bool immediate_can_start(const struct qmaster *q, struct job *job);
/* immediate_started - tasks of JOB have been started: it is decided if those were all */
void immediate_started(struct qmaster *q, struct job *job);
/* immediate_remove - JOB cannot start at once: it goes, unless tasks of it run already; then it is
 * one like others. Returns whether it has gone. */
bool immediate_remove(struct qmaster *q, struct job *job);

#endif
