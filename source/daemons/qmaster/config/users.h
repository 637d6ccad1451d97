#ifndef QMASTER_CONFIG_USERS_H
#define QMASTER_CONFIG_USERS_H

#include "daemons/qmaster/tables/qmaster.h"

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

#endif
