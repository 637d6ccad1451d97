#ifndef QMASTER_JOBS_MAIL_H
#define QMASTER_JOBS_MAIL_H

#include "daemons/qmaster/tables/qmaster.h"

/* Mail about jobs (-m, -M) and to the administrator: what is written, to whom, and how much. A
 * mail leaves with the batch that has the change which it is about (io/mailer.h sends it).
 *
 * The qmaster writes all of it, and no host does: it alone knows of deletes of pending jobs, of
 * lost hosts and of arrays as a whole, it writes when the change is durable and so once, and one
 * host needs a mailer instead of all. A job without -m costs a comparison.
 *
 * Of an array with more than MAIL_TASKS tasks there is no mail for each: there is one when its
 * first task starts, one when all have ended, with their sums, and between them one for what
 * happened in ARRAY_MAIL_S, if anything was asked for that did. The sums are in memory only: a
 * qmaster that starts again says how many tasks it has not counted.
 *
 * Each user has at most MAIL_RATE mails an hour, each address counts; so has the administrator.
 * Source: submit(1) -m, sge_conf(5) mailer, administrator_mail, MAIL_RATE, MAIL_TASKS. */
struct accounting;
struct identity;
struct mails;
enum { ARRAY_MAIL_S = 10 };

/* mails_new - nothing was sent yet; new: mails_free, NULL is fine */
struct mails *mails_new(void);
void mails_free(struct mails *mails);

/* mail_started - T runs, as its host says */
void mail_started(struct qmaster *q, const struct task *t);

enum mail_end { MAIL_ENDS, MAIL_STARTS_AGAIN, MAIL_ENTERS_ERROR };
struct mail_start {         /* a start that is over */
    enum mail_end end;      /* what becomes of the task */
    bool was_announced;     /* mail_started was called */
    bool is_deleted;        /* by a request */
    bool is_queue_in_error; /* because of it */
    const char *why;        /* the report's error text, or NULL */
};
/* mail_ended - a start of T is over; A is its accounting */
void mail_ended(struct qmaster *q, const struct task *t, const struct accounting *a,
                const struct mail_start *start);
/* mail_suspended - T was suspended for REASON (one of TASK_SUSPENSIONS), or continues after it */
void mail_suspended(struct qmaster *q, const struct task *t, uint32_t reason, bool is_on);
/* mail_rescheduled - a request puts T, which runs, back */
void mail_rescheduled(struct qmaster *q, const struct task *t);
/* mail_deleted - WHO deletes T, whether it runs or not
 * mail_deleted_pending - WHO deletes PENDING tasks of JOB, some of JB_ja_pending_ids */
void mail_deleted(struct qmaster *q, const struct task *t, const struct identity *who);
void mail_deleted_pending(struct qmaster *q, const struct job *job, const struct range_set *pending,
                          const struct identity *who);
/* mail_job_gone - all tasks of JOB have ended; before it leaves the table */
void mail_job_gone(struct qmaster *q, const struct job *job);

/* mails_step - what is due of arrays, and users whose hour is over; now and then */
void mails_step(struct qmaster *q);

#endif
