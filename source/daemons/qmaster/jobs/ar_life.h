#ifndef QMASTER_JOBS_AR_LIFE_H
#define QMASTER_JOBS_AR_LIFE_H

#include "daemons/qmaster/tables/qmaster.h"

/* Advance reservations in time, by the clock of the qmaster: they begin, end, and go when the last
 * of their jobs has gone. Each step is a record in the spool, and a restart goes on from there. */

/* ar_enter - REC, which says what it has, is moved in: a reservation that is new. NULL, with REC
 * unchanged: its queue instances are not there */
struct ar *ar_enter(struct qmaster *q, struct AR_Type *rec);
/* ar_end - AR ends now: its pending tasks are deleted, and those that run are killed. WHY: of the
 * reporting file. Returns whether it has gone: it had no jobs */
bool ar_end(struct qmaster *q, struct ar *ar, const char *state, const char *why);
/* ar_force - AR ends now, and so do its tasks that run, without waiting for their hosts */
void ar_force(struct qmaster *q, struct ar *ar);
/* ar_restore - REC, moved in, comes from the spool, before jobs do
 * ars_restore - books all of them, when queues and jobs are there and before tasks take slots */
void ar_restore(struct qmaster *q, struct AR_Type *rec);
void ars_restore(struct qmaster *q);
/* While a queue instance of a reservation is disabled, suspended, in error, without its host or
 * gone, no task starts in it if it was made with -he y, else none there; its owner gets mail.
 * ars_step - what is due. To be called in each turn; a comparison while nothing is, else
 * O(reservations), and a slice of the jobs of those that end
 * ars_tidy - those that end, and whose last job has gone, go, and some are looked at for what is
 * wrong; once a second
 * ars_wake_us - the turn must begin at this time of the monotonic clock, or before LATEST_US */
void ars_step(struct qmaster *q);
void ars_tidy(struct qmaster *q);
uint64_t ars_wake_us(const struct qmaster *q, uint64_t latest_us);

/* ar_note_job - JOB, which is new, is in the reservation that it names, if it names one */
void ar_note_job(struct qmaster *q, const struct job *job);
/* ar_admits - may jobs of USER, who is in SETS, use AR (-u)?
 * ar_letter - its state: w, r, W and E if something is wrong with a queue instance, d
 * ar_explain - append to OUT what is wrong with its queue instances, a text each */
bool ar_admits(const struct ar *ar, const char *user, const char *sets);
void ar_explain(const struct ar *ar, struct ST_Type_list *out);

#endif
