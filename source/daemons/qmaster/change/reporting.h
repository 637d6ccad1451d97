#ifndef QMASTER_CHANGE_REPORTING_H
#define QMASTER_CHANGE_REPORTING_H

#include "daemons/qmaster/tables/qmaster.h"

/* What goes into the reporting file (reporting(5)), if reporting_params say that there is one: the
 * lines leave with the batch, and are lost with a qmaster that is killed before it has written
 * them. */

/* reporting_end - a task has ended: LINE is its line of the accounting file, with its newline */
void reporting_end(struct qmaster *q, const char *line);
/* reporting_host - H has reported: those of its load values that report_variables name, its own or
 * those of the host "global"; once a second at most. O(their names x values) */
void reporting_host(struct qmaster *q, struct host *h);

/* What happens to jobs and their tasks, with joblog=true: a line for each event (job_log).
 * reporting_job - JOB was submitted by USER of HOST (new_job, and its first event)
 * reporting_event - EVENT ("sent") of a task of JOB, which is in the state of these letters, caused
 * by USER on HOST; TASK 0: of the job as a whole */
void reporting_job(struct qmaster *q, const struct job *job, const char *user, const char *host);
struct job_event {
    const char *event, *state, *user, *host, *text;
};
void reporting_event(struct qmaster *q, const struct job *job, uint32_t task,
                     const struct job_event *event);
/* reporting_deleted - USER of HOST deletes PENDING tasks of JOB: a line for each of the first 1,000
 * of an array, or one for the job. O(lines) */
void reporting_deleted(struct qmaster *q, const struct job *job, const struct range_set *pending,
                       const char *user, const char *host);
/* reporting_queue - QI may be in another state than the file has */
void reporting_queue(struct qmaster *q, struct qinstance *qi);
/* reporting_consumables - what a task takes in QI, slots and what ENTRY has, was booked or given
 * back: with log_consumables=true all of it, else what report_variables name */
void reporting_consumables(struct qmaster *q, struct qinstance *qi, const struct JG_Type *entry);

#endif
