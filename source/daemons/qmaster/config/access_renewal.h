#ifndef QMASTER_CONFIG_ACCESS_RENEWAL_H
#define QMASTER_CONFIG_ACCESS_RENEWAL_H

#include "daemons/qmaster/tables/qmaster.h"
#include "daemons/qmaster/tables/user_sets.h"

/* Jobs say which user sets and which department their owners are in (JB_user_sets, JB_department),
 * for the scheduler, for `qstat -j` and for accounting. What counts is the sets: each order is
 * checked against them (heard/orders.c), and a restart asks them again. */

/* access_note_sets - REC, of a job, says which sets and which department its owner WHO is in.
 * Returns whether it said something else before. O(1) */
bool access_note_sets(struct qmaster *q, struct JB_Type *rec, const struct set_user *who);
/* access_renew_jobs - a set has changed: all jobs say what is so now. In slices if they are many,
 * in turns of USER, who changed it; the first slice is done at once
 * access_recover_jobs - the same of all of them, when they have been read from the spool; if sets
 * name groups, those of the owners are asked for
 * access_on_groups - N, a NOTE_GROUPS, says in which groups a user is: the same of his jobs */
void access_renew_jobs(struct qmaster *q, uint64_t user);
void access_recover_jobs(struct qmaster *q);
struct note;
void access_on_groups(struct qmaster *q, const struct note *n);

#endif
