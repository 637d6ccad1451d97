#ifndef QMASTER_REQUESTS_REASONS_H
#define QMASTER_REQUESTS_REASONS_H

#include "daemons/qmaster/tables/qmaster.h"

/* Why jobs wait: what qstat -j shows under `scheduling info:` unless sched_conf(5) says
 * schedd_job_info false, and -why of a task. Found out when it is asked for, from the state as it
 * is: always right, and nothing is collected for jobs that nobody asks about. */

/* reasons_of_job - a text for each reason, none if no task of it waits. O(queue instances), at most
 * 20 of which are named. */
void reasons_of_job(struct qmaster *q, struct job *job, struct ST_Type_list *out);
/* reasons_of_task - all that keeps a task that has not ended from starting, but the tasks of other
 * jobs that it waits for; or what it does. O(queue instances). */
void reasons_of_task(struct qmaster *q, struct job *job, uint32_t ordinal,
                     struct ST_Type_list *out);
/* reasons_of_queues - why the queues take no job, whatever it asks for */
void reasons_of_queues(struct qmaster *q, struct ST_Type_list *out);

#endif
