#ifndef QMASTER_CONFIG_MEMBERSHIP_H
#define QMASTER_CONFIG_MEMBERSHIP_H

#include "daemons/qmaster/tables/qmaster.h"

/* Asking in which groups of the system users are (tables/members.h), as soon as a user set has an
 * "@group" entry. The core never waits: who submits for the first time waits for an answer himself,
 * and of users with jobs the qmaster asks again from time to time (qmaster_params NAMES_TIME). */
struct note;

/* membership_awaits - is it still open in which groups the user UID, called USER, is? Then a
 * question is under way, whose answer comes as a NOTE_GROUPS. False if no user set names a group.
 * O(1) */
bool membership_awaits(struct qmaster *q, uid_t uid, const char *user);
/* membership_hear - N, a NOTE_GROUPS, has the groups of a user. Returns his name, borrowed,
 * if they are others than before; else NULL. */
const char *membership_hear(struct qmaster *q, const struct note *n);
/* membership_check - housekeeping: who is due is asked for again, or forgotten if he has no jobs;
 * MEMBERS_LOOKED_AT of them in each call */
void membership_check(struct qmaster *q);
enum { MEMBERS_LOOKED_AT = 200 };

#endif
