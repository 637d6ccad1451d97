#ifndef CONFIG_ACCESS_H
#define CONFIG_ACCESS_H

#include "libs/sgeobj/rows.h"

/* Who may use what: access lists of user sets and of projects. A place (a queue instance) has a
 * door for each configuration that guards it, its queue's, its host's and the cell's, and only who
 * passes all of them gets in. Scheduler and qmaster ask the same. Pure. */
enum access { ACCESS_GRANTED = 0, ACCESS_NOT_OF_USER = 1, ACCESS_NOT_OF_PROJECT = 2 };

/* access_ask - may a job use what DOORS guard?
 *
 *   sets     names of the user sets that its owner is in, with blanks between; NULL: in none
 *   project  NULL: none
 *
 * A door with user_lists admits users whose sets are among them, one with xuser_lists refuses
 * users of those, whatever else he is in; one with projects their jobs alone, one with xprojects
 * all but their jobs. Returns what is missing. O(names x names), no doors O(1).
 * Source: queue_conf(5) */
enum access access_ask(const struct AC_Type_list *doors, const char *sets, const char *project);

/* access_add_door - guard DOORS by lists as configurations have them; NULL and "NONE" are no list,
 * and without any list there is no door */
struct access_lists {
    const char *user_lists, *xuser_lists, *projects, *xprojects;
};
void access_add_door(struct AC_Type_list *doors, const struct access_lists *lists);

/* access_add_sets - the same for an object that names user sets: IN lets in, OUT keeps out
 * access_admits - may a user in SETS pass such a door? O(names x names), without lists O(1) */
void access_add_sets(struct AC_Type_list *doors, const struct ST_Type_list *in,
                     const struct ST_Type_list *out);
bool access_admits(const struct ST_Type_list *in, const struct ST_Type_list *out, const char *sets);

/* access_has_name - is NAME one of LIST, as configurations have it? "NONE" has no members */
bool access_has_name(const char *list, const char *name);

/* userset_has - is WHO of SET? By name, or by "@group". O(entries x groups)
 * userset_groups - how many entries of SET are groups. O(entries) */
struct userset_of {
    const char *user;
    const char *group;  /* of the system; NULL: none */
    const char *groups; /* others, each between two ':'; NULL: none */
};
bool userset_has(const struct US_Type *set, const struct userset_of *who);
uint32_t userset_groups(const struct US_Type *set);

#endif
