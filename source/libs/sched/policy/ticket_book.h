#ifndef SCHED_POLICY_TICKET_BOOK_H
#define SCHED_POLICY_TICKET_BOOK_H

#include "common/basis.h"

/* Which tickets the jobs of the model have now (tickets.h), for the default's order of jobs and for
 * others to see. */
struct sched;
struct sched_job;
struct ticket_book;
/* POSITIONS_MOST: pending tasks that may have tickets in all, and TASKS_OF_CLASS of jobs that
 * differ in age alone; CLASSES_OF_OWNER: beyond so many, -js and -ot of an owner's jobs do not
 * count */
enum { POSITIONS_MOST = 40000, TASKS_OF_CLASS = 1000, CLASSES_OF_OWNER = 200 };

/* tickets_renew - as the model is now. Returns how many pending tasks have some. O(1) without any
 * share or ticket; else O(job groups + jobs)
 * tickets_forget - no job has any
 * tickets_forget_job - what JOB has was forgotten with it (prior_forget_job). O(1) */
uint32_t tickets_renew(struct sched *s);
void tickets_forget(struct sched *s);
void tickets_forget_job(struct ticket_book *b, uint32_t number);
/* tickets_of_next - of the next task of JOB to start; 0: none. O(1) */
double tickets_of_next(const struct ticket_book *b, const struct sched_job *job);

#endif
