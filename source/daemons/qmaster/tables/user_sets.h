#ifndef QMASTER_TABLES_USER_SETS_H
#define QMASTER_TABLES_USER_SETS_H

#include <sys/types.h>

#include "daemons/qmaster/tables/settings.h"

/* ---- groups of the system ---- */

/* In which groups of the system users are, as the name service of the qmaster's host said last, for
 * the "@group" entries of user sets. The core's alone; config/users.h asks. */

/* members_find - NULL without one;
 * members_add - UID, called USER, of whom nothing is known yet; NULL if there are MEMBERS_KEPT */
struct member *members_find(const struct members *m, uid_t uid);
struct member *members_add(struct members *m, uid_t uid, const char *user);
/* members_asked - the question for M has gone out
 * members_answered - TEXT (NULL: no such user) is what the name service says, and it is to be asked
 * again at DUE_S. Returns whether it said something else before.
 * members_unsure - it fails, which leaves what is known as it is
 * members_drop - M is not needed any more */
void members_asked(struct members *ms, struct member *m);
bool members_answered(struct members *ms, struct member *m, const char *text, uint64_t due_s);
void members_unsure(struct members *ms, struct member *m, uint64_t due_s);
void members_drop(struct members *ms, struct member *m);
/* member_groups - of USER, who has UID: ":users:staff:"; NULL if that is not known, if no user has
 * that uid, or another user has it on this host. ROUND changes when the text does. O(1) */
const char *member_groups(const struct members *ms, uid_t uid, const char *user, uint64_t *round);

/* ---- user sets ---- */

/* The user sets (access_list(5)) that a user is in. It is looked up once for each user and group
 * and kept until a set changes, so that a submit costs the same with a thousand sets as with one.
 * The core's alone. */
/* the user in question: USER, whose group is GROUP, and who is in the groups that the name
 * service names for UID, if they are known */
struct set_user {
    const char *user, *group;
    uid_t uid;
};

/* user_sets_of - names of the sets that WHO is in, with blanks between; sets of departments alone
 * do not count. Counted (cull_share), borrowed until the next change of a set; NULL if he is in
 * none. O(1), after a change O(entries of all sets) */
const char *user_sets_of(struct settings *s, const struct set_user *who);
/* user_department_of - the department of WHO: of the sets of type DEPT the first by name that has
 * the user, or else the first that has one of the groups. Kept and borrowed
 * as the sets are; NULL if he is in none, which is shown as "defaultdepartment" */
const char *user_department_of(struct settings *s, const struct set_user *who);
/* user_sets_init - nothing is known of any user
 * user_sets_clear - free all of it; before settings_clear */
void user_sets_init(struct settings *s);
void user_sets_clear(struct settings *s);

/* as many users are kept; one more forgets them */
enum { USER_SETS_KEPT = 20000 };

#endif
