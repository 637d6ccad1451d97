#ifndef QMASTER_REASONS_H
#define QMASTER_REASONS_H

#include "daemons/qmaster/qmaster.h"

/* Why jobs wait: what qstat -j shows under `scheduling info:` where sched_conf(5) says schedd_job_info true. Found out when it is asked
 * for, from the state as it is: always right, and nothing is collected for jobs that nobody asks about. */

/* reasons_of_job - a text for each reason, none if no task of it waits. O(queue instances), at most 20 of which are named. */
void reasons_of_job(const struct qmaster *q, struct job *job, struct ST_Type_list *out);
/* reasons_of_queues - why the queues take no job, whatever it asks for */
void reasons_of_queues(const struct qmaster *q, struct ST_Type_list *out);

#endif
