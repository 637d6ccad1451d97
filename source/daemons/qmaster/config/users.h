#ifndef QMASTER_CONFIG_USERS_H
#define QMASTER_CONFIG_USERS_H

#include "daemons/qmaster/tables/qmaster.h"
#include "daemons/qmaster/tables/user_sets.h"

/* What a cell wants of a job's owner: a user object (user(5)) and a project, as enforce_user and
 * enforce_project of sge_conf(5) say. With enforce_user "auto" each submitting user gets an object,
 * which goes when it has not been needed for auto_user_delete_time. The core's alone. */
struct answer;

/* users_check - may USER submit the job REC, as far as the cell wants an object of him or a
 * project? A job without a project gets the default_project of its user. Returns 0, or -1 with ans.
 * O(1) */
int users_check(struct qmaster *q, const char *user, struct JB_Type *rec, struct answer *ans);
/* users_check_project - is PROJECT (NULL: none) one that a job may have, as far as the cell wants
 * one? Returns 0, or -1 with ans */
int users_check_project(const struct qmaster *q, const char *project, struct answer *ans);
/* users_note - USER has submitted a job: with enforce_user "auto" he has an object from now on, for
 * at least half of auto_user_delete_time. Staged if that changes anything, which is seldom. O(1) */
void users_note(struct qmaster *q, const char *user);
/* users_expire - of users whose time is over those go who have no jobs and are not in the share
 * tree. Some are looked at in each call. */
void users_expire(struct qmaster *q);
/* so many users are looked at in a call */
enum { USERS_LOOKED_AT = 100 };

/* Asking in which groups of the system users are (tables/user_sets.h), as soon as a user set has an
 * "@group" entry. The core never waits: who submits for the first time waits for an answer himself,
 * and of users with jobs the qmaster asks again from time to time (qmaster_params NAMES_TIME). */
struct note;

/* membership_awaits - is it still open in which groups the user UID, called USER, is? Then a
 * question is under way, whose answer comes as a NOTE_GROUPS. False if no user set names a group.
 * O(1) */
bool membership_awaits(struct qmaster *q, uid_t uid, const char *user);
/* membership_answered - N, a NOTE_GROUPS, has the groups of a user. Returns his name, borrowed,
 * if they are others than before; else NULL. */
const char *membership_answered(struct qmaster *q, const struct note *n);
/* membership_check - housekeeping: who is due is asked for again, or forgotten if he has no jobs;
 * MEMBERS_LOOKED_AT of them in each call */
void membership_check(struct qmaster *q);
enum { MEMBERS_LOOKED_AT = 200 };

/* Jobs say which user sets and which department their owners are in (JB_user_sets, JB_department),
 * for the scheduler, for `qstat -j` and for accounting. What counts is the sets: each order is
 * checked against them (reports/orders.c), and a restart asks them again. */

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
