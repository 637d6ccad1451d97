#ifndef QMASTER_TABLES_USER_SETS_H
#define QMASTER_TABLES_USER_SETS_H

#include "common/basis.h"

/* Which user sets (access_list(5)) somebody is in. It is looked up once for each user and group and
 * kept until a set changes, so that a submit costs the same with a thousand sets as with one. The
 * core's alone. */
struct settings;

/* user_sets_of - names of the sets that USER, of the system's group GROUP, is in, with blanks
 * between; sets of departments alone do not count. Counted (cull_share), borrowed until the next
 * change of a set; NULL if he is in none. O(1), after a change O(entries of all sets) */
const char *user_sets_of(struct settings *s, const char *user, const char *group);
/* user_department_of - the department of USER, of the system's group GROUP: of the sets of type
 * DEPT the first by name that has the user, or else the first that has the group. Kept and borrowed
 * as the sets are; NULL if he is in none, which is shown as "defaultdepartment" */
const char *user_department_of(struct settings *s, const char *user, const char *group);
/* user_sets_forget - free what is kept */
void user_sets_forget(struct settings *s);

/* as many users are kept; one more forgets them */
enum { USER_SETS_KEPT = 20000 };

#endif
