#ifndef UTI_NAME_SERVICE_H
#define UTI_NAME_SERVICE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* What the system's name service says, for commands; no loop of a daemon can wait for it. Two files
 * have it, and a program is linked with one: name_service_libc.c asks the C library, which loads
 * what nsswitch.conf names; a static program can load nothing, and name_service_getent.c lets
 * getent(1) ask. */

/* name_service_user - name and home of the user UID; both new: free()
 * Returns 0, or -1 with both unchanged if no user has UID. */
int name_service_user(uid_t uid, char **name, char **home);
/* name_service_home - home of the user NAME, new: free(). Returns 0, or -1 with *home unchanged if
 * there is no such user */
int name_service_home(const char *name, char **home);
/* name_service_has_host - is there an address of HOST? */
bool name_service_has_host(const char *host);

/* passwd_find - the first entry of UID among the lines of passwd(5) in F, as name_service_user says
 * it; lines that are no entries are passed over */
int passwd_find(FILE *f, uid_t uid, char **name, char **home);
/* passwd_find_home - the home of the first entry of NAME, as name_service_home says it */
int passwd_find_home(FILE *f, const char *name, char **home);

#endif
