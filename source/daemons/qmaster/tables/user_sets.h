#ifndef QMASTER_TABLES_USER_SETS_H
#define QMASTER_TABLES_USER_SETS_H

#include <sys/types.h>

#include "common/basis.h"

/* The user sets (access_list(5)) that a user is in. It is looked up once for each user and group
 * and kept until a set changes, so that a submit costs the same with a thousand sets as with one.
 * The core's alone. */
struct settings;
/* the user in question: USER, whose group is GROUP, and who is in the groups that the name
 * service names for UID (groups.h), if they are known */
struct set_user {
    const char *user, *group;
    uid_t uid;
};

/* user_sets_of - names of the sets that WHO is in, with blanks between; sets of departments alone
 * do not count. Counted (cull_share), borrowed until the next
 * change of a set; NULL if he is in none. O(1), after a change O(entries of all sets) */
const char *user_sets_of(struct settings *s, const struct set_user *who);
/* user_department_of - the department of WHO: of the sets of type DEPT the first by name that has
 * the user, or else the first that has one of the groups. Kept and borrowed
 * as the sets are; NULL if he is in none, which is shown as "defaultdepartment" */
const char *user_department_of(struct settings *s, const struct set_user *who);
/* user_sets_forget - free what is kept */
void user_sets_forget(struct settings *s);

/* as many users are kept; one more forgets them */
enum { USER_SETS_KEPT = 20000 };

#endif
